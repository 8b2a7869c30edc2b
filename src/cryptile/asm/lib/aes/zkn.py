"""AES with the scalar cryptography extension (Zkne, Zknd): several blocks side by side.

Blocks share the loads of the round keys; on RV64 some round keys stay in registers.
"""

from collections.abc import Callable, Sequence
from functools import partial

from cryptile.asm.code import FREELY_USABLE, SP, ZERO, A, Code, Reg, S, T
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.aes.figures import cycles
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_GENERATOR = "cryptile.asm.lib.aes.zkn"
_BULK = (
    "Blocks side by side (four on RV32, eight on RV64) share the loads of round keys. Pointers are "
    "aligned to a register; `in` and `out` are equal or disjoint. Constant-time."
)
_COUNTER = (
    " The last word of the counter counts (big-endian), may not wrap within a call, and is stored "
    "back."
)


class Bulk:
    """A routine over many blocks: whole groups first, then one block after another."""

    def __init__(self, isa: Isa, name: str) -> None:
        """Begin; ``name`` is encrypt, decrypt or ctr."""
        self.isa, self.counter = isa, name == "ctr"
        self.group = 4 if isa.xlen == 32 else 8
        self.later: list[Callable[[], None]] = []
        self.middle, self.last = (
            ("aes32dsmi", "aes32dsi") if name == "decrypt" else ("aes32esmi", "aes32esi")
        )
        if isa.xlen == 64:
            self.middle, self.last = (
                op.replace("32", "64").removesuffix("i") for op in (self.middle, self.last)
            )
        self.step = -1 if name == "decrypt" else 1
        symbol = f"cry_aes_zkn_{name}_asm"
        arguments = "const void *in, void *out, size_t blocks"
        if self.counter:
            arguments = f"uint32_t counter[4], {arguments}"
        self.function = Function(
            isa,
            symbol,
            prototype=f"void {symbol}(const uint32_t *round_keys, unsigned rounds, {arguments})",
            doc=_BULK + (_COUNTER if self.counter else ""),
            cycles=cycles(symbol),
        )

    def write(self) -> None:
        """Write the loops; subclasses have one group of blocks."""
        function = self.function
        group, single, more, done = (
            function.new_label(x) for x in ("group", "one", "more", "done")
        )
        self.begin()
        function.label(more)
        left, spare = self.left, self.scratch
        function.branch("beqz", left, to=done)
        if self.counter:
            # Groups begin at a multiple of their size, so that counters differ in known bits.
            function.emit("andi", self.number, imm=self.group - 1, dst=spare)
            function.branch("bnez", spare, to=single)
        function.addi(left, -self.group, dst=left)
        function.branch("bgez", left, to=group)
        function.addi(left, self.group, dst=left)
        function.label(single)
        self.blocks(1)
        self.advance(1)
        function.addi(left, -1, dst=left)
        function.branch("j", to=more)
        function.label(group)
        self.blocks(self.group)
        self.advance(self.group)
        function.addi(left, -self.group, dst=left)
        function.branch("bgez", left, to=group)
        function.addi(left, self.group, dst=left)
        function.branch("j", to=more)
        function.label(done)
        self.end()
        function.ret()
        for emit in self.later:
            emit()

    left: Reg
    scratch: Reg
    number: Reg
    source: Reg
    target: Reg

    def begin(self) -> None:
        """Append what comes before the loops."""
        raise NotImplementedError

    def end(self) -> None:
        """Append what comes behind the loops."""

    def blocks(self, count: int) -> None:
        """Append the work on blocks at ``source``."""
        raise NotImplementedError

    def advance(self, count: int) -> None:
        """Move on by blocks."""
        for pointer in (self.source, self.target):
            self.function.addi(pointer, 16 * count, dst=pointer)
        if self.counter:
            self.function.addi(self.number, count, dst=self.number)


class Bulk32(Bulk):
    """RV32: a round takes 16 instructions; its results go into a spare set of registers.

    Two rounds, the second from the last block to the first, bring all blocks back to their place.
    """

    def begin(self) -> None:
        """Spread the arguments."""
        function = self.function
        self.key, self.end_key, self.source, self.target = T[6], Reg("ra"), T[5], T[4]
        pool = [
            reg
            for reg in FREELY_USABLE
            if reg not in (self.key, self.end_key, self.source, self.target)
        ]
        self.sets = [pool[4 * n : 4 * n + 4] for n in range(5)]
        self.keys = pool[20:24]
        self.left, self.scratch, self.number = A[0], A[1], A[2]  # between groups only
        names = ("key", "first", "end", "left", "number", "counter", "top")
        self.slots = {name: function.reserve(4) for name in names}
        self.partial = [function.reserve(4) for _ in range(4)]
        put = partial(self._put)
        put("key", A[0])
        skipped = 2 if self.counter else 1  # rounds before the loop
        function.addi(A[0], 16 * skipped, dst=T[0])
        put("first", T[0])
        function.slli(A[1], 4, dst=T[1])
        function.add(T[0], T[1], dst=T[0])
        function.addi(T[0], -32, dst=T[0])
        put("end", T[0])
        if self.counter:
            put("counter", A[2])
            put("left", A[5])
            self._first_round()
            function.mv(A[3], dst=self.source)
            function.mv(A[4], dst=self.target)
            function.load(A[2], 12, dst=self.number)
            function.emit("rev8", self.number, dst=self.number)
            self._get("left", self.left)
        else:
            function.mv(A[2], dst=self.source)
            function.mv(A[3], dst=self.target)
            function.mv(A[4], dst=self.left)

    def _first_round(self) -> None:
        """Keep what the fixed words of the counter bring to the first round."""
        function = self.function
        words, key = S[:3], T[0]
        for n, word in enumerate(words):
            function.load(A[2], 4 * n, dst=word)
            function.load(A[0], 4 * n, dst=key)
            function.xor(word, key, dst=word)
        for c in range(4):
            function.load(A[0], 16 + 4 * c, dst=key)
            for place in range(4):
                if (c + place) % 4 != 3:
                    function.emit(self.middle, key, words[(c + place) % 4], imm=place, dst=key)
            function.store(key, SP, self.partial[c])
        function.load(A[0], 12, dst=key)
        self._put("top", key)

    def end(self) -> None:
        """Store the counter."""
        if self.counter:
            function = self.function
            self._get("counter", A[3])
            function.emit("rev8", self.number, dst=self.number)
            function.store(self.number, A[3], 12)

    def _put(self, name: str, reg: Reg) -> None:
        self.function.store(reg, SP, self.slots[name])

    def _get(self, name: str, reg: Reg) -> None:
        self.function.load(SP, self.slots[name], dst=reg)

    def blocks(self, count: int) -> None:
        """Append the work on blocks."""
        function = self.function
        sets, spare = self.sets[:count], self.sets[4]
        self._put("left", self.left)
        loop = function.new_label("loop")
        if self.counter:
            self._put("number", self.number)
            places = self._begin_counter(count)
        else:
            places = sets
            self._get("key", self.key)
            for n, reg in enumerate(self.keys):
                function.load(self.key, 4 * n, dst=reg)
            for b, block in enumerate(places):
                for n, reg in enumerate(block):
                    function.load(self.source, 16 * b + 4 * n, dst=reg)
            for block in places:
                for reg, key in zip(block, self.keys, strict=True):
                    function.xor(reg, key, dst=reg)
        self._get("first", self.key)
        self._get("end", self.end_key)
        function.label(loop)
        once, free = self._round(places, spare, self.middle, 0, forward=True)
        twice, free = self._round(once, free, self.middle, 16, forward=False)
        assert (twice, free) == (places, spare)
        function.addi(self.key, 32, dst=self.key)
        function.branch("bne", self.key, self.end_key, to=loop)
        offset = 0
        if not self.counter:
            places, spare = self._round(places, spare, self.middle, 0, forward=True)
            offset = 16
        places, spare = self._round(places, spare, self.last, offset, forward=self.counter)
        for b, block in enumerate(places):
            for n, reg in enumerate(block):
                if self.counter:
                    function.load(self.source, 16 * b + 4 * n, dst=self.keys[n])
                    function.xor(reg, self.keys[n], dst=reg)
            for n, reg in enumerate(block):
                function.store(reg, self.target, 16 * b + 4 * n)
        self._get("left", self.left)
        if self.counter:
            self._get("number", self.number)

    def _begin_counter(self, count: int) -> list[list[Reg]]:
        """Append the first round of counter blocks; returns where they are."""
        function = self.function
        words = [self.sets[4][0], self.sets[4][1], self.sets[4][2], self.sets[4][3]][:count]
        # The number is in a register of the first set: read it first.
        for n, word in enumerate(words):
            function.addi(self.number, n, dst=word)
        for word in words:
            function.emit("rev8", word, dst=word)
        function.load(SP, self.slots["top"], dst=self.keys[0])
        for word in words:
            function.xor(word, self.keys[0], dst=word)
        for c, key in enumerate(self.keys):
            function.load(SP, self.partial[c], dst=key)
        for b, word in enumerate(words):
            for c, key in enumerate(self.keys):
                function.emit(self.middle, key, word, imm=(3 - c) % 4, dst=self.sets[b][c])
        return [list(group) for group in self.sets[:count]]

    def _round(
        self, places: Sequence[list[Reg]], spare: list[Reg], op: str, offset: int, *, forward: bool
    ) -> tuple[list[list[Reg]], list[Reg]]:
        function = self.function
        for n, key in enumerate(self.keys):
            function.load(self.key, offset + 4 * n, dst=key)
        out = list(places)
        order = range(len(out)) if forward else reversed(range(len(out)))
        for b in order:
            source, target = out[b], spare
            for c in range(4):
                for place in range(4):
                    function.emit(
                        op,
                        target[c] if place else self.keys[c],
                        source[(c + self.step * place) % 4],
                        imm=place,
                        dst=target[c],
                    )
            out[b], spare = target, source
        return out, spare


class Bulk64(Bulk):
    """RV64: a round takes four instructions. The last ten rounds are unrolled."""

    kept: dict[int, list[Reg]]

    def begin(self) -> None:
        """Spread the arguments and fill the registers that hold round keys."""
        function = self.function
        pool = list(FREELY_USABLE)
        args = list(A[: 6 if self.counter else 5])
        pool = [reg for reg in pool if reg not in args]
        count = 3 if self.counter else 2  # of the arguments before `in`
        self.end_key = args[0]
        self.source, self.target, self.left = args[count:]
        free = [*pool, *args[1:count]]  # the arguments last: they are still in use
        self.scratch, free = free[0], free[1:]
        self.states = [free[2 * n : 2 * n + 2] for n in range(self.group)]
        free = free[2 * self.group :]
        self.loaded, free = [free[:2], free[2:4]], free[4:]
        self.extra, self.begin_key, self.place = (function.reserve(8) for _ in range(3))
        tmp = self.scratch
        function.store(A[0], SP, self.begin_key)
        function.addi(A[1], -10, dst=tmp)
        function.slli(tmp, 4, dst=tmp)
        function.store(tmp, SP, self.extra)
        function.slli(A[1], 4, dst=tmp)
        if self.counter:
            function.store(A[2], SP, self.place)
            self.number, self.low, self.high = free.pop(0), A[1], A[2]
            function.load(A[2], 12, op="lwu", dst=self.number)
            function.emit("rev8", self.number, dst=self.number)
            function.srli(self.number, 32, dst=self.number)
            function.load(A[2], 0, dst=self.low)
            function.load(A[2], 8, op="lwu", dst=self.high)
            free = free[:-2]
            key = self.states[0][0]
            for word, offset in ((self.low, 0), (self.high, 8)):
                function.load(A[0], offset, dst=key)
                function.xor(word, key, dst=word)
        function.add(A[0], tmp, dst=self.end_key)
        kept, self.kept = free, {}
        # Spread the rounds whose keys are loaded among those whose keys are kept.
        pairs = len(kept) // 2
        for n in range(pairs):
            number_of_round = 2 + n * 8 // max(pairs, 1) if n else 1
            while number_of_round in self.kept:
                number_of_round += 1
            regs = kept[2 * n : 2 * n + 2]
            self.kept[number_of_round] = regs
            for m, reg in enumerate(regs):
                function.load(self.end_key, 16 * (number_of_round - 10) + 8 * m, dst=reg)

    def end(self) -> None:
        """Store the counter."""
        if self.counter:
            function = self.function
            function.load(SP, self.place, dst=self.scratch)
            function.emit("rev8", self.number, dst=self.number)
            function.srli(self.number, 32, dst=self.number)
            function.store(self.number, self.scratch, 12, op="sw")

    def blocks(self, count: int) -> None:
        """Append the work on blocks."""
        function = self.function
        states = self.states[:count]
        long, rest = function.new_label("long"), function.new_label("rest")
        starts = states
        if self.counter:
            self._counters(states)
            starts = [[self.low, state[1]] for state in states]
        else:
            function.load(SP, self.begin_key, dst=self.scratch)
            for n, key in enumerate(self.loaded[0]):
                function.load(self.scratch, 8 * n, dst=key)
            for b, state in enumerate(states):
                for n, reg in enumerate(state):
                    function.load(self.source, 16 * b + 8 * n, dst=reg)
            for state in states:
                for reg, key in zip(state, self.loaded[0], strict=True):
                    function.xor(reg, key, dst=reg)
        function.load(SP, self.extra, dst=self.scratch)
        function.branch("bnez", self.scratch, to=long)
        self._round(starts, states, self.middle, 1)
        function.label(rest)
        for number in range(2, 10):
            self._round(states, states, self.middle, number)
        self._round(states, states, self.last, 10)
        for b, state in enumerate(states):
            for n, reg in enumerate(state):
                if self.counter:
                    text = self.loaded[b % 2][n]
                    function.load(self.source, 16 * b + 8 * n, dst=text)
                    function.xor(reg, text, dst=reg)
            for n, reg in enumerate(state):
                function.store(reg, self.target, 16 * b + 8 * n)
        self.later.append(partial(self._long, states, long, rest))

    def _long(self, states: Sequence[list[Reg]], long: str, rest: str) -> None:
        """Append the rounds before the last ten, and the first of these."""
        function = self.function
        loop = function.new_label("loop")
        function.label(long)
        if self.counter:
            for state in states:
                function.mv(self.low, dst=state[0])
        pointer = self.loaded[1][0]
        function.sub(self.end_key, self.scratch, dst=pointer)
        function.addi(pointer, -16 * 9, dst=pointer)
        function.label(loop)
        for n, key in enumerate(self.loaded[0]):
            function.load(pointer, 8 * n, dst=key)
        function.addi(pointer, 16, dst=pointer)
        self._apply(states, states, self.middle, self.loaded[0])
        function.addi(self.end_key, -16 * 9, dst=self.scratch)
        function.branch("bne", pointer, self.scratch, to=loop)
        self._round(states, states, self.middle, 1)
        function.branch("j", to=rest)

    def _counters(self, states: Sequence[list[Reg]]) -> None:
        """Set the upper halves of counter blocks."""
        function = self.function
        first = states[0][1]
        function.emit("rev8", self.number, dst=first)
        function.xor(first, self.high, dst=first)
        if len(states) == 1:
            return
        bit, count = self.scratch, 1
        function.li(1, dst=bit)
        while count < len(states):
            function.slli(bit, 56 if count == 1 else 1, dst=bit)
            for n in range(count):
                function.xor(states[n][1], bit, dst=states[n + count][1])
            count *= 2

    def _round(
        self, sources: Sequence[list[Reg]], targets: Sequence[list[Reg]], op: str, number: int
    ) -> None:
        keys = self.kept.get(number)
        if keys is None:
            keys = self.loaded[number % 2]
            for n, key in enumerate(keys):
                self.function.load(self.end_key, 16 * (number - 10) + 8 * n, dst=key)
        self._apply(sources, targets, op, keys)

    def _apply(
        self,
        sources: Sequence[list[Reg]],
        targets: Sequence[list[Reg]],
        op: str,
        keys: Sequence[Reg],
    ) -> None:
        function = self.function
        for (low, high), (to_low, to_high) in zip(sources, targets, strict=True):
            function.emit(op, low, high, dst=self.scratch)
            function.emit(op, high, low, dst=to_high)
            function.xor(self.scratch, keys[0], dst=to_low)
            function.xor(to_high, keys[1], dst=to_high)


def sub_word(code: Code, isa: Isa, word: Reg, tmp: Reg) -> None:
    """S-box of the four bytes of a word, in place."""
    if isa.xlen == 64:
        code.slli(word, 32, dst=word)
        code.emit("aes64ks1i", word, imm=10, dst=word)
        code.slli(word, 32, dst=word)
        code.srli(word, 32, dst=word)
        return
    for place in range(4):
        code.emit("aes32esi", ZERO if place == 0 else tmp, word, imm=place, dst=tmp)
    code.mv(tmp, dst=word)


def _invert(isa: Isa, tuning: Tuning) -> str:
    """Write the preparation of keys for decryption: reverse their order, InvMixColumns inside."""
    symbol = "cry_aes_zkn_invert_key_asm"
    function = Function(
        isa,
        symbol,
        prototype=f"void {symbol}(uint32_t *round_keys, unsigned rounds)",
        doc="Turns expanded keys into those of the equivalent inverse cipher (FIPS 197, section "
        "5.3.5), in the order of their use. `round_keys` is aligned to a register. Constant-time.",
        cycles=cycles(symbol),
    )
    low, high = A[0], A[1]
    loop, done = function.new_label("loop"), function.new_label("done")
    words = 128 // isa.xlen
    first, second = T[:words], S[:words]

    def both(emit: Callable[[Reg, Reg], None]) -> None:
        for n in range(words):
            function.load(low, n * isa.word, dst=first[n])
            function.load(high, n * isa.word, dst=second[n])
        for reg in (*first, *second):
            emit(reg, A[2])
        for n in range(words):
            function.store(second[n], low, n * isa.word)
            function.store(first[n], high, n * isa.word)
        function.addi(low, 16, dst=low)
        function.addi(high, -16, dst=high)

    def mix(reg: Reg, tmp: Reg) -> None:
        if isa.xlen == 64:
            function.emit("aes64im", reg, dst=reg)
            return
        sub_word(function, isa, reg, tmp)
        for place in range(4):
            function.emit("aes32dsmi", ZERO if place == 0 else tmp, reg, imm=place, dst=tmp)
        function.mv(tmp, dst=reg)

    function.slli(A[1], 4, dst=A[1])
    function.add(A[0], A[1], dst=high)
    both(lambda reg, tmp: None)
    function.label(loop)
    both(mix)
    # The one in the middle meets itself, and is written twice alike.
    function.branch("bgeu", high, low, to=loop)
    function.label(done)
    function.ret()
    return function.render(tuning, _GENERATOR)


def _bulk(name: str, isa: Isa, tuning: Tuning) -> str:
    routine = (Bulk32 if isa.xlen == 32 else Bulk64)(isa, name)
    routine.write()
    return routine.function.render(tuning, _GENERATOR)


def supports(isa: Isa) -> bool:
    """Tell whether an instruction set has both directions, and Zbkb for byte reversal."""
    return "zkne" in isa and "zknd" in isa and isa.rotates


ROUTINES = [
    *(
        Routine(f"cry_aes_zkn_{name}_asm", "zkn", supports, partial(_bulk, name))
        for name in ("encrypt", "decrypt", "ctr")
    ),
    Routine("cry_aes_zkn_invert_key_asm", "zkn", supports, _invert),
]
