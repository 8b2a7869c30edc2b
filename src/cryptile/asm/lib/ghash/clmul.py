"""GHASH by carry-less multiplication (Zbc or Zbkc).

On RV32 the product is put together from three of half its length (Karatsuba); below that, and on
RV64, the plain method takes fewer instructions. The reduction multiplies by the polynomial.
"""

from collections.abc import Sequence

from cryptile.asm.allocate import allocate
from cryptile.asm.blocks import BlockReader
from cryptile.asm.code import FREELY_USABLE, A, Code, Operand, Value
from cryptile.asm.isa import Isa
from cryptile.asm.lib.ghash.element import (
    BLOCK,
    BLOCKS,
    GENERATOR,
    KEY_AT,
    SOURCE,
    function,
    load_element,
    store_element,
)
from cryptile.asm.schedule import Tuning

_CYCLES = {
    32: "55 + 84 a block, aligned; 46 a block more if not (timing model loaduse2).",
    64: "47 + 30 a block, aligned; 46 a block more if not (timing model loaduse2).",
}


def _product2(code: Code, a: Sequence[Operand], b: Sequence[Operand]) -> list[Operand]:
    """Return the four words of a product of two words by two."""
    low = [code.emit("clmul", a[i], b[j]) for i, j in ((0, 0), (0, 1), (1, 0), (1, 1))]
    high = [code.emit("clmulh", a[i], b[j]) for i, j in ((0, 0), (0, 1), (1, 0), (1, 1))]
    second = code.xor(code.xor(high[0], low[1]), low[2])
    third = code.xor(code.xor(high[1], high[2]), low[3])
    return [low[0], second, third, high[3]]


def _product(
    code: Code, y: Sequence[Operand], h: Sequence[Operand], h_sum: Sequence[Operand]
) -> list[Operand]:
    if len(y) == 2:
        return _product2(code, y, h)
    y_sum = [code.xor(y[0], y[2]), code.xor(y[1], y[3])]
    low, high = _product2(code, y[:2], h[:2]), _product2(code, y[2:], h[2:])
    middle = _product2(code, y_sum, h_sum)
    # Words 2 and 3 of low and 0 and 1 of high appear in two places each.
    shared = [code.xor(low[2], high[0]), code.xor(low[3], high[1])]
    z = low[:2]
    z += [code.xor(code.xor(middle[i], low[i]), shared[i]) for i in range(2)]
    z += [code.xor(code.xor(middle[2 + i], high[2 + i]), shared[i]) for i in range(2)]
    return z + high[2:]


def _reduce(code: Code, z: list[Operand], polynomial: Operand) -> list[Operand]:
    """Clear the lower words, from the lowest up, by adding multiples of the polynomial.

    ``polynomial`` is the reflected one, below its top bit: 0xc2 << (xlen - 8), above a 1.
    """
    code.step("reduce")
    n = len(z) // 2
    for i in range(n):
        z[i + n - 1] = code.xor(z[i + n - 1], code.emit("clmul", z[i], polynomial))
        z[i + n] = code.xor(z[i + n], code.emit("clmulh", z[i], polynomial))
        z[i + n] = code.xor(z[i + n], z[i])
    return z[n:]


def generate(isa: Isa, tuning: Tuning) -> str:
    """Return the routine."""
    f = function(
        isa, "clmul", "carry-less multiplication.", _CYCLES, note="; that of a register is faster"
    )
    n = BLOCK // isa.word
    tmp, link, end, polynomial, *free = [reg for reg in FREELY_USABLE if reg not in A[:3]]
    h, h_sum, free = free[:n], free[n : n + n // 4 * 2], free[n + n // 4 * 2 :]
    y = free[:n]
    reader = BlockReader(f, SOURCE, end, tmp, link, free[n : n + 4], BLOCK)
    loop, exit_at_once = f.new_label("loop"), f.new_label("exit")
    f.branch("beqz", BLOCKS, to=exit_at_once)
    reader.enter(BLOCKS)
    load_element(f, 0, y)
    load_element(f, KEY_AT, h)
    for i, reg in enumerate(h_sum):
        f.xor(h[i], h[i + 2], dst=reg)
    f.li(0xC2, dst=polynomial)
    f.slli(polynomial, isa.xlen - 8, dst=polynomial)
    f.label(loop)

    body = Code(isa)
    old = [Value(f"y{i}") for i in range(n)]
    words = [body.load(SOURCE, BLOCK - isa.word * (i + 1)) for i in range(n)]
    swapped = [body.emit("rev8", word) for word in words]
    sums = [body.xor(a, b) for a, b in zip(old, swapped, strict=True)]
    new = _reduce(body, _product(body, sums, h, h_sum), polynomial)
    allocation = allocate(
        body.insns,
        [tmp, link, BLOCKS, *free],
        word=isa.word,
        inputs=dict(zip(old, y, strict=True)),
        outputs={value: reg for value, reg in zip(new, y, strict=True) if isinstance(value, Value)},
        spill_offset=f.frame,
    )
    f.reserve(allocation.spill_bytes)
    f.extend(allocation.insns)

    f.addi(SOURCE, BLOCK, dst=SOURCE)
    reader.more(loop)
    store_element(f, y)
    f.label(exit_at_once)
    f.ret()
    reader.finish()
    return f.render(tuning, GENERATOR)
