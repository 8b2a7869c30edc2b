"""Multiplication in a reduced radix 2^s: carry-free, four instructions a product.

A product p of two limbs contributes ``p mod 2^s`` to its column and ``p >> s`` to the next one. The
second is one ``mulhu`` with an operand shifted to the left beforehand. The first is never masked
out: the sum Y of the ``mul`` results modulo 2^32 and the sum Z of the ``mulhu`` results give the
exact sum of the low parts as Y - 2^s Z, because it is less than 2^32.
"""

from itertools import pairwise

from cryptile.asm.code import SP, ZERO, Code, Operand
from cryptile.asm.function import Function
from cryptile.asm.lib.bigint.emit import ahead, arguments, settle

_WIDEST = 6
"""Limbs of b that fit into the registers together with two sums each."""


def bits(n: int) -> int:
    """Return s: both sums of n low parts and n high parts must fit into 32 bits together."""
    return 28 if n <= 8 else 27 if n <= 16 else 26


def mul(function: Function, n: int) -> None:
    """Append r = a * b; limbs less than 2^s in and out, 2 n of them out."""
    code = Code(function.isa)
    inputs = arguments(3)
    r, a, b = inputs
    s = bits(n)
    mask = code.li((1 << s) - 1)
    partial = function.reserve(8 * n) if n > _WIDEST else 0
    blocks = -(-n // _WIDEST)
    edges = [n * k // blocks for k in range(blocks + 1)]
    carry: Operand = ZERO
    for first, end in pairwise(edges):
        width = end - first
        y = [code.load(b, 4 * (first + j)) for j in range(width)]
        low: list[Operand | None] = [None] * width
        high: list[Operand | None] = [None] * width

        def earlier(j: int, position: int, first: int = first) -> tuple[Operand, Operand] | None:
            # What the blocks before have left for this column, at its first use.
            if not first or position >= first + n - 1:
                return None
            return code.load(r, 4 * position), code.load(SP, partial + 4 * position)

        for i, x in enumerate(ahead(code, a, 0, n)):
            shifted = code.slli(x, 32 - s)
            for j, word in enumerate(y):
                if low[j] is None and (found := earlier(j, first + i + j)):
                    low[j], high[j] = found
                low[j] = _plus(code, low[j], code.emit("mul", x, word))
                high[j] = _plus(code, high[j], code.emit("mulhu", shifted, word))
            done = [(first + i, low.pop(0), high.pop(0))]
            low.append(None)
            high.append(None)
            if i == n - 1:
                done += [(first + n + j, low[j], high[j]) for j in range(width - 1)]
            for position, sum_low, sum_high in done:
                assert sum_low is not None
                assert sum_high is not None
                if end < n and position >= end:
                    code.store(sum_low, r, 4 * position)
                    code.store(sum_high, SP, partial + 4 * position)
                    continue
                column = code.sub(sum_low, code.slli(sum_high, s))
                column = code.add(column, carry) if position else column
                code.store(code.and_(column, mask), r, 4 * position)
                carry = code.add(sum_high, code.srli(column, s))
    code.store(carry, r, 4 * (2 * n - 1))
    settle(function, code, inputs)


def _plus(code: Code, total: Operand | None, term: Operand) -> Operand:
    return term if total is None else code.add(total, term)
