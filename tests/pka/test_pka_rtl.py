"""The public-key engine's RTL: against its simulator, others' vectors, constant time, wiping."""

import pytest
from pka_runs import CORE, HERE, simulate
from support import cocotb_runner

TOP, BENCH = "cry_pka", "tb_pka"


each = pytest.mark.parametrize("bits", [256, 384, 576])
"""Runs a test for rows of each width."""

wide = pytest.mark.parametrize("bits", [384, 576])
"""Likewise, but of 256 bits."""


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


@pytest.mark.parametrize("bits", [256, 384, pytest.param(576, marks=pytest.mark.soak)])
def test_core(bits):
    simulate_core(bits, 30)


@pytest.mark.soak
@each
def test_core_long(bits):
    simulate_core(bits, 2000)


def test_engine():
    simulate(TOP, BENCH, 1)


@pytest.mark.soak
@wide
def test_engine_of_wide_rows(bits):
    simulate(TOP, BENCH, 1, bits)


@pytest.mark.soak
@each
def test_engine_long(bits):
    simulate(TOP, BENCH, 100, bits)
