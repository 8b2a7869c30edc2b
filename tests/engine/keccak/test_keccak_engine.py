"""The Keccak engine: one and two rounds per cycle, and every level of protection."""

from pathlib import Path

import pytest
from support.cocotb_runner import run
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


def test_three_engines_in_step():
    run(
        "cryptile:engine:select",
        "cry_engine_select",
        "tb_keccak_engine",
        test_dir=HERE,
        parameters={
            "Engine": "cry_engine_select_pkg::KeccakR1",
            "Protect": "cry_protect_pkg::ProtectTmr",
        },
        env={"KECCAK_ROUNDS": "1", "KECCAK_PROTECT": "none"},
        testcase="bad_parameters",
        light=True,
    )
