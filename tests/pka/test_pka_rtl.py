"""The public-key engine's RTL: against its simulator, others' vectors, constant time, wiping."""

import pytest
from pka_runs import CORE, HERE, simulate
from support import cocotb_runner

TOP, BENCH = "cry_pka", "tb_pka"


each = pytest.mark.parametrize("bits", [256, 384])
"""Runs a test for rows of each width."""


def simulate_core(bits: int, programs: int) -> None:
    cocotb_runner.run(
        CORE,
        "pka_core_bench",
        "tb_pka_core",
        test_dir=HERE,
        extra_sources=[HERE / "pka_core_bench.sv"],
        parameters={"RowBits": bits},
        env={"CRYPTILE_PROGRAMS": str(programs), "CRYPTILE_ROW_BITS": str(bits)},
        short=True,
    )


@each
def test_core(bits):
    simulate_core(bits, 30)


@pytest.mark.soak
@each
def test_core_long(bits):
    simulate_core(bits, 2000)


def test_engine():
    simulate(TOP, BENCH, 1)


@pytest.mark.soak
def test_engine_of_384_bits():
    simulate(TOP, BENCH, 1, 384)


@pytest.mark.soak
@each
def test_engine_long(bits):
    simulate(TOP, BENCH, 100, bits)
