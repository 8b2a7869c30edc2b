"""Search by SAT for values of variables that make a form one."""

from functools import reduce

from pysat.solvers import Solver

from cryptile.errors import CryptileError
from cryptile.prove.forms import ONE, ZERO, Forms

MOST_CONFLICTS = 2_000_000
"""Of the solver, in one question: half a minute."""

_LONG = range(16, 257)
"""Terms of a form of which factors are worth to be taken out."""

_LEVELS = 8
"""Of factors in each other: each may double the time that it takes."""


class UndecidedError(CryptileError):
    """A question took too long: it says nothing, neither yes nor no."""


class Search:
    """An incremental solver that learns the forms it is asked about."""

    def __init__(self, forms: Forms) -> None:
        """Start with no form known."""
        self._forms = forms
        self._solver = Solver(name="cadical153")
        self._literals: dict[int, int] = {}
        self._known: dict[tuple[int, ...], bool] = {}
        self._fresh = 0
        self._one = self._variable()
        self._solver.add_clause([self._one])
        self.calls = 0

    def possible(self, *forms: int) -> bool:
        """Say whether all the forms can be one together.

        Raises:
            UndecidedError: the solver gave up.
        """
        wanted = [form for form in forms if form != ONE]
        if ZERO in wanted or any(form ^ ONE in wanted for form in wanted):
            return False
        key = tuple(sorted(set(wanted)))
        if key not in self._known:
            self.calls += 1
            literals = [self._literal(form) for form in key]
            self._solver.conf_budget(MOST_CONFLICTS)
            answer = self._solver.solve_limited(assumptions=literals)
            if answer is None:
                raise UndecidedError(f"undecided after {MOST_CONFLICTS:,} conflicts of a search")
            self._known[key] = bool(answer)
        return self._known[key]

    def require(self, form: int) -> None:
        """Ask only about values for which a form is one from now on."""
        self._solver.add_clause([self._literal(form)])

    def equal(self, a: int, b: int) -> bool:
        """Say whether two forms are equal for all values of the variables."""
        if a == b:
            return True
        difference = self._forms.collected(self._forms.total([a, b]))
        return not self.possible(self._short(difference))

    def _short(self, form: int) -> int:
        """Take factors out of a form if that makes it short.

        Parities of words behind multiplexers take the solver up to minutes as they are. Sums of
        carries it finds easier along the gates.
        """
        if len(self._forms.terms(form)) not in _LONG:
            return form
        mark = self._forms.mark()
        short = self._forms.factored(form, _LEVELS)
        if len(self._forms.terms(short)) > 1:
            self._forms.forget(mark)
            return form
        return short

    def _variable(self) -> int:
        self._fresh += 1
        return self._fresh

    def _literal(self, form: int) -> int:
        """Return the solver's literal of a form; products below it are encoded on the way."""
        if form & 1:
            return -self._literal(form ^ ONE)
        if form == ZERO:
            return -self._one
        literals = self._literals
        if form in literals:
            return literals[form]
        waiting: list[tuple[int, list[int], list[int]]] = [(form, self._parts(form), [])]
        while waiting:
            top, parts, found = waiting[-1]
            while parts:
                part = parts.pop()
                literal = literals.get(part)
                if literal is None:
                    waiting.append((part, self._parts(part), []))
                    break
                found.append(literal)
            else:
                waiting.pop()
                literals[top] = literal = self._encode(top, found[::-1])
                if waiting:
                    waiting[-1][2].append(literal)
        return literals[form]

    def _parts(self, form: int) -> list[int]:
        """Return the even forms that must have a literal before this one."""
        terms = self._forms.terms(form)
        if len(terms) == 1:
            return [factor & ~1 for factor in self._forms.factors.get(form, ())]
        summands = self._forms.summands.get(form, ())
        # What cancels out, such as the parity of a codeword, is better not looked at.
        longest = max((len(self._forms.terms(part)) for part in summands), default=0)
        return list(summands) if 0 < longest < 2 * len(terms) else sorted(terms)

    def _encode(self, form: int, parts: list[int]) -> int:
        """Return a literal that is a form, for the literals of its parts."""
        if len(self._forms.terms(form)) > 1:
            return reduce(self._xor, parts)
        out = self._variable()
        factors = self._forms.factors.get(form)
        if factors:
            a, b = (
                -part if factor & 1 else part for factor, part in zip(factors, parts, strict=True)
            )
            for clause in ([-out, a], [-out, b], [out, -a, -b]):
                self._solver.add_clause(clause)
        return out

    def _xor(self, a: int, b: int) -> int:
        out = self._variable()
        for clause in ([-out, a, b], [-out, -a, -b], [out, -a, b], [out, a, -b]):
            self._solver.add_clause(clause)
        return out
