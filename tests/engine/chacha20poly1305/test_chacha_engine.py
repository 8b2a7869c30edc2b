"""The ChaCha20-Poly1305 engine with each core."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent
CORE = "cryptile:engine:chacha20poly1305"
IMPLS = {"std": 0, "opt": 1, "wide": 2, "pipelined": 3}


@pytest.mark.parametrize(
    ("impl", "protect"),
    [("std", 0), ("opt", 0), ("wide", 0), ("pipelined", 0), ("opt", 2)],
)
def test_engine(impl, protect):
    run(
        CORE,
        "chacha20poly1305_engine",
        "bench_chacha_engine",
        test_dir=HERE,
        parameters={"Impl": IMPLS[impl], "Protect": f"2'd{protect}"},
        extra_sources=[HERE / "chacha_coverage.vlt", HERE / "chacha_engine_bind.sv"],
        env={"CHACHA_IMPL": impl},
    )
