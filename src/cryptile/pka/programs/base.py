"""Products of a curve's base point G, by a comb of fixed tables.

Subroutine ``base``: (px : py : pz), Jacobian, is ``c`` G for an odd c in 1 to n - 1, with the
random coordinate ``qz``. ``base_twice`` does that two times with random coordinates of its
own, of ``c`` and of the copy ``c2``, and sets ``error`` if the points are not the same; who leaves
it early, by an upset, goes another way (``checks.stamp``).

The comb (``comb``) has five teeth in halves of 26 columns for P-256, of 40 for P-384 and of 57
for P-521, where 39 and 53 would be enough and an exceptional addition would occur. A round is a
doubling and an addition for each half.

Additions are mixed ones in Jacobian coordinates, which are wrong where a sum's parts are equal,
opposite or infinity. With an odd c below n that does not occur: ``exceptions`` in the tests has the
argument, and looks at the few multiples that it leaves.
"""

from collections.abc import Sequence

from cryptile.pka.builder import Builder
from cryptile.pka.isa import Kind
from cryptile.pka.programs.checks import stamp
from cryptile.pka.programs.comb import HALVES, Comb
from cryptile.pka.programs.curve import Curve, Point
from cryptile.pka.programs.ecdh import double
from cryptile.pka.programs.randoms import number

TEETH = 5

UNROLLED = 5
"""Rounds in a piece, where there are several lanes: more than one fills waits at its end."""


_BITS = tuple(tuple(f"mz{TEETH * half + tooth + 1}" for tooth in range(TEETH)) for half in range(2))
"""Rows of a table that ECDH makes, and which verification needs no more then."""


def comb(curve: Curve, bits: tuple[tuple[str, ...], ...] = _BITS) -> Comb:
    """Return the comb of a curve's base point, with rows for its digits."""
    return Comb(
        width=curve.width,
        teeth=TEETH,
        columns=curve.columns,
        interleaved=curve.interleaved,
        bits=bits,
        tables=tuple(
            tuple(tuple(f"Comb{c}{half}/{entry}" for entry in range(16)) for c in "xy")
            for half in range(HALVES)
        ),
        first="FirstTooth",
        step="NextHalf",
        work=("low", "blind"),
    )


def rows(b: Builder) -> None:
    """Name the rows; those of ecdh and order are there already."""
    b.row("c", "c2", "ax", "ay", "az", "later")


def write(b: Builder, curve: Curve) -> None:
    """Write the subroutines; constants of ecdh are there already."""
    b.kind = Kind.MONT
    teeth = comb(curve)
    first, step = teeth.factors
    b.constant("Top", teeth.top)
    b.constant(teeth.first, first)
    b.constant(teeth.step, step)
    b.constant("Teeth", first ^ step ^ teeth.top)
    for half, tables in enumerate(teeth.tables):
        points = [
            multiple(curve, teeth.column(half, entry), curve.g) for entry in range(teeth.entries)
        ]
        b.tables(
            {name: point[c] * curve.r % curve.p for name, point in zip(names, points, strict=True)}
            for c, names in enumerate(tables)
        )
    b.entry("base")
    with b.piece():
        b.mod("p")
        teeth.digits(b, "c")
    with b.piece():
        x, y = _choose(b, teeth, 1)
        z = b.add(number(b, "qz"), "Zero", "pz")
        square = b.sqr(z)
        b.mul(x, square, "px")
        b.mul(y, b.mul(square, z), "py")
        add(b, ("px", "py", "pz"), _choose(b, teeth, 0))
    unrolled = UNROLLED if b.width.rich else 1
    rounds = (teeth.columns - 1) // unrolled
    assert rounds * unrolled == teeth.columns - 1
    with b.loop(rounds), b.piece():
        sum_ = settled(b)
        for left in reversed(range(unrolled)):
            sum_ = double(b, *sum_)
            for half in reversed(range(HALVES)):
                sum_ = add(b, sum_, _choose(b, teeth, half), keep=left + half > 0)
    if not b.few_sums:
        with b.piece():
            b.copy(settled(b)[1], "py")
    b.ret()
    b.entry("base_twice")
    b.rnd("qz")
    b.call("base")
    with b.piece():
        stamp(b)
        for c in "xyz":
            b.copy(f"p{c}", f"a{c}")
        b.copy("c2", "c")
    b.rnd("qz")
    b.call("base")
    with b.piece():
        stamp(b)
        _compare(b)
    b.ret()


def multiple(curve: Curve, k: int, point: Point) -> Point:
    """Return k times a point, for the tables; k is positive, and no sum is exceptional."""
    found = point
    for bit in bin(k)[3:]:
        found = _sum(curve, found, found)
        if bit == "1":
            found = _sum(curve, found, point)
    return found


def _sum(curve: Curve, one: Point, other: Point) -> Point:
    p = curve.p
    if one == other:
        slope = 3 * (one[0] ** 2 - 1) * pow(2 * one[1], -1, p)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, p)
    x = (slope**2 - one[0] - other[0]) % p
    return x, (slope * (one[0] - x) - one[1]) % p


def _choose(b: Builder, teeth: Comb, half: int) -> tuple[str, str]:
    """Return the point of the next column of a half."""
    x, y = teeth.choose(b, half)
    return x, b.sel(y, b.sub("Zero", y))


def add(
    b: Builder, one: tuple[str, str, str], other: tuple[str, str], keep: bool = False
) -> tuple[str, str, str]:
    """Add an affine point (madd-2007-bl of the Explicit-Formulas Database) into P, or keep it.

    P is to be ``settled``.
    """
    (x1, y1, z1), (x2, y2) = one, other
    square = b.sqr(z1)
    h = b.sub(b.mul(x2, square), x1)
    s = b.sub(b.mul(y2, b.mul(z1, square)), y1)
    names = ("", "", "") if keep else ("px", "py", "pz")
    if b.few_sums:
        return *_add_last(b, (x1, y1), h, s, names[:2]), b.mul(z1, h, names[2])
    r = b.add(s, s)
    hh = b.sqr(h)
    twice = b.add(hh, hh)
    i = b.add(twice, twice)
    j, v = b.mul(h, i), b.mul(x1, i)
    x3 = b.sub(b.sub(b.sqr(r), j), b.add(v, v), names[0])
    yj = b.mul(y1, j)
    y3 = b.mul(r, b.sub(v, x3), names[1])
    minus = b.add(yj, yj, "" if keep else "later")
    if keep:
        y3 = b.sub(y3, minus)
    z3 = b.sub(b.sub(b.sqr(b.add(z1, h)), square), hh, names[2])
    return x3, y3, z3


def settled(b: Builder) -> tuple[str, str, str]:
    """Return P. With one lane its y is not subtracted from yet: ``later``.

    So the last operation of a round is a product, for which no other waits at the round's end.
    """
    return "px", "py" if b.few_sums else b.sub("py", "later"), "pz"


def settle(b: Builder) -> None:
    """Write that all is subtracted."""
    if not b.few_sums:
        b.copy("Zero", "later")


def _add_last(
    b: Builder, one: tuple[str, str], h: str, r: str, names: Sequence[str]
) -> tuple[str, str]:
    """Return x and y of a sum, from one point and the differences of x and y.

    All are as of one Z; that of the sum is h times that (Cohen, Miyaji and Ono, 1998).
    """
    hh = b.sqr(h)
    hhh, v = b.mul(h, hh), b.mul(one[0], hh)
    x3 = b.sub(b.sub(b.sqr(r), hhh), b.add(v, v), names[0])
    return x3, b.sub(b.mul(r, b.sub(v, x3)), b.mul(one[1], hhh), names[1])


def _compare(b: Builder) -> None:
    """``error`` is set if P is not the point (ax : ay : az), or either has a Z of zero."""
    squares = b.sqr("az"), b.sqr("pz")
    cubes = b.mul(squares[0], "az"), b.mul(squares[1], "pz")
    for one, other, powers in (("ax", "px", squares), ("ay", "py", cubes)):
        b.subx("Zero", b.xor(b.mul(one, powers[1]), b.mul(other, powers[0])))
        b.sel("One", "error", "error")
    for z in ("az", "pz"):
        b.subx(z, "One")
        b.sel("One", "error", "error")
