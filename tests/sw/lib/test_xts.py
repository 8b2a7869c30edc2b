"""XTS-AES: NIST's CAVP vectors, Wycheproof, every length with ciphertext stealing, errors."""

import random

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from support import nist_modes, wycheproof

from cryptile import library

PARTS = ("aes", "xts")
OK, PARAM, STATE, LENGTH, KEY = 0, -1, -2, -3, -11
ENCRYPT, DECRYPT = 0, 1
CONTEXT = {32: 1000, 64: 1968}
MOST = 16 << 20


def reference(direction, key, tweak, data):
    cipher = Cipher(algorithms.AES(key), modes.XTS(tweak))
    return (cipher.decryptor() if direction else cipher.encryptor()).update(data)


class Xts:
    """The interface, with every buffer just as large as it must be; keys and data are secret."""

    def __init__(self, machine):
        self.m = machine
        self.context = 0

    def call(self, name, *arguments):
        result = self.m.call(f"cryptile_xts{name}", *arguments)
        assert result.violations == []
        value = result.value & 0xFFFFFFFF
        return value - (value >> 31 << 32)

    def secret(self, data, offset=0):
        return self.m.alloc(data, offset=offset, secret=True)

    def unit(self, direction, key, tweak, data, offsets=(0, 0), in_place=False):
        """One call; return the status and the output."""
        a, b = offsets
        source = self.secret(data, a)
        target = source if in_place else self.m.alloc(b"\xa5" * len(data), offset=b)
        status = self.call(
            "",
            direction,
            self.secret(key, b),
            len(key),
            self.m.alloc(tweak, offset=a),
            source,
            target,
            len(data),
        )
        return status, self.m.read(target, len(data))

    def start(self, direction, key):
        self.context = self.m.alloc(b"\xa5" * CONTEXT[self.m.xlen], align=8)
        return self.call("_init", self.context, direction, self.secret(key), len(key))

    def crypt(self, tweak, data):
        source = self.secret(data)
        status = self.call("_crypt", self.context, self.m.alloc(tweak), source, source, len(data))
        return status, self.m.read(source, len(data))


@pytest.fixture
def xts(machine):
    return lambda isa: Xts(machine(isa, PARTS))


@pytest.mark.parametrize("isa", library.ISAS)
def test_cavp(xts, isa):
    x, count = xts(isa), 0
    for v in nist_modes.xts(7 if isa in ("rv32im", "rv64im_zkn") else 70):
        before, after = (v.cipher, v.plain) if v.decrypt else (v.plain, v.cipher)
        assert x.unit(int(v.decrypt), v.key, v.iv, before) == (OK, after)
        x.m.free_all()
        count += 1
    assert count >= 10


@pytest.mark.parametrize("isa", ["rv32im", "rv32im_zkn", "rv64im", "rv64im_zkn"])
def test_wycheproof(xts, isa):
    """Those with AES-192, which XTS does not have, are refused."""
    x, seen = xts(isa), set()
    for group in wycheproof.load("aes_xts_test.json")["testGroups"]:
        for test in group["tests"]:
            key, iv, text, ct = (bytes.fromhex(test[n]) for n in ("key", "iv", "msg", "ct"))
            tweak, known = iv.ljust(16, b"\0"), len(key) != 48
            wanted = (OK, ct) if known else (PARAM, b"\xa5" * len(text))
            assert x.unit(ENCRYPT, key, tweak, text) == wanted
            wanted = (OK, text) if known else (PARAM, b"\xa5" * len(text))
            assert x.unit(DECRYPT, key, tweak, ct) == wanted
            seen.add(wanted[0])
            x.m.free_all()
    assert seen == {OK, PARAM}


@pytest.mark.parametrize("isa", library.ISAS)
def test_lengths(xts, isa):
    x, rng = xts(isa), random.Random(isa)
    for length in (*range(16, 150, 1 if isa == "rv32im" else 9), 160, 255, 256, 257, 512, 520):
        key, tweak, data = (
            rng.randbytes(rng.choice((32, 64))),
            rng.randbytes(16),
            rng.randbytes(length),
        )
        for direction in (ENCRYPT, DECRYPT):
            offsets, in_place = (rng.randrange(8), rng.randrange(8)), rng.random() < 0.5
            wanted = reference(direction, key, tweak, data)
            assert x.unit(direction, key, tweak, data, offsets, in_place) == (OK, wanted), length
        x.m.free_all()


@pytest.mark.parametrize("isa", ["rv32im", "rv32im_zkn", "rv64im"])
def test_a_context_serves_many_units(xts, isa):
    x, rng = xts(isa), random.Random(isa)
    for direction in (ENCRYPT, DECRYPT):
        key = rng.randbytes(64)
        assert x.start(direction, key) == OK
        for number in (0, 1, 255, 2**64):
            tweak, data = number.to_bytes(16, "little"), rng.randbytes(rng.randrange(16, 100))
            assert x.crypt(tweak, data) == (OK, reference(direction, key, tweak, data))
    x.m.free_all()


def test_equal_halves_are_refused(xts):
    x, rng = xts("rv32im"), random.Random(5)
    for size in (16, 32):
        half = rng.randbytes(size)
        assert x.start(ENCRYPT, half + half) == KEY
        assert x.crypt(bytes(16), bytes(16)) == (STATE, bytes(16))
        assert x.unit(DECRYPT, half + half, bytes(16), bytes(16)) == (KEY, b"\xa5" * 16)
        for bit in (0, 8 * size - 1, rng.randrange(8 * size)):
            other = (int.from_bytes(half, "little") ^ 1 << bit).to_bytes(size, "little")
            assert x.start(ENCRYPT, half + other) == OK
        x.m.free_all()


def test_errors(xts):
    x, key = xts("rv32im"), bytes(range(64))
    for key_len in (0, 16, 31, 33, 48, 63):
        assert x.start(ENCRYPT, key[:key_len]) == PARAM
        assert x.crypt(bytes(16), bytes(16)) == (STATE, bytes(16))
    assert x.start(2, key) == PARAM
    assert x.start(ENCRYPT, key) == OK
    data, tweak, given = x.m.alloc(16), x.m.alloc(16), x.m.alloc(key)
    for length in (0, 1, 15, MOST + 1, 2**32 - 1):
        assert x.call("_crypt", x.context, tweak, data, data, length) == LENGTH
        assert x.call("", ENCRYPT, given, 64, tweak, data, data, length) == LENGTH
    for hole in range(4):
        arguments = [x.context, tweak, data, data]
        arguments[hole] = 0
        assert x.call("_crypt", *arguments, 16) == PARAM
    assert x.call("_init", 0, ENCRYPT, given, 64) == PARAM
    assert x.call("", ENCRYPT, 0, 64, tweak, data, data, 16) == PARAM
    assert x.call("_init", x.context, ENCRYPT, 0, 64) == PARAM
    assert x.crypt(bytes(16), bytes(16))[0] == STATE
    assert x.start(ENCRYPT, key) == OK
    x.m.call("cryptile_xts_wipe", x.context)
    assert not any(x.m.read(x.context, CONTEXT[32]))
    x.m.call("cryptile_xts_wipe", 0)
