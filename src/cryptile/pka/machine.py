"""Runs programs of the public-key engine, exact to the bit and to the cycle."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from cryptile.errors import CryptileError
from cryptile.pka.isa import BLOCK, FOLD, LIMB_BITS, LOOPS, WIDTH256, Kind, Width, Word, isa
from cryptile.pka.timing import Clock

_LIMB = (1 << LIMB_BITS) - 1
_DIGIT_BITS = 6
_MAGNITUDE = 31


class ProgramError(CryptileError):
    """A program does what the machine has no answer to."""


@dataclass
class Outcome:
    """How a program ended."""

    flag: bool
    cycles: int
    """From the first instruction's issue to that of ``halt``, both included."""

    issued: int = 0
    multiplying: int = 0
    """Cycles in which the multiplier had products."""


@dataclass
class Machine:
    """The state that programs see; ``random`` gives what ``rnd`` writes."""

    code: Sequence[Word]
    rows: dict[int, int] = field(default_factory=dict)
    random: Iterator[int] = field(default_factory=lambda: iter(()))
    extras: Sequence[int] = ()
    """Constants that no row has, by their number."""

    carry: bool = False
    digit: int = 0
    negative: bool = False
    modulus: int = 0
    held: int = 0
    """b of ``gcd``."""
    held_cofactor: int = 0
    """v of ``cof``."""
    odd: bool = False
    taken: bool = False
    """What ``gcd`` found, or ``sel`` noted: a row was odd; it takes the place of b."""
    parity: bool = False
    """Whether what ``cofr`` halves is odd, as ``sel`` noted."""
    pc: int = 0
    """Address of the next instruction."""

    watch: Callable[[int, Word, Clock], None] | None = None
    """Is told of each instruction when it is done: in which cycle it issued, and the time then."""

    width: Width = WIDTH256

    def run(self, entry: int = 0, limit: int = 10_000_000) -> Outcome:
        """Run a program from an address to its ``halt``.

        Raises:
            ProgramError: it runs away, or nests loops or calls too deep.
        """
        clock, issued, selecting = Clock(self.width), 0, 0
        self.pc = entry
        loops: list[tuple[int, int]] = []
        calls: list[int] = []
        self.carry, self.digit, self.negative = False, 0, False
        self.modulus = next(iter(self.width.moduli), 0)
        self.held, self.held_cofactor = 0, 0
        self.odd, self.taken, self.parity = False, False, False
        while clock.now < limit:
            if not 0 <= self.pc < len(self.code):
                raise ProgramError(f"no instruction at {self.pc}")
            word = self.code[self.pc]
            if not self.width.knows(word):
                raise ProgramError(f"no {word.name} {word.imm} with rows of {self.width.bits} bits")
            cycle = clock.issue(word)
            issued += 1
            self.pc += 1
            selecting += self.width.selecting.get(word.name, 0)
            match word.name:
                case "halt":
                    return Outcome(self.carry, clock.now, issued, selecting)
                case "loop":
                    loops.append((self.pc, word.target))
                    _nest(len(loops), LOOPS)
                case "next":
                    start, left = _innermost(loops)
                    if left > 1:
                        loops.append((start, left - 1))
                        self.pc = start
                case "call":
                    calls.append(self.pc)
                    _nest(len(calls), self.width.calls)
                    self.pc = word.target
                case "ret":
                    self.pc = _innermost(calls)
                case "rnd":
                    self.rows[word.d] = next(self.random)
                case "mul" | "sqr" | "mul1" | "mull":
                    self._multiply(word)
                case _:
                    self._operate(word)
            if self.watch:
                self.watch(cycle, word, clock)
        raise ProgramError(f"no halt within {limit} cycles")

    def extra(self, number: int) -> int:
        """Return a constant that no row has; those that are none are zero."""
        return self.extras[number] if number < len(self.extras) else 0

    def _read(self, row: int) -> int:
        return self.rows.get(row, 0)

    def _operate(self, word: Word) -> None:
        """Carry out an operation of the ALU."""
        a, b, row = self._read(word.a), self._read(word.b), self.width.most
        taken = int(self.carry and word.imm & 1)
        match word.name:
            case "con":
                self.rows[word.d] = self.extra(word.imm)
            case "sel":
                self.rows[word.d] = a if self._chosen(word.imm, a, b) else b
            case "mod":
                self.modulus = self.width.moduli[word.imm]
            case "dig":
                self.digit, self.negative = booth(a >> self.width.bits - _DIGIT_BITS)
            case "add":
                self.rows[word.d] = reduced(a + b, self.modulus, row)
            case "sub":
                self.rows[word.d] = (a - b if a >= b else a - b + self.modulus) & row
            case "addx":
                self.rows[word.d], self.carry = a + b + taken & row, a + b + taken > row
            case "subx":
                self.rows[word.d], self.carry = a - b - taken & row, a < b + taken
            case "half":
                half = a + (b if a & 1 else 0) >> 1
                self.rows[word.d], self.carry = half, bool(half & 1)
            case "hold":
                self.held = a
            case "pick":
                if self.digit % BLOCK // 2 == word.imm % BLOCK // 2:
                    self.held = b if self.digit & 1 else a
            case "put":
                self.rows[word.d] = self.held
            case "gcd":
                self.rows[word.d] = self._gcd(a)
            case "cof":
                self.rows[word.d] = self._cofactor(a, self.width.moduli[word.imm])
            case "gcdr":
                self.rows[word.d] = (self._distance(a, b) & row) >> 1
            case "cofr":
                difference, modulus = self._distance(a, b), self.width.moduli[word.imm]
                self.rows[word.d] = self._halved(difference, modulus, self.parity)
            case "push":
                self.rows[word.d] = a << 1 & row
                self.digit = self.digit << 1 & _MAGNITUDE | a >> self.width.bits - 1
            case "get":
                self.rows[word.d] = self._read(word.a - word.a % BLOCK + self.digit % BLOCK)
            case _:
                self.rows[word.d] = _LOGIC[word.name](a, b)

    def _gcd(self, a: int) -> int:
        """Take a step towards the greatest common divisor of a and b."""
        self.odd = bool(a & 1)
        other = self.held if self.odd else 0
        self.taken = a < other
        if self.taken:
            self.held = a
        return abs(a - other) >> 1

    def _cofactor(self, a: int, n: int) -> int:
        """Do to a and v what the step has done; the result is below n if they are."""
        difference = self._distance(a, self.held_cofactor)
        if self.taken:
            self.held_cofactor = a
        return self._halved(difference, n, bool(difference & 1))

    def _distance(self, a: int, b: int) -> int:
        """Return what is halved of a and b: of an even number that itself."""
        other = b if self.odd else 0
        return other - a if self.taken else a - other

    def _halved(self, difference: int, n: int, odd: bool) -> int:
        """Return half of a difference modulo n."""
        if odd:
            difference += n
        elif difference < 0:
            difference += 2 * n
        return (difference & 2 * self.width.most + 1) >> 1

    def _chosen(self, choice: int, a: int, b: int) -> bool:
        choices = isa().choices
        if choice & choices["digit"].code:
            return self.digit == choice - choices["digit"].code
        if choice == choices["noting"].code:
            self.odd = bool(a & 1)
            self.taken = self.odd and self.carry
            return self.taken
        if choice == choices["less"].code:
            self.parity = bool(self._distance(a, b) & 1)
            return self.taken
        return self.negative if choice == choices["negative"].code else self.carry

    def _multiply(self, word: Word) -> None:
        """Carry out a multiplication."""
        a = self._read(word.a)
        b = a if word.name == "sqr" else self._read(word.b)
        row, kinds = self.width.most, self.width.kinds
        if word.imm not in kinds or (word.name == "mul1" and word.imm != Kind.FOLD):
            raise ProgramError(f"{word.name} is not of kind {word.imm}")
        if word.name == "mul1":
            b &= _LIMB
        product = a * b
        if word.name == "mull":
            self.rows[word.d] = product & row
        elif word.imm == Kind.RAW:
            low, high = word.written
            self.rows[low], self.rows[high] = product & row, product >> self.width.bits
        elif word.name == "mul1":
            self.rows[word.d] = reduced(folded(product), self.modulus, row)
        elif word.imm == Kind.FOLD:
            self.rows[word.d] = reduced(folded(folded(product)), self.modulus, row)
        else:
            self.rows[word.d] = reduced(montgomery(product, self.width), self.modulus, row)


_LOGIC: Mapping[str, Callable[[int, int], int]] = {
    "xor": lambda a, b: a ^ b,
    "and": lambda a, b: a & b,
}


T = TypeVar("T")


def _innermost(stack: list[T]) -> T:
    if not stack:
        raise ProgramError("the end of nothing")
    return stack.pop()


def _nest(depth: int, most: int) -> None:
    if depth > most:
        raise ProgramError(f"nested deeper than {most}")


def reduced(value: int, modulus: int, row: int) -> int:
    """Return what the ALU makes of a sum: the modulus is subtracted once, if it can be."""
    return (value - modulus if value >= modulus else value) & row


def folded(value: int) -> int:
    """Reduce by 2^256 = 38, once."""
    return (value & WIDTH256.most) + FOLD * (value >> WIDTH256.bits)


def montgomery(product: int, width: Width) -> int:
    """Return product / 2^bits modulo the prime p; below 2 p if both factors are below p."""
    quotient = product * width.negative & width.most
    return product + quotient * width.prime >> width.bits


def booth(bits: int) -> tuple[int, bool]:
    """Recode six bits, the lowest of which overlaps the digit below: magnitude and sign."""
    top = bits >> _DIGIT_BITS - 1
    low = bits & (1 << _DIGIT_BITS - 1) - 1
    return ((low ^ (1 << _DIGIT_BITS - 1) - 1 if top else low) + 1) >> 1, bool(top)
