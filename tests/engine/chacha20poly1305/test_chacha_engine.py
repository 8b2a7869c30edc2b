"""The ChaCha20-Poly1305 engine: every core and every level of protection, in few builds."""

from pathlib import Path

import pytest
from support.engine_points import Point, run_point

HERE = Path(__file__).parent


def run_engine(module, impl, level, config=None, **env):
    run_point(
        Point("chacha20poly1305", impl, level),
        module,
        test_dir=HERE,
        config=config,
        env={"CHACHA_IMPL": impl, "CHACHA_PROTECT": level, **env},
    )


@pytest.mark.parametrize(
    ("impl", "level"),
    [("std", "correct"), ("opt", "detect"), ("wide", "none"), ("pipelined", "none")],
)
def test_engine(impl, level):
    run_engine("tb_chacha_engine", impl, level)


@pytest.mark.parametrize(
    ("impl", "level"), [("std", "correct"), ("opt", "detect"), ("wide", "detect")]
)
def test_upsets(impl, level):
    run_engine("tb_chacha_upsets", impl, level)


def test_engine_without_poly1305():
    run_engine("tb_chacha_stream", "std", "none", config="stream", CHACHA_CYCLES="84")
