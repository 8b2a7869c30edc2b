"""Poly1305 blocks for RV32 cores without a multiplier, or with one of variable time.

Radix 2^26, five limbs. The product grows from the top bits of the limbs of r downwards (Horner's
method), the same bit of all five at once, so it is doubled only 27 times. Nothing carries between
limbs but after every third bit: a limb of the product, below 2^26 + 2^6 after that, gains at most
7 * 5.75 * 2^26 in three bits while it grows eightfold itself, and stays below 2^32.
"""

from collections.abc import Sequence
from itertools import pairwise

from cryptile.asm.code import FREELY_USABLE, SP, ZERO, A, Reg
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.schedule import Tuning

_BITS = 26
_LIMBS = 5
_GROUP = 3
_GROUPS = 9
_BLOCK = 16
_R_AT = 24
_CYCLES = "115 + 2274 a block (timing model loaduse2)."

_DOC = """Poly1305 as RFC 8439, section 2.5, by shifts and masks in radix 2^26: h = (h + block +
hibit * 2^128) * r for each block, not wholly reduced. Any alignment of in; it and the state are
disjoint. Constant-time on every core."""


class _Blocks(Function):
    def __init__(self, isa: Isa) -> None:
        super().__init__(
            isa,
            "cry_poly1305_blocks_shift",
            prototype="void cry_poly1305_blocks_shift(poly1305_state_t *state, const uint8_t *in, "
            "size_t blocks, uint32_t hibit)",
            doc=_DOC,
            cycles=_CYCLES,
        )
        self.state, self.source, self.blocks, self.hibit = A[:4]
        pool = [reg for reg in FREELY_USABLE if reg not in A[:4]]
        self.h, self.r = pool[:5], pool[5:10]
        self.sums = pool[10:20]
        self.low_bits, self.count, self.mask, self.tmp = pool[20:24]
        self.state_at = self.reserve(isa.word)
        self.r_at = self.reserve(_LIMBS * isa.word)

    def split(self, words: Sequence[Reg], limbs: Sequence[Reg]) -> None:
        """Set four limbs from four words, and the fifth to what of the words lies above them."""
        self.and_(words[0], self.low_bits, dst=limbs[0])
        for i in range(1, 4):
            self.srli(words[i - 1], 32 - 6 * i, dst=self.tmp)
            self.slli(words[i], 6 * i, dst=limbs[i])
            self.or_(limbs[i], self.tmp, dst=limbs[i])
            self.and_(limbs[i], self.low_bits, dst=limbs[i])
        self.srli(words[3], 8, dst=limbs[4])

    def carry(self, limbs: Sequence[Reg]) -> None:
        """Carry from each limb into the next."""
        for low, high in pairwise(limbs):
            self.srli(low, _BITS, dst=self.tmp)
            self.and_(low, self.low_bits, dst=low)
            self.add(high, self.tmp, dst=high)

    def enter(self) -> None:
        words, top = self.sums[:4], self.sums[4]
        self.store(self.state, SP, self.state_at)
        self.li(1, dst=self.low_bits)
        self.slli(self.low_bits, _BITS, dst=self.low_bits)
        self.addi(self.low_bits, -1, dst=self.low_bits)
        for i, word in enumerate(words):
            self.load(self.state, _R_AT + 4 * i, dst=word)
        self.split(words, self.r)
        for i, limb in enumerate(self.r):
            self.slli(limb, 32 - _GROUP * _GROUPS, dst=limb)
            self.store(limb, SP, self.r_at + 4 * i)
        for i, word in enumerate([*words, top]):
            self.load(self.state, 4 * i, dst=word)
        self.split(words, self.h)
        self.slli(top, 24, dst=top)
        self.add(self.h[4], top, dst=self.h[4])
        self.slli(self.hibit, 24, dst=self.hibit)

    def add_block(self) -> None:
        words, limbs, byte = self.sums[:4], self.sums[4:9], self.sums[9]
        for i, word in enumerate(words):
            self.load(self.source, 4 * i, op="lbu", dst=word)
            for n in range(1, 4):
                self.load(self.source, 4 * i + n, op="lbu", dst=byte)
                self.slli(byte, 8 * n, dst=byte)
                self.or_(word, byte, dst=word)
        self.split(words, limbs)
        for h, limb in zip(self.h, limbs, strict=True):
            self.add(h, limb, dst=h)
        self.add(self.h[4], self.hibit, dst=self.h[4])
        self.carry(self.h)

    def multiply(self) -> None:
        again = self.new_label("bits")
        for i, limb in enumerate(self.r):
            self.load(SP, self.r_at + 4 * i, dst=limb)
        for limb in self.sums:
            self.mv(ZERO, dst=limb)
        self.li(_GROUPS, dst=self.count)
        self.label(again)
        self.addi(self.count, -1, dst=self.count)
        for _ in range(_GROUP):
            for limb in self.sums:
                self.slli(limb, 1, dst=limb)
            for i, r in enumerate(self.r):
                self.emit("srai", r, imm=31, dst=self.mask)
                self.slli(r, 1, dst=r)
                for j, h in enumerate(self.h):
                    self.and_(h, self.mask, dst=self.tmp)
                    self.add(self.sums[i + j], self.tmp, dst=self.sums[i + j])
        self.carry(self.sums)
        self.branch("bnez", self.count, to=again)

    def reduce(self) -> None:
        """Set h to the product; what lies above 2^130 comes back times 5."""
        for h, low, high in zip(self.h, self.sums[:5], self.sums[5:], strict=True):
            self.slli(high, 2, dst=self.tmp)
            self.add(low, high, dst=h)
            self.add(h, self.tmp, dst=h)
        self.carry(self.h)
        self.srli(self.h[4], _BITS, dst=self.tmp)
        self.and_(self.h[4], self.low_bits, dst=self.h[4])
        self.add(self.h[0], self.tmp, dst=self.h[0])
        self.slli(self.tmp, 2, dst=self.tmp)
        self.add(self.h[0], self.tmp, dst=self.h[0])

    def leave(self) -> None:
        words, h = self.sums[:5], self.h
        self.carry(h)
        self.load(SP, self.state_at, dst=self.state)
        for i in range(4):
            self.slli(h[i + 1], _BITS - 6 * i, dst=words[i])
            self.srli(h[i], 6 * i, dst=self.tmp)
            self.or_(words[i], self.tmp, dst=words[i])
        self.srli(h[4], 24, dst=words[4])
        for i, word in enumerate(words):
            self.store(word, self.state, 4 * i)


def generate(isa: Isa, tuning: Tuning) -> str:
    """Return the routine."""
    f = _Blocks(isa)
    loop, done = f.new_label("loop"), f.new_label("done")
    f.branch("beqz", f.blocks, to=done)
    f.enter()
    f.label(loop)
    f.add_block()
    f.multiply()
    f.reduce()
    f.addi(f.source, _BLOCK, dst=f.source)
    f.addi(f.blocks, -1, dst=f.blocks)
    f.branch("bnez", f.blocks, to=loop)
    f.leave()
    f.label(done)
    f.ret()
    return f.render(tuning, "cryptile.asm.lib.poly1305")
