"""Poly1305 blocks by the multiplier, radix 2^32 or 2^64.

With r clamped, a word of r above the lowest is a multiple of 4, so what a product with it brings
above 2^128 comes back below as exactly 5/4 of it. The loop computes h = h * r + m rather than
(h + m) * r: so the message words and what the reduction brings back join the column sums, and no
carry runs through the sum on its own. Bounds (2^32; those of 2^64 are alike): the words of r are
below 2^28, those of 5/4 r below 1.25 * 2^28, the top word of h is at most 6; so a column sum is
below 2^63, the high half of one plus the top word's product below 3.1 * 2^30, and five quarters of
the topmost word below 3.2 * 2^30.
"""

from cryptile.asm.blocks import BlockReader
from cryptile.asm.code import FREELY_USABLE, SP, ZERO, A, Reg
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.schedule import Tuning

_BLOCK = 16
_R_AT = 24
_CYCLES = {
    32: "105 + 123 a block, aligned; 46 a block more if not (timing model loaduse2).",
    64: "59 + 41 a block, aligned; 46 a block more if not (timing model loaduse2).",
}

_DOC = """Poly1305 as RFC 8439, section 2.5, radix 2^{xlen}: h = (h + block + hibit * 2^128) * r for
each block, not wholly reduced. Any alignment of in; that of a register is faster. It and the state
are disjoint. Constant-time on cores whose multiplier is."""


class _Blocks(Function):
    def __init__(self, isa: Isa) -> None:
        super().__init__(
            isa,
            "cry_poly1305_blocks_multiply",
            prototype="void cry_poly1305_blocks_multiply(poly1305_state_t *state, "
            "const uint8_t *in, size_t blocks, uint32_t hibit)",
            doc=_DOC.format(xlen=isa.xlen),
            cycles=_CYCLES[isa.xlen],
        )
        n = self.n = _BLOCK // isa.word
        self.state, self.source, self.other, self.hibit = A[:4]
        pool = [reg for reg in FREELY_USABLE if reg not in A[:4]]

        def take(count: int) -> list[Reg]:
            taken = pool[:count]
            del pool[:count]
            return taken

        self.tmp, self.link = take(2)
        self.low, self.high = take(n), take(n)
        self.h = take(n)
        self.top, self.new_top, self.end = take(3)
        self.r, self.s = take(n), [ZERO, *take(n - 1)]
        self.state_at, self.zeros_at = self.reserve(isa.word), self.reserve(_BLOCK)
        data = [*self.low, *self.high][:4]
        self.reader = BlockReader(self, self.source, self.end, self.tmp, self.link, data, _BLOCK)
        self.loop, self.check, self.exit = map(self.new_label, ("loop", "check", "exit"))

    def enter(self) -> None:
        blocks = A[2]
        at_once = self.exit + "_at_once"
        self.branch("beqz", blocks, to=at_once)
        self.store(self.state, SP, self.state_at)
        for i in range(self.n):
            self.load(self.state, _R_AT + i * self.isa.word, dst=self.r[i])
            self.load(self.state, i * self.isa.word, dst=self.h[i])
            self.store(ZERO, SP, self.zeros_at + i * self.isa.word)
        self.load(self.state, _BLOCK, dst=self.top)
        for i in range(1, self.n):
            self.srli(self.r[i], 2, dst=self.s[i])
            self.add(self.s[i], self.r[i], dst=self.s[i])
        self.reader.enter(blocks)
        self.first_block()
        self.branch("j", to=self.check)

    def first_block(self) -> None:
        """Add a block to h."""
        word, carry, sum_carry = self.low[0], self.low[1], self.tmp
        for i, h in enumerate(self.h):
            self.load(self.source, i * self.isa.word, dst=word)
            self.add(h, word, dst=h)
            if i == 0:
                self.emit("sltu", h, word, dst=carry)
                continue
            self.emit("sltu", h, word, dst=sum_carry)
            self.add(h, carry, dst=h)
            self.emit("sltu", h, carry, dst=carry)
            self.add(carry, sum_carry, dst=carry)
        self.add(self.top, carry, dst=self.top)
        self.add(self.top, self.hibit, dst=self.top)
        self.addi(self.source, _BLOCK, dst=self.source)

    def column(self, k: int) -> None:
        """Sum the products that weigh 2^(xlen k) into low[k], high[k]."""
        low, high = self.low[k], self.high[k]
        self.step(f"products of weight 2^{self.isa.xlen * k}")
        for i, h in enumerate(self.h):
            # By turns, so that the products of a multiplier with a pipeline may overlap.
            tmp, other = (self.tmp, self.other) if i % 2 else (self.link, self.state)
            factor = self.r[k - i] if i <= k else self.s[k - i + self.n]
            if i == 0:
                self.emit("mul", h, factor, dst=low)
                self.emit("mulhu", h, factor, dst=high)
                continue
            self.emit("mul", h, factor, dst=tmp)
            self.emit("mulhu", h, factor, dst=other)
            self.add(low, tmp, dst=low)
            self.add(high, other, dst=high)
            self.emit("sltu", low, tmp, dst=tmp)
            self.add(high, tmp, dst=high)

    def carry(self, total: Reg, term: Reg, into: Reg, dst: Reg | None = None) -> None:
        """Add to a word what adding ``term`` last to ``total`` has carried."""
        self.emit("sltu", total, term, dst=self.tmp)
        self.add(into, self.tmp, dst=dst or into)

    def multiply_add(self) -> None:
        """Set h to h * r + m."""
        last = self.n - 1
        for k in range(self.n):
            self.column(k)
        # What lies above 2^130 comes back at the bottom, times 5.
        excess = self.high[last]
        self.step("above 2^130: back at the bottom, times 5")
        self.emit("mul", self.top, self.r[0], dst=self.tmp)
        self.add(excess, self.tmp, dst=excess)
        self.emit("andi", excess, imm=3, dst=self.new_top)
        self.srli(excess, 2, dst=self.tmp)
        self.sub(excess, self.new_top, dst=excess)
        self.add(excess, self.tmp, dst=excess)
        self.step("add the block")
        for i, h in enumerate(self.h):
            self.load(self.source, i * self.isa.word, dst=h)
        self.add(self.new_top, self.hibit, dst=self.new_top)
        coming = excess
        for i, h in enumerate(self.h):
            above = self.high[i] if i < last else self.new_top
            self.add(self.low[i], h, dst=self.low[i])
            self.carry(self.low[i], h, above)
            self.add(self.low[i], coming, dst=h)
            if i < last:
                self.carry(h, coming, above)
                self.emit("mul", self.top, self.s[i + 1], dst=self.tmp)
                self.add(above, self.tmp, dst=above)
            else:
                self.carry(h, coming, above, dst=self.top)
            coming = above

    def go_on(self) -> None:
        """Find the next block: of the message, then one of zeros to have the last product."""
        self.addi(self.source, _BLOCK, dst=self.source)
        self.label(self.check)
        self.reader.more(self.loop)
        self.addi(SP, self.zeros_at + _BLOCK, dst=self.end)
        self.branch("beq", self.source, self.end, to=self.exit)
        self.addi(SP, self.zeros_at, dst=self.source)
        self.li(0, dst=self.hibit)
        self.branch("j", to=self.loop)
        self.label(self.exit)
        state = self.low[0]
        self.load(SP, self.state_at, dst=state)
        for i in range(self.n):
            self.store(self.h[i], state, i * self.isa.word)
        self.store(self.top, state, _BLOCK)
        self.label(self.exit + "_at_once")
        self.ret()


def generate(isa: Isa, tuning: Tuning) -> str:
    """Return the routine."""
    f = _Blocks(isa)
    f.enter()
    f.label(f.loop)
    f.multiply_add()
    f.go_on()
    f.reader.finish()
    return f.render(tuning, "cryptile.asm.lib.poly1305")
