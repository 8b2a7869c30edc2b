"""Arithmetic modulo the order n of a base point: products, and inverses for curves.

A product is Montgomery's, x y / R mod n with R one more than a row holds, of three products of kind
raw: the quotient is the lower half of x y times -1 / n, and q n makes that half zero. The second
factor may be any row.

The inverse is by a binary algorithm for the greatest common divisor (Stein; Pornin, 2020/972):
for x it keeps a, b, u, v with a = x u / s, b = x v / s modulo n, s what u began with, b odd. In
each step, if a is odd, the larger one of a and b becomes their difference, in a; then a is halved,
and u modulo n with it. The bits of a and b together become fewer by one at least, so that
``steps`` end with a = 0, b = 1 and v = s / x. No step depends on data: subroutine
``order_invert``, rows ``ga`` (x, no longer than n) and ``gu`` (s), result ``gv``.

A machine that holds b and v itself (``Width.rich``) has a step in two instructions, which do not
ask for the modulus: there is no subroutine, but ``hold``, ``advance`` and ``held``, and the steps
stand beside what else there is to do.
"""

from typing import NamedTuple

from cryptile.pka.builder import Builder
from cryptile.pka.isa import Kind
from cryptile.pka.programs.curve import Curve


def all_steps(curve: Curve) -> int:
    """Return how many steps an inverse takes."""
    return 2 * curve.bits - 1


def steps(curve: Curve) -> tuple[int, int]:
    """Return rounds, and steps of a round: as few as divide the number of all, but more than one.

    All are one less than the bits of a and b.
    """
    every = all_steps(curve)
    round_ = next(n for n in range(2, every) if every % n == 0)
    return every // round_, round_


def rows(b: Builder) -> None:
    """Name the rows."""
    for name in ("order", "quotient", "part"):
        b.pair(name, f"{name}+")
    b.row("ga", "gb", "gu", "gv")


def write(b: Builder, curve: Curve) -> None:
    """Write the subroutine; constants Zero, One and N are there already."""
    b.constant("NegativeN", -pow(curve.n, -1, curve.r) % curve.r)
    b.constant("SquareN", curve.r**2 % curve.n)
    if b.width.rich:
        return
    rounds, unrolled = steps(curve)
    b.entry("order_invert")
    with b.piece():
        b.mod("N")
        b.copy("N", "gb")
        b.copy("Zero", "gv")
        b.add("gu", "Zero", "gu")
        lowest(b, "ga")
    with b.loop(rounds), b.piece():
        for _ in range(unrolled):
            _step(b)
    b.ret()


def begin(b: Builder, curve: Curve) -> None:
    """Write s = R mod n for the inverse; R - n, if n has as many bits as a row.

    The steps of a machine that holds numbers ask for one that is seen to be below n.
    """
    if b.width.spare or b.width.rich:
        b.load(curve.r % curve.n, "gu")
    else:
        b.subx("Zero", "N", "gu")


def lowest(b: Builder, a: str) -> None:
    """Set the carry to the lowest bit of a."""
    b.half(b.addx(a, a), "Zero")


def choose_odd(b: Builder, x: str, d: str) -> None:
    """Compute d = x if it is odd, else n - x; the carry is x's lowest bit."""
    negative = b.subx("N", x)
    lowest(b, x)
    b.sel(x, negative, d)


def _step(b: Builder) -> None:
    """Take a step; the carry is the lowest bit of ``ga``, before and behind it."""
    odd_b, odd_v = b.sel("gb", "Zero"), b.sel("gv", "Zero")
    more = b.subx(odd_b, "ga")
    less = b.subx("ga", odd_b)
    b.sel("ga", "gb", "gb")
    b.sel("gu", "gv", "gv")
    up, down = b.sub(odd_v, "gu"), b.sub("gu", odd_v)
    u, a = b.sel(up, down), b.sel(more, less)
    b.half(u, "N", "gu")
    b.half(a, "Zero", "ga")


def hold(b: Builder) -> None:
    """Begin an inverse of ``ga`` with s = ``gu``, which is below n.

    v becomes zero by a step in which One takes the place of n.
    """
    b.hold("N")
    b.gcd("One")
    b.cof("Zero", "N")
    b.hold("N")


def advance(b: Builder) -> None:
    """Take a step, like ``_step``."""
    b.gcd("ga", "ga")
    b.cof("gu", "N", "gu")


def held(b: Builder, d: str) -> str:
    """Return d = s / x, when all steps are done; the modulus is n.

    b is 1, so that of One and Zero a step makes zero and -v / 2. What b is is looked at, too: were
    it another, the step would take it, or not.
    """
    b.gcd("One")
    half = b.cof("Zero", "N")
    return b.sub("Zero", b.add(half, half), d)


class Order(NamedTuple):
    """Rows of an order n and of -1 / n mod R."""

    n: str
    negative: str


OF_CURVE = Order("N", "NegativeN")


def times(b: Builder, x: str, y: str, d: str = "", order: Order = OF_CURVE) -> str:
    """Compute d = x y / R mod n of an x below n and any y; the modulus is n."""
    b.mul(x, y, "order", Kind.RAW)
    b.mul("order", order.negative, "quotient", Kind.RAW)
    b.mul("quotient", order.n, "part", Kind.RAW)
    b.addx("order", "part")
    carry = b.addx("Zero", "Zero", carry=True)
    return b.add(b.add("order+", carry), "part+", d)
