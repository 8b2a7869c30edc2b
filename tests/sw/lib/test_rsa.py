"""RSA signatures, verified on the instruction-set simulator."""

import hashlib
import random
import struct

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa, utils
from support import wycheproof

PARTS = ("rsa", "bigint", "hash", "sha2", "keccak")
OK, PARAM, AUTH, KEY = 0, -1, -10, -11
NAMES = {
    "SHA-224": "sha224", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512",
    "SHA-512/224": "sha512_224", "SHA-512/256": "sha512_256", "SHA3-224": "sha3_224",
    "SHA3-256": "sha3_256", "SHA3-384": "sha3_384", "SHA3-512": "sha3_512",
}  # fmt: skip
STACK = 4096
ANY = -1


def digest_of(name, message):
    return hashlib.new({"sha512_224": "sha512_224"}.get(name, name), message).digest()


def whole(number):
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def status(value):
    low = value & 0xFFFFFFFF
    return low - (1 << 32) if low >> 31 else low


def place_key(m, modulus, exponent):
    """Place ``cryptile_rsa_public_key_t``: pointer, length, exponent."""
    word = "Q" if m.xlen == 64 else "I"
    fields = struct.pack(f"<{word}{word}I", m.alloc(modulus, offset=1), len(modulus), exponent)
    return m.alloc(fields.ljust(struct.calcsize(f"{word}{word}{word}"), b"\0"), align=8)


def verify(m, key, name, digest, signature, salt=None):
    """Return the status of PKCS #1 v1.5, or of PSS with a salt of so many bytes."""
    alg = m.symbols[f"cryptile_{name}"]
    scheme = "pkcs1" if salt is None else "pss"
    arguments = [key, alg, m.alloc(digest, offset=1)]
    arguments += [] if salt is None else [salt % (1 << m.xlen)]
    result = m.call(
        f"cryptile_rsa_{scheme}_verify", *arguments, m.alloc(signature, offset=1), len(signature),
        max_instructions=200_000_000,
    )  # fmt: skip
    assert result.stack_bytes <= STACK
    return status(result.value)


PKCS1 = [
    "rsa_signature_2048_sha256_test.json", "rsa_signature_2048_sha512_224_test.json",
    "rsa_signature_2048_sha3_384_test.json", "rsa_signature_3072_sha384_test.json",
    "rsa_signature_4096_sha512_test.json",
]  # fmt: skip
PSS = [
    "rsa_pss_2048_sha256_mgf1_0_test.json", "rsa_pss_2048_sha384_mgf1_48_test.json",
    "rsa_pss_2048_sha512_256_mgf1_32_test.json", "rsa_pss_3072_sha256_mgf1_32_test.json",
    "rsa_pss_4096_sha512_mgf1_32_test.json", "rsa_pss_misc_test.json",
]  # fmt: skip


def taken(group):
    """Whether we have the group's algorithms."""
    return (
        group["keySize"] >= 2048
        and group["sha"] in NAMES
        and group.get("mgfSha", group["sha"]) == group["sha"]
    )


@pytest.mark.parametrize("file", [*PKCS1, *PSS])
def test_wycheproof(machine, file):
    m, count = machine("rv64im", PARTS), 0
    for group in filter(taken, wycheproof.load(file)["testGroups"]):
        numbers = group["publicKey"]
        modulus, exponent = int(numbers["modulus"], 16), int(numbers["publicExponent"], 16)
        name = NAMES[group["sha"]]
        for case in group["tests"]:
            digest = digest_of(name, bytes.fromhex(case["msg"]))
            signature = bytes.fromhex(case["sig"])
            key = place_key(m, whole(modulus), exponent)
            code = verify(m, key, name, digest, signature, group.get("sLen"))
            if case["result"] == "acceptable":  # an encoding without NULL: we take none but one
                assert code == AUTH
            else:
                assert (code == OK) == (case["result"] == "valid"), case["tcId"]
            m.free_all()
            count += 1
    assert count > 30


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
@pytest.mark.parametrize("bits", [2048, 2049, 2055, 2056, 3072, 4096])
def test_against_openssl(machine, isa, bits):
    """Moduli whose bits do not fill a byte, or a word, too."""
    m, rng = machine(isa, PARTS), random.Random(bits)
    private = rsa.generate_private_key(rng.choice([3, 65537]), bits)
    numbers = private.public_key().public_numbers()
    modulus = whole(numbers.n)
    for function, salt in ((hashes.SHA256(), 32), (hashes.SHA512(), 0), (hashes.SHA3_224(), 20)):
        digest = rng.randbytes(function.digest_size)
        name = function.name.replace("-", "_")
        prehashed = utils.Prehashed(function)
        pss = padding.PSS(padding.MGF1(function), salt)
        for scheme, length in ((padding.PKCS1v15(), None), (pss, salt), (pss, ANY)):
            signature = private.sign(digest, scheme, prehashed)
            key = place_key(m, modulus, numbers.e)
            assert verify(m, key, name, digest, signature, length) == OK
            changed = bytearray(signature)
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
            assert verify(m, key, name, digest, bytes(changed), length) == AUTH
            other = bytes([digest[0] ^ 1]) + digest[1:]
            assert verify(m, key, name, other, signature, length) == AUTH
            m.free_all()
        signature = private.sign(digest, pss, prehashed)
        key = place_key(m, modulus, numbers.e)
        assert verify(m, key, name, digest, signature, salt + 1) == AUTH
        m.free_all()


def test_bad_input(machine):
    m = machine("rv32im", PARTS)
    private = rsa.generate_private_key(65537, 2048)
    n = private.public_key().public_numbers().n
    digest = bytes(range(32))
    signature = private.sign(digest, padding.PKCS1v15(), utils.Prehashed(hashes.SHA256()))
    good = place_key(m, whole(n), 65537)
    assert verify(m, good, "sha256", digest, signature) == OK
    for other in (signature[:-1], signature + b"\0", b"\0" + signature, b"", whole(n)):
        assert verify(m, good, "sha256", digest, other) == AUTH
    number = int.from_bytes(signature, "big")
    if (number + n).bit_length() <= 2048:
        assert verify(m, good, "sha256", digest, whole(number + n)) == AUTH
    for modulus, exponent in (
        (whole(n >> 1), 65537), (whole(n - 1), 65537), (b"\0" + whole(n), 65537), (b"", 65537),
        (whole(n), 1), (whole(n), 0), (whole(n), 65536), (whole(1 << 4096 | 1), 3),
    ):  # fmt: skip
        bad = place_key(m, modulus, exponent)
        assert verify(m, bad, "sha256", digest, signature[: len(modulus)]) == KEY
        assert verify(m, bad, "sha256", digest, signature[: len(modulus)], 32) == KEY
    assert verify(m, good, "sha256", digest, signature, 256 - 32 - 2 + 1) == PARAM
    assert verify(m, good, "ascon_hash256", digest, signature) == PARAM
    assert verify(m, place_key(m, b"", 3), "ascon_hash256", digest, signature, 32) == PARAM
    place = m.alloc(digest), m.alloc(signature)
    alg = m.symbols["cryptile_sha256"]
    for arguments in (
        (0, alg, *place, 256), (good, 0, *place, 256), (good, alg, 0, place[1], 256),
        (good, alg, place[0], 0, 256), (m.alloc(bytes(16), align=8), alg, *place, 256),
    ):  # fmt: skip
        assert status(m.call("cryptile_rsa_pkcs1_verify", *arguments).value) == PARAM
    m.free_all()
