"""The AES engine of all modes: each datapath and level of protection, complete and cut down."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent
PARTS = ("Decrypt", "Key192", "Key256", "Gcm", "Ccm", "Cmac", "Xts")
REDUCED = {"Ccm": 1, "Xts": 1}
"""Beside ECB, CBC and CTR what has sections of every kind and two keys."""

BUILDS = {
    "iterative": (
        {"Impl": "cry_aes_pkg::ImplIterative", "Protect": "cry_protect_pkg::ProtectCorrect"},
        {"AES_IMPL": "iterative", "AES_PROTECT": "correct"},
    ),
    "pipelined": ({"Impl": "cry_aes_pkg::ImplPipelined"}, {"AES_IMPL": "pipelined"}),
    "reduced": (
        {
            "Impl": "cry_aes_pkg::ImplIterative",
            "Protect": "cry_protect_pkg::ProtectDetect",
            **{f"En{part}": REDUCED.get(part, 0) for part in PARTS},
        },
        {"AES_BUILT": "0,1,2,4,6", "AES_PROTECT": "detect"},
    ),
}
"""At ProtectCorrect the engine does all as without: the first build stands for both."""


def run_engine(module: str, build: str):
    parameters, env = BUILDS[build]
    run(
        "cryptile:engine:aes_modes",
        "cry_aes_modes_engine",
        module,
        test_dir=HERE,
        parameters=parameters,
        extra_sources=[HERE / "aes_modes_coverage.vlt"],
        env=env,
    )


@pytest.mark.parametrize("build", ["iterative", "pipelined"])
def test_engine(build):
    run_engine("bench_aes_modes", build)


def test_engine_reduced():
    """What was left out is a bad parameter, and what was not works."""
    run_engine("bench_aes_modes_reduced", "reduced")


@pytest.mark.parametrize("build", ["iterative", "reduced"])
def test_upsets(build):
    run_engine("bench_aes_modes_upsets", build)
