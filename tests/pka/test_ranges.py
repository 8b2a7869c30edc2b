"""No program of the public-key engine loses a carry, whatever its inputs and random rows are."""

import itertools
import random

import pytest
from support import pka
from support.pka_curve import each
from support.pka_ranges import RangeError, Ranges

from cryptile.pka.isa import FAST256, P256, WIDTH256, Kind, Word
from cryptile.pka.machine import Machine
from cryptile.pka.programs import CURVES, ecdh

ROW = WIDTH256.most

ROW_OF_P, ROW_OF_FOLD, ROW_OF_HALF = 200, 201, 202


PROGRAMS = [
    ("x25519", ["k", "u"], 2**255 - 20),
    *(
        (f"{curve.name}_{name}", inputs, most)
        for curve in dict.fromkeys(CURVES.values())
        for name, inputs, most in (
            ("ecdh", ["k", "x", "y"], curve.p - 1),
            ("sign", ["k", "e"], curve.n - 1),
            ("keygen", [], curve.width.most),
            ("public", ["k"], curve.width.most),
            ("verify", ["x", "y", "e", "sig_r", "sig_s"], curve.width.most),
        )
    ),
    ("ed25519_public", ["k"], ROW),
    ("ed25519_commit", ["nonce0", "nonce1"], ROW),
    ("ed25519_sign", ["k", "nonce0", "nonce1", "hash0", "hash1", "sig_r"], ROW),
    ("ed25519_keygen", [], ROW),
    ("ed25519_nonce", ["k"], ROW),
    ("ed25519_sign_once", ["k", "nonce0", "hash0", "hash1", "sig_r"], ROW),
    ("x25519_keygen", [], ROW),
    ("ed25519_verify", ["u", "hash0", "hash1", "sig_r", "sig_s"], ROW),
]


@pytest.mark.parametrize(
    ("width", "entry", "inputs", "most"),
    [
        pytest.param(width, entry, inputs, most, id=f"{name}-{entry}")
        for name, width in pka.MACHINES.items()
        for entry, inputs, most in PROGRAMS
        if entry in pka.OF[width]
    ],
)
def test_programs(width, entry, inputs, most):
    program = pka.image(width)
    rows = program.constants | {program.names[name]: width.most for name in inputs}
    draws = itertools.repeat(width.most)
    machine = Ranges(program.code, rows, draws, program.extras, width=width)
    machine.run(program.entries[entry])
    assert machine.rows[program.names["result"]] <= most


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
        [Word("mod", a=ROW_OF_FOLD), Word("mul", 4, 2, 2, Kind.MONT)],
        [Word("mod", a=ROW_OF_FOLD), Word("mul1", 4, 1, 2, Kind.FOLD)],
        [Word("mod", a=2)],
        [Word("xor", 4, 2, 3)],
    ],
    ids=str,
)
def test_finds(words):
    """Row 1 is anything, row 2 below p, row 3 not written."""
    rows = {1: ROW, 2: P256 - 1, ROW_OF_P: P256, ROW_OF_FOLD: 2**256 - 38}
    with pytest.raises(RangeError):
        Ranges([Word("mod", a=ROW_OF_P), *words, Word("halt")], rows).run()


@pytest.mark.parametrize(
    "words",
    [
        [Word("cof", 4, 1, ROW_OF_P)],
        [Word("cof", 4, 2, 2)],
        [Word("cof", 4, 2, ROW_OF_FOLD)],
        [Word("get", 4, 2)],
        [Word("hold", a=1), Word("put", 4), Word("add", 5, 4, 2)],
        [Word("pick", 0, 2, 1), Word("put", 4), Word("add", 5, 4, 2)],
        # The smaller one may be kept, but need not: what is held is anything still.
        [Word("hold", a=1), Word("gcd", 4, 2), Word("put", 5), Word("add", 5, 5, 2)],
        # Half a row is below p, but not below a modulus of half p.
        [Word("mod", a=ROW_OF_HALF), Word("hold", a=1), Word("gcd", 4, 2), Word("add", 5, 4, 4)],
        [Word("hold", a=1), Word("gcd", 4, 2), Word("cof", 5, 4, ROW_OF_HALF)],
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
    machine = Ranges([Word("mod", a=ROW_OF_P), *words, Word("halt")], dict(MOST), width=FAST256)
    machine.run()
    return machine


MOST = {1: ROW, 2: P256 - 1, ROW_OF_P: P256, ROW_OF_FOLD: 2**256 - 38, ROW_OF_HALF: P256 // 2}
"""The most that rows of these tests can be."""


def test_bounds_of_held_numbers():
    """What such instructions make of rows, whatever these are, is no more than the walk says."""
    words = [
        *(Word("hold", a=1), Word("gcd", 4, 2), Word("cof", 5, 2, ROW_OF_P)),
        *(Word("gcd", 4, 4), Word("cof", 5, 5, ROW_OF_P), Word("put", 6)),
        *(Word("push", 7, 2), Word("pick", 0, 2, 5, 0), Word("put", 8)),
        # Sums with what a step gives: half of anything is below p.
        *(Word("hold", a=1), Word("gcd", 9, 2), Word("add", 10, 9, 2), Word("add", 11, 10, 9)),
    ]
    bounds, rng = walked(words), random.Random(1)
    code = [Word("mod", a=ROW_OF_P), *words, Word("halt")]
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
