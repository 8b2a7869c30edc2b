"""Random jobs for the engine that gives random bits."""

from random import Random

from cryptile.catalog import engines
from cryptile.jobs.job import Job
from cryptile.jobs.outcome import REFUSED, Outcome

WORD = bytes(range(0xA0, 0xB0))
"""Each word of random bits that these jobs are given: what comes of a job then needs no history."""

_FULL = next(iter(engines()["random"].modes.values())).tag or 0


def random(rng: Random, count: int, size: int) -> list[Job]:
    """Jobs for random bits: one of many bytes, or some of any number, and with bad parameters."""
    if count == 1:
        return [Job(0, False, 0, bytes(16), b"", None, out_len=size)]
    return [_random_job(rng, size) for _ in range(count)]


def _random_job(rng: Random, size: int) -> Job:
    iv, out_len = rng.randbytes(16), rng.choice([0, rng.randint(1, max(1, size))])
    if rng.random() < 0.15:
        number, decrypt, message, aad = rng.choice(
            [
                (rng.randrange(1, 16), False, b"", b""),
                (0, True, b"", b""),
                (0, False, rng.randbytes(rng.randint(1, 40)), b""),
                (0, False, b"", rng.randbytes(9)),
            ]
        )
        return Job(number, decrypt, 0, iv, message, None, aad, out_len=out_len, refused=True)
    return Job(0, False, rng.randrange(4), iv, b"", None, out_len=out_len)


def random_outcome(job: Job) -> Outcome:
    """Return what a job gives that is given ``WORD`` over and over."""
    if job.refused:
        return REFUSED
    size = job.out_len or _FULL
    return Outcome(tag=(WORD * (size // len(WORD) + 1))[:size])


KINDS = {"random": random}
OUTCOMES = {"random": random_outcome}
