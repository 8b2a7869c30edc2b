"""The public-key engine on the engine port."""

import msgspec
import pytest
from pka_runs import simulate, simulate_rsa
from support import pka, pka_rsa

from cryptile import catalog
from cryptile.pka import rtl
from cryptile.pka.isa import FAST256, WIDTH256, WIDTH384, WIDTH512, WIDTH576, Width
from cryptile.pka.programs import rsa

TOP, BENCH = "cry_pka_engine", "tb_pka_engine"

SEALING = {"rsa2048_seal": 494, "rsa3072_seal": 718, "rsa4096_seal": 942, "sealing_key": 3}
"""Cycles of what has no program, from the job to the last beat of its result."""


def test_steps():
    """The catalogue has the cycles of the programs."""
    for machine, engine in pka.ENGINES.items():
        said = {name: mode.steps for name, mode in catalog.engines()[engine].modes.items()}
        if machine == WIDTH512:
            own = SEALING.keys() | {f"rsa{bits}_sealed" for bits in pka_rsa.LENGTHS}
            for name in own:
                program = name.replace("sealed", "private")
                assert said.pop(name) == SEALING.get(name, pka.OF[machine].get(program))
        assert said == pka.OF[machine]


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
    for number, (name, count) in enumerate(image.results.items()):
        assert (modes[name].number, modes[name].tag) == (number, WIDTH512.bits // 8 * count)
    for name, count in rsa.NUMBERS.items():
        rows, first = [image.names[row] for row in rsa.names(name, count)], image.names[name]
        assert rows == [*range(first, first + count)]


def test_engine():
    simulate(TOP, BENCH, 1)


@pytest.mark.soak
@pytest.mark.parametrize("machine", ["fast", "compact384", "compact576"])
def test_engine_of_others(machine):
    simulate(TOP, BENCH, 1, machine)


def test_engine_of_rsa():
    """Public operations of 2,048 bits, and private ones that do not come to their end."""
    simulate_rsa("tb_pka_rsa_engine", 0)


def test_engine_of_rsa_sealed():
    """Private keys of 2,048 bits that are sealed and opened, a result, and what is wrong."""
    simulate_rsa("tb_pka_rsa_sealed", 0)


@pytest.mark.soak
@pytest.mark.parametrize("cases", [1, 2])
@pytest.mark.parametrize("bench", ["tb_pka_rsa_engine", "tb_pka_rsa_sealed"])
def test_engine_of_rsa_long(bench, cases):
    simulate_rsa(bench, cases)


@pytest.mark.soak
def test_engine_long():
    simulate(TOP, BENCH, 20)
