"""When instructions issue and end: the one description of time, for simulator and scheduler.

An instruction issues in one cycle at the earliest one cycle behind the one before it; operations of
the ALU write a cycle later. A multiplication selects the limbs of its products in the cycles behind
its issue, and writes ``drain`` cycles behind the last of them. Who needs its result issues in the
cycle in which it is written, or later. Its write takes the ALU's place for a cycle. A row that the
digit says is read two cycles behind what makes the digit.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from cryptile.pka.isa import Width, Word


@dataclass
class Pending:
    """A multiplication that has not written yet."""

    rows: range
    written: int
    """The cycle in which the last of them is written."""


@dataclass
class Clock:
    """The state of the machine's timing."""

    width: Width

    now: int = 0
    """The first cycle in which the next instruction can issue."""

    free: int = 0
    """The first cycle in which the next multiplication can issue."""

    pending: list[Pending] = field(default_factory=list)
    digit: int = 0
    """The first cycle in which an instruction can issue whose row the digit says."""

    taken: set[int] = field(default_factory=set)
    """Cycles in which no operation of the ALU can issue."""

    def earliest(self, word: Word) -> int:
        """Return the first cycle in which an instruction could issue if it came next."""
        unit, issue = word.insn.unit, self.now
        if unit == "mul" and issue < self.free:
            issue = self.free
        if word.name == "get" and issue < self.digit:
            issue = self.digit
        for item in self.pending:
            if item.written <= issue:
                continue
            if word.name in ("halt", "mod") or not word.touched.isdisjoint(item.rows):
                issue = item.written
        while unit == "alu" and issue in self.taken:
            issue += 1
        return issue

    def issue(self, word: Word) -> int:
        """Let an instruction issue; return in which cycle it did."""
        cycle = self.earliest(word)
        self.now = cycle + 1
        if "digit" in word.insn.to:
            self.digit = cycle + 2
        if word.name == "rnd":
            self.now = _after(cycle + 1, {item + 1 for item in self.taken}) + 1
        if word.insn.unit == "mul":
            self.free = cycle + self.width.selecting[word.name]
            end = self.free + self.width.drain
            self.pending = [item for item in self.pending if item.written > cycle]
            self.pending.append(Pending(word.written, end))
            self.taken = {item for item in self.taken if item >= cycle} | {end - 1}
            if len(word.written) > 1:
                self.taken.add(cycle + self.width.low_row[word.name] + self.width.drain - 1)
        return cycle


def written(word: Word, cycle: int, clock: Clock) -> dict[int, int]:
    """Return in which cycle each row is written by an instruction that has just issued."""
    if not word.insn.writes:
        return {}
    if word.name == "rnd":
        return {word.d: clock.now - 1}
    if word.insn.unit == "alu":
        return {word.d: cycle + 1}
    width, end = clock.width, cycle + clock.width.drain
    rows = {row: end + width.selecting[word.name] for row in word.written}
    if len(rows) > 1:
        rows[word.written[0]] = end + width.low_row[word.name]
    return rows


def _after(cycle: int, taken: Collection[int]) -> int:
    """Return the first cycle from one on that is not taken."""
    while cycle in taken:
        cycle += 1
    return cycle
