"""The Keccak engine: one and two rounds per cycle, and every level of protection."""

from pathlib import Path

import pytest
from support.engine_points import Point, run_point

HERE = Path(__file__).parent


def run_engine(module, rounds, level, share=1):
    run_point(
        Point("keccak", f"r{rounds}", level),
        module,
        test_dir=HERE,
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
    run_engine("tb_keccak_engine", rounds, level, share)


@pytest.mark.parametrize(("rounds", "level"), [(1, "correct"), (2, "detect")])
def test_upsets(rounds, level):
    run_engine("tb_keccak_upsets", rounds, level)
