"""Addition and subtraction of n words, unrolled."""

from collections.abc import Iterator

from cryptile.asm.code import A, Code, Operand
from cryptile.asm.function import Function
from cryptile.asm.lib.bigint import words
from cryptile.asm.lib.bigint.emit import ahead, settle, store_words


def _pairs(code: Code, n: int) -> Iterator[tuple[Operand, Operand]]:
    return zip(ahead(code, A[1], 0, n), ahead(code, A[2], 0, n), strict=True)


def add_or_sub(function: Function, n: int, *, subtract: bool = False) -> None:
    """Append r = a + b or a - b, with the carry or borrow in a0; operands in a0 to a2."""
    code = Code(function.isa)
    carry: Operand | None = None
    for k, (x, y) in enumerate(_pairs(code, n)):
        if subtract:
            total, carry = words.sub_words(code, [x], [y], carry)
        else:
            total, carry = words.add_words(code, [x], [y], carry)
        store_words(code, total, A[0], first=k)
    if carry is None:
        raise ValueError("no words")
    code.mv(carry, dst=A[0])
    settle(function, code, {}, fixed=A[:3])


def add_reduced(function: Function, n: int) -> None:
    """Append r = a + b limb by limb, without carries."""
    code = Code(function.isa)
    for k, (x, y) in enumerate(_pairs(code, n)):
        code.store(code.add(x, y), A[0], 4 * k)
    settle(function, code, {}, fixed=A[:3])
