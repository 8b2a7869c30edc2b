"""The ChaCha20-Poly1305 engine: every core and every level of protection, in few builds."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent
SOURCES = [HERE / "chacha_coverage.vlt", HERE / "chacha_engine_bind.sv"]
IMPLS = {"std": 0, "opt": 1, "wide": 2, "pipelined": 3}
LEVELS = {"none": "2'd0", "detect": "2'd1", "correct": "2'd2"}


def run_engine(module, impl, level, env=None, **parameters):
    run(
        "cryptile:engine:chacha20poly1305",
        "chacha20poly1305_engine",
        module,
        test_dir=HERE,
        parameters={"Impl": IMPLS[impl], "Protect": LEVELS[level], **parameters},
        extra_sources=SOURCES,
        env={"CHACHA_IMPL": impl, "CHACHA_PROTECT": level, **(env or {})},
    )


@pytest.mark.parametrize(
    ("impl", "level"),
    [("std", "correct"), ("opt", "correct"), ("wide", "detect"), ("pipelined", "none")],
)
def test_engine(impl, level):
    run_engine("bench_chacha_engine", impl, level)


@pytest.mark.parametrize(
    ("impl", "level"), [("std", "correct"), ("opt", "correct"), ("wide", "detect")]
)
def test_upsets(impl, level):
    run_engine("bench_chacha_upsets", impl, level)


def test_engine_without_poly1305():
    run_engine("bench_chacha_stream", "std", "none", {"CHACHA_CYCLES": "84"}, EnPoly1305=0)


def test_three_engines_in_step():
    run(
        "cryptile:engine:lockstep_chacha20poly1305",
        "chacha20poly1305_engine_lockstep",
        "bench_chacha_stream",
        test_dir=HERE,
        parameters={"Impl": IMPLS["opt"], "EnPoly1305": 0},
        extra_sources=[HERE / "chacha_engine_lockstep_bind.sv"],
        env={"CHACHA_CYCLES": "10"},
        light=True,
    )
