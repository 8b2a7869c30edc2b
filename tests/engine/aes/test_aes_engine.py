"""The AES engine, each datapath."""

from pathlib import Path

import pytest

from tests.support.cocotb_runner import run

HERE = Path(__file__).parent
IMPLS = {"iterative": 1, "pipelined": 2}


@pytest.mark.parametrize("impl", IMPLS)
def test_engine(impl):
    run(
        "cryptile:engine:aes",
        "aes_engine",
        "bench_aes_engine",
        test_dir=HERE,
        parameters={"Impl": IMPLS[impl]},
    )
