"""The field operations as data flow.

Operands are in memory, at the addresses in a1 and a2; each operation returns the words to
store.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Protocol, cast

from cryptile.asm.code import A, Code, Operand
from cryptile.asm.lib.bigint.columns import AddColumn, load, of_product, of_square
from cryptile.asm.lib.p256 import words32, words64

BYTES = 32


class _Prime(Protocol):
    """What depends on how p lies in the words."""

    def reduce(self, code: Code, add_column: AddColumn) -> list[Operand]: ...
    def subtract_p(self, code: Code, words: Sequence[Operand], flag: Operand) -> list[Operand]: ...
    def add_p(self, code: Code, words: Sequence[Operand], flag: Operand) -> list[Operand]: ...
    def less_p(self, code: Code, words: Sequence[Operand]) -> list[Operand]: ...
    def even(self, code: Code, words: Sequence[Operand]) -> list[Operand]: ...


def _prime(code: Code) -> _Prime:
    return cast(_Prime, words32 if code.isa.xlen == 32 else words64)


def mul(code: Code) -> list[Operand]:
    """Return a * b / 2^256."""
    prime = _prime(code)
    columns = of_product(load(code, A[1], BYTES), load(code, A[2], BYTES))
    return prime.less_p(code, prime.reduce(code, columns))


def sqr(code: Code) -> list[Operand]:
    """Return a^2 / 2^256."""
    prime = _prime(code)
    return prime.less_p(code, prime.reduce(code, of_square(code, load(code, A[1], BYTES))))


def _pairs(code: Code) -> Iterator[tuple[Operand, Operand]]:
    """Load the words of both operands, one pair ahead of their use."""
    word = code.isa.word
    ahead = code.load(A[1], 0), code.load(A[2], 0)
    for at in range(word, BYTES, word):
        now, ahead = ahead, (code.load(A[1], at), code.load(A[2], at))
        yield now
    yield ahead


def _sum(code: Code, pairs: Iterable[tuple[Operand, Operand]]) -> list[Operand]:
    """Return one word more."""
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


def add(code: Code) -> list[Operand]:
    """Return a + b."""
    return _prime(code).less_p(code, _sum(code, _pairs(code)))


def sub(code: Code) -> list[Operand]:
    """Return a - b."""
    borrow: Operand | None = None
    words: list[Operand] = []
    for x, y in _pairs(code):
        difference = code.sub(x, y)
        out = code.emit("sltu", x, y)
        if borrow is not None:
            with_borrow = code.sub(difference, borrow)
            out = code.or_(out, code.emit("sltu", difference, borrow))
            difference = with_borrow
        borrow = out
        words.append(difference)
    assert borrow is not None
    return _prime(code).add_p(code, words, borrow)


def _loaded(code: Code) -> list[Operand]:
    return [code.load(A[1], at) for at in range(0, BYTES, code.isa.word)]


def _twice(code: Code, words: Sequence[Operand]) -> Iterator[Operand]:
    """Yield the words of 2 a, but for the bit above them."""
    yield code.slli(words[0], 1)
    for low, high in pairwise(words):
        yield code.or_(code.slli(high, 1), code.srli(low, code.isa.xlen - 1))


def double(code: Code) -> list[Operand]:
    """Return 2 a."""
    words = _loaded(code)
    shifted = [*_twice(code, words), code.srli(words[-1], code.isa.xlen - 1)]
    return _prime(code).less_p(code, shifted)


def triple(code: Code) -> list[Operand]:
    """Return 3 a."""
    prime, words = _prime(code), _loaded(code)
    total = _sum(code, zip(words, _twice(code, words), strict=True))
    above = code.add(total[-1], code.srli(words[-1], code.isa.xlen - 1))
    return prime.less_p(code, prime.subtract_p(code, total[:-1], above))


def half(code: Code) -> list[Operand]:
    """Return a / 2."""
    words = _prime(code).even(code, _loaded(code))
    last_bit = code.isa.xlen - 1
    return [code.or_(code.srli(low, 1), code.slli(high, last_bit)) for low, high in pairwise(words)]
