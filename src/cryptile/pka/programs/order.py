"""Arithmetic modulo the order n of a base point: products, and odd scalars.

A product is Montgomery's, x y / R mod n with R one more than a row holds, of three products of kind
raw: the quotient is the lower half of x y times -1 / n, and q n makes that half zero. The second
factor may be any row.
"""

from typing import NamedTuple

from cryptile.pka.builder import Builder
from cryptile.pka.isa import Kind
from cryptile.pka.programs.curve import Curve


def rows(b: Builder) -> None:
    """Name the rows."""
    for name in ("order", "quotient", "part"):
        b.pair(name, f"{name}+")


def constants(b: Builder, curve: Curve) -> None:
    """Name the constants of a curve's order, but N."""
    b.constant("NegativeN", -pow(curve.n, -1, curve.r) % curve.r)
    b.constant("SquareN", curve.r**2 % curve.n)


def lowest(b: Builder, a: str) -> None:
    """Set the carry to the lowest bit of a."""
    b.half(b.addx(a, a), "Zero")


def choose_odd(b: Builder, x: str, d: str) -> None:
    """Compute d = x if it is odd, else n - x; the carry is x's lowest bit."""
    negative = b.subx("N", x)
    lowest(b, x)
    b.sel(x, negative, d)


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
