"""What the surroundings of an engine do: jobs, when each item is offered, when a job is aborted."""

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cryptile.jobs import kinds as jobs
from cryptile.jobs.job import Job

CHANNELS = ("job", "key", "src", "dst", "done")
JOB, KEY, SRC, DST, DONE = range(5)
LIMBS = (4, 4, 3, 3, 1)
"""Words of 64 bits of one item of each channel."""

START = 4
"""Cycles before the first job: the reset, and the wiping of what has none."""

_ABORTABLE = 4
"""Beats of the shortest job that is aborted."""

Words = NDArray[np.uint64]
Counts = NDArray[np.uint32]


@dataclass(frozen=True)
class Settings:
    """Everything a scenario is made from.

    Attributes:
        kind: kind of jobs.
        jobs: how many.
        size: bytes of the only job, or at most of each.
        stalls: probability in percent that an item is held up.
        aborts: probability in percent that a job is aborted.
        seed: of everything random.
    """

    kind: str
    jobs: int
    size: int
    stalls: int
    aborts: int
    seed: int


@dataclass(frozen=True)
class Abort:
    """``clear_i`` some cycles after an item of ``src`` was taken ends a job."""

    position: int
    wait: int
    job: int


@dataclass
class Scenario:
    """The script of every channel. What comes out is filled in by the golden run.

    Attributes:
        items: what is offered, or comes out, per channel: rows of words.
        waits: cycles that each item is held up.
        job_after: number of jobs that must be done before each job is offered.
        ends: of each job where every channel stands behind it.
        aborts: in order.
    """

    items: list[Words]
    waits: list[Counts]
    job_after: Counts
    ends: Counts
    aborts: list[Abort]

    def size(self, channel: int) -> int:
        """Return the number of items of a channel."""
        return len(self.items[channel])


def inputs(settings: Settings) -> Scenario:
    """Make what goes in, one job after the other, without stalls and aborts.

    What comes out is not known yet: there is room for it.
    """
    todo = jobs.make(settings.kind, settings.seed, settings.jobs, settings.size)
    beats = [beat for job in todo for beat in job.beats()]
    rows = [
        _rows([job.word() for job in todo], LIMBS[JOB]),
        _rows([key for job in todo for key in job.transfers()], LIMBS[KEY]),
        _rows(beats, LIMBS[SRC]),
        np.zeros((len(beats) + 2 * len(todo) + 1, LIMBS[DST]), np.uint64),
        np.zeros((len(todo), LIMBS[DONE]), np.uint64),
    ]
    waits = [np.zeros(len(items) + 1, np.uint32) for items in rows]
    waits[JOB][0] = START
    serial = np.arange(len(todo), dtype=np.uint32)
    return Scenario(rows, waits, serial, _ends(todo, [0] * len(todo)), [])


def outputs(settings: Settings, scenario: Scenario, dst_end: list[int]) -> Scenario:
    """Add stalls, overlap and aborts, now that it is known where each job's output ends."""
    todo = jobs.make(settings.kind, settings.seed, settings.jobs, settings.size)
    rng = random.Random(settings.seed + 1)
    count = dst_end[-1] if dst_end else 0
    items = [*scenario.items[:DST], scenario.items[DST][:count], scenario.items[DONE]]
    waits = [_waits(rng, len(rows), settings.stalls) for rows in items]
    waits[JOB][0] = max(START, int(waits[JOB][0]))
    after = np.zeros(len(todo), np.uint32)
    for index in range(1, len(todo)):
        # Most jobs follow at once, some only when all before have ended.
        after[index] = index if rng.random() < 0.2 else after[index - 1]
    ends = _ends(todo, dst_end)
    aborts = _aborts(rng, todo, settings.aborts, ends, after)
    return Scenario(items, waits, after, ends, aborts)


def _ends(todo: list[Job], dst_end: list[int]) -> Counts:
    counts = [(1, len(job.transfers()), sum(1 for _ in job.beats()), 0, 1) for job in todo]
    ends = np.cumsum(counts, axis=0, dtype=np.uint32)
    ends[:, DST] = dst_end
    return ends


def _rows(values: list[int], limbs: int) -> Words:
    text = b"".join(value.to_bytes(8 * limbs, "little") for value in values)
    return np.frombuffer(text, "<u8").reshape(len(values), limbs).astype(np.uint64)


def _waits(rng: random.Random, count: int, percent: int) -> Counts:
    found = np.zeros(count + 1, np.uint32)
    if percent:
        for index in range(count + 1):
            if rng.random() * 100 < percent:
                found[index] = rng.choice([1, 1, 2, 3, 5, rng.randint(1, 40)])
    return found


def _aborts(
    rng: random.Random, todo: list[Job], percent: int, ends: Counts, after: Counts
) -> list[Abort]:
    found: list[Abort] = []
    for index in range(len(todo)):
        first = int(ends[index - 1, SRC]) if index else 0
        beats = int(ends[index, SRC]) - first
        last = index + 1 == len(todo)
        if last or beats < _ABORTABLE or rng.random() * 100 >= percent:
            continue
        position = first + rng.randint(1, beats - 2)
        # The jobs before it have ended, and the next one waits for the end of this one.
        after[index], after[index + 1] = index, index + 1
        found.append(Abort(position, rng.choice([0, 0, 1]), index))
    return found
