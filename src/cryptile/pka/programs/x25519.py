"""X25519 (RFC 7748): a Montgomery ladder with random projective coordinates.

Rows: ``k`` the scalar as it comes, ``u`` the coordinate as it comes, ``result``. The outcome is
true if the result is zero, which RFC 7748 has the caller refuse: u was of small order.

Values stay below 2p = 2^256 - 38, the modulus of all operations but the last. The ladder keeps the
point that was doubled and the one that was added to, not the lower and the upper one: the next step
doubles the other one of them if its bit of k differs from the bit before. DA and CB are the same
for both, but for a sign that is squared.
"""

from cryptile.pka.builder import Builder
from cryptile.pka.isa import P25519, Kind
from cryptile.pka.programs import euclid, powers
from cryptile.pka.programs.checks import fail, give, start

BITS = 255
P = P25519
A24 = 121665
CLAMP_AND, CLAMP_OR = 2**254 - 8, 2**254


def rows(b: Builder) -> None:
    """Name the rows; k, result and t are there already."""
    b.row("u", "x2", "z2", "x3", "z3", "p5", "p10", "p50", "p11")


def write(b: Builder) -> None:
    """Write the program ``x25519``; constants Zero and One are there already."""
    b.kind = Kind.FOLD
    b.constant("M25519", 2 * P)
    b.constant("P25519", P)
    b.constant("A24", A24)
    b.constant("ClampAnd", CLAMP_AND)
    b.constant("ClampOr", CLAMP_OR)
    b.constant("Mask255", 2**255 - 1)
    b.entry("x25519_power")
    _power(b)
    b.ret()
    b.entry("x25519_inverse")
    euclid.loop(b, "p25519", euclid.steps(BITS))
    b.ret()
    b.program("x25519")
    _begin(b)
    with b.loop(BITS), b.piece():
        _step(b)
    with b.piece():
        b.mod("p25519")
        euclid.begin(b, "p25519", b.add("z2", "Zero"), b.add("x2", "Zero"))
    b.call("x25519_inverse")
    with b.piece():
        x = euclid.end(b, "p25519")
        b.subx(b.copy(x, "u"), "One")
        fail(b)
    give(b, "u")


def _begin(b: Builder) -> None:
    """Infinity is (x2 : 0), the point (u z3 : z3); x2 and z3 are random."""
    b.rnd("x2")
    b.rnd("z3")
    with b.piece():
        start(b)
        b.mod("m25519")
        b.land("u", "Mask255", "u")
        clamped = b.xor(b.land("k", "ClampAnd"), "ClampOr")
        b.xor(b.addx(clamped, clamped), clamped, "k")
        b.add("x2", "Zero", "x2")
        b.copy("Zero", "z2")
        b.add("z3", "Zero", "z3")
        b.mul("u", "z3", "x3")


def _step(b: Builder) -> None:
    """Take one bit: the highest of ``k``, which is the xor of two bits of the scalar."""
    x2, z2, x3, z3 = "x2", "z2", "x3", "z3"
    plus2, minus2 = b.add(x2, z2), b.sub(x2, z2)
    plus3, minus3 = b.add(x3, z3), b.sub(x3, z3)
    b.addx("k", "k", "k")
    plus, minus = b.sel(plus3, plus2), b.sel(minus3, minus2)
    da, cb = b.mul(minus3, plus2), b.mul(plus3, minus2)
    aa, bb = b.sqr(plus), b.sqr(minus)
    e = b.sub(aa, bb)
    b.mul(aa, bb, x2)
    b.mul(e, b.add(aa, b.mul1(e, "A24")), z2)
    b.sqr(b.add(da, cb), x3)
    b.mul("u", b.sqr(b.sub(da, cb)), z3)


def _power(b: Builder) -> None:
    """Compute t = z2^(2^250 - 1)."""
    with b.piece():
        square = b.sqr("z2", "t")
        nine = b.mul(b.sqr(b.sqr(square)), "z2")
        eleven = b.mul(nine, square)
        b.mul(b.sqr(eleven), nine, "p5")
    links = (
        (5, "p5", "p5", "p10"),
        (10, "p10", "p10", "x3"),
        (20, "x3", "x3", "t"),
        (10, "t", "p10", "p50"),
        (50, "p50", "p50", "x3"),
        (100, "x3", "x3", "t"),
        (50, "t", "p50", "t"),
    )
    powers.chain(b, links, "z3")
