"""Jobs by kind of engine: one long message, or many short ones of every kind."""

import random
from collections.abc import Callable

from cryptile.errors import UsageError
from cryptile.jobs import accesses
from cryptile.jobs.aes import aes
from cryptile.jobs.aes_modes import aes_modes
from cryptile.jobs.chacha20poly1305 import chacha20poly1305
from cryptile.jobs.job import Job
from cryptile.jobs.keccak import keccak
from cryptile.jobs.sha2 import sha2

Make = Callable[[random.Random, int, int], list[Job]]
"""Makes jobs from a generator, a number of jobs and a number of bytes."""


def plain(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs that any engine with one mode takes: a key and a message of at least one byte."""
    lengths = [size] if count == 1 else [rng.randint(1, size) for _ in range(count)]
    return [
        Job(0, False, 2, rng.randbytes(16), rng.randbytes(length), rng.randbytes(32))
        for length in lengths
    ]


KINDS: dict[str, Make] = {
    "plain": plain,
    "aes": aes,
    "aes_modes": aes_modes,
    "chacha20poly1305": chacha20poly1305,
    "sha2": sha2,
    "keccak": keccak,
    "tile_guard": accesses.guard,
    "tile_key_slots": accesses.key_slots,
}


def make(kind: str, seed: int, count: int, size: int) -> list[Job]:
    """Return jobs of a kind, the same ones for the same seed.

    Raises:
        UsageError: there is no such kind.
    """
    if kind not in KINDS:
        raise UsageError(f"unknown kind of jobs {kind!r}: choose from {', '.join(KINDS)}")
    return KINDS[kind](random.Random(seed), count, size)
