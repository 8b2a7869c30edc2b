"""The public-key engine on the engine port."""

import pytest
from pka_runs import simulate
from support import pka

from cryptile import catalog

TOP, BENCH = "cry_pka_engine", "tb_pka_engine"


def test_steps():
    """The catalogue has the cycles of the programs."""
    for engine, cycles in (("pka", pka.CYCLES), ("pka384", pka.CYCLES384)):
        modes = catalog.engines()[engine].modes
        assert {name: mode.steps for name, mode in modes.items()} == cycles


def test_engine():
    simulate(TOP, BENCH, 1)


@pytest.mark.soak
def test_engine_of_384_bits():
    simulate(TOP, BENCH, 1, 384)


@pytest.mark.soak
def test_engine_long():
    simulate(TOP, BENCH, 20)
