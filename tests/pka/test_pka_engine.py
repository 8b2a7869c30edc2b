"""The public-key engine on the engine port."""

import msgspec
import pytest
from pka_runs import simulate
from support import pka

from cryptile import catalog
from cryptile.pka import rtl
from cryptile.pka.isa import FAST256, WIDTH256, WIDTH384, WIDTH512, WIDTH576, Width
from cryptile.pka.programs import rsa

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


def numbers(width: Width) -> tuple[dict[str, int], list[tuple[str, int]]]:
    """Return the rows that programs have from outside and give, and rows of results, in order."""
    image = pka.image(width)
    rows = {name: image.names[name] for name in rtl.SHARED if name in image.names}
    return rows, [(name.split("_", 1)[-1], count) for name, count in image.results.items()]


def test_numbers_of_fast():
    """Rows and programs have the numbers that cry_pka_jobs_pkg takes from those of compact."""
    assert numbers(FAST256) == numbers(WIDTH256)


def test_numbers_of_wide_rows():
    """The rows and programs that cry_pka_jobs_pkg takes from P-384 are those of P-521, too."""
    assert numbers(WIDTH576) == numbers(WIDTH384)


def test_numbers_of_rsa():
    """A mode is the program of its number; what has several rows has them one behind the other."""
    image, modes = pka.image(WIDTH512), catalog.engines()["pka_rsa"].modes
    assert [modes[name].number for name in image.results] == [*range(len(modes))]
    for name, mode in modes.items():
        assert mode.tag == WIDTH512.bits // 8 * image.results[name]
    for name, count in rsa.NUMBERS.items():
        rows, first = [image.names[row] for row in rsa.names(name, count)], image.names[name]
        assert rows == [*range(first, first + count)]


def test_engine():
    simulate(TOP, BENCH, 1)


@pytest.mark.soak
@pytest.mark.parametrize("machine", ["fast", "compact384", "compact576"])
def test_engine_of_others(machine):
    simulate(TOP, BENCH, 1, machine)


def simulate_rsa(cases: int) -> None:
    """Run the bench of rows of 512 bits; see ``simulate_rsa`` of ``test_pka_rtl``."""
    simulate(TOP, "tb_pka_rsa_engine", cases, "compact512", light=True, upset=True)


def test_engine_of_rsa():
    """Public operations of 2,048 bits, and private ones that do not come to their end."""
    simulate_rsa(0)


@pytest.mark.soak
@pytest.mark.parametrize("cases", [1, 2])
def test_engine_of_rsa_long(cases):
    simulate_rsa(cases)


@pytest.mark.soak
def test_engine_long():
    simulate(TOP, BENCH, 20)
