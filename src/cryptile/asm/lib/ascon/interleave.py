"""Bit interleaving of lanes on RV32."""

from cryptile.asm.code import Code, Operand

_STEPS = ((1, 0x22222222), (2, 0x0C0C0C0C), (4, 0x00F000F0), (8, 0x0000FF00))


def interleave(code: Code, low: Operand, high: Operand) -> tuple[Operand, Operand]:
    """Return the even and the odd bits of a lane."""
    return _exchange(code, _unzip(code, low), _unzip(code, high))


def separate(code: Code, even: Operand, odd: Operand) -> tuple[Operand, Operand]:
    """Return the lower and the upper word of a lane."""
    low, high = _exchange(code, even, odd)
    return _zip(code, low), _zip(code, high)


def _exchange(code: Code, a: Operand, b: Operand) -> tuple[Operand, Operand]:
    """Return the lower halves of both words as a word, and the upper ones."""
    if "zbkb" in code.isa:
        upper = code.emit("pack", code.srli(a, 16), code.srli(b, 16))
        return code.emit("pack", a, b), upper
    # Exchange the upper half of one with the lower half of the other.
    t = code.slli(code.xor(code.srli(a, 16), b), 16)
    return code.xor(a, t), code.xor(b, code.srli(t, 16))


def _unzip(code: Code, x: Operand) -> Operand:
    """Return the even bits in the lower half, the odd ones in the upper half."""
    if "zbkb" in code.isa:
        return code.emit("unzip", x)
    for step in _STEPS:
        x = _swap(code, x, *step)
    return x


def _zip(code: Code, x: Operand) -> Operand:
    if "zbkb" in code.isa:
        return code.emit("zip", x)
    for step in reversed(_STEPS):
        x = _swap(code, x, *step)
    return x


def _swap(code: Code, x: Operand, distance: int, mask: int) -> Operand:
    """Exchange the bits of the mask with those a distance above."""
    t = code.and_(code.xor(x, code.srli(x, distance)), code.li(mask))
    return code.xor(x, code.xor(t, code.slli(t, distance)))
