"""Values of nets as forms: sums modulo 2 of variables and of products of two other forms.

A form is an integer: bit 0 is the constant, every other bit a variable or a product. Sums are
canonical, so codes and parities need no search: equal sums are equal numbers. Products fold where a
factor is constant or both are the same or opposite.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

ZERO, ONE = 0, 1

_NOTHING = ZERO, ZERO

UNKNOWN = "?"
"""Begins the kinds of gates of which nothing is known but that they are functions."""


@dataclass
class Forms:
    """The variables and products that exist.

    Attributes:
        factors: the two factors of each product, by its bit.
        summands: two older forms that each sum was first made of, all without constants.
    """

    factors: dict[int, tuple[int, int]] = field(default_factory=dict)
    summands: dict[int, tuple[int, int]] = field(default_factory=dict)
    _products: dict[tuple[int, int], int] = field(default_factory=dict)
    _unknown: dict[tuple[str, tuple[int, ...]], int] = field(default_factory=dict)
    _next: int = 1

    def variable(self) -> int:
        """Return a new variable."""
        self._next += 1
        return 1 << (self._next - 1)

    def product(self, a: int, b: int) -> int:
        """Multiply two forms."""
        if a > b:
            a, b = b, a
        if a == ZERO or a ^ b == ONE:
            return ZERO
        if a in (ONE, b):
            return b
        found = self._products.get((a, b))
        if found is None:
            found = self.variable()
            self._products[a, b] = found
            self.factors[found.bit_length() - 1] = (a, b)
            self._is_old(a)
            self._is_old(b)
        return found

    def sum(self, a: int, b: int) -> int:
        """Add two forms and remember how: a search is easier along the gates of the netlist."""
        result = a ^ b
        even, summands = result & ~1, self.summands
        # Most of the time of a proof is spent here, and most of that on what long numbers hash to.
        if even in summands or not even & (even - 1):
            return result
        a, b = a & ~1, b & ~1
        self._is_old(a)
        self._is_old(b)
        summands.setdefault(even, (a, b))  # where one is zero the other is the sum, and old
        return result

    def unknown(self, function: str, values: Iterable[int]) -> int:
        """Return what a function of which nothing is known gives: the same for the same values."""
        key = function, tuple(values)
        if key not in self._unknown:
            self._unknown[key] = self.variable()
        return self._unknown[key]

    def _is_old(self, form: int) -> None:
        """Let a form never be made of what comes later: it would depend on itself."""
        if form.bit_count() > 1:
            self.summands.setdefault(form & ~1, _NOTHING)

    def gate(self, kind: str, values: list[int]) -> int:
        """Return the output of a gate (see ``cryptile.netlist.gates``)."""
        a = values[0]
        if kind == "buf":
            return a
        if kind == "not":
            return a ^ 1
        if kind.startswith(UNKNOWN):
            return self.unknown(kind, values)
        b = values[1]
        match kind:
            case "xor":
                return self.sum(a, b)
            case "xnor":
                return self.sum(a, b) ^ 1
            case "and":
                return self.product(a, b)
            case "nand":
                return self.product(a, b) ^ 1
            case "or":
                return self.product(a ^ 1, b ^ 1) ^ 1
            case "nor":
                return self.product(a ^ 1, b ^ 1)
            case "andnot":
                return self.product(a, b ^ 1)
            case "ornot":
                return self.product(a ^ 1, b) ^ 1
            case "mux":
                return self.sum(a, self.product(values[2], self.sum(a, b)))
        raise ValueError(kind)

    def made_of(self) -> list[tuple[int, int]]:
        """Return all that is made of other forms, oldest first: its bit, and all of theirs."""
        made = {bit: first | second for bit, (first, second) in self.factors.items()}
        for (_, values), form in self._unknown.items():
            made[form.bit_length() - 1] = reduce(or_, values, 0)
        return sorted(made.items())

    def support(self, form: int) -> set[int]:
        """Return the bits of the variables that a form depends on."""
        found: set[int] = set()
        seen: set[int] = set()
        waiting = bits(form)
        while waiting:
            bit = waiting.pop()
            if bit in seen:
                continue
            seen.add(bit)
            if bit in self.factors:
                for factor in self.factors[bit]:
                    waiting += bits(factor)
            else:
                found.add(bit)
        return found

    def value(self, form: int, values: Mapping[int, int]) -> int:
        """Return the value of a form for given values of its variables, by bit."""
        result = form & 1
        for bit in bits(form):
            if bit in self.factors:
                a, b = self.factors[bit]
                result ^= self.value(a, values) & self.value(b, values)
            else:
                result ^= values[bit]
        return result

    def mark(self) -> tuple[int, int]:
        """Return a mark that ``forget`` goes back to."""
        return self._next, len(self.summands)

    def forget(self, mark: tuple[int, int]) -> None:
        """Drop all variables and products made since a mark; what is youngest stands last."""
        self._next, count = mark
        while self.factors and next(reversed(self.factors)) >= self._next:
            self.factors.popitem()
        _shorten(self._products, self._next)
        _shorten(self._unknown, self._next)
        # All of them: some, without what they stand on, could be made of themselves later.
        for _ in range(len(self.summands) - count):
            self.summands.popitem()

    def collected(self, form: int) -> int:
        """Take common factors out, as long as what is left of some product is constant."""
        while True:
            others: dict[int, int] = defaultdict(int)
            used: dict[int, int] = defaultdict(int)
            for bit in bits(form):
                for factor, other in self._sides(bit):
                    others[factor] ^= other
                    used[factor] ^= 1 << bit
            for factor, other in others.items():
                if other in (ZERO, ONE):
                    form ^= used[factor] ^ (factor if other else ZERO)
                    break
            else:
                return form

    def factored(self, form: int, levels: int = 64) -> int:
        """Take common factors out of a form and of what is left of it: for words behind muxes.

        What is left of as many factors in each other as there are ``levels`` stays as it is.
        """
        while True:
            uses: dict[int, list[tuple[int, int]]] = defaultdict(list)
            for bit in bits(form):
                for factor, other in self._sides(bit):
                    uses[factor].append((bit, other))
            factor = max(uses, key=lambda one: len(uses[one]), default=ZERO)
            if len(uses[factor]) < 2 or not levels:
                return form
            rest = ZERO
            for bit, other in uses[factor]:
                form ^= 1 << bit
                rest ^= other
            # Of one factor, all is taken out at once: what is left has fewer products.
            form ^= self.product(factor, self.factored(rest, levels - 1))

    def _sides(self, bit: int) -> list[tuple[int, int]]:
        if bit not in self.factors:
            return []
        a, b = self.factors[bit]
        return [(a, b), (b, a)]


def _shorten(made: dict[Any, int], end: int) -> None:
    """Drop the youngest, whose bits are not below an end."""
    while made and made[next(reversed(made))].bit_length() > end:
        made.popitem()


def bits(form: int) -> list[int]:
    """List the bits of a form but for the constant."""
    found = []
    form &= ~1
    while form:
        low = form & -form
        found.append(low.bit_length() - 1)
        form ^= low
    return found
