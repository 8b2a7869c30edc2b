"""Verification's two products, u1 G and u2 Q, and the table of multiples of Q.

u1 G is the comb's (``comb``), u2 Q is by windows (``multiples``). The table's points are brought to
the Z of the last one, c, with which they are affine points (X, Y) of the curve y^2 = x^3 + a x + b
c^6, a = -3 c^4. There P is doubled in modified Jacobian coordinates, with t = a Z^4 (Cohen, Miyaji
and Ono, 1998), and Z c is its Z on the curve. The inverse of s is made beside the table.

What is verified is no secret, so that its digits may say which row is read, where there are ``get``
and ``push`` (``Width.rich``): the programs of anything else have no ``get``. There both products
stand beside one another, and most formulas have 2 y in the place of y: ``w``. So have both tables,
of Q and, by ``madd``, of G.
"""

from cryptile.pka.builder import Builder
from cryptile.pka.programs import base, euclid, multiples
from cryptile.pka.programs.comb import HALVES, Comb
from cryptile.pka.programs.curve import Curve
from cryptile.pka.programs.ecdh import MULTIPLES, WINDOW, double_twofold, doubled

Point = tuple[str, str, str]
Affine = tuple[str, str]

P: Point = ("px", "py", "pz")

_BITS = ("u", "x2", "z2", "x3", "z3", "p5", "p10", "p50", "p11", "e2")
"""Rows for the digits of u1: of programs that are others."""


def comb(curve: Curve) -> Comb:
    """Return the comb of the base point with rows for digits that no table needs."""
    return base.comb(curve, (_BITS[: base.TEETH], _BITS[base.TEETH :]))


def rows(b: Builder) -> None:
    """Name the rows; those of ecdh, order and base are there already."""
    b.row("distance", "scale", "curve_a", "flip2")


# --- Table of Q ----------------------------------------------------------------------------------


def _steps(b: Builder, curve: Curve) -> tuple[int, int]:
    """Return how many steps of the inverse go with each multiple, and how many before these.

    With one lane as many go with each that is levelled.
    """
    count = (MULTIPLES - 1) * (1 if b.few_sums else 2)
    return divmod(euclid.steps(curve.bits), count)


def first_steps(b: Builder, curve: Curve) -> int:
    """Return how many steps of the inverse are to be taken before the table."""
    return _steps(b, curve)[1]


def write(b: Builder, curve: Curve) -> None:
    """Write the subroutines that make and level a multiple, and take their part of the inverse."""
    each, _ = _steps(b, curve)
    b.entry("next_multiple")
    with b.piece():
        multiples.advance(b, "distance")
        euclid.advance(b, "n", each)
    b.ret()
    if b.few_sums:
        return
    b.entry("level_next")
    with b.piece():
        ratio = "distance"
        square = b.sqr(ratio)
        b.mul("px", square, "px")
        b.mul("py", b.mul(square, ratio), "py")
        b.mul(ratio, "qx", ratio)
        euclid.advance(b, "n", each)
    b.ret()


def table(b: Builder) -> None:
    """Make the table, and what the inverse still needs.

    P is Q, and (qx : qy : pz) is 2 Q.
    """
    _keep(b, 1)
    for n in range(2, MULTIPLES + 1):
        b.call("next_multiple")
        _keep(b, n)
    if b.few_sums:
        return
    for n in reversed(range(1, MULTIPLES)):
        with b.piece():
            for c, row in zip("xyz"[: 3 if n > 1 else 2], ("px", "py", "qx"), strict=False):
                b.copy(f"m{c}{n}", row)
        b.call("level_next")
        with b.piece():
            for c in "xy":
                b.copy(f"p{c}", f"m{c}{n}")


def _keep(b: Builder, n: int) -> None:
    with b.piece():
        b.copy("px", f"mx{n}")
        b.copy("py", f"my{n}")
        if n > 1:
            b.copy("distance", f"mz{n}")


def level(b: Builder) -> None:
    """Keep the Z of the table's last point: ``scale``.

    With several lanes bring the table's points to that Z here, and their y to 2 y; P is the first
    of them.
    """
    b.copy("pz", "scale")
    if not b.few_sums:
        return
    last = f"my{MULTIPLES}"
    b.add(last, last, last)
    ratio = f"mz{MULTIPLES}"
    for n in reversed(range(1, MULTIPLES)):
        square = b.sqr(ratio)
        x = b.mul(f"mx{n}", square, f"mx{n}")
        y = b.mul(f"my{n}", b.mul(square, ratio))
        b.add(y, y, f"my{n}")
        if n > 1:
            ratio = b.mul(ratio, f"mz{n}")
    _begin(b, x, y)


def begin(b: Builder) -> None:
    """P is the table's first point; with several lanes ``level`` has this, too."""
    _begin(b, "mx1", "my1")
    base.settle(b)


def _begin(b: Builder, x: str, y: str) -> None:
    fourth = b.sqr(b.sqr("scale"))
    b.sub("Zero", b.add(b.add(fourth, fourth), fourth), "curve_a")
    for value, row in zip((x, y, "OneP"), P, strict=True):
        b.copy(value, row)


def homogeneous(b: Builder) -> None:
    """Bring P to the curve, with the sign of u2, in homogeneous coordinates."""
    z = b.mul("pz", "scale")
    b.mul("px", z, "px")
    _, y, _ = base.settled(b)
    b.subx("Zero", "flip2")
    b.sel(b.sub("Zero", y), y, "py")
    b.mul(b.sqr(z), z, "pz")


# --- One product behind the other ----------------------------------------------------------------


def product(b: Builder, curve: Curve) -> None:
    """P = u2 Q of the highest digit's."""
    rounds, last = multiples.windows(curve)
    with b.loop(rounds), b.piece():
        _window(b, WINDOW)
    if last:
        with b.piece():
            _window(b, last)


def _window(b: Builder, size: int) -> None:
    """P is moved up by the digits of a window, and its multiple is added."""
    x, y, z = base.settled(b)
    t = b.mul(b.sqr(b.sqr(z)), "curve_a")
    for left in reversed(range(size)):
        x, y, z, t = _double(b, (x, y, z), t, last=not left)
    multiples.digit(b, size)
    found = []
    for c in "xy":
        row = f"m{c}1"
        for n in range(1, 1 << size - 1):
            row = b.sel(f"m{c}{n + 1}", row, "", "digit", n)
        found.append(row)
    multiples.move(b)
    base.add(b, (x, y, z), (found[0], multiples.signed(b, found[1])))


def _double(b: Builder, point: Point, t: str, last: bool) -> tuple[str, str, str, str]:
    """Double a point of which t = a Z^4 is given, and return that of the sum unless it is ``last``.

    With squares of sums in the place of products.
    """
    x, y, z = point
    xx, yy = b.sqr(x), b.sqr(y)
    fourth = b.sqr(yy)
    part = b.sub(b.sub(b.sqr(b.add(x, yy)), xx), fourth)
    s = b.add(part, part)
    slope = b.add(b.add(b.add(xx, xx), xx), t)
    eighth = b.add(fourth, fourth)
    eighth = b.add(eighth, eighth)
    eighth = b.add(eighth, eighth)
    x3 = b.sub(b.sqr(slope), b.add(s, s))
    y3 = b.sub(b.mul(slope, b.sub(s, x3)), eighth)
    z3 = b.mul(b.add(y, y), z)
    return x3, y3, z3, "" if last else b.mul(b.add(eighth, eighth), t)


# --- Both products beside one another ------------------------------------------------------------


def products(b: Builder, curve: Curve) -> None:
    """P = u2 Q of the highest digit's, and (ax : ay : az) = u1 G, both Jacobian.

    A comb's round goes with two windows; there are windows for all of them, and one more.
    """
    teeth = comb(curve)
    rounds = teeth.columns - 1
    assert multiples.windows(curve)[0] == 2 * rounds + 1
    a = ("ax", "ay", "az")
    with b.piece():
        x, y = _choose(b, teeth, 1)
        x2, y2 = _choose(b, teeth, 0)
        _sum(b, (x, b.add(y, y), "OneP"), (x2, b.add(y2, y2)), a)
        _window_twofold(b, P, P)
    with b.loop(rounds), b.piece():
        _window_twofold(b, _window_twofold(b, P), P)
        _round(b, teeth, a)


def _choose(b: Builder, teeth: Comb, half: int) -> Affine:
    """Return the point of the next column of a half."""
    teeth.push(b, half)
    last = teeth.bits[half][-1]
    x, y = (b.get(entries[0]) for entries in teeth.tables[half])
    b.addx(last, last, last)
    return x, b.sel(y, b.sub("Zero", y))


def _round(b: Builder, teeth: Comb, a: Point) -> None:
    """Double A and add a column of each half."""
    x, y, z = a
    sum_ = double_twofold(b, x, b.add(y, y), z)
    for half in reversed(range(HALVES)):
        x, y = _choose(b, teeth, half)
        sum_ = _sum(b, sum_, (x, b.add(y, y)), a if not half else None)
        if half:
            sum_ = sum_[0], b.add(sum_[1], sum_[1]), sum_[2]


def _sum(b: Builder, one: Point, other: Affine, d: Point | None = None) -> Point:
    """Return (x, y, z), the sum of (x, w, z) and an affine (x, w), neither equal nor opposite."""
    (x1, w1, z1), (x2, w2) = one, other
    square = b.sqr(z1)
    h = b.sub(b.mul(x2, square), x1)
    r = b.sub(b.mul(w2, b.mul(z1, square)), w1)
    twice = b.add(h, h)
    i = b.sqr(twice)
    j, v = b.mul(h, i), b.mul(x1, i)
    x, y, z = d or ("", "", "")
    x3 = b.sub(b.sub(b.sqr(r), j), b.add(v, v), x)
    return x3, b.sub(b.mul(r, b.sub(v, x3)), b.mul(w1, j), y), b.mul(z1, twice, z)


def _window_twofold(b: Builder, p: Point, d: Point | None = None) -> Point:
    """Return P moved up by the digits of a window, and its multiple added, on the other curve."""
    x, y, z = p
    w = b.add(y, y)
    t = b.mul(b.sqr(b.sqr(z)), "curve_a")
    for n in range(WINDOW):
        square = b.sqr(x)
        slope = b.add(b.add(b.add(square, square), square), t)
        x, above, fourth = doubled(b, x, w, slope)
        z, w = b.mul(w, z), above
        if n < WINDOW - 1:
            t = b.mul(fourth, t)
    return _sum(b, (x, w, z), _multiple(b), d)


def _multiple(b: Builder) -> Affine:
    """Return the multiple for the highest window of ``k``, which moves up."""
    multiples.digit(b)
    x, w = b.get("mx1"), b.get("my1")
    multiples.move(b)
    return x, multiples.signed(b, w)
