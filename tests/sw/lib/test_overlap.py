"""Output that lies anywhere on the input, for every public call, on every instruction set."""

import random

import pytest
from support.overlap.calls import DISTANCES, FARTHEST, Call, Env, try_overlaps
from support.overlap.table import all_calls, with_both

from cryptile import library
from cryptile.asm.isa import Isa

COUNT_UP = (0x00058A63, 0xFFF58593, 0x00B50633, 0x00B60023, 0xFF1FF06F, 0x00100513, 0x00008067)
"""bool count_up(uint8_t *out, size_t len): writes 0, 1, 2 ..., and returns true."""
CODE = 0x5000_0000
LONG = 512
"""From so many bytes on, wide code takes over."""


class Simulated(Env):
    """The library on a simulated core, which checks the bounds of every access."""

    def __init__(self, machine, isa: str) -> None:
        super().__init__()
        self.m, self.word = machine, machine.xlen // 8
        self.called: set[str] = set()
        self.cycles: list[int] = []
        """Of each call."""
        self.impls = ["compact", "table", *(["zkn"] if "zkne" in Isa.parse(isa) else [])]
        self.impls.append("bitsliced")
        if isa not in _with_source:
            machine.map(CODE, 64, "rwx")
            machine.write(CODE, b"".join(word.to_bytes(4, "little") for word in COUNT_UP))
            _with_source.add(isa)

    def place(self, data: bytes | int, offset: int = 0) -> int:
        return self.m.alloc(bytes(data), offset=offset)

    def read(self, address: int, size: int) -> bytes:
        return self.m.read(address, size)

    def symbol(self, name: str) -> int:
        return self.m.symbols[name]

    def call(self, name: str, *arguments: int) -> int:
        self.called.add(name)
        result = self.m.call(name, *arguments)
        self.cycles.append(result.cycles)
        value = result.value & 0xFFFFFFFF
        return value - (value >> 31 << 32)

    def set_random(self) -> None:
        self.m.call("cryptile_psa_set_random", CODE)

    def release(self) -> None:
        self.m.free_all()


_with_source: set[str] = set()
"""The machines that have the function above; they are kept between tests."""
BEHIND_AND_AHEAD = [sign * distance for distance in DISTANCES for sign in (1, -1)]


def some_lengths(call: Call, rng: random.Random) -> list[int]:
    """Pick few lengths; one is long enough for the code that takes over there, if any is."""
    if call.slow:
        return [rng.choice(call.lengths)]
    long = [length for length in call.lengths if length >= LONG]
    short = [length for length in call.lengths if length < LONG]
    return [*rng.sample(long, min(1, len(long))), *rng.sample(short, min(2, len(short)))]


@pytest.mark.parametrize("isa", library.ISAS)
def test_overlap(machine, isa: str) -> None:
    """Every call meets some lengths and distances on each set, others on the next ones."""
    env, wrong = Simulated(machine(isa), isa), []
    multiplies = "m" in Isa.parse(isa).extensions
    for call in all_calls(env.impls):
        if call.slow and not multiplies:
            continue  # the curves are not meant for such a core, and take minutes
        rng = random.Random(f"{isa} {call.name}")
        for length in some_lengths(call, rng):
            near = (-33, -16, -1, 1, 16, 31)
            others = rng.sample(near, 2) if call.slow else rng.sample(BEHIND_AND_AHEAD, 4)
            wrong += try_overlaps(env, call, length, [0, *others], rng)
            env.free()
    assert not wrong, f"{len(wrong)}: {wrong[:8]}"
    if multiplies:
        assert with_both() <= env.called  # or a function has come into a header without a row


@pytest.mark.soak
@pytest.mark.parametrize("isa", library.ISAS)
def test_every_distance(machine, isa: str) -> None:
    """Every call meets every distance, both ways, on each set, each with one of its lengths.

    Not the curves, whose outputs are written last: these meet all distances on the host.
    """
    env, wrong = Simulated(machine(isa), isa), []
    for call in (call for call in all_calls(env.impls) if not call.slow):
        rng, turn = random.Random(f"{isa} {call.name}"), library.ISAS.index(isa)
        for index, length in enumerate(call.lengths):
            first = (index + turn) % len(call.lengths) - FARTHEST
            wrong += try_overlaps(
                env, call, length, range(first, FARTHEST + 1, len(call.lengths)), rng
            )
            env.free()
    assert not wrong, f"{len(wrong)}: {wrong[:8]}"


@pytest.mark.parametrize("isa", library.ISAS)
def test_memmove(machine, isa: str) -> None:
    """What input is moved with; it is ours, and forward it is memcpy()'s loop."""
    m, rng = machine(isa), random.Random(isa)
    content = rng.randbytes(200)
    for length in (0, 1, 4, 15, 16, 17, 32, 64, 67):
        for distance in (0, 1, 3, 4, 8, 12, 15, 16, 20, 32, 63):
            start, at = rng.choice(((40, 40 + distance), (40 + distance, 40), (41, 41 + distance)))
            base = m.alloc(content)
            m.call("memmove", base + at, base + start, length)
            moved = content[:at] + content[start : start + length] + content[at + length :]
            assert m.read(base, len(content)) == moved, (length, start, at)
        m.free_all()
