"""Field arithmetic of P-256 for RV32IM.

p = 2^256 - 2^224 + 2^192 + 2^96 - 1 is -1 modulo 2^96, so the factor of each step of a Montgomery
reduction is the lowest word itself, and its product with p takes one multiplication: by 2^32 - 1.
"""

from collections.abc import Callable, Sequence

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
    """Return eight words plus flag * (2^256 - p), flag 0 or 1: + 2^0 - 2^96 - 2^192 + 2^224."""
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
    result.append(code.add(words[7], code.sub(flag, take)))
    return result


def _add_p(code: Code, words: Sequence[Operand], flag: Operand) -> list[Operand]:
    """Return eight words minus flag * (2^256 - p), flag 0 or 1: the mirror image."""
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
    return _subtract_p(code, words[:8], carry)


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


def _add(code: Code) -> list[Operand]:
    carry: Operand = ZERO
    words: list[Operand] = []
    for n in range(_WORDS):
        x, y = code.load(A[1], 4 * n), code.load(A[2], 4 * n)
        total = code.add(x, y)
        out = code.emit("sltu", total, y)
        if n:
            with_carry = code.add(total, carry)
            out = code.or_(out, code.emit("sltu", with_carry, carry))
            total = with_carry
        carry = out
        words.append(total)
    return _less_p(code, [*words, carry])


def _sub(code: Code) -> list[Operand]:
    borrow: Operand = ZERO
    words: list[Operand] = []
    for n in range(_WORDS):
        x, y = code.load(A[1], 4 * n), code.load(A[2], 4 * n)
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
        cycles=_CYCLES[symbol],
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


_CYCLES = {"p256_mul_asm": "?", "p256_sqr_asm": "?", "p256_add_asm": "?", "p256_sub_asm": "?"}

_BODIES: dict[str, tuple[Callable[[Code], list[Operand]], int]] = {
    "p256_mul_asm": (_mul, 2),
    "p256_sqr_asm": (_sqr, 1),
    "p256_add_asm": (_add, 2),
    "p256_sub_asm": (_sub, 2),
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
