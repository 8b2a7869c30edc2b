"""The HWPE shell with the AES engine, every datapath.

Coverage of the shell is measured with one of them; that of AES is measured at its own port.
"""

from pathlib import Path

import pytest
from support import cocotb_runner


@pytest.mark.parametrize(
    ("impl", "protect", "jobs"),
    [("serial", 0, 12), ("iterative", 0, 120), ("iterative", 2, 40), ("pipelined", 0, 150)],
    ids=["serial", "iterative", "iterative-correct", "pipelined"],
)
def test_hwpe_aes(impl, protect, jobs):
    cocotb_runner.run(
        "cryptile:shell:hwpe_engine",
        "cry_hwpe_engine",
        "tb_hwpe_aes",
        test_dir=Path(__file__).parent,
        parameters={
            "Engine": f"cry_engine_select_pkg::Aes{impl.capitalize()}",
            "Protect": f"2'd{protect}",
        },
        env={"CRYPTILE_IMPL": impl, "CRYPTILE_JOBS": str(jobs)},
        light=(impl, protect) != ("iterative", 0),
        see=[],
    )
