"""Verification's two products beside one another, with rows that a digit names.

For machines that have ``get`` and ``push`` (``Width.rich``). What is verified is no secret, so that
its digits may say which row is read: the programs of anything else have no ``get``.

u1 G is the comb's (``comb``), u2 Q is by windows (``multiples``). The table's points are brought to
the Z of the last one, c, with which they are affine points (X, Y) of the curve y^2 = x^3 + a x + b
c^6, a = -3 c^4. There P is doubled in modified Jacobian coordinates, with t = a Z^4 (Cohen, Miyaji
and Ono, 1998), and Z c is its Z on the curve.

Instead of y most formulas have 2 y: ``w``. So have both tables, of Q and, by ``madd``, of G.
"""

from cryptile.pka.builder import Builder
from cryptile.pka.programs import base, multiples, order
from cryptile.pka.programs.comb import HALVES, Comb
from cryptile.pka.programs.curve import Curve
from cryptile.pka.programs.ecdh import MULTIPLES, WINDOW, double_twofold, doubled

Point = tuple[str, str, str]
Affine = tuple[str, str]

_BITS = ("u", "x2", "z2", "x3", "z3", "p5", "p10", "p50", "p11", "e2")
"""Rows for the digits of u1: of programs that are others."""


def comb(curve: Curve) -> Comb:
    """Return the comb of the base point with rows for digits that no table needs."""
    return base.comb(curve, (_BITS[: base.TEETH], _BITS[base.TEETH :]))


def rows(b: Builder) -> None:
    """Name the rows; those of ecdh, order and base are there already."""
    b.row("distance", "scale", "curve_a", "flip2")


# --- Table of Q ----------------------------------------------------------------------------------


def write(b: Builder, curve: Curve) -> None:
    """Write the subroutine that makes the next multiple, and takes its part of the inverse."""
    each = order.all_steps(curve) // (MULTIPLES - 1)
    b.entry("next_multiple")
    with b.piece():
        multiples.advance(b, "distance")
        for _ in range(each):
            order.advance(b)
    b.ret()


def table(b: Builder, curve: Curve) -> None:
    """Make the table, and what the inverse still needs.

    P is Q, and (qx : qy : pz) is 2 Q.
    """
    _keep(b, 1, order.all_steps(curve) % (MULTIPLES - 1))
    for n in range(2, MULTIPLES + 1):
        b.call("next_multiple")
        _keep(b, n)


def _keep(b: Builder, n: int, steps: int = 0) -> None:
    with b.piece():
        b.copy("px", f"mx{n}")
        b.copy("py", f"my{n}")
        if n > 1:
            b.copy("distance", f"mz{n}")
        for _ in range(steps):
            order.advance(b)


def level(b: Builder) -> None:
    """Bring the table's points to one Z, ``scale``, and their y to 2 y; P is the first of them."""
    b.copy("pz", "scale")
    fourth = b.sqr(b.sqr("pz"))
    b.sub("Zero", b.add(b.add(fourth, fourth), fourth), "curve_a")
    b.add(f"my{MULTIPLES}", f"my{MULTIPLES}", f"my{MULTIPLES}")
    ratio = f"mz{MULTIPLES}"
    for n in reversed(range(1, MULTIPLES)):
        square = b.sqr(ratio)
        x = b.mul(f"mx{n}", square, f"mx{n}")
        y = b.mul(f"my{n}", b.mul(square, ratio))
        b.add(y, y, f"my{n}")
        if n > 1:
            ratio = b.mul(ratio, f"mz{n}")
    b.copy(x, "px")
    b.copy(y, "py")
    b.copy("OneP", "pz")


# --- Both products -------------------------------------------------------------------------------


def products(b: Builder, curve: Curve, windows: int) -> None:
    """P = u2 Q of the highest digit's, and (ax : ay : az) = u1 G, both Jacobian.

    A comb's round goes with two windows; there are windows for all of them, and one more.
    """
    teeth = comb(curve)
    rounds = teeth.columns - 1
    assert windows == 2 * rounds + 1
    a, p = ("ax", "ay", "az"), ("px", "py", "pz")
    with b.piece():
        x, y = _choose(b, teeth, 1)
        x2, y2 = _choose(b, teeth, 0)
        _sum(b, (x, b.add(y, y), "OneP"), (x2, b.add(y2, y2)), a)
        _window(b, p, p)
    with b.loop(rounds), b.piece():
        _window(b, _window(b, p), p)
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


def _window(b: Builder, p: Point, d: Point | None = None) -> Point:
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
