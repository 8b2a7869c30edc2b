"""ECDSA with P-256 on the public-key engine's simulator: others' vectors, edges, faults, cycles.

A run takes the same cycles whatever it is given, bad keys and signatures included.
"""

import hashlib
import itertools
import random
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from support import nist_ecdsa, pka, wycheproof

from cryptile.pka.isa import P256, Word, flow
from cryptile.pka.programs import comb, p256, p256_base
from cryptile.pka.programs.p256 import N

CURVE = ec.SECP256R1()
R = 2**256
TOP = R - 1


def run(entry: str, rows: dict[str, int], draws: Iterator[int] | None = None) -> list[int] | None:
    """Return the rows of a result, or None if the program refused."""
    results, outcome = pka.run_all(entry, rows, iter(()) if draws is None else draws)
    assert outcome.cycles == pka.CYCLES[entry]
    assert not (outcome.flag and any(results))
    return None if outcome.flag else results


def seeded(seed: int, *first: int) -> Iterator[int]:
    """Give some rows and then random ones."""
    rng = random.Random(seed)
    yield from first
    while True:
        yield rng.getrandbits(256)


def public(secret: int) -> tuple[int, int]:
    numbers = ec.derive_private_key(secret, CURVE).public_key().public_numbers()
    return numbers.x, numbers.y


def verified(x: int, y: int, e: int, r: int, s: int) -> bool:
    result = run("p256_verify", {"x": x, "y": y, "e": e, "sig_r": r, "sig_s": s})
    assert result in (None, [r])
    return result is not None


def expected(d: int, e: int, r: int, s: int) -> bool:
    """Return whether a signature is right, from the private key."""
    if not (0 < r < N and 0 < s < N):
        return False
    return public(pow(s, -1, N) * (e + r * d) % N)[0] % N == r


def leftmost(name: str, message: bytes) -> int:
    return int.from_bytes(hashlib.new(name, message).digest()[:32], "big")


# --- Verification ------------------------------------------------------------------------------


def wycheproof_cases() -> list[tuple[dict[str, str], tuple[int, int, int, int, int]]]:
    """Return the cases whose signatures are two numbers of 32 bytes, as rows."""
    cases = []
    names = [path.name for path in wycheproof.folder().glob("ecdsa_secp256r1_*_p1363_test.json")]
    groups = [group for name in names for group in wycheproof.load(name)["testGroups"]]
    for group in groups:
        function = group["sha"].replace("-", "").lower()
        if function not in hashlib.algorithms_guaranteed:
            continue  # those without a fixed length
        x, y = (int(group["publicKey"][name], 16) for name in ("wx", "wy"))
        for case in group["tests"]:
            signature = bytes.fromhex(case["sig"])
            if len(signature) == 64:
                e = leftmost(function, bytes.fromhex(case["msg"]))
                r, s = (int.from_bytes(part, "big") for part in (signature[:32], signature[32:]))
                cases.append((case, (x, y, e, r, s)))
    return cases


def check_wycheproof(step: int) -> None:
    cases = wycheproof_cases()
    assert len(cases) > 500
    for case, rows in cases[::step]:
        assert verified(*rows) == (case["result"] == "valid"), case


def test_wycheproof_some():
    check_wycheproof(20)


@pytest.mark.soak
def test_wycheproof():
    check_wycheproof(1)


def check_cavp(step: int) -> None:
    cases = list(nist_ecdsa.verifications("P-256"))
    assert len(cases) >= 60
    for function, case in cases[::step]:
        values = [int(case[name], 16) for name in ("Qx", "Qy", "R", "S")]
        x, y, r, s = values
        e = leftmost(function, bytes.fromhex(case["Msg"]))
        assert verified(x, y, e, r, s) == case["Result"].startswith("P"), case


def test_cavp_some():
    check_cavp(6)


@pytest.mark.soak
def test_cavp():
    check_cavp(1)


def signed(d: int, e: int, k: int) -> tuple[int, int]:
    """Sign by big integers."""
    r = public(k)[0] % N
    return r, pow(k, -1, N) * (e + r * d) % N


@pytest.mark.parametrize("e", [0, N, 1, TOP])
def test_edge_hashes(e):
    """u1 may be zero."""
    x, y = public(0xACE)
    r, s = signed(0xACE, e, 0xBEE)
    assert verified(x, y, e, r, s)
    assert not verified(x, y, e ^ 2, r, s)


@pytest.mark.parametrize(("d", "u1", "u2"), [(2, 4, 2), (1, 1, 1), (1, 6, 7), (N - 1, 5, 2)])
def test_equal_and_close_points(d, u1, u2):
    """u1 G and u2 Q are equal, or other small multiples of G."""
    r = public((u1 + u2 * d) % N)[0] % N
    s = r * pow(u2, -1, N) % N
    assert verified(*public(d), u1 * s % N, r, s)


def test_sum_is_infinity():
    """u1 G = -u2 Q: no r is right."""
    d, u1 = 3, 6 * 77
    for r in (1, public(d)[0] % N):
        s = -r * d * pow(u1, -1, N) % N
        assert not verified(*public(d), u1 * s % N, r, s)


def test_larger_x():
    """R's x may be r + n, if that is below p."""
    x = next(x for x in range(N, N + 100) if pow(square(x), (P256 - 1) // 2, P256) == 1)
    sum_ = x, pow(square(x), (P256 + 1) // 4, P256)
    r, u2 = x - N, 0xABC
    s = r * pow(u2, -1, N) % N
    assert verified(*p256_base.multiple(pow(u2, -1, N), sum_), 0, r, s)
    assert not verified(*p256_base.multiple(pow(u2, -1, N), sum_), 0, r + 1, s)


def square(x: int) -> int:
    """Return the square of y."""
    return (x**3 - 3 * x + p256.B) % P256


@pytest.mark.parametrize("bad", [0, N, TOP])
@pytest.mark.parametrize("place", ["r", "s"])
def test_signature_out_of_range(bad, place):
    x, y = public(5)
    r, s = signed(5, 7, 11)
    assert not verified(x, y, 7, *((bad, s) if place == "r" else (r, bad)))


@pytest.mark.parametrize("point", [(0, 0), (P256, 1), (1, 1), (TOP, TOP)])
def test_no_public_key(point):
    assert not verified(*point, 7, *signed(5, 7, 11))


def test_key_not_reduced():
    """A point with x below 2^256 - p, as x and as x + p."""
    x = 5
    y = pow(square(x), (P256 + 1) // 4, P256)
    assert y * y % P256 == square(x)
    r = p256_base.multiple(5, (x, y))[0] % N
    s = r * pow(5, -1, N) % N
    assert verified(x, y, 0, r, s)
    assert not verified(x + P256, y, 0, r, s)


# --- Signing and keys --------------------------------------------------------------------------


def check_siggen(step: int) -> None:
    """NIST's signatures, with their nonces from the random port."""
    cases = list(nist_ecdsa.generations("P-256"))
    assert len(cases) == 60
    for function, case in cases[::step]:
        d, k, r, s = (int(case[name], 16) for name in "dkRS")
        e = leftmost(function, bytes.fromhex(case["Msg"]))
        assert run("p256_sign", {"k": d, "e": e}, seeded(k, k - 1)) == [r, s]


def test_siggen_some():
    check_siggen(6)


@pytest.mark.soak
def test_siggen():
    check_siggen(1)


@pytest.mark.parametrize(
    ("d", "e", "k"),
    [(1, 0, 1), (N - 1, TOP, N - 1), (2, N, 2), (0xF00, 1, N - 2), (3, N - 1, 1 << 255)],
)
def test_sign_edges(d, e, k):
    r, s = run("p256_sign", {"k": d, "e": e}, seeded(1, k - 1)) or [0, 0]
    assert (r, s) == signed(d, e, k)
    assert expected(d, e, r, s)


def test_sign_random():
    rng = random.Random(7)
    for turn in range(4):
        d, e = rng.randrange(1, N), rng.getrandbits(256)
        r, s = run("p256_sign", {"k": d, "e": e}, seeded(turn)) or [0, 0]
        assert expected(d, e, r, s)


@pytest.mark.parametrize("d", [0, N, TOP])
def test_key_out_of_range(d):
    assert run("p256_sign", {"k": d, "e": 1}, seeded(d)) is None
    assert run("p256_public", {"k": d}, seeded(d)) is None


def test_zero_signature():
    """e = -r d makes s zero."""
    d, k = 12345, 67890
    e = -(public(k)[0] % N) * d % N
    assert run("p256_sign", {"k": d, "e": e}, seeded(1, k - 1)) is None


@pytest.mark.parametrize("bad", [N - 1, N, TOP])
def test_candidates(bad):
    """The second random row is taken when the first is too large, and there is no third."""
    r, s = run("p256_sign", {"k": 5, "e": 6}, seeded(1, bad, 41)) or [0, 0]
    assert (r, s) == signed(5, 6, 42)
    assert run("p256_sign", {"k": 5, "e": 6}, seeded(1, bad, N + 1)) is None
    assert run("p256_keygen", {}, seeded(1, bad, 41)) == [42, *public(42)]
    assert run("p256_keygen", {}, seeded(1, bad, N + 1)) is None


@pytest.mark.parametrize("row", [0, 41, TOP])
def test_stuck_random_port(row):
    """The same row again and again gives no nonce and no key."""
    assert run("p256_sign", {"k": 5, "e": 6}, itertools.repeat(row)) is None
    assert run("p256_keygen", {}, itertools.repeat(row)) is None


@pytest.mark.parametrize("place", [2, 3, 4, 5])
@pytest.mark.parametrize("dead", [0, N, P256])
def test_dead_random_rows(place, dead):
    """A blind or a coordinate of zero gives no wrong signature, and in most places none at all."""
    draws = [41, 43, *(99 + n for n in range(4))]
    draws[place] = dead
    assert run("p256_sign", {"k": 5, "e": 6}, iter(draws)) in (None, list(signed(5, 6, 42)))
    if dead == 0:
        assert run("p256_sign", {"k": 5, "e": 6}, iter(draws)) is None


@pytest.mark.parametrize("d", [1, 2, 3, N - 1, N - 2, 1 << 128, 0xFACE << 200])
def test_public(d):
    assert run("p256_public", {"k": d}, seeded(d)) == [*public(d)]


def test_keygen():
    d, x, y = run("p256_keygen", {}, seeded(9)) or [1, 0, 0]
    assert (x, y) == public(d)


# --- Parts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("x", [1, 2, 3, N - 1, N - 2, (N + 1) // 2, 2**255, 2**64, N // 3])
def test_inverse(x):
    """Of edges, and what 7 x and its like give; two times the steps' end is the same."""
    image = pka.image()
    for value in (x, 7 * x % N, x ^ 0xFF):
        machine = pka.started({"ga": value, "gu": 9}, iter(()))
        machine.code = [*image.code, flow("call", image.entries["order_invert"]), Word("halt")]
        machine.run(len(image.code))
        assert machine.rows[image.names["gv"]] == 9 * pow(value, -1, N) % N
        assert machine.rows[image.names["gb"]] == 1
        assert machine.rows[image.names["ga"]] == 0


def test_comb_table():
    """Each entry is its multiple of G."""
    image = pka.image()
    for half in range(comb.HALVES):
        for entry in range(p256_base.COMB.entries):
            point = public(p256_base.COMB.column(half, entry) % N)
            for c, value in zip("xy", point, strict=True):
                row = image.names[f"Comb{c}{half}/{entry}"]
                assert image.constants[row] == value * R % P256


def digits(c: int) -> list[int]:
    """Return the 260 digits of an odd c, lowest first."""
    bits = c + 2**260 - 1 >> 1
    return [2 * (bits >> j & 1) - 1 for j in range(260)]


def columns(c: int) -> list[list[int]]:
    """Return the multiples of G that are added, by half, from column 25 down."""
    of = digits(c)
    span = range(p256_base.COMB.teeth)
    return [
        [
            sum(of[52 * t + 26 * half + i] << 52 * t + 26 * half for t in span)
            for i in reversed(range(26))
        ]
        for half in range(2)
    ]


def exceptional(c: int) -> bool:
    """Return whether a sum of the comb has equal or opposite parts, or infinity."""
    lower, upper = columns(c)
    total, met = 0, False
    for number in range(26):
        total *= 2
        for part in (upper[number], lower[number]):
            met |= bool(number or part is lower[number]) and 0 in (
                total % N,
                (total - part) % N,
                (total + part) % N,
            )
            total += part
    assert total == c
    return met and total % N != 0


def test_exceptions():
    """No odd c below n meets an exceptional addition.

    Let A be the sum before a column's parts are added, U and L: A is even. As integers A, A + U
    and A - U, A + U + L, A + U - L are not zero: A is twice an odd number, U a multiple of 2^26, L
    odd. Below 2^256 - 2^237 in size they are no multiple of n either, and that they are in all
    columns but the last, where A + U + L is c shifted down. In the last, A + U + L = c, and so
    A = c - U - L, A + U = c - L and A - U = c - L - 2 U are even and below 2 n, hence not n.
    A + U - L = c - 2 L is odd and may be n: L has 32 values, c = n + 2 L is below n for 16.
    """
    wanted = [
        sum(sign << 52 * t for t, sign in enumerate(signs))
        for signs in itertools.product((1, -1), repeat=p256_base.COMB.teeth)
    ]
    found = [n for n in wanted if N + 2 * n < N and columns(N + 2 * n)[0][-1] == n]
    assert found == []
    rng = random.Random(26)
    for c in (1, 3, N - 2, N - 4, 2**255 + 1, *(rng.randrange(1, N, 2) for _ in range(100))):
        assert not exceptional(c)


def test_exceptions_of_verification():
    """In the last window 32 a - d = k - 2 d may be n, but no such k has the last digit d."""
    for d in range(-31, 0, 2):
        k = N + 2 * d
        assert 2 * (k >> 1 & 31) - 31 != d


# --- Faults ------------------------------------------------------------------------------------


def upset(seed: int) -> str:
    """Sign while a bit of a row flips, every other time of one in use."""
    rng = random.Random(seed)
    when, row, bit = rng.randrange(10, 14_500), rng.randrange(256), rng.randrange(256)
    if rng.randrange(2):
        row = pka.image().names[rng.choice(LIVE)]
    return signed_with(seed, when, row, bit)


def signed_with(seed: int, when: int, row: int, bit: int) -> str:
    """Sign while a bit flips behind the instruction of a number; return what came of it."""
    rng = random.Random(seed)
    d, e = rng.randrange(1, N), rng.getrandbits(256)
    image = pka.image()
    machine = pka.started({"k": d, "e": e}, seeded(seed))
    count = 0

    def watch(cycle: int, word: Word, clock: object) -> None:
        nonlocal count
        count += 1
        if count == when and row in machine.rows:
            machine.rows[row] ^= 1 << bit

    machine.watch = watch
    outcome = machine.run(image.entries["p256_sign"])
    r, s = (machine.rows[image.names["result"] + n] for n in range(2))
    if outcome.flag:
        return "refused"
    return "right" if expected(d, e, r, s) else f"wrong: {seed} {when} {row} {bit}"


LIVE = (
    "k",
    "key2",
    "e",
    "hash2",
    "c",
    "c2",
    "px",
    "py",
    "pz",
    "gv",
    "gu",
    "sum",
    "sig_r",
    "flip",
    "mx1",
    "my5",
    "One",
    "N256",
    "NegativeN256",
    "SquareN256",
    "P256",
    "SquareP256",
    "Zero",
    "FirstTooth",
    "NextHalf",
    "Top",
    "LessN256",
    "OneP256",
    "B256",
)


def check_upsets(runs: int) -> None:
    ends = [upset(seed) for seed in range(runs)]
    assert set(ends) == {"refused", "right"}


@pytest.mark.parametrize("when", [200, 2000, 5000])
@pytest.mark.parametrize("name", ["mx1", "my5"])
def test_upset_of_digits(when, name):
    """Another multiple of G is a point of the curve, too: one in the first product, or second."""
    assert signed_with(1, when, pka.image().names[name], 252) == "refused"


@pytest.mark.parametrize(
    ("name", "bit"),
    [("Zero", 217), ("One", 0), ("One", 7), ("One", 255), ("FirstTooth", 0), ("NextHalf", 187)]
    + [("Top", bit) for bit in (217, 224, 255)],
)
def test_upset_of_constants(name, bit):
    """A constant that is wrong from the beginning, in both of two ways alike."""
    assert signed_with(1, 10, pka.image().names[name], bit) == "refused"


def test_upsets_some():
    check_upsets(16)


@pytest.mark.soak
def test_upsets():
    check_upsets(400)
