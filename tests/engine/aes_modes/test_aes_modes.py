"""The AES engine of all modes with each datapath, complete and cut down."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent
SOURCES = [HERE / "aes_modes_coverage.vlt", HERE / "aes_modes_bind.sv"]
IMPLS = {"iterative": 1, "pipelined": 2}
PARTS = ("Decrypt", "Key192", "Key256", "Gcm", "Ccm", "Cmac", "Xts")


@pytest.mark.parametrize("impl", IMPLS)
def test_engine(impl):
    run(
        "cryptile:engine:aes_modes",
        "aes_modes_engine",
        "bench_aes_modes",
        test_dir=HERE,
        parameters={"Impl": IMPLS[impl]},
        extra_sources=SOURCES,
        env={"AES_IMPL": impl},
    )


def test_engine_reduced():
    """Without what can be left out, AES-128 in ECB, CBC (encryption) and CTR remains."""
    run(
        "cryptile:engine:aes_modes",
        "aes_modes_engine",
        "bench_aes_modes_reduced",
        test_dir=HERE,
        parameters={"Impl": IMPLS["iterative"], **{f"En{part}": 0 for part in PARTS}},
        extra_sources=SOURCES,
    )
