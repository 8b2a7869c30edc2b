"""Arithmetic with numbers of several rows, the lowest first, in straight pieces.

A carry is one flag, so that chains of sums stand in a program in the order in which they are
written here, and multiplications wherever there is room for them. B is 2^512.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from cryptile.pka.builder import Builder

Number = Sequence[str]


class Modulus(NamedTuple):
    """Rows of an odd modulus m, and what Montgomery's reduction asks for."""

    rows: Number
    friendly: Number
    """(m k + 1) / B."""

    negative: str
    """k = -1 / m mod B."""


def plus(b: Builder, x: Number, y: Number, carry: bool = False, d: Number = ()) -> list[str]:
    """Compute d = x + y; the carry is that out of the highest row."""
    return _chain(b.addx, x, y, carry, d)


def minus(b: Builder, x: Number, y: Number, carry: bool = False, d: Number = ()) -> list[str]:
    """Compute d = x - y; the carry is the borrow."""
    return _chain(b.subx, x, y, carry, d)


def _chain(operate: Callable[..., str], x: Number, y: Number, carry: bool, d: Number) -> list[str]:
    sums = []
    for n, (one, other) in enumerate(zip_longest(x, y, fillvalue="Zero")):
        sums.append(operate(one, other, d[n] if d else "", carry=carry or n > 0))
    return sums


Pair = tuple[str, str]


def square(b: Builder, x: Number) -> Iterator[str]:
    """Return the rows of x^2, each computed when it is asked for.

    2 xi xj is xi^2 + xj^2 - (xi - xj)^2.
    """
    return _columns(b, [b.raw_sqr(row) for row in x], lambda i, j: _square(b, x[i], x[j]))


def product(b: Builder, x: Number, y: Number) -> Iterator[str]:
    """Return the rows of x y, each computed when it is asked for.

    xi yj + xj yi is xi yi + xj yj + (xi - xj)(yj - yi) (Karatsuba).
    """
    products = [b.raw(one, other) for one, other in zip(x, y, strict=True)]
    return _columns(b, products, lambda i, j: _product(b, (x[i], x[j]), (y[j], y[i])))


Term = Callable[[list[str]], list[str]]
"""Adds something to a column."""


def _columns(b: Builder, own: list[Pair], mixed: Callable[[int, int], Term]) -> Iterator[str]:
    """Return the rows of a product from those of like rows, ``own``, and what is ``mixed``.

    In column k = i + j each of the first is there once, so that their sum goes along from column to
    column. What is mixed is made a column ahead.
    """
    n = len(own)
    terms: list[Term] = []
    total: list[str] = []
    column: list[str] = []
    for k in range(2 * n - 1):
        end = 2 if k == 2 * n - 2 else 3  # the last one has no third row
        ahead = [mixed(i, k + 1 - i) for i in range(max(0, k - n + 2), k // 2 + 1)]
        if k == 0:
            total = list(own[0])
        elif k < n:
            total = plus(b, total, [*own[k], "Zero"])
        else:
            total = minus(b, total[:end], own[k - n])
        column = plus(b, [*total, "Zero"][:end], column[:end]) if column else total
        for term in terms:
            column = term(column)
        terms = ahead
        yield column[0]
        column = column[1:]
    yield column[0]


def _square(b: Builder, x: str, y: str) -> Term:
    """Subtract (x - y)^2."""
    part = b.raw_sqr(_distance(b, x, y))
    return lambda column: minus(b, column, part)


def _product(b: Builder, x: Pair, y: Pair) -> Term:
    """Add (x0 - x1) (y0 - y1), which is negative if one of the differences is."""
    one = _distance(b, *x)
    sign = b.sel("Most", "Zero")
    other = _distance(b, *y)
    sign = b.xor(sign, b.sel("Most", "Zero"))
    part = b.raw(one, other)

    def add(column: list[str]) -> list[str]:
        changed = [b.xor(row, sign) for row in part]
        b.subx("Zero", sign)
        return plus(b, column, [*changed, sign], carry=True)

    return add


def _distance(b: Builder, x: str, y: str) -> str:
    """Return |x - y|; the carry is whether x is the larger one."""
    first = b.subx(x, y)
    second = b.subx(y, x)
    return b.sel(first, second)


def plain_product(b: Builder, x: Number, y: Number) -> Iterator[str]:
    """Return the rows of x y as ``product`` does, with less instructions and more products."""
    n = len(x)
    column: list[str] = []
    for k in range(2 * n - 1):
        for i in range(max(0, k - n + 1), min(k, n - 1) + 1):
            part = [*b.raw(x[i], y[k - i]), "Zero"][: 2 if k == 2 * n - 2 else 3]
            column = plus(b, part, column[: len(part)]) if column else part[:2]
        yield column[0]
        column = column[1:]
    yield column[0]


def reduce_(b: Builder, rows: Iterator[str], m: Modulus, d: Number) -> None:
    """Compute d = x / R modulo m of the rows of an x below R^2, R = B^n; d is below R, not m."""
    u = [next(rows)]
    for _ in d[1:]:
        u = fold(b, u, next(rows), m)
    finish(b, u, rows, m, d)


def fold(b: Builder, u: Number, row: str, m: Modulus, d: Number = ()) -> list[str]:
    """Compute d = (u + u0 k m) / B + row, d of a row more than m.

    A multiple of k m, which is -1 modulo B, makes the lowest row zero: that is itself the quotient,
    and of its product the upper rows are left. With u below B^(n + 1) d is, too.
    """
    n = len(m.rows)
    parts = [b.raw(u[0], factor) for factor in m.friendly]
    sum_ = plus(b, [*u[1:], "Zero"], [row]) if len(u) > 1 else [row]
    sum_ = [*sum_, *["Zero"] * (n + 1 - len(sum_))]
    low = plus(b, sum_, [low for low, _ in parts], d=[*d[:1], *[""] * n] if d else ())
    return [low[0], *plus(b, low[1:], [high for _, high in parts], d=d[1:])]


def finish(b: Builder, u: Number, rows: Iterator[str], m: Modulus, d: Number) -> None:
    """Compute d = (u + q m) / B + the rows, modulo m, of a quotient q that makes that whole.

    All steps make the sum, divided by R, less than 2 m larger: m is taken off what there is before
    the last one, and behind it, if a carry comes out.
    """
    quotient = b.mull(u[0], m.negative)
    parts = [b.raw(quotient, row) for row in m.rows]
    sum_ = plus(b, [next(rows) for _ in d], u[1:])
    mask = b.sel("Most", "Zero")
    sum_ = minus(b, sum_, [b.land(mask, row) for row in m.rows])
    b.subx("Zero", u[0])  # the carry out of the lowest row, which becomes zero
    sum_ = plus(b, sum_, [low for low, _ in parts[1:]], carry=True)
    mask = b.sel("Most", "Zero")
    sum_ = plus(b, sum_, [high for _, high in parts])
    mask = b.sel("Most", mask)
    minus(b, sum_, [b.land(mask, row) for row in m.rows], d=d)
