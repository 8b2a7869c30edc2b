"""memcpy and its family, which images without a C library have (``sw/hal/mem.c``)."""

import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from cryptile.sim.iss import Machine

ISAS = pytest.mark.parametrize("isa", ["rv32im_zkn", "rv64im_zkn"])
WORDS = range(8)
"""Where in a word something begins."""
LENGTHS = (0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 65)


@pytest.fixture
def m(machine: Callable[[str], Machine], isa: str) -> Machine:
    return machine(isa)


def shapes() -> Iterator[tuple[int, int, int]]:
    """Yield where two places begin, and bytes."""
    return product(WORDS, WORDS, LENGTHS)


@ISAS
def test_copies(m: Machine) -> None:
    """Of places that may not overlap; the simulator sees what is read or written beside them."""
    for to_at, from_at, length in shapes():
        data = random.randbytes(length)
        target, source = m.alloc(length, offset=to_at), m.alloc(data, offset=from_at)
        for function in ("memcpy", "memmove"):
            m.write(target, bytes(length))
            assert m.call_abi(function, target, source, length).value == target
            assert m.read(target, length) == data
        m.free_all()


@ISAS
def test_moves(m: Machine) -> None:
    """Within one place, to both sides."""
    for at, by, length in product(WORDS, range(-17, 18), LENGTHS):
        data = random.randbytes(length + 34)
        place = m.alloc(data, offset=at)
        source, target = place + 17, place + 17 + by
        m.call_abi("memmove", target, source, length)
        expected = bytearray(data)
        expected[17 + by : 17 + by + length] = data[17 : 17 + length]
        assert m.read(place, len(data)) == bytes(expected)
        m.free_all()


@ISAS
def test_fills(m: Machine) -> None:
    for at, length, value in product(WORDS, LENGTHS, (0, 0xA5, 0x1FF)):
        place = m.alloc(length, offset=at)
        assert m.call_abi("memset", place, value, length).value == place
        assert m.read(place, length) == bytes([value & 0xFF]) * length
        m.free_all()


@ISAS
def test_comparisons(m: Machine) -> None:
    """The first byte that differs decides, as an unsigned one."""
    for one_at, other_at, length in shapes():
        one, other = bytearray(random.randbytes(length)), bytearray(length)
        other[:] = one
        one_place, other_place = m.alloc(one, offset=one_at), m.alloc(other, offset=other_at)
        assert m.call_abi("memcmp", one_place, other_place, length).value == 0
        for index in {0, length // 2, length - 1} if length else ():
            different = bytearray(other)
            different[index] ^= 0x80
            different[index + 1 :] = random.randbytes(length - index - 1)
            m.write(other_place, bytes(different))
            found = m.call_abi("memcmp", one_place, other_place, length).value
            negative = found >> (m.xlen - 1) != 0
            assert found != 0
            assert negative == (one[index] < different[index])
        m.free_all()


def instructions(m: Machine, function: str, offset: int = 0) -> float:
    """Return what a byte more takes, with the second place behind the begin of a word."""
    sizes = 4096, 8192
    second = 0 if function == "memset" else m.alloc(bytes(sizes[1]), offset=offset)
    first = m.alloc(bytes(sizes[1]))
    short, long = (m.call_abi(function, first, second, size).instructions for size in sizes)
    return (long - short) / (sizes[1] - sizes[0])


@pytest.mark.parametrize(("function", "most"), [("memcpy", 3.1), ("memset", 2.1), ("memcmp", 7.1)])
def test_words(machine: Callable[[str], Machine], function: str, most: float) -> None:
    """Aligned memory takes so many instructions for a word of the processor's."""
    for isa, word in (("rv32im_zkn", 4), ("rv64im_zkn", 8)):
        assert instructions(machine(isa), function) * word <= most


def test_bytes(machine: Callable[[str], Machine]) -> None:
    """Other places take few instructions for a byte with 64 bits."""
    assert instructions(machine("rv64im_zkn"), "memcpy", offset=1) <= 3
