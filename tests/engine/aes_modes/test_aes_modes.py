"""The AES engine of all modes: each datapath and level of protection, complete and cut down."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent
SOURCES = [HERE / "aes_modes_coverage.vlt", HERE / "aes_modes_bind.sv"]
PARTS = ("Decrypt", "Key192", "Key256", "Gcm", "Ccm", "Cmac", "Xts")
REDUCED = {"Ccm": 1, "Xts": 1}
"""Beside ECB, CBC and CTR what has sections of every kind and two keys."""

BUILDS = {
    "iterative": (
        {"Impl": 1, "Protect": "2'd2"},
        {"AES_IMPL": "iterative", "AES_PROTECT": "correct"},
    ),
    "pipelined": ({"Impl": 2}, {"AES_IMPL": "pipelined"}),
    "reduced": (
        {"Impl": 1, "Protect": "2'd1", **{f"En{part}": REDUCED.get(part, 0) for part in PARTS}},
        {"AES_BUILT": "0,1,2,4,6", "AES_PROTECT": "detect"},
    ),
}
"""At ProtectCorrect the engine does all as without: the first build stands for both."""


def run_engine(module: str, build: str):
    parameters, env = BUILDS[build]
    run(
        "cryptile:engine:aes_modes",
        "aes_modes_engine",
        module,
        test_dir=HERE,
        parameters=parameters,
        extra_sources=SOURCES,
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
