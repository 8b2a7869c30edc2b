"""Loops for any number of words, and the row of a Montgomery multiplication."""

from collections.abc import Callable

from cryptile.asm.code import ZERO, A, Reg, T
from cryptile.asm.function import Function


def add_or_sub(function: Function, *, subtract: bool = False) -> None:
    """Append r = a + b or a - b; r, a, b, n in a0 to a3, carry or borrow out in a0."""
    r, a, b, end = A[:4]
    x, y, total, carry, out = T[:5]
    f = function
    loop, done = f.new_label("loop"), f.new_label("done")
    f.li(0, dst=carry)
    f.slli(end, 2, dst=end)
    f.add(end, a, dst=end)
    f.branch("beq", a, end, to=done)
    f.label(loop)
    f.load(a, dst=x)
    f.load(b, dst=y)
    f.addi(a, 4, dst=a)
    f.addi(b, 4, dst=b)
    if subtract:
        f.sub(x, y, dst=total)
        f.emit("sltu", x, y, dst=out)
        f.emit("sltu", total, carry, dst=x)
        f.sub(total, carry, dst=total)
    else:
        f.add(x, y, dst=total)
        f.emit("sltu", total, y, dst=out)
        f.add(total, carry, dst=total)
        f.emit("sltu", total, carry, dst=x)
    f.add(out, x, dst=carry)
    f.store(total, r)
    f.addi(r, 4, dst=r)
    f.branch("bne", a, end, to=loop)
    f.label(done)
    f.mv(carry, dst=A[0])
    f.ret()


def _product(
    f: Function,
    x: Reg,
    word: Reg,
    term: Reg,
    carry: Reg,
    *,
    low: Reg,
    high: Reg,
    first: bool = False,
) -> None:
    """Compute low = x * word + term + carry and the new carry; clobbers term and high."""
    f.emit("mul", x, word, dst=low)
    f.emit("mulhu", x, word, dst=high)
    f.add(low, term, dst=low)
    f.emit("sltu", low, term, dst=term)
    if first:
        f.add(high, term, dst=carry)
        return
    f.add(high, term, dst=high)
    f.add(low, carry, dst=low)
    f.emit("sltu", low, carry, dst=carry)
    f.add(carry, high, dst=carry)


def _pairs(
    f: Function, step: Callable[[int], None], advance: Callable[[int], None], pointer: Reg, end: Reg
) -> None:
    """Carry out a step for each word from ``pointer`` to ``end``, two at a time.

    ``step(k)`` works on the word k words ahead; ``advance(n)`` moves the pointers n words on. The
    first word is done alone if the number is odd. The number of words is public.
    """
    even, loop, done = (f.new_label(name) for name in ("even", "loop", "done"))
    spare = T[6]
    f.sub(end, pointer, dst=spare)
    f.emit("andi", spare, imm=4, dst=spare)
    f.branch("beqz", spare, to=even)
    step(0)
    advance(1)
    f.label(even)
    f.branch("beq", pointer, end, to=done)
    f.label(loop)
    step(0)
    step(1)
    advance(2)
    f.branch("bne", pointer, end, to=loop)
    f.label(done)


def mul(function: Function) -> None:
    """Append r = a * b; r, a, b, n in a0 to a3, n not 0."""
    f = function
    r, a, b, size, end, inner, out, inner_end = A
    x, carry, word, term, low, high = T[:6]
    clear, row = f.new_label("clear"), f.new_label("row")
    f.slli(size, 2, dst=size)
    f.add(a, size, dst=end)
    f.add(b, size, dst=inner_end)
    f.add(r, size, dst=out)
    f.mv(r, dst=inner)
    f.label(clear)
    f.store(ZERO, inner)
    f.addi(inner, 4, dst=inner)
    f.branch("bne", inner, out, to=clear)
    f.label(row)
    f.load(a, dst=x)
    f.mv(b, dst=inner)
    f.mv(r, dst=out)
    f.li(0, dst=carry)

    def step(k: int) -> None:
        f.load(inner, 4 * k, dst=word)
        f.load(out, 4 * k, dst=term)
        _product(f, x, word, term, carry, low=low, high=high)
        f.store(low, out, 4 * k)

    def advance(n: int) -> None:
        f.addi(inner, 4 * n, dst=inner)
        f.addi(out, 4 * n, dst=out)

    _pairs(f, step, advance, inner, inner_end)
    f.store(carry, out)
    f.addi(r, 4, dst=r)
    f.addi(a, 4, dst=a)
    f.branch("bne", a, end, to=row)
    f.ret()


def montgomery_row(function: Function) -> None:
    """Append r = (r + x * b + q * m) / 2^32; r, b, m, n, x, -1/m in a0 to a5, n not 0."""
    f = function
    r, b, m, end, x, q, word_m, low_m = A
    word, term, low, high, carry, carry_m = T[:6]
    f.slli(end, 2, dst=end)
    f.add(end, b, dst=end)
    f.load(b, dst=word)
    f.load(r, dst=term)
    _product(f, x, word, term, carry, low=low, high=high, first=True)
    f.load(m, dst=word)
    f.emit("mul", low, q, dst=q)
    _product(f, q, word, low, carry_m, low=term, high=high, first=True)

    def advance(n: int) -> None:
        f.addi(b, 4 * n, dst=b)
        f.addi(m, 4 * n, dst=m)
        f.addi(r, 4 * n, dst=r)

    def step(k: int) -> None:
        # The pointers b and m are one word ahead.
        f.load(b, 4 * k, dst=word)
        f.load(r, 4 * k + 4, dst=term)
        f.load(m, 4 * k, dst=word_m)
        _product(f, x, word, term, carry, low=low, high=high)
        _product(f, q, word_m, low, carry_m, low=low_m, high=high)
        f.store(low_m, r, 4 * k)

    f.addi(b, 4, dst=b)
    f.addi(m, 4, dst=m)
    _pairs(f, step, advance, b, end)
    f.load(r, 4, dst=term)
    f.add(carry, carry_m, dst=low)
    f.emit("sltu", low, carry, dst=high)
    f.add(low, term, dst=low)
    f.emit("sltu", low, term, dst=term)
    f.add(high, term, dst=high)
    f.store(low, r)
    f.store(high, r, 4)
    f.ret()
