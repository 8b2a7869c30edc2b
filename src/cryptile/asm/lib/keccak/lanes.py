"""The parts of Keccak-f[1600] that do not depend on the register width (FIPS 202, section 3.2)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

ROUNDS = 24

COMPLEMENTED = frozenset({1, 2, 8, 12, 17, 20})
"""Lanes that are kept complemented between rounds where there is no and-not: with them chi needs
one complement in each row instead of five (G. Bertoni et al., "Keccak implementation overview",
2012, section 2.2)."""


def _rotations() -> tuple[int, ...]:
    turns, x, y = [0] * 25, 1, 0
    for step in range(24):
        turns[x + 5 * y] = (step + 1) * (step + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return tuple(turns)


def _round_constants() -> tuple[int, ...]:
    constants, shift = [], 1
    for _ in range(ROUNDS):
        constant = 0
        for power in range(7):
            constant |= (shift & 1) << (2**power - 1)
            shift = (shift << 1) ^ (0x171 if shift & 0x80 else 0)
        constants.append(constant)
    return tuple(constants)


ROTATIONS = _rotations()
ROUND_CONSTANTS = _round_constants()


def origin(x: int, y: int) -> int:
    """Return the lane that rho and pi bring to (x, y)."""
    return (x + 3 * y) % 5 + 5 * x


def interleaved(value: int) -> tuple[int, int]:
    """Return the even bits and the odd bits of a lane."""
    even = sum((value >> 2 * n & 1) << n for n in range(32))
    return even, sum((value >> 2 * n + 1 & 1) << n for n in range(32))


@dataclass(frozen=True)
class Step:
    """One step of chi on a row; ``first`` and ``second`` are the lanes x + 1 and x + 2.

    Attributes:
        op: "and", "or", "andn": the term of lane x is second op first; "xor": lane x of the result
            is lane x and its term; "not": lane x is complemented in place.
        x: the lane.
        flipped: the operand of the term that is complemented before, for this step alone: 1, 2.
    """

    op: str
    x: int
    flipped: int = 0


@cache
def chi_steps(
    before: tuple[bool, ...], after: tuple[bool, ...], and_not: bool, in_place: bool
) -> tuple[Step, ...]:
    """Return the steps for a row, with as few complements as can be.

    Args:
        before: which lanes are complemented.
        after: which lanes of the result shall be.
        and_not: there is an instruction for ~a & b.
        in_place: the result overwrites the lane, with three terms waiting at most; otherwise each
            term is added at once and lanes keep their values.
    """
    search = _Chi(after, and_not, in_place)
    for complements in range(11):
        steps = search.go(_State(before, (None,) * 5), complements)
        if steps is not None:
            return steps
    raise AssertionError("ten complements suffice for every row")


@dataclass(frozen=True)
class _State:
    forms: tuple[bool, ...]
    """Which lanes are complemented."""
    terms: tuple[bool | None, ...]
    """Which terms are; None: not computed yet."""
    added: frozenset[int] = frozenset()
    """Lanes of the result that are there."""


@dataclass(frozen=True)
class _Chi:
    """The search behind :func:`chi_steps`."""

    after: tuple[bool, ...]
    and_not: bool
    in_place: bool

    @cache  # noqa: B019
    def go(self, state: _State, left: int) -> tuple[Step, ...] | None:
        """Return the steps from here with at most ``left`` complements, or None."""
        if len(state.added) == 5:
            return ()
        for step, then, cost in self._choices(state):
            rest = self.go(then, left - cost) if cost <= left else None
            if rest is not None:
                return (step, *rest)
        return None

    def _choices(self, state: _State) -> Iterator[tuple[Step, _State, int]]:
        """Yield what can be done next, and how many complements it costs."""
        forms, terms, added = state.forms, state.terms, state.added
        waiting = [x for x in range(5) if terms[x] is not None and x not in added]
        for x in waiting:
            read = terms[x - 1] is not None and terms[x - 2] is not None
            if (read or not self.in_place) and forms[x] ^ bool(terms[x]) == self.after[x]:
                yield Step("xor", x), replace(state, added=added | {x}), 0
        if len(waiting) < (3 if self.in_place else 1):
            for x in range(5):
                if terms[x] is None:
                    for op, form, flipped in self._terms(forms[(x + 1) % 5], forms[(x + 2) % 5]):
                        known = replace(state, terms=(*terms[:x], form, *terms[x + 1 :]))
                        yield Step(op, x, flipped), known, int(flipped != 0)
        for x in range(5):
            if x not in added or not self.in_place:
                turned = (*forms[:x], not forms[x], *forms[x + 1 :])
                yield Step("not", x), replace(state, forms=turned), 1

    def _terms(self, first: bool, second: bool) -> list[tuple[str, bool, int]]:
        """Return the ways to ~first & second: instruction, whether complemented, what to flip."""
        if self.and_not:
            return [("andn", False, 0)]
        # From ~first and second as they are, or by ~(first | ~second).
        if first != second:
            return [("or" if second else "and", second, 0)]
        return [("or" if second else "and", second, 1), ("and" if second else "or", not second, 2)]


def complemented_rows(complemented: frozenset[int]) -> list[tuple[bool, ...]]:
    """Return for each row before chi which of its lanes are complemented."""
    parity = [sum(x + 5 * y in complemented for y in range(5)) % 2 for x in range(5)]
    effect = [parity[x - 1] ^ parity[(x + 1) % 5] for x in range(5)]
    return [
        tuple(
            bool(effect[lane % 5]) ^ (lane in complemented)
            for lane in (origin(x, y) for x in range(5))
        )
        for y in range(5)
    ]
