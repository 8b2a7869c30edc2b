"""CTR_DRBG: NIST's vectors, every length, reseeding, errors, what is left."""

import random
import sys
from pathlib import Path

import pytest
from support import nist_drbg

from cryptile import library

sys.path.append(str(Path(__file__).parents[2] / "engine/drbg"))
import drbg_oracle

PARTS = ("aes", "drbg")
OK, PARAM, STATE, LENGTH = 0, -1, -2, -3
CONTEXT, REQUESTS = 56, 48
"""Bytes of a context, and where in it the requests are counted."""
MOST = ("rv32im", "rv64im_zkn")
"""Instruction sets on which more is tried: without and with instructions for AES."""


class Drbg:
    """The interface, with every buffer just as large as it must be; inputs are secret."""

    def __init__(self, machine):
        self.m = machine
        self.ctx = machine.alloc(b"\xa5" * CONTEXT, align=8)

    def call(self, name, *arguments):
        result = self.m.call(f"cryptile_drbg_{name}", *arguments)
        assert result.violations == []
        value = result.value & 0xFFFFFFFF
        return value - (value >> 31 << 32)

    def bytes(self, data, offset=0):
        if not data:
            return 0, 0
        return self.m.alloc(data, offset=offset, secret=True, writable=False), len(data)

    def init(self, entropy, personal=b"", offset=0):
        return self.call("init", self.ctx, *self.bytes(entropy, offset), *self.bytes(personal))

    def reseed(self, entropy, additional=b"", offset=0):
        return self.call("reseed", self.ctx, *self.bytes(entropy, offset), *self.bytes(additional))

    def generate(self, size, additional=b"", offset=0):
        out = self.m.alloc(b"\xa5" * size, offset=offset) if size else 0
        status = self.call("generate", self.ctx, out, size, *self.bytes(additional, offset))
        return status, self.m.read(out, size) if size else b""

    def state(self):
        return self.m.read(self.ctx, CONTEXT)


@pytest.fixture
def drbg(machine):
    return lambda isa: Drbg(machine(isa, PARTS))


@pytest.mark.parametrize("isa", library.ISAS)
@pytest.mark.parametrize("name", nist_drbg.FILES)
def test_cavp(drbg, isa, name):
    """Those with derivation function: a third of them, and fewer where AES is the same C."""
    vectors = [vector for vector in nist_drbg.vectors(name) if vector.df]
    assert len(vectors) == 240
    for vector in vectors[:: 3 if isa in MOST else 24]:
        d = drbg(isa)
        assert d.init(vector.entropy, vector.personalization) == OK
        if vector.reseed:
            assert d.reseed(*vector.reseed) == OK
        for number, additional in enumerate(vector.additional):
            if vector.predicted:
                assert d.reseed(vector.predicted[number], additional) == OK
                additional = b""
            made = d.generate(len(vector.returned), additional)
        assert made == (OK, vector.returned)
        d.m.free_all()


@pytest.mark.parametrize("isa", library.ISAS)
def test_lengths(drbg, isa):
    """Of outputs and inputs, with any alignment; the counter carries through all bytes."""
    d, rng = drbg(isa), random.Random(isa)
    entropy = rng.randbytes(48)
    assert d.init(entropy) == OK
    wanted = drbg_oracle.Drbg(True, entropy)
    lengths = (*range(0, 36, 1 if isa in MOST else 5), 47, 48, 49, 255, 256, 257, 1000)
    for length in lengths:
        additional, offset = rng.randbytes(rng.choice((0, length % 40, 71))), rng.randrange(8)
        assert d.generate(length, additional, offset) == (OK, wanted.generate(length, additional))
        if length % 7 == 0:
            entropy = rng.randbytes(32 + length % 20)
            assert d.reseed(entropy, additional, offset) == OK
            wanted.reseed(entropy, additional)
    for low in (b"\xff" * 16, b"\x00" + b"\xff" * 15, b"\xff" * 15 + b"\xfd"):
        wanted.v = low
        d.m.write(d.ctx + 32, low)
        assert d.generate(70) == (OK, wanted.generate(70))


def test_longest_request(drbg):
    d = drbg("rv64im_zkn")
    assert d.init(bytes(48)) == OK
    assert d.generate(65536) == (OK, drbg_oracle.Drbg(True, bytes(48)).generate(65536))


def test_without_a_seed(drbg):
    """A context that is zero, wiped, or has given too much, gives zeros and a status."""
    d = drbg("rv32im")
    d.m.write(d.ctx, bytes(CONTEXT))
    assert d.generate(20) == (STATE, bytes(20)) and d.reseed(bytes(32)) == STATE
    assert d.init(bytes(48)) == OK and d.generate(20)[0] == OK
    for requests, status in ((1 << 48, OK), ((1 << 48) + 1, STATE)):
        d.m.write(d.ctx + REQUESTS, requests.to_bytes(8, "little"))
        found, made = d.generate(20)
        assert found == status and any(made) == (status == OK)
    assert d.reseed(bytes(32)) == OK and d.generate(20)[0] == OK
    d.m.call("cryptile_drbg_wipe", d.ctx)
    assert not any(d.state()) and d.generate(20) == (STATE, bytes(20))
    d.m.call("cryptile_drbg_wipe", 0)


def test_errors(drbg):
    """Nothing is done, but by a start: the context is wiped."""
    d = drbg("rv32im")
    entropy = d.bytes(bytes(range(48)))[0]
    longest = d.m.alloc(65537)
    for arguments, status in (
        ((0, 48, 0, 0), PARAM),
        ((entropy, 48, 0, 1), PARAM),
        ((entropy, 47, 0, 0), LENGTH),
        ((longest, 65537, 0, 0), LENGTH),
        ((entropy, 48, longest, 65537), LENGTH),
    ):
        assert d.init(bytes(48)) == OK
        assert d.call("init", d.ctx, *arguments) == status and not any(d.state())
    assert d.call("init", 0, entropy, 48, 0, 0) == PARAM

    assert d.init(bytes(48)) == OK
    before = d.state()
    for arguments, status in (
        ((0, 32, 0, 0), PARAM),
        ((entropy, 32, 0, 1), PARAM),
        ((entropy, 31, 0, 0), LENGTH),
        ((longest, 65537, 0, 0), LENGTH),
        ((entropy, 32, longest, 65537), LENGTH),
    ):
        assert d.call("reseed", d.ctx, *arguments) == status
    for arguments, status in (
        ((0, 1, 0, 0), PARAM),
        ((longest, 1, 0, 1), PARAM),
        ((longest, 65537, 0, 0), LENGTH),
        ((longest, 1, longest, 65537), LENGTH),
    ):
        assert d.call("generate", d.ctx, *arguments) == status
    assert d.call("reseed", 0, entropy, 32, 0, 0) == d.call("generate", 0, longest, 1, 0, 0)
    assert d.state() == before
    assert d.generate(16) == (OK, drbg_oracle.Drbg(True, bytes(48)).generate(16))
