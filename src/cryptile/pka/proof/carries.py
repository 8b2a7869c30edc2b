"""An argument about all inputs of RSA's programs: no sum of several rows loses a carry.

Rows are polynomials in what nobody knows more of than its range: inputs, rows of products, rows of
sums. A chain of sums makes rows of which one knows together what they are: the sum, but for its
carry. If that is not asked for, it is shown here that it is none: that what the rows stand for is
no less than zero, and below what they hold. For that a sum's rows are replaced by what it is, back
to the inputs, or left as rows, whichever tells more. Carries that masks are made of are looked at
one way and the other.

What is known besides stands here once: B friendly = k m + 1, the lowest row of q m when q is
-u / m, and what squares and products of differences are. Single rows are numbers modulo B.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from cryptile.pka.builder import Image
from cryptile.pka.isa import WIDTH512, Word, isa
from cryptile.pka.programs import rsa

B = WIDTH512.most + 1
CARRY = isa().choices["carry"].code

Monomial = tuple[int, ...]
Terms = dict[Monomial, Fraction]
Cases = dict[int, int]


class CarryError(AssertionError):
    """A carry may be lost."""


def constant(value: int) -> Terms:
    """Return a number that is known."""
    return {(): Fraction(value)} if value else {}


def atom(number: int) -> Terms:
    """Return a number of which only the range is known."""
    return {(number,): Fraction(1)}


def plus(a: Terms, b: Terms, factor: Fraction | int = 1) -> Terms:
    """Return a + factor b."""
    found = dict(a)
    for key, value in b.items():
        found[key] = found.get(key, Fraction(0)) + factor * value
        if not found[key]:
            del found[key]
    return found


def times(a: Terms, b: Terms) -> Terms:
    """Return a b."""
    found: Terms = {}
    for (one, x), (other, y) in itertools.product(a.items(), b.items()):
        found = plus(found, {tuple(sorted(one + other)): x * y})
    return found


class Group(NamedTuple):
    """Rows that are a number together."""

    rows: tuple[int, ...]
    value: Terms
    reduced: bool
    """It has to do with the modulus."""


@dataclass
class Chain:
    """A sum that is being made."""

    sign: int
    value: Terms
    rows: list[int] = field(default_factory=list)
    word: Word | None = None
    reduced: bool = False


@dataclass
class Carries:
    """Walks straight pieces with rows as polynomials."""

    extras: Sequence[int]
    """Constants that no row has."""

    rows: dict[int, Terms] = field(default_factory=dict)
    most: list[Fraction | int] = field(default_factory=list)
    least: list[int] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    of_row: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Of an atom its last group, and which row of it it is."""

    modulus: list[int] = field(default_factory=list)
    friendly: list[int] = field(default_factory=list)
    negative: int = -1
    chain: Chain | None = None
    carry: Terms = field(default_factory=dict)
    """Of the last sum, if it was asked for; else one that nothing is known of."""

    quotients: dict[int, int] = field(default_factory=dict)
    """Of a quotient, the row that it makes zero."""

    distances: dict[int, tuple[Terms, Terms, int]] = field(default_factory=dict)
    """Of |x - y|: x, y, and the carry that says whether x is larger."""

    signs: dict[tuple[int, int], int] = field(default_factory=dict)
    """Of two such carries, what says that they are not the same."""

    either: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Of a carry that says whether one of two is, these."""

    cases: set[int] = field(default_factory=set)
    """Carries and signs."""

    not_zero: dict[Monomial, int] = field(default_factory=dict)
    proven: int = 0
    reduced_rows: set[int] = field(default_factory=set)
    """Atoms that have to do with the modulus."""

    # --- What is not known ---

    def fresh(self, most: Fraction | int = B - 1, least: int = 0) -> int:
        """Return the number of an atom of this range."""
        self.most.append(most)
        self.least.append(least)
        return len(self.most) - 1

    def take_modulus(self, m: Sequence[int], friendly: Sequence[int], negative: int) -> None:
        """Rows of an odd modulus, and of what Montgomery's reduction takes."""
        self.modulus = [self.fresh(least=int(i == 0)) for i in range(len(m))]
        self.friendly = [self.fresh() for _ in friendly]
        self.negative = self.fresh()
        numbers = (*zip(m, self.modulus, strict=True), *zip(friendly, self.friendly, strict=True))
        self.rows |= {row: atom(number) for row, number in numbers}
        self.rows[negative] = atom(self.negative)
        self.reduced_rows |= {*self.modulus, *self.friendly, self.negative}

    def take_below_modulus(self, rows: Sequence[int]) -> None:
        """Rows of a number below the modulus: m - 1 less a number."""
        value = {**plus(self._number(self.modulus), constant(-1))}
        for i in range(len(rows)):
            value = plus(value, atom(self.fresh()), -(B**i))
        self._name(rows, value, True)

    def _number(self, atoms: Sequence[int]) -> Terms:
        return {(number,): Fraction(B**i) for i, number in enumerate(atoms)}

    def _name(self, rows: Sequence[int], value: Terms, reduced: bool) -> None:
        atoms = [self.fresh() for _ in rows]
        self.rows |= {row: atom(number) for row, number in zip(rows, atoms, strict=True)}
        self._group(atoms, value, reduced)

    def _group(self, atoms: Sequence[int], value: Terms, reduced: bool) -> None:
        self.groups.append(Group(tuple(atoms), value, reduced))
        for place, number in enumerate(atoms):
            self.of_row[number] = (len(self.groups) - 1, place)
        if reduced:
            self.reduced_rows |= set(atoms)

    def forget(self, kept: Mapping[int, Terms]) -> None:
        """Know of rows only what is kept: a subroutine may have written all others."""
        self.close()
        self.rows, self.carry = dict(kept), atom(self._case())

    def _read(self, row: int) -> Terms:
        if row not in self.rows:
            self.rows[row] = atom(self.fresh())
        return self.rows[row]

    # --- Instructions ---

    def step(self, word: Word) -> None:
        """Carry out an instruction of ALU or multiplier."""
        if word.name in ("addx", "subx"):
            self._sum(word)
        elif word.name == "sel":
            self._sel(word)
        elif word.insn.unit == "mul":
            self._multiply(word)
        else:
            if word.name == "half":
                self.close()
                self.carry = atom(self._case())
            found = self._other(word)
            if word.insn.writes:
                self.rows[word.d] = found

    def _other(self, word: Word) -> Terms:
        if word.name == "con":
            return constant(self.extras[word.imm])
        a, b = self._read(word.a), self._read(word.b)
        if word.name == "and":
            if a == b:
                return a
            for mask, value in ((a, b), (b, a)):
                if (number := self._mask(mask)) is not None:
                    return times(atom(number), value)
            return atom(self.fresh(min(self.upper(a), self.upper(b))))
        if word.name == "xor":
            one, other = self._mask(a), self._mask(b)
            if one is not None and other is not None:
                return plus({}, atom(self._differ(one, other)), B - 1)
            if other is not None:
                # Not, where the mask is.
                both = plus(constant(B - 1), a, -2)
                return plus(a, times(atom(other), both))
        return atom(self.fresh())

    def _mask(self, value: Terms) -> int | None:
        """Return the carry of a row that is all ones if it is one, else zero."""
        if len(value) == 1:
            ((key, factor),) = value.items()
            if len(key) == 1 and factor == B - 1 and key[0] in self.cases:
                return key[0]
        return None

    def _differ(self, one: int, other: int) -> int:
        key = (min(one, other), max(one, other))
        if key not in self.signs:
            self.signs[key] = self._case()
        return self.signs[key]

    def _case(self) -> int:
        number = self.fresh(1)
        self.cases.add(number)
        return number

    def _sum(self, word: Word) -> None:
        sign = 1 if word.name == "addx" else -1
        taken = word.imm & 1
        if taken and (self.chain is None or self.chain.sign != sign):
            carry = self.consumed()
            self.chain = Chain(sign, plus({}, carry, sign))
        elif not taken:
            self.close()
            self.chain = Chain(sign, {})
        chain = self.chain
        assert chain
        a, b = self._read(word.a), self._read(word.b)
        weight = B ** len(chain.rows)
        chain.value = plus(plus(chain.value, a, weight), b, sign * weight)
        chain.rows.append(self.fresh())
        chain.word = word
        self.rows[word.d] = atom(chain.rows[-1])
        atoms = {number for key in (*a, *b) for number in key}
        chain.reduced |= bool(atoms & self.reduced_rows)
        if chain.reduced:
            self.reduced_rows.add(chain.rows[-1])

    def _sel(self, word: Word) -> None:
        a, b = self._read(word.a), self._read(word.b)
        if word.imm != CARRY:
            self.rows[word.d] = atom(self.fresh(max(self.upper(a), self.upper(b))))
            return
        carry = self.consumed()
        if (a, b) == (constant(B - 1), {}):
            self.rows[word.d] = plus({}, carry, B - 1)
        elif (a, b) == (constant(1), {}):
            self.rows[word.d] = carry
        elif a == constant(B - 1) and (mask := self._mask(b)) is not None:
            ((key, _),) = carry.items()
            number = self._case()
            self.either[number] = (mask, key[0])
            self.rows[word.d] = plus({}, atom(number), B - 1)
        else:
            number = self.fresh()
            self.rows[word.d] = atom(number)
            self._distance(number, a, b, carry)

    def _distance(self, number: int, a: Terms, b: Terms, carry: Terms) -> None:
        """Note that a row is |x - y|, if it is: of x - y and y - x, the last of which borrows."""
        found = []
        for row in (a, b):
            key = next(iter(row), ())
            if len(row) != 1 or len(key) != 1 or key[0] not in self.of_row:
                return
            group, _ = self.of_row[key[0]]
            if len(self.groups[group].rows) != 1:
                return
            found.append(self.groups[group].value)
        ((borrow,), _) = next(iter(carry.items()))
        if (borrow,) not in found[1]:
            return
        x_less_y, y_less_x = (
            {k: v for k, v in f.items() if not set(k) & self.cases} for f in found
        )
        if plus(x_less_y, y_less_x) or len(x_less_y) > 2:
            return
        x = {key: value for key, value in x_less_y.items() if value > 0}
        y = {key: -value for key, value in x_less_y.items() if value < 0}
        self.distances[number] = (x, y, borrow)

    def consumed(self) -> Terms:
        """Return the carry of the last sum, which is asked for."""
        chain, self.chain = self.chain, None
        if chain is None:
            return self.carry
        end = B ** len(chain.rows)
        only = chain.value if len(chain.rows) == 1 and len(chain.value) == 1 else {}
        if chain.sign < 0 and only:
            # 0 - x borrows if x is not zero.
            ((key, _),) = only.items()
            mask = self._mask(plus({}, only, -1))
            number = mask if mask is not None else self.not_zero.get(key, -1)
            if number < 0:
                number = self.not_zero[key] = self._case()
        else:
            number = self._case()
        self.carry = atom(number)
        self._group(chain.rows, plus(chain.value, self.carry, -chain.sign * end), chain.reduced)
        return self.carry

    def _multiply(self, word: Word) -> None:
        a = self._read(word.a)
        b = a if word.name == "sqr" else self._read(word.b)
        product = times(a, b)
        reduced = bool({number for key in product for number in key} & self.reduced_rows)
        if word.name == "mull":
            number = self.fresh()
            for row, factor in ((a, b), (b, a)):
                if factor == atom(self.negative):
                    self.quotients[number] = next(iter(row))[0]
            self.reduced_rows.add(number)
            self.rows[word.d] = atom(number)
            return
        low, high = self.fresh(), self.fresh(B - 2)
        self._group((low, high), product, reduced)
        self.rows[word.written[0]], self.rows[word.written[1]] = atom(low), atom(high)

    # --- The argument ---

    def close(self) -> None:
        """End a sum whose carry nobody asks for."""
        chain, self.chain = self.chain, None
        if chain is None:
            return
        self.carry = atom(self._case())
        if len(chain.rows) == 1:
            borrowed = self._case()
            self._group(chain.rows, plus(chain.value, atom(borrowed), -chain.sign * B), False)
            return
        bases = (chain.value, self._completed(chain.value, B ** len(chain.rows)))
        for base in bases:
            found = self._fits(base, len(chain.rows))
            if found is not None:
                self.proven += 1
                if found:
                    self._group(chain.rows, found[0], chain.reduced)
                return
        raise CarryError(f"{chain.word} may lose a carry")

    def _completed(self, value: Terms, end: int) -> Terms:
        """Return the value with the rest of groups of which the lower rows are in it.

        The rest is a multiple of what the rows hold.
        """
        found = dict(value)
        for key, factor in value.items():
            if len(key) == 1 and key[0] in self.of_row:
                group, place = self.of_row[key[0]]
                rows = self.groups[group].rows
                if place + 1 < len(rows) and factor * B % end == 0 and factor != 0:
                    for above, number in enumerate(rows[place + 1 :], 1):
                        if (number,) not in value:
                            found = plus(found, {(number,): factor * B**above})
        return found

    def _fits(self, value: Terms, length: int) -> list[Terms] | None:
        """Return what rows are if they hold the value in all cases; none if it is not the same."""
        end, results = B**length, []
        for case in self._cases(value):
            views = [self._in_case(view, case) for view in self._views(value)]
            lower = max(self.lower(view) for view in views)
            upper = min(self.upper(view) for view in views)
            if lower > upper:
                continue  # there is no such case
            turns = -(lower // end) if lower > -1 else -((lower + 1) // end)
            for turn in (turns - 1, turns, turns + 1):
                if lower + turn * end > -1 and upper + turn * end < end:
                    results.append(plus(views[-1], constant(int(turn * end))))
                    break
            else:
                return None
        return results[:1] if all(other == results[0] for other in results) else []

    def _cases(self, value: Terms) -> Iterator[Cases]:
        """Return all values of the carries that the value has, itself or in its rows."""
        found: set[int] = set()
        for view in (value, *(self.groups[g].value for g in self._within(value))):
            found |= {number for key in view for number in key if number in self.cases}
        known = {part for number in found for part in self.either.get(number, ())}
        free = sorted((found | known) - set(self.either))
        for bits in itertools.product((0, 1), repeat=len(free)):
            case = dict(zip(free, bits, strict=True))
            for number in found & set(self.either):
                case[number] = int(any(case[part] for part in self.either[number]))
            yield case

    def _within(self, value: Terms) -> set[int]:
        """Return groups whose uppermost row is in the value."""
        found = set()
        for key in value:
            for number in key:
                if number in self.of_row:
                    group, place = self.of_row[number]
                    if place + 1 == len(self.groups[group].rows):
                        found.add(group)
        return found

    def _views(self, value: Terms) -> list[Terms]:
        """Return the value as it is, with sums modulo m replaced, and with all replaced."""
        return [
            value,
            self._expanded(value, lambda group: group.reduced),
            self._expanded(value, lambda group: True),
        ]

    def _expanded(self, value: Terms, chosen: Callable[[Group], bool]) -> Terms:
        """Replace the upper rows of sums and products, the newest first."""
        while True:
            groups = [g for g in self._within(value) if chosen(self.groups[g])]
            if not groups:
                return self._known(value)
            value = self._replaced(value, self.groups[max(groups)])

    def _replaced(self, value: Terms, group: Group) -> Terms:
        top = group.rows[-1]
        rests = [
            (tuple(n for n in key if n != top), factor)
            for key, factor in value.items()
            if top in key
        ]
        for rest, factor in rests:
            start, found = len(group.rows) - 1, value
            found = plus(found, {tuple(sorted((*rest, top))): factor}, -1)
            scale = factor
            while start > 0:
                key = tuple(sorted((*rest, group.rows[start - 1])))
                if found.get(key) != scale / B:
                    break
                scale /= B
                start -= 1
                found = plus(found, {key: scale}, -1)
            scale /= Fraction(B) ** start
            inner = group.value
            for place in range(start):
                inner = plus(inner, atom(group.rows[place]), -(B**place))
            value = plus(found, times({rest: Fraction(1)}, inner), scale)
        return value

    def _known(self, value: Terms) -> Terms:
        """Replace what is known: friendly rows, lowest rows of q m, squares of differences."""
        value = self._lowest(value)
        first = self.friendly[:1]
        for key, factor in [(k, f) for k, f in value.items() if first and first[0] in k]:
            rest = list(key)
            rest.remove(first[0])
            keys = [tuple(sorted((*rest, number))) for number in self.friendly]
            if all(value.get(k) == factor * B**i for i, k in enumerate(keys)):
                for i, k in enumerate(keys):
                    value = plus(value, {k: factor * B**i}, -1)
                whole = times(atom(self.negative), self._number(self.modulus))
                whole = plus(whole, constant(1))
                value = plus(value, times({tuple(rest): Fraction(1)}, whole), factor / B)
        for key, factor in list(value.items()):
            if len(key) == 2 and key[0] == key[1] and key[0] in self.distances:
                x, y, _ = self.distances[key[0]]
                difference = plus(x, y, -1)
                value = plus(value, {key: factor}, -1)
                value = plus(value, times(difference, difference), factor)
        return value

    def _lowest(self, value: Terms) -> Terms:
        """Replace the lowest row of q m: B less the row that it makes zero, or zero like that."""
        for key, factor in list(value.items()):
            if len(key) != 1 or key[0] not in self.of_row:
                continue
            group, place = self.of_row[key[0]]
            product = self.groups[group].value
            if place or len(product) != 1:
                continue
            factors = next(iter(product))
            quotient = next((q for q in factors if q in self.quotients), None)
            if quotient is None or not self.modulus or self.modulus[0] not in factors:
                continue
            row = self.quotients[quotient]
            if (row,) in self.not_zero:
                value = plus(value, {key: factor}, -1)
                value = plus(value, atom(self.not_zero[row,]), factor * B)
                value = plus(value, atom(row), -factor)
        return value

    def _in_case(self, value: Terms, case: Cases) -> Terms:
        """Put in what the carries are, and what products of differences are then."""
        found: Terms = {}
        for key, factor in value.items():
            rest = [number for number in key if number not in case]
            if all(case.get(number, 1) for number in key):
                found = plus(found, {tuple(rest): factor})
        for key, factor in list(found.items()):
            if len(key) == 2 and key[0] != key[1] and all(n in self.distances for n in key):
                one, other = (self.distances[number] for number in key)
                sign = self.signs.get((min(one[2], other[2]), max(one[2], other[2])))
                if sign is not None and sign in case:
                    product = times(plus(one[0], one[1], -1), plus(other[0], other[1], -1))
                    found = plus(found, {key: factor}, -1)
                    found = plus(found, product, -factor if case[sign] else factor)
        return found

    # --- Bounds ---

    def upper(self, value: Terms) -> Fraction:
        """Return a number that the value is at most."""
        return self._bound(value, 1)

    def lower(self, value: Terms) -> Fraction:
        """Return a number that it is at least."""
        return -self._bound(plus({}, value, -1), 1)

    def _bound(self, value: Terms, depth: int) -> Fraction:
        """Take single rows with what they are multiplied with, then each term by itself."""
        total, left = Fraction(0), dict(value)
        if depth:
            for number in [key[0] for key, factor in value.items() if len(key) == 1 and factor < 0]:
                with_it = {k: f for k, f in left.items() if number in k}
                if len(with_it) < 2:
                    continue
                inner: Terms = {}
                for k, f in with_it.items():
                    rest = list(k)
                    rest.remove(number)
                    inner = plus(inner, {tuple(rest): f})
                most = self._bound(inner, depth - 1)
                total += most * (self.most[number] if most > 0 else self.least[number])
                left = {k: f for k, f in left.items() if number not in k}
        for key, factor in left.items():
            product = Fraction(1)
            for number in key:
                product *= self.most[number] if factor > 0 else self.least[number]
            total += factor * product
        return total


def walk(image: Image, entry: str, carries: Carries) -> int:
    """Walk a program or subroutine to its end, without those that it calls.

    Behind ``canonical`` x is below the modulus; all else that is not kept may be anything. Return
    how many sums were shown to lose no carry.
    """
    kept, names = dict(carries.rows), image.names
    at, loops = image.entries[entry], list[tuple[int, int]]()
    while (word := image.code[at]).name not in ("ret", "halt"):
        at += 1
        match word.name:
            case "loop":
                loops.append((at, word.target))
            case "next":
                start, left = loops.pop()
                if left > 1:
                    loops.append((start, left - 1))
                    at = start
            case "call":
                carries.forget(kept)
                called = next(name for name, to in image.entries.items() if to == word.target)
                if called.startswith("give"):
                    break
                if called.startswith("canonical"):
                    n = int(called.removeprefix("canonical"))
                    carries.take_below_modulus([names[name] for name in rsa.names("x", n)])
            case "rnd":
                carries.rows.pop(word.d, None)
            case _:
                carries.step(word)
    carries.close()
    return carries.proven


def begun(image: Image, n: int) -> Carries:
    """Return what is known in front of programs and subroutines with a modulus of n rows."""
    carries, names = Carries(image.extras), image.names
    carries.rows = {row: constant(value) for row, value in image.constants.items()}
    m, friendly = ([names[name] for name in rsa.names(of, n)] for of in "mf")
    carries.take_modulus(m, friendly, names["k"])
    return carries
