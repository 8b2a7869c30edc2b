"""Jobs that show what an engine consumes: one message each, with the output that must come."""

import random

from cryptile.jobs import found
from cryptile.jobs.job import Job

SIZE = 1024
"""Bytes of a message."""


def make(kind: str) -> tuple[Job, bytes, int]:
    """Return a job of a kind with random content, what it must give, and its period in beats.

    The period: after how many beats of 16 bytes everything repeats.
    """
    maker, period = found.measured()[kind]
    return *maker(random.Random(1), SIZE), period
