"""Jobs by kind of engine: one long message, or many short ones of every kind."""

import random

from cryptile.errors import UsageError
from cryptile.jobs import found
from cryptile.jobs.job import Job


def make(kind: str, seed: int, count: int, size: int) -> list[Job]:
    """Return jobs of a kind, the same ones for the same seed.

    Raises:
        UsageError: there is no such kind.
    """
    kinds = found.kinds()
    if kind not in kinds:
        raise UsageError(f"unknown kind of jobs {kind!r}: choose from {', '.join(sorted(kinds))}")
    return kinds[kind](random.Random(seed), count, size)
