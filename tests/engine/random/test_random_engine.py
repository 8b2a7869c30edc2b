"""The engine that gives random bits."""

from pathlib import Path

from support import cocotb_runner


def test_engine():
    cocotb_runner.run(
        "cryptile:engine:random",
        "cry_random_engine",
        "tb_random_engine",
        test_dir=Path(__file__).parent,
        parameters={"RandomCycles": 64},
    )
