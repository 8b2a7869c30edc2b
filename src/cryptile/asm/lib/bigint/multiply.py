"""Multiplication and squaring of n words: schoolbook, and one level of Karatsuba on top.

Routines named ``_core`` have a convention of their own: they may clobber every register but sp, gp
and tp, so that their callers do the saving, once. Arguments are in a0 to a2 as usual.
"""

from cryptile.asm.code import SP, ZERO, A, Code, Operand, Value
from cryptile.asm.function import Function
from cryptile.asm.lib.bigint import words
from cryptile.asm.lib.bigint.emit import ahead, arguments, load_words, settle, store_words

_BLOCKS = {12: (6, 6), 16: (8, 8), 20: (10, 10)}
"""How b is split so that a block of it and its window of sums fit into the registers."""


def schoolbook_mul(function: Function, n: int) -> None:
    """Append r = a * b, with r, a and b in a0 to a2."""
    code = Code(function.isa)
    inputs = arguments(3)
    r, a, b = inputs
    first = 0
    for width in _BLOCKS.get(n, (n,)):
        y = [code.load(b, 4 * (first + k)) for k in range(width)]
        plus = ahead(code, r, first, n) if first else iter(())
        store_words(code, words.product(code, ahead(code, a, 0, n), y, plus), r, first=first)
        first += width
    settle(function, code, inputs)


def schoolbook_sqr(function: Function, n: int) -> None:
    """Append r = a^2, with r and a in a0 and a1."""
    code = Code(function.isa)
    if n > 2:
        store_words(code, words.square(code, load_words(code, A[1], n)), A[0])
    else:  # the doublings would cost more than the product that they save
        a = [code.load(A[1], 4 * k) for k in range(n)]
        store_words(code, words.product(code, a, a), A[0])
    settle(function, code, {}, fixed=A[:2])


def karatsuba(function: Function, n: int, core: str, *, squaring: bool = False) -> None:
    """Append r = a * b, or a^2, by three calls of a core of n / 2 words.

    Karatsuba's method with the product of the halves' differences (subtractive: no operand grows by
    a bit). Signs are masks: no branch depends on them.
    """
    k = n // 2
    r, a, b, mask = (function.reserve(4) for _ in range(4))
    da, db, z1 = function.reserve(4 * k), function.reserve(4 * k), function.reserve(4 * n)
    code = Code(function.isa)
    inputs = arguments(2 if squaring else 3)
    operands = list(inputs)
    for pointer, place in zip(operands, (r, a, b), strict=False):
        code.store(pointer, SP, place)
    signs = [
        _difference(code, pointer, k, place)
        for pointer, place in zip(operands[1:], (da, db), strict=False)
    ]
    if not squaring:
        code.store(code.not_(code.xor(*signs)), SP, mask)
    settle(function, code, inputs)
    for result, left, right in ((None, da, db), (0, 0, 0), (8 * k, 4 * k, 4 * k)):
        if result is None:
            function.addi(SP, z1, dst=A[0])
            function.addi(SP, left, dst=A[1])
            function.addi(SP, right, dst=A[2])
        else:
            for reg, place, offset in ((A[0], r, result), (A[1], a, left), (A[2], b, right)):
                function.load(SP, place, dst=reg)
                if offset:
                    function.addi(reg, offset, dst=reg)
        function.call(core)
    function.load(SP, r, dst=A[0])
    code = Code(function.isa)
    negative = code.li(-1) if squaring else code.load(SP, mask)
    _combine(code, k, A[0], z1, negative)
    settle(function, code, {}, fixed=A[:1])


def _difference(code: Code, pointer: Value, k: int, place: int) -> Operand:
    """Store the absolute difference of the halves; return its sign as a mask."""
    low = [code.load(pointer, 4 * i) for i in range(k)]
    high = [code.load(pointer, 4 * (k + i)) for i in range(k)]
    difference, borrow = words.sub_words(code, low, high)
    assert borrow is not None
    sign = code.emit("neg", borrow)
    carry: Operand | None = borrow
    for i, word in enumerate(difference):
        total, carry = words.sum_of(code, (code.xor(word, sign), carry), carry_out=i + 1 < k)
        code.store(total, SP, place + 4 * i)
    return sign


def _combine(code: Code, k: int, r: Operand, z1: int, negative: Operand) -> None:
    """Add the middle product: z0 + z2 - z1 if ``negative`` is all ones, z0 + z2 + z1 if zero.

    z0 and z2 are in r already. The high half of z0 plus the low half of z2 is needed twice.
    """

    def z(i: int) -> Operand:
        return code.load(r, 4 * i)

    shared: list[Operand] = []
    shared_carry: Operand | None = None
    carry: Operand | None = code.emit("neg", negative)
    for i in range(2 * k):
        if i < k:
            word, shared_carry = words.sum_of(code, (z(k + i), z(2 * k + i), shared_carry))
            shared.append(word)
        elif i == k:
            carry = code.add(carry or ZERO, shared_carry or ZERO)
        other = z(i if i < k else 2 * k + i)
        middle = code.xor(code.load(SP, z1 + 4 * i), negative)
        total, carry = words.sum_of(code, (shared[i % k], other, middle, carry))
        code.store(total, r, 4 * (k + i))
    # Above: the carries of both sums, and the sign of z1, which goes on for ever.
    carry = code.add(code.add(carry or ZERO, shared_carry or ZERO), negative)
    for i in range(3 * k, 4 * k):
        total, carry = words.sum_of(code, (z(i), carry), carry_out=i + 1 < 4 * k)
        code.store(total, r, 4 * i)
