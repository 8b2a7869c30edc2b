"""No program of the public-key engine loses a carry, whatever its inputs and random rows are."""

import itertools

import pytest
from support import pka
from support.pka_ranges import RangeError, Ranges

from cryptile.pka.isa import P256, Kind, Word
from cryptile.pka.machine import ROW
from cryptile.pka.programs import p256

ROW_OF_P, ROW_OF_FOLD = 200, 201


@pytest.mark.parametrize(
    ("entry", "inputs", "most"),
    [
        ("x25519", ["k", "u"], 2**255 - 20),
        ("p256_ecdh", ["k", "x", "y"], P256 - 1),
        ("p256_sign", ["k", "e"], p256.N - 1),
        ("p256_keygen", [], ROW),
        ("p256_public", ["k"], ROW),
        ("p256_verify", ["x", "y", "e", "sig_r", "sig_s"], ROW),
        ("ed25519_public", ["k"], ROW),
        ("ed25519_commit", ["nonce0", "nonce1"], ROW),
        ("ed25519_sign", ["k", "nonce0", "nonce1", "hash0", "hash1", "sig_r"], ROW),
        ("ed25519_verify", ["u", "hash0", "hash1", "sig_r", "sig_s"], ROW),
    ],
)
def test_programs(entry, inputs, most):
    program = pka.image()
    rows = program.constants | {program.names[name]: ROW for name in inputs}
    machine = Ranges(program.code, rows, itertools.repeat(ROW), program.extras)
    machine.run(program.entries[entry])
    assert machine.rows[program.names["result"]] <= most


def test_blinded_scalar():
    """The sum fits two rows, and its highest window is positive."""
    most = p256.N - 1 + (2**p256.BLIND_BITS - 1) * p256.N
    assert most << p256.ALIGN < 2**511


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
