"""The HWPE shell with the AES engine, every datapath."""

from pathlib import Path

import pytest
from support import cocotb_runner


@pytest.mark.parametrize(
    ("number", "impl", "protect", "jobs"),
    [
        (0, "serial", 0, 12),
        (1, "iterative", 0, 120),
        (1, "iterative", 2, 40),
        (2, "pipelined", 0, 150),
    ],
    ids=["serial", "iterative", "iterative-correct", "pipelined"],
)
def test_hwpe_aes(number, impl, protect, jobs):
    cocotb_runner.run(
        "cryptile:shell:hwpe_aes",
        "hwpe_aes",
        "bench_hwpe_aes",
        test_dir=Path(__file__).parent,
        parameters={"Impl": number, "Protect": f"2'd{protect}"},
        env={"CRYPTILE_IMPL": impl, "CRYPTILE_JOBS": str(jobs)},
    )
