"""Simulates a top of the public-key engine with one of its test benches."""

from pathlib import Path

from support import cocotb_runner

HERE = Path(__file__).parent
CORE = "cryptile:engine:pka"


def simulate(top: str, bench: str, cases: int, bits: int = 256) -> None:
    """Run so many cases of a bench, with rows of a width."""
    cocotb_runner.run(
        CORE,
        top,
        bench,
        test_dir=HERE,
        parameters={"RandomCycles": 1000, "RowBits": bits},
        env={"CRYPTILE_CASES": str(cases), "CRYPTILE_ROW_BITS": str(bits)},
    )
