"""HMAC: RFC 4231, Wycheproof, every key length, streaming, verification, errors, secrets."""

import hmac
import random
from pathlib import Path

import cryptography_vectors
import pytest
from hash_calls import (
    AUTH,
    DIGEST,
    HMAC_CONTEXT,
    ISAS,
    OK,
    PARAM,
    PARTS,
    SOME_ISAS,
    STATE,
    WITH_HMAC,
    Calls,
    Stream,
    chunks,
)
from support import wycheproof

FOLDER = Path(cryptography_vectors.__file__).parent / "HMAC"
BLOCK = {
    "sha224": 64,
    "sha256": 64,
    "sha384": 128,
    "sha512": 128,
    "sha512_224": 128,
    "sha512_256": 128,
    "sha3_224": 144,
    "sha3_256": 136,
    "sha3_384": 104,
    "sha3_512": 72,
}


@pytest.fixture
def calls(machine):
    return lambda isa: Calls(machine(isa, PARTS))


def rfc4231(name):
    fields, cases = {}, []
    for line in (FOLDER / f"rfc-4231-{name}.txt").read_text().splitlines():
        field, equals, value = (part.strip() for part in line.partition("="))
        if equals and not line.startswith("#") and field != "Len":
            fields[field] = bytes.fromhex(value)
        if field == "MD":
            cases.append((fields["Key"], fields["Msg"], fields["MD"]))
    assert len(cases) >= 5
    return cases


@pytest.mark.parametrize("name", ["sha224", "sha256", "sha384", "sha512"])
@pytest.mark.parametrize("isa", SOME_ISAS)
def test_rfc4231(calls, isa, name):
    c = calls(isa)
    for key, message, code in rfc4231(name):
        assert c.hmac(name, key, message, len(code)) == code


@pytest.mark.parametrize("name", WITH_HMAC)
def test_wycheproof(calls, name):
    c = calls("rv64im_zkn")
    content = wycheproof.load(f"hmac_{name}_test.json")
    verdicts = {"valid": OK, "invalid": AUTH}
    seen = set()
    for group in content["testGroups"]:
        for test in group["tests"]:
            key, message, tag = (bytes.fromhex(test[field]) for field in ("key", "msg", "tag"))
            verdict = c.hmac_check(name, key, message, tag)
            assert verdict == verdicts[test["result"]], test["tcId"]
            seen.add(verdict)
            c.m.free_all()
    assert seen == {OK, AUTH}


@pytest.mark.parametrize("name", WITH_HMAC)
def test_key_and_code_lengths(calls, name):
    c = calls("rv32im_zbb")
    source = random.Random(name)
    block = BLOCK[name]
    for key_len in (0, 1, block - 1, block, block + 1, 2 * block, source.randrange(300)):
        c.m.free_all()
        key, message = source.randbytes(key_len), source.randbytes(source.randrange(200))
        mac_len = source.randrange(1, DIGEST[name] + 1)
        code = hmac.digest(key, message, name)[:mac_len]
        assert c.hmac(name, key, message, mac_len, offset=source.randrange(4)) == code


@pytest.mark.parametrize("name", ["sha256", "sha512", "sha3_256"])
@pytest.mark.parametrize("isa", ISAS)
def test_streaming(calls, isa, name):
    """The key is secret: ``Stream`` checks that neither time nor addresses depend on it."""
    c = calls(isa)
    source = random.Random(f"{isa} {name}")
    key, message = source.randbytes(source.randrange(200)), source.randbytes(400)
    code = hmac.digest(key, message, name)
    mac = c.m.alloc(code, offset=source.randrange(8), writable=False)
    for change, verdict in ((0, OK), (1 << source.randrange(8), AUTH)):
        stream = Stream(c, "hmac", c.alg(name), *c.bytes(key, secret=True))
        for chunk in chunks(source, message):
            assert stream.update(chunk, offset=source.randrange(8)) == OK
        at = source.randrange(len(code))
        c.m.write(mac + at, bytes([code[at] ^ change]))
        assert stream.verify(mac, len(code)) == verdict
        assert stream.wiped()


def test_every_flipped_bit_is_seen(calls):
    c = calls("rv32im_zkn")
    code = hmac.digest(b"key", b"message", "sha256")
    for bit in range(256):
        c.m.free_all()
        wrong = bytearray(code)
        wrong[bit // 8] ^= 1 << bit % 8
        assert c.hmac_check("sha256", b"key", b"message", bytes(wrong)) == AUTH
    assert c.hmac_check("sha256", b"key", b"message", code) == OK


def test_a_copied_context_saves_the_key(calls):
    c = calls("rv32im")
    keyed = Stream(c, "hmac", c.alg("sha256"), *c.bytes(b"key"))
    saved = c.m.read(keyed.context, HMAC_CONTEXT)
    out = c.m.alloc(32)
    for message in (b"one", b"another"):
        c.m.write(keyed.context, saved)
        keyed.update(message)
        assert keyed.final(out, 32) == OK
        assert c.m.read(out, 32) == hmac.digest(b"key", message, "sha256")


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_convention(calls, isa):
    c = calls(isa)
    context, out = c.m.alloc(HMAC_CONTEXT, align=8), c.m.alloc(32)
    data = c.bytes(b"message")
    c.m.call_abi("cryptile_hmac_init", context, c.alg("sha256"), *c.bytes(b"key"))
    c.m.call_abi("cryptile_hmac_update", context, *data)
    c.m.call_abi("cryptile_hmac_final", context, out, 32)
    assert c.m.read(out, 32) == hmac.digest(b"key", b"message", "sha256")


def test_errors(calls):
    c = calls("rv32im")
    alg, out = c.alg("sha256"), c.m.alloc(33)
    assert c.status("cryptile_hmac_init", 0, alg, 0, 0) == PARAM
    assert c.status("cryptile_hmac_update", 0, 0, 0) == PARAM
    assert c.status("cryptile_hmac_final", 0, out, 32) == PARAM
    assert c.status("cryptile_hmac_verify", 0, out, 32) == PARAM
    for arguments in ((0, 0, 0), (alg, 0, 1), (c.alg("ascon_hash256"), 0, 0)):
        refused = Stream(c, "hmac", *arguments)
        assert refused.status == PARAM
        assert refused.update(b"x") == STATE
        assert refused.final(out, 32) == STATE
        assert refused.verify(out, 32) == STATE
    stream = Stream(c, "hmac", alg, 0, 0)
    for end in (stream.final, stream.verify):
        assert end(0, 32) == PARAM
        assert end(out, 0) == PARAM
        assert end(out, 33) == PARAM
    assert stream.final(out, 32) == OK
    assert c.m.read(out, 32) == hmac.digest(b"", b"", "sha256")
    assert stream.final(out, 32) == STATE
    for mac_len, status in ((0, PARAM), (33, PARAM), (32, OK)):
        assert c.status("cryptile_hmac", alg, 0, 0, 0, 0, out, mac_len) == status
        assert c.status("cryptile_hmac_check", alg, 0, 0, 0, 0, out, mac_len) == status
    assert c.status("cryptile_hmac", alg, 0, 0, 0, 1, out, 32) == PARAM
    assert c.status("cryptile_hmac", alg, 0, 1, 0, 0, out, 32) == PARAM
    assert c.status("cryptile_hmac", 0, 0, 0, 0, 0, out, 32) == PARAM
    c.m.call("cryptile_hmac_wipe", 0)
