"""AES on bit planes: two blocks at once on RV32, four on RV64."""

from collections.abc import Callable, Sequence
from functools import partial

from cryptile.asm.code import SP, A, Code, Operand, Reg, S, T
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.aes.figures import cycles
from cryptile.asm.lib.aes.gates import FORWARD, INVERSE, substitute
from cryptile.asm.lib.aes.planes import Planes, State
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_DOC = """\
All blocks of a pass are worked on as eight planes, see aes_bitsliced.h. Fixslicing (A. Adomnicai
and T. Peyrin, "Fixslicing AES-like ciphers", CHES 2021): ShiftRows is left out, and MixColumns of
round t takes bytes from where t - 1 of them would have moved them, so four kinds of rounds follow
one another. The first ShiftRows is done on the bytes before they become planes, so that the kind
that costs least comes thrice in nine rounds. S-boxes: cryptile.asm.lib.aes.gates. """

_KEY, _END = Reg("ra"), Reg("t6")
"""The round key of the loop's pass, and where the loop ends."""
_PLANES = S[:8]


def _end_of_loop(code: Code, rounds: Reg, key_bytes: int) -> None:
    """Let _END tell the last pass of the loop from _KEY before it.

    Rounds come four to a pass, and the last pass leaves after its first round; with 12 rounds,
    after its third, which is marked by bit 0.
    """
    code.addi(rounds, -2, dst=T[0])
    code.srli(T[0], 2, dst=T[0])
    code.emit("slli", T[0], imm=(4 * key_bytes).bit_length() - 1, dst=T[0])
    code.add(T[0], _KEY, dst=_END)
    code.emit("xori", rounds, imm=2, dst=T[0])
    code.emit("andi", T[0], imm=2, dst=T[0])
    code.srli(T[0], 1, dst=T[0])
    code.add(_END, T[0], dst=_END)


class Passes(Planes):
    """A routine that works on passes."""

    def __init__(self, isa: Isa, symbol: str, arguments: str, doc: str) -> None:
        """Begin with the arguments common to all: the key planes and the number of rounds."""
        self.symbol = symbol
        function = Function(
            isa,
            symbol,
            prototype=f"void {symbol}(const aes_plane_t *sliced, unsigned rounds, {arguments})",
            doc=_DOC + doc,
            cycles=cycles(symbol),
        )
        super().__init__(function, (_KEY, _END))
        self.key_bytes = 8 * isa.word
        self.slots = {
            name: function.reserve(isa.word)
            for name in ("sliced", "counter", "in", "out", "passes", "number")
        }

    def render(self, tuning: Tuning) -> str:
        """Return the text of the finished routine."""
        self.function.insns[:0] = self.frame.stores(T[0])
        return self.function.render(tuning, "cryptile.asm.lib.aes.bitsliced")

    def recall(self, code: Code, slot: str, *, op: str | None = None) -> Operand:
        """Load a variable from the frame."""
        return code.load(SP, self.slots[slot], op=op)

    def keep(self, code: Code, slot: str, value: Operand) -> None:
        """Store a variable in the frame."""
        code.store(value, SP, self.slots[slot])

    def encrypt(self) -> list[Reg]:
        """Append the rounds, from the state with its first key in _PLANES; return its end."""
        function = self.function
        loop, last, after_12 = (function.new_label(x) for x in ("loop", "last", "after"))
        function.label(loop)
        places: list[Reg] = list(_PLANES)
        leave: dict[int, list[Reg]] = {}
        for step in range(4):
            build = partial(self._round, step=step)
            places = self.straight(places, build, _PLANES if step == 3 else None)
            leave[step] = places
            if step == 0:
                function.branch("beq", _KEY, _END, to=last)
            if step == 2:
                spare = self.spare(places)
                function.addi(_KEY, 1, dst=spare)
                function.branch("beq", spare, _END, to=after_12)
        function.addi(_KEY, 4 * self.key_bytes, dst=_KEY)
        function.branch("j", to=loop)
        function.label(after_12)
        function.addi(_KEY, 2 * self.key_bytes, dst=_KEY)
        self.move(leave[2], leave[0])
        function.label(last)
        places = self.straight(
            leave[0],
            lambda code, p: self.add_key(
                code, substitute(code, p, FORWARD), _KEY, 2 * self.key_bytes
            ),
        )
        self.unless_12(places)
        return places

    def _round(self, code: Code, planes: State, *, step: int) -> State:
        mixed = self.mix_columns(code, substitute(code, planes, FORWARD), step)
        return self.add_key(code, mixed, _KEY, (step + 1) * self.key_bytes)

    def decrypt(self, start: Sequence[Reg]) -> list[Reg]:
        """Append the rounds; _KEY points to the last round key. Return where the state is."""
        function = self.function
        loop, enter_12, enter, done = (function.new_label(x) for x in ("loop", "e", "e", "done"))
        key = -self.key_bytes
        first = self.straight(
            start,
            lambda code, p: substitute(code, self.add_key(code, p, _KEY), INVERSE),
            _PLANES,
        )
        # Find the places in the loop first: a dry run, as the entries come before it.
        mark = len(function.insns)
        places = {3: list(_PLANES)}
        for step in (3, 2, 1):
            build = partial(self._inv_round, step=step, key=0)
            places[step - 1] = self.straight(places[step], build)
        del function.insns[mark:]
        spare = self.spare(first)
        function.emit("andi", _END, imm=1, dst=spare)
        function.branch("bnez", spare, to=enter_12)
        self.move(first, places[0])
        function.addi(_KEY, 3 * -key, dst=_KEY)
        function.branch("j", to=enter)
        function.label(enter_12)
        self.move(first, places[2])
        function.addi(_KEY, -key, dst=_KEY)
        enter_2 = function.new_label("e")
        function.branch("j", to=enter_2)
        function.label(loop)
        for step in (3, 2, 1, 0):
            if step == 2:
                function.label(enter_2)
            if step == 0:
                function.label(enter)
            build = partial(self._inv_round, step=step, key=(4 - step) * key)
            found = self.straight(places[step], build, _PLANES if step == 0 else None)
            assert step == 0 or found == places[step - 1]
        function.addi(_KEY, 4 * key, dst=_KEY)
        function.emit("andi", _END, imm=-2, dst=self.spare(_PLANES))
        function.branch("bne", _KEY, self.spare(_PLANES), to=loop)
        function.label(done)
        return list(_PLANES)

    def _inv_round(self, code: Code, planes: State, *, step: int, key: int) -> State:
        keyed = self.add_key(code, planes, _KEY, key)
        return substitute(code, self.inv_mix_columns(code, keyed, step), INVERSE)

    def unless_12(self, places: list[Reg]) -> None:
        """Append what 12 rounds need to end as 10 and 14 do: two more ShiftRows."""
        function = self.function
        skip, spare = function.new_label("even"), self.spare(places)
        function.emit("andi", _END, imm=1, dst=spare)
        function.branch("beqz", spare, to=skip)
        self.straight(places, self.shift_rows_twice, places)
        function.label(skip)

    def spare(self, places: Sequence[Reg]) -> Reg:
        """Return a register that holds nothing."""
        return next(reg for reg in self.pool if reg not in places)

    def load_blocks(self, code: Code, pointer: Operand) -> list[State]:
        """Load a pass of blocks."""
        count = 16 // self.isa.word
        return [
            [code.load(pointer, 16 * b + self.isa.word * n) for n in range(count)]
            for b in range(self.layout.blocks)
        ]

    def store_blocks(self, code: Code, blocks: Sequence[State], pointer: Operand) -> None:
        """Store a pass of blocks."""
        for b, block in enumerate(blocks):
            for n, word in enumerate(block):
                code.store(word, pointer, 16 * b + self.isa.word * n)


class Counter(Passes):
    """Counter mode.

    While only the low byte of the counter changes, the planes of the counter blocks, with the
    first round key, stay in the frame, and only the planes of changing bits are touched.
    """

    def __init__(self, isa: Isa) -> None:
        """Begin."""
        super().__init__(
            isa,
            "cry_aes_bitsliced_ctr_asm",
            "uint32_t counter[4], const void *in, void *out, size_t passes",
            "The planes of the counter are kept; while its low byte counts on, only the bits that "
            "change are touched. `counter`, `in` and `out` must be aligned to a register; "
            "passes > 0; `in` and `out` are equal or disjoint. The last word of the counter counts "
            "(big-endian, modulo 2^32) and is stored back. Constant-time; the counter is public.",
        )
        self.start = self.function.reserve(8 * isa.word)

    def write(self) -> None:
        """Write the routine."""
        function, isa = self.function, self.isa
        run, next_pass, done, toggle = (
            function.new_label(x) for x in ("run", "pass", "done", "toggle")
        )
        for slot, reg in zip(
            ("sliced", "counter", "in", "out", "passes"), (A[0], *A[2:6]), strict=True
        ):
            self.keep(function, slot, reg)
        function.mv(A[0], dst=_KEY)
        _end_of_loop(function, A[1], self.key_bytes)
        self.straight([A[2]], self._take_counter)
        function.label(run)
        self.straight([], self._start_run)
        function.label(next_pass)
        self.straight(
            [],
            lambda code, _: [code.load(SP, self.start + isa.word * j) for j in range(8)],
            _PLANES,
        )
        function.load(SP, self.slots["sliced"], dst=_KEY)
        self.straight(self.encrypt(), self._finish)
        n, old, left = T[0], T[1], T[2]
        self._word(function, "number", dst=old)
        function.load(SP, self.slots["passes"], dst=left)
        function.addi(old, self.layout.blocks, dst=n)
        function.store(n, SP, self.slots["number"], op="sw")
        function.addi(left, -1, dst=left)
        self.keep(function, "passes", left)
        function.branch("beqz", left, to=done)
        function.emit("andi", n, imm=0xFF, dst=T[3])
        function.branch("beqz", T[3], to=run)
        function.emit("andi", n, imm=self.layout.blocks - 1, dst=T[3])
        function.branch("bnez", T[3], to=run)
        low = self.layout.blocks.bit_length() - 1
        function.xor(n, old, dst=n)
        function.srli(n, low, dst=n)
        function.addi(SP, self.start + isa.word * low, dst=T[3])
        # The low byte of the counter is in row 3 and, after ShiftRows, in column 0.
        function.li(((1 << self.layout.column) - 1) << 3 * self.layout.row, dst=T[4])
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

    def _word(self, code: Code, slot: str, dst: Reg | None = None) -> Operand:
        op = "lw" if self.isa.xlen == 32 else "lwu"
        return code.load(SP, self.slots[slot], op=op, dst=dst)

    def _take_counter(self, code: Code, args: State) -> State:
        word = code.load(args[0], 12, op="lw" if self.isa.xlen == 32 else "lwu")
        self.keep(code, "number", self.swap_bytes(code, word))
        return []

    def swap_bytes(self, code: Code, word: Operand) -> Operand:
        """Reverse the bytes of a word that is zero-extended."""
        if self.isa.rotates:
            reversed_ = code.emit("rev8", word)
            return reversed_ if self.isa.xlen == 32 else code.srli(reversed_, 32)
        even = self.mask(code, 0x00FF00FF)
        pairs = code.or_(code.and_(code.srli(word, 8), even), code.slli(code.and_(word, even), 8))
        if self.isa.xlen == 32:
            return code.rotr(pairs, 16)
        high = code.srli(code.slli(pairs, 48), 32)
        return code.or_(high, code.srli(pairs, 16))

    def _start_run(self, code: Code, _: State) -> State:
        number = self._word(code, "number")
        counter = self.recall(code, "counter")
        fixed = [code.load(counter, n * self.isa.word) for n in range(64 // self.isa.xlen)]
        if self.isa.xlen == 32:
            fixed.append(code.load(counter, 8))
        else:
            fixed.append(code.load(counter, 8, op="lwu"))
        blocks = []
        for b in range(self.layout.blocks):
            following = code.addi(number, b) if b else number
            if b and self.isa.xlen == 64:
                following = code.srli(code.slli(following, 32), 32)
            word = self.swap_bytes(code, following)
            if self.isa.xlen == 32:
                block = [*fixed, word]
            else:
                block = [fixed[0], code.or_(fixed[1], code.slli(word, 32))]
            blocks.append(self.shift_rows(code, block))
        planes = self.add_key(code, self.pack(code, blocks), self.recall(code, "sliced"))
        for j, plane in enumerate(planes):
            code.store(plane, SP, self.start + j * self.isa.word)
        return []

    def _finish(self, code: Code, planes: State) -> State:
        source, target = self.recall(code, "in"), self.recall(code, "out")
        blocks = [self.shift_rows(code, block) for block in self.unpack(code, planes)]
        texts = []
        for b, block in enumerate(blocks):
            texts.append(
                [
                    code.xor(code.load(source, 16 * b + self.isa.word * n), word)
                    for n, word in enumerate(block)
                ]
            )
        self.store_blocks(code, texts, target)
        size = 16 * self.layout.blocks
        self.keep(code, "in", code.addi(source, size))
        self.keep(code, "out", code.addi(target, size))
        return []

    def _store_counter(self, code: Code, _: State) -> State:
        word = self.swap_bytes(code, self._word(code, "number"))
        code.store(word, self.recall(code, "counter"), 12, op="sw")
        return []


def _encrypt(isa: Isa) -> Passes:
    passes = Passes(
        isa,
        "cry_aes_bitsliced_encrypt_asm",
        "const void *in, void *out",
        "One pass. `in` and `out` must be aligned to a register, and are equal or disjoint. "
        "Constant-time.",
    )
    function = passes.function
    passes.keep(function, "out", A[3])
    function.mv(A[0], dst=_KEY)
    _end_of_loop(function, A[1], passes.key_bytes)

    def begin(code: Code, args: State) -> State:
        blocks = [passes.shift_rows(code, block) for block in passes.load_blocks(code, args[0])]
        return passes.add_key(code, passes.pack(code, blocks), _KEY)

    def finish(code: Code, planes: State) -> State:
        blocks = [passes.shift_rows(code, block) for block in passes.unpack(code, planes)]
        passes.store_blocks(code, blocks, passes.recall(code, "out"))
        return []

    passes.straight([A[2]], begin, _PLANES)
    passes.straight(passes.encrypt(), finish)
    function.ret()
    return passes


def _decrypt(isa: Isa) -> Passes:
    passes = Passes(
        isa,
        "cry_aes_bitsliced_decrypt_asm",
        "const void *in, void *out",
        "One pass, with the key planes of encryption. `in` and `out` must be aligned to a "
        "register, and are equal or disjoint. Constant-time.",
    )
    function = passes.function
    passes.keep(function, "out", A[3])
    function.mv(A[0], dst=_KEY)
    _end_of_loop(function, A[1], passes.key_bytes)
    # Here _END is the second round key, still with the mark for 12 rounds.
    function.emit("andi", _END, imm=1, dst=T[1])
    function.addi(T[1], passes.key_bytes, dst=T[1])
    function.add(A[0], T[1], dst=_END)
    function.emit("slli", A[1], imm=passes.key_bytes.bit_length() - 1, dst=T[1])
    function.add(A[0], T[1], dst=_KEY)

    def begin(code: Code, args: State) -> State:
        blocks = [
            passes.shift_rows(code, block, right=True)
            for block in passes.load_blocks(code, args[0])
        ]
        return passes.pack(code, blocks)

    def finish(code: Code, planes: State) -> State:
        keyed = passes.add_key(code, planes, _KEY, -passes.key_bytes)
        blocks = [
            passes.shift_rows(code, block, right=True) for block in passes.unpack(code, keyed)
        ]
        passes.store_blocks(code, blocks, passes.recall(code, "out"))
        return []

    places = passes.straight([A[2]], begin)
    passes.unless_12(places)
    passes.straight(passes.decrypt(places), finish)
    function.ret()
    return passes


def _counter(isa: Isa) -> Passes:
    passes = Counter(isa)
    passes.write()
    return passes


def _generate(write: Callable[[Isa], Passes], isa: Isa, tuning: Tuning) -> str:
    return write(isa).render(tuning)


ROUTINES = [
    Routine(f"cry_aes_bitsliced_{name}_asm", "bitsliced", lambda _: True, partial(_generate, write))
    for name, write in (("ctr", _counter), ("encrypt", _encrypt), ("decrypt", _decrypt))
]
