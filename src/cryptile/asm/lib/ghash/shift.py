"""GHASH by shifts and masks, for cores without a multiplier or with one of variable time.

From the top bits of y down (Horner's method), but two bits at a time, with the key and its double,
and the same bits of all words of y at once: so the product is shifted only half as often as a word
has bits.
"""

from cryptile.asm.allocate import allocate
from cryptile.asm.code import FREELY_USABLE, ZERO, A, Code, Operand, Reg, Value
from cryptile.asm.isa import Isa
from cryptile.asm.lib.ghash.element import (
    BLOCK,
    BLOCKS,
    GENERATOR,
    KEY_AT,
    SOURCE,
    function,
    load_big_endian,
    load_element,
    reduce,
    store_element,
)
from cryptile.asm.schedule import Tuning

_CYCLES = {
    32: "51 + 1902 a block (timing model loaduse2).",
    64: "19 + 1360 a block (timing model loaduse2).",
}
_METHOD = """shifts and masks, two bits of every word of y at a time."""


def generate(isa: Isa, tuning: Tuning) -> str:
    """Return the routine."""
    f = function(isa, "shift", _METHOD, _CYCLES)
    n, xlen = BLOCK // isa.word, isa.xlen
    mask, tmp, bits, *rest = [reg for reg in FREELY_USABLE if reg not in A[:3]]
    y, h, z, h2 = rest[:n], rest[n : 2 * n], rest[2 * n : 4 * n], rest[4 * n : 5 * n + 1]
    loop, bit_loop, exit_at_once = map(f.new_label, ("loop", "bit", "exit"))
    f.branch("beqz", BLOCKS, to=exit_at_once)
    load_element(f, 0, y)
    load_element(f, KEY_AT, h)
    f.slli(h[0], 1, dst=h2[0])
    for i in range(1, n):
        f.slli(h[i], 1, dst=h2[i])
        f.srli(h[i - 1], xlen - 1, dst=tmp)
        f.or_(h2[i], tmp, dst=h2[i])
    f.srli(h[n - 1], xlen - 1, dst=h2[n])
    f.label(loop)
    add = Code(isa)
    for i, reg in enumerate(y):
        block = load_big_endian(add, SOURCE, BLOCK - isa.word * (i + 1), isa.word)
        add.xor(reg, block, dst=reg)
    f.extend(allocate(add.insns, [mask, tmp, bits, *z], word=isa.word).insns)
    for reg in z:
        f.mv(ZERO, dst=reg)
    f.li(xlen // 2, dst=bits)
    f.label(bit_loop)
    for i in range(2 * n - 1, 0, -1):
        f.srli(z[i - 1], xlen - 2, dst=tmp)
        f.slli(z[i], 2, dst=z[i])
        f.or_(z[i], tmp, dst=z[i])
    f.slli(z[0], 2, dst=z[0])
    f.addi(bits, -1, dst=bits)
    for i, word in enumerate(y):
        for factor in (h2, h):
            f.emit("srai", word, imm=xlen - 1, dst=mask)
            f.slli(word, 1, dst=word)
            for j, part in enumerate(factor):
                f.and_(part, mask, dst=tmp)
                f.xor(z[i + j], tmp, dst=z[i + j])
    f.branch("bnez", bits, to=bit_loop)

    code = Code(isa)
    product: list[Operand] = [Value(f"z{i}") for i in range(2 * n)]
    new = reduce(code, product)
    allocation = allocate(
        code.insns,
        [mask, tmp, bits, *y, *z],
        word=isa.word,
        inputs=_places(product, z),
        outputs=_places(new, y),
    )
    f.extend(allocation.insns)
    f.addi(SOURCE, BLOCK, dst=SOURCE)
    f.addi(BLOCKS, -1, dst=BLOCKS)
    f.branch("bnez", BLOCKS, to=loop)
    store_element(f, y)
    f.label(exit_at_once)
    f.ret()
    return f.render(tuning, GENERATOR)


def _places(values: list[Operand], registers: list[Reg]) -> dict[Value, Reg]:
    pairs = zip(values, registers, strict=True)
    return {value: reg for value, reg in pairs if isinstance(value, Value)}
