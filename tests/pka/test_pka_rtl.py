"""The public-key engine's RTL: against its simulator, others' vectors, constant time, wiping."""

import pytest
from pka_runs import CORE, HERE, simulate
from support import cocotb_runner

TOP, BENCH = "cry_pka", "tb_pka"


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


def test_engine():
    simulate(TOP, BENCH, 1)


@pytest.mark.soak
def test_engine_long():
    simulate(TOP, BENCH, 100)
