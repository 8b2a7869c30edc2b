"""Every public call of the library that has an input and an output buffer, for tests of overlap.

A :class:`Call` makes a :class:`Job` of one length; :func:`try_overlaps` runs the job with buffers
apart, then with the output at chosen distances from the input, in one piece of memory whose every
byte is checked. It works on any :class:`Env`: the library on this machine, or on a simulated core.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass

OK, PARAM, AUTH = 0, -1, -10
OTHER_STATE = 1
"""Of a call that left the context in another state than it does with buffers apart."""

LENGTHS = (
    0, 1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 80, 127, 128, 129, 192, 255, 256, 257, 511, 512,
    513, 528, 768, 1024,
)  # fmt: skip
"""Around blocks, passes, and the lengths from which faster code takes over."""
FARTHEST = 600
DISTANCES = (
    *(1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 20, 24, 31, 32, 48, 63, 64, 65, 96, 128, 160, 256, 320),
    *(384, 511, 512, 576, 600),
)
"""From the input to the output, both ways: words, blocks and passes, and beside them."""


class Env(ABC):
    """Where calls are made."""

    word: int
    """Bytes of a pointer."""

    def __init__(self) -> None:
        """Nothing is placed yet."""
        self.keys: list[int] = []

    @abstractmethod
    def place(self, data: bytes | int, offset: int = 0) -> int:
        """Return the address of a new buffer, ``offset`` behind a multiple of 16."""

    @abstractmethod
    def read(self, address: int, size: int) -> bytes:
        """Return memory."""

    @abstractmethod
    def symbol(self, name: str) -> int:
        """Return the address of an object."""

    @abstractmethod
    def call(self, name: str, *arguments: int) -> int:
        """Call a function; return its status."""

    @abstractmethod
    def set_random(self) -> None:
        """Give the PSA layer a source that always makes the same bytes."""

    @abstractmethod
    def release(self) -> None:
        """Give back all buffers."""

    def free(self) -> None:
        """Give back all buffers and keys."""
        for key in self.keys:
            self.call("psa_destroy_key", key)
        self.keys.clear()
        self.release()


@dataclass(frozen=True)
class Job:
    """A call on ``source``; ``run(in, out)`` makes it and returns status and length of output."""

    source: bytes
    room: int
    run: Callable[[int, int], tuple[int, int]]
    refuses: int | None = None
    """The status if input and output share a byte; nothing may be written then."""
    fails: int | None = None
    """The status that is expected anyway; the output is all zeros then."""


@dataclass(frozen=True)
class Call:
    """A row of the table."""

    name: str
    make: Callable[[Env, random.Random, int], Job]
    lengths: tuple[int, ...] = LENGTHS
    slow: bool = False
    """Millions of instructions: on a simulated core, few tries."""


def try_overlaps(
    env: Env, call: Call, length: int, distances: Iterable[int], rng: random.Random
) -> list[str]:
    """Return what went wrong; nothing did if that is empty."""
    job = call.make(env, rng, length)
    source, target = env.place(job.source), env.place(b"\xa5" * job.room)
    status, size = job.run(source, target)
    expected = env.read(target, size)
    if status != (job.fails if job.fails is not None else OK):
        return [f"{call.name}, {length} bytes, apart: status {status}"]
    wrong = []
    for distance in distances:
        # The memory has both buffers; `start` is where the input lies in it.
        start, at = max(0, -distance), max(0, distance)
        memory = bytearray(b"\xa5" * max(start + len(job.source), at + job.room))
        memory[start : start + len(job.source)] = job.source
        base = env.place(bytes(memory), offset=rng.choice((0, 0, 4, 8, rng.randrange(16))))
        status, size = job.run(base + start, base + at)
        found = env.read(base, len(memory))
        shared = -job.room < distance < len(job.source) and job.room and job.source
        wanted = job.fails if job.fails is not None else OK
        if job.refuses is not None and shared:
            wanted = job.refuses
        elif job.fails is not None:
            zeros = min(job.room, len(job.source))
            memory[at : at + zeros] = bytes(zeros)
        else:
            memory[at : at + len(expected)] = expected
        if status != wanted or (status == OK and size != len(expected)) or found != memory:
            first = next((n for n, byte in enumerate(found) if byte != memory[n]), -1)
            wrong.append(
                f"{call.name}, {length} bytes, output {distance:+} from the input: "
                f"status {status}, first wrong byte {first - at}"
            )
    return wrong


def words(env: Env, *values: int) -> bytes:
    return b"".join(value.to_bytes(env.word, "little") for value in values)


def word_at(env: Env, address: int) -> int:
    return int.from_bytes(env.read(address, env.word), "little")


def simple(
    name: str,
    room: int | None,
    arguments: Callable[[Env, random.Random, int, int, int], list[int]],
    *,
    title: str = "",
    lengths: tuple[int, ...] = LENGTHS,
    slow: bool = False,
    refuses: int | None = None,
    first: bytes = b"",
    size: int | None = None,
) -> Call:
    """A call whose output has `room` bytes, or, for None, as many as the length.

    So has the input, or `size` bytes: then the length is that of a text beside it. It is random
    behind the `first` bytes. `arguments(env, rng, in, length, out)`.
    """

    def make(env: Env, rng: random.Random, length: int) -> Job:
        seed, written = rng.random(), length if room is None else room
        given = length if size is None else size

        def run(source: int, target: int) -> tuple[int, int]:
            values = arguments(env, random.Random(seed), source, length, target)
            return env.call(name, *values), written

        data = first[:given] + rng.randbytes(max(0, given - len(first)))
        return Job(data, written, run, refuses)

    return Call(title or name, make, lengths, slow)
