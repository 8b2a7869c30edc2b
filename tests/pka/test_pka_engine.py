"""The public-key engine on the engine port."""

import pytest
from pka_runs import simulate
from support import pka

from cryptile import catalog

TOP, BENCH = "cry_pka_engine", "tb_pka_engine"


def test_steps():
    """The catalogue has the cycles of the programs."""
    modes = catalog.engines()["pka"].modes
    assert {name: mode.steps for name, mode in modes.items()} == pka.CYCLES


def test_engine():
    simulate(TOP, BENCH, 1)


@pytest.mark.soak
def test_engine_long():
    simulate(TOP, BENCH, 20)
