"""The AES engine of all modes with each datapath, complete and cut down."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent
IMPLS = {"iterative": 1, "pipelined": 2}


@pytest.mark.parametrize("impl", IMPLS)
def test_engine(impl):
    run(
        "cryptile:engine:aes_modes",
        "aes_modes_engine",
        "bench_aes_modes",
        test_dir=HERE,
        parameters={"Impl": IMPLS[impl]},
        extra_sources=[HERE / "aes_modes_bind.sv"],
        env={"AES_IMPL": impl},
    )
