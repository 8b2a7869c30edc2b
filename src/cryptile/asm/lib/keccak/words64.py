"""Keccak-f[1600] on 64-bit registers: 25 lanes in registers of their own.

After four rounds every lane is back in its register: the lane (x, y) of the state before round n is
where (x, 2^n y + (2^n - 1) x) was at first, so that the result of a row goes to the registers that
it came from (G. Bertoni et al., "Keccak implementation overview", 2012, section 2.5). A loop of
fewer rounds ends in moves. Rho moves the lanes within their row; it costs nothing, as a rotate has
a destination of its own. The three registers that remain are too few for theta: two lanes wait on
the stack meanwhile.
"""

from collections.abc import Sequence

from cryptile.asm.code import FREELY_USABLE, SP, A, Reg
from cryptile.asm.function import Function
from cryptile.asm.lib.keccak import lanes

METHOD = (
    "A loop of {rounds}; 25 lanes in registers, in place (G. Bertoni et al., Keccak implementation "
    "overview, 2012, sections 2.2 and 2.5); two of them wait on the stack during theta."
)

_LANES = FREELY_USABLE[:25]
_TEMPORARIES = FREELY_USABLE[25:]


def constants() -> str:
    """Return the round constants as assembly."""
    return "".join(f"  .dword {constant:#018x}\n" for constant in lanes.ROUND_CONSTANTS)


def _place(lane: int, number: int) -> Reg:
    """Return the register of a lane of the state before round ``number``."""
    x, y = lane % 5, lane // 5
    for _ in range(number % 4):
        y = (x + 2 * y) % 5
    return _LANES[x + 5 * y]


class Permutation:
    """The whole permutation of the state at a0, as a loop of ``rounds`` rounds."""

    def __init__(self, function: Function, rounds: int, table: str) -> None:
        """Prepare; ``rounds`` divides 24, ``table`` is the label of the round constants."""
        self.function, self.rounds, self.table = function, rounds, table
        self.state, self.constant, self.end = (function.reserve(8) for _ in range(3))
        self.waiting = [function.reserve(8) for _ in range(2)]
        self.complemented = frozenset() if function.isa.rotates else lanes.COMPLEMENTED

    def emit(self) -> None:
        """Write the body of the function."""
        function = self.function
        loop = function.new_label("rounds")
        state, pointer = A[0], _TEMPORARIES[0]
        function.line(f"  lla     {pointer}, {self.table}")
        function.store(state, SP, self.state)
        function.store(pointer, SP, self.constant)
        function.store(function.addi(pointer, 8 * lanes.ROUNDS, dst=pointer), SP, self.end)
        for lane in sorted(range(25), key=lambda n: _LANES[n] == state):
            function.load(state, 8 * lane, dst=_LANES[lane])
        self._complement()
        function.label(loop)
        for number in range(self.rounds):
            self._round(number)
        self._bring_back()
        pointer, end, _ = _TEMPORARIES
        function.load(SP, self.constant, dst=pointer)
        function.load(SP, self.end, dst=end)
        function.addi(pointer, 8 * self.rounds, dst=pointer)
        function.store(pointer, SP, self.constant)
        function.branch("bne", pointer, end, to=loop)
        self._complement()
        function.load(SP, self.state, dst=pointer)
        for lane in range(25):
            function.store(_LANES[lane], pointer, 8 * lane)
        function.ret()

    def _bring_back(self) -> None:
        """Move the lanes to where they were at the beginning of the loop."""
        sources = {_LANES[lane]: _place(lane, self.rounds) for lane in range(25)}
        tmp = _TEMPORARIES[0]
        for first in _LANES:
            if sources[first] == first:
                continue
            self.function.mv(first, dst=tmp)
            target = first
            while sources[target] != first:
                self.function.mv(sources[target], dst=target)
                sources[target], target = target, sources[target]
            self.function.mv(tmp, dst=target)
            sources[target] = target

    def _complement(self) -> None:
        for lane in sorted(self.complemented):
            self.function.not_(_LANES[lane], dst=_LANES[lane])

    def _round(self, number: int) -> None:
        columns = [[_place(x + 5 * y, number) for y in range(5)] for x in range(5)]
        if self.function.isa.rotates:
            self._theta(columns)
        else:
            self._theta_by_shifts(columns)
        for y in range(4):
            self._row(y, number)
        # Iota, here because the next row can begin without this register.
        lane, constant = _place(0, number + 1), _TEMPORARIES[2]
        self.function.load(SP, self.constant, dst=constant)
        self.function.load(constant, 8 * number, dst=constant)
        self.function.xor(lane, constant, dst=lane)
        self._row(4, number)

    def _sum(self, column: list[Reg], dst: Reg) -> None:
        self.function.xor(column[0], column[1], dst=dst)
        self._add(dst, column[2:])

    def _add(self, dst: Reg, column: list[Reg]) -> None:
        for lane in column:
            self.function.xor(dst, lane, dst=dst)

    def _apply(self, effect: Reg, column: list[Reg]) -> None:
        for lane in column:
            self.function.xor(lane, effect, dst=lane)

    def _theta(self, columns: list[list[Reg]]) -> None:
        """Add to each column the parities of its neighbours, the right one rotated.

        A column's parity is taken before the column changes; the order needs five registers.
        """
        function = self.function
        function.step("theta")
        c0, c4, c1 = _TEMPORARIES
        for parity, x in ((c0, 0), (c4, 4), (c1, 1)):
            self._sum(columns[x], parity)
        c3, c2 = columns[1][3:]
        for reg, place in zip((c3, c2), self.waiting, strict=True):
            function.store(reg, SP, place)
        function.xor(function.rotl(c1, 1, dst=c3), c4, dst=c3)
        self._apply(c3, columns[0])
        self._sum(columns[3], c3)
        function.xor(function.rotl(c0, 1, dst=c2), c3, dst=c2)
        self._apply(c2, columns[4])
        self._sum(columns[2], c2)
        function.xor(function.rotl(c3, 1, dst=c3), c1, dst=c1)
        self._apply(c1, columns[2])
        function.load(SP, self.waiting[0], dst=c3)
        function.xor(function.rotl(c2, 1, dst=c1), c0, dst=c1)
        function.xor(function.rotl(c4, 1, dst=c4), c2, dst=c4)
        function.load(SP, self.waiting[1], dst=c2)
        self._apply(c4, columns[3])
        self._apply(c1, columns[1])

    def _theta_by_shifts(self, columns: list[list[Reg]]) -> None:
        """Do the same in another order, as a rotate needs a register more.

        The parity of column 2 is recovered from the column after its change.
        """
        function = self.function
        function.step("theta")
        c0, c4, c1 = _TEMPORARIES
        for parity, x in ((c0, 0), (c4, 4), (c1, 1)):
            self._sum(columns[x], parity)
        c3, tmp = columns[1][3:]
        for reg, place in zip((c3, tmp), self.waiting, strict=True):
            function.store(reg, SP, place)
        function.xor(c4, function.slli(c1, 1, dst=c3), dst=c3)
        function.xor(c3, function.srli(c1, 63, dst=tmp), dst=c3)
        self._apply(c3, columns[0])
        self._sum(columns[3], c3)
        self._apply(self._add_rotated(c1, c3, tmp), columns[2])
        c2 = c1
        self._add(c2, columns[2])
        self._apply(self._add_rotated(c3, c0, tmp), columns[4])
        function.load(SP, self.waiting[0], dst=c3)
        effect = self._add_rotated(c0, c2, tmp)
        self._apply(self._add_rotated(c2, c4, tmp), columns[3])
        function.load(SP, self.waiting[1], dst=tmp)
        self._apply(effect, columns[1])

    def _add_rotated(self, dst: Reg, source: Reg, tmp: Reg) -> Reg:
        function = self.function
        function.xor(dst, function.slli(source, 1, dst=tmp), dst=dst)
        function.xor(dst, function.srli(source, 63, dst=tmp), dst=dst)
        return dst

    def _row(self, y: int, number: int) -> None:
        """Rho, pi and chi of one row of the result."""
        function = self.function
        function.step(f"rho, pi and chi: row {y}")
        before = lanes.complemented_rows(self.complemented)[y]
        after = tuple(x + 5 * y in self.complemented for x in range(5))
        steps = lanes.chi_steps(before, after, function.isa.rotates, in_place=True)
        sources = [lanes.origin(x, y) for x in range(5)]
        homes = [_place(lane, number) for lane in sources]
        ends = [_place(x + 5 * y, number + 1) for x in range(5)]
        row, free = list(ends), list(_TEMPORARIES)
        turns = [lanes.ROTATIONS[lane] for lane in sources]
        if ends == homes:
            for x in range(5):
                function.rotl(row[x], turns[x], dst=row[x], tmp=free[0])
        else:
            first = x = _waits(steps)
            row[x] = free.pop(0)
            function.rotl(homes[x], turns[x], dst=row[x], tmp=free[0])
            while (x := ends.index(homes[x])) != first:
                function.rotl(homes[x], turns[x], dst=row[x], tmp=free[0])
        terms: dict[int, Reg] = {}
        for step in steps:
            x = step.x
            if step.op == "xor":
                function.xor(row[x], terms[x], dst=ends[x])
                free.append(terms[x] if row[x] == ends[x] else row[x])
            elif step.op == "not":
                function.not_(row[x], dst=row[x])
            else:
                terms[x] = free.pop(0) if row[x] == ends[x] else ends[x]
                pair = [row[(x + n) % 5] for n in (1, 2)]
                if step.flipped:
                    function.not_(pair[step.flipped - 1], dst=terms[x])
                    pair[step.flipped - 1] = terms[x]
                function.emit(step.op, pair[1], pair[0], dst=terms[x])


def _waits(steps: Sequence[lanes.Step]) -> int:
    """Return the lane that can be away from its place, where its term goes meanwhile.

    Two registers must be enough for the other terms.
    """
    for lane in range(5):
        free = least = 2
        for step in steps:
            if step.op == "xor":
                free += 1
            elif step.op != "not" and step.x != lane:
                free -= 1
            least = min(least, free)
        if least >= 0:
            return lane
    raise AssertionError("a row needs more registers than there are")
