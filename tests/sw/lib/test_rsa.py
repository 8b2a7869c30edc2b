"""RSA signatures, verified on the instruction-set simulator."""

import hashlib
import random
import struct

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa, utils
from support import nist_rsa, wycheproof
from support.returned import status

OK, PARAM, AUTH, KEY = 0, -1, -10, -11
MAX_BITS = 4096
"""Of a modulus: longer ones are refused, and Wycheproof has some."""

STACK = 4096
ANY = -1
WITHOUT = ""
"""A hash function without object identifier."""


def ours(name):
    """Return our name of a hash function."""
    short = name.lower()
    return short.replace("sha-", "sha").replace("-", "_").replace("/", "_")


def whole(number):
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def place_key(m, modulus, exponent):
    """Place ``cryptile_rsa_public_key_t``: pointer, length, exponent."""
    word = "Q" if m.xlen == 64 else "I"
    fields = struct.pack(f"<{word}{word}I", m.alloc(modulus, offset=1), len(modulus), exponent)
    return m.alloc(fields.ljust(struct.calcsize(f"{word}{word}{word}"), b"\0"), align=8)


def called(m, key, name, digest, signature, salt=None):
    """Call PKCS #1 v1.5, or PSS with a salt of so many bytes."""
    alg = m.symbols[f"cryptile_{name}"] if name else m.alloc(bytes(64), align=8)
    scheme = "pkcs1" if salt is None else "pss"
    arguments = [key, alg, m.alloc(digest, offset=1)]
    arguments += [] if salt is None else [salt % (1 << m.xlen)]
    return m.call(
        f"cryptile_rsa_{scheme}_verify",
        *arguments,
        m.alloc(signature, offset=1),
        len(signature),
        max_instructions=200_000_000,
    )


def verify(m, *arguments):
    """Return the status of such a call."""
    result = called(m, *arguments)
    assert result.stack_bytes <= STACK
    return status(result.value)


def files(pattern):
    found = [path.name for path in sorted(wycheproof.folder().glob(pattern))]
    assert found
    return found


def cases(m, pattern):
    """Yield group and test of all that we have the algorithms for."""
    for file in files(pattern):
        for group in wycheproof.load(file)["testGroups"]:
            name = group["sha"]
            if f"cryptile_{ours(name)}" in m.symbols and group.get("mgfSha", name) == name:
                yield from ((group, case) for case in group["tests"] if group["keySize"] >= 2048)


def check_vectors(m, pattern, every):
    taken = list(cases(m, pattern))[::every]
    for group, case in taken:
        numbers, name = group["publicKey"], ours(group["sha"])
        modulus, exponent = (int(numbers[field], 16) for field in ("modulus", "publicExponent"))
        digest = hashlib.new(name, bytes.fromhex(case["msg"])).digest()
        key = place_key(m, whole(modulus), exponent)
        code = verify(m, key, name, digest, bytes.fromhex(case["sig"]), group.get("sLen"))
        if modulus.bit_length() > MAX_BITS:
            assert code == KEY
        elif case["result"] == "acceptable":  # an encoding without NULL: we take none but one
            assert code == AUTH
        else:
            assert (code == OK) == (case["result"] == "valid"), case["tcId"]
        m.free_all()
    return len(taken)


@pytest.mark.parametrize(
    ("pattern", "count"), [("rsa_signature_*", 200), ("rsa_pss_*_test.json", 80)]
)
def test_wycheproof(machine, pattern, count):
    assert check_vectors(machine("rv64im"), pattern, 20) > count


@pytest.mark.soak
@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
@pytest.mark.parametrize("pattern", ["rsa_signature_*", "rsa_pss_*_test.json"])
def test_all_of_wycheproof(machine, isa, pattern):
    assert check_vectors(machine(isa), pattern, 1) > 1000


def check_cavp(m, scheme, bits, every):
    """Verify NIST's signatures of messages whose hash function we have."""
    taken = [
        case
        for case in nist_rsa.signatures(scheme, bits)
        if f"cryptile_{ours(case.function)}" in m.symbols
    ][::every]
    for case in taken:
        name = ours(case.function)
        digest = hashlib.new(name, case.message).digest()
        key = place_key(m, whole(case.modulus), case.exponent)
        salt = len(case.salt) if scheme == "pss" else None
        code = verify(m, key, name, digest, case.signature, salt)
        assert code == (OK if case.valid else AUTH), case
        m.free_all()
    assert len({case.valid for case in taken}) == 2


@pytest.mark.parametrize("scheme", nist_rsa.FILES)
def test_cavp(machine, scheme):
    check_cavp(machine("rv64im"), scheme, 2048, 7)


@pytest.mark.soak
@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
@pytest.mark.parametrize("bits", [2048, 3072, 4096])
@pytest.mark.parametrize("scheme", nist_rsa.FILES)
def test_all_of_cavp(machine, isa, scheme, bits):
    check_cavp(machine(isa), scheme, bits, 1)


def functions(m):
    """Return the hash functions that OpenSSL has, too."""
    kinds = [kind for kind in vars(hashes).values() if isinstance(kind, type)]
    found = [kind() for kind in kinds if isinstance(getattr(kind, "digest_size", None), int)]
    return [kind for kind in found if f"cryptile_{ours(kind.name)}" in m.symbols]


def private_key(exponent, bits):
    """Return a key whose modulus has so many bits: OpenSSL's has one less if that is odd."""
    if bits % 2 == 0:
        return rsa.generate_private_key(exponent, bits)
    p, q = (
        rsa.generate_private_key(exponent, size).private_numbers().p
        for size in (bits + 1, bits - 1)
    )
    d = pow(exponent, -1, (p - 1) * (q - 1))
    public = rsa.RSAPublicNumbers(exponent, p * q)
    crt = rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q)
    return rsa.RSAPrivateNumbers(p, q, d, *crt, public).private_key()


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
@pytest.mark.parametrize("bits", [2048, 2049, 2055, 2056, 3072, 4096])
def test_against_openssl(machine, isa, bits):
    """Moduli whose bits do not fill a byte, or a word, too."""
    m, rng = machine(isa), random.Random(bits)
    private = private_key(rng.choice([3, 65537]), bits)
    numbers = private.public_key().public_numbers()
    assert numbers.n.bit_length() == bits
    modulus = whole(numbers.n)
    for function, salt in zip(rng.sample(functions(m), 3), (32, 0, 20), strict=True):
        digest = rng.randbytes(function.digest_size)
        name = ours(function.name)
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


MOST = {
    ("rv32im", 2048): 1_880_000,
    ("rv64im", 2048): 520_000,
    ("rv64im", 2049): 620_000,
    ("rv64im", 4096): 1_970_000,
}
"""Cycles of a verification with PKCS #1 v1.5 not to exceed."""


@pytest.mark.parametrize(("isa", "bits"), MOST)
def test_cycles(machine, isa, bits):
    m = machine(isa)
    private = private_key(65537, bits)
    function = functions(m)[0]
    digest = bytes(function.digest_size)
    signature = private.sign(digest, padding.PKCS1v15(), utils.Prehashed(function))
    key = place_key(m, whole(private.public_key().public_numbers().n), 65537)
    result = called(m, key, ours(function.name), digest, signature)
    assert status(result.value) == OK
    assert result.cycles <= MOST[isa, bits]


def test_bad_input(machine):
    m = machine("rv32im")
    private = rsa.generate_private_key(65537, 2048)
    n = private.public_key().public_numbers().n
    function = functions(m)[1]
    name, digest = ours(function.name), bytes(range(function.digest_size))
    signature = private.sign(digest, padding.PKCS1v15(), utils.Prehashed(function))
    good = place_key(m, whole(n), 65537)
    assert verify(m, good, name, digest, signature) == OK
    for other in (signature[:-1], signature + b"\0", b"\0" + signature, b"", whole(n)):
        assert verify(m, good, name, digest, other) == AUTH
    number = int.from_bytes(signature, "big")
    if (number + n).bit_length() <= 2048:
        assert verify(m, good, name, digest, whole(number + n)) == AUTH
    for modulus, exponent in (
        (whole(n >> 1), 65537),
        (whole(n - 1), 65537),
        (b"\0" + whole(n), 65537),
        (b"", 65537),
        (whole(n), 1),
        (whole(n), 0),
        (whole(n), 65536),
        (whole(1 << 4096 | 1), 3),
    ):
        bad = place_key(m, modulus, exponent)
        assert verify(m, bad, name, digest, signature[: len(modulus)]) == KEY
        assert verify(m, bad, name, digest, signature[: len(modulus)], 32) == KEY
    assert verify(m, good, name, digest, signature, 256 - len(digest) - 2 + 1) == PARAM
    assert verify(m, good, WITHOUT, digest, signature) == PARAM
    assert verify(m, place_key(m, b"", 3), WITHOUT, digest, signature, 32) == PARAM
    place = m.alloc(digest), m.alloc(signature)
    alg = m.symbols[f"cryptile_{name}"]
    for arguments in (
        (0, alg, *place, 256),
        (good, 0, *place, 256),
        (good, alg, 0, place[1], 256),
        (good, alg, place[0], 0, 256),
        (m.alloc(bytes(16), align=8), alg, *place, 256),
    ):
        assert status(m.call("cryptile_rsa_pkcs1_verify", *arguments).value) == PARAM
    m.free_all()
