"""Arithmetic modulo p = 2^255 - 19 on eight words of 32 bits or four of 64, as data flow.

Elements are kept below 2^255 + 2^231, not reduced further. Every reduction estimates its quotient
by 2^255 from the highest word alone, before any carry has come up there, and so folds it back in
the one pass that the carries take anyway. What the estimate misses stays in the highest word.
"""

from collections.abc import Iterable, Sequence

from cryptile.asm.code import Code, Operand
from cryptile.asm.isa import Isa
from cryptile.asm.lib.bigint import words

BYTES = 32


def words_of(isa: Isa) -> int:
    """Return how many words an element has."""
    return BYTES // isa.word


def fold(code: Code, high: Sequence[Operand], factor: int, low: Sequence[Operand]) -> list[Operand]:
    """Return high * factor + low modulo p; factor is less than 2^17.

    The result is less than 2^255 + factor * 2^224.
    """
    code.step("high * factor + low, modulo p")
    last_bit = code.isa.xlen - 1
    times, nineteen = code.li(factor), code.li(19)
    top, over = words.mul_add(code, high[-1], times, low[-1])
    quotient = code.or_(code.slli(over, 1), code.srli(top, last_bit))
    top = code.srli(code.slli(top, 1), 1)
    carry = code.emit("mul", quotient, nineteen)
    out: list[Operand] = []
    for x, term in zip(high[:-1], low[:-1], strict=True):
        total, carry = words.mul_add(code, x, times, term, carry)
        out.append(total)
    return [*out, code.add(top, carry)]


def mul(code: Code, a: Iterable[Operand], b: Sequence[Operand]) -> list[Operand]:
    """Return a * b; any words."""
    product = list(words.product(code, a, b))
    half = len(product) // 2
    return fold(code, product[half:], 38, product[:half])


def sqr(code: Code, a: Sequence[Operand]) -> list[Operand]:
    """Return a^2 of an element."""
    # Below 2^255 the words of 2 a are no more than those of a. What lies above is so little that
    # folding it carries no further than the highest word.
    top = code.emit("srai", a[-1], imm=code.isa.xlen - 1)
    carry: Operand | None = code.emit("andi", top, imm=19)
    clean: list[Operand] = []
    for word in a[:-1]:
        total, carry = words.sum_of(code, (word, carry))
        clean.append(total)
    assert carry is not None
    clean.append(code.add(code.srli(code.slli(a[-1], 1), 1), carry))
    product = list(words.square(code, clean, top_bit_clear=True))
    half = len(product) // 2
    return fold(code, product[half:], 38, product[:half])


class Sum:
    """a + b, word by word: tell the highest words first, then all words in turn."""

    def __init__(self, code: Code, a_top: Operand, b_top: Operand) -> None:
        """Estimate the quotient."""
        halves = code.add(code.srli(a_top, 1), code.srli(b_top, 1))
        quotient = code.srli(halves, code.isa.xlen - 2)
        self._code = code
        self._position = 0
        self._top = code.slli(quotient, code.isa.xlen - 1)
        self._carry: Operand | None = code.emit("mul", quotient, code.li(19))

    def word(self, a: Operand, b: Operand) -> Operand:
        """Return the next word of the sum."""
        self._position += 1
        last = self._position == words_of(self._code.isa)
        total, self._carry = words.sum_of(self._code, (a, b, self._carry), carry_out=not last)
        return self._code.sub(total, self._top) if last else total


class Difference:
    """a - b, likewise: a multiple of p is added, so that it is not negative."""

    def __init__(self, code: Code, a_top: Operand, b_top: Operand) -> None:
        """Estimate the quotient, -2 to 0, with room for the borrows that are to come."""
        quarters = code.sub(code.srli(a_top, 2), code.srli(b_top, 2))
        quotient = code.emit("srai", code.addi(quarters, -2), imm=code.isa.xlen - 3)
        quotient = code.and_(quotient, code.emit("srai", quotient, imm=code.isa.xlen - 1))
        self._code = code
        self._position = 0
        self._top = code.slli(quotient, code.isa.xlen - 1)
        self._less = code.emit("mul", quotient, code.li(-19))
        self._borrow: Operand | None = None

    def word(self, a: Operand, b: Operand) -> Operand:
        """Return the next word of the difference."""
        code = self._code
        self._position += 1
        last = self._position == words_of(self._code.isa)
        [total], borrow = words.sub_words(code, [a], [b], self._borrow, borrow_out=not last)
        if self._position == 1:
            assert borrow is not None
            borrow = code.add(borrow, code.emit("sltu", total, self._less))
            total = code.sub(total, self._less)
        self._borrow = borrow
        return code.sub(total, self._top) if last else total


def add(code: Code, a: Sequence[Operand], b: Sequence[Operand]) -> list[Operand]:
    """Return a + b."""
    return [*map(Sum(code, a[-1], b[-1]).word, a, b)]


def sub(code: Code, a: Sequence[Operand], b: Sequence[Operand]) -> list[Operand]:
    """Return a - b."""
    return [*map(Difference(code, a[-1], b[-1]).word, a, b)]
