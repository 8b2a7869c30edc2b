"""The public-key engine's RTL: against its simulator, others' vectors, constant time, wiping."""

import pytest
from pka_runs import CORE, HERE, parameters, simulate
from support import cocotb_runner, pka

TOP, BENCH = "cry_pka", "tb_pka"
RSA, RSA_BENCH = "compact512", "tb_pka_rsa"


each = pytest.mark.parametrize("machine", pka.MACHINES)
"""Runs a test for each machine."""

CURVES = [name for name in pka.MACHINES if name != RSA]

of_curves = pytest.mark.parametrize("machine", CURVES)
"""Likewise for those that have a curve."""

others = pytest.mark.parametrize("machine", CURVES[1:])
"""Likewise, but for the first."""


def simulate_core(machine: str, programs: int) -> None:
    cocotb_runner.run(
        CORE,
        "pka_core_bench",
        "tb_pka_core",
        test_dir=HERE,
        extra_sources=[HERE / "pka_core_bench.sv"],
        parameters=parameters(machine),
        env={"CRYPTILE_PROGRAMS": str(programs), "CRYPTILE_MACHINE": machine},
        short=True,
    )


@pytest.mark.parametrize(
    "machine",
    [
        *("compact", "fast", "compact384"),
        *(pytest.param(name, marks=pytest.mark.soak) for name in (RSA, "compact576")),
    ],
)
def test_core(machine):
    simulate_core(machine, 30)


@pytest.mark.soak
@each
def test_core_long(machine):
    simulate_core(machine, 2000)


def test_engine():
    simulate(TOP, BENCH, 1)


@pytest.mark.soak
@others
def test_engine_of_others(machine):
    simulate(TOP, BENCH, 1, machine)


@pytest.mark.soak
@of_curves
def test_engine_long(machine):
    simulate(TOP, BENCH, 100, machine)


def simulate_rsa(cases: int) -> None:
    """Run a bench on rows of 512 bits, of which one adder and the reduction are constant."""
    simulate(TOP, RSA_BENCH, cases, RSA, light=True)


def test_rsa():
    """A public operation of 2,048 bits."""
    simulate_rsa(0)


@pytest.mark.soak
@pytest.mark.parametrize("cases", [1, 2])
def test_rsa_long(cases):
    """Private ones, too; with two cases of each length."""
    simulate_rsa(cases)
