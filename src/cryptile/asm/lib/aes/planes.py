"""AES on bit planes: the layout of ``aes_bitsliced.h`` and the round's linear steps on it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cryptile.asm.allocate import allocate
from cryptile.asm.code import FREELY_USABLE, SP, Code, Insn, Operand, Reg, Value
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa

State = list[Operand]


@dataclass(frozen=True)
class Layout:
    """Where the bytes of a pass lie in a plane: row, then column, then block."""

    isa: Isa

    @property
    def blocks(self) -> int:
        """Blocks in a pass."""
        return self.isa.xlen // 16

    @property
    def row(self) -> int:
        """Bits of a row."""
        return self.isa.xlen // 4

    @property
    def column(self) -> int:
        """Bits of a column in a row."""
        return self.isa.xlen // 16

    def rows(self, bits: int) -> int:
        """Return a plane with the same bits in every row."""
        return sum(bits << self.row * n for n in range(4))

    def bytes(self, byte: int) -> int:
        """Return a plane with the same bits in every byte."""
        return sum(byte << 8 * n for n in range(self.isa.word))

    def columns(self, count: int) -> int:
        """Return the mask of the ``count`` lowest columns of every row."""
        return self.rows((1 << self.column * count) - 1)

    def down(self, rows: int, columns: int) -> int:
        """Return the control word of ``xperm4`` for :meth:`Planes.down` (RV64)."""
        return sum(
            (4 * ((r + rows) % 4) + (c + columns) % 4) << 16 * r + 4 * c
            for r in range(4)
            for c in range(4)
        )


@dataclass
class Frame:
    """Constants that a routine keeps in its frame: a load is shorter than building them."""

    function: Function
    offsets: dict[int, int] = field(default_factory=dict)

    def constant(self, code: Code, value: int) -> Operand:
        """Return a constant."""
        if value not in self.offsets:
            self.offsets[value] = self.function.reserve(self.function.isa.word)
        return code.load(SP, self.offsets[value], remat=True)

    def stores(self, tmp: Reg) -> list[Insn]:
        """Return the code that puts the constants used so far into the frame."""
        code = Code(self.function.isa)
        for value, offset in self.offsets.items():
            code.li(value, dst=tmp)
            code.store(tmp, SP, offset)
        return code.insns


class Planes:
    """Writes parts of a routine on bit planes as straight-line code."""

    def __init__(self, function: Function, reserved: Sequence[Reg], spill_words: int = 24) -> None:
        """Begin; ``reserved`` registers are left alone."""
        self.function = function
        self.isa = function.isa
        self.layout = Layout(function.isa)
        self.pool = [reg for reg in FREELY_USABLE if reg not in reserved]
        self.frame = Frame(function)
        self._spill_size = spill_words * self.isa.word
        self._spill = function.reserve(self._spill_size)
        self._masks: dict[int, Operand] = {}

    def straight(
        self,
        inputs: Sequence[Reg],
        build: Callable[[Code, State], Sequence[Operand]],
        outputs: Sequence[Reg] | None = None,
    ) -> list[Reg]:
        """Append straight-line code and return where its results are.

        They are wherever it suits, unless ``outputs`` says where they must be.
        """
        code = Code(self.isa)
        self._masks = {}
        values = [Value() for _ in inputs]
        results = build(code, list(values))
        pins = {}
        if outputs is None:
            code.append(Insn("results", None, tuple(results)))
        else:
            pins = {v: reg for v, reg in zip(results, outputs, strict=True) if isinstance(v, Value)}
        allocation = allocate(
            _without_unused(code.insns, results),
            self.pool,
            word=self.isa.word,
            inputs=dict(zip(values, inputs, strict=True)),
            outputs=pins,
            spill_offset=self._spill,
            ahead=4,
        )
        assert allocation.spill_bytes <= self._spill_size
        insns = allocation.insns
        places = list(outputs or ())
        if outputs is None:
            places = [reg for reg in insns.pop().srcs if isinstance(reg, Reg)]
        self.function.extend(insns)
        return places

    def move(self, source: Sequence[Reg], target: Sequence[Reg]) -> None:
        """Append code that moves values between registers."""
        self.straight(source, lambda _, values: values, target)

    def mask(self, code: Code, value: int) -> Operand:
        """Return a constant, the same value throughout one piece of straight-line code."""
        if value not in self._masks:
            self._masks[value] = self.frame.constant(code, value)
        return self._masks[value]

    def add_key(
        self, code: Code, planes: Sequence[Operand], pointer: Operand, offset: int = 0
    ) -> State:
        """Add a round key."""
        code.step("add the round key")
        keys = [code.load(pointer, offset + j * self.isa.word) for j in range(8)]
        return [code.xor(plane, key) for plane, key in zip(planes, keys, strict=True)]

    def rotate_columns(self, code: Code, x: Operand, columns: int) -> Operand:
        """Move every row by columns to the right (towards bit 0)."""
        columns %= 4
        if columns == 0:
            return x
        step = self.layout.column
        kept = self.mask(code, self.layout.columns(4 - columns))
        moved = self.mask(code, self.layout.columns(columns))
        high = code.and_(code.srli(x, step * columns), kept)
        low = code.slli(code.and_(x, moved), step * (4 - columns))
        return code.or_(high, low)

    def down(self, code: Code, x: Operand, rows: int, columns: int) -> Operand:
        """Return for every byte the one ``rows`` below and ``columns`` to the right."""
        if self.isa.xlen == 64 and "zbkx" in self.isa and columns % 4:
            control = self.mask(code, self.layout.down(rows, columns))
            return code.emit("xperm4", x, control)
        turned = self.rotate_columns(code, x, columns)
        return code.rotr(turned, self.layout.row * rows)

    def mix_columns(self, code: Code, a: Sequence[Operand], step: int) -> State:
        """Return MixColumns when every row has yet to move by ``step`` columns times its number.

        With b = a + down(a), it is 2 b + down(a) + down(down(b)).
        """
        code.step("mix columns")
        out: list[Operand | None] = [None] * 8
        b: list[Operand | None] = [None] * 8
        for j in (7, 0, 1, 2, 3, 4, 5, 6):
            below = self.down(code, a[j], 1, step)
            both = b[j] = code.xor(a[j], below)
            total = code.xor(below, self.down(code, both, 2, 2 * step))
            if j != 7:
                total = code.xor(total, _known(b[(j + 7) % 8]))
            if j in (1, 3, 4):
                total = code.xor(total, _known(b[7]))
            out[j] = total
        out[7] = code.xor(_known(out[7]), _known(b[6]))
        return [_known(x) for x in out]

    def inv_mix_columns(self, code: Code, a: Sequence[Operand], step: int) -> State:
        """Return InvMixColumns: MixColumns after adding 4 (a + down(down(a)))."""
        code.step("mix columns, inverse")
        u = [code.xor(x, self.down(code, x, 2, 2 * step)) for x in a]
        # 4 u: bits 6 and 7 wrap to where 2^8 = 2^4 + 2^3 + 2 + 1 puts them.
        extra: list[list[int]] = [[6], [6, 7], [0, 7], [1, 6], [2, 6, 7], [3, 7], [4], [5]]
        out = []
        for x, terms in zip(a, extra, strict=True):
            for term in terms:
                x = code.xor(x, u[term])
            out.append(x)
        return self.mix_columns(code, out, step)

    def exchange(
        self, code: Code, a: Operand, b: Operand, shift: int, mask: int
    ) -> tuple[Operand, Operand]:
        """Exchange the bits of ``a`` under mask << shift with those of ``b`` under the mask."""
        select = self.mask(code, mask)
        moved = a if shift == 0 else code.srli(a, shift)
        t = code.and_(code.xor(moved, b), select)
        back = t if shift == 0 else code.slli(t, shift)
        return code.xor(a, back), code.xor(b, t)

    def exchange_within(self, code: Code, a: Operand, shift: int, mask: int) -> Operand:
        """Exchange the bits of ``a`` under mask << shift with those under the mask."""
        t = code.and_(code.xor(code.srli(a, shift), a), self.mask(code, mask))
        return code.xor(code.xor(a, t), code.slli(t, shift))

    def transpose(self, code: Code, planes: Sequence[Operand]) -> State:
        """Transpose bits of bytes against registers; its own inverse."""
        code.step("transpose bits")
        p = list(planes)
        for distance, byte in ((1, 0x55), (2, 0x33), (4, 0x0F)):
            for j in range(8):
                if not j & distance:
                    p[j], p[j + distance] = self.exchange(
                        code, p[j], p[j + distance], distance, self.layout.bytes(byte)
                    )
        return p

    def transpose_bytes(self, code: Code, words: Sequence[Operand]) -> State:
        """Transpose the bytes of four words against the words; its own inverse (RV32)."""
        w = list(words)
        for a, b, shift, mask in (
            (0, 1, 8, 0x00FF00FF),
            (2, 3, 8, 0x00FF00FF),
            (0, 2, 16, 0xFFFF),
            (1, 3, 16, 0xFFFF),
        ):
            w[a], w[b] = self.exchange(code, w[a], w[b], shift, mask)
        return w

    def shift_rows_twice(self, code: Code, planes: Sequence[Operand]) -> State:
        """Move rows 1 and 3 by two columns."""
        layout = self.layout
        odd = sum(((1 << layout.row // 2) - 1) << layout.row * r for r in (1, 3))
        return [self.exchange_within(code, x, layout.row // 2, odd) for x in planes]

    def shift_rows(self, code: Code, block: Sequence[Operand], *, right: bool = False) -> State:
        """Carry out ShiftRows (or its inverse) on a block in words or double words, as loaded."""
        if self.isa.xlen == 64:
            return self._shift_rows_64(code, block, right=right)
        w = list(block)
        for a, b in ((0, 1), (2, 3)):
            w[a], w[b] = self.exchange(code, w[a], w[b], 0, 0xFF00FF00)
        rows = (0x00FFFF00, 0xFFFF0000) if not right else (0xFFFF0000, 0x00FFFF00)
        for (a, b), mask in zip(((1, 3), (0, 2)), rows, strict=True):
            w[a], w[b] = self.exchange(code, w[a], w[b], 0, mask)
        return w

    def _shift_rows_64(self, code: Code, block: Sequence[Operand], *, right: bool) -> State:
        pairs = [self.exchange_within(code, x, 32, 0xFF00FF00) for x in block]
        low, high = (0xFFFF0000, 0x00FFFF00) if not right else (0x00FFFF00, 0xFFFF0000)
        return list(self.exchange(code, pairs[0], pairs[1], 0, low | high << 32))

    def pack(self, code: Code, blocks: Sequence[Sequence[Operand]]) -> State:
        """Turn blocks, in words or double words as loaded, into planes."""
        if self.isa.xlen == 32:
            return self.transpose(code, [blocks[i & 1][i >> 1] for i in range(8)])
        once = {id(block): self._interleave(code, *block) for block in blocks}
        pairs = [once[id(block)] for block in blocks]
        return self.transpose(code, [pairs[i & 3][i >> 2] for i in range(8)])

    def unpack(self, code: Code, planes: Sequence[Operand]) -> list[State]:
        """Turn planes into blocks."""
        words = self.transpose(code, planes)
        if self.isa.xlen == 32:
            return [[words[2 * c + b] for c in range(4)] for b in range(2)]
        return [self._separate(code, words[b], words[4 + b]) for b in range(4)]

    def _interleave(self, code: Code, a: Operand, b: Operand) -> tuple[Operand, Operand]:
        """Bring the bytes of words 0 and 2 into turns, and those of words 1 and 3."""
        a, b = (self._shuffle(code, x, (16, 8)) for x in (a, b))
        # Now a has the bytes of words 0 and 1 in turns, b those of 2 and 3.
        return self.exchange(code, a, b, 8, 0x00FF00FF00FF00FF)

    def _separate(self, code: Code, a: Operand, b: Operand) -> State:
        a, b = self.exchange(code, a, b, 8, 0x00FF00FF00FF00FF)
        return [self._shuffle(code, x, (8, 16)) for x in (a, b)]

    def _shuffle(self, code: Code, x: Operand, steps: Sequence[int]) -> Operand:
        """Shuffle the bytes of the halves of a double word perfectly, or undo it."""
        for step in steps:
            mask = 0x00000000FFFF0000 if step == 16 else 0x0000FF000000FF00
            x = self.exchange_within(code, x, step, mask)
        return x


def _without_unused(insns: Sequence[Insn], results: Sequence[Operand]) -> list[Insn]:
    """Drop what computes values that nothing reads."""
    used: set[Operand] = set(results)
    kept: list[Insn] = []
    for insn in reversed(insns):
        if not isinstance(insn.dst, Value) or insn.dst in used:
            kept.append(insn)
            used.update(insn.srcs)
    return kept[::-1]


def _known(value: Operand | None) -> Operand:
    assert value is not None
    return value
