"""CMAC: SP 800-38B's examples, Wycheproof, every length, streaming, verification, errors."""

import random

import pytest
from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.cmac import CMAC
from support import nist_modes, wycheproof

from cryptile import library

PARTS = ("aes", "cmac")
OK, PARAM, STATE, AUTH = 0, -1, -2, -10
CONTEXT = {32: 512, 64: 1000}
KEY_LENGTHS = (16, 24, 32)


def reference(key, message):
    state = CMAC(algorithms.AES(key))
    state.update(message)
    return state.finalize()


class Cmac:
    """The interface, with every buffer just as large as it must be; keys are secret."""

    def __init__(self, machine):
        self.m = machine
        self.context = 0

    def call(self, name, *arguments):
        result = self.m.call(f"cryptile_cmac{name}", *arguments)
        assert result.violations == []
        value = result.value & 0xFFFFFFFF
        return value - (value >> 31 << 32)

    def bytes(self, data, *, offset=0, secret=False):
        return self.m.alloc(data, offset=offset, secret=secret, writable=False), len(data)

    def mac(self, key, message, mac_len=16, offsets=(0, 0, 0)):
        a, b, c = offsets
        out = self.m.alloc(mac_len, offset=c)
        inputs = *self.bytes(key, offset=a, secret=True), *self.bytes(message, offset=b)
        assert self.call("", *inputs, out, mac_len) == OK
        return self.m.read(out, mac_len)

    def check(self, key, message, mac):
        inputs = *self.bytes(key, secret=True), *self.bytes(message), *self.bytes(mac)
        return self.call("_check", *inputs)

    def start(self, key):
        self.context = self.m.alloc(b"\xa5" * CONTEXT[self.m.xlen], align=8)
        return self.call("_init", self.context, *self.bytes(key, secret=True))

    def update(self, data, offset=0):
        return self.call("_update", self.context, *self.bytes(data, offset=offset))

    def wiped(self):
        return not any(self.m.read(self.context, CONTEXT[self.m.xlen]))


@pytest.fixture
def cmac(machine):
    return lambda isa: Cmac(machine(isa, PARTS))


@pytest.mark.parametrize("isa", library.ISAS)
def test_sp_800_38b(cmac, isa):
    c = cmac(isa)
    vectors = list(nist_modes.cmac())
    assert len(vectors) == 12
    for v in vectors:
        assert c.mac(v.key, v.plain) == v.tag
        c.m.free_all()


@pytest.mark.parametrize("isa", ["rv32im", "rv32im_zkn", "rv64im", "rv64im_zkn"])
def test_wycheproof(cmac, isa):
    c, seen = cmac(isa), set()
    for group in wycheproof.load("aes_cmac_test.json")["testGroups"]:
        for test in group["tests"]:
            key, message, tag = (bytes.fromhex(test[field]) for field in ("key", "msg", "tag"))
            wanted = {"valid": OK, "invalid": AUTH}[test["result"]]
            if "InvalidKeySize" in test["flags"]:
                wanted = PARAM
            assert c.check(key, message, tag) == wanted, test["tcId"]
            seen.add(wanted)
            c.m.free_all()
    assert seen == {OK, AUTH, PARAM}


@pytest.mark.parametrize("isa", library.ISAS)
def test_lengths(cmac, isa):
    c, rng = cmac(isa), random.Random(isa)
    for length in (*range(0, 50, 1 if isa == "rv32im" else 7), 64, 255, 256, 257):
        key, message = rng.randbytes(rng.choice(KEY_LENGTHS)), rng.randbytes(length)
        mac_len = rng.choice((16, rng.randrange(1, 17)))
        offsets = [rng.randrange(8) for _ in range(3)]
        assert c.mac(key, message, mac_len, offsets) == reference(key, message)[:mac_len]
        c.m.free_all()


@pytest.mark.parametrize("isa", library.ISAS)
def test_streaming(cmac, isa):
    c, rng = cmac(isa), random.Random(isa)
    for length in (0, 16, 48, rng.randrange(300)):
        key, message = rng.randbytes(rng.choice(KEY_LENGTHS)), rng.randbytes(length)
        code = reference(key, message)
        for change, verdict in ((0, OK), (1 << rng.randrange(8), AUTH)):
            assert c.start(key) == OK
            at = 0
            while at < length:
                size = rng.choice((0, 1, 15, 16, 17, 32, rng.randrange(100)))
                assert c.update(message[at : at + size], rng.randrange(8)) == OK
                at += size
            place = rng.randrange(16)
            given = code[:place] + bytes([code[place] ^ change]) + code[place + 1 :]
            assert c.call("_verify", c.context, *c.bytes(given)) == verdict
            assert c.wiped()
        c.m.free_all()


def test_a_copied_context_saves_the_key(cmac):
    c = cmac("rv32im")
    assert c.start(bytes(16)) == OK
    saved, out = c.m.read(c.context, CONTEXT[32]), c.m.alloc(16)
    for message in (b"one", b"another"):
        c.m.write(c.context, saved)
        assert c.update(message) == OK
        assert c.call("_final", c.context, out, 16) == OK
        assert c.m.read(out, 16) == reference(bytes(16), message)


def test_every_flipped_bit_is_seen(cmac):
    c = cmac("rv32im_zkn")
    code = reference(bytes(32), b"message")
    for bit in range(128):
        wrong = bytearray(code)
        wrong[bit // 8] ^= 1 << bit % 8
        assert c.check(bytes(32), b"message", bytes(wrong)) == AUTH
        c.m.free_all()
    assert c.check(bytes(32), b"message", code) == OK


def test_errors(cmac):
    c = cmac("rv32im")
    out, key = c.m.alloc(17), c.m.alloc(33)
    for key_len in (0, 1, 15, 17, 31, 33):
        assert c.start(bytes(key_len)) == PARAM
        assert c.update(b"x") == STATE
        assert c.call("_final", c.context, out, 16) == STATE
        assert c.call("_verify", c.context, out, 16) == STATE
        assert c.call("", key, key_len, 0, 0, out, 16) == PARAM
        c.m.free_all()
    out, key = c.m.alloc(17), c.m.alloc(16)
    assert c.call("_init", 0, key, 16) == PARAM
    assert c.call("_update", 0, 0, 0) == PARAM
    assert c.call("_final", 0, out, 16) == PARAM
    assert c.call("_verify", 0, out, 16) == PARAM
    assert c.start(bytes(16)) == OK
    assert c.call("_update", c.context, 0, 1) == PARAM
    assert c.call("_update", c.context, 0, 0) == OK
    for verb in ("_final", "_verify"):
        assert c.call(verb, c.context, 0, 16) == PARAM
        assert c.call(verb, c.context, out, 0) == PARAM
        assert c.call(verb, c.context, out, 17) == PARAM
    assert c.call("_final", c.context, out, 16) == OK
    assert c.m.read(out, 16) == reference(bytes(16), b"")
    assert c.call("_final", c.context, out, 16) == STATE
    for mac_len, status in ((0, PARAM), (17, PARAM), (16, OK)):
        assert c.call("", key, 16, 0, 0, out, mac_len) == status
        assert c.call("_check", key, 16, 0, 0, out, mac_len) == status
    for verb in ("", "_check"):
        assert c.call(verb, 0, 16, 0, 0, out, 16) == PARAM
        assert c.call(verb, key, 16, 0, 1, out, 16) == PARAM
        assert c.call(verb, key, 16, 0, 0, 0, 16) == PARAM
    assert c.start(bytes(16)) == OK
    c.m.call("cryptile_cmac_wipe", c.context)
    assert c.wiped()
    c.m.call("cryptile_cmac_wipe", 0)
