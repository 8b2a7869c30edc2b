"""Arithmetic of P-521 for cores with a multiplier, RV32IM and RV64IM alike.

p = 2^521 - 1 is -1 modulo the width of a word, so the factor of each step of a Montgomery
reduction is the lowest word itself, and its product with p two shifts.
"""

from collections.abc import Sequence

from cryptile.asm.code import A, Code, Operand
from cryptile.asm.lib.bigint import modular
from cryptile.asm.lib.bigint.columns import AddColumn, Sum, load, of_product, of_square, reduced
from cryptile.asm.lib.bigint.operation import Operation, routine

_BITS = 521
_SIZE = 72
_TOP = _BITS % 64
"""Bits in the highest word that is not empty, of 32 or 64 bits."""


def _mul(code: Code) -> list[Operand]:
    return _reduced(code, of_product(load(code, A[1], _SIZE), load(code, A[2], _SIZE)))


def _sqr(code: Code) -> list[Operand]:
    return _reduced(code, of_square(code, load(code, A[1], _SIZE)))


def _reduced(code: Code, columns: AddColumn) -> list[Operand]:
    xlen, words = code.isa.xlen, 8 * _SIZE // code.isa.xlen
    distance = _BITS // xlen

    def add_factors(column: int, factors: Sequence[Operand], total: Sum) -> None:
        if 0 <= column - distance < words:
            factor = factors[column - distance]
            total.add(code.slli(factor, _TOP), code.srli(factor, xlen - _TOP))

    code.step("products and reduction, word by word")
    return _less_p(code, reduced(code, words, columns, add_factors)[: distance + 1], words)


def _less_p(code: Code, number: Sequence[Operand], words: int) -> list[Operand]:
    """Return a number less than 2 p modulo p: it is p or more if one more has bit 521."""
    code.step("minus p if that is possible")
    carry: Operand = code.emit("seqz", code.addi(number[0], 1))
    for word in number[1:-1]:
        carry = code.emit("sltu", code.add(word, carry), carry)
    carry = code.srli(code.add(number[-1], carry), _TOP)
    result: list[Operand] = []
    for word in number[:-1]:
        result.append(code.add(word, carry))
        carry = code.emit("sltu", result[-1], carry)
    top = code.add(number[-1], carry)
    result.append(code.emit("andi", top, imm=(1 << _TOP) - 1))
    return result + [code.li(0)] * (words - len(result))


_FIELD = "Modulo p; operands and result less than p, in Montgomery form. "

OPERATIONS = {
    "mul": Operation(_mul, "fe_t *r, const fe_t *a, const fe_t *b", (3140, 803), _FIELD),
    "sqr": Operation(_sqr, "fe_t *r, const fe_t *a", (1880, 572), _FIELD),
    **modular.operations(
        _SIZE,
        {
            "modular_mul": (6781, 1591),
            "modular_sqr": (5236, 1284),
            "modular_add": (457, 202),
            "modular_sub": (355, 156),
        },
    ),
}

ROUTINES = [routine(f"cry_p521_{name}_asm", operation) for name, operation in OPERATIONS.items()]
