"""The ChaCha20-Poly1305 engine: every core and every level of protection, in few builds."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent


def run_engine(module, impl, level, env=None, **parameters):
    run(
        "cryptile:engine:chacha20poly1305",
        "cry_chacha20poly1305_engine",
        module,
        test_dir=HERE,
        parameters={
            "Impl": f"cry_chacha20poly1305_pkg::Impl{impl.capitalize()}",
            "Protect": f"cry_protect_pkg::Protect{level.capitalize()}",
            **parameters,
        },
        extra_sources=[HERE / "chacha_coverage.vlt"],
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
        "cryptile:engine:select",
        "cry_engine_select",
        "bench_chacha_stream",
        test_dir=HERE,
        parameters={
            "Engine": "cry_engine_select_pkg::ChaCha20Poly1305OptStream",
            "Protect": "cry_protect_pkg::ProtectTmr",
        },
        env={"CHACHA_CYCLES": "10"},
        light=True,
    )
