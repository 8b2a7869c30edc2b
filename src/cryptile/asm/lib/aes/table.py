"""AES with 32-bit tables on RV32: fast, but the addresses of its loads depend on secrets."""

from collections.abc import Sequence
from functools import partial
from itertools import cycle

from cryptile.asm.code import SP, A, Reg, S, T
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.aes.figures import cycles
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_DOC = """\
One table of 1 KiB for every row (J. Daemen and V. Rijmen, "AES Proposal: Rijndael", section 5.2.1),
all within reach of one base register, so that no rotates are needed. `round_keys`, `in` and `out`
are aligned to 4; `in` and `out` are equal or disjoint. NOT constant-time: addresses depend on
secrets."""
_DOC_ZBA = " With Zba, bytes 1 and 2 of a word come from the stack, where sh2add takes them up."
_DOC_CTR = """ The last word of the counter counts (big-endian), may not wrap within a call, and is
stored back. What the fixed words of the counter bring to the first round is looked up once."""


class Table:
    """A routine over many blocks."""

    def __init__(self, isa: Isa, name: str) -> None:
        """Begin; ``name`` is encrypt, decrypt or ctr."""
        self.isa, self.counter, self.step = isa, name == "ctr", -1 if name == "decrypt" else 1
        symbol = f"cry_aes_table_{name}_asm"
        arguments = "const void *in, void *out, size_t blocks"
        if self.counter:
            arguments = f"uint32_t counter[4], {arguments}"
        self.function = Function(
            isa,
            symbol,
            prototype=f"void {symbol}(const uint32_t *round_keys, unsigned rounds, {arguments})",
            doc=_DOC + (_DOC_ZBA if "zba" in isa else "") + (_DOC_CTR if self.counter else ""),
            cycles=cycles(symbol),
        )
        self.zba = "zba" in isa
        self.even, self.odd = S[:4], S[4:8]
        self.base, self.bytes, self.end = S[8], S[9], S[10]
        self.key = T[6]
        self.tmp = cycle(T[:6])
        self.spilled = {
            reg: self.function.reserve(4) for reg in (*self.even, *self.odd) if self.zba
        }

    def write(self) -> None:
        """Write the routine."""
        function = self.function
        block, loop, done = (function.new_label(x) for x in ("block", "loop", "done"))
        self.keys, self.source, self.target, self.left = A[0], A[2], A[3], A[4]
        if self.counter:
            self.source, self.target, self.left = A[3], A[4], A[5]
        function.branch("beqz", self.left, to=done)
        table = "cry_aes_table_dec" if self.step < 0 else "cry_aes_table_enc"
        function.emit("la", imm=f"{table} + 2048", dst=self.base)
        function.slli(A[1], 4, dst=self.end)
        if self.step > 0:
            function.add(self.end, self.keys, dst=self.end)
            function.addi(self.end, -32, dst=self.end)
        else:  # from the last round key to the first
            function.addi(self.keys, 32, dst=self.bytes)
            function.add(self.end, self.keys, dst=self.keys)
            function.mv(self.bytes, dst=self.end)
            function.emit("la", imm="cry_aes_table_inv_sbox", dst=self.bytes)
        if self.counter:
            self._begin_counter()
        function.label(block)
        if self.counter:
            self._first_round()
        else:
            for n, reg in enumerate(self.even):
                function.load(self.source, 4 * n, dst=reg)
                key = next(self.tmp)
                function.load(self.keys, 4 * n, dst=key)
                function.xor(reg, key, dst=reg)
            self._keep_bytes(self.even)
            self._round(self.keys, 16 * self.step, self.even, self.odd)
        function.mv(self.keys, dst=self.key)
        function.label(loop)
        self._round(self.key, 32 * self.step, self.odd, self.even)
        self._round(self.key, 48 * self.step, self.even, self.odd)
        function.addi(self.key, 32 * self.step, dst=self.key)
        function.branch("bne", self.key, self.end, to=loop)
        self._last(self.odd, self.even)
        for n, reg in enumerate(self.even):
            if self.counter:
                text = next(self.tmp)
                function.load(self.source, 4 * n, dst=text)
                function.xor(reg, text, dst=reg)
            function.store(reg, self.target, 4 * n)
        function.addi(self.source, 16, dst=self.source)
        function.addi(self.target, 16, dst=self.target)
        function.addi(self.left, -1, dst=self.left)
        if self.counter:
            self._count()
        function.branch("bnez", self.left, to=block)
        if self.counter:
            function.load(SP, self.place, dst=A[0])
            function.store(self.word, A[0], 12)
        function.label(done)
        function.ret()

    def _index(self, word: Reg, place: int) -> Reg:
        """Return the address of entry ``byte`` in a table at the base."""
        function, t = self.function, next(self.tmp)
        if self.zba:
            if place == 0:
                function.emit("andi", word, imm=0xFF, dst=t)
            elif place == 3 or word not in self.spilled:
                function.srli(word, 8 * place, dst=t)
                if place < 3:
                    function.emit("andi", t, imm=0xFF, dst=t)
            else:
                function.load(SP, self.spilled[word] + place, op="lbu", dst=t)
            return self._emit("sh2add", t, self.base, t)
        if place == 0:
            function.slli(word, 2, dst=t)
        else:
            function.srli(word, 8 * place - 2, dst=t)
        function.emit("andi", t, imm=0x3FC, dst=t)
        return self._emit("add", t, self.base, t)

    def _emit(self, op: str, a: Reg, b: Reg, dst: Reg) -> Reg:
        self.function.emit(op, a, b, dst=dst)
        return dst

    def _look_up(self, word: Reg, place: int, total: Reg) -> None:
        """Add what a byte brings to a column."""
        t = self._index(word, place)
        self.function.load(t, 1024 * place - 2048, dst=t)
        self.function.xor(total, t, dst=total)

    def _keep_bytes(self, words: Sequence[Reg]) -> None:
        for word in words:
            if self.zba:
                self.function.store(word, SP, self.spilled[word])

    def _round(self, key: Reg, offset: int, source: Sequence[Reg], target: Sequence[Reg]) -> None:
        self.function.step("round")
        for c in range(4):
            self.function.load(key, offset + 4 * c, dst=target[c])
            for place in range(4):
                self._look_up(source[(c + self.step * place) % 4], place, target[c])
            self._keep_bytes(target[c : c + 1])

    def _last(self, source: Sequence[Reg], target: Sequence[Reg]) -> None:
        """Append the last round; encryption finds the S-box in bytes of its tables."""
        self.function.step("last round")
        function = self.function
        for c in range(4):
            function.load(self.key, 32 * self.step + 4 * c, dst=target[c])
            for place in range(4):
                word = source[(c + self.step * place) % 4]
                if self.step > 0:
                    t = self._index(word, place)
                    function.load(t, 1024 * 2 - 2048, op="lbu", dst=t)
                else:
                    t = next(self.tmp)
                    if place == 3:
                        function.srli(word, 24, dst=t)
                    elif self.zba and place:
                        function.load(SP, self.spilled[word] + place, op="lbu", dst=t)
                    else:
                        if place:
                            function.srli(word, 8 * place, dst=t)
                        function.emit("andi", t if place else word, imm=0xFF, dst=t)
                    function.add(t, self.bytes, dst=t)
                    function.load(t, op="lbu", dst=t)
                if place:
                    function.slli(t, 8 * place, dst=t)
                function.xor(target[c], t, dst=target[c])

    def _begin_counter(self) -> None:
        """Keep the last word of the counter, its number, and the fixed part of round 1."""
        function = self.function
        self.place = function.reserve(4)
        self.partial = [function.reserve(4) for _ in range(4)]
        self.word, self.number, self.one, self.top = A[6], A[7], S[11], A[1]
        function.store(A[2], SP, self.place)
        for n in range(3):
            function.load(A[2], 4 * n, dst=self.even[n])
            function.load(self.keys, 4 * n, dst=T[6])
            function.xor(self.even[n], T[6], dst=self.even[n])
        function.load(A[2], 12, dst=self.word)
        self._keep_bytes(self.even[:3])
        for c in range(4):
            total = self.odd[c]
            function.load(self.keys, 16 + 4 * c, dst=total)
            for place in range(4):
                if (c + place) % 4 != 3:
                    self._look_up(self.even[(c + place) % 4], place, total)
            function.store(total, SP, self.partial[c])
        function.load(self.keys, 12, dst=self.top)
        function.li(1 << 24, dst=self.one)
        self._reverse(self.word, self.number)

    def _reverse(self, word: Reg, dst: Reg) -> None:
        """Reverse the bytes of a word."""
        function = self.function
        if self.isa.rotates:
            function.emit("rev8", word, dst=dst)
            return
        mask, half = T[4], T[5]
        function.li(0x00FF00FF, dst=mask)
        function.srli(word, 8, dst=half)
        function.and_(half, mask, dst=half)
        function.and_(word, mask, dst=mask)
        function.slli(mask, 8, dst=mask)
        function.or_(half, mask, dst=half)
        function.rotr(half, 16, dst=dst, tmp=mask)

    def _first_round(self) -> None:
        function = self.function
        word = self.even[3]
        function.xor(self.word, self.top, dst=word)
        self._keep_bytes([word])
        for c in range(4):
            function.load(SP, self.partial[c], dst=self.odd[c])
            self._look_up(word, (3 - c) % 4, self.odd[c])
            self._keep_bytes(self.odd[c : c + 1])

    def _count(self) -> None:
        """Count in the word, whose top byte is the number's lowest; if it overflows, anew."""
        function, plain = self.function, self.function.new_label("plain")
        function.addi(self.number, 1, dst=self.number)
        function.add(self.word, self.one, dst=self.word)
        function.branch("bgeu", self.word, self.one, to=plain)
        self._reverse(self.number, self.word)
        function.label(plain)


def _generate(name: str, isa: Isa, tuning: Tuning) -> str:
    routine = Table(isa, name)
    routine.write()
    return routine.function.render(tuning, "cryptile.asm.lib.aes.table")


ROUTINES = [
    Routine(
        f"cry_aes_table_{name}_asm",
        "table",
        lambda isa: isa.xlen == 32,
        partial(_generate, name),
        constant_time=False,
    )
    for name in ("encrypt", "decrypt", "ctr")
]
