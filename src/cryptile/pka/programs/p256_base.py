"""P-256: products of the base point G, by a comb of fixed tables.

Subroutine ``p256_base``: (px : py : pz), Jacobian, is ``c`` G for an odd c in 1 to n - 1, with the
random coordinate ``qz``. ``p256_base_twice`` does that two times with random coordinates of its
own, of ``c`` and of the copy ``c2``, and sets ``error`` if the points are not the same; who leaves
it early, by an upset, goes another way (``checks.stamp``).

The comb (``comb``) has five teeth, 52 digits apart, and halves of 26 columns. A round is a doubling
and an addition for each half.

Additions are mixed ones in Jacobian coordinates, which are wrong where a sum's parts are equal,
opposite or infinity. With an odd c below n that does not occur: ``exceptions`` in the tests has the
argument, and looks at the few multiples that it leaves.
"""

from cryptile.pka.builder import Builder
from cryptile.pka.isa import P256, ROW_BITS, Kind
from cryptile.pka.programs.checks import stamp
from cryptile.pka.programs.comb import HALVES, TOP, Comb
from cryptile.pka.programs.p256 import double

G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)

Point = tuple[int, int]

COMB = Comb(
    teeth=5,
    columns=26,
    # Rows of the table that ECDH and verification make later.
    bits=tuple(tuple(f"m{c}{tooth + 1}" for tooth in range(5)) for c in "xy"),
    tables=tuple(
        tuple(tuple(f"Comb{c}{half}/{entry}" for entry in range(16)) for c in "xy")
        for half in range(HALVES)
    ),
    first="FirstTooth",
    step="NextHalf",
    work=("low", "blind"),
)


def rows(b: Builder) -> None:
    """Name the rows; those of p256 and order are there already."""
    b.row("c", "c2", "ax", "ay", "az")


def write(b: Builder) -> None:
    """Write the subroutines; constants of p256 are there already."""
    b.kind = Kind.MONT
    first, step = COMB.factors
    b.constant("Top", TOP)
    b.constant(COMB.first, first)
    b.constant(COMB.step, step)
    b.constant("Teeth", first ^ step ^ TOP)
    for half, table in enumerate(COMB.tables):
        for entry, names in enumerate(zip(*table, strict=True)):
            point = multiple(COMB.column(half, entry), G)
            for name, value in zip(names, point, strict=True):
                b.constant(name, (value << ROW_BITS) % P256)
    b.entry("p256_base")
    with b.piece():
        b.mod("P256")
        COMB.digits(b, "c")
    with b.piece():
        x, y = _choose(b, 1)
        z = b.add("qz", "Zero", "pz")
        square = b.sqr(z)
        b.mul(x, square, "px")
        b.mul(y, b.mul(square, z), "py")
        _add(b, ("px", "py", "pz"), _choose(b, 0))
    with b.loop(COMB.columns - 1), b.piece():
        sum_ = double(b, "px", "py", "pz")
        for half in reversed(range(HALVES)):
            sum_ = _add(b, sum_, _choose(b, half), keep=half > 0)
    b.ret()
    b.entry("p256_base_twice")
    b.rnd("qz")
    b.call("p256_base")
    with b.piece():
        stamp(b)
        for c in "xyz":
            b.copy(f"p{c}", f"a{c}")
        b.copy("c2", "c")
    b.rnd("qz")
    b.call("p256_base")
    with b.piece():
        stamp(b)
        _compare(b)
    b.ret()


def multiple(k: int, point: Point) -> Point:
    """Return k times a point, for the tables; k is positive, and no sum is exceptional."""
    found = point
    for bit in bin(k)[3:]:
        found = _sum(found, found)
        if bit == "1":
            found = _sum(found, point)
    return found


def _sum(one: Point, other: Point) -> Point:
    if one == other:
        slope = 3 * (one[0] ** 2 - 1) * pow(2 * one[1], -1, P256)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, P256)
    x = (slope**2 - one[0] - other[0]) % P256
    return x, (slope * (one[0] - x) - one[1]) % P256


def _choose(b: Builder, half: int) -> tuple[str, str]:
    """Return the point of the next column of a half."""
    x, y = COMB.choose(b, half)
    return x, b.sel(y, b.sub("Zero", y))


def _add(
    b: Builder, one: tuple[str, str, str], other: tuple[str, str], keep: bool = False
) -> tuple[str, str, str]:
    """Add an affine point (madd-2007-bl of the Explicit-Formulas Database) into P, or keep it."""
    (x1, y1, z1), (x2, y2) = one, other
    square = b.sqr(z1)
    h = b.sub(b.mul(x2, square), x1)
    s = b.sub(b.mul(y2, b.mul(z1, square)), y1)
    r = b.add(s, s)
    hh = b.sqr(h)
    twice = b.add(hh, hh)
    i = b.add(twice, twice)
    j, v = b.mul(h, i), b.mul(x1, i)
    names = ("", "", "") if keep else ("px", "py", "pz")
    x3 = b.sub(b.sub(b.sqr(r), j), b.add(v, v), names[0])
    yj = b.mul(y1, j)
    y3 = b.sub(b.mul(r, b.sub(v, x3)), b.add(yj, yj), names[1])
    z3 = b.sub(b.sub(b.sqr(b.add(z1, h)), square), hh, names[2])
    return x3, y3, z3


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
