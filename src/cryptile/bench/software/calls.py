"""How routines of several families are called, and with what."""

from cryptile.bench.software.subject import Prepare
from cryptile.bench.software.target import Target

KEY = bytes(range(32))
SCALAR = bytes(range(1, 33))


def message(size: int) -> bytes:
    """Return bytes of which no two neighbours are the same."""
    return bytes(n * 7 & 0xFF for n in range(size))


def stream(block: int, state: bytes) -> Prepare:
    """``f(state, in, out, blocks)``."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        given, out = target.place(message(size)), target.place(bytes(size))
        return target.call(symbol, target.place(state), given, out, size // block)

    return prepare


def absorb(block: int, state: bytes, *extra: int) -> Prepare:
    """``f(state, in, blocks, ...)``."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        given = target.place(message(size))
        return target.call(symbol, target.place(state), given, size // block, *extra)

    return prepare


def in_place(state: bytes) -> Prepare:
    """``f(state)``."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        return target.call(symbol, target.place(state))

    return prepare


def bytes_out_in(*inputs: bytes, out: int) -> Prepare:
    """``f(out, in...)``."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        return target.call(symbol, target.place(bytes(out)), *(target.place(x) for x in inputs))

    return prepare
