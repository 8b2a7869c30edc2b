"""Keccak-f[1600] on 32-bit registers: a lane is a pair of words.

Two rounds make a loop: the first reads the state in place and leaves its result on the stack, or in
registers, the second goes back. The column parities of a round's result accumulate while chi
produces it, so that each word is loaded and stored at most once in a round.
"""

import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cryptile.asm.allocate import allocate
from cryptile.asm.code import FREELY_USABLE, SP, A, Code, Insn, Operand, Reg, T, Value
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.keccak import lanes

METHOD = (
    "A loop of {rounds}; the parities of the next theta accumulate in chi, so that each word is "
    "loaded and stored at most once in a round."
)

Word = tuple[int, int]
"""Lane, or column of a parity, and half: lower or even bits 0, upper or odd bits 1."""

PARITIES: tuple[Word, ...] = tuple((x, half) for x in range(5) for half in range(2))

WORDS: tuple[Word, ...] = tuple((lane, half) for lane in range(25) for half in range(2))

_STATE, _COPY = A[:2]
_BYTES = 200
_STORE_COST = 120


@dataclass(frozen=True)
class Order:
    """The order of work in one round; every order is right, some need fewer registers.

    Attributes:
        rows: the rows of the result; each half by itself if the halves are even and odd bits.
        columns: the lanes of each row.
    """

    rows: tuple[tuple[int, int], ...]
    columns: tuple[int, ...] = (0, 1, 2, 3, 4)


@dataclass(frozen=True)
class Style:
    """What tells the variants apart.

    The orders, the words that stay in registers and the numbers were found by random search for
    the fewest cycles (:mod:`cryptile.asm.lib.keccak.search`).

    Attributes:
        interleaved: halves are even and odd bits, not lower and upper ones.
        orders: for the rounds of one turn of the loop.
        held: words that stay in registers from one turn of the loop to the next.
        ahead: see :func:`cryptile.asm.allocate.allocate`.
        shuffle: chooses the registers of what stays in registers, for few moves.
    """

    interleaved: bool
    orders: tuple[Order, ...]
    held: tuple[Word, ...] = ()
    ahead: int = 5
    shuffle: int = 0


@dataclass
class Round:
    """One round in single-assignment form, as the words that it reads and writes."""

    code: Code
    interleaved: bool
    order: Order
    fetch: Callable[[Word], Operand]
    keep: Callable[[Word, Operand], None]
    constant: Callable[[int], Operand]

    def run(self, parity: Mapping[Word, Operand]) -> dict[Word, Operand]:
        """Emit the round; return the column parities of its result."""
        effect = self._effects(parity)
        sums: dict[Word, Operand] = {}
        for y, half in self.order.rows:
            self.code.step(f"rho, pi and chi: row {y}")
            for part, row in self._rows(y, half, effect):
                for x, word in self._chi(y, row):
                    if x == y == 0:
                        word = self.code.xor(word, self.constant(part))
                    self.keep((x + 5 * y, part), word)
                    column = (x, part)
                    sums[column] = self.code.xor(sums[column], word) if column in sums else word
        return sums

    def _chi(self, y: int, row: Sequence[Operand]) -> Iterator[tuple[int, Operand]]:
        """Yield x and word of the result."""
        code, kept = self.code, complemented(self.code.isa)
        before = lanes.complemented_rows(kept)[y]
        after = tuple(x + 5 * y in kept for x in range(5))
        words, term = list(row), row[0]
        for step in lanes.chi_steps(before, after, code.isa.rotates, in_place=False):
            if step.op == "xor":
                yield step.x, code.xor(words[step.x], term)
            elif step.op == "not":
                words[step.x] = code.not_(words[step.x])
            else:
                pair = [words[(step.x + n) % 5] for n in (1, 2)]
                if step.flipped:
                    pair[step.flipped - 1] = code.not_(pair[step.flipped - 1])
                term = code.emit(step.op, pair[1], pair[0])

    def _effects(self, parity: Mapping[Word, Operand]) -> dict[Word, Operand]:
        """Return what theta adds to each column."""
        self.code.step("theta: what each column is added")
        code, effect = self.code, {}
        for x in range(5):
            left, right = (x - 1) % 5, (x + 1) % 5
            if not self.interleaved:
                for half in range(2):
                    turned = code.xor(parity[left, half], code.slli(parity[right, half], 1))
                    effect[x, half] = code.xor(turned, code.srli(parity[right, 1 - half], 31))
                continue
            if code.isa.rotates:
                effect[x, 0] = code.xor(parity[left, 0], code.rotl(parity[right, 1], 1))
            else:
                turned = code.xor(parity[left, 0], code.slli(parity[right, 1], 1))
                effect[x, 0] = code.xor(turned, code.srli(parity[right, 1], 31))
            effect[x, 1] = code.xor(parity[left, 1], parity[right, 0])
        return effect

    def _rows(
        self, y: int, half: int, effect: Mapping[Word, Operand]
    ) -> Iterator[tuple[int, list[Operand]]]:
        """Yield the halves of a row before chi."""
        code = self.code
        sources = [lanes.origin(x, y) for x in range(5)]
        if self.interleaved:
            row = {}
            for x in self.order.columns:
                lane = sources[x]
                turn, swap = divmod(lanes.ROTATIONS[lane], 2)
                source = half ^ swap
                mixed = code.xor(self.fetch((lane, source)), effect[lane % 5, source])
                row[x] = code.rotl(mixed, turn + (swap if half == 0 else 0))
            yield half, [row[x] for x in range(5)]
            return
        pairs = {}
        for x in self.order.columns:
            lane = sources[x]
            low, high = (
                code.xor(self.fetch((lane, part)), effect[lane % 5, part]) for part in range(2)
            )
            turn = lanes.ROTATIONS[lane] % 32
            if lanes.ROTATIONS[lane] >= 32:
                low, high = high, low
            if turn:
                low, high = (
                    code.or_(code.slli(a, turn), code.srli(b, 32 - turn))
                    for a, b in ((low, high), (high, low))
                )
            pairs[x] = (low, high)
        for part in range(2):
            yield part, [pairs[x][part] for x in range(5)]


def _value(operand: Operand) -> Value:
    assert isinstance(operand, Value)
    return operand


def _pinned(values: Mapping[Word, Operand], places: Mapping[Word, Reg]) -> dict[Value, Reg]:
    return {_value(values[word]): reg for word, reg in places.items()}


def _offset(word: Word) -> int:
    return 8 * word[0] + 4 * word[1]


def complemented(isa: Isa) -> frozenset[int]:
    """Return the lanes that are complemented between rounds."""
    return frozenset() if isa.rotates else lanes.COMPLEMENTED


def constants(interleaved: bool) -> str:
    """Return the round constants as assembly, and a zero that ends them."""
    words: list[int] = []
    for constant in (*lanes.ROUND_CONSTANTS, 0):
        if interleaved:
            words += lanes.interleaved(constant)
        else:
            words += [constant & 0xFFFFFFFF, constant >> 32]
    return "".join(f"  .word {word:#010x}\n" for word in words)


class Permutation:
    """The whole permutation of the state at a0, as a loop of one round or two."""

    def __init__(self, function: Function, style: Style, table: str) -> None:
        """Prepare; ``table`` is the label of the round constants."""
        self.function, self.style, self.table = function, style, table
        self.isa = function.isa
        self.twice = len(style.orders) == 2
        self.copy = function.reserve(_BYTES)
        # A half of the next round constant is in a register; it is zero at the end only.
        self.tested = 1 if style.interleaved else 0
        pool = [reg for reg in FREELY_USABLE if reg != _STATE and (self.twice or reg != _COPY)]
        random.Random(style.shuffle).shuffle(pool)
        self.pool = tuple(pool)
        self.pointer, self.next, *rest = pool
        self.parity = dict(zip(PARITIES, rest, strict=False))
        self.held = dict(zip(style.held, rest[len(PARITIES) :], strict=False))

    def emit(self) -> None:
        """Write the body of the function."""
        function = self.function
        loop = function.new_label("round")
        function.line(f"  lla     {self.pointer}, {self.table}")
        function.extend(self._begin())
        function.load(self.pointer, 4 * self.tested, dst=self.next)
        if not self.twice:
            function.addi(SP, self.copy, dst=_COPY)
        function.label(loop)
        function.extend(self._turn())
        if not self.twice:
            for a, b in ((_STATE, _COPY), (_COPY, _STATE), (_STATE, _COPY)):
                function.xor(a, b, dst=a)
        function.branch("bnez", self.next, to=loop)
        self._finish()
        function.ret()

    def _allocate(
        self,
        code: Code,
        pool: Sequence[Reg],
        inputs: Mapping[Value, Reg],
        outputs: Mapping[Value, Reg],
        homes: Mapping[Value, tuple[Reg, int]],
    ) -> list[Insn]:
        function = self.function
        allocation = allocate(
            code.insns,
            pool,
            word=4,
            inputs=inputs,
            outputs=outputs,
            spill_offset=function.frame,
            homes=homes,
            ahead=self.style.ahead,
            store_cost=_STORE_COST,
        )
        function.reserve(allocation.spill_bytes)
        return allocation.insns

    def _begin(self) -> list[Insn]:
        """Load the state, complement some lanes, compute the parities."""
        code = Code(self.isa)
        sums: dict[Word, Operand] = {}
        held: dict[Word, Operand] = {}
        homes: dict[Value, tuple[Reg, int]] = {}
        for lane, half in WORDS:
            value = Value()
            homes[value] = (_STATE, _offset((lane, half)))
            word: Operand = value
            if lane in complemented(self.isa):
                word = code.not_(word)
                code.store(word, _STATE, _offset((lane, half)))
            if (lane, half) in self.held:
                held[lane, half] = word
            column = (lane % 5, half)
            sums[column] = code.xor(sums[column], word) if column in sums else word
        outputs = _pinned(sums, self.parity) | _pinned(held, self.held)
        pool = [reg for reg in self.pool if reg != self.pointer]
        return self._allocate(code, pool, {}, outputs, homes)

    def _turn(self) -> list[Insn]:
        """Return the loop's body; it leaves the next constant for the branch."""
        code = Code(self.isa)
        pointer, first = Value(), Value()
        parity: dict[Word, Operand] = {column: Value() for column in self.parity}
        state: dict[Word, Operand] = {word: Value() for word in WORDS}
        inputs = _pinned(parity, self.parity) | _pinned(state, self.held)
        inputs |= {pointer: self.pointer, first: self.next}
        homes = {_value(value): (_STATE, _offset(word)) for word, value in state.items()}
        for value in inputs:
            homes.pop(value, None)
        for number, order in enumerate(self.style.orders):
            result: dict[Word, Operand] = {}
            last = number == len(self.style.orders) - 1

            def keep(
                word: Word, value: Operand, last: bool = last, result: dict[Word, Operand] = result
            ) -> None:
                if not last or word in self.held:
                    result[word] = value
                else:
                    code.store(value, _STATE if self.twice else _COPY, _offset(word))

            def constant(half: int, number: int = number) -> Operand:
                if number == 0 and half == self.tested:
                    return first
                return code.load(pointer, 8 * number + 4 * half)

            parity = Round(
                code, self.style.interleaved, order, state.__getitem__, keep, constant
            ).run(parity)
            state = result
            if not last:
                for word, operand in state.items():
                    homes[_value(operand)] = (SP, self.copy + _offset(word))
        step = 8 * len(self.style.orders)
        ends = {
            _value(code.load(pointer, step + 4 * self.tested)): self.next,
            _value(code.addi(pointer, step)): self.pointer,
        }
        outputs = _pinned(parity, self.parity) | _pinned(state, self.held) | ends
        return self._allocate(code, self.pool, inputs, outputs, homes)

    def _finish(self) -> None:
        """Bring the state to memory as it shall be."""
        function = self.function
        for word, reg in self.held.items():
            function.store(reg, _STATE, _offset(word))
        free = itertools.cycle(T)
        for lane in sorted(complemented(self.isa)):
            for half in range(2):
                reg, place = next(free), _offset((lane, half))
                function.load(_STATE, place, dst=reg)
                function.store(function.not_(reg, dst=reg), _STATE, place)
