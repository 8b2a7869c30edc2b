"""NIST's curves and RSA through the PSA layer: others' vectors, every rule of keys, encodings."""

import hashlib
from collections.abc import Iterator
from ctypes import byref, c_uint32

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from native_lib import lib
from native_psa_calls import (
    DERIVES,
    ECDH,
    EXPORT,
    HASH,
    HASHES,
    INVALID_ARGUMENT,
    MESSAGE,
    NOT_PERMITTED,
    NOT_SUPPORTED,
    OK,
    PAIR,
    PUBLIC,
    R1,
    RAW,
    SHA256,
    SIGNATURE,
    SIZES,
    TOO_SMALL,
    Attributes,
    add,
    call,
    check,
    ecdsa,
    fresh_store,
    keys,
    rng,
)
from support import nist_ecdsa, wycheproof

RSA_PUBLIC, RSA_PAIR, PKCS1, PSS, PSS_ANY_SALT = 0x4001, 0x7001, 0x06000200, 0x06000300, 0x06001300
ANY_HASH = 0xFF
SHA = hashes.SHA256()
CURVES = {256: ec.SECP256R1(), 384: ec.SECP384R1(), 521: ec.SECP521R1()}
EVERY = {256: 1, 384: 3, 521: 5}
"""Of Wycheproof's vectors on a curve, one of so many is taken; of RSA's, one of eight."""
bits_of = pytest.mark.parametrize("bits", CURVES)


@pytest.fixture(autouse=True)
def clean():
    yield from fresh_store()


def destroy() -> None:
    assert lib.psa_destroy_key(keys.pop()) == OK


def size_of(bits: int) -> int:
    return (bits + 7) // 8


# Others' vectors.


@bits_of
def test_ecdsa_of_cavp(bits):
    verdicts, size = set(), size_of(bits)
    for name, case in nist_ecdsa.verifications(f"P-{bits}"):
        x, y, r, s = (
            int(case[field], 16).to_bytes(size, "big") for field in ("Qx", "Qy", "R", "S")
        )
        alg, message = ecdsa(HASHES[name]), bytes.fromhex(case["Msg"])
        key = add(PUBLIC | R1, HASH | MESSAGE, alg, b"\x04" + x + y)
        wanted = OK if case["Result"].startswith("P") else SIGNATURE
        assert check("psa_verify_message", key, alg, message, r + s) == wanted, case
        digest = hashlib.new(name, message).digest()
        assert check("psa_verify_hash", key, alg, digest, r + s) == wanted
        verdicts.add(wanted)
        destroy()
    assert verdicts == {OK, SIGNATURE}


@bits_of
def test_ecdsa_of_wycheproof(bits):
    name = {256: "sha256", 384: "sha384", 521: "sha512"}[bits]
    alg, verdicts = ecdsa(HASHES[name]), set()
    groups = wycheproof.load(f"ecdsa_secp{bits}r1_{name}_p1363_test.json")["testGroups"]
    for group in groups:
        key = add(PUBLIC | R1, MESSAGE, alg, bytes.fromhex(group["publicKey"]["uncompressed"]))
        for test in group["tests"][:: EVERY[bits]]:
            wanted = OK if test["result"] != "invalid" else SIGNATURE
            message, signature = bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"])
            assert check("psa_verify_message", key, alg, message, signature) == wanted, test["tcId"]
            verdicts.add(wanted)
        destroy()
    assert verdicts == {OK, SIGNATURE}


@bits_of
def test_ecdh_of_wycheproof(bits):
    verdicts, size = set(), size_of(bits)
    for group in wycheproof.load(f"ecdh_secp{bits}r1_ecpoint_test.json")["testGroups"]:
        for test in group["tests"][:: EVERY[bits]]:
            private = int(test["private"], 16).to_bytes(size, "big")
            key, peer = add(PAIR | R1, DERIVES, ECDH, private), bytes.fromhex(test["public"])
            status, secret = call("psa_raw_key_agreement", ECDH, key, peer)
            if len(peer) != 1 + 2 * size or test["result"] == "invalid":
                assert (status, secret) == (INVALID_ARGUMENT, b""), test["tcId"]
            else:
                assert (status, secret.hex()) == (OK, test["shared"]), test["tcId"]
            verdicts.add(status)
            destroy()
    assert verdicts == {OK, INVALID_ARGUMENT}


def rsa_groups(pattern: str) -> Iterator[tuple[int, dict]]:
    """Yield the hash function and the group of all that the library has the algorithms for."""
    for path in sorted(wycheproof.folder().glob(pattern)):
        for group in wycheproof.load(path.name)["testGroups"]:
            name = group["sha"].lower().replace("sha-", "sha").replace("-", "_").replace("/", "_")
            if name in HASHES and group.get("mgfSha", group["sha"]) == group["sha"]:
                yield HASHES[name], group


@pytest.mark.parametrize("pattern", ["rsa_signature_*", "rsa_pss_*_test.json"])
def test_rsa_of_wycheproof(pattern):
    count, verdicts = 0, set()
    for hash_byte, group in rsa_groups(pattern):
        if not 2048 <= group["keySize"] <= 4096:
            continue
        salt = group.get("sLen")
        alg = PKCS1 if salt is None else PSS_ANY_SALT
        if salt == SIZES[hash_byte]:
            alg = PSS
        alg |= hash_byte
        numbers = group["publicKey"]
        key = add(
            RSA_PUBLIC,
            MESSAGE,
            alg,
            der(*(int(numbers[field], 16) for field in ("modulus", "publicExponent"))),
        )
        for test in group["tests"][::8]:
            message, signature = bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"])
            status = check("psa_verify_message", key, alg, message, signature)
            wanted = OK if test["result"] == "valid" else SIGNATURE
            if alg & ~0xFF != PSS_ANY_SALT or wanted == OK:
                assert status == wanted, test["tcId"]
            verdicts.add(status)
            count += 1
        destroy()
    assert verdicts == {OK, SIGNATURE} and count > 200


# Encodings of keys of RSA.


def integer(number: int) -> bytes:
    return b"\x02" + lengthened(number.to_bytes(number.bit_length() // 8 + 1, "big"))


def lengthened(data: bytes) -> bytes:
    """Put the length before it, in its shortest form (X.690, 10.1)."""
    size = len(data).to_bytes((len(data).bit_length() + 7) // 8, "big")
    head = bytes([len(data)]) if len(data) < 128 else bytes([128 | len(size)]) + size
    return head + data


def der(modulus: int, exponent: int) -> bytes:
    return b"\x30" + lengthened(integer(modulus) + integer(exponent))


@pytest.mark.parametrize("bits", [2048, 2049, 3072, 4095, 4096])
@pytest.mark.parametrize("exponent", [3, 65537, 2**31 - 1, 2**32 - 1])
def test_keys_of_rsa(bits, exponent):
    data = der(rng.getrandbits(bits) | 1 << bits - 1 | 1, exponent)
    found = Attributes()
    key = add(RSA_PUBLIC, 0, 0, data, bits=bits)
    assert lib.psa_get_key_attributes(key, byref(found)) == OK
    assert (found.type, found.bits) == (RSA_PUBLIC, bits)
    for name in ("psa_export_key", "psa_export_public_key"):
        assert call(name, key) == (OK, data)
        assert call(name, key, room=len(data) - 1) == (TOO_SMALL, b"")
    add(RSA_PUBLIC, 0, 0, data, INVALID_ARGUMENT, bits=bits + 1)
    keys.pop()


def test_encodings_that_are_none():
    """Whatever is not the one encoding of two positive numbers is refused."""
    modulus = rng.getrandbits(2048) | 1 << 2047 | 1
    good, n, e = der(modulus, 65537), integer(modulus), integer(65537)
    sequence = good[:4]
    bare = n[:4] + n[5:]  # negative
    wrong = [
        good[:-1], good + b"\0", good[1:], b"\x31" + good[1:], sequence + n, sequence[:2],
        b"\x30\x80" + n + e + b"\0\0", b"\x30\x83\0" + good[2:], b"\x30\x84\0\0" + good[2:],
        b"\x30" + lengthened(bare + e), b"\x30" + lengthened(n + e + e),
        b"\x30" + lengthened(n + b"\x02\x04\0\1\0\1"), b"\x30" + lengthened(n + b"\x02\x00"),
        b"\x30" + lengthened(n + b"\x02\x81\x03\1\0\1"), b"\x30" + lengthened(n + b"\x02\x01\0"),
        b"\x30" + lengthened(b"\x02" + lengthened(b"\0" + n[4:]) + e),
        b"\x30" + lengthened(n + b"\x02\x7f\1\0\1"), b"\x30\x81\x05\x02\x01\x01\x02\x00",
    ]  # fmt: skip
    wrong += [good[:length] for length in range(1, 40)]
    wrong += [der(modulus - 1, 65537), der(modulus, 65536)]
    for data in wrong:
        add(RSA_PUBLIC, 0, 0, data, INVALID_ARGUMENT)
        keys.pop()
    for data in (
        der(modulus >> 1, 65537),
        der(modulus, 1),
        der(modulus, 2**32 + 1),
        der((rng.getrandbits(4097) | 1 << 4096 | 1), 3),
    ):
        add(RSA_PUBLIC, 0, 0, data, NOT_SUPPORTED)
        keys.pop()


def test_every_bit_of_the_head_counts():
    """A flipped bit in tags and lengths is found; none reads beyond the key (address sanitizer)."""
    good = der(rng.getrandbits(2048) | 1 << 2047 | 1, 65537)
    for at in (*range(8), *range(len(good) - 5, len(good) - 3)):
        for bit in range(8):
            data = good[:at] + bytes([good[at] ^ 1 << bit]) + good[at + 1 :]
            key = c_uint32()
            attributes = Attributes(RSA_PUBLIC, 0, 0, 0)
            assert lib.psa_import_key(byref(attributes), data, len(data), byref(key)) == (
                INVALID_ARGUMENT
            )


# Rules.


@bits_of
def test_generated_keys_are_used(bits):
    """A key that is generated signs, agrees and is exported; the longest has 521 bits."""
    size = size_of(bits)
    for alg, usage in ((ecdsa(SHA256), HASH | EXPORT), (ECDH, DERIVES | EXPORT)):
        key, attributes = c_uint32(), Attributes(PAIR | R1, usage, alg, bits)
        assert lib.psa_generate_key(byref(attributes), byref(key)) == OK
        keys.append(key.value)
        status, private = call("psa_export_key", key)
        theirs = ec.derive_private_key(int.from_bytes(private, "big"), CURVES[bits])
        numbers = theirs.public_key().public_numbers()
        point = b"\x04" + numbers.x.to_bytes(size, "big") + numbers.y.to_bytes(size, "big")
        assert (status, len(private)) == (OK, size)
        assert call("psa_export_public_key", key) == (OK, point)
        if alg == ECDH:
            secret = theirs.exchange(ec.ECDH(), theirs.public_key())
            assert call("psa_raw_key_agreement", ECDH, key, point) == (OK, secret)
            assert call("psa_raw_key_agreement", ECDH, key, point, room=size - 1)[0] == TOO_SMALL
            made, attributes = c_uint32(), Attributes(RAW, EXPORT, 0, 0)
            assert (
                lib.psa_key_agreement(key, point, len(point), ECDH, byref(attributes), byref(made))
                == OK
            )
            keys.append(made.value)
            assert call("psa_export_key", made) == (OK, secret)
        else:
            status, signature = call("psa_sign_message", key, alg, b"message", room=2 * size)
            assert (status, len(signature)) == (OK, 2 * size)
            assert check("psa_verify_message", key, alg, b"message", signature) == OK
            assert check("psa_verify_message", key, alg, b"massage", signature) == SIGNATURE
            for length in (0, 1, 2 * size - 1):
                short = signature[:length]
                assert check("psa_verify_message", key, alg, b"message", short) == SIGNATURE
            assert call("psa_sign_message", key, alg, b"", room=2 * size - 1)[0] == TOO_SMALL
    for wrong in (bits - 1, bits + 1, 520):
        attributes = Attributes(PAIR | R1, 0, 0, wrong)
        assert lib.psa_generate_key(byref(attributes), byref(c_uint32())) == INVALID_ARGUMENT


@bits_of
def test_points_of_another_curve(bits):
    """A point of one curve is no peer of another's key, and no key of another size."""
    key = add(PAIR | R1, DERIVES, ECDH, (5).to_bytes(size_of(bits), "big"))
    for other in CURVES:
        single = add(PAIR | R1, 0, 0, (7).to_bytes(size_of(other), "big"))
        point = call("psa_export_public_key", single)[1]
        wanted = OK if other == bits else INVALID_ARGUMENT
        assert call("psa_raw_key_agreement", ECDH, key, point)[0] == wanted
        add(PUBLIC | R1, 0, 0, point[:-1] + bytes([point[-1] ^ 1]), INVALID_ARGUMENT)
        keys.pop()
    order = {
        384: 0x389CB27E0BC8D220A7E5F24DB74F58851313E695333AD68D,
        521: 0x5AE79787C40D069948033FEB708F65A2FC44A36477663B851449048E16EC79BF7,
    }
    if bits in order:
        n = 2**bits - order[bits]
        for scalar, wanted in ((0, INVALID_ARGUMENT), (n, INVALID_ARGUMENT), (n - 1, OK)):
            add(PAIR | R1, 0, 0, scalar.to_bytes(size_of(bits), "big"), wanted)
            if wanted != OK:
                keys.pop()


@pytest.mark.parametrize("bits", [384, 521])
@pytest.mark.parametrize("low", SIZES)
def test_every_length_of_a_hash_and_its_signature(bits, low):
    """A hash of another length is an error, a signature of another length a wrong one."""
    alg, size = ecdsa(low), 2 * size_of(bits)
    key = add(PAIR | R1, HASH, alg, (rng.getrandbits(bits - 8) | 1).to_bytes(size // 2, "big"))
    digest = rng.randbytes(SIZES[low])
    status, signature = call("psa_sign_hash", key, alg, digest, room=size)
    assert (status, len(signature)) == (OK, size)
    for length in range(SIZES[low] + 20):
        wanted = OK if length == len(digest) else INVALID_ARGUMENT
        given = (digest + bytes(20))[:length]
        assert check("psa_verify_hash", key, alg, given, signature) == wanted
        if wanted != OK:
            assert call("psa_sign_hash", key, alg, given, room=size)[0] == wanted
    for length in range(size + 20):
        if length != size:
            given = (signature + bytes(20))[:length]
            assert check("psa_verify_hash", key, alg, digest, given) == SIGNATURE


@pytest.fixture(scope="module")
def theirs():
    return rsa.generate_private_key(65537, 2048)


def rsa_signed(theirs, scheme, digest):
    """Sign with another library what is to be verified here; PSS with a salt as long as a hash."""
    chosen = padding.PKCS1v15() if scheme == PKCS1 else padding.PSS(padding.MGF1(SHA), len(digest))
    return theirs.sign(digest, chosen, utils.Prehashed(SHA))


def rsa_key(theirs, alg):
    numbers = theirs.public_key().public_numbers()
    return add(RSA_PUBLIC, HASH, alg, der(numbers.n, numbers.e))


@pytest.mark.parametrize("scheme", [PKCS1, PSS, PSS_ANY_SALT])
def test_every_length_of_a_hash_and_its_rsa_signature(theirs, scheme):
    alg, digest = scheme | 9, rng.randbytes(32)
    key, signature = rsa_key(theirs, alg), rsa_signed(theirs, scheme, digest)
    for length in range(70):
        wanted = OK if length == 32 else INVALID_ARGUMENT
        given = (digest + bytes(40))[:length]
        assert check("psa_verify_hash", key, alg, given, signature) == wanted
    for length in range(600):
        given = (signature + bytes(400))[:length]
        wanted = OK if length == 256 else SIGNATURE
        assert check("psa_verify_hash", key, alg, digest, given) == wanted
        assert check("psa_verify_hash", key, alg, digest, bytes(600)[:length]) == SIGNATURE


@pytest.mark.parametrize("scheme", [PKCS1, PSS, PSS_ANY_SALT])
def test_every_bit_of_an_rsa_algorithm(theirs, scheme):
    """Another bit is another algorithm, or none: in the call, in the policy, in both."""
    alg, digest = scheme | 9, rng.randbytes(32)
    key, signature = rsa_key(theirs, alg), rsa_signed(theirs, scheme, digest)
    assert check("psa_verify_hash", key, alg, digest, signature) == OK
    salted = {PSS | 9, PSS_ANY_SALT | 9}
    for other in (alg ^ 1 << bit for bit in range(32)):
        assert check("psa_verify_hash", key, other, digest, signature) == NOT_PERMITTED
        for junk in {other, alg | 0xFF, alg | 0xFF00, alg | 0x7F000000} - {alg}:
            strange = rsa_key(theirs, junk)
            wanted = OK if junk == scheme | ANY_HASH else NOT_PERMITTED
            assert check("psa_verify_hash", strange, alg, digest, signature) == wanted, hex(junk)
            is_right = check("psa_verify_hash", strange, junk, digest, signature) == OK
            assert is_right == ({alg, junk} == salted), hex(junk)
            destroy()


def test_policies_of_rsa():
    """A policy names one scheme and one hash function, or leaves the hash function open."""
    data = der(rng.getrandbits(2048) | 1 << 2047 | 1, 65537)
    digest, signature = bytes(32), bytes(256)
    schemes = (PKCS1, PSS, PSS_ANY_SALT)
    for policy in schemes:
        for low in (0x09, ANY_HASH):
            key = add(RSA_PUBLIC, HASH, policy | low, data)
            for scheme in schemes:
                wanted = SIGNATURE if scheme == policy else NOT_PERMITTED
                assert check("psa_verify_hash", key, scheme | 0x09, digest, signature) == wanted
                wanted = SIGNATURE if scheme == policy and low == ANY_HASH else NOT_PERMITTED
                assert check("psa_verify_hash", key, scheme | 0x11, digest, signature) == wanted
                assert check("psa_verify_hash", key, scheme, digest, signature) == NOT_PERMITTED
            assert check("psa_verify_hash", key, ecdsa(SHA256), digest, signature) == NOT_PERMITTED
            destroy()
    key = add(RSA_PUBLIC, HASH, PKCS1 | 0x09, data)
    assert check("psa_verify_hash", key, PKCS1 | 0x09, bytes(31), signature) == INVALID_ARGUMENT
    for length in (0, 64, 255, 257):
        assert check("psa_verify_hash", key, PKCS1 | 0x09, digest, bytes(length)) == SIGNATURE
    for scheme in schemes:  # no bytes, and no place for them
        other = add(RSA_PUBLIC, HASH, scheme | 0x09, data)
        assert lib.psa_verify_hash(other, scheme | 0x09, digest, len(digest), None, 0) == SIGNATURE
    assert call("psa_sign_hash", key, PKCS1 | 0x09, digest)[0] in (INVALID_ARGUMENT, NOT_SUPPORTED)
    add(RSA_PUBLIC, HASH, PKCS1, data)
    assert check("psa_verify_hash", keys[-1], PKCS1, digest, signature) == NOT_SUPPORTED
    attributes = Attributes(RSA_PAIR, HASH, PKCS1 | 0x09, 2048)
    assert lib.psa_generate_key(byref(attributes), byref(c_uint32())) != OK
    crossed = add(RSA_PUBLIC, HASH, ecdsa(SHA256), data)
    assert check("psa_verify_hash", crossed, ecdsa(SHA256), digest, bytes(64)) == INVALID_ARGUMENT
