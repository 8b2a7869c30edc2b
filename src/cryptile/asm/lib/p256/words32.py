"""p = 2^256 - 2^224 + 2^192 + 2^96 - 1 in eight words of 32 bits.

p is -1 modulo 2^96, so the factor of each step of a Montgomery reduction is the lowest word itself,
and its product with p takes one multiplication: by 2^32 - 1.
"""

from collections.abc import Sequence

from cryptile.asm.code import Code, Operand
from cryptile.asm.lib.bigint.columns import AddColumn, Sum, reduced

_WORDS = 8


def reduce(code: Code, add_column: AddColumn) -> list[Operand]:
    """Add up sixteen columns, reducing on the way; return nine words, less than 2 p."""
    code.step("products and reduction, word by word")
    minus_one = code.li(-1)

    def add_factors(column: int, factors: Sequence[Operand], total: Sum) -> None:
        for distance in (3, 6):
            if 0 <= column - distance < _WORDS:
                total.add(factors[column - distance])
        if 0 <= column - 7 < _WORDS:
            factor = factors[column - 7]
            total.add(code.emit("neg", factor), code.emit("mulhu", factor, minus_one))

    return reduced(code, _WORDS, add_column, add_factors)


def subtract_p(code: Code, words: Sequence[Operand], flag: Operand) -> list[Operand]:
    """Return nine words: eight plus flag * (2^256 - p), that is flag * (1 - 2^96 - 2^192 + 2^224).

    With the flag a small number that stands for as many times 2^256 it is the sum modulo p, but for
    another subtraction of p, and the ninth word is what is above 2^256.
    """
    code.step("plus flag * (2^256 - p)")
    result = [code.add(words[0], flag)]
    carry = code.emit("sltu", result[0], flag)
    for word in words[1:3]:
        result.append(code.add(word, carry))
        carry = code.emit("sltu", result[-1], carry)
    take = code.sub(flag, carry)
    for word in words[3:6]:
        result.append(code.sub(word, take))
        take = code.emit("sltu", word, take)
    take = code.add(take, flag)
    result.append(code.sub(words[6], take))
    take = code.emit("sltu", words[6], take)
    top = code.add(words[7], flag)
    carry = code.emit("sltu", top, flag)
    result.append(code.sub(top, take))
    return [*result, code.sub(carry, code.emit("sltu", top, take))]


def add_p(code: Code, words: Sequence[Operand], flag: Operand) -> list[Operand]:
    """Return eight words minus flag * (2^256 - p), flag 0 or 1: the mirror image."""
    code.step("minus flag * (2^256 - p)")
    result = [code.sub(words[0], flag)]
    take = code.emit("sltu", words[0], flag)
    for word in words[1:3]:
        result.append(code.sub(word, take))
        take = code.emit("sltu", word, take)
    carry = code.sub(flag, take)
    for word in words[3:6]:
        result.append(code.add(word, carry))
        carry = code.emit("sltu", result[-1], carry)
    carry = code.add(carry, flag)
    result.append(code.add(words[6], carry))
    carry = code.emit("sltu", result[-1], carry)
    result.append(code.sub(words[7], code.sub(flag, carry)))
    return result


def less_p(code: Code, words: Sequence[Operand]) -> list[Operand]:
    """Return nine words, less than 2 p, modulo p.

    They are p or more if they carry when 2^256 - p is added, whose words are 1, 0, 0, -1, -1, -1,
    -2, 0: only the carries are computed.
    """
    low = code.and_(code.and_(words[0], words[1]), words[2])
    carry = code.emit("seqz", code.addi(low, 1))
    middle = code.or_(code.or_(words[3], words[4]), code.or_(words[5], carry))
    carry = code.emit("snez", middle)
    missing = code.addi(code.emit("xori", carry, imm=1), 1)  # 2 - carry
    carry = code.emit("xori", code.emit("sltu", words[6], missing), imm=1)
    total = code.add(words[7], carry)
    carry = code.or_(code.emit("sltu", total, carry), words[8])
    return subtract_p(code, words[:8], carry)[:8]


def even(code: Code, words: Sequence[Operand]) -> list[Operand]:
    """Return nine words: eight, plus p if they are odd."""
    code.step("plus p if odd")
    odd = code.emit("andi", words[0], imm=1)
    result = [code.sub(words[0], odd), *words[1:3]]  # no borrow: it is odd
    carry = odd
    for word in words[3:6]:
        result.append(code.add(word, carry))
        carry = code.emit("sltu", result[-1], carry)
    carry = code.add(carry, odd)
    result.append(code.add(words[6], carry))
    take = code.sub(odd, code.emit("sltu", result[-1], carry))
    result.append(code.sub(words[7], take))
    return [*result, code.sub(odd, code.emit("sltu", words[7], take))]
