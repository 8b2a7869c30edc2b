"""The HWPE shell with the AES engine, every datapath."""

from pathlib import Path

import pytest
from support import cocotb_runner


@pytest.mark.parametrize(
    ("number", "impl", "jobs"),
    [(0, "serial", 12), (1, "iterative", 120), (2, "pipelined", 150)],
    ids=["serial", "iterative", "pipelined"],
)
def test_hwpe_aes(number, impl, jobs):
    cocotb_runner.run(
        "cryptile:shell:hwpe_aes",
        "hwpe_aes",
        "bench_hwpe_aes",
        test_dir=Path(__file__).parent,
        parameters={"Impl": number},
        env={"CRYPTILE_IMPL": impl, "CRYPTILE_JOBS": str(jobs)},
    )
