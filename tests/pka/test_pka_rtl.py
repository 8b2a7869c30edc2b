"""The public-key engine's RTL: against its simulator, others' vectors, constant time, wiping."""

from pathlib import Path

import pytest
from support import cocotb_runner

HERE = Path(__file__).parent
CORE = "cryptile:engine:pka"


def simulate_core(programs: int) -> None:
    cocotb_runner.run(
        CORE,
        "pka_core_bench",
        "tb_pka_core",
        test_dir=HERE,
        extra_sources=[HERE / "pka_core_bench.sv"],
        env={"CRYPTILE_PROGRAMS": str(programs)},
        short=True,
    )


def test_core():
    simulate_core(30)


@pytest.mark.soak
def test_core_long():
    simulate_core(2000)


def simulate(cases: int) -> None:
    cocotb_runner.run(
        CORE,
        "cry_pka",
        "tb_pka",
        test_dir=HERE,
        parameters={"RandomCycles": 1000},
        env={"CRYPTILE_CASES": str(cases)},
        short=True,
    )


def test_engine():
    simulate(1)


@pytest.mark.soak
def test_engine_long():
    simulate(100)
