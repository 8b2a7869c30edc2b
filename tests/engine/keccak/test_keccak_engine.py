"""The Keccak engine: one and two rounds per cycle, and every level of protection."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent
LEVELS = {"none": "2'd0", "detect": "2'd1", "correct": "2'd2"}


def run_engine(module, rounds, level, share=1):
    run(
        "cryptile:engine:keccak",
        "keccak_engine",
        module,
        test_dir=HERE,
        parameters={"RoundsPerCycle": rounds, "Protect": LEVELS[level]},
        extra_sources=[HERE / "keccak_coverage.vlt", HERE / "keccak_engine_bind.sv"],
        env={
            "KECCAK_ROUNDS": str(rounds),
            "KECCAK_PROTECT": level,
            "KECCAK_SHARE": str(share),
        },
    )


@pytest.mark.parametrize(
    ("rounds", "level", "share"),
    [(1, "none", 2), (2, "none", 16), (1, "correct", 16)],
)
def test_engine(rounds, level, share):
    run_engine("bench_keccak_engine", rounds, level, share)


@pytest.mark.parametrize(("rounds", "level"), [(1, "correct"), (2, "detect")])
def test_upsets(rounds, level):
    run_engine("bench_keccak_upsets", rounds, level)
