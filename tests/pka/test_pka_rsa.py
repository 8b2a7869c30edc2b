"""RSA on the public-key engine's simulator: others' vectors, edges, upsets, cycles.

A run takes the same cycles whatever it is given: ``pka_rsa.run`` asks for that each time.
"""

import itertools
import random
from collections import Counter
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import load_der_private_key
from support import nist_rsa, pka_rsa, rsa_padding, wycheproof
from support.pka_rsa import LENGTHS, Key, of_primes, private, public, some_key

from cryptile.pka.isa import WIDTH512
from cryptile.pka.programs import rsa as programs

B = WIDTH512.bits

lengths = pytest.mark.parametrize("bits", LENGTHS)

private_lengths = pytest.mark.parametrize(
    "bits", [2048, *(pytest.param(bits, marks=pytest.mark.soak) for bits in LENGTHS[1:])]
)
"""Of a private operation, which takes seconds."""


# --- Others' vectors -----------------------------------------------------------------------------


def raised(modulus: int, signature: bytes, exponent: int) -> bytes | None:
    """Return what the public operation makes of a signature; None: it is refused, or 0 or 1."""
    number, found = int.from_bytes(signature, "big"), None
    if len(signature) == modulus.bit_length() // 8 and number < modulus:
        found = public(modulus, number, exponent)
        # 0 and 1 stay what they are, and rows of zero do not come out.
        assert found == (pow(number, exponent, modulus) if number > 1 else None)
    return None if found is None else found.to_bytes(len(signature), "big")


def check_signatures(name: str, step: int = 1) -> None:
    """Verify Wycheproof's signatures with the engine and the paddings of RFC 8017."""
    ends: Counter[str] = Counter()
    for group in wycheproof.load(f"rsa_{name}_test.json")["testGroups"]:
        key = group["publicKey"]
        modulus, exponent = (int(key[part], 16) for part in ("modulus", "publicExponent"))
        for case in group["tests"][::step]:
            signature, message = bytes.fromhex(case["sig"]), bytes.fromhex(case["msg"])
            encoded = raised(modulus, signature, exponent)
            good = encoded is not None and rsa_padding.verified(
                group, encoded, message, modulus.bit_length()
            )
            if case["result"] != "acceptable":
                assert good == (case["result"] == "valid"), case["tcId"]
            ends[case["result"]] += 1
    assert ends["valid"] and ends["invalid"] > 20 // step


def test_signatures_some():
    check_signatures("signature_2048_sha256", 8)
    check_signatures("pss_2048_sha256_mgf1_32", 8)


@pytest.mark.soak
@pytest.mark.parametrize(
    "name",
    [
        *("signature_2048_sha256", "signature_3072_sha384", "signature_4096_sha512"),
        *("pss_2048_sha256_mgf1_0", "pss_3072_sha256_mgf1_32", "pss_4096_sha512_mgf1_64"),
    ],
)
def test_signatures(name):
    check_signatures(name)


def check_cavp(scheme: str, bits: int, step: int = 1) -> None:
    """Verify NIST's signatures, of which one in six is right."""
    ends: Counter[bool] = Counter()
    for case in list(nist_rsa.signatures(scheme, bits))[::step]:
        group = {
            "type": "RsassaPssVerify" if scheme == "pss" else "RsassaPkcs1Verify",
            "sha": case.function,
            "mgfSha": case.function,
            "sLen": len(case.salt),
        }
        encoded = raised(case.modulus, case.signature, case.exponent)
        good = encoded is not None and rsa_padding.verified(group, encoded, case.message, bits)
        assert good == case.valid, case
        ends[good] += 1
    assert ends[True] >= 10 // step and ends[False] >= 70 // step


@pytest.mark.parametrize("scheme", nist_rsa.FILES)
def test_cavp_some(scheme):
    check_cavp(scheme, 2048, 7)


@pytest.mark.soak
@lengths
@pytest.mark.parametrize("scheme", nist_rsa.FILES)
def test_cavp(scheme, bits):
    check_cavp(scheme, bits)


def check_cavp_private(bits: int, most: int) -> None:
    """What OpenSSL pads, the engine makes NIST's signature of; with the exponent that keys have."""
    cases = (
        case
        for case in nist_rsa.signatures("pkcs1", bits)
        if case.valid and case.exponent == pka_rsa.E
    )
    some = list(itertools.islice(cases, most))
    assert some
    for case in some:
        message = rsa_padding.padded(case.function, case.message, bits)
        expected = int.from_bytes(case.signature, "big")
        assert private(of_primes(*case.primes), message) == expected


def test_cavp_private_some():
    check_cavp_private(2048, 1)


@pytest.mark.soak
@lengths
def test_cavp_private(bits):
    check_cavp_private(bits, 100)


def decrypted(key: Key, message: str, expected: str) -> bool:
    """Whether the private operation of a ciphertext gives a message padded as in PKCS #1, v1.5."""
    found = private(key, int(message, 16))
    assert found is not None
    text = found.to_bytes(key.bits // 8, "big")
    return text[:2] == b"\0\2" and text[2:].partition(b"\0")[2] == bytes.fromhex(expected)


@private_lengths
def test_decryption(bits):
    """Wycheproof's: the first that is valid of each of some keys."""
    groups = wycheproof.load(f"rsa_pkcs1_{bits}_test.json")["testGroups"]
    for group in groups[:2]:
        loaded = load_der_private_key(bytes.fromhex(group["privateKeyPkcs8"]), None)
        assert isinstance(loaded, rsa.RSAPrivateKey)
        numbers = loaded.private_numbers()
        if numbers.public_numbers.e == pka_rsa.E:
            key = of_primes(numbers.p, numbers.q)
            case = next(case for case in group["tests"] if case["result"] == "valid")
            assert decrypted(key, case["ct"], case["msg"])


@private_lengths
def test_openssl(bits):
    """What OpenSSL encrypts for a key of its own, the engine decrypts."""
    made = rsa.generate_private_key(pka_rsa.E, bits)
    numbers = made.private_numbers()
    ciphertext = made.public_key().encrypt(b"text", padding.PKCS1v15())
    assert decrypted(of_primes(numbers.p, numbers.q), ciphertext.hex(), b"text".hex())


# --- Edges ---------------------------------------------------------------------------------------


def moduli(bits: int) -> list[int]:
    """Return odd numbers with all bits, of which some carries come seldom else."""
    rng, top = random.Random(bits), 1 << bits
    rows = [rng.choice((0, 1, (1 << B) - 1, (1 << B) - 2, 1 << B - 1)) for _ in range(bits // B)]
    mixed = sum(row << B * n for n, row in enumerate(rows))
    return [top - 1, top // 2 + 1, top - (1 << bits // 2) + 1, mixed | top // 2 | 1]


@lengths
def test_public_edges(bits):
    for modulus in moduli(bits):
        for message in (modulus - 1, modulus - 2, modulus >> 1, (1 << bits - 1) - 1):
            expected = pow(message, pka_rsa.E, modulus)
            found = public(modulus, message)
            assert found == (expected if all_rows(expected, bits) else None)


def all_rows(number: int, bits: int) -> bool:
    """Whether no row of a number is zero."""
    return all(number >> low & (1 << B) - 1 for low in range(0, bits, B))


@lengths
def test_public_refuses(bits):
    rng = random.Random(bits)
    modulus = rng.getrandbits(bits) | 1 << bits - 1 | 1
    message = rng.randrange(modulus)
    assert public(modulus, message) == pow(message, pka_rsa.E, modulus)
    assert public(modulus ^ 1, message) is None
    assert public(modulus ^ 1 << bits - 1, message & 1, bits=bits) is None
    for larger in (modulus, modulus + 1, (1 << bits) - 1):
        assert public(modulus, larger) is None
    assert public(modulus, 0) is None
    assert public(modulus, 1) is None


@pytest.mark.parametrize("exponent", [3, 17, (1 << 64) - 1, (1 << 63) + 1])
def test_exponents(exponent):
    rng = random.Random(exponent)
    modulus = rng.getrandbits(2048) | 1 << 2047 | 1
    message = rng.randrange(modulus)
    assert public(modulus, message, exponent) == pow(message, exponent, modulus)


@pytest.mark.soak
@lengths
def test_exponents_of_lengths(bits):
    rng = random.Random(bits)
    for modulus, message in itertools.product(moduli(bits), range(2)):
        message, exponent = rng.randrange(modulus), rng.getrandbits(64) | message << 63 | 1
        expected = pow(message, exponent, modulus)
        assert public(modulus, message, exponent) == expected


@pytest.mark.parametrize("exponent", [0, 1, 2, 65536, (1 << 64) + 1, 1 << 511 | 3, (1 << B) - 1])
def test_exponents_refused(exponent):
    modulus = (1 << 2048) - 1
    assert public(modulus, modulus - 1, exponent) is None


BAD = {
    "p twice": lambda key: replace(
        key, prime_q=key.prime_p, exponent_q=key.exponent_p, modulus=key.prime_p**2
    ),
    "exponent_p": lambda key: replace(key, exponent_p=key.exponent_p ^ 2),
    "exponent_q": lambda key: replace(key, exponent_q=key.exponent_q ^ 1 << 1023),
    "coefficient": lambda key: replace(key, coefficient=key.coefficient ^ 1),
    "even p": lambda key: replace(key, prime_p=key.prime_p ^ 1),
    "no q": lambda key: replace(key, prime_q=0),
    "modulus": lambda key: replace(key, modulus=key.modulus ^ 2),
    "even modulus": lambda key: replace(key, modulus=key.modulus ^ 1),
}
"""Makes keys that are none of a right one."""


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(name, marks=[] if name in ("p twice", "coefficient") else pytest.mark.soak)
        for name in BAD
    ],
)
def test_bad_keys(bad):
    assert private(BAD[bad](some_key(2048)), 0xABC << 1000) is None


@pytest.mark.parametrize("of", [0, *(pytest.param(n, marks=pytest.mark.soak) for n in range(1, 5))])
def test_messages_refused(of):
    """Those that are not below the modulus, and 0 and 1, of which rows would be zero."""
    key = some_key(2048)
    messages = (key.modulus, key.modulus + 1, (1 << 2048) - 1, 0, 1)
    assert private(key, messages[of]) is None


@pytest.mark.soak
def test_private_edges():
    """The primes the other way, exponents that are not the least, and messages at edges."""
    key = some_key(2048)
    other = Key(
        *(key.modulus, key.prime_q, key.prime_p, key.exponent_q, key.exponent_p),
        *(pow(key.prime_p, -1, key.prime_q), key.d),
    )
    longer = replace(key, exponent_p=largest(key.exponent_p, key.prime_p))
    for each, message in (
        (key, key.modulus - 1),
        (key, key.prime_p),
        (other, key.modulus // 3),
        (longer, key.prime_q << 5),
    ):
        assert private(each, message) == key.private(message)


def largest(exponent: int, prime: int) -> int:
    """Return the largest number of a row's bits that is the exponent modulo p - 1."""
    rows = -(-prime.bit_length() // B)
    return exponent + ((1 << B * rows) - 1 - exponent) // (prime - 1) * (prime - 1)


@pytest.mark.soak
@lengths
def test_private_random(bits):
    rng = random.Random(bits)
    for seed in range(6):
        given = rsa.generate_private_key(pka_rsa.E, bits).private_numbers()
        key = of_primes(given.p, given.q)
        message = rng.randrange(key.modulus)
        assert private(key, message, pka_rsa.seeded(seed)) == key.private(message)


@pytest.mark.parametrize("row", [pytest.param(0, marks=pytest.mark.soak), (1 << B) - 1])
def test_blinds(row):
    """The least and the most that an exponent is blinded with."""
    key = some_key(2048)
    assert private(key, 3 << 2000, itertools.repeat(row)) == key.private(3 << 2000)


def test_windows():
    """The highest window begins with the highest bit that a blinded exponent can have."""
    for n in programs.HALVES:
        rounds, up = programs.windows(n)
        most = (1 << B * n) - 1
        blinded = ((1 << programs.BLIND) - 1) * (most - 1) + most
        assert blinded.bit_length() <= rounds * programs.WINDOW
        assert blinded << up < 1 << B * (n + 1)
        assert ((1 << programs.BLIND) - 1) << up < 1 << B
