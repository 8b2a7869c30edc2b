"""The HWPE shell with the data mover."""

from pathlib import Path

import pytest
from support import cocotb_runner
from support.waves import compare


def run(bench, env=None):
    cocotb_runner.run(
        "cryptile:shell:hwpe_engine",
        "cry_hwpe_engine",
        bench,
        test_dir=Path(__file__).parent,
        parameters={"Engine": "cry_engine_select_pkg::Copy", "AddrWidth": 32},
        env=env,
        see=[],
    )


@pytest.mark.parametrize("bench", ["tb_hwpe_copy", "tb_hwpe_clear"])
def test_hwpe_copy(bench):
    run(bench)


def test_the_drawing_is_what_the_rtl_does():
    with compare("hwpe_shell") as recorded:
        run("tb_hwpe_timing", {"CRYPTILE_WAVES": str(recorded)})
