"""The Ascon engine: one, two and four rounds per cycle, and every level of protection."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent


def run_engine(module, rounds, level, share=1):
    run(
        "cryptile:engine:ascon",
        "cry_ascon_engine",
        module,
        test_dir=HERE,
        parameters={
            "RoundsPerCycle": rounds,
            "Protect": f"cry_protect_pkg::Protect{level.capitalize()}",
        },
        extra_sources=[HERE / "ascon_coverage.vlt"],
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
