"""The ChaCha20-Poly1305 engine with each core."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent
CORE = "cryptile:engine:chacha20poly1305"
IMPLS = {"std": 0, "opt": 1, "wide": 2, "pipelined": 3}


SOURCES = [HERE / "chacha_coverage.vlt", HERE / "chacha_engine_bind.sv"]
NONE, DETECT, CORRECT = (f"2'd{level}" for level in range(3))


@pytest.mark.parametrize(
    ("impl", "protect"),
    [("std", NONE), ("opt", NONE), ("wide", NONE), ("pipelined", NONE), ("opt", CORRECT)],
)
def test_engine(impl, protect):
    run(
        CORE,
        "chacha20poly1305_engine",
        "bench_chacha_engine",
        test_dir=HERE,
        parameters={"Impl": IMPLS[impl], "Protect": protect},
        extra_sources=SOURCES,
        env={"CHACHA_IMPL": impl},
    )


@pytest.mark.parametrize(("impl", "cycles"), [("std", 84), ("opt", 10)])
def test_engine_without_poly1305(impl, cycles):
    run(
        CORE,
        "chacha20poly1305_engine",
        "bench_chacha_stream",
        test_dir=HERE,
        parameters={"Impl": IMPLS[impl], "EnPoly1305": 0, "Protect": CORRECT},
        extra_sources=SOURCES,
        env={"CHACHA_CYCLES": str(cycles)},
    )
