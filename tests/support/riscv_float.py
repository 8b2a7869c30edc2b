"""The instructions of RISC-V's F and D extensions, exactly, with rational numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

RNE, RTZ, RDN, RUP, RMM = range(5)
"""Rounding modes, as in ``frm``."""

NX, UF, OF, DZ, NV = (1 << bit for bit in range(5))
"""Flags, as in ``fflags``."""

ONES = (1 << 64) - 1

Outcome = tuple[int, int]
"""Bits of a register, and flags."""


@dataclass(frozen=True)
class Format:
    """A binary interchange format: bits of its significand and of all."""

    precision: int
    width: int

    @property
    def leading(self) -> int:
        return 1 << self.precision - 1

    @property
    def sign(self) -> int:
        return 1 << self.width - 1

    @property
    def infinity(self) -> int:
        return self.sign - self.leading

    @property
    def nan(self) -> int:
        return self.infinity | self.leading >> 1

    @property
    def most(self) -> int:
        """Exponent of the largest number."""
        return (1 << self.width - self.precision - 1) - 1

    @property
    def least(self) -> int:
        """Exponent of the least normal number."""
        return 1 - self.most

    def boxed(self, bits: int) -> int:
        return bits | ONES & ~((1 << self.width) - 1)


S, D = Format(24, 32), Format(53, 64)


class Number:
    """What a register holds."""

    def __init__(self, form: Format, register: int) -> None:
        low = register & (1 << form.width) - 1
        self.bits = low if form.boxed(low) == register else form.nan
        magnitude = self.bits & form.sign - 1
        self.negative = bool(self.bits & form.sign)
        self.nan = magnitude > form.infinity
        self.signaling = self.nan and not magnitude & form.leading >> 1
        self.infinite = magnitude == form.infinity
        self.zero = magnitude == 0
        self.normal = form.leading <= magnitude < form.infinity
        self.value = Fraction(0)
        if magnitude < form.infinity:
            biased, fraction = divmod(magnitude, form.leading)
            fraction += form.leading if biased else 0
            self.value = fraction * power(max(biased, 1) + form.least - form.precision)
        if self.negative:
            self.value = -self.value


def power(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def to_integer(value: Fraction, mode: int) -> tuple[int, bool]:
    """Round; tell whether that changed anything."""
    down = value.numerator // value.denominator
    rest = value - down
    half = Fraction(1, 2)
    if mode == RTZ:
        up = value < 0 and rest > 0
    elif mode in (RDN, RUP):
        up = mode == RUP and rest > 0
    else:
        up = rest > half or (rest == half and (down & 1 if mode == RNE else value > 0))
    return down + up, rest != 0


def rounded(form: Format, mode: int, value: Fraction, negative_zero: bool = False) -> Outcome:
    """Round to a format. A zero that is exact has no sign of its own."""
    if value == 0:
        return form.boxed(form.sign if negative_zero else 0), 0
    sign, size = (form.sign if value < 0 else 0), abs(value)
    top = size.numerator.bit_length() - size.denominator.bit_length()
    top -= size < power(top)
    # Without a bound on exponents: what counts as tiny
    free, _ = to_integer(value / power(top - form.precision + 1), mode)
    top_then = top + (abs(free) >= 2 * form.leading)
    unit = max(top, form.least) - form.precision + 1
    fixed, inexact = to_integer(value / power(unit), mode)
    if top_then > form.most:
        away = mode in (RNE, RMM) or mode == (RDN if value < 0 else RUP)
        return form.boxed(sign | form.infinity - (not away)), OF | NX
    bits = abs(fixed) + form.leading * (unit + form.precision - 1 - form.least)
    return form.boxed(sign | bits), inexact * (NX | UF * (top_then < form.least))


def not_a_number(form: Format, *numbers: Number, invalid: bool = False) -> Outcome:
    signaling = any(number.signaling for number in numbers)
    return form.boxed(form.nan), NV if invalid or signaling else 0


def infinity(form: Format, negative: bool) -> int:
    return form.boxed((form.sign if negative else 0) | form.infinity)


def fused(form: Format, mode: int, a: int, b: int, c: int, product: int = 1, addend: int = 1):
    """Product of a and b, and c, each with a sign."""
    x, y, z = (Number(form, bits) for bits in (a, b, c))
    invalid = (x.infinite and y.zero) or (x.zero and y.infinite)
    if invalid or x.nan or y.nan or z.nan:
        return not_a_number(form, x, y, z, invalid=invalid)
    negative = (x.negative != y.negative) != (product < 0)
    other = z.negative != (addend < 0)
    if x.infinite or y.infinite:
        if z.infinite and other != negative:
            return not_a_number(form, invalid=True)
        return infinity(form, negative), 0
    if z.infinite:
        return infinity(form, other), 0
    total = product * x.value * y.value + addend * z.value
    both = (x.zero or y.zero) and z.zero
    zero = negative if both and negative == other else mode == RDN
    return rounded(form, mode, total, zero)


def added(form: Format, mode: int, a: int, b: int, addend: int) -> Outcome:
    one = form.boxed(form.leading * form.most)
    return fused(form, mode, a, one, b, addend=addend)


def multiplied(form: Format, mode: int, a: int, b: int) -> Outcome:
    x, y = Number(form, a), Number(form, b)
    zero = form.sign if x.negative != y.negative else 0
    return fused(form, mode, a, b, form.boxed(zero))


def divided(form: Format, mode: int, a: int, b: int) -> Outcome:
    x, y = Number(form, a), Number(form, b)
    negative = x.negative != y.negative
    invalid = (x.infinite and y.infinite) or (x.zero and y.zero)
    if invalid or x.nan or y.nan:
        return not_a_number(form, x, y, invalid=invalid)
    if x.infinite or y.zero:
        return infinity(form, negative), 0 if x.infinite else DZ
    if y.infinite:
        return form.boxed(form.sign if negative else 0), 0
    return rounded(form, mode, x.value / y.value, negative)


def root(form: Format, mode: int, a: int) -> Outcome:
    x = Number(form, a)
    if x.nan:
        return not_a_number(form, x)
    if x.zero:
        return form.boxed(x.bits), 0
    if x.negative:
        return not_a_number(form, invalid=True)
    if x.infinite:
        return infinity(form, False), 0
    # More bits than are kept, and a last one for what is behind them
    scaled = x.value * power(4 * 1200)
    whole = isqrt(scaled.numerator)
    more = Fraction(whole * whole != scaled.numerator, 2)
    return rounded(form, mode, (whole + more) * power(-2 * 1200))


def extreme(form: Format, a: int, b: int, greatest: bool) -> Outcome:
    x, y = Number(form, a), Number(form, b)
    flags = NV if x.signaling or y.signaling else 0
    if x.nan or y.nan:
        other = form.nan if x.nan and y.nan else y.bits if x.nan else x.bits
        return form.boxed(other), flags
    return form.boxed(x.bits if (order(x) > order(y)) == greatest else y.bits), flags


def order(number: Number) -> tuple[Fraction, bool]:
    """Return what numbers are sorted by, zeros of both signs too."""
    huge = power(2000) * (-1 if number.negative else 1)
    return (huge if number.infinite else number.value), not number.negative


def compared(form: Format, a: int, b: int, which: str) -> Outcome:
    x, y = Number(form, a), Number(form, b)
    if x.nan or y.nan:
        return 0, NV if which != "feq" or x.signaling or y.signaling else 0
    first, second = order(x)[0], order(y)[0]
    holds = {"feq": first == second, "flt": first < second, "fle": first <= second}
    return int(holds[which]), 0


def classified(form: Format, a: int) -> Outcome:
    x = Number(form, a)
    if x.nan:
        return 1 << (8 if x.signaling else 9), 0
    distance = 3 if x.infinite else 2 if x.normal else 0 if x.zero else 1
    return 1 << (3 - distance if x.negative else 4 + distance), 0


def signed(form: Format, a: int, b: int, which: str) -> Outcome:
    x, y = Number(form, a), Number(form, b)
    negative = {
        "fsgnj": y.negative,
        "fsgnjn": not y.negative,
        "fsgnjx": x.negative != y.negative,
    }
    return form.boxed(x.bits & ~form.sign | form.sign * negative[which]), 0


def from_integer(form: Format, mode: int, register: int, integer: str) -> Outcome:
    return rounded(form, mode, Fraction(as_integer(register, integer)))


def as_integer(register: int, integer: str) -> int:
    bits = 32 if integer[0] == "w" else 64
    value = register & (1 << bits) - 1
    return value - (value >> bits - 1 << bits) if integer[-1] != "u" else value


def into_integer(form: Format, mode: int, a: int, integer: str) -> Outcome:
    x = Number(form, a)
    bits = 32 if integer[0] == "w" else 64
    least, most = (
        (0, (1 << bits) - 1) if integer[-1] == "u" else (-1 << bits - 1, (1 << bits - 1) - 1)
    )
    value, inexact = to_integer(x.value, mode)
    flags = NX if inexact else 0
    if x.nan or x.infinite:
        value, flags = (least - 1 if x.negative and not x.nan else most + 1), NV
    if not least <= value <= most:
        value, flags = (least if value < least else most), NV
    low = value & (1 << bits) - 1
    return low | (ONES ^ 0xFFFF_FFFF if bits == 32 and low >> 31 else 0), flags


def converted(to: Format, mode: int, a: int, form: Format) -> Outcome:
    x = Number(form, a)
    if x.nan:
        return not_a_number(to, x)
    if x.infinite:
        return infinity(to, x.negative), 0
    return rounded(to, mode, x.value, x.negative)


@dataclass(frozen=True)
class Instruction:
    """One of them.

    Attributes:
        text: in assembly, from fa0, fa1, fa2 or a0 to fa0 or a0.
        operands: format of what it reads; None: an integer in a0.
        count: how many it reads.
        integer: the result is one.
        rounds: it takes a rounding mode.
        run: result and flags, by the mode and the operands.
    """

    text: str
    operands: Format | None
    count: int
    integer: bool
    rounds: bool
    run: Callable[..., Outcome]


def _instructions() -> list[Instruction]:
    found: list[Instruction] = []

    def add(name, operands, count, run, integer=False, rounds=True, reads="fa"):
        sources = ", ".join(f"{reads}{index}" for index in range(count))
        target = "a0" if integer else "fa0"
        found.append(
            Instruction(f"{name} {target}, {sources}", operands, count, integer, rounds, run)
        )

    for form, letter in ((S, "s"), (D, "d")):
        for name, sign in (("fadd", 1), ("fsub", -1)):
            add(f"{name}.{letter}", form, 2, lambda m, a, b, f=form, s=sign: added(f, m, a, b, s))
        add(f"fmul.{letter}", form, 2, lambda m, a, b, f=form: multiplied(f, m, a, b))
        add(f"fdiv.{letter}", form, 2, lambda m, a, b, f=form: divided(f, m, a, b))
        add(f"fsqrt.{letter}", form, 1, lambda m, a, f=form: root(f, m, a))
        for name, *signs in (
            ("fmadd", 1, 1),
            ("fmsub", 1, -1),
            ("fnmsub", -1, 1),
            ("fnmadd", -1, -1),
        ):
            add(
                f"{name}.{letter}",
                form,
                3,
                lambda m, a, b, c, f=form, s=signs: fused(f, m, a, b, c, *s),
            )
        for name in ("fmin", "fmax"):
            add(
                f"{name}.{letter}",
                form,
                2,
                lambda m, a, b, f=form, n=name: extreme(f, a, b, n == "fmax"),
                rounds=False,
            )
        for name in ("fsgnj", "fsgnjn", "fsgnjx"):
            add(
                f"{name}.{letter}",
                form,
                2,
                lambda m, a, b, f=form, n=name: signed(f, a, b, n),
                rounds=False,
            )
        for name in ("feq", "flt", "fle"):
            add(
                f"{name}.{letter}",
                form,
                2,
                lambda m, a, b, f=form, n=name: compared(f, a, b, n),
                integer=True,
                rounds=False,
            )
        add(
            f"fclass.{letter}",
            form,
            1,
            lambda m, a, f=form: classified(f, a),
            integer=True,
            rounds=False,
        )
        for integer in ("w", "wu", "l", "lu"):
            add(
                f"fcvt.{integer}.{letter}",
                form,
                1,
                lambda m, a, f=form, i=integer: into_integer(f, m, a, i),
                integer=True,
            )
            add(
                f"fcvt.{letter}.{integer}",
                None,
                1,
                lambda m, a, f=form, i=integer: from_integer(f, m, a, i),
                reads="a",
                rounds=(integer[0] == "l" or form is S),
            )
    add("fcvt.s.d", D, 1, lambda m, a: converted(S, m, a, D))
    add("fcvt.d.s", S, 1, lambda m, a: converted(D, m, a, S), rounds=False)
    add("fmv.x.w", S, 1, lambda m, a: (as_integer(a, "w") & ONES, 0), integer=True, rounds=False)
    add("fmv.w.x", None, 1, lambda m, a: (S.boxed(a & 0xFFFF_FFFF), 0), rounds=False, reads="a")
    add("fmv.x.d", D, 1, lambda m, a: (a, 0), integer=True, rounds=False)
    add("fmv.d.x", None, 1, lambda m, a: (a, 0), rounds=False, reads="a")
    return found


INSTRUCTIONS = _instructions()
