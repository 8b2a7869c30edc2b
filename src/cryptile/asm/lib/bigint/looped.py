"""Loops for any number of words, and the row of a Montgomery multiplication."""

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
    f: Function, x: Reg, word: Reg, term: Reg, carry: Reg, low: Reg, high: Reg, *, first: bool
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


def mul(function: Function) -> None:
    """Append r = a * b; r, a, b, n in a0 to a3, n not 0."""
    f = function
    r, a, b, size, end, inner, out, inner_end = A
    x, carry, word, term, low, high = T[:6]
    clear, row, loop = (f.new_label(name) for name in ("clear", "row", "loop"))
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
    f.label(loop)
    f.load(inner, dst=word)
    f.load(out, dst=term)
    f.addi(inner, 4, dst=inner)
    _product(f, x, word, term, carry, low, high, first=False)
    f.store(low, out)
    f.addi(out, 4, dst=out)
    f.branch("bne", inner, inner_end, to=loop)
    f.store(carry, out)
    f.addi(r, 4, dst=r)
    f.addi(a, 4, dst=a)
    f.branch("bne", a, end, to=row)
    f.ret()


def montgomery_row(function: Function) -> None:
    """Append r = (r + x * b + q * m) / 2^32; r, b, m, n, x, -1/m in a0 to a5, n not 0."""
    f = function
    r, b, m, end, x, q = A[:6]
    word, term, low, high, carry, carry_m = T[:6]
    loop, done = f.new_label("loop"), f.new_label("done")
    f.slli(end, 2, dst=end)
    f.add(end, b, dst=end)
    f.load(b, dst=word)
    f.load(r, dst=term)
    _product(f, x, word, term, carry, low, high, first=True)
    f.load(m, dst=word)
    f.emit("mul", low, q, dst=q)
    f.mv(low, dst=term)
    _product(f, q, word, term, carry_m, low, high, first=True)
    f.addi(b, 4, dst=b)
    f.addi(m, 4, dst=m)
    f.branch("beq", b, end, to=done)
    f.label(loop)
    f.load(b, dst=word)
    f.load(r, 4, dst=term)
    _product(f, x, word, term, carry, low, high, first=False)
    f.load(m, dst=word)
    f.addi(b, 4, dst=b)
    f.mv(low, dst=term)
    _product(f, q, word, term, carry_m, low, high, first=False)
    f.store(low, r)
    f.addi(r, 4, dst=r)
    f.addi(m, 4, dst=m)
    f.branch("bne", b, end, to=loop)
    f.label(done)
    f.load(r, 4, dst=term)
    f.add(carry, carry_m, dst=low)
    f.emit("sltu", low, carry, dst=high)
    f.add(low, term, dst=low)
    f.emit("sltu", low, term, dst=term)
    f.add(high, term, dst=high)
    f.store(low, r)
    f.store(high, r, 4)
    f.ret()
