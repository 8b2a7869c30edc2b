"""Values of nets as forms: sums modulo 2 of terms, which are variables and products of two forms.

A form is a number, one for each set of terms, the constant beside it: an odd form is the even one
below it, inverted. So equal sums are equal numbers, and codes and parities need no search. A term
is the form of itself alone. What a form is made of has smaller numbers. Products fold where a
factor is constant or both are the same or opposite.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import reduce
from typing import Any

ZERO, ONE = 0, 1

UNKNOWN = "?"
"""Begins the kinds of gates of which nothing is known but that they are functions."""

_PRODUCTS = {
    "and": (0, 0, 0),
    "nand": (0, 0, 1),
    "or": (1, 1, 1),
    "nor": (1, 1, 0),
    "andnot": (0, 1, 0),
    "ornot": (1, 0, 1),
}
"""Which factors a gate inverts, and whether the product."""


class Forms:
    """The forms that exist.

    Attributes:
        factors: the two factors of each term that is a product.
        summands: two forms that a sum was first made of, without constants.
    """

    def __init__(self) -> None:
        """Start with the constants alone."""
        self.factors: dict[int, tuple[int, int]] = {}
        self.summands: dict[int, tuple[int, int]] = {}
        self._terms: list[frozenset[int]] = []
        self._forms: dict[frozenset[int], int] = {}
        self._products: dict[tuple[int, int], int] = {}
        self._sums: dict[tuple[int, int], int] = {}
        self._unknown: dict[tuple[str, tuple[int, ...]], int] = {}
        self._form(frozenset())

    def variable(self) -> int:
        """Return a new variable."""
        return self._form(frozenset((2 * len(self._terms),)))

    def terms(self, form: int) -> frozenset[int]:
        """Return the terms of a form."""
        return self._terms[form >> 1]

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
            found = self._products[a, b] = self.variable()
            self.factors[found] = a, b
        return found

    def sum(self, a: int, b: int) -> int:
        """Add two forms and remember how: a search is easier along the gates of the netlist."""
        inverted = (a ^ b) & 1
        a, b = a & ~1, b & ~1
        if a > b:
            a, b = b, a
        if a in (b, ZERO):
            return (a ^ b) | inverted
        found = self._sums.get((a, b))
        if found is None:
            found = self._sums[a, b] = self._form(self._terms[a >> 1] ^ self._terms[b >> 1])
            if b < found:
                self.summands.setdefault(found, (a, b))
        return found | inverted

    def total(self, forms: Iterable[int]) -> int:
        """Add forms, and do not remember how: what cancels out is better not looked at."""
        terms: set[int] = set()
        inverted = 0
        for form in forms:
            terms ^= self._terms[form >> 1]
            inverted ^= form & 1
        return self._form(frozenset(terms)) | inverted

    def any(self, forms: Iterable[int]) -> int:
        """Return whether one of some forms is one."""
        return reduce(lambda a, b: self.gate("or", [a, b]), forms, ZERO)

    def unknown(self, function: str, values: Iterable[int]) -> int:
        """Return what a function of which nothing is known gives: the same for the same values."""
        key = function, tuple(values)
        if key not in self._unknown:
            self._unknown[key] = self.variable()
        return self._unknown[key]

    def gate(self, kind: str, values: list[int]) -> int:
        """Return the output of a gate (see ``cryptile.netlist.gates``).

        Raises:
            KeyError: there is none of that kind.
        """
        a = values[0]
        match kind:
            case "buf":
                return a
            case "not":
                return a ^ 1
            case "xor":
                return self.sum(a, values[1])
            case "xnor":
                return self.sum(a, values[1]) ^ 1
            case "mux":
                return self.sum(a, self.product(values[2], self.sum(a, values[1])))
        if kind.startswith(UNKNOWN):
            return self.unknown(kind, values)
        first, second, product = _PRODUCTS[kind]
        return self.product(a ^ first, values[1] ^ second) ^ product

    def made_of(self) -> list[tuple[int, list[int]]]:
        """Return all terms that are made of forms, oldest first, with these."""
        made = {term: list(factors) for term, factors in self.factors.items()}
        made |= {term: list(values) for (_, values), term in self._unknown.items()}
        return sorted(made.items())

    def support(self, form: int) -> set[int]:
        """Return the variables that a form depends on."""
        found: set[int] = set()
        seen: set[int] = set()
        waiting = list(self.terms(form))
        while waiting:
            term = waiting.pop()
            if term in seen:
                continue
            seen.add(term)
            if term in self.factors:
                for factor in self.factors[term]:
                    waiting += self.terms(factor)
            else:
                found.add(term)
        return found

    def mark(self) -> tuple[int, ...]:
        """Return a mark that ``forget`` goes back to."""
        return len(self._terms), *map(len, self._made())

    def forget(self, mark: tuple[int, ...]) -> None:
        """Drop all forms made since a mark: their numbers are given again, to other ones.

        So nothing may keep them, no search that was asked of them either.
        """
        for terms in self._terms[mark[0] :]:
            del self._forms[terms]
        del self._terms[mark[0] :]
        # What is youngest stands last.
        for made, count in zip(self._made(), mark[1:], strict=True):
            for _ in range(len(made) - count):
                made.popitem()

    def collected(self, form: int) -> int:
        """Take common factors out, as long as what is left of some product is constant."""
        while True:
            for factor, uses in self._uses(form).items():
                rest = self.total(other for _, other in uses)
                if rest in (ZERO, ONE):
                    taken = [term for term, _ in uses]
                    form = self.total([form, *taken, factor if rest else ZERO])
                    break
            else:
                return form

    def factored(self, form: int, levels: int = 64) -> int:
        """Take common factors out of a form and of what is left of it: for words behind muxes.

        What is left of as many factors in each other as there are ``levels`` stays as it is.
        """
        while True:
            uses = self._uses(form)
            factor = max(uses, key=lambda one: len(uses[one]), default=ZERO)
            if not uses or not levels:
                return form
            # Of one factor, all is taken out at once: what is left has fewer products.
            taken = [term for term, _ in uses[factor]]
            rest = self.total(other for _, other in uses[factor])
            product = self.product(factor, self.factored(rest, levels - 1))
            form = self.total([form, *taken, product])

    def _form(self, terms: frozenset[int]) -> int:
        """Return the even form of some terms."""
        found = self._forms.get(terms)
        if found is None:
            found = self._forms[terms] = 2 * len(self._terms)
            self._terms.append(terms)
        return found

    def _made(self) -> tuple[dict[Any, Any], ...]:
        return self.factors, self.summands, self._products, self._sums, self._unknown

    def _uses(self, form: int) -> dict[int, list[tuple[int, int]]]:
        """Return the factors of more than one term of a form: the terms, and the other factors."""
        uses: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for term in sorted(self.terms(form)):
            if term in self.factors:
                a, b = self.factors[term]
                uses[a].append((term, b))
                uses[b].append((term, a))
        return {factor: found for factor, found in uses.items() if len(found) > 1}
