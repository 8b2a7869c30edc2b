"""The ChaCha20-Poly1305 engine with each core."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent
CORE = "cryptile:engine:chacha20poly1305"
IMPLS = {"std": 0, "opt": 1, "wide": 2, "pipelined": 3}


@pytest.mark.parametrize("impl", IMPLS)
def test_engine(impl):
    run(
        CORE,
        "chacha20poly1305_engine",
        "bench_chacha_engine",
        test_dir=HERE,
        parameters={"Impl": IMPLS[impl]},
        extra_sources=[HERE / "chacha_engine_bind.sv"],
        env={"CHACHA_IMPL": impl},
    )
