"""What the routines of Ascon have in common: the state in registers, and rounds on it."""

import random
from collections.abc import Sequence

from cryptile.asm.allocate import allocate
from cryptile.asm.code import Code, Insn, Operand, Reg, Value
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.ascon.rounds import Lane, hidden, multiplies, powers, round_

GENERATOR = "cryptile.asm.lib.ascon"


def variant(isa: Isa) -> str:
    """Return what tells the instruction sets apart here."""
    words = [f"rv{isa.xlen}", *["rotates"] * isa.rotates, *["products"] * multiplies(isa)]
    return " ".join([*words, *["zbkb"] * (isa.xlen == 32 and "zbkb" in isa)])


class Registers:
    """The state in registers.

    Attributes:
        pool: registers for the state and temporaries.
        lanes: the registers of each lane.
    """

    def __init__(self, function: Function, pool: Sequence[Reg], seed: int) -> None:
        """Choose registers; ``seed`` stands for orders of work that need no moves."""
        self.function = function
        factors = powers(function.isa)
        self.factors = dict(zip(factors, reversed(pool), strict=False))
        self.pool = list(pool[: len(pool) - len(factors)])
        self.seed = seed
        self.words = 64 // function.isa.xlen
        self.lanes = [self.pool[self.words * n : self.words * (n + 1)] for n in range(5)]

    def prepare(self) -> None:
        """Load what does not change."""
        for number, value in powers(self.function.isa).items():
            self.function.li(value, dst=self.factors[number])

    def load(self, base: Reg) -> None:
        """Load the state; ``base`` may be among its registers."""
        places = list(enumerate(reg for lane in self.lanes for reg in lane))
        for number, reg in sorted(places, key=lambda place: place[1] == base):
            self.function.load(base, number * self.function.isa.word, dst=reg)
        self._hide()

    def store(self, base: Reg) -> None:
        """Store the state."""
        self._hide()
        for number, reg in enumerate(reg for lane in self.lanes for reg in lane):
            self.function.store(reg, base, number * self.function.isa.word)

    def rounds(self, constants: Sequence[Sequence[int | Operand]]) -> None:
        """Emit rounds; see :func:`cryptile.asm.lib.ascon.rounds.round_`."""
        code = Code(self.function.isa)
        before: list[Lane] = [[Value() for _ in lane] for lane in self.lanes]
        after, orders = before, random.Random(self.seed)
        for constant in constants:
            after = round_(code, after, constant, orders.sample(range(5), 5), self.factors)
        self.function.extend(self.allocate(code, before, after))

    def allocate(self, code: Code, before: Sequence[Lane], after: Sequence[Lane]) -> list[Insn]:
        """Give registers to code that changes the first lanes."""
        allocation = allocate(
            code.insns,
            self.pool,
            word=self.function.isa.word,
            inputs=self._places(before),
            outputs=self._places(after),
        )
        if allocation.spill_bytes:
            raise ValueError("the rounds need more registers than there are")
        return allocation.insns

    def _places(self, lanes: Sequence[Lane]) -> dict[Value, Reg]:
        return {
            value: reg
            for lane, regs in zip(lanes, self.lanes, strict=True)
            for value, reg in zip(lane, regs, strict=True)
            if isinstance(value, Value)
        }

    def _hide(self) -> None:
        for lane in hidden(self.function.isa):
            for reg in self.lanes[lane]:
                self.function.not_(reg, dst=reg)
