"""The data mover alone."""

from pathlib import Path

from support import cocotb_runner


def test_copy_engine():
    cocotb_runner.run(
        "cryptile:engine:copy",
        "cry_copy_engine",
        "bench_copy_engine",
        test_dir=Path(__file__).parent,
    )
