"""P-256 (FIPS 186-5, SP 800-56A): ECDH, the product of a point and a blinded scalar.

Program ``p256_ecdh``, rows: ``k`` the scalar, ``x`` and ``y`` the other side's point, ``result``
the product's x. The outcome is true, and the result is zero, if k is not in 1 to n - 1, x or y is
not below p, or the point is not on the curve; a scalar of zero is taken then. So it is if the
product is infinity, which takes a random coordinate of zero, or a fault.

The scalar is k + r n with 64 random bits r, taken in 65 windows of five bits recoded by Booth, from
a table of the multiples 1 to 16 that is read whole. Additions are those of Renes, Costello and
Batina (2015/1060, a = -3), which are right for all points of the curve, in homogeneous coordinates
(X : Y : Z), x = X / Z, y = Y / Z. Doublings are in Jacobian coordinates, x = X / Z^2, y = Y / Z^3,
and right for all points, too: y = 0 is not on the curve, and infinity, (X : Y : 0), stays infinity
as long as Y is not zero, to which a selection behind each addition sees. Field elements are
Montgomery's, a 2^256 mod p, and below p.
"""

from cryptile.pka.builder import Builder
from cryptile.pka.isa import P256, ROW_BITS, Kind
from cryptile.pka.programs import powers
from cryptile.pka.programs.checks import fail, fail_unless, give, start

N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
R = 1 << ROW_BITS

WINDOW = 5
MULTIPLES = 1 << WINDOW - 1
BLIND_BITS = 64
WINDOWS = -(-(ROW_BITS + BLIND_BITS + 1) // WINDOW)
ALIGN = 2 * ROW_BITS - WINDOWS * WINDOW
"""By how much the scalar is shifted, so that its highest window is at the top of two rows."""


def rows(b: Builder) -> None:
    """Name the rows; k, result and t are there already."""
    b.row("x", "y", "px", "py", "pz", "qx", "qy", "qz", "error", "r", "e2", "e30", "e32")
    b.pair("low", "high")
    b.pair("blind", "blind+")
    for n in range(1, MULTIPLES + 1):
        b.row(*(f"m{c}{n}" for c in "xyz"))


def write(b: Builder) -> None:
    """Write the program ``p256_ecdh``; constants Zero, One and N256 are there.

    Subroutines that others call, too, are ``p256_add`` and ``p256_invert``.
    """
    b.kind = Kind.MONT
    _constants(b)
    b.entry("p256_add")
    with b.piece():
        _add(b)
    b.ret()
    b.entry("p256_invert")
    _invert(b)
    b.ret()
    b.program("p256_ecdh")
    b.rnd("qz")
    b.rnd("r")
    with b.piece():
        _check(b)
        _blind(b)
        _randomise(b)
    _table(b)
    _multiply(b)
    b.call("p256_invert")
    with b.piece():
        b.mul(b.mul("px", "t"), "One", "x")
        b.subx("pz", "One")
        fail(b)
    give(b, "x")


def _constants(b: Builder) -> None:
    b.constant("P256", P256)
    b.constant("B256", B * R % P256)
    b.constant("OneP256", R % P256)
    b.constant("SquareP256", R * R % P256)
    b.constant("Align", 1 << ALIGN)
    b.constant("Blind", (1 << BLIND_BITS) - 1 << ALIGN)


def _check(b: Builder) -> None:
    """``error`` says whether the scalar or the point is wrong; x and y become Montgomery's."""
    start(b)
    b.mod("P256")
    b.subx("k", "One")
    fail(b)
    for value, end in (("k", "N256"), ("x", "P256"), ("y", "P256")):
        b.subx(value, end)
        fail_unless(b)
    on_curve(b, b.mul("x", "SquareP256", "x"), b.mul("y", "SquareP256", "y"))
    b.subx("Zero", "error")
    b.sel("Zero", "k", "k")


def on_curve(b: Builder, x: str, y: str) -> None:
    """``error`` is set if y^2 is not x^3 - 3 x + b."""
    cube = b.mul(b.sqr(x), x)
    right = b.add(b.sub(cube, b.add(b.add(x, x), x)), "B256")
    b.subx("Zero", b.xor(right, b.sqr(y)))
    b.sel("One", "error", "error")


def _blind(b: Builder) -> None:
    """(high, low) = (k + r n) 2^ALIGN; r's bits are taken from where they are needed."""
    b.mul("k", "Align", "low", Kind.RAW)
    b.mul(b.land("r", "Blind"), "N256", "blind", Kind.RAW)
    b.addx("low", "blind", "low")
    b.addx("high", "blind+", "high", carry=True)


def _randomise(b: Builder) -> None:
    """Write the table's first point: (x z : y z : z) of the random row ``qz``."""
    b.add("qz", "Zero", "qz")
    b.mul("x", "qz", "qx")
    b.mul("y", "qz", "qy")
    for c in "xyz":
        b.copy(f"q{c}", f"m{c}1")
        b.copy(f"q{c}", f"p{c}")


def _table(b: Builder) -> None:
    for n in range(2, MULTIPLES + 1):
        b.call("p256_add")
        with b.piece():
            for c in "xyz":
                b.copy(f"p{c}", f"m{c}{n}")


def _multiply(b: Builder) -> None:
    """P = scalar M1, homogeneous."""
    with b.piece():
        b.copy("Zero", "px")
        b.copy("OneP256", "py")
        b.copy("Zero", "pz")
    with b.loop(WINDOWS):
        with b.piece():
            _jacobian(b)
            _choose(b)
            x, y, z = "px", "py", "pz"
            for _ in range(WINDOW):
                x, y, z = double(b, x, y, z)
            b.mul(x, z, "px")
            b.copy(y, "py")
            b.mul(b.sqr(z), z, "pz")
        b.call("p256_add")


def _jacobian(b: Builder) -> None:
    """P from homogeneous to Jacobian coordinates; infinity, (0 : Y : 0), keeps a Y."""
    b.mul("px", "pz", "px")
    y = b.mul("py", b.sqr("pz"))
    b.subx("pz", "One")
    b.sel("OneP256", y, "py")


def _choose(b: Builder) -> None:
    """Q is the multiple that the highest window says; the scalar moves up."""
    b.dig("high")
    for c, zeroth in (("x", "Zero"), ("y", "OneP256"), ("z", "Zero")):
        found = zeroth
        for n in range(1, MULTIPLES + 1):
            found = b.sel(f"m{c}{n}", found, f"q{c}", "digit", n)
    b.sel(b.sub("Zero", "qy"), "qy", "qy", "negative")
    for _ in range(WINDOW):
        b.addx("low", "low", "low")
        b.addx("high", "high", "high", carry=True)


def double(b: Builder, x: str, y: str, z: str) -> tuple[str, str, str]:
    """Double in Jacobian coordinates (dbl-2007-bl of the Explicit-Formulas Database, a = -3)."""
    delta, gamma, xx = b.sqr(z), b.sqr(y), b.sqr(x)
    fourth = b.sqr(gamma)
    part = b.sub(xx, b.sqr(delta))
    alpha = b.add(b.add(part, part), part)
    beta2 = b.sub(b.sub(b.sqr(b.add(x, gamma)), xx), fourth)
    beta4 = b.add(beta2, beta2)
    x3 = b.sub(b.sqr(alpha), b.add(beta4, beta4))
    z3 = b.sub(b.sub(b.sqr(b.add(y, z)), gamma), delta)
    fourth2 = b.add(fourth, fourth)
    fourth4 = b.add(fourth2, fourth2)
    y3 = b.sub(b.mul(alpha, b.sub(beta4, x3)), b.add(fourth4, fourth4))
    return x3, y3, z3


def _add(b: Builder) -> None:
    """P = P + Q, homogeneous, whatever they are."""
    xx, yy, zz = b.mul("px", "qx"), b.mul("py", "qy"), b.mul("pz", "qz")

    def mixed(one: str, other: str, products: str) -> str:
        """Return the sum of the two products of unlike coordinates."""
        both = b.mul(b.add(f"p{one}", f"p{other}"), b.add(f"q{one}", f"q{other}"))
        return b.sub(both, products)

    xy = mixed("x", "y", b.add(xx, yy))
    yz = mixed("y", "z", b.add(yy, zz))
    xz = mixed("x", "z", b.add(xx, zz))
    t = b.sub(xz, b.mul("B256", zz))
    t = b.add(b.add(t, t), t)
    minus, plus = b.sub(yy, t), b.add(yy, t)
    zz3 = b.add(b.add(zz, zz), zz)
    u = b.sub(b.sub(b.mul("B256", xz), zz3), xx)
    u = b.add(b.add(u, u), u)
    v = b.sub(b.add(b.add(xx, xx), xx), zz3)
    b.sub(b.mul(xy, plus), b.mul(yz, u), "px")
    b.add(b.mul(plus, minus), b.mul(v, u), "py")
    b.add(b.mul(yz, minus), b.mul(xy, v), "pz")


def _invert(b: Builder) -> None:
    """Compute t = pz^(p - 2); e2, e30 and e32 are powers to 2^2 - 1, 2^30 - 1 and 2^32 - 1."""
    links = (
        (1, "pz", "pz", "e2"),
        (1, "e2", "pz", "t"),
        (3, "t", "t", "e32"),
        (6, "e32", "e32", "e32"),
        (3, "e32", "t", "e32"),
        (15, "e32", "e32", "e30"),
        (2, "e30", "e2", "e32"),
        (32, "e32", "pz", "t"),
        (128, "t", "e32", "t"),
        (32, "t", "e32", "t"),
        (30, "t", "e30", "t"),
        (2, "t", "pz", "t"),
    )
    powers.chain(b, links, "qx")
