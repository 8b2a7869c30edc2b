"""Random jobs for engines with one mode."""

import random

from cryptile.jobs.job import Job


def plain(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs that any engine with one mode takes: a key and a message of at least one byte."""
    lengths = [size] if count == 1 else [rng.randint(1, size) for _ in range(count)]
    return [
        Job(0, False, 2, rng.randbytes(16), rng.randbytes(length), rng.randbytes(32))
        for length in lengths
    ]


KINDS = {"plain": plain}
