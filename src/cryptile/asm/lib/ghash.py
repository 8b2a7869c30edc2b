"""GHASH blocks (NIST SP 800-38D, section 6.4) by carry-less multiplication.

Elements and the key have the form that ``sw/lib/ghash/ghash.h`` describes. On RV32 the product is
put together from three of half its length (Karatsuba); below that, and on RV64, the plain method
takes fewer instructions. The lower half is reduced from its lowest word up (as with Montgomery's
method): adding the word times the reflected polynomial, 0xc2 << (xlen - 8) above a 1, clears it.
"""

from collections.abc import Sequence

from cryptile.asm.allocate import allocate
from cryptile.asm.blocks import BlockReader
from cryptile.asm.code import FREELY_USABLE, A, Code, Operand, Value
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_BLOCK = 16
_CYCLES = {32: "", 64: ""}

_DOC = """GHASH (NIST SP 800-38D, section 6.4) with clmul and clmulh: y = (y + block) * key for each
block. Any alignment of in; that of a register is faster. Constant-time."""


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
    n = len(z) // 2
    for i in range(n):
        z[i + n - 1] = code.xor(z[i + n - 1], code.emit("clmul", z[i], polynomial))
        z[i + n] = code.xor(z[i + n], code.emit("clmulh", z[i], polynomial))
        z[i + n] = code.xor(z[i + n], z[i])
    return z[n:]


def _generate(isa: Isa, tuning: Tuning) -> str:
    f = Function(
        isa,
        "ghash_blocks_asm",
        prototype="void ghash_blocks_asm(ghash_state_t *state, const uint8_t *in, size_t blocks)",
        doc=_DOC,
        cycles=_CYCLES[isa.xlen],
    )
    state, source, blocks = A[:3]
    n = _BLOCK // isa.word
    tmp, link, end, polynomial, *free = [reg for reg in FREELY_USABLE if reg not in A[:3]]
    h, h_sum, free = free[:n], free[n : n + n // 4 * 2], free[n + n // 4 * 2 :]
    y, data = free[:n], free[n : n + 4]
    reader = BlockReader(f, source, end, tmp, link, data, _BLOCK)
    loop, exit_at_once = f.new_label("loop"), f.new_label("exit")
    f.branch("beqz", blocks, to=exit_at_once)
    reader.enter(blocks)
    for i in range(n):
        f.load(state, i * isa.word, dst=y[i])
        f.load(state, _BLOCK + i * isa.word, dst=h[i])
    for i, reg in enumerate(h_sum):
        f.xor(h[i], h[i + 2], dst=reg)
    f.li(0xC2, dst=polynomial)
    f.slli(polynomial, isa.xlen - 8, dst=polynomial)
    f.label(loop)

    body = Code(isa)
    old = [Value(f"y{i}") for i in range(n)]
    words = [body.load(source, _BLOCK - isa.word * (i + 1)) for i in range(n)]
    swapped = [body.emit("rev8", word) for word in words]
    sums = [body.xor(a, b) for a, b in zip(old, swapped, strict=True)]
    new = _reduce(body, _product(body, sums, h, h_sum), polynomial)
    allocation = allocate(
        body.insns,
        [tmp, link, blocks, *free],
        word=isa.word,
        inputs=dict(zip(old, y, strict=True)),
        outputs={value: reg for value, reg in zip(new, y, strict=True) if isinstance(value, Value)},
        spill_offset=f.frame,
    )
    f.reserve(allocation.spill_bytes)
    f.extend(allocation.insns)

    f.addi(source, _BLOCK, dst=source)
    reader.more(loop)
    for i in range(n):
        f.store(y[i], state, i * isa.word)
    f.label(exit_at_once)
    f.ret()
    reader.finish()
    return f.render(tuning, "cryptile.asm.lib.ghash")


ROUTINES = [
    Routine("ghash_blocks_asm", "asm", lambda isa: isa.carryless and isa.rotates, _generate)
]
