"""AES in counter mode on rows: 8 blocks at once on RV32, 16 on RV64.

The state is 32 registers wide: word (r, j) holds bit j of row r, in four fields, one a column, with
a bit for every block. MixColumns is then exclusive-or of whole words, and ShiftRows a rotation of
the words of three rows.
"""

from collections.abc import Sequence

from cryptile.asm.code import SP, A, Code, Operand, Reg, S, T
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.aes.figures import cycles
from cryptile.asm.lib.aes.gates import FORWARD, substitute
from cryptile.asm.lib.aes.planes import Planes, State
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_DOC = """\
Counter mode on bit planes, one word for every bit of every row: S-boxes as gates
(cryptile.asm.lib.aes.gates), MixColumns by exclusive-or of words, ShiftRows by rotation. Row 0
stays in registers between rounds. While only the low byte of the counter changes, that is for 256
blocks, rows 0 to 2 of the first round stay the same: their part of its result is kept (J. H. Park
and D. H. Lee, "FACE: Fast AES CTR mode encryption techniques based on the reuse of repetitive
data", CHES 2018). `wide` is from cry_aes_wide_keys_asm(). `counter`, `in` and `out` are aligned
to a register; passes > 0; `in` and `out` are equal or disjoint. The last word of the counter counts
(big-endian, modulo 2^32), is a multiple of the blocks in a pass, and is stored back.
Constant-time; the counter is public."""

_KEY, _END = Reg("ra"), Reg("t6")
_ROW = S[:8]
"""Where row 0 is between rounds."""


class Wide(Planes):
    """The routine."""

    def __init__(self, isa: Isa) -> None:
        """Begin."""
        symbol = "cry_aes_wide_ctr_asm"
        function = Function(
            isa,
            symbol,
            prototype=(
                f"void {symbol}(const aes_plane_t *wide, unsigned rounds, uint32_t counter[4], "
                "const void *in, void *out, size_t passes)"
            ),
            doc=_DOC,
            cycles=cycles(symbol),
        )
        super().__init__(function, (_KEY, _END), spill_words=40)
        self.field = isa.xlen // 4
        self.key_bytes = 32 * isa.word
        self.slots = {
            name: function.reserve(isa.word)
            for name in ("keys", "counter", "in", "out", "passes", "number", "end")
        }
        self.state = function.reserve(32 * isa.word)
        self.kept = function.reserve(32 * isa.word)
        self.low_row = function.reserve(8 * isa.word)
        self.bytes = function.reserve(32 * isa.word)

    def at(self, area: int, row: int, bit: int) -> int:
        """Return the place of a word in an area of the frame."""
        return area + (8 * row + bit) * self.isa.word

    def recall(self, code: Code, slot: str, *, op: str | None = None) -> Operand:
        """Load a variable from the frame."""
        return code.load(SP, self.slots[slot], op=op)

    def keep(self, code: Code, slot: str, value: Operand) -> None:
        """Store a variable in the frame."""
        code.store(value, SP, self.slots[slot])

    def words(self, code: Code, area: int, row: int) -> State:
        """Load a row."""
        return [code.load(SP, self.at(area, row, j), remat=True) for j in range(8)]

    def sub_shift(self, code: Code, planes: Sequence[Operand], row: int) -> State:
        """Return SubBytes and ShiftRows of a row."""
        return [code.rotr(x, self.field * row) for x in substitute(code, planes, FORWARD)]

    def write(self) -> None:
        """Write the routine."""
        function, isa = self.function, self.isa
        run, next_pass, loop, last, done, toggle = (
            function.new_label(x) for x in ("run", "pass", "loop", "last", "done", "toggle")
        )
        for slot, reg in zip(
            ("keys", "counter", "in", "out", "passes"), (A[0], *A[2:6]), strict=True
        ):
            self.keep(function, slot, reg)
        function.addi(A[1], -1, dst=A[1])
        function.emit("slli", A[1], imm=self.key_bytes.bit_length() - 1, dst=A[1])
        function.add(A[0], A[1], dst=A[1])
        self.keep(function, "end", A[1])
        self.straight([A[2]], self._take_counter)
        function.label(run)
        self.straight([], self._start_run, _ROW)
        function.load(SP, self.slots["keys"], dst=_KEY)
        function.addi(_KEY, self.key_bytes, dst=_END)
        function.branch("j", to=loop)

        function.label(next_pass)
        function.load(SP, self.slots["keys"], dst=_KEY)
        function.load(SP, self.slots["end"], dst=_END)
        self.straight([], self._first_round, _ROW)
        function.addi(_KEY, self.key_bytes, dst=_KEY)
        function.label(loop)
        self.straight(_ROW, self._round, _ROW)
        function.addi(_KEY, self.key_bytes, dst=_KEY)
        function.branch("bne", _KEY, _END, to=loop)
        function.load(SP, self.slots["end"], dst=T[0])
        function.branch("beq", _KEY, T[0], to=last)
        self.straight(_ROW, self._keep_run)
        function.branch("j", to=next_pass)

        function.label(last)
        self.straight(_ROW, self._finish)
        n, old, left = T[0], T[1], T[2]
        function.load(SP, self.slots["number"], dst=old)
        function.load(SP, self.slots["passes"], dst=left)
        function.addi(old, self.field, dst=n)
        self.keep(function, "number", n)
        function.addi(left, -1, dst=left)
        self.keep(function, "passes", left)
        function.branch("beqz", left, to=done)
        function.emit("andi", n, imm=0xFF, dst=T[3])
        function.branch("beqz", T[3], to=run)
        first = self.field.bit_length() - 1
        function.xor(n, old, dst=n)
        function.srli(n, first, dst=n)
        function.addi(SP, self.at(self.low_row, 0, first), dst=T[3])
        function.li(((1 << self.field) - 1) << 3 * self.field, dst=T[4])
        function.label(toggle)
        function.load(T[3], dst=T[5])
        function.srli(n, 1, dst=n)
        function.xor(T[5], T[4], dst=T[5])
        function.store(T[5], T[3])
        function.addi(T[3], isa.word, dst=T[3])
        function.branch("bnez", n, to=toggle)
        function.branch("j", to=next_pass)
        function.label(done)
        self.straight([], self._store_counter)
        function.ret()

    def _take_counter(self, code: Code, args: State) -> State:
        parts = [code.load(args[0], 12 + n, op="lbu") for n in range(4)]
        number = parts[0]
        for part in parts[1:]:
            number = code.or_(code.slli(number, 8), part)
        self.keep(code, "number", number)
        return []

    def _store_counter(self, code: Code, _: State) -> State:
        number, counter = self.recall(code, "number"), self.recall(code, "counter")
        for n in range(4):
            code.store(code.srli(number, 24 - 8 * n) if n < 3 else number, counter, 12 + n, op="sb")
        return []

    def _start_run(self, code: Code, _: State) -> State:
        """Set rows 0 to 2 for the first round, and a row 3 that it maps to nothing; return row 0.

        What row 3 really is goes to its own place.
        """
        number, counter = self.recall(code, "number"), self.recall(code, "counter")
        keys = self.recall(code, "keys")
        ones = sum(1 << self.field * c for c in range(4))
        first_row: State = []
        for row in range(4):
            total = code.load(counter, row, op="lbu")
            for column in range(1, 3):
                part = code.load(counter, 4 * column + row, op="lbu")
                total = code.or_(total, code.slli(part, self.field * column))
            part = number if row == 3 else code.srli(number, 24 - 8 * row)
            part = code.emit("andi", part, imm=0xFF)
            total = code.or_(total, code.slli(part, self.field * 3))
            for j in range(8):
                bits = code.and_(code.srli(total, j) if j else total, self.mask(code, ones))
                word = code.sub(code.slli(bits, self.field), bits)
                if row == 3 and 1 << j < self.field:
                    pattern = sum((n >> j & 1) << n for n in range(self.field))
                    word = code.xor(word, self.mask(code, pattern << 3 * self.field))
                word = code.xor(word, code.load(keys, self.at(0, row, j)))
                if row == 0:
                    first_row.append(word)
                else:
                    code.store(
                        word,
                        SP,
                        self.at(self.low_row, 0, j) if row == 3 else self.at(self.state, row, j),
                    )
        nothing = code.li(0)
        for j in range(8):
            code.store(nothing, SP, self.at(self.state, 3, j))
        return first_row

    def _keep_run(self, code: Code, row: State) -> State:
        for j in range(8):
            code.store(row[j], SP, self.at(self.kept, 0, j))
        for r in range(1, 4):
            for j, word in enumerate(self.words(code, self.state, r)):
                code.store(word, SP, self.at(self.kept, r, j))
        return []

    def _first_round(self, code: Code, _: State) -> State:
        """Add what row 3 brings to the first round: 1, 1, 3 and 2 times itself."""
        a = self.sub_shift(code, self.words(code, self.low_row, 0), 3)
        first_row: State = []
        for j in range(8):
            double = a[7] if j == 0 else a[j - 1]
            if j in (1, 3, 4):
                double = code.xor(double, a[7])
            for row, term in enumerate((a[j], a[j], code.xor(double, a[j]), double)):
                word = code.xor(code.load(SP, self.at(self.kept, row, j)), term)
                if row == 0:
                    first_row.append(word)
                else:
                    code.store(word, SP, self.at(self.state, row, j))
        return first_row

    def _round(self, code: Code, first_row: State) -> State:
        a = [self.sub_shift(code, first_row, 0)]
        for row in range(1, 4):
            a.append(self.sub_shift(code, self.words(code, self.state, row), row))
        out: dict[int, Operand] = {}
        b: dict[int, list[Operand]] = {}
        for j in (7, 0, 1, 2, 3, 4, 5, 6):
            b[j] = [code.xor(a[r][j], a[(r + 1) % 4][j]) for r in range(4)]
            for r in range(4):
                total = code.xor(a[(r + 1) % 4][j], b[j][(r + 2) % 4])
                total = code.xor(total, code.load(_KEY, self.at(self.key_bytes, r, j)))
                if j != 7:
                    total = code.xor(total, b[(j - 1) % 8][r])
                if j in (1, 3, 4):
                    total = code.xor(total, b[7][r])
                out[8 * r + j] = total
                if r and j != 7:
                    code.store(total, SP, self.at(self.state, r, j))
        for r in range(4):
            out[8 * r + 7] = code.xor(out[8 * r + 7], b[6][r])
            if r:
                code.store(out[8 * r + 7], SP, self.at(self.state, r, 7))
        return [out[j] for j in range(8)]

    def _finish(self, code: Code, first_row: State) -> State:
        for row in range(4):
            planes = first_row if row == 0 else self.words(code, self.state, row)
            planes = self.sub_shift(code, planes, row)
            keyed = [
                code.xor(x, code.load(_KEY, self.at(self.key_bytes, row, j)))
                for j, x in enumerate(planes)
            ]
            for n, word in enumerate(self.transpose(code, keyed)):
                # Bytes of block n, and on RV64 of block n + 8; one column after the other.
                code.store(word, SP, self.bytes + (4 * n + row) * self.isa.word)
        source, target = self.recall(code, "in"), self.recall(code, "out")
        for n in range(8):
            words = [code.load(SP, self.bytes + (4 * n + row) * self.isa.word) for row in range(4)]
            for place, word in self._columns(code, words, n):
                text = code.xor(code.load(source, place), word)
                code.store(text, target, place)
        size = 16 * self.field
        self.keep(code, "in", code.addi(source, size))
        self.keep(code, "out", code.addi(target, size))
        return []

    def _columns(self, code: Code, rows: State, n: int) -> list[tuple[int, Operand]]:
        """Transpose rows of bytes to columns; return words with their offsets."""
        if self.isa.xlen == 32:
            columns = self.transpose_bytes(code, rows)
            return [(16 * n + 4 * c, columns[c]) for c in range(4)]
        w = list(rows)
        # Number of a register: row; of a byte: column, then which of the two blocks. First exchange
        # the row's low bit with the block, then its high bit with the column's.
        even = 0x00FF00FF00FF00FF
        for a, b, shift, mask in (
            (0, 1, 8, even),
            (2, 3, 8, even),
            (0, 2, 32, 0xFFFFFFFF),
            (1, 3, 32, 0xFFFFFFFF),
        ):
            w[a], w[b] = self.exchange(code, w[a], w[b], shift, mask)
        w = [self.exchange_within(code, x, 16, 0xFFFF0000) for x in w]
        return [(16 * (n + 8 * (k & 1)) + 8 * (k >> 1), w[k]) for k in range(4)]


def _generate(isa: Isa, tuning: Tuning) -> str:
    routine = Wide(isa)
    routine.write()
    routine.function.insns[:0] = routine.frame.stores(T[0])
    return routine.function.render(tuning, "cryptile.asm.lib.aes.wide")


ROUTINES = [Routine("cry_aes_wide_ctr_asm", "bitsliced8", lambda _: True, _generate)]
