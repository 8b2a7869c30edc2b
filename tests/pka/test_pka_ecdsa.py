"""ECDSA on the public-key engine's simulator: others' vectors, edges, faults, cycles.

A run takes the same cycles whatever it is given, bad keys and signatures included.
"""

import hashlib
import itertools
import random
from dataclasses import replace

import pytest
from support import nist_ecdsa, pka, wycheproof
from support.pka_curve import CURVES, FAST, OnCurve, each, each_soaking, every

from cryptile.pka.isa import FAST256, Word, flow
from cryptile.pka.programs import base, comb
from cryptile.pka.programs.ecdh import WINDOW
from cryptile.pka.programs.multiples import windows


def verified(at: OnCurve, x: int, y: int, e: int, r: int, s: int) -> bool:
    result = at.run("verify", {"x": x, "y": y, "e": e, "sig_r": r, "sig_s": s})
    assert result in (None, [r])
    return result is not None


def leftmost(at: OnCurve, function: str, message: str) -> int:
    return at.leftmost(hashlib.new(function, bytes.fromhex(message)).digest())


# --- Verification ------------------------------------------------------------------------------


def wycheproof_cases(
    at: OnCurve,
) -> list[tuple[dict[str, str], tuple[int, int, int, int, int]]]:
    """Return the cases whose signatures are two numbers of the curve's bytes, as rows."""
    cases, size, curve = [], at.size, at.openssl.name
    names = [path.name for path in wycheproof.folder().glob(f"ecdsa_{curve}_*_p1363_test.json")]
    groups = [group for name in names for group in wycheproof.load(name)["testGroups"]]
    for group in groups:
        function = group["sha"].replace("-", "").lower()
        if function not in hashlib.algorithms_guaranteed:
            continue  # those without a fixed length
        x, y = (int(group["publicKey"][name], 16) for name in ("wx", "wy"))
        for case in group["tests"]:
            signature = bytes.fromhex(case["sig"])
            if len(signature) == 2 * size:
                e = leftmost(at, function, case["msg"])
                r, s = (
                    int.from_bytes(part, "big") for part in (signature[:size], signature[size:])
                )
                cases.append((case, (x, y, e, r, s)))
    return cases


def check_wycheproof(at: OnCurve, step: int) -> None:
    cases = wycheproof_cases(at)
    assert len(cases) > 300
    for case, rows in cases[::step]:
        assert verified(at, *rows) == (case["result"] == "valid"), case


@every
def test_wycheproof_some(at):
    check_wycheproof(at, 40)


@pytest.mark.soak
@each
def test_wycheproof(at):
    check_wycheproof(at, 1)


def check_cavp(at: OnCurve, step: int) -> None:
    cases = list(nist_ecdsa.verifications(at.nist))
    assert len(cases) >= 60
    for function, case in cases[::step]:
        x, y, r, s = (int(case[name], 16) for name in ("Qx", "Qy", "R", "S"))
        e = leftmost(at, function, case["Msg"])
        assert verified(at, x, y, e, r, s) == case["Result"].startswith("P"), case


@each_soaking
def test_cavp_some(at):
    check_cavp(at, 6)


@pytest.mark.soak
@each
def test_cavp(at):
    check_cavp(at, 1)


@each
def test_edge_hashes(at):
    """u1 may be zero."""
    x, y = at.public(0xACE)
    for e in (0, at.n, 1, at.longest):
        r, s = at.signed(0xACE, e, 0xBEE)
        assert verified(at, x, y, e, r, s)
        assert not verified(at, x, y, e ^ 2, r, s)


@each
@pytest.mark.parametrize(("d", "u1", "u2"), [(2, 4, 2), (1, 1, 1), (1, 6, 7), (-1, 5, 2)])
def test_equal_and_close_points(at, d, u1, u2):
    """u1 G and u2 Q are equal, or other small multiples of G."""
    n = at.n
    r = at.public((u1 + u2 * d) % n)[0] % n
    s = r * pow(u2, -1, n) % n
    assert verified(at, *at.public(d % n), u1 * s % n, r, s)


@each_soaking
def test_sum_is_infinity(at):
    """u1 G = -u2 Q: no r is right."""
    d, u1, n = 3, 6 * 77, at.n
    for r in (1, at.public(d)[0] % n):
        s = -r * d * pow(u1, -1, n) % n
        assert not verified(at, *at.public(d), u1 * s % n, r, s)


@each
def test_larger_x(at):
    """R's x may be r + n, if that is below p."""
    n = at.n
    x = next(x for x in range(n + 1, n + 100) if at.root(x))
    r, u2 = x - n, 0xABC
    s = r * pow(u2, -1, n) % n
    key = base.multiple(at.curve, pow(u2, -1, n), (x, at.root(x) or 0))
    assert verified(at, *key, 0, r, s)
    assert not verified(at, *key, 0, r + 1, s)


@each_soaking
@pytest.mark.parametrize("place", ["r", "s"])
def test_signature_out_of_range(at, place):
    x, y = at.public(5)
    r, s = at.signed(5, 7, 11)
    for bad in (0, at.n, at.most):
        assert not verified(at, x, y, 7, *((bad, s) if place == "r" else (r, bad)))


@each_soaking
def test_no_public_key(at):
    for point in ((0, 0), (at.p, 1), (1, 1), (at.most, at.most)):
        assert not verified(at, *point, 7, *at.signed(5, 7, 11))


@each_soaking
def test_key_not_reduced(at):
    """A point with x below R - p, as x and as x + p."""
    x = next(x for x in range(5, 100) if at.root(x))
    y = at.root(x)
    r = base.multiple(at.curve, 5, (x, y))[0] % at.n
    s = r * pow(5, -1, at.n) % at.n
    assert verified(at, x, y, 0, r, s)
    assert not verified(at, x + at.p, y, 0, r, s)


def test_hash_too_long():
    """A row of P-521's machine holds hashes with more bits than n: none of them is taken."""
    at = CURVES["p521"]
    x, y = at.public(0xACE)
    for e in (at.longest + 1, at.most):
        assert at.run("sign", {"k": 0xACE, "e": e}, at.seeded(1)) is None
        assert not verified(at, x, y, e, *at.signed(0xACE, e, 0xBEE))


def test_random_rows_longer_than_n():
    """Of a random row as many bits count as n has."""
    at = CURVES["p521"]
    above = at.most - at.longest
    assert at.run("keygen", {}, at.seeded(1, above | 41)) == [42, *at.public(42)]
    made = at.run("sign", {"k": 5, "e": 6}, at.seeded(1, above | 41))
    assert made == [*at.signed(5, 6, 42)]


# --- Signing and keys --------------------------------------------------------------------------


def check_siggen(at: OnCurve, step: int) -> None:
    """NIST's signatures, with their nonces from the random port."""
    cases = list(nist_ecdsa.generations(at.nist))
    assert len(cases) == 60
    for function, case in cases[::step]:
        d, k, r, s = (int(case[name], 16) for name in "dkRS")
        e = leftmost(at, function, case["Msg"])
        assert at.run("sign", {"k": d, "e": e}, at.seeded(k, k - 1)) == [r, s]


@every
def test_siggen_some(at):
    check_siggen(at, 6)


@pytest.mark.soak
@each
def test_siggen(at):
    check_siggen(at, 1)


@every
def test_sign_edges(at):
    n, top = at.n, at.length - 1
    for d, e, k in (
        *((1, 0, 1), (n - 1, at.longest, n - 1), (2, n, 2)),
        *((0xF00, 1, n - 2), (3, n - 1, 1 << top)),
    ):
        r, s = at.run("sign", {"k": d, "e": e}, at.seeded(1, k - 1)) or [0, 0]
        assert (r, s) == at.signed(d, e, k)
        assert at.right(d, e, r, s)


@each_soaking
def test_sign_random(at):
    rng = random.Random(7)
    for turn in range(4):
        d, e = rng.randrange(1, at.n), rng.getrandbits(at.length)
        r, s = at.run("sign", {"k": d, "e": e}, at.seeded(turn)) or [0, 0]
        assert at.right(d, e, r, s)


@each_soaking
def test_key_out_of_range(at):
    for d in (0, at.n, at.most):
        assert at.run("sign", {"k": d, "e": 1}, at.seeded(d)) is None
        assert at.run("public", {"k": d}, at.seeded(d)) is None


@each
def test_zero_signature(at):
    """e = -r d makes s zero."""
    d, k = 12345, 67890
    e = -(at.public(k)[0] % at.n) * d % at.n
    assert at.run("sign", {"k": d, "e": e}, at.seeded(1, k - 1)) is None


@each
def test_candidates(at):
    """The second random row is taken when the first is too large, and there is no third."""
    rows = {"k": 5, "e": 6}
    for bad in (at.n - 1, at.n, at.most):
        r, s = at.run("sign", rows, at.seeded(1, bad, 41)) or [0, 0]
        assert (r, s) == at.signed(5, 6, 42)
        assert at.run("sign", rows, at.seeded(1, bad, at.n + 1)) is None
        assert at.run("keygen", {}, at.seeded(1, bad, 41)) == [42, *at.public(42)]
        assert at.run("keygen", {}, at.seeded(1, bad, at.n + 1)) is None


@each
def test_stuck_random_port(at):
    """The same row again and again gives no nonce and no key."""
    for row in (0, 41, at.most):
        assert at.run("sign", {"k": 5, "e": 6}, itertools.repeat(row)) is None
        assert at.run("keygen", {}, itertools.repeat(row)) is None


@each_soaking
@pytest.mark.parametrize("place", [2, 3, 4, 5])
def test_dead_random_rows(at, place):
    """A blind or a coordinate of zero gives no wrong signature, and in most places none at all."""
    for dead in (0, at.n, at.p):
        draws = [41, 43, *(99 + n for n in range(4))]
        draws[place] = dead
        made = at.run("sign", {"k": 5, "e": 6}, iter(draws))
        assert made in (None, list(at.signed(5, 6, 42)))
        assert dead or made is None


@each
@pytest.mark.parametrize("d", [1, 2, 3, -1, -2, 1 << 128, 0xFACE << 200])
def test_public(at, d):
    assert at.run("public", {"k": d % at.n}, at.seeded(d)) == [*at.public(d % at.n)]


@every
def test_keygen(at):
    d, x, y = at.run("keygen", {}, at.seeded(9)) or [1, 0, 0]
    assert (x, y) == at.public(d)


# --- Parts -------------------------------------------------------------------------------------


def edges_of_inverses(n: int) -> list[int]:
    edges = (1, 2, 3, n - 1, n - 2, (n + 1) // 2, 1 << n.bit_length() - 1, 2**64, n // 3)
    return [v for x in edges for v in (x, 7 * x % n, x ^ 0xFF)]


@pytest.mark.parametrize("at", [CURVES["p256"], FAST["p256-fast"]], ids=["p256", "p256-fast"])
def test_inverse_beside_others(at):
    """With P-256 both inverses of a signature stand in one subroutine."""
    image, n, p, r = at.image, at.n, at.p, at.curve.r
    rows, d = image.names, image.names["gv"]
    zero, one = rows["Zero"], rows["One"]
    # What is held, v, comes out as -v / 2.
    give = [
        Word("gcd", d, one),
        Word("cof", d, zero),
        Word("add", d, d, d),
        Word("sub", d, zero, d),
    ]
    end = [Word("mod"), *(give if at.width.rich else ()), Word("halt")]
    for value in edges_of_inverses(n):
        machine = at.started({"ga": value, "pz": value * r % p}, iter(()))
        machine.code = [*image.code, flow("call", image.entries["both_invert"]), *end]
        machine.run(len(image.code))
        assert machine.rows[d] == r * pow(value, -1, n) % n
        assert machine.rows[rows["t"]] == pow(value, -1, p) * r % p


@each
def test_inverse(at):
    """Of edges, and what 7 x and its like give; that of zero is zero."""
    image, p, r = at.image, at.p, at.curve.r
    for value in (0, *edges_of_inverses(p)):
        machine = at.started({"pz": value * r % p}, iter(()))
        machine.code = [*image.code, flow("call", image.entries["curve_invert"]), Word("halt")]
        machine.run(len(image.code))
        assert machine.rows[image.names["t"]] == (value and pow(value, -1, p) * r % p)
        assert machine.rows[image.names["ga"]] == 0
        if value and not at.width.rich:
            assert machine.rows[image.names["gb"]] == 1


def test_no_secret_is_a_digit_of_get():
    """Which row is read depends on data in verification alone; all programs go one way."""
    image, found = pka.image(FAST256), set()
    for entry in image.results:
        words: list[Word] = []
        machine = pka.started({}, itertools.count(1), FAST256)
        machine.watch = lambda cycle, word, clock, words=words: words.append(word)
        machine.run(image.entries[entry])
        if any(word.name == "get" for word in words):
            found.add(entry)
    assert found == {"p256_verify"}


@each
def test_comb_table(at):
    """Each entry is its multiple of G."""
    image, teeth = at.image, base.comb(at.curve)
    for half in range(comb.HALVES):
        for entry in range(teeth.entries):
            point = at.public(teeth.column(half, entry) % at.n)
            for c, value in zip("xy", point, strict=True):
                row = image.names[f"Comb{c}{half}/{entry}"]
                assert image.constants[row] == value * at.curve.r % at.p


def columns(at: OnCurve, c: int) -> list[list[int]]:
    """Return the multiples of G that are added, by half, from the highest column down.

    Digits are 1 or -1, the lowest one that of 1.
    """
    teeth = base.comb(at.curve)
    count = len(teeth.blocks) * teeth.columns
    bits = c + (1 << count) - 1 >> 1
    of = [2 * (bits >> j & 1) - 1 for j in range(count)]
    return [
        [
            sum(of[place + i] << place for place in teeth.places(half))
            for i in reversed(range(teeth.columns))
        ]
        for half in range(comb.HALVES)
    ]


def exceptional(at: OnCurve, c: int) -> bool:
    """Return whether a sum of the comb has equal or opposite parts, or infinity."""
    lower, upper = columns(at, c)
    total, met, n = 0, False, at.n
    for number in range(at.curve.columns):
        total *= 2
        for part in (upper[number], lower[number]):
            met |= bool(number or part is lower[number]) and 0 in (
                total % n,
                (total - part) % n,
                (total + part) % n,
            )
            total += part
    assert total == c
    return met and total % n != 0


def last_parts(at: OnCurve) -> list[int]:
    """Return each c = n + 2 L below n of which L is the last part that is added."""
    teeth, n = base.comb(at.curve), at.n
    signs = itertools.product((1, -1), repeat=teeth.teeth)
    parts = [
        sum(s << place for s, place in zip(some, teeth.places(0), strict=True)) for some in signs
    ]
    return [n + 2 * c for c in parts if n + 2 * c < n and columns(at, n + 2 * c)[0][-1] == c]


@each
def test_exceptions(at):
    """No odd c below n meets an exceptional addition.

    Let A be the sum before a column's parts are added, U and L: A is even. As integers A, A + U and
    A - U, A + U + L, A + U - L are not zero: A is twice an odd number, U a multiple of 2^columns, L
    odd. Before the last column they are smaller than n: A + U + L is c / 2^i for an i of 1 or more,
    but for less than 2^(place + 1) with the place of the highest block, and U and L are smaller
    than that, too; A - U is that sum less 2 U + L. In the last, A + U + L = c, and so A = c - U -
    L, A + U = c - L and A - U = c - L - 2 U are even and below 2 n, hence not n. A + U - L = c - 2
    L is odd and may be n: L has 32 values, c = n + 2 L is below n for 16. One L alone fits the
    digits of that c: its tooth's digit is -1 where n has a one, and the highest of them says
    whether c is below n.
    """
    place = base.comb(at.curve).places(1)[-1]
    assert at.n // 2 + 4 * (1 << place + 1) < at.n
    assert last_parts(at) == []
    rng, n = random.Random(26), at.n
    some = (rng.randrange(1, n, 2) for _ in range(100))
    for c in (1, 3, n - 2, n - 4, (1 << at.length - 1) + 1, *some):
        assert not exceptional(at, c)


def test_exceptions_of_another_comb():
    """One of fewer columns, or interleaved as that of P-256, would meet one."""
    for name, fewer in (("p384", [39]), ("p521", [53, 54, 55, 56])):
        at = CURVES[name]
        changes = [(columns, way) for columns in fewer for way in (True, False)]
        for columns, interleaved in [*changes, (at.curve.columns, True)]:
            curve = replace(at.curve, columns=columns, interleaved=interleaved)
            other = replace(at, curve=curve)
            (c,) = last_parts(other)
            assert exceptional(other, c)


@each
def test_exceptions_of_verification(at):
    """In the last window 2^n a - d = k - 2 d may be n, but no such k has the last digit d."""
    size = windows(at.curve)[1] or WINDOW
    most = (1 << size) - 1
    for d in range(-most, 0, 2):
        k = at.n + 2 * d
        assert 2 * (k >> 1 & most) - most != d


@each_soaking
def test_last_window(at):
    """k = n - u2 = n + 2 d for each d: were d k's last digit, the last sum would be of equals."""
    x, y = at.public(0xD00D)
    for u2 in range(2, 64, 4):
        r, u1 = at.public((5 + u2 * 0xD00D) % at.n)[0] % at.n, 5
        s = r * pow(u2, -1, at.n) % at.n
        assert verified(at, x, y, u1 * s % at.n, r, s), u2


# --- Faults ------------------------------------------------------------------------------------


def upset(at: OnCurve, seed: int) -> str:
    """Sign while a bit of a row flips, every other time of one in use."""
    rng = random.Random(seed)
    when, row, bit = rng.randrange(10, ISSUED[at.name]), rng.randrange(256), rng.randrange(at.bits)
    if rng.randrange(2):
        row = at.image.names[rng.choice(LIVE)]
    return signed_with(at, seed, when, row, bit)


def signed_with(at: OnCurve, seed: int, when: int, row: int, bit: int) -> str:
    """Sign while a bit flips behind the instruction of a number; return what came of it."""
    rng = random.Random(seed)
    d, e = rng.randrange(1, at.n), rng.getrandbits(at.length)
    machine = at.started({"k": d, "e": e}, at.seeded(seed))
    count = 0

    def watch(cycle: int, word: Word, clock: object) -> None:
        nonlocal count
        count += 1
        if count == when and row in machine.rows:
            machine.rows[row] ^= 1 << bit

    machine.watch = watch
    outcome = machine.run(at.entry("sign"))
    r, s = (machine.rows[at.image.names["result"] + n] for n in range(2))
    if outcome.flag:
        return "refused"
    return "right" if at.right(d, e, r, s) else f"wrong: {seed} {when} {row} {bit}"


ISSUED = {"p256": 14_500, "p256-fast": 7_200, "p384": 22_300, "p521": 31_300}
"""Instructions of a signature, about."""

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
    "N",
    "NegativeN",
    "SquareN",
    "P",
    "SquareP",
    "Zero",
    "FirstTooth",
    "NextHalf",
    "Top",
    "LessN",
    "OneP",
    "B",
)
"""Rows in use, of all machines."""


def check_upsets(at: OnCurve, runs: int) -> None:
    ends = [upset(at, seed) for seed in range(runs)]
    assert set(ends) == {"refused", "right"}


@each
@pytest.mark.parametrize("when", [200, 2000, 5000])
@pytest.mark.parametrize("name", ["mz1", "mz10"])
def test_upset_of_digits(at, when, name):
    """Another multiple of G is a point of the curve, too: one in the first product, or second."""
    assert signed_with(at, 1, when, at.image.names[name], at.bits - 4) == "refused"


@each
@pytest.mark.parametrize(
    ("name", "below"),
    [
        *(("Zero", 39), ("Zero", 1), ("One", 256), ("One", 249), ("One", 1)),
        *(("FirstTooth", 256), ("NextHalf", 69), ("Top", 39), ("Top", 32), ("Top", 1)),
    ],
)
def test_upset_of_constants(at, name, below):
    """A constant that is wrong from the beginning, in both of two ways alike."""
    assert signed_with(at, 1, 10, at.image.names[name], at.bits - below) == "refused"


@each_soaking
def test_upsets_some(at):
    check_upsets(at, 16)


@pytest.mark.soak
@each
def test_upsets(at):
    check_upsets(at, 400)
