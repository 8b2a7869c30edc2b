"""A key of 4096 bits in two shares through the engine port, and through three engines in step."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent


@pytest.mark.parametrize("top", ["long_key_engine", "long_key_lockstep"])
def test_long_key(top):
    run(
        "cryptile:engine:lockstep",
        top,
        "tb_engine_long_key",
        test_dir=HERE,
        extra_sources=sorted(HERE.glob("*.sv")),
        light=True,
    )
