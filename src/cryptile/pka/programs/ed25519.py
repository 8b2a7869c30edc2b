"""Ed25519 (RFC 8032, FIPS 186-5): keys, signing in two steps, verification.

The engine does not hash: who asks for a program does, and gives hashes as rows of 256 bits,
lower bytes first. All numbers and points are as RFC 8032 writes them, little-endian.

Program ``ed25519_public``: the public key A of ``k``, the lower half of the seed's hash.

Program ``ed25519_commit``: R = r B of the hash r in ``nonce0`` and ``nonce1``, that of the seed's
upper half and the message.

Program ``ed25519_sign``: R and S = r + h a of ``k`` and r as above, and of h in ``hash0`` and
``hash1``, the hash of R, A and the message, which are for no other R: ``sig_r`` is what the first
step gave, and the outcome is true if it is not r B. Each product with a is made two times, of
copies and with other random numbers, and what is unlike makes the outcome true.

Program ``ed25519_keygen``: a key k, of a random row, and A.

Program ``ed25519_nonce``: of ``k``, which is given again, a nonce r, of a random row, and R = r B.
k and r are for who keeps them as a key that serves ``ed25519_sign_once`` one time, and for nobody
else: r is as secret as k, and two answers by it give k away.

Program ``ed25519_sign_once``: as ``ed25519_sign``, with r in ``nonce0`` alone.

Program ``x25519_keygen``: a scalar, a random row as it was drawn, which ``x25519`` clamps, and its
public key: the multiple of B is the one of 9, in coordinates of this curve, u = (1 + y) / (1 - y)
(RFC 7748, 4.1). So it takes less time than the ladder, and can be made two times.

Program ``ed25519_verify``: ``u`` the public key A, ``sig_r`` and ``sig_s`` the signature, h as
above; the result is R. The outcome is true if A is no point of the curve in its one encoding, S is
not below the order L, or R is not S B - h A, as bytes. The cofactor is not multiplied by.

The outcome is also true if a random coordinate was zero, or if a key or a nonce was to be made of a
random row that is the same as the next one, as from a port that is stuck.

Points are (X : Y : Z : T), x = X / Z, y = Y / Z, x y = T / Z, and additions those of Hisil and
others (2008/522, a = -1), which are right for all points of the curve, as d is no square. Field
elements are below 2 p, as in X25519.

The comb has four teeth, 64 digits apart, in halves of 32 columns. An even scalar has L added. Its
table is loaded from the ROM for each product.
"""

from cryptile.pka.builder import Builder
from cryptile.pka.isa import L25519, WIDTH256, Kind
from cryptile.pka.programs import euclid, powers
from cryptile.pka.programs.checks import (
    equal,
    fail,
    fail_unless,
    give,
    give_compared,
    start,
    step,
    unlike,
    unlike_rom,
    whole,
    zero,
)
from cryptile.pka.programs.comb import HALVES, Comb
from cryptile.pka.programs.order import Order, lowest, times
from cryptile.pka.programs.x25519 import CLAMP_AND, CLAMP_OR, P

L = L25519
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
"""A square root of -1."""

BASE = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    4 * pow(5, -1, P) % P,
)
"""The base point B (RFC 8032, 5.1)."""

R = 1 << WIDTH256.bits
WINDOW = 4
MULTIPLES = 1 << WINDOW - 1
WINDOWS = WIDTH256.bits // WINDOW

Point = tuple[str, str, str, str]
POINT: Point = ("px", "py", "pz", "qx")
KEPT: Point = ("ax", "ay", "az", "affine")
"""The multiple of B, while that of A is made."""

_TABLE = [f"m{c}{n}" for n in range(1, 17) for c in "xyz"]
_SIZE = 8 * 3

COMB = Comb(
    width=WIDTH256,
    teeth=4,
    columns=32,
    interleaved=True,
    bits=(("ga", "gb", "gu", "gv"), KEPT),
    tables=tuple(
        tuple(tuple(_TABLE[_SIZE * half + c : _SIZE * (half + 1) : 3]) for c in range(3))
        for half in range(HALVES)
    ),
    first="qy",
    step="qz",
    work=("low", "blind"),
)
ORDER = Order("L25519", "el")


def rows(b: Builder) -> None:
    """Name the rows, which others have, too.

    None with a secret is given by another program: who gets from one to the end of another, by an
    upset, finds no key there.
    """
    b.share(nonce0="nonce", nonce1="other", hash0="key2", hash1="hash2")
    b.share(fresh="hash2", held="e", held_nonce="u")
    b.share(key3="c2", hash2l="e32", hash2h="r", code="sum", code2="flip", el="e2", square="e30")
    b.share(blind1="ga", blind2="gb", u1="ga", v1="gb", d2="gu", uv3="gv", sign="x", h="r")


def write(b: Builder) -> None:
    """Write the programs; what x25519, order and base have is there already."""
    b.kind = Kind.FOLD
    b.constant("L25519", L)
    _subroutines(b)
    _key(b, "public", "k", ("code",))
    _commit(b)
    _sign(b, "sign", ("nonce0", "nonce1"))
    _verify(b)
    _key(b, "keygen", "fresh", ("fresh", "code"))
    _nonce(b)
    _sign(b, "sign_once", ("nonce0",))
    _montgomery(b)


# --- Points ------------------------------------------------------------------------------------


def _subroutines(b: Builder) -> None:
    """Write ``base``, P = c B with the random row pz, and ``encode``, ``code`` of P."""
    b.entry("ed25519_base")
    with b.piece():
        b.mod("m25519")
        for half, table in enumerate(COMB.tables):
            for entry, names in enumerate(zip(*table, strict=True)):
                for name, value in zip(names, _niels(COMB.column(half, entry)), strict=True):
                    b.load(value, name)
        for name, value in zip((COMB.first, COMB.step), COMB.factors, strict=True):
            b.load(value, name)
        COMB.digits(b, "c")
        b.add("pz", "Zero", "pz")
        b.copy("pz", "py")
        b.copy("Zero", "px")
    with b.loop(COMB.columns), b.piece():
        sum_ = _double(b, ("px", "py", "pz"))
        for half in range(HALVES):
            names = ("px", "py", "pz", "-") if half else ("", "", "", "")
            sum_ = _add(b, sum_, _chosen(b, half), names)
    b.ret()
    b.entry("ed25519_encode")
    with b.piece():
        b.mod("p25519")
        # Of the ROM: a row of One that is wrong would make both of two results wrong alike.
        euclid.begin(b, "p25519", b.add("pz", "Zero"), b.load(1, "gu"))
    b.call("x25519_inverse")
    with b.piece():
        inverse = euclid.end(b, "p25519")
        b.mod("m25519")
        x, y = b.mul("px", inverse), b.mul("py", inverse)
        b.mod("p25519")
        lowest(b, b.add(x, "Zero"))
        sign = b.sel("Top", "Zero")
        b.xor(b.add(y, "Zero"), sign, "code")
        b.subx(b.add("pz", "Zero"), "One")
        fail(b)
    b.ret()


def _niels(k: int) -> tuple[int, int, int]:
    """Return y + x, y - x and 2 d x y of k times the base point."""
    x, y = multiple(k)
    return (y + x) % P, (y - x) % P, 2 * D * x * y % P


def multiple(k: int, point: tuple[int, int] = BASE) -> tuple[int, int]:
    """Return k times a point, affine, for the tables."""
    found = 0, 1, 1
    for bit in bin(k)[2:]:
        found = _sum(found, found)
        if bit == "1":
            found = _sum(found, (*point, 1))
    x, y, z = found
    return x * pow(z, -1, P) % P, y * pow(z, -1, P) % P


def _sum(one: tuple[int, int, int], other: tuple[int, int, int]) -> tuple[int, int, int]:
    """Add homogeneous points (add-2008-bbjlp of the Explicit-Formulas Database)."""
    (x1, y1, z1), (x2, y2, z2) = one, other
    a, c, d = z1 * z2 % P, x1 * x2 % P, y1 * y2 % P
    e = D * c * d
    f, g = (a * a - e) % P, (a * a + e) % P
    return a * f * ((x1 + y1) * (x2 + y2) - c - d) % P, a * g * (d + c) % P, f * g % P


def _chosen(b: Builder, half: int) -> Point:
    """Return the entry of a half's next column; its Z is 1."""
    plus, minus, t = COMB.choose(b, half)
    one, other = b.sel(plus, minus), b.sel(minus, plus)
    return one, other, b.sel(t, b.sub("Zero", t)), ""


def _double(b: Builder, point: tuple[str, str, str], t: bool = True) -> Point:
    """Double a point; T is made if it is asked for."""
    x, y, z = point
    xx, yy, zz = b.sqr(x), b.sqr(y), b.sqr(z)
    h, g = b.add(xx, yy), b.sub(xx, yy)
    e, f = b.sub(h, b.sqr(b.add(x, y))), b.add(b.add(zz, zz), g)
    return _last(b, (e, f, g, h), ("", "", "", "" if t else "-"))


def _add(b: Builder, one: Point, cached: Point, names: Point) -> Point:
    """Add a point of which Y + X, Y - X, 2 d T, 2 Z are given; without the last Z is 1."""
    x, y, z, t = one
    plus, minus, t2, z2 = cached
    a, c = b.mul(b.sub(y, x), minus), b.mul(t, t2)
    h = b.mul(b.add(y, x), plus)
    d = b.mul(z, z2) if z2 else b.add(z, z)
    parts = b.sub(h, a), b.sub(d, c), b.add(d, c), b.add(h, a)
    return _last(b, parts, names)


def _last(b: Builder, parts: Point, names: Point) -> Point:
    """Return the point (e f : g h : f g : e h); a name "-" of T leaves it out."""
    e, f, g, h = parts
    x, y, z, t = names
    found = b.mul(e, f, x), b.mul(g, h, y), b.mul(f, g, z)
    return *found, "" if t == "-" else b.mul(e, h, t)


# --- Scalars -----------------------------------------------------------------------------------


def _order(b: Builder) -> None:
    """Take L for the modulus, with what products need."""
    b.mod("l25519")
    b.load(-pow(L, -1, R) % R, "el")
    b.load(R * R % L, "square")


def _times(b: Builder, x: str, y: str) -> str:
    return times(b, x, y, order=ORDER)


def _reduced(b: Builder, low: str, high: str = "") -> str:
    """Return low + 2^256 high modulo L; without ``high`` it is zero."""
    if not high:
        return _times(b, b.load(R % L, ""), low)
    return b.add(_times(b, "square", high), _times(b, b.load(R % L, ""), low))


def _odd_scalar(b: Builder, x: str, d: str) -> None:
    """Compute d = x if it is odd, else x + L."""
    both = b.addx(x, "L25519")
    lowest(b, x)
    b.sel(x, both, d)


def _clamped(b: Builder, key: str = "k") -> str:
    return b.xor(b.land(key, "ClampAnd"), "ClampOr")


# --- Programs ----------------------------------------------------------------------------------


def _key(b: Builder, name: str, key: str, given: tuple[str, ...]) -> None:
    """Write a program that computes A of a key two times; the key ``fresh`` is a random row."""
    b.program(f"ed25519_{name}", len(given))
    if key == "fresh":
        b.rnd(key)
    b.rnd("pz")
    with b.piece():
        start(b)
        if key == "fresh":
            unlike(b, key, "pz")
            b.copy(key, "held")
        for scalar in ("c2", "c"):
            _odd_scalar(b, _clamped(b, key), scalar)
    b.call("ed25519_base")
    b.call("ed25519_encode")
    b.rnd("pz")
    with b.piece():
        step(b)
        b.copy("code", "code2")
        b.copy("c2", "c")
    b.call("ed25519_base")
    b.call("ed25519_encode")
    with b.piece():
        step(b)
        equal(b, "code", "code2")
        if key == "fresh":
            equal(b, key, "held")
        whole(b, key)
        unlike_rom(
            b, Zero=0, ClampAnd=CLAMP_AND, ClampOr=CLAMP_OR, L25519=L, P25519=P, Top=COMB.top
        )
    give_compared(b, *given)


def _montgomery(b: Builder) -> None:
    """Write the program of X25519's keys.

    ``fast`` has no room for what `_key` would be: both computations are one loop, of which
    ``code2`` is the exclusive or, and constants are looked at in one copy. Results and constants
    are asked for apart: a wrong constant and what it made wrong could hide one another.
    """
    b.program("x25519_keygen", 2)
    b.rnd("fresh")
    with b.piece():
        start(b)
        whole(b, "fresh")
        b.copy("fresh", "held")
        b.copy("Zero", "code2")
    with b.loop(2):
        b.rnd("pz")
        with b.piece():
            step(b)
            unlike(b, "fresh", "pz")
            _odd_scalar(b, _clamped(b, "fresh"), "c")
        b.call("ed25519_base")
        with b.piece():
            above = b.add("pz", "py")
            b.sub("pz", "py", "pz")
            b.copy(above, "py")
            b.copy("Zero", "px")
        b.call("ed25519_encode")
        with b.piece():
            b.xor("code2", "code", "code2")
    with b.piece():
        step(b)
        zero(b, b.xor("code2", b.xor("fresh", "held")))
        wrong = b.load(CLAMP_AND ^ CLAMP_OR ^ L ^ P ^ COMB.top, "")
        for name in ("ClampAnd", "ClampOr", "L25519", "P25519", "Top", "Zero"):
            wrong = b.xor(wrong, name)
        zero(b, b.addx("Zero", wrong))  # in its other copy, too: both wrong are no sum of zero
    give_compared(b, "fresh", "code")


def _commit(b: Builder) -> None:
    b.program("ed25519_commit")
    b.rnd("pz")
    _begin(b, ("nonce0", "nonce1"))
    b.call("ed25519_base")
    b.call("ed25519_encode")
    give(b, "code")


def _nonce(b: Builder) -> None:
    b.program("ed25519_nonce", 3)
    b.rnd("nonce0")
    b.rnd("pz")
    with b.piece():
        start(b)
        for row, copy in (("k", "held"), ("nonce0", "held_nonce")):
            whole(b, row)
            b.copy(row, copy)
        unlike(b, "nonce0", "pz")
        _scalar(b, ("nonce0",))
    b.call("ed25519_base")
    b.call("ed25519_encode")
    with b.piece():
        step(b)
        equal(b, "k", "held")
        equal(b, "nonce0", "held_nonce")
    give_compared(b, "held", "held_nonce", "code")


def _begin(b: Builder, nonce: tuple[str, ...]) -> None:
    with b.piece():
        start(b)
        _scalar(b, nonce)


def _scalar(b: Builder, nonce: tuple[str, ...]) -> None:
    """Compute ``c`` for R; the modulus is L."""
    _order(b)
    _odd_scalar(b, _reduced(b, *nonce), "c")


def _sign(b: Builder, name: str, nonce: tuple[str, ...]) -> None:
    b.program(f"ed25519_{name}", 2)
    with b.piece():
        for row, copy in (("k", "key3"), ("hash0", "hash2l"), ("hash1", "hash2h")):
            b.copy(row, copy)
    b.rnd("pz")
    _begin(b, nonce)
    b.call("ed25519_base")
    b.call("ed25519_encode")
    b.rnd("blind1")
    b.rnd("blind2")
    with b.piece():
        step(b)
        for row in ("k", "hash0", "hash1"):
            whole(b, row)
        equal(b, "code", "sig_r")
        _order(b)
        r = _reduced(b, *nonce)
        one, other = _answer(b, _reduced(b, "hash0", "hash1"), "k", "blind1", negative=False)
        b.add(b.add(r, one), other, "sig_s")
        _order(b)
        r = b.add("c", "Zero")
        one, other = _answer(b, _reduced(b, "hash2l", "hash2h"), "key3", "blind2", negative=True)
        b.sub(b.add(r, one), other, "key3")
        equal(b, "sig_s", "key3")
    with b.piece():  # behind all that takes them
        unlike_rom(b, Zero=0, ClampAnd=CLAMP_AND, ClampOr=CLAMP_OR, L25519=L)
    give_compared(b, "code", "sig_s", copies=("sig_r", "key3"))


def _answer(b: Builder, h: str, key: str, blind: str, *, negative: bool) -> tuple[str, str]:
    """Compute h a, with a in two random parts: one part's product, and the other's or its negative.

    Twice the same steps would give the same of products that are late, as they are all if an upset
    makes the engine forget that it waits for one: neither would be found wrong.
    """
    one = _times(b, "square", blind)
    whole_key = _times(b, "square", _clamped(b, key))
    other = b.sub(one, whole_key) if negative else b.sub(whole_key, one)
    return _times(b, h, one), _times(b, h, other)


# --- Verification ------------------------------------------------------------------------------


def _verify(b: Builder) -> None:
    b.program("ed25519_verify", zero=True)
    with b.piece():
        start(b)
        b.subx("sig_s", "L25519")
        fail_unless(b)
        _order(b)
        b.copy(_reduced(b, "hash0", "hash1"), "h")
        _odd_scalar(b, "sig_s", "c")
        b.copy("One", "pz")
    b.call("ed25519_base")
    with b.piece():
        step(b)
        b.load(2 * D % P, "d2")
        square, product = b.sqr("pz"), b.mul("px", "py")
        x, y = b.mul("px", "pz"), b.mul("py", "pz")
        _cache(b, (x, y, square, product), KEPT)
    _decode(b)
    with b.piece():
        _cache(b, POINT, _row(1))
    for n in range(2, MULTIPLES + 1):
        with b.piece():
            _cache(b, _add(b, POINT, _row(1), POINT), _row(n))
    with b.piece():
        step(b)
        for row, value in zip(POINT, ("Zero", "One", "One", "Zero"), strict=True):
            b.copy(value, row)
    with b.loop(WINDOWS), b.piece():
        sum_: Point = POINT
        for number in reversed(range(WINDOW)):
            sum_ = _double(b, sum_[:3], t=number == 0)
        _add(b, sum_, _multiple(b), POINT)
    with b.piece():
        step(b)
        _add(b, POINT, KEPT, POINT)
    b.call("ed25519_encode")
    with b.piece():
        step(b)
        equal(b, "code", "sig_r")
    give(b, "sig_r")


def _decode(b: Builder) -> None:
    """P = -A, of ``u`` (RFC 8032, 5.1.3): x^2 = u / v, u = y^2 - 1, v = d y^2 + 1."""
    with b.piece():
        y = b.land("u", "Mask255", "py")
        b.subx(y, "P25519")
        fail_unless(b)
        b.addx("u", "u")
        b.sel("One", "Zero", "sign")
        yy = b.sqr(y)
        u, v = b.sub(yy, "One", "u1"), b.add(b.mul(yy, b.load(D, "")), "One", "v1")
        v3 = b.mul(b.sqr(v), v)
        b.mul(u, v3, "uv3")
        b.mul(b.mul(b.sqr(v3), v), u, "z2")
    b.call("x25519_power")
    powers.chain(b, ((2, "t", "z2", "t"),), "z3")
    with b.piece():
        x = b.mul("uv3", "t")
        square = b.mul("v1", b.sqr(x))
        turned = b.mul(x, b.load(ROOT, ""))
        less, more = b.sub(square, "u1"), b.add(square, "u1")
        b.mod("p25519")
        b.subx("Zero", b.add(more, "Zero"))
        wrong = b.sel("One", "Zero")
        b.subx("Zero", b.add(less, "Zero"))
        wrong = b.sel(wrong, "Zero")
        x = b.add(b.sel(turned, x), "Zero")
        b.subx("Zero", wrong)
        fail(b)
        b.subx(x, "One")
        b.subx("Zero", b.sel("sign", "Zero"))
        fail(b)
        lowest(b, x)
        unlike = b.xor(b.sel("One", "Zero"), "sign")
        b.subx("Zero", unlike)
        b.sel(x, b.sub("Zero", x), "px")
        b.mod("m25519")
        b.copy("One", "pz")
        b.mul("px", "py", "qx")


def _row(n: int) -> Point:
    """Return the row of n times -A."""
    x, y, z, t = _TABLE[4 * n - 4 : 4 * n]
    return x, y, z, t


def _cache(b: Builder, point: Point, names: Point) -> None:
    """Keep a point for additions: Y + X, Y - X, 2 d T, 2 Z."""
    x, y, z, t = point
    plus, minus, t2, z2 = names
    b.add(y, x, plus)
    b.sub(y, x, minus)
    b.mul(t, "d2", t2)
    b.add(z, z, z2)


def _multiple(b: Builder) -> Point:
    """Return the multiple for the highest window of ``h``, which moves up.

    A window of four bits and the one below are six for ``dig`` with the highest one twice.
    """
    shifted = b.half("h", "Zero")
    b.dig(b.xor(shifted, b.land("h", "Top")))
    for _ in range(WINDOW):
        b.addx("h", "h", "h")
    found = ["One", "One", "Zero", b.load(2, "")]
    for n in range(1, MULTIPLES + 1):
        found = [
            b.sel(row, before, "", "digit", n) for row, before in zip(_row(n), found, strict=True)
        ]
    plus, minus, t, z = found
    one, other = b.sel(minus, plus, "", "negative"), b.sel(plus, minus, "", "negative")
    return one, other, b.sel(b.sub("Zero", t), t, "", "negative"), z
