"""P-256 ECDH on the public-key engine's simulator: others' vectors, exceptional cases, cycles.

A run takes the same cycles whatever it is given, bad points and scalars included.
"""

import random
from pathlib import Path

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from support import pka, wycheproof

from cryptile.pka.isa import P256
from cryptile.pka.programs import p256

CYCLES = pka.CYCLES["p256_ecdh"]
CURVE = ec.SECP256R1()
CAVP = Path(cryptography_vectors.__file__).parent / "asymmetric/ECDH"
TOP = 2**64 - 1


def agree(k: int, x: int, y: int, scale: int, blind: int) -> int | None:
    """Return the product's x, or None if the program refused."""
    rows = {"k": k, "x": x, "y": y}
    result, outcome = pka.run("p256_ecdh", rows, iter((scale, blind << p256.ALIGN)))
    assert outcome.cycles == CYCLES
    assert not (outcome.flag and result)
    return None if outcome.flag else result


def public(secret: int) -> tuple[int, int]:
    numbers = ec.derive_private_key(secret, CURVE).public_key().public_numbers()
    return numbers.x, numbers.y


def expected(k: int, x: int, y: int) -> int:
    peer = ec.EllipticCurvePublicNumbers(x, y, CURVE).public_key()
    shared = ec.derive_private_key(k, CURVE).exchange(ec.ECDH(), peer)
    return int.from_bytes(shared, "big")


def seeded(k: int, x: int, y: int, seed: int) -> int | None:
    rng = random.Random(seed)
    return agree(k, x, y, rng.getrandbits(256), rng.getrandbits(64))


def test_wycheproof():
    valid = invalid = 0
    for group in wycheproof.load("ecdh_secp256r1_ecpoint_test.json")["testGroups"]:
        for case in group["tests"]:
            point = bytes.fromhex(case["public"])
            if len(point) != 65:  # compressed and other encodings never come to the engine
                continue
            x, y = int.from_bytes(point[1:33], "big"), int.from_bytes(point[33:], "big")
            result = seeded(int(case["private"], 16), x, y, case["tcId"])
            if case["result"] == "valid":
                assert result == int(case["shared"], 16), case["tcId"]
                valid += 1
            else:
                assert result is None, case["tcId"]
                invalid += 1
    assert valid > 300
    assert invalid >= 10


def cavp_cases(name: str) -> list[dict[str, str]]:
    """Return the cases of P-256, whose sections begin with EC."""
    cases: list[dict[str, str]] = []
    section = ""
    for line in (CAVP / name).read_text().splitlines():
        if line.startswith("["):
            section = line
        elif section.startswith("[EC - ") and " = " in line:
            key, value = line.split(" = ", 1)
            if key == "COUNT":
                cases.append({})
            cases[-1][key] = value
    return cases


@pytest.mark.parametrize("role", ["init", "resp"])
def test_cavp(role):
    """SP 800-56A: good results, and points of the other side that fail public key validation."""
    kinds = set()
    for case in cavp_cases(f"KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_{role}.fax"):
        kind = int(case["Result"].split("(")[1].split("-")[0])
        k, x, y, z = (int(case[key], 16) for key in ("dsIUT", "QsCAVSx", "QsCAVSy", "Z"))
        result = seeded(k, x, y, int(case["COUNT"]))
        kinds.add(kind)
        if kind in (1, 2):
            assert result is None
        elif kind in (0, 13):
            assert result == z
        elif kind == 8:
            assert result != z
    assert {0, 1, 2, 8, 13} <= kinds


@pytest.mark.parametrize("k", [1, 2, 3, 15, 16, 17, 31, 32, 2**255, p256.N - 2, p256.N - 1])
@pytest.mark.parametrize(("scale", "blind"), [(1, 0), (P256 - 1, TOP), (2**256 - 1, 1)])
def test_edge_scalars(k, scale, blind):
    x, y = public(0xC0FFEE)
    assert agree(k, x, y, scale, blind) == expected(k, x, y)


def additions(total: int) -> set[str]:
    """Return which exceptional additions a blinded scalar meets, by an exact model."""
    met, sum_ = set(), 0
    for window in reversed(range(p256.WINDOWS)):
        bits = (total << 1) >> 5 * window & 63
        digit = (bits + 1 >> 1) - (32 if bits & 32 else 0)
        sum_ = 32 * sum_ % p256.N
        if not sum_:
            met.add("infinity + Q" if digit else "infinity + infinity")
        elif not digit:
            met.add("P + infinity")
        elif sum_ == digit % p256.N:
            met.add("P + P" if digit > 0 else "-P + -P")
        elif sum_ == -digit % p256.N:
            met.add("P - P" if digit < 0 else "-P + P")
        sum_ = (sum_ + digit) % p256.N
    assert sum_ == total % p256.N
    return met


def exceptional(digit: int, sign: int, low: int = 5) -> tuple[int, int]:
    """Return a scalar and a blind that add a digit to ``sign`` times the digit's multiple."""
    multiple = digit + sign * digit
    quotient = (digit - multiple) * pow(p256.N, -1, 32) % 32 + 32
    total = 32 * (quotient * p256.N + multiple) + low
    return total % p256.N, total // p256.N


@pytest.mark.parametrize(
    ("k", "blind", "case"),
    [
        (7, 0, "infinity + Q"),
        (7, 0, "infinity + infinity"),
        (1 << 200, 0, "P + infinity"),
        (*exceptional(3, 1), "P + P"),
        (*exceptional(15, 1), "P + P"),
        (*exceptional(-16, 1), "-P + -P"),
        (*exceptional(9, -1), "-P + P"),
        (*exceptional(-1, -1), "P - P"),
    ],
)
def test_exceptional_additions(k, blind, case):
    assert case in additions(k + blind * p256.N)
    x, y = public(0xBEEF)
    assert agree(k, x, y, random.Random(k).getrandbits(256), blind) == expected(k, x, y)


def test_random():
    rng = random.Random(256)
    for _ in range(20):
        k, x, y = rng.randrange(1, p256.N), *public(rng.randrange(1, p256.N))
        assert agree(k, x, y, rng.getrandbits(256), rng.getrandbits(64)) == expected(k, x, y)


@pytest.mark.parametrize("k", [0, p256.N, p256.N + 1, P256, 2**256 - 1])
def test_scalar_out_of_range(k):
    assert seeded(k, *public(5), seed=k) is None


def small_x() -> tuple[int, int]:
    """Return a point of the curve with x + p below 2^256."""
    for x in range(100):
        square = (x**3 - 3 * x + p256.B) % P256
        y = pow(square, (P256 + 1) // 4, P256)
        if y * y % P256 == square:
            return x, y
    raise AssertionError


def test_point_not_reduced():
    x, y = small_x()
    assert seeded(3, x, y, 1) == expected(3, x, y)
    assert seeded(3, x + P256, y, 1) is None


@pytest.mark.parametrize("change", [(1, 0), (0, 1), (-1, 0), (0, -1)])
def test_point_off_curve(change):
    x, y = public(77)
    assert seeded(12345, x + change[0], y + change[1], 1) is None


@pytest.mark.parametrize("point", [(0, 0), (P256, 0), (0, P256), (2**256 - 1, 2**256 - 1)])
def test_no_point(point):
    assert seeded(12345, *point, 1) is None


@pytest.mark.parametrize("scale", [0, P256])
def test_random_coordinate_of_zero(scale):
    """A dead source gives no result, rather than a wrong one."""
    assert agree(12345, *public(77), scale, 1) is None
