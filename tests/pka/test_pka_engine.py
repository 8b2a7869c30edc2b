"""The public-key engine on the engine port."""

import pytest
from pka_runs import simulate
from support import pka

from cryptile import catalog
from cryptile.pka.isa import WIDTH384, WIDTH576

TOP, BENCH = "cry_pka_engine", "tb_pka_engine"


def test_steps():
    """The catalogue has the cycles of the programs."""
    of = (("pka", pka.CYCLES), ("pka384", pka.CYCLES384), ("pka521", pka.CYCLES576))
    for engine, cycles in of:
        modes = catalog.engines()[engine].modes
        assert {name: mode.steps for name, mode in modes.items()} == cycles


def test_numbers_of_wide_rows():
    """The rows and programs that cry_pka_jobs_pkg takes from P-384 are those of P-521, too."""
    wide, wider = (pka.image(width) for width in (WIDTH384, WIDTH576))
    for name in ("k", "x", "y", "e", "sig_r", "sig_s", "result"):
        assert wide.names[name] == wider.names[name]
    p384, p521 = ([name.split("_")[1] for name in image.results] for image in (wide, wider))
    assert p384 == p521


def test_engine():
    simulate(TOP, BENCH, 1)


@pytest.mark.soak
@pytest.mark.parametrize("bits", [384, 576])
def test_engine_of_wide_rows(bits):
    simulate(TOP, BENCH, 1, bits)


@pytest.mark.soak
def test_engine_long():
    simulate(TOP, BENCH, 20)
