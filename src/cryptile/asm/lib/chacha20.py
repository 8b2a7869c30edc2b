"""ChaCha20 blocks (RFC 8439, section 2.3), the state in registers over all rounds.

Between the blocks of one call only the counter, word 12, changes. So in the first round the
quarter rounds of columns 1 to 3 give the same words every time, as do six operations of the second
round: they are done once per call. What the remaining registers can keep of the input state is
not loaded again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cryptile.asm.code import FREELY_USABLE, SP, ZERO, A, Reg
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_COLUMNS = tuple((i, 4 + i, 8 + i, 12 + i) for i in range(4))
_DIAGONALS = tuple((i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4))
_STEPS = ((0, 1, 3, 16), (2, 3, 1, 12), (0, 1, 3, 8), (2, 3, 1, 7))
"""Of a quarter round on words a, b, c, d: which one is added to which, and then, exclusive-ored
with the sum, rotated left by how much."""

_PRECOMPUTED = (1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15)
_COUNTER = 12
_KEEP = (4, 8, 12, 0, 1, 2, 3, 5)
"""Words of the input state worth a register, the best first: the first three save two loads."""

_CYCLES = {
    ("looped", False): "137 + 1652 a block",
    ("looped", True): "118 + 1028 a block",
    ("unrolled", False): "143 + 1624 a block",
    ("unrolled", True): "117 + 1010 a block",
}
_CONDITIONS = ", aligned; about 5.5 a byte more if not (timing model loaduse2)."


@dataclass(frozen=True)
class _Registers:
    x: tuple[Reg, ...]
    source: Reg
    target: Reg
    rounds: Reg
    tmp: Reg
    first: Reg
    """Word 0 after the first addition, which is the same for every block."""
    kept: dict[int, Reg]

    @classmethod
    def choose(cls, isa: Isa, looped: bool) -> "_Registers":
        state, source, target, blocks = A[:4]
        pool = [reg for reg in FREELY_USABLE if reg not in (state, source, target)]
        rounds = state
        if looped and not isa.rotates:
            rounds = blocks
            pool.remove(blocks)
        x, first, spare = pool[-16:], pool[0], pool[1:-16]
        return cls(
            tuple(x), source, target, rounds, state, first, dict(zip(_KEEP, spare, strict=False))
        )


class _Blocks(Function):
    def __init__(self, isa: Isa, symbol: str, looped: bool, doc: str, cycles: str) -> None:
        prototype = (
            f"void {symbol}(uint32_t state[16], const uint8_t *in, uint8_t *out, size_t blocks)"
        )
        super().__init__(isa, symbol, prototype=prototype, doc=doc, cycles=cycles)
        self.looped = looped
        self.compact = looped and not isa.rotates
        """Whether the first diagonal round shares the code of the others."""
        self.r = _Registers.choose(isa, looped)
        self.state_at, self.end_at, self.left_at = (self.reserve(isa.word) for _ in range(3))
        self.source_at, self.target_at = (self.reserve(isa.word) for _ in range(2))
        self.words_at = self.reserve(4 * len(_PRECOMPUTED))
        self.buffer_at = self.reserve(64)
        self.loop, self.bytewise, self.done = map(self.new_label, ("block", "bytewise", "done"))

    def word(self, base: Reg, offset: int, dst: Reg) -> None:
        self.load(base, offset, op="lw", dst=dst)

    def rotate(self, x: Reg, n: int) -> None:
        """Rotate the low 32 bits left."""
        narrow = self.isa.xlen == 64
        if self.isa.rotates:
            self.emit("roriw" if narrow else "rori", x, imm=32 - n, dst=x)
            return
        self.emit("srliw" if narrow else "srli", x, imm=32 - n, dst=self.r.tmp)
        self.slli(x, n, dst=x)
        self.or_(x, self.r.tmp, dst=x)

    def quarter_rounds(
        self, quarters: Sequence[tuple[int, ...]], done: Sequence[tuple[int, int]] = ()
    ) -> None:
        """Emit quarter rounds side by side.

        ``done`` names what is done already, by word and number of the step: additions by the
        word added to, the rest by the word rotated.
        """
        x = self.r.x
        self.step(f"quarter rounds on {', '.join(map(str, quarters))}")
        for number, (total, term, mixed, rotation) in enumerate(_STEPS):
            for q in quarters:
                if (q[total], number) not in done:
                    self.add(x[q[total]], x[q[term]], dst=x[q[total]])
            for q in quarters:
                if (q[mixed], number) not in done:
                    self.xor(x[q[mixed]], x[q[total]], dst=x[q[mixed]])
            for q in quarters:
                if (q[mixed], number) not in done:
                    self.rotate(x[q[mixed]], rotation)

    def enter(self) -> None:
        r, (state, _, _, blocks) = self.r, A[:4]
        self.branch("beqz", blocks, to=self.done + "_at_once")
        alignment = r.x[0]
        self.store(state, SP, self.state_at)
        self.store(ZERO, SP, self.left_at)
        self.or_(r.source, r.target, dst=alignment)
        self.emit("andi", alignment, imm=3, dst=alignment)
        self.branch("bnez", alignment, to=self.bytewise)
        end = r.x[0]
        self.slli(blocks, 6, dst=end)
        self.add(r.source, end, dst=end)
        self.store(end, SP, self.end_at)
        self.label(self.loop + "_first")

    def precompute(self) -> None:
        r, state = self.r, A[0]
        for i in range(16):
            if i != _COUNTER:
                self.word(state, 4 * i, r.x[i])
        for i, reg in r.kept.items():
            self.word(state, 4 * i, reg)
        self.add(r.x[0], r.x[4], dst=r.first)
        self.quarter_rounds(_COLUMNS[1:])
        if not self.compact:
            self.add(r.x[1], r.x[6], dst=r.x[1])
            self.add(r.x[2], r.x[7], dst=r.x[2])
            self.xor(r.x[13], r.x[2], dst=r.x[13])
            self.rotate(r.x[13], 16)
        for n, i in enumerate(_PRECOMPUTED):
            self.store(r.x[i], SP, self.words_at + 4 * n, op="sw")

    def rounds(self) -> None:
        r = self.r
        for n, i in enumerate(_PRECOMPUTED):
            self.word(SP, self.words_at + 4 * n, r.x[i])
        self.xor(r.kept[12], r.first, dst=r.x[12])
        self.rotate(r.x[12], 16)
        self.add(r.kept[8], r.x[12], dst=r.x[8])
        self.xor(r.kept[4], r.x[8], dst=r.x[4])
        self.rotate(r.x[4], 12)
        self.add(r.first, r.x[4], dst=r.x[0])
        self.quarter_rounds(_COLUMNS[:1], done=[(0, 0), (12, 0), (8, 1), (4, 1), (0, 2)])
        again, diagonals = self.new_label("rounds"), self.new_label("diagonals")
        if self.compact:
            self.li(10, dst=r.rounds)
            self.branch("j", to=diagonals)
        else:
            self.quarter_rounds(_DIAGONALS, done=[(1, 0), (2, 0), (13, 0)])
        if not self.looped:
            for _ in range(9):
                self.quarter_rounds(_COLUMNS)
                self.quarter_rounds(_DIAGONALS)
            return
        if not self.compact:
            self.li(9, dst=r.rounds)
        self.label(again)
        self.quarter_rounds(_COLUMNS)
        self.label(diagonals)
        self.quarter_rounds(_DIAGONALS)
        self.addi(r.rounds, -1, dst=r.rounds)
        self.branch("bnez", r.rounds, to=again)

    def write(self) -> None:
        """Add the input state, and exclusive-or onto the message."""
        r = self.r
        kept = list(r.kept)
        state, second = r.x[kept[0]], r.x[kept[1]]
        for i in kept:
            self.word(r.source, 4 * i, r.tmp)
            self.add(r.x[i], r.kept[i], dst=r.x[i])
            self.put(i, r.tmp)
        self.load(SP, self.state_at, dst=state)
        for i in sorted(set(range(16)) - set(kept)):
            self.word(state, 4 * i, r.tmp)
            self.word(r.source, 4 * i, second)
            self.add(r.x[i], r.tmp, dst=r.x[i])
            self.put(i, second)

    def put(self, i: int, message: Reg) -> None:
        x = self.r.x[i]
        self.xor(x, message, dst=x)
        self.store(x, self.r.target, 4 * i, op="sw")

    def next_block(self) -> None:
        r = self.r
        self.load(SP, self.end_at, dst=r.tmp)
        self.addi(r.kept[_COUNTER], 1, dst=r.kept[_COUNTER])
        self.addi(r.source, 64, dst=r.source)
        self.addi(r.target, 64, dst=r.target)
        if self.looped:
            self.branch("bne", r.source, r.tmp, to=self.loop)
        else:
            self.branch("beq", r.source, r.tmp, to=self.done)
            self.branch("j", to=self.loop)
        self.label(self.done)
        state, left = r.x[0], r.x[1]
        self.load(SP, self.state_at, dst=state)
        self.load(SP, self.left_at, dst=left)
        self.store(r.kept[_COUNTER], state, 4 * _COUNTER, op="sw")
        self.branch("bnez", left, to=self.bytewise + "_block")
        self.label(self.done + "_at_once")
        self.ret()

    def enter_bytewise(self) -> None:
        """Let the rounds write key stream to a buffer of zeros, block by block."""
        r, blocks = self.r, A[3]
        self.label(self.bytewise)
        self.store(blocks, SP, self.left_at)
        self.store(r.source, SP, self.source_at)
        self.store(r.target, SP, self.target_at)
        self.addi(SP, self.buffer_at, dst=r.source)
        self.mv(r.source, dst=r.target)
        self.addi(r.source, 64, dst=r.x[0])
        self.store(r.x[0], SP, self.end_at)
        for i in range(16):
            self.store(ZERO, r.source, 4 * i, op="sw")
        self.branch("j", to=self.loop + "_first")

    def block_bytewise(self) -> None:
        r = self.r
        left, source, target, word, at, end, *data = r.x[1:11]
        again = self.new_label("word")
        self.label(self.bytewise + "_block")
        self.load(SP, self.source_at, dst=source)
        self.load(SP, self.target_at, dst=target)
        self.addi(SP, self.buffer_at, dst=at)
        self.addi(at, 64, dst=end)
        self.label(again)
        self.word(at, 0, word)
        for n in range(4):
            self.load(source, n, op="lbu", dst=data[n])
        self.store(ZERO, at, 0, op="sw")
        for n in range(4):
            self.xor(data[n], word, dst=data[n])
            self.store(data[n], target, n, op="sb")
            if n < 3:
                self.srli(word, 8, dst=word)
        for pointer in (at, source, target):
            self.addi(pointer, 4, dst=pointer)
        self.branch("bne", at, end, to=again)
        self.store(source, SP, self.source_at)
        self.store(target, SP, self.target_at)
        self.addi(left, -1, dst=left)
        self.store(left, SP, self.left_at)
        self.branch("beqz", left, to=self.done + "_at_once")
        self.addi(SP, self.buffer_at, dst=r.source)
        self.mv(r.source, dst=r.target)
        self.branch("j", to=self.loop)


_DOC = """ChaCha20 as RFC 8439, section 2.3, {how}. Any alignment; in and out both aligned to 4 are
faster. In place (out == in) or disjoint. The counter state[12] wraps. Constant-time. The method:
the first round's quarter rounds that do not depend on the counter are done once per call."""


def _generate(isa: Isa, tuning: Tuning, *, looped: bool) -> str:
    impl = "looped" if looped else "unrolled"
    f = _Blocks(
        isa,
        f"cry_chacha20_blocks_{impl}",
        looped,
        _DOC.format(how="one double round in a loop" if looped else "all rounds unrolled"),
        _CYCLES[impl, isa.rotates] + _CONDITIONS,
    )
    f.enter()
    f.precompute()
    f.label(f.loop)
    f.rounds()
    f.write()
    f.next_block()
    f.enter_bytewise()
    f.block_bytewise()
    return f.render(tuning, "cryptile.asm.lib.chacha20")


def _looped(isa: Isa, tuning: Tuning) -> str:
    return _generate(isa, tuning, looped=True)


def _unrolled(isa: Isa, tuning: Tuning) -> str:
    return _generate(isa, tuning, looped=False)


ROUTINES = [
    Routine("cry_chacha20_blocks_looped", "looped", lambda _: True, _looped),
    Routine("cry_chacha20_blocks_unrolled", "unrolled", lambda _: True, _unrolled),
]
