"""Sums and products of multi-word numbers as data flow: values in, values out, lowest word first.

For use by any generator: nothing here knows of registers, memory or calling conventions. All of it
is straight-line, so it runs in constant time where ``mul`` and ``mulhu`` do.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from cryptile.asm.code import ZERO, Code, Operand


def sum_of(
    code: Code, terms: Sequence[Operand | None], *, carry_out: bool = True
) -> tuple[Operand, Operand | None]:
    """Add words; return the low word and the carry, None if there cannot be one.

    Three instructions a word (one without ``carry_out``), less two for the first carry.
    """
    words = [term for term in terms if term is not None]
    total, carry = words[0], None
    for word in words[1:]:
        total = code.add(total, word)
        if carry_out:
            out = code.emit("sltu", total, word)
            carry = out if carry is None else code.add(carry, out)
    return total, carry


def add_words(
    code: Code,
    a: Sequence[Operand | None],
    b: Sequence[Operand | None],
    carry: Operand | None = None,
    *,
    carry_out: bool = True,
) -> tuple[list[Operand], Operand | None]:
    """Return the words of a + b + carry, and the carry out if asked for."""
    out: list[Operand] = []
    for n, (x, y) in enumerate(zip(a, b, strict=True)):
        total, carry = sum_of(code, (x, y, carry), carry_out=carry_out or n + 1 < len(a))
        out.append(total)
    return out, carry


def sub_words(
    code: Code,
    a: Sequence[Operand],
    b: Sequence[Operand],
    borrow: Operand | None = None,
    *,
    borrow_out: bool = True,
) -> tuple[list[Operand], Operand | None]:
    """Return the words of a - b - borrow, and the borrow, 0 or 1, if asked for."""
    out: list[Operand] = []
    for n, (x, y) in enumerate(zip(a, b, strict=True)):
        wanted = borrow_out or n + 1 < len(a)
        total = code.sub(x, y)
        taken: Operand | None = code.emit("sltu", x, y) if wanted else None
        if borrow is not None:
            again = code.emit("sltu", total, borrow) if wanted else None
            total = code.sub(total, borrow)
            taken = code.add(taken, again) if taken is not None and again is not None else None
        out.append(total)
        borrow = taken
    return out, borrow


def mul_add(code: Code, x: Operand, y: Operand, *terms: Operand | None) -> tuple[Operand, Operand]:
    """Return low and high word of x * y plus at most two words, which cannot overflow."""
    low, high = code.emit("mul", x, y), code.emit("mulhu", x, y)
    for term in terms:
        if term is not None:
            low = code.add(low, term)
            high = code.add(high, code.emit("sltu", low, term))
    return low, high


def mul_row(
    code: Code,
    x: Operand,
    y: Sequence[Operand],
    acc: Sequence[Operand | None],
    carry: Operand | None = None,
) -> list[Operand]:
    """Return the len(y) + 1 words of x * y + acc + carry.

    Each product takes in one word of ``acc`` and the high word of the product before it: eight
    instructions.
    """
    out: list[Operand] = []
    for word, term in zip(y, acc, strict=True):
        low, carry = mul_add(code, x, word, term, carry)
        out.append(low)
    assert carry is not None
    return [*out, carry]


def product(
    code: Code,
    a: Iterable[Operand],
    b: Sequence[Operand],
    plus: Iterable[Operand | None] = (),
) -> Iterator[Operand]:
    """Yield the words of a * b + plus by operand scanning: 8 n^2 - 6 n instructions.

    Every product brings two words and takes in at most two, at three instructions each; 2 n words
    are left over. Product scanning does not get below that. Each word is yielded as soon as it is
    final, so that it can be stored. ``plus`` has at most as many words as ``a``.
    """
    acc: Sequence[Operand | None] = [None] * len(b)
    for x, term in zip_longest(a, plus):
        low, *acc = mul_row(code, x, b, acc, term)
        assert low is not None
        yield low
    yield from (word for word in acc if word is not None)


def square(code: Code, a: Sequence[Operand], *, top_bit_clear: bool = False) -> Iterator[Operand]:
    """Yield the words of a^2: row i is a[i] times a[i] and twice what lies above it.

    The words of 2 a are made once. Its highest bit makes a word of its own, unless
    ``top_bit_clear`` promises that there is none.
    """
    n, last_bit = len(a), code.isa.xlen - 1
    doubled: list[Operand] = [ZERO, ZERO]
    for k in range(2, n):
        doubled.append(code.or_(code.slli(a[k], 1), code.srli(a[k - 1], last_bit)))
    top = None if top_bit_clear or n == 1 else code.emit("srai", a[-1], imm=last_bit)
    acc: Sequence[Operand | None] = [None] * n
    over: Operand | None = None
    for i, x in enumerate(a):
        last = i + 1 == n
        factors = [x] if last else [x, code.slli(a[i + 1], 1), *doubled[i + 2 :]]
        row = mul_row(code, x, factors, acc)
        bit = None if last or top is None else code.and_(x, top)
        row[-1], over = sum_of(code, (row[-1], bit, over), carry_out=not last)
        yield from row[:2]
        acc = row[2:]
