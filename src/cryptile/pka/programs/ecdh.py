"""ECDH (SP 800-56A) on the curves of NIST: the product of a point and a blinded scalar.

Programs ``p256_ecdh`` and so on, rows: ``k`` the scalar, ``x`` and ``y`` the other side's
point, ``result`` the product's x. The outcome is true, and the result is zero, if k is not in 1 to
n - 1, x or y is not below p, or the point is not on the curve; a scalar of zero is taken then. So
it is if the product is infinity, which takes a random coordinate of zero, or a fault.

The scalar is k + r n with random bits r (``blind``), taken in windows of five bits recoded by
Booth, from a table of the multiples 1 to 16 that is read whole. Additions are those of Renes,
Costello and Batina (2015/1060, a = -3), which are right for all points of the curve, in homogeneous
coordinates (X : Y : Z), x = X / Z, y = Y / Z. Doublings are in Jacobian coordinates, x = X / Z^2, y
= Y / Z^3, and right for all points, too: y = 0 is not on the curve, and infinity, (X : Y : 0),
stays infinity as long as Y is not zero, to which a selection behind each addition sees. Field
elements are Montgomery's, a R mod p with R one more than a row holds, and below p.
"""

from cryptile.pka.builder import Builder
from cryptile.pka.isa import BLOCK, Kind
from cryptile.pka.programs import euclid
from cryptile.pka.programs.checks import fail, fail_unless, give, start
from cryptile.pka.programs.curve import Curve
from cryptile.pka.programs.randoms import number

WINDOW = 5
MULTIPLES = 1 << WINDOW - 1


def windows(curve: Curve) -> int:
    """Return how many windows a blinded scalar has."""
    return -(-(curve.bits + curve.blind + 1) // WINDOW)


def align(curve: Curve) -> int:
    """Return by how much it is shifted: its highest window is at the top of two rows."""
    return 2 * curve.width.bits - windows(curve) * WINDOW


def blind_place(curve: Curve) -> int:
    """Return where r's bits are in their random row: n is moved up as far as a row allows."""
    return align(curve) - curve.width.spare


def rows(b: Builder, curve: Curve) -> None:
    """Name the rows; k, result and t are there already."""
    b.row("x", "y", "px", "py", "pz", "qx", "qy", "qz", "error", "error2", "r", *curve.powers)
    b.pair("low", "high")
    b.pair("blind", "blind+")
    b.row(*_table_rows(b))


def _table_rows(b: Builder) -> list[str]:
    """Return the table's names in their order; where there is ``get``, x and y are its blocks.

    They are as many rows either way, and those behind them are the same.
    """
    if not b.width.rich:
        return [f"m{c}{n}" for n in range(1, MULTIPLES + 1) for c in "xyz"]
    x, y, z = ([f"m{c}{n}" for n in range(1, MULTIPLES + 1)] for c in "xyz")
    before = -b.used % BLOCK
    return [*z[:before], *x, *y, *z[before:]]


def write(b: Builder, curve: Curve) -> None:
    """Write the program; constants Zero, One and N are there.

    Subroutines that others call, too, are ``curve_add`` and ``curve_invert``: ``t`` = 1 / pz, or
    ``error`` is set, as it is if pz is zero.
    """
    b.kind = Kind.MONT
    _constants(b, curve)
    b.entry("curve_add")
    with b.piece():
        _add(b)
    b.ret()
    b.entry("curve_invert")
    with b.piece():
        b.mod("p")
        euclid.begin(b, "p", "pz", "SquareP")
    euclid.loop(b, "p", euclid.steps(curve.p.bit_length()))
    with b.piece():
        # Of another sign, which an upset of a step can give, is the point's negative.
        product = b.mul(b.copy(euclid.end(b, "p"), "t"), "pz")
        b.subx("Zero", b.xor(product, "OneP"))
        fail(b)
    b.ret()
    b.program(f"{curve.name}_ecdh", zero=True)
    b.rnd("qz")
    b.rnd("r")
    with b.piece():
        _check(b)
        _blind(b, curve)
        _randomise(b)
    _table(b)
    _multiply(b, curve)
    b.call("curve_invert")
    with b.piece():
        b.mul(b.mul("px", "t"), "One", "x")
    give(b, "x")


def _constants(b: Builder, curve: Curve) -> None:
    p, r = curve.p, curve.r
    b.constant("P", p)
    b.constant("B", curve.b * r % p)
    b.constant("OneP", r % p)
    b.constant("SquareP", r * r % p)
    b.constant("Align", 1 << align(curve))
    b.constant("Blind", (1 << curve.blind) - 1 << blind_place(curve))


def _check(b: Builder) -> None:
    """``error`` says whether the scalar or the point is wrong; x and y become Montgomery's."""
    start(b)
    b.mod("p")
    b.subx("k", "One")
    fail(b)
    for value, end in (("k", "N"), ("x", "P"), ("y", "P")):
        b.subx(value, end)
        fail_unless(b)
    on_curve(b, b.mul("x", "SquareP", "x"), b.mul("y", "SquareP", "y"))
    b.subx("Zero", "error")
    b.sel("Zero", "k", "k")


def on_curve(b: Builder, x: str, y: str) -> None:
    """``error`` is set if y^2 is not x^3 - 3 x + b."""
    b.subx("Zero", off_curve(b, x, y))
    b.sel("One", "error", "error")


def off_curve(b: Builder, x: str, y: str) -> str:
    """Return zero if y^2 is x^3 - 3 x + b."""
    cube = b.mul(b.sqr(x), x)
    right = b.add(b.sub(cube, b.add(b.add(x, x), x)), "B")
    return b.xor(right, b.sqr(y))


def _blind(b: Builder, curve: Curve) -> None:
    """(high, low) = (k + r n) 2^``align``; r's bits are taken from where they are needed."""
    b.mul("k", "Align", "low", Kind.RAW)
    spare = curve.width.spare
    order = b.load(curve.n << spare, "") if spare else "N"
    b.mul(b.land("r", "Blind"), order, "blind", Kind.RAW)
    b.addx("low", "blind", "low")
    b.addx("high", "blind+", "high", carry=True)


def _randomise(b: Builder) -> None:
    """Write the table's first point: (x z : y z : z) of the random row ``qz``."""
    b.add(number(b, "qz"), "Zero", "qz")
    b.mul("x", "qz", "qx")
    b.mul("y", "qz", "qy")
    for c in "xyz":
        b.copy(f"q{c}", f"m{c}1")
        b.copy(f"q{c}", f"p{c}")


def _table(b: Builder) -> None:
    for n in range(2, MULTIPLES + 1):
        b.call("curve_add")
        with b.piece():
            for c in "xyz":
                b.copy(f"p{c}", f"m{c}{n}")


def _multiply(b: Builder, curve: Curve) -> None:
    """P = scalar M1, homogeneous."""
    with b.piece():
        b.copy("Zero", "px")
        b.copy("OneP", "py")
        b.copy("Zero", "pz")
    with b.loop(windows(curve)):
        with b.piece():
            _jacobian(b)
            _choose(b)
            _move_up(b)
        b.call("curve_add")


def _move_up(b: Builder) -> None:
    """P is doubled for a window, Jacobian, and homogeneous then."""
    x, y, z = "px", "py", "pz"
    if b.few_sums:
        y = b.add(y, y)
        for _ in range(WINDOW):
            x, y, z = double_twofold(b, x, y, z)
        # It is 2 y, and so the others are taken two times.
        twice = b.add(z, z)
    else:
        for _ in range(WINDOW):
            x, y, z = double(b, x, y, z)
        twice = z
    b.mul(x, twice, "px")
    b.copy(y, "py")
    b.mul(b.sqr(z), twice, "pz")


def _jacobian(b: Builder) -> None:
    """P from homogeneous to Jacobian coordinates; infinity, (0 : Y : 0), keeps a Y."""
    b.mul("px", "pz", "px")
    y = b.mul("py", b.sqr("pz"))
    b.subx("pz", "One")
    b.sel("OneP", y, "py")


def _choose(b: Builder) -> None:
    """Q is the multiple that the highest window says; the scalar moves up."""
    b.dig("high")
    for c, zeroth in (("x", "Zero"), ("y", "OneP"), ("z", "Zero")):
        found = zeroth
        for n in range(1, MULTIPLES + 1):
            found = b.sel(f"m{c}{n}", found, f"q{c}", "digit", n)
    b.sel(b.sub("Zero", "qy"), "qy", "qy", "negative")
    for _ in range(WINDOW):
        b.addx("low", "low", "low")
        b.addx("high", "high", "high", carry=True)


def double(b: Builder, x: str, y: str, z: str) -> tuple[str, str, str]:
    """Double in Jacobian coordinates (dbl-2007-bl of the Explicit-Formulas Database, a = -3)."""
    if b.few_sums:
        return _double_by_products(b, x, y, z)
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


def _double_by_products(b: Builder, x: str, y: str, z: str) -> tuple[str, str, str]:
    """Double by the same formulas, with products in the place of squares of sums."""
    delta, gamma = b.sqr(z), b.sqr(y)
    part = b.mul(b.sub(x, delta), b.add(x, delta))
    alpha = b.add(b.add(part, part), part)
    gamma2 = b.add(gamma, gamma)
    beta2, fourth4 = b.mul(x, gamma2), b.sqr(gamma2)
    beta4 = b.add(beta2, beta2)
    x3 = b.sub(b.sqr(alpha), b.add(beta4, beta4))
    y3 = b.sub(b.mul(alpha, b.sub(beta4, x3)), b.add(fourth4, fourth4))
    return x3, y3, b.mul(b.add(y, y), z)


def double_twofold(b: Builder, x: str, w: str, z: str) -> tuple[str, str, str]:
    """Double in Jacobian coordinates by the same formulas, with w = 2 y in the place of y."""
    square = b.sqr(z)
    part = b.mul(b.sub(x, square), b.add(x, square))
    x3, w3, _ = doubled(b, x, w, b.add(b.add(part, part), part))
    return x3, w3, b.mul(w, z)


def doubled(b: Builder, x: str, w: str, slope: str) -> tuple[str, str, str]:
    """Return x and w of a point's double from 3 x^2 + a z^4, and w^4."""
    square = b.sqr(w)
    s, fourth = b.mul(x, square), b.sqr(square)
    x3 = b.sub(b.sqr(slope), b.add(s, s))
    w3 = b.sub(b.mul(b.add(slope, slope), b.sub(s, x3)), fourth)
    return x3, w3, fourth


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
    t = b.sub(xz, b.mul("B", zz))
    t = b.add(b.add(t, t), t)
    minus, plus = b.sub(yy, t), b.add(yy, t)
    zz3 = b.add(b.add(zz, zz), zz)
    u = b.sub(b.sub(b.mul("B", xz), zz3), xx)
    u = b.add(b.add(u, u), u)
    v = b.sub(b.add(b.add(xx, xx), xx), zz3)
    b.sub(b.mul(xy, plus), b.mul(yz, u), "px")
    b.add(b.mul(plus, minus), b.mul(v, u), "py")
    b.add(b.mul(yz, minus), b.mul(xy, v), "pz")
