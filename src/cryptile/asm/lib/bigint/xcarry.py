"""What a carry flag would bring: the simulator's add-with-carry instructions (custom-0).

``adc`` adds the carry flag too, ``adcs`` starts a chain; both set the flag. The flag is not
modelled in the data flow, so these instructions stay in the order they are written.
"""

from cryptile.asm.code import ZERO, A, Code, Insn, Kind, Operand, Value
from cryptile.asm.function import Function
from cryptile.asm.lib.bigint.emit import ahead, arguments, settle

_ADC, _ADCS = ".insn r 0x0b, 0, 0,", ".insn r 0x0b, 1, 0,"


BLOCKS = {
    1: (1,),
    2: (2,),
    4: (4,),
    6: (6,),
    8: (8,),
    10: (10,),
    12: (6, 6),
    16: (8, 8),
    20: (10, 10),
}
"""The sizes there are, and how b is split to fit into the registers."""


def _add(code: Code, a: Operand, b: Operand, *, first: bool = False) -> Operand:
    total = Value()
    code.append(Insn(_ADCS if first else _ADC, total, (a, b), kind=Kind.FIXED))
    return total


def add(function: Function, n: int) -> None:
    """Append r = a + b, with the carry in a0; operands in a0 to a2."""
    code = Code(function.isa)
    pairs = zip(ahead(code, A[1], 0, n), ahead(code, A[2], 0, n), strict=True)
    for k, (x, y) in enumerate(pairs):
        code.store(_add(code, x, y, first=k == 0), A[0], 4 * k)
    code.mv(_add(code, ZERO, ZERO), dst=A[0])
    settle(function, code, {}, fixed=A[:3])


def mul(function: Function, n: int) -> None:
    """Append r = a * b by operand scanning: four instructions a product, in two carry chains."""
    code = Code(function.isa)
    inputs = arguments(3)
    r, a, b = inputs
    first = 0
    for width in BLOCKS[n]:
        y = [code.load(b, 4 * (first + j)) for j in range(width)]
        acc: list[Operand] = []
        following = code.load(a, 0)
        for i in range(n):
            x = following
            if i + 1 < n:
                following = code.load(a, 4 * (i + 1))
            old = code.load(r, 4 * (first + i)) if first else None
            acc = _row(code, x, y, acc, old)
            code.store(acc.pop(0), r, 4 * (first + i))
        for j, word in enumerate(acc):
            code.store(word, r, 4 * (first + n + j))
        first += width
    settle(function, code, inputs)


def _row(
    code: Code, x: Operand, y: list[Operand], acc: list[Operand], old: Operand | None
) -> list[Operand]:
    """Return x * y + acc + old: acc and the low words in one chain, the high words in another."""
    if acc:
        low = [_add(code, acc[0], code.emit("mul", x, y[0]), first=True)]
        low += [
            _add(code, term, code.emit("mul", x, word))
            for term, word in zip(acc[1:], y[1:], strict=True)
        ]
        low.append(_add(code, ZERO, ZERO))
    else:
        low = [code.emit("mul", x, word) for word in y] + [ZERO]
    if old is not None:
        low[0] = _add(code, low[0], old, first=True)
    out = low[:1]
    for j, word in enumerate(y):
        high = code.emit("mulhu", x, word)
        out.append(_add(code, low[j + 1], high, first=j == 0 and old is None))
    return out
