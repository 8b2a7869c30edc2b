"""Field arithmetic of P-256 for RV32IM.

p = 2^256 - 2^224 + 2^192 + 2^96 - 1 is -1 modulo 2^96, so the factor of each step of a Montgomery
reduction is the lowest word itself, and its product with p takes one multiplication: by 2^32 - 1.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from cryptile.asm.allocate import allocate
from cryptile.asm.code import CALLER_SAVED, FREELY_USABLE, ZERO, A, Code, Operand
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_WORDS = 8


class _Sum:
    """A sum of up to three words, as the columns of a product are added up."""

    def __init__(self, code: Code, words: Sequence[Operand] = ()) -> None:
        self._code = code
        self._words = list(words)

    def add(self, low: Operand, high: Operand | None = None) -> None:
        """Add one word, or the two words of a product (whose high one is at most 2^32 - 2)."""
        code, carry = self._code, high
        for position in range(3):
            term = low if position == 0 else carry
            if term is None:
                return
            if position == len(self._words):
                self._words.append(term)
                if position == 0 and high is not None:
                    continue  # no carry from the first word: the high word goes up as it is
                return
            total = code.add(self._words[position], term)
            self._words[position] = total
            if position == 2:
                return
            out = code.emit("sltu", total, term)
            carry = code.add(high, out) if position == 0 and high is not None else out

    def product(self, a: Operand, b: Operand) -> None:
        """Add a * b."""
        self.add(self._code.emit("mul", a, b), self._code.emit("mulhu", a, b))

    def shift(self) -> Operand:
        """Take the lowest word out; the rest moves down."""
        return self._words.pop(0) if self._words else ZERO

    @property
    def low(self) -> Operand:
        """The lowest word."""
        return self._words[0] if self._words else ZERO


def _reduce(code: Code, add_column: Callable[[int, _Sum], None]) -> list[Operand]:
    """Add up sixteen columns, reducing on the way; return nine words, less than 2 p."""
    code.step("products and reduction, word by word")
    minus_one = code.li(-1)
    factors: list[Operand] = []
    result: list[Operand] = []
    total = _Sum(code)
    for column in range(2 * _WORDS):
        add_column(column, total)
        for distance in (3, 6):
            if 0 <= column - distance < _WORDS:
                total.add(factors[column - distance])
        if 0 <= column - 7 < _WORDS:
            factor = factors[column - 7]
            total.add(code.emit("neg", factor), code.emit("mulhu", factor, minus_one))
        if column < _WORDS:
            # Minus the factor, which is the lowest word: it becomes zero without a borrow.
            factors.append(total.shift())
        else:
            result.append(total.shift())
    return [*result, total.shift()]


def _subtract_p(code: Code, words: Sequence[Operand], flag: Operand) -> list[Operand]:
    """Return nine words: eight plus flag * (2^256 - p), that is flag * (1 - 2^96 - 2^192 + 2^224).

    With the flag a small number that stands for as many times 2^256 it is the sum modulo p, but for
    another subtraction of p, and the ninth word is what is above 2^256.
    """
    code.step("plus flag * (2^256 - p)")
    result = [code.add(words[0], flag)]
    carry = code.emit("sltu", result[0], flag)
    for word in words[1:3]:
        result.append(code.add(word, carry))
        carry = code.emit("sltu", result[-1], carry)
    take = code.sub(flag, carry)
    for word in words[3:6]:
        result.append(code.sub(word, take))
        take = code.emit("sltu", word, take)
    take = code.add(take, flag)
    result.append(code.sub(words[6], take))
    take = code.emit("sltu", words[6], take)
    top = code.add(words[7], flag)
    carry = code.emit("sltu", top, flag)
    result.append(code.sub(top, take))
    return [*result, code.sub(carry, code.emit("sltu", top, take))]


def _add_p(code: Code, words: Sequence[Operand], flag: Operand) -> list[Operand]:
    """Return eight words minus flag * (2^256 - p), flag 0 or 1: the mirror image."""
    code.step("minus flag * (2^256 - p)")
    result = [code.sub(words[0], flag)]
    take = code.emit("sltu", words[0], flag)
    for word in words[1:3]:
        result.append(code.sub(word, take))
        take = code.emit("sltu", word, take)
    carry = code.sub(flag, take)
    for word in words[3:6]:
        result.append(code.add(word, carry))
        carry = code.emit("sltu", result[-1], carry)
    carry = code.add(carry, flag)
    result.append(code.add(words[6], carry))
    carry = code.emit("sltu", result[-1], carry)
    result.append(code.sub(words[7], code.sub(flag, carry)))
    return result


def _less_p(code: Code, words: Sequence[Operand]) -> list[Operand]:
    """Return nine words, less than 2 p, modulo p.

    They are p or more if they carry when 2^256 - p is added, whose words are 1, 0, 0, -1, -1, -1,
    -2, 0: only the carries are computed.
    """
    low = code.and_(code.and_(words[0], words[1]), words[2])
    carry = code.emit("seqz", code.addi(low, 1))
    middle = code.or_(code.or_(words[3], words[4]), code.or_(words[5], carry))
    carry = code.emit("snez", middle)
    missing = code.addi(code.emit("xori", carry, imm=1), 1)  # 2 - carry
    carry = code.emit("xori", code.emit("sltu", words[6], missing), imm=1)
    total = code.add(words[7], carry)
    carry = code.or_(code.emit("sltu", total, carry), words[8])
    return _subtract_p(code, words[:8], carry)[:8]


def _load(code: Code, pointer: Operand) -> list[Operand]:
    return [code.load(pointer, 4 * n, remat=True) for n in range(_WORDS)]


def _mul(code: Code) -> list[Operand]:
    a, b = _load(code, A[1]), _load(code, A[2])

    def column(k: int, total: _Sum) -> None:
        for i in range(max(0, k - 7), min(k, 7) + 1):
            total.product(a[i], b[k - i])

    return _less_p(code, _reduce(code, column))


def _sqr(code: Code) -> list[Operand]:
    """Multiply each word by twice the number above it: the words of 2 a, without the bits below."""
    a = _load(code, A[1])
    alone = [code.slli(word, 1) for word in a]
    above = [code.srli(word, 31) for word in a]
    doubled = [alone[0], *(code.or_(alone[n], above[n - 1]) for n in range(1, _WORDS))]
    top = code.emit("neg", above[7])

    def column(k: int, total: _Sum) -> None:
        for i in range(max(0, k - 7), (k + 1) // 2):
            total.product(a[i], alone[i + 1] if k - i == i + 1 else doubled[k - i])
        if k % 2 == 0:
            total.product(a[k // 2], a[k // 2])
        if 8 <= k < 15:
            total.add(code.and_(a[k - 8], top))

    return _less_p(code, _reduce(code, column))


def _pairs(code: Code) -> Iterator[tuple[Operand, Operand]]:
    """Load the words of both operands, one pair ahead of their use."""
    ahead = code.load(A[1], 0), code.load(A[2], 0)
    for n in range(1, _WORDS):
        now, ahead = ahead, (code.load(A[1], 4 * n), code.load(A[2], 4 * n))
        yield now
    yield ahead


def _sum(code: Code, pairs: Iterable[tuple[Operand, Operand]]) -> list[Operand]:
    """Return nine words."""
    carry: Operand | None = None
    words: list[Operand] = []
    for x, y in pairs:
        total = code.add(x, y)
        out = code.emit("sltu", total, y)
        if carry is not None:
            with_carry = code.add(total, carry)
            out = code.or_(out, code.emit("sltu", with_carry, carry))
            total = with_carry
        carry = out
        words.append(total)
    assert carry is not None
    return [*words, carry]


def _add(code: Code) -> list[Operand]:
    return _less_p(code, _sum(code, _pairs(code)))


def _shifted(code: Code, words: Sequence[Operand], bits: int) -> list[Operand]:
    """Return nine words, the number times 2^bits."""
    result = [code.slli(words[0], bits)]
    for low, high in pairwise(words):
        result.append(code.or_(code.slli(high, bits), code.srli(low, 32 - bits)))
    return [*result, code.srli(words[7], 32 - bits)]


def _loaded(code: Code) -> list[Operand]:
    return [code.load(A[1], 4 * n) for n in range(_WORDS)]


def _double(code: Code) -> list[Operand]:
    return _less_p(code, _shifted(code, _loaded(code), 1))


def _quadruple(code: Code) -> list[Operand]:
    words = _shifted(code, _loaded(code), 2)
    return _less_p(code, _subtract_p(code, words[:8], words[8]))


def _triple(code: Code) -> list[Operand]:
    words = _loaded(code)

    def pairs() -> Iterator[tuple[Operand, Operand]]:
        yield words[0], code.slli(words[0], 1)
        for low, high in pairwise(words):
            yield high, code.or_(code.slli(high, 1), code.srli(low, 31))

    total = _sum(code, pairs())
    above = code.add(total[8], code.srli(words[7], 31))
    return _less_p(code, _subtract_p(code, total[:8], above))


def _sub(code: Code) -> list[Operand]:
    borrow: Operand = ZERO
    words: list[Operand] = []
    for n, (x, y) in enumerate(_pairs(code)):
        difference = code.sub(x, y)
        out = code.emit("sltu", x, y)
        if n:
            with_borrow = code.sub(difference, borrow)
            out = code.or_(out, code.emit("sltu", difference, borrow))
            difference = with_borrow
        borrow = out
        words.append(difference)
    return _add_p(code, words, borrow)


def _function(
    symbol: str, body: Callable[[Code], list[Operand]], isa: Isa, tuning: Tuning, *, args: int
) -> str:
    inputs = ", ".join(f"const p256_fe_t *{name}" for name in "ab"[:args])
    function = Function(
        isa,
        symbol,
        prototype=f"void {symbol}(p256_fe_t *r, {inputs})",
        doc="Modulo p; operands and result less than p, products in Montgomery form. Words aligned "
        "to 4; r may be an operand. Constant time where mul and mulhu are. Product scanning, with "
        "the reduction in the same columns (Montgomery, Mathematics of Computation 44, 1985).",
        cycles=f"{_CYCLES[symbol]} on a core with load-use 2 and a one-cycle multiplier.",
    )
    code = Code(isa)
    words = body(code)
    for n, word in enumerate(words):
        code.store(word, A[0], 4 * n)
    # What is short must not pay for saving registers.
    usable = FREELY_USABLE if body in (_mul, _sqr) else CALLER_SAVED
    pool = [reg for reg in usable if reg not in A[: args + 1]]
    found = allocate(code.insns, pool, word=4, spill_offset=function.frame)
    function.reserve(found.spill_bytes)
    function.extend(found.insns)
    function.ret()
    return function.render(tuning, __name__)


_BODIES: dict[str, tuple[Callable[[Code], list[Operand]], int]] = {
    "cry_p256_mul_asm": (_mul, 2),
    "cry_p256_sqr_asm": (_sqr, 1),
    "cry_p256_add_asm": (_add, 2),
    "cry_p256_sub_asm": (_sub, 2),
    "cry_p256_double_asm": (_double, 1),
    "cry_p256_triple_asm": (_triple, 1),
    "cry_p256_quadruple_asm": (_quadruple, 1),
}


_CYCLES = {
    "cry_p256_mul_asm": 729,
    "cry_p256_sqr_asm": 556,
    "cry_p256_add_asm": 97,
    "cry_p256_sub_asm": 80,
    "cry_p256_double_asm": 75,
    "cry_p256_triple_asm": 134,
    "cry_p256_quadruple_asm": 96,
}


def _routine(symbol: str) -> Routine:
    body, args = _BODIES[symbol]
    return Routine(
        symbol,
        "asm",
        supports=lambda isa: isa.xlen == 32 and "m" in isa,
        generate=lambda isa, tuning: _function(symbol, body, isa, tuning, args=args),
    )


ROUTINES = [_routine(symbol) for symbol in _BODIES]
