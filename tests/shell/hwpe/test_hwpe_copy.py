"""The HWPE shell with the data mover."""

from pathlib import Path

import pytest
from support import cocotb_runner


@pytest.mark.parametrize("bench", ["tb_hwpe_copy", "tb_hwpe_clear"])
def test_hwpe_copy(bench):
    cocotb_runner.run(
        "cryptile:shell:hwpe_engine",
        "cry_hwpe_engine",
        bench,
        test_dir=Path(__file__).parent,
        parameters={"Engine": "cry_engine_select_pkg::Copy", "AddrWidth": 32},
        see=[],
    )
