"""The HWPE shell with the data mover."""

from pathlib import Path

from support import cocotb_runner


def test_hwpe_copy():
    cocotb_runner.run(
        "cryptile:shell:hwpe_copy",
        "hwpe_copy",
        "bench_hwpe_copy",
        test_dir=Path(__file__).parent,
    )
