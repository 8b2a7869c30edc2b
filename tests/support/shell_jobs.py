"""Jobs for the shells that give no context, and no lengths of key, IV or tag."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from cryptile import catalog
from cryptile.jobs import found, kinds
from cryptile.jobs.job import Job
from cryptile.jobs.port import OK
from cryptile.jobs.random import WORD


def steps(engine: str) -> int:
    """Return the cycles of a job whatever its length, if they are many: such an engine is slow."""
    return max(item.steps for item in catalog.engines()[engine].modes.values())


SELECTABLE = [name for name, engine in catalog.engines().items() if engine.select]
"""The engines that shells can be built with."""


def shapes(engine: str) -> set[tuple[object, ...]]:
    """Return the ways in which the modes of an engine take their parameters and give results."""
    return {
        (item.key, item.iv, item.needs_aad, item.context > 0, item.tag is not None, item.output)
        for item in catalog.engines()[engine].modes.values()
    }


def apart() -> list[str]:
    """Choose engines that together have every shape, the one that brings most first.

    A shell knows an engine by no more: with the others it does the same again. Not slow ones.
    """
    quick = [name for name in SELECTABLE if not steps(name)]
    left = set().union(*map(shapes, quick))
    chosen: list[str] = []
    while left:
        chosen.append(max(quick, key=lambda name: len(shapes(name) & left)))
        left -= shapes(chosen[-1])
    return chosen


def word(engine: str) -> bytes:
    """Return what an engine is given as random bits over and over; empty: anything."""
    return WORD if engine == "random" else b""


def carried(engine: str, number: int, rng: random.Random, count: int) -> list[Job]:
    """Return random jobs in a mode, and as the last one an empty message, if it can be one.

    None where no reference knows the result.
    """
    jobs = list(islice(_carried(engine, number, rng, 100), 1 if steps(engine) else count))
    small = islice(_carried(engine, number, rng, 1), 10 if steps(engine) else 100)
    return [*jobs, *islice((job for job in small if not job.message), 1)]


def _carried(engine: str, number: int, rng: random.Random, size: int) -> Iterator[Job]:
    (item,) = [mode for mode in catalog.engines()[engine].modes.values() if mode.number == number]
    while not item.fresh:
        for job in kinds.make(engine, rng.getrandbits(32), 50, size):
            if job.mode == number and not job.refused and not job.context:
                tagged = item.tag is not None
                plain = replace(
                    job,
                    decrypt=job.decrypt and not tagged,
                    long_iv=b"",
                    tag=None,
                    out_len=0,
                    is_final=True,
                    ctx_save=job.ctx_save and not tagged,
                )
                if found.outcomes()[engine](plain).status == OK:
                    yield plain


def refused(served: set[int], tagged: set[int], rng: random.Random) -> Iterator[Job]:
    """Yield jobs in all modes that are not served, and decryption in the modes of ``tagged``."""
    for number in range(16):
        for decrypt in (False, True):
            if number not in served or (decrypt and number in tagged):
                for size, save in ((0, False), (48, False), (7, True)):
                    yield Job(
                        number,
                        decrypt,
                        rng.randrange(3),
                        rng.randbytes(16),
                        rng.randbytes(size),
                        rng.randbytes(32),
                        ctx_save=save,
                    )
