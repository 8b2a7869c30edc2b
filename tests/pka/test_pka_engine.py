"""The public-key engine on the engine port."""

import msgspec
import pytest
from pka_runs import simulate
from support import pka

from cryptile import catalog
from cryptile.pka.isa import FAST256, WIDTH256, WIDTH384, WIDTH576

TOP, BENCH = "cry_pka_engine", "tb_pka_engine"


def test_steps():
    """The catalogue has the cycles of the programs."""
    for machine, engine in pka.ENGINES.items():
        modes = catalog.engines()[engine].modes
        assert {name: mode.steps for name, mode in modes.items()} == pka.OF[machine]


def test_modes_of_fast():
    """They are those of the engine with the other multiplier, but for their cycles."""
    modes, fast = (catalog.engines()[name].modes for name in ("pka", "pka_fast"))
    assert {name: msgspec.structs.replace(mode, steps=0) for name, mode in fast.items()} == {
        name: msgspec.structs.replace(mode, steps=0) for name, mode in modes.items()
    }


def test_numbers_of_fast():
    """Rows and programs have the numbers that cry_pka_jobs_pkg takes from those of compact."""
    compact, fast = (pka.image(width) for width in (WIDTH256, FAST256))
    assert fast.names == compact.names
    assert fast.results == compact.results


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
@pytest.mark.parametrize("machine", ["fast", "compact384", "compact576"])
def test_engine_of_others(machine):
    simulate(TOP, BENCH, 1, machine)


@pytest.mark.soak
def test_engine_long():
    simulate(TOP, BENCH, 20)
