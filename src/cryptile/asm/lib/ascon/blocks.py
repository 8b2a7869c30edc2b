"""Whole blocks of 16 bytes through Ascon-AEAD128, the state in registers all the time."""

from collections.abc import Callable

from cryptile.asm.code import FREELY_USABLE, SP, ZERO, A, Code, Operand, Value
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.ascon.frame import GENERATOR, Registers, variant
from cryptile.asm.lib.ascon.interleave import interleave, separate
from cryptile.asm.lib.ascon.rounds import CONSTANTS, Lane, constant_words, interleaves, multiplies
from cryptile.asm.schedule import Tuning

_SYMBOL = "cry_ascon_blocks_asm"
_ROUND_CONSTANTS = CONSTANTS[4:]
_SEEDS = {
    "rv32": 336,
    "rv32 rotates": 14,
    "rv32 rotates zbkb": 14,
    "rv32 products": 16,
    "rv32 rotates products": 33,
    "rv64": 1,
    "rv64 rotates": 0,
}
_CYCLES = {
    "rv32": 242243,
    "rv32 rotates": 225338,
    "rv32 rotates zbkb": 159802,
    "rv32 products": 174148,
    "rv32 rotates products": 172096,
    "rv64": 121392,
    "rv64 rotates": 78382,
}


def generate(isa: Isa, tuning: Tuning) -> str:
    """Return the text of the routine."""
    return _Blocks(isa).emit().render(tuning, GENERATOR)


class _Blocks:
    def __init__(self, isa: Isa) -> None:
        layout = "even and odd bits in a word each" if interleaves(isa) else "lower bits first"
        self.isa = isa
        self.function = Function(
            isa,
            _SYMBOL,
            prototype=f"void {_SYMBOL}(uint64_t state[5], const void *in, void *out, "
            "size_t blocks, int mode);",
            doc="Ascon-AEAD128 on blocks of 16 bytes, each followed by Ascon-p[8] (NIST SP "
            "800-232, sections 3 and 4.1). mode > 0: encrypt, < 0: decrypt, 0: absorb associated "
            f"data, `out` is not used. Lanes of the state: {layout}. `state` is aligned to 8 "
            f"bytes, `in` and `out` to {isa.word}; `out` may be `in`, or they are disjoint. "
            "Constant-time but for `blocks` and `mode`. The state is in registers.",
            cycles=f"{_CYCLES[variant(isa)]} to encrypt 256 blocks (single issue, loads deliver "
            "after two cycles).",
        )
        # Where code would get too large, four rounds are a loop, their constants in registers.
        self.loops = isa.xlen == 32 and not isa.rotates and not multiplies(isa)
        self.source, self.target, self.end, self.mode = A[1:5]
        self.first, *self.constants = A[5:8] + FREELY_USABLE[8:10] if self.loops else [ZERO]
        pool = [reg for reg in FREELY_USABLE if reg not in (*A[1:5], self.first, *self.constants)]
        self.registers = Registers(self.function, pool, _SEEDS[variant(isa)])

    def emit(self) -> Function:
        function = self.function
        save = function.reserve(self.isa.word)
        top, permute, done, other, absorb = (
            function.new_label(hint) for hint in ("block", "permute", "done", "other", "absorb")
        )
        state = A[0]
        function.branch("beq", self.end, ZERO, to=done)
        function.store(state, SP, save)
        function.slli(self.end, 4, dst=self.end)
        function.add(self.source, self.end, dst=self.end)
        if self.loops:
            function.li(_ROUND_CONSTANTS[0], dst=self.first)
            for reg, constant in zip(self.constants, _ROUND_CONSTANTS, strict=False):
                function.li(constant, dst=reg)
        self.registers.prepare()
        self.registers.load(state)
        function.label(top)
        function.branch("ble", self.mode, ZERO, to=other)
        self._block(self._encrypt)
        function.label(permute)
        self._permute()
        function.branch("bne", self.source, self.end, to=top)
        function.load(SP, save, dst=self.source)
        self.registers.store(self.source)
        function.label(done)
        function.ret()
        function.label(other)
        function.branch("beq", self.mode, ZERO, to=absorb)
        self._block(self._decrypt)
        function.branch("j", to=permute)
        function.label(absorb)
        self._block(self._absorb)
        function.branch("j", to=permute)
        return function

    def _permute(self) -> None:
        if not self.loops:
            self.registers.rounds([constant_words(self.isa, c) for c in _ROUND_CONSTANTS])
            return
        function = self.function
        again = function.new_label("rounds")
        function.label(again)
        self.registers.rounds([[reg] for reg in self.constants])
        # The constants of the second four rounds differ from the first by the same number.
        flip = _ROUND_CONSTANTS[0] ^ _ROUND_CONSTANTS[4]
        for reg in self.constants:
            function.emit("xori", reg, imm=flip, dst=reg)
        function.branch("bne", self.constants[0], self.first, to=again)

    def _block(self, work: Callable[[Code, list[Lane]], list[Lane]]) -> None:
        """Emit the work on the first two lanes, and move the pointers on."""
        code = Code(self.isa)
        before: list[Lane] = [[Value() for _ in lane] for lane in self.registers.lanes]
        after = work(code, before[:2])
        self.function.extend(self.registers.allocate(code, before, [*after, *before[2:]]))
        for pointer in (self.source, self.target):
            self.function.addi(pointer, 16, dst=pointer)

    def _encrypt(self, code: Code, lanes: list[Lane]) -> list[Lane]:
        after = self._absorb(code, lanes)
        self._write(code, after)
        return after

    def _decrypt(self, code: Code, lanes: list[Lane]) -> list[Lane]:
        stream, words = self._from_state(code, lanes), self._read(code)
        for number, (mask, word) in enumerate(zip(stream, words, strict=True)):
            code.store(code.xor(mask, word), self.target, self.isa.word * number)
        return self._to_state(code, words)

    def _absorb(self, code: Code, lanes: list[Lane]) -> list[Lane]:
        words = self._to_state(code, self._read(code))
        return [
            [code.xor(a, b) for a, b in zip(*pair, strict=True)]
            for pair in zip(lanes, words, strict=True)
        ]

    def _read(self, code: Code) -> list[Operand]:
        word = self.isa.word
        return [code.load(self.source, word * number) for number in range(16 // word)]

    def _write(self, code: Code, lanes: list[Lane]) -> None:
        for number, value in enumerate(self._from_state(code, lanes)):
            code.store(value, self.target, self.isa.word * number)

    def _to_state(self, code: Code, words: list[Operand]) -> list[Lane]:
        each = 8 // self.isa.word
        lanes = [words[n : n + each] for n in range(0, len(words), each)]
        return [list(interleave(code, *lane)) for lane in lanes] if interleaves(self.isa) else lanes

    def _from_state(self, code: Code, lanes: list[Lane]) -> list[Operand]:
        if interleaves(self.isa):
            lanes = [list(separate(code, *lane)) for lane in lanes]
        return [word for lane in lanes for word in lane]
