"""The Ascon engine: one, two and four rounds per cycle, and every level of protection."""

from pathlib import Path

import pytest
from support.engine_points import Point, run_point

HERE = Path(__file__).parent


def run_engine(module, rounds, level, share=1):
    run_point(
        Point("ascon", f"r{rounds}", level),
        module,
        test_dir=HERE,
        env={
            "ASCON_ROUNDS": str(rounds),
            "ASCON_PROTECT": level,
            "ASCON_SHARE": str(share),
        },
    )


@pytest.mark.parametrize(
    ("rounds", "level", "share"), [(1, "none", 8), (2, "none", 8), (4, "none", 1)]
)
def test_engine(rounds, level, share):
    run_engine("tb_ascon_engine", rounds, level, share)


@pytest.mark.parametrize(("rounds", "level"), [(1, "correct"), (2, "detect")])
def test_upsets(rounds, level):
    run_engine("tb_ascon_upsets", rounds, level)
