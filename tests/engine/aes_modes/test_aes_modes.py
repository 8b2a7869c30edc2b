"""The AES engine of all modes: each datapath and level of protection, complete and cut down."""

from pathlib import Path

import pytest
from support.cocotb_runner import run
from support.engine_points import Point, run_point

HERE = Path(__file__).parent
PARTS = ("Decrypt", "Key192", "Key256", "Gcm", "Ccm", "Cmac", "Xts")
REDUCED = {"Ccm": 1, "Xts": 1}
"""Beside ECB, CBC and CTR what has sections of every kind and two keys."""


def run_reduced(module: str):
    run(
        "cryptile:engine:aes_modes",
        "cry_aes_modes_engine",
        module,
        test_dir=HERE,
        parameters={
            "Impl": "cry_aes_pkg::ImplIterative",
            "Protect": "cry_protect_pkg::ProtectDetect",
            **{f"En{part}": REDUCED.get(part, 0) for part in PARTS},
        },
        extra_sources=[HERE / "aes_modes_coverage.vlt"],
        env={"AES_BUILT": "0,1,2,4,6", "AES_PROTECT": "detect"},
        upset=True,
    )


@pytest.mark.parametrize(("impl", "level"), [("iterative", "correct"), ("pipelined", "none")])
def test_engine(impl, level):
    """At ProtectCorrect the engine does all as without: the first build stands for both."""
    point = Point("aes_modes", impl, level)
    run_point(point, "tb_aes_modes", test_dir=HERE, env={"AES_IMPL": impl})


def test_engine_reduced():
    """What was left out is a bad parameter, and what was not works."""
    run_reduced("tb_aes_modes_reduced")


def test_upsets():
    point = Point("aes_modes", "iterative", "correct")
    run_point(point, "tb_aes_modes_upsets", test_dir=HERE, env={"AES_PROTECT": "correct"})


def test_upsets_reduced():
    run_reduced("tb_aes_modes_upsets")
