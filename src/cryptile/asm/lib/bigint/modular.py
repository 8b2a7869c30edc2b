"""Arithmetic modulo any odd number, of fixed lengths, unrolled.

Operands are in memory, at the addresses in a1 and a2, and the modulus at that in the argument
behind them: m, R^2 modulo m, and -1/m modulo a word.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from cryptile.asm.code import A, Code, Operand
from cryptile.asm.lib.bigint import words as numbers
from cryptile.asm.lib.bigint.columns import AddColumn, Sum, load, of_product, of_square
from cryptile.asm.lib.bigint.operation import Operation

_ONE = "word_t *r, const word_t *a"
_TWO = f"{_ONE}, const word_t *b"


def _mul(code: Code, *, size: int) -> list[Operand]:
    columns = of_product(load(code, A[1], size), load(code, A[2], size))
    return _reduced(code, columns, A[3], size)


def _sqr(code: Code, *, size: int) -> list[Operand]:
    return _reduced(code, of_square(code, load(code, A[1], size)), A[2], size)


def _reduced(code: Code, columns: AddColumn, modulus: Operand, size: int) -> list[Operand]:
    """Add up the columns of a product, reducing on the way (Montgomery)."""
    m, inverse = load(code, modulus, size), code.load(modulus, 2 * size, remat=True)
    factors: list[Operand] = []
    result: list[Operand] = []
    total = Sum(code)
    code.step("products and reduction, word by word")
    for k in range(2 * len(m)):
        columns(k, total)
        for j in range(max(0, k - len(m) + 1), min(k, len(m))):
            total.product(factors[j], m[k - j])
        if k < len(m):
            factors.append(code.emit("mul", total.low, inverse))
            # The lowest word becomes zero; it carries unless it has been that before.
            carry = code.emit("snez", total.shift())
            total.add(code.add(code.emit("mulhu", factors[k], m[0]), carry))
        else:
            result.append(total.shift())
    return _less(code, result, total.shift(), m)


def _less(
    code: Code, words: Sequence[Operand], carry: Operand, m: Sequence[Operand]
) -> list[Operand]:
    """Return words, less than 2 m with the carry, modulo m."""
    code.step("minus m, and plus m if that borrows")
    reduced, borrow = numbers.sub_words(code, words, m)
    assert borrow is not None
    return _plus(code, reduced, m, code.sub(carry, borrow))


def _plus(
    code: Code, words: Sequence[Operand], m: Sequence[Operand], mask: Operand
) -> list[Operand]:
    masked = [code.and_(word, mask) for word in m]
    return numbers.add_words(code, words, masked, carry_out=False)[0]


def _add(code: Code, *, size: int) -> list[Operand]:
    a, b, m = (load(code, pointer, size) for pointer in A[1:4])
    words, carry = numbers.add_words(code, a, b)
    assert carry is not None
    return _less(code, words, carry, m)


def _sub(code: Code, *, size: int) -> list[Operand]:
    a, b, m = (load(code, pointer, size) for pointer in A[1:4])
    words, borrow = numbers.sub_words(code, a, b)
    assert borrow is not None
    code.step("plus m if that borrows")
    return _plus(code, words, m, code.emit("neg", borrow))


_WHAT: dict[str, tuple[Callable[..., list[Operand]], str, str]] = {
    "modular_mul": (_mul, f"{_TWO}, const modulus_t *m", "r = a b / R modulo m. "),
    "modular_sqr": (_sqr, f"{_ONE}, const modulus_t *m", "r = a^2 / R modulo m. "),
    "modular_add": (_add, f"{_TWO}, const word_t *m", "r = a + b modulo m. "),
    "modular_sub": (_sub, f"{_TWO}, const word_t *m", "r = a - b modulo m. "),
}


def operations(size: int, cycles: Mapping[str, tuple[int, int]]) -> dict[str, Operation]:
    """Return some of product, square, sum and difference of numbers of ``size`` bytes.

    ``cycles``: what each takes, by its name, on RV32IM and on RV64IM.
    """
    found = {}
    for name, count in cycles.items():
        body, arguments, doc = _WHAT[name]
        doc += f"R = 2^{8 * size}; m is odd; operands and result less than m. "
        found[name] = Operation(partial(body, size=size), arguments, count, doc)
    return found
