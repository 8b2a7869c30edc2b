"""GHASH by the integer multiplier, for cores without a carry-less one.

Of two words with every fourth bit kept, at most 8 ones meet in a bit of the integer product, so the
carries stay within the three bits above it, which are masked away: the idea of BearSSL's
"ctmul". Words are put together by Karatsuba's method, twice.
"""

from collections.abc import Sequence

from cryptile.asm.allocate import allocate
from cryptile.asm.code import FREELY_USABLE, SP, A, Code, Operand, Reg, Value
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.ghash.element import (
    BLOCK,
    BLOCKS,
    GENERATOR,
    KEY_AT,
    SOURCE,
    STATE,
    function,
    load_big_endian,
    load_element,
    reduce,
    store_element,
)
from cryptile.asm.schedule import Tuning

_CYCLES = {
    32: "128 + 865 a block (timing model loaduse2).",
    64: "130 + 497 a block (timing model loaduse2).",
}
_METHOD = """products of integers with holes (the idea of BearSSL's ctmul), Karatsuba twice."""
_PARTS = ((0, 1), (2, 3), (0, 1, 2, 3))
"""Which words Karatsuba's method multiplies: the halves and their sum."""

Words = list[Operand]
"""A product of two 32-bit words: two registers, or one on RV64."""


def _factors(words: Sequence[Operand], code: Code) -> list[Operand]:
    """Return the nine words that are multiplied: of each half and of their sum, 0, 1 and 0 + 1."""
    halves = [list(words[:2]), list(words[2:])]
    halves.append([code.xor(a, b) for a, b in zip(*halves, strict=True)])
    return [word for half in halves for word in (*half, code.xor(*half))]


def _xor(code: Code, *terms: Words) -> Words:
    total = terms[0]
    for term in terms[1:]:
        total = [code.xor(a, b) for a, b in zip(total, term, strict=True)]
    return total


class _Body:
    def __init__(self, code: Code, masks: Sequence[Operand], key_at: int) -> None:
        self.code, self.masks, self.key_at = code, masks, key_at

    def integer_product(self, a: Operand, b: Operand) -> Words:
        low = self.code.emit("mul", a, b)
        return [low] if self.code.isa.xlen == 64 else [low, self.code.emit("mulhu", a, b)]

    def multiply(self, number: int, word: Operand) -> Words:
        """Return the product of a word and a factor of the key, by number."""
        code = self.code
        a = [code.and_(word, mask) for mask in self.masks[:4]]
        at = self.key_at + 4 * code.isa.word * number
        b = [code.load(SP, at + code.isa.word * i, remat=True) for i in range(4)]
        total: Words = []
        for k in range(4):
            terms = [self.integer_product(a[i], b[(k - i) % 4]) for i in range(4)]
            kept = [code.and_(x, self.masks[k]) for x in _xor(code, *terms)]
            total = _xor(code, total, kept) if total else kept
        return total

    def multiply2(self, number: int, words: Sequence[Operand]) -> list[Operand]:
        """Return the product, in registers, of two words and their sum with the key's."""
        code = self.code
        low, high, both = (self.multiply(number + i, word) for i, word in enumerate(words))
        middle = _xor(code, both, low, high)
        if code.isa.xlen == 64:
            return [
                code.xor(low[0], code.slli(middle[0], 32)),
                code.xor(high[0], code.srli(middle[0], 32)),
            ]
        return [low[0], code.xor(low[1], middle[0]), code.xor(high[0], middle[1]), high[1]]

    def multiply4(self, words: Sequence[Operand]) -> list[Operand]:
        """Return the whole product."""
        code, factors = self.code, _factors(words, self.code)
        low, high, both = (self.multiply2(n, factors[n : n + 3]) for n in (0, 3, 6))
        middle = _xor(code, both, low, high)
        half = len(middle) // 2
        return [
            *low[:half],
            *_xor(code, low[half:], middle[:half]),
            *_xor(code, high[:half], middle[half:]),
            *high[half:],
        ]


def _prepare_key(f: Function, masks: Sequence[Operand], key_at: int, pool: Sequence[Reg]) -> None:
    """Write the nine factors of the key to the frame, each split by the masks."""
    word = f.isa.word
    code = Code(f.isa)
    op = "lw" if f.isa.xlen == 32 else "lwu"
    words = [code.load(STATE, KEY_AT + 4 * i, op=op) for i in range(4)]
    for number, factor in enumerate(_factors(words, code)):
        for i in range(4):
            code.store(code.and_(factor, masks[i]), SP, key_at + word * (4 * number + i))
    f.extend(allocate(code.insns, pool, word=word).insns)


def _halves(code: Code, words: Sequence[Operand]) -> list[Operand]:
    """Return the 32-bit words of register-wide ones."""
    if code.isa.xlen == 32:
        return list(words)
    return [
        half for word in words for half in (code.srli(code.slli(word, 32), 32), code.srli(word, 32))
    ]


def generate(isa: Isa, tuning: Tuning) -> str:
    """Return the routine."""
    f = function(isa, "multiply", _METHOD, _CYCLES, condition=" on cores whose multiplier is")
    state_at, key_at = f.reserve(isa.word), f.reserve(9 * 4 * isa.word)
    n = BLOCK // isa.word
    end, *rest = [reg for reg in FREELY_USABLE if reg not in A[:3]]
    masks, pool = rest[:4], [STATE, BLOCKS, *rest[4:]]
    y = rest[4 : 4 + n]
    loop, exit_at_once = f.new_label("loop"), f.new_label("exit")
    f.branch("beqz", BLOCKS, to=exit_at_once)
    f.slli(BLOCKS, 4, dst=end)
    f.add(SOURCE, end, dst=end)
    f.li(int("1" * (isa.xlen // 4), 16), dst=masks[0])
    for i in range(1, 4):
        f.slli(masks[i - 1], 1, dst=masks[i])
    _prepare_key(f, masks, key_at, rest[4:])
    load_element(f, 0, y)
    f.store(STATE, SP, state_at)
    f.label(loop)

    code = Code(isa)
    body = _Body(code, masks, key_at)
    old: list[Operand] = [Value(f"y{i}") for i in range(n)]
    block = [load_big_endian(code, SOURCE, BLOCK - isa.word * (i + 1), isa.word) for i in range(n)]
    sums = [code.xor(a, b) for a, b in zip(old, block, strict=True)]
    new = reduce(code, body.multiply4(_halves(code, sums)))
    allocation = allocate(
        code.insns,
        pool,
        word=isa.word,
        inputs={value: reg for value, reg in zip(old, y, strict=True) if isinstance(value, Value)},
        outputs={value: reg for value, reg in zip(new, y, strict=True) if isinstance(value, Value)},
        spill_offset=f.frame,
    )
    f.reserve(allocation.spill_bytes)
    f.extend(allocation.insns)

    f.addi(SOURCE, BLOCK, dst=SOURCE)
    f.branch("beq", SOURCE, end, to=exit_at_once + "_done")
    f.branch("j", to=loop)
    f.label(exit_at_once + "_done")
    f.load(SP, state_at, dst=STATE)
    store_element(f, y)
    f.label(exit_at_once)
    f.ret()
    return f.render(tuning, GENERATOR)
