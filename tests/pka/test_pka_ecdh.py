"""ECDH on the public-key engine's simulator: others' vectors, exceptional cases, cycles.

A run takes the same cycles whatever it is given, bad points and scalars included.
"""

import random
from pathlib import Path

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from support import wycheproof
from support.pka_curve import OnCurve, each, each_soaking, every

from cryptile.pka.programs import ecdh

CAVP = Path(cryptography_vectors.__file__).parent / "asymmetric/ECDH"
SECTIONS = {"p256": "[EC", "p384": "[ED", "p521": "[EE"}
"""How those of NIST begin that are on a curve."""


def agree(at: OnCurve, k: int, x: int, y: int, scale: int, blind: int) -> int | None:
    """Return the product's x, or None if the program refused."""
    rows = {"k": k, "x": x, "y": y}
    result = at.run("ecdh", rows, iter((scale, blind << ecdh.blind_place(at.curve))))
    return result[0] if result else None


def expected(at: OnCurve, k: int, x: int, y: int) -> int:
    peer = ec.EllipticCurvePublicNumbers(x, y, at.openssl).public_key()
    shared = ec.derive_private_key(k, at.openssl).exchange(ec.ECDH(), peer)
    return int.from_bytes(shared, "big")


def seeded(at: OnCurve, k: int, x: int, y: int, seed: int) -> int | None:
    rng = random.Random(seed)
    return agree(at, k, x, y, rng.getrandbits(at.bits), rng.getrandbits(at.curve.blind))


def check_wycheproof(at: OnCurve, step: int) -> tuple[int, int]:
    """Check what is invalid, and some that are not; return how many of them there were."""
    valid = invalid = 0
    groups = wycheproof.load(f"ecdh_{at.openssl.name}_ecpoint_test.json")["testGroups"]
    for number, case in enumerate(case for group in groups for case in group["tests"]):
        if case["result"] == "valid" and number % step:
            continue
        point, size = bytes.fromhex(case["public"]), at.size
        if len(point) != 2 * size + 1:  # compressed and other encodings never come to the engine
            continue
        x, y = int.from_bytes(point[1 : size + 1], "big"), int.from_bytes(point[size + 1 :], "big")
        result = seeded(at, int(case["private"], 16), x, y, case["tcId"])
        if case["result"] == "valid":
            assert result == int(case["shared"], 16), case["tcId"]
            valid += 1
        else:
            assert result is None, case["tcId"]
            invalid += 1
    return valid, invalid


@every
def test_wycheproof_some(at):
    valid, invalid = check_wycheproof(at, 50)
    assert valid > 5 and invalid >= 10


@pytest.mark.soak
@each
def test_wycheproof(at):
    valid, invalid = check_wycheproof(at, 1)
    assert valid > 300 and invalid >= 10


def cavp_cases(name: str, begin: str) -> list[dict[str, str]]:
    """Return the cases of a curve, by how its sections begin."""
    cases: list[dict[str, str]] = []
    section = ""
    for line in (CAVP / name).read_text().splitlines():
        if line.startswith("["):
            section = line
        elif section.startswith(f"{begin} - ") and " = " in line:
            key, value = line.split(" = ", 1)
            if key == "COUNT":
                cases.append({})
            cases[-1][key] = value
    return cases


@each_soaking
@pytest.mark.parametrize("role", ["init", "resp"])
def test_cavp(at, role):
    """SP 800-56A: good results, and points of the other side that fail public key validation."""
    kinds = set()
    name = f"KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_{role}.fax"
    for case in cavp_cases(name, SECTIONS[at.curve.name]):
        kind = int(case["Result"].split("(")[1].split("-")[0])
        k, x, y, z = (int(case[key], 16) for key in ("dsIUT", "QsCAVSx", "QsCAVSy", "Z"))
        result = seeded(at, k, x, y, int(case["COUNT"]))
        kinds.add(kind)
        if kind in (1, 2):
            assert result is None
        elif kind in (0, 13):
            assert result == z
        elif kind == 8:
            assert result != z
    assert {0, 1, 2, 8, 13} <= kinds


@each_soaking
@pytest.mark.parametrize("k", [1, 2, 3, 15, 16, 17, 31, 32, 1 << 255, -2, -1])
def test_edge_scalars(at, k):
    x, y = at.public(0xC0FFEE)
    for scale, blind in ((1, 0), (at.p - 1, (1 << at.curve.blind) - 1), (at.most - 1, 1)):
        assert agree(at, k % at.n, x, y, scale, blind) == expected(at, k % at.n, x, y)


def additions(at: OnCurve, total: int) -> set[str]:
    """Return which exceptional additions a blinded scalar meets, by an exact model."""
    met, sum_, n = set(), 0, at.n
    for window in reversed(range(ecdh.windows(at.curve))):
        bits = (total << 1) >> 5 * window & 63
        digit = (bits + 1 >> 1) - (32 if bits & 32 else 0)
        sum_ = 32 * sum_ % n
        if not sum_:
            met.add("infinity + Q" if digit else "infinity + infinity")
        elif not digit:
            met.add("P + infinity")
        elif sum_ == digit % n:
            met.add("P + P" if digit > 0 else "-P + -P")
        elif sum_ == -digit % n:
            met.add("P - P" if digit < 0 else "-P + P")
        sum_ = (sum_ + digit) % n
    assert sum_ == total % n
    return met


def exceptional(at: OnCurve, digit: int, sign: int, low: int = 5) -> tuple[int, int]:
    """Return a scalar and a blind that add a digit to ``sign`` times the digit's multiple."""
    multiple = digit + sign * digit
    quotient = (digit - multiple) * pow(at.n, -1, 32) % 32 + 32
    total = 32 * (quotient * at.n + multiple) + low
    return total % at.n, total // at.n


@each
@pytest.mark.parametrize(
    ("made", "case"),
    [
        ((7, 0), "infinity + Q"),
        ((7, 0), "infinity + infinity"),
        ((1 << 200, 0), "P + infinity"),
        ((3, 1, 5), "P + P"),
        ((15, 1, 5), "P + P"),
        ((-16, 1, 5), "-P + -P"),
        ((9, -1, 5), "-P + P"),
        ((-1, -1, 5), "P - P"),
    ],
)
def test_exceptional_additions(at, made, case):
    """Of a scalar and a blind, or of a digit and what it is added to."""
    k, blind = made if len(made) == 2 else exceptional(at, *made)
    assert case in additions(at, k + blind * at.n)
    x, y = at.public(0xBEEF)
    scale = random.Random(k).getrandbits(at.bits)
    assert agree(at, k, x, y, scale, blind) == expected(at, k, x, y)


@each
def test_blind_reaches_each_bit(at):
    """Of k + r n no bit is that of k more often than not, nor less often."""
    rng, runs = random.Random(5), 1000
    k = rng.randrange(1, at.n)
    changes = [(k + rng.getrandbits(at.curve.blind) * at.n) ^ k for _ in range(runs)]
    for bit in range(at.length):
        changed = sum(change >> bit & 1 for change in changes)
        assert runs / 5 < changed < runs * 4 / 5, bit


@each_soaking
def test_random(at):
    rng = random.Random(256)
    for _ in range(8):
        k, (x, y) = rng.randrange(1, at.n), at.public(rng.randrange(1, at.n))
        scale, blind = rng.getrandbits(at.bits), rng.getrandbits(at.curve.blind)
        assert agree(at, k, x, y, scale, blind) == expected(at, k, x, y)


@each_soaking
def test_scalar_out_of_range(at):
    for k in (0, at.n, at.n + 1, at.p, at.most):
        assert seeded(at, k, *at.public(5), seed=k) is None


@each
def test_point_not_reduced(at):
    """Of a point with x + p in a row."""
    x = next(x for x in range(100) if at.root(x))
    y = at.root(x)
    assert seeded(at, 3, x, y, 1) == expected(at, 3, x, y)
    assert seeded(at, 3, x + at.p, y, 1) is None


@each
@pytest.mark.parametrize("change", [(1, 0), (0, 1), (-1, 0), (0, -1)])
def test_point_off_curve(at, change):
    x, y = at.public(77)
    assert seeded(at, 12345, x + change[0], y + change[1], 1) is None


@each
def test_no_point(at):
    for point in ((0, 0), (at.p, 0), (0, at.p), (at.most, at.most)):
        assert seeded(at, 12345, *point, 1) is None


@each
def test_random_coordinate_of_zero(at):
    """A dead source gives no result, rather than a wrong one."""
    for scale in (0, at.p):
        assert agree(at, 12345, *at.public(77), scale, 1) is None
