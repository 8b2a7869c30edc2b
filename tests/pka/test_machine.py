"""Instructions of the public-key engine's simulator against big integers."""

import itertools
import random

import pytest

from cryptile.errors import CryptileError
from cryptile.pka.builder import Builder
from cryptile.pka.isa import EXTRAS, P256, Kind, Word, isa
from cryptile.pka.machine import Machine, ProgramError

R = 2**256
FOLD = R - 38
EDGES = (0, 1, 2, 2**64 - 1, 2**64, 2**128 - 1, 2**192, 2**255 - 19, P256 - 1)
WIDE = (P256, FOLD - 1, FOLD, R - 1)


def pairs(edges: tuple[int, ...], end: int) -> list[tuple[int, int]]:
    rng = random.Random(16)
    some = [(rng.randrange(end), rng.randrange(end)) for _ in range(500)]
    return [*itertools.product(edges, repeat=2), *some]


def results(words: list[Word], a: int, b: int, modulus: int = 0) -> Machine:
    """Run instructions with a and b in rows 1 and 2, and the modulus in row 3."""
    machine = Machine([Word("mod", a=3), *words, Word("halt")], {1: a, 2: b, 3: modulus})
    machine.run()
    return machine


def test_mont():
    words = [Word("mul", 4, 1, 2, Kind.MONT), Word("sqr", 5, 1, 0, Kind.MONT)]
    inverse = pow(R, -1, P256)
    for a, b in pairs(EDGES, P256):
        machine = results(words, a, b, P256)
        assert machine.rows[4] == a * b * inverse % P256
        assert machine.rows[5] == a * a * inverse % P256


def test_mont_reduces_what_is_not_reduced():
    """One factor may be any row if the other one is below p, as programs' inputs are."""
    inverse = pow(R, -1, P256)
    for wide, b in itertools.product(WIDE, EDGES):
        machine = results([Word("mul", 4, 1, 2, Kind.MONT)], wide, b, P256)
        assert machine.rows[4] == wide * b * inverse % P256


def test_raw():
    words = [Word("mul", 5, 1, 2, Kind.RAW), Word("sqr", 6, 1, 0, Kind.RAW)]
    for a, b in pairs(EDGES + WIDE, R):
        rows = results(words, a, b).rows
        assert rows[4] | rows[5] << 256 == a * b
        assert rows[6] | rows[7] << 256 == a * a


def test_fold():
    words = [Word("mul", 4, 1, 2, Kind.FOLD), Word("mul1", 5, 1, 2, Kind.FOLD)]
    for a, b in pairs((*EDGES, FOLD - 1), FOLD):
        rows = results(words, a, b, FOLD).rows
        assert rows[4] == a * b % FOLD
        assert rows[5] == a * (b % 2**64) % FOLD


@pytest.mark.parametrize("modulus", [P256, FOLD])
def test_sums(modulus):
    for a, b in pairs(EDGES, modulus):
        rows = results([Word("add", 4, 1, 2), Word("sub", 5, 1, 2)], a, b, modulus).rows
        assert rows[4] == (a + b) % modulus
        assert rows[5] == (a - b) % modulus


@pytest.mark.parametrize(("name", "sign"), [("addx", 1), ("subx", -1)])
def test_carries(name, sign):
    """Numbers of two rows: (a, b) and (b, a)."""
    words = [Word(name, 4, 1, 2), Word(name, 5, 2, 1, 1)]
    for a, b in pairs(EDGES + WIDE, R):
        machine = results(words, a, b)
        total = (a | b << 256) + sign * (b | a << 256)
        assert machine.rows[4] | machine.rows[5] << 256 == total % R**2
        assert machine.carry == (not 0 <= total < R**2)


def test_logic():
    for a, b in pairs(EDGES + WIDE, R):
        rows = results([Word("xor", 4, 1, 2), Word("and", 5, 1, 2)], a, b).rows
        assert rows[4] == a ^ b
        assert rows[5] == a & b


def test_constants():
    """Those that no row has, by number; one that is loaded again is the same."""
    b = Builder()
    b.row("x", "y")
    b.share(z="y")
    b.entry("begin")
    with b.piece():
        for name, value in (("x", 77), ("z", 88), ("x", 77)):
            b.load(value, name)
    b.halt()
    image = b.image()
    assert image.extras == (77, 88)
    machine = Machine(image.code, extras=image.extras)
    machine.run()
    assert [machine.rows[image.names[name]] for name in "xy"] == [77, 88]
    machine = Machine([Word("con", 1, imm=1), Word("halt")], extras=[5])
    machine.run()
    assert machine.rows[1] == 0


def test_too_many_constants():
    b = Builder()
    b.row("x")
    with b.piece():
        for value in range(EXTRAS + 1):
            b.load(value, "x")
    with pytest.raises(CryptileError, match="257 constants"):
        b.image()


@pytest.mark.parametrize("bits", range(64))
def test_digits(bits):
    """Booth: the lowest bit counts as the one below the window, the highest one as -16."""
    choices = isa().choices
    words = [
        Word("dig", a=1),
        Word("sel", 4, 1, 2, choices["negative"]),
        *(Word("sel", 10 + n, 1, 2, choices["digit"] + n) for n in range(17)),
    ]
    a, b = bits << 250 | 2**250 - 1, 1
    rows = results(words, a, b).rows
    weights = (1, 1, 2, 4, 8, -16)
    digit = sum(weight for n, weight in enumerate(weights) if bits >> n & 1)
    assert [n for n in range(17) if rows[10 + n] == a] == [abs(digit)]
    if digit:
        assert (rows[4] == a) == (digit < 0)


def test_sel_by_carry():
    """A borrow, and none: the lower of two numbers."""
    words = [Word("subx", 4, 1, 2), Word("sel", 5, 1, 2, isa().choices["carry"])]
    assert results(words, 3, 9).rows[5] == 3
    assert results(words, 9, 3).rows[5] == 3


@pytest.mark.parametrize(
    "code",
    [
        [Word("next")],
        [Word("ret")],
        [Word("loop", b=2)] * 3,
        [Word("call", b=0)],
        [Word("mul1", 4, 1, 2, Kind.MONT)],
        [Word("add")],
    ],
)
def test_bad_programs(code):
    with pytest.raises(ProgramError):
        Machine(code).run(limit=1000)
