"""HKDF: RFC 5869, Wycheproof, random against ``cryptography``, errors, secrets."""

import random
from pathlib import Path

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hash_calls import DIGEST, ISAS, LENGTH, OK, PARAM, PARTS, SOME_ISAS, Calls
from support import wycheproof

RFC5869 = Path(cryptography_vectors.__file__).parent / "KDF" / "rfc-5869-HKDF-SHA256.txt"
REFERENCE = {
    "sha256": hashes.SHA256(),
    "sha512": hashes.SHA512(),
    "sha512_224": hashes.SHA512_224(),
    "sha512_256": hashes.SHA512_256(),
    "sha3_384": hashes.SHA3_384(),
}


@pytest.fixture
def calls(machine):
    return lambda isa: Calls(machine(isa, PARTS))


def extract(c, name, salt, ikm):
    out = c.m.alloc(DIGEST[name])
    inputs = (*c.bytes(salt), *c.bytes(ikm, secret=True))
    assert c.status("cryptile_hkdf_extract", c.alg(name), *inputs, out) == OK
    return c.m.read(out, DIGEST[name])


def expand(c, name, prk, info, size, *, offset=0):
    out = c.m.alloc(size, offset=offset)
    inputs = (*c.bytes(prk, secret=True, offset=offset), *c.bytes(info, offset=offset))
    return c.status("cryptile_hkdf_expand", c.alg(name), *inputs, out, size), c.m.read(out, size)


def derive(c, name, salt, ikm, info, size):
    out = c.m.alloc(size)
    inputs = (*c.bytes(salt), *c.bytes(ikm, secret=True), *c.bytes(info))
    status = c.status_9("cryptile_hkdf", c.alg(name), *inputs, out, size)
    return status, c.m.read(out, size)


def rfc5869():
    cases, fields = [], {}
    for line in RFC5869.read_text().splitlines():
        field, equals, value = (part.strip() for part in line.partition("="))
        if equals and field not in ("COUNT", "Hash"):
            fields[field] = int(value) if field == "L" else bytes.fromhex(value)
        if field == "OKM":
            cases.append(dict(fields))
    assert len(cases) == 3
    return cases


@pytest.mark.parametrize("isa", SOME_ISAS)
def test_rfc5869(calls, isa):
    c = calls(isa)
    for case in rfc5869():
        prk = extract(c, "sha256", case["salt"] or None, case["IKM"])
        assert prk == case["PRK"]
        assert expand(c, "sha256", prk, case["info"], case["L"]) == (OK, case["OKM"])


@pytest.mark.parametrize("name", ["sha256", "sha384", "sha512"])
def test_wycheproof(calls, name):
    c = calls("rv64im_zkn")
    verdicts = set()
    for group in wycheproof.load(f"hkdf_{name}_test.json")["testGroups"]:
        for test in group["tests"]:
            ikm, salt, info = (bytes.fromhex(test[field]) for field in ("ikm", "salt", "info"))
            status, okm = derive(c, name, salt, ikm, info, test["size"])
            if test["result"] == "valid":
                assert (status, okm) == (OK, bytes.fromhex(test["okm"])), test["tcId"]
            else:
                assert status == LENGTH, test["tcId"]
            verdicts.add(status)
            c.m.free_all()
    assert verdicts == {OK, LENGTH}


@pytest.mark.parametrize("isa", ISAS)
def test_random(calls, isa):
    c = calls(isa)
    source = random.Random(isa)
    for name, reference in REFERENCE.items():
        salt, ikm, info = (source.randbytes(source.randrange(200)) for _ in range(3))
        size = source.randrange(300)
        okm = HKDF(reference, size, salt, info).derive(ikm) if size else b""
        assert derive(c, name, salt, ikm, info, size) == (OK, okm)
        prk = extract(c, name, salt, ikm)
        assert expand(c, name, prk, info, size, offset=source.randrange(8)) == (OK, okm)
        c.m.free_all()


def test_longest(calls):
    c = calls("rv64im_zkn")
    size = 255 * 32
    expected = HKDF(REFERENCE["sha256"], size, None, b"info").derive(b"key")
    prk = extract(c, "sha256", None, b"key")
    assert expand(c, "sha256", prk, b"info", size) == (OK, expected)
    assert expand(c, "sha256", prk, b"info", size + 1) == (LENGTH, bytes(size + 1))


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_convention(calls, isa):
    c = calls(isa)
    case = rfc5869()[0]
    prk, okm = c.m.alloc(32), c.m.alloc(case["L"])
    c.m.call_abi(
        "cryptile_hkdf_extract", c.alg("sha256"), *c.bytes(case["salt"]), *c.bytes(case["IKM"]), prk
    )
    c.m.call_abi(
        "cryptile_hkdf_expand", c.alg("sha256"), prk, 32, *c.bytes(case["info"]), okm, case["L"]
    )
    assert c.m.read(okm, case["L"]) == case["OKM"]


def test_errors(calls):
    c = calls("rv32im")
    alg, out, prk = c.alg("sha256"), c.m.alloc(64), c.m.alloc(b"k" * 32)
    extracts = {
        (0, 0, 0, 0, 0, prk): PARAM,
        (alg, 0, 1, 0, 0, prk): PARAM,
        (alg, 0, 0, 0, 1, prk): PARAM,
        (alg, 0, 0, 0, 0, 0): PARAM,
        (alg, 0, 0, 0, 0, prk): OK,
    }
    expands = {
        (0, prk, 32, 0, 0, out, 64): PARAM,
        (alg, 0, 32, 0, 0, out, 64): PARAM,
        (alg, prk, 32, 0, 1, out, 64): PARAM,
        (alg, prk, 32, 0, 0, 0, 1): PARAM,
        (alg, prk, 31, 0, 0, out, 64): LENGTH,
        (alg, prk, 32, 0, 0, out, 255 * 32 + 1): LENGTH,
        (alg, prk, 32, 0, 0, 0, 0): OK,
        (alg, prk, 32, 0, 0, out, 64): OK,
    }
    for arguments, status in extracts.items():
        assert c.status("cryptile_hkdf_extract", *arguments) == status
    for arguments, status in expands.items():
        assert c.status("cryptile_hkdf_expand", *arguments) == status
    assert c.status_9("cryptile_hkdf", 0, 0, 0, 0, 0, 0, 0, out, 1) == PARAM
    assert c.status_9("cryptile_hkdf", alg, 0, 0, 0, 0, 0, 1, out, 1) == PARAM
    assert c.status_9("cryptile_hkdf", alg, 0, 0, 0, 0, 0, 0, out, 255 * 32 + 1) == LENGTH
