"""The hash interface: vectors, every length and alignment, streaming, errors, secrets."""

import hashlib
import random
from functools import cache

import pytest
from hash_calls import DIGEST, HASH_CONTEXT, ISAS, OK, PARAM, PARTS, STATE, Calls, Stream, chunks
from support.nist_sha2 import checkpoint, messages, monte_carlo

from cryptile.jobs.oracle import ascon

SHA2 = ("sha224", "sha256", "sha384", "sha512", "sha512_224", "sha512_256")


@cache
def expected(name, data):
    if name == "ascon_hash256":
        return ascon.hash256(data)
    return hashlib.new(name, data).digest()


@pytest.fixture
def calls(machine):
    return lambda isa: Calls(machine(isa, PARTS))


@pytest.mark.parametrize("name", SHA2)
@pytest.mark.parametrize("isa", ["rv32i", "rv64im_zba_zbb"])
def test_cavp_short(calls, isa, name):
    c = calls(isa)
    for message, digest in messages(name, "Short"):
        assert c.digest(name, message) == digest
        c.m.free_all()


@pytest.mark.parametrize("name", SHA2)
def test_cavp_long(calls, name):
    c = calls("rv64im_zkn")
    for message, digest in messages(name, "Long"):
        assert c.digest(name, message) == digest
        c.m.free_all()


def test_cavp_monte_carlo(calls):
    """The first checkpoint; the others are left to the C library on the host."""
    c = calls("rv32im_zkn")
    seed, digests = monte_carlo("sha256")

    def digest(message):
        c.m.free_all()
        return c.digest("sha256", message)

    assert checkpoint(digest, seed) == digests[0]


@pytest.mark.parametrize("name", DIGEST)
def test_every_length_and_alignment(calls, name):
    """Every length at one alignment after another, on RV32 and RV64."""
    for isa, word in (("rv32im_zbb", 4), ("rv64im", 8)):
        c = calls(isa)
        data = random.Random(name).randbytes(258)
        for size in range(0, 258, 7 if name == "ascon_hash256" else 1):  # its reference is slow
            c.m.free_all()
            offset = size % word
            assert c.digest(name, data[:size], offset=offset) == expected(name, data[:size])


@pytest.mark.parametrize("isa", ["rv32i", "rv64im_zkn"])
def test_every_length_at_every_alignment(calls, isa):
    c = calls(isa)
    data = random.Random(isa).randbytes(258)
    for size in range(258):
        digest = expected("sha256", data[:size])
        for offset in range(c.m.xlen // 8):
            c.m.free_all()
            assert c.digest("sha256", data[:size], offset=offset) == digest


@pytest.mark.parametrize("name", DIGEST)
@pytest.mark.parametrize("isa", ISAS)
def test_streaming(calls, isa, name):
    c = calls(isa)
    source = random.Random(f"{isa} {name}")
    data = source.randbytes(700)
    stream = Stream(c, "hash", c.alg(name))
    assert stream.status == OK
    for chunk in chunks(source, data):
        assert stream.update(chunk, offset=source.randrange(8)) == OK
    out = c.m.alloc(DIGEST[name], offset=source.randrange(8))
    assert stream.final(out) == OK
    assert c.m.read(out, DIGEST[name]) == expected(name, data)
    assert stream.wiped()


def test_a_copied_context_goes_on(calls):
    c = calls("rv32im")
    first = Stream(c, "hash", c.alg("sha256"))
    first.update(b"common ")
    second = Stream(c, "hash", c.alg("sha384"))
    c.m.write(second.context, c.m.read(first.context, HASH_CONTEXT))
    first.update(b"start")
    second.update(b"end")
    out = c.m.alloc(32)
    for stream, message in ((first, b"common start"), (second, b"common end")):
        assert stream.final(out) == OK
        assert c.m.read(out, 32) == expected("sha256", message)


@pytest.mark.parametrize("name", ["sha256", "sha512", "sha3_256", "ascon_hash256"])
@pytest.mark.parametrize("isa", ISAS)
def test_secret_message(calls, isa, name):
    """No branch or address depends on the message: ``digest`` checks the violations."""
    c = calls(isa)
    data = random.Random(isa).randbytes(300)
    assert c.digest(name, data, secret=True, offset=1) == expected(name, data)


@pytest.mark.parametrize("name", DIGEST)
def test_convention(calls, name):
    c = calls("rv32im")
    context, out = c.m.alloc(HASH_CONTEXT, align=8), c.m.alloc(DIGEST[name])
    data, size = c.bytes(b"abc")
    c.m.call_abi("cryptile_hash_init", context, c.alg(name))
    c.m.call_abi("cryptile_hash_update", context, data, size)
    c.m.call_abi("cryptile_hash_final", context, out)
    assert c.m.read(out, DIGEST[name]) == expected(name, b"abc")


def test_digest_over_its_message(calls):
    c = calls("rv32im")
    buffer = c.m.alloc(b"x" * 100)
    assert c.status("cryptile_hash", c.alg("sha512"), buffer, 100, buffer) == OK
    assert c.m.read(buffer, 64) == expected("sha512", b"x" * 100)


def test_errors(calls):
    c = calls("rv32im")
    alg, out = c.alg("sha256"), c.m.alloc(32)
    assert c.status("cryptile_hash_init", 0, alg) == PARAM
    assert c.status("cryptile_hash_update", 0, 0, 0) == PARAM
    assert c.status("cryptile_hash_final", 0, out) == PARAM
    assert c.status("cryptile_hash", 0, 0, 0, out) == PARAM
    assert c.status("cryptile_hash", alg, 0, 1, out) == PARAM
    assert c.status("cryptile_hash", alg, 0, 0, 0) == PARAM
    assert c.status("cryptile_hash", alg, 0, 0, out) == OK
    refused = Stream(c, "hash", 0)
    assert refused.status == PARAM
    assert refused.update(b"") == STATE
    assert refused.final(out) == STATE
    stream = Stream(c, "hash", alg)
    assert c.status("cryptile_hash_update", stream.context, 0, 1) == PARAM
    assert stream.final(0) == PARAM
    assert stream.final(out) == OK
    assert c.m.read(out, 32) == expected("sha256", b"")
    assert stream.update(b"x") == STATE
    assert stream.final(out) == STATE
    c.m.call("cryptile_hash_wipe", 0)
