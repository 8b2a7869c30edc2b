"""p = 2^256 - 2^224 + 2^192 + 2^96 - 1 in four words of 64 bits.

p is -1 modulo 2^64, so the factor of each step of a Montgomery reduction is the lowest word itself.
The two words in the middle of its product with p are the factor shifted by 32 bits.
"""

from collections.abc import Sequence

from cryptile.asm.code import Code, Operand
from cryptile.asm.lib.bigint.columns import AddColumn, Sum, reduced

_WORDS = 4
_SECOND = (1 << 32) - 1
_TOP = 1 - (1 << 32)
"""The words of p are -1, _SECOND, 0, _TOP."""


def reduce(code: Code, add_column: AddColumn) -> list[Operand]:
    """Add up eight columns, reducing on the way; return five words, less than 2 p."""
    code.step("products and reduction, word by word")
    top = code.li(_TOP)

    def add_factors(column: int, factors: Sequence[Operand], total: Sum) -> None:
        if 0 <= column - 1 < _WORDS:
            factor = factors[column - 1]
            total.add(code.slli(factor, 32), code.srli(factor, 32))
        if 0 <= column - 3 < _WORDS:
            total.product(factors[column - 3], top)

    return reduced(code, _WORDS, add_column, add_factors)


def subtract_p(code: Code, words: Sequence[Operand], flag: Operand) -> list[Operand]:
    """Return five words: four plus flag * (2^256 - p), that is flag * (1 - 2^96 - 2^192 + 2^224).

    With the flag a small number that stands for as many times 2^256 it is the sum modulo p, but for
    another subtraction of p, and the fifth word is what is above 2^256.
    """
    code.step("plus flag * (2^256 - p)")
    shifted = code.slli(flag, 32)
    low = code.add(words[0], flag)
    take = code.sub(shifted, code.emit("sltu", low, flag))
    second, borrow = code.sub(words[1], take), code.emit("sltu", words[1], take)
    third, borrow = code.sub(words[2], borrow), code.emit("sltu", words[2], borrow)
    more = code.sub(code.sub(shifted, flag), borrow)
    high = code.add(words[3], more)
    return [low, second, third, high, code.emit("sltu", high, more)]


def add_p(code: Code, words: Sequence[Operand], flag: Operand) -> list[Operand]:
    """Return four words minus flag * (2^256 - p), flag 0 or 1: the mirror image."""
    code.step("minus flag * (2^256 - p)")
    shifted = code.slli(flag, 32)
    low = code.sub(words[0], flag)
    more = code.sub(shifted, code.emit("sltu", words[0], flag))
    second = code.add(words[1], more)
    carry = code.emit("sltu", second, more)
    third = code.add(words[2], carry)
    carry = code.emit("sltu", third, carry)
    take = code.sub(code.sub(shifted, flag), carry)
    return [low, second, third, code.sub(words[3], take)]


def less_p(code: Code, words: Sequence[Operand]) -> list[Operand]:
    """Return five words, less than 2 p, modulo p: p is subtracted, and added again if it borrows.

    The fifth word is 1 only if the four below it borrow.
    """
    code.step("minus p")
    low = code.addi(words[0], 1)
    take = code.add(code.emit("snez", low), code.li(_SECOND))
    second, borrow = code.sub(words[1], take), code.emit("sltu", words[1], take)
    third, borrow = code.sub(words[2], borrow), code.emit("sltu", words[2], borrow)
    take = code.add(borrow, code.li(_TOP))
    high, borrow = code.sub(words[3], take), code.emit("sltu", words[3], take)
    return add_p(code, [low, second, third, high], code.xor(borrow, words[4]))


def even(code: Code, words: Sequence[Operand]) -> list[Operand]:
    """Return five words: four, plus p if they are odd."""
    code.step("plus p if odd")
    odd = code.emit("andi", words[0], imm=1)
    shifted = code.slli(odd, 32)
    low = code.sub(words[0], odd)  # no borrow: it is odd
    second = code.add(words[1], shifted)
    carry = code.emit("sltu", second, shifted)
    third = code.add(words[2], carry)
    carry = code.emit("sltu", third, carry)
    take = code.sub(code.sub(shifted, odd), carry)
    high = code.sub(words[3], take)
    return [low, second, third, high, code.sub(odd, code.emit("sltu", words[3], take))]
