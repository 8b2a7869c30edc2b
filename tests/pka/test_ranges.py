"""No program of the public-key engine loses a carry, whatever its inputs and random rows are."""

import random
from dataclasses import replace

import pytest
from support import pka
from support.pka_curve import each

from cryptile.pka.isa import FAST256, P256, WIDTH256, WIDTH512, Kind, Word
from cryptile.pka.machine import Machine
from cryptile.pka.programs import ecdh
from cryptile.pka.proof import programs
from cryptile.pka.proof.ranges import RangeError, Ranges

ROW = WIDTH256.most

N, P, P25519, M25519, L25519 = range(5)
"""Numbers of moduli."""


@pytest.mark.parametrize(
    ("engine", "entry"),
    [
        pytest.param(engine, entry, id=f"{engine}-{entry}")
        for engine, width in programs.ENGINES.items()
        for entry in pka.OF[width]
        if width != WIDTH512
    ],
)
def test_programs(engine, entry):
    width = programs.ENGINES[engine]
    image = pka.image(width)
    walked = programs.ranges(image, entry, width)
    assert walked.rows[image.names["result"]] <= programs.INPUTS[entry][1]


@pytest.mark.parametrize("engine", programs.ENGINES)
def test_all_are_shown(engine):
    """Each program of the engine is among what is shown, and holds."""
    found = {shown.name: shown for shown in programs.shown(engine)}
    assert set(pka.OF[programs.ENGINES[engine]]) <= set(found)
    assert all(shown.holds for shown in found.values())


@pytest.mark.parametrize(
    ("engine", "entry", "name", "row"),
    [("pka", "p256_sign", "add", "k"), ("pka_rsa", "times3", "addx", "Zero")],
)
def test_what_is_wrong_does_not_hold(engine, entry, name, row, monkeypatch):
    """A sum of rows that are not the ones."""
    image = pka.image(programs.ENGINES[engine])
    code = list(image.code)
    at = next(n for n in range(image.entries[entry], len(code)) if code[n].name == name)
    code[at] = replace(code[at], a=image.names[row], b=image.names[row])
    monkeypatch.setattr(programs, "image", lambda _: replace(image, code=tuple(code)))
    assert not all(shown.holds for shown in programs.shown(engine))


@each
def test_blinded_scalar(at):
    """The sum fits two rows, and its highest window is positive."""
    most = at.n - 1 + (2**at.curve.blind - 1) * at.n
    assert most << ecdh.align(at.curve) < 1 << 2 * at.bits - 1


@pytest.mark.parametrize(
    "words",
    [
        [Word("add", 4, 1, 2)],
        [Word("sub", 4, 2, 1)],
        [Word("mul", 4, 1, 1, Kind.MONT)],
        [Word("mul", 4, 2, 2, Kind.FOLD)],
        [Word("mod", imm=M25519), Word("mul", 4, 2, 2, Kind.MONT)],
        [Word("mod", imm=M25519), Word("mul1", 4, 1, 2, Kind.FOLD)],
        [Word("xor", 4, 2, 3)],
        [Word("cofr", 4, 1, 2, P)],
        [Word("cofr", 4, 2, 1, P)],
        [Word("cofr", 4, 2, 2, P25519)],
        [Word("cofr", 4, 2, 2, M25519)],
        # Nothing says here that the difference is not negative.
        [Word("mod", imm=P25519), Word("gcdr", 4, 2, 2), Word("add", 5, 4, 4)],
    ],
    ids=str,
)
def test_finds(words):
    """Row 1 is anything, row 2 below p, row 3 not written."""
    with pytest.raises(RangeError):
        Ranges([Word("mod", imm=P), *words, Word("halt")], dict(MOST)).run()


@pytest.mark.parametrize(
    "words",
    [
        [Word("cof", 4, 1, imm=P)],
        [Word("cof", 4, 2, imm=N)],
        [Word("cof", 4, 2, imm=M25519)],
        [Word("get", 4, 2)],
        [Word("hold", a=1), Word("put", 4), Word("add", 5, 4, 2)],
        [Word("pick", 0, 2, 1), Word("put", 4), Word("add", 5, 4, 2)],
        # The smaller one may be kept, but need not: what is held is anything still.
        [Word("hold", a=1), Word("gcd", 4, 2), Word("put", 5), Word("add", 5, 5, 2)],
        # Half a row is below p, but not below a modulus of less than half a row.
        [Word("mod", imm=L25519), Word("hold", a=1), Word("gcd", 4, 2), Word("add", 5, 4, 4)],
        [Word("hold", a=1), Word("gcd", 4, 2), Word("cof", 5, 4, imm=L25519)],
        [Word("push", 4, 2), Word("add", 5, 4, 2)],
    ],
    ids=str,
)
def test_finds_with_held_numbers(words):
    """Likewise, of the instructions that `fast` alone has."""
    with pytest.raises(RangeError):
        walked(words)


def walked(words: list[Word]) -> Ranges:
    """Walk such instructions of `fast`."""
    machine = Ranges([Word("mod", imm=P), *words, Word("halt")], dict(MOST), width=FAST256)
    machine.run()
    return machine


MOST = {1: ROW, 2: P256 - 1}
"""The most that rows of these tests can be."""


def test_bounds_of_held_numbers():
    """What such instructions make of rows, whatever these are, is no more than the walk says."""
    words = [
        *(Word("hold", a=1), Word("gcd", 4, 2), Word("cof", 5, 2, imm=P)),
        *(Word("gcd", 4, 4), Word("cof", 5, 5, imm=P), Word("put", 6)),
        *(Word("push", 7, 2), Word("pick", 0, 2, 5, 0), Word("put", 8)),
        # Sums with what a step gives: half of anything is below p.
        *(Word("hold", a=1), Word("gcd", 9, 2), Word("add", 10, 9, 2), Word("add", 11, 10, 9)),
    ]
    bounds, rng = walked(words), random.Random(1)
    code = [Word("mod", imm=P), *words, Word("halt")]
    for _ in range(500):
        ends = (0, 1, 2, 3)
        rows = {
            n: rng.choice((rng.randint(0, MOST[n]), rng.choice(ends), MOST[n] - rng.choice(ends)))
            for n in (1, 2)
        }
        machine = Machine(code, MOST | rows, width=FAST256)
        machine.run()
        assert all(value <= bounds.rows[n] for n, value in machine.rows.items())
        assert machine.held <= bounds.held
        assert machine.held_cofactor <= bounds.held_cofactor
        assert max(machine.rows[10], machine.rows[11]) < P256
