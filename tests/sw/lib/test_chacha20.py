"""ChaCha20: every variant against RFC 8439 and against another implementation."""

import random

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

from cryptile import library
from cryptile.asm.isa import Isa

PARTS = ("chacha20",)
VARIANTS = ["c", "looped", "unrolled"]
# RFC 8439, section 2.4.2.
KEY = bytes(range(32))
NONCE = bytes.fromhex("000000000000004a00000000")
TEXT = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    b"sunscreen would be it."
)
CIPHERTEXT = bytes.fromhex(
    "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b3"
    "571639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab779"
    "37365af90bbf74a35be6b40b8eedf2785e42874d"
)


def stream(key, nonce, counter, data):
    cipher = Cipher(algorithms.ChaCha20(key, counter.to_bytes(4, "little") + nonce), mode=None)
    return cipher.encryptor().update(data)


def state(key, nonce, counter):
    return b"expand 32-byte k" + key + counter.to_bytes(4, "little") + nonce


def start(m, key, nonce, counter):
    context = m.alloc(256)
    m.call("cry_chacha20_init", context, m.alloc(key), m.alloc(nonce), counter)
    return context


@pytest.mark.parametrize("isa", library.ISAS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_blocks(machine, isa, variant):
    m, rng = machine(isa, PARTS), random.Random(f"{isa} {variant}")
    word = Isa.parse(isa).word
    shifts = [(a, b) for a in range(word) for b in range(word)]
    for blocks, (a, b) in [(n, s) for n in range(4) for s in rng.sample(shifts, 3)] + [(1, (0, 0))]:
        key, nonce, counter = rng.randbytes(32), rng.randbytes(12), rng.randrange(1 << 31)
        data = rng.randbytes(64 * blocks)
        block = m.alloc(state(key, nonce, counter), secret=True)
        source = m.alloc(data, offset=a, secret=True, writable=False)
        target = m.alloc(len(data), offset=b)
        result = m.call_abi(f"cry_chacha20_blocks_{variant}", block, source, target, blocks)
        assert result.violations == []
        assert m.read(target, len(data)) == stream(key, nonce, counter, data)
        assert m.read(block, 64) == state(key, nonce, counter + blocks)
        m.free_all()


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_blocks_in_place_and_counter_wraps(machine, isa, variant):
    m = machine(isa, PARTS)
    for offset in range(Isa.parse(isa).word):
        block = m.alloc(state(KEY, NONCE, 0xFFFFFFFF))
        data = m.alloc(TEXT[:64] * 2, offset=offset)
        m.call(f"cry_chacha20_blocks_{variant}", block, data, data, 2)
        expected = stream(KEY, NONCE, 0xFFFFFFFF, TEXT[:64]) + stream(KEY, NONCE, 0, TEXT[:64])
        assert m.read(data, 128) == expected
        assert m.read(block, 64) == state(KEY, NONCE, 1)


@pytest.mark.parametrize("isa", library.ISAS)
def test_rfc_8439(machine, isa):
    m = machine(isa, PARTS)
    target = m.alloc(len(TEXT))
    m.call("cry_chacha20_xor", start(m, KEY, NONCE, 1), m.alloc(TEXT), target, len(TEXT))
    assert m.read(target, len(TEXT)) == CIPHERTEXT


def check_length(m, rng, length, a, b):
    key, nonce, data = rng.randbytes(32), rng.randbytes(12), rng.randbytes(length)
    context = start(m, key, nonce, 7)
    source, target = m.alloc(data, offset=a), m.alloc(length, offset=b)
    assert m.call("cry_chacha20_xor", context, source, target, length).value == 1
    expected = stream(key, nonce, 7, data)
    assert m.read(target, length) == expected
    context = start(m, key, nonce, 7)
    m.call("cry_chacha20_xor", context, source, source, length)
    assert m.read(source, length) == expected
    m.free_all()


def test_every_length_and_alignment(machine):
    m, rng = machine("rv32im", PARTS), random.Random(1)
    for length in range(258):
        for a in range(4):
            for b in range(4):
                check_length(m, rng, length, a, b)


@pytest.mark.parametrize("isa", [isa for isa in library.ISAS if isa != "rv32im"])
def test_lengths_and_alignments(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    word = Isa.parse(isa).word
    for _ in range(60):
        check_length(m, rng, rng.randrange(258), rng.randrange(word), rng.randrange(word))


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_chunks(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for _ in range(10):
        key, nonce, data = rng.randbytes(32), rng.randbytes(12), rng.randbytes(rng.randrange(600))
        context, buffer = start(m, key, nonce, 0), m.alloc(data)
        at = 0
        while at < len(data):
            step = min(rng.choice([0, 1, 63, 64, 65, rng.randrange(200)]), len(data) - at)
            m.call("cry_chacha20_xor", context, buffer + at, buffer + at, step)
            at += step
        assert m.read(buffer, len(data)) == stream(key, nonce, 0, data)


def test_counter_may_not_wrap(machine):
    m = machine("rv32im", PARTS)
    context, buffer = start(m, KEY, NONCE, 0xFFFFFFFF), m.alloc(65)
    assert m.call("cry_chacha20_xor", context, buffer, buffer, 65).value == 0
    assert m.read(buffer, 65) == bytes(65)
    assert m.call("cry_chacha20_xor", context, buffer, buffer, 64).value == 1
    assert m.read(buffer, 64) == stream(KEY, NONCE, 0xFFFFFFFF, bytes(64))
    assert m.call("cry_chacha20_xor", context, buffer, buffer, 1).value == 0
    assert m.call("cry_chacha20_xor", context, 0, 0, 0).value == 1
