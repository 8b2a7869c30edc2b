"""What the harness of a system reports besides what every run has."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cryptile.systems import harness


@dataclass(frozen=True)
class Job:
    """The cycles of one job of a processing engine, counted from reset."""

    first_write: int
    """The first write to a register of the engine since the trigger before."""
    trigger: int
    """The write to TRIGGER."""
    event: int | None
    """The event at the end; None for a job that was aborted, refused or cut off by the end."""

    @property
    def cycles(self) -> int | None:
        """Cycles from the first register write to the event."""
        return None if self.event is None else self.event - self.first_write


@dataclass(frozen=True)
class Packet:
    """The cycles of one packet through an engine, counted from reset."""

    start: int
    """The driver's first register write: the DMA's channel to memory starts."""
    first_in: int
    last_in: int
    first_out: int
    last_out: int
    beats_in: int
    beats_out: int


@dataclass(frozen=True)
class Result(harness.Result):
    """What one run did. Systems without a processing engine have no jobs, and so on."""

    jobs: tuple[Job, ...]
    """The first jobs of the engine, at most ``max_jobs``."""
    jobs_finished: int
    """All jobs that raised their event."""
    packets: tuple[Packet, ...]
    """The first packets out of the engine, at most ``max_jobs``."""
    packets_finished: int
    saved: bool
    """Whether the state was saved."""


def result(plain: harness.Result, raw: Mapping[str, Any]) -> Result:
    """Return a run's result with what its system reports."""
    return Result(
        **vars(plain),
        jobs=tuple(Job(first, trigger, end or None) for first, trigger, end in raw.get("jobs", ())),
        jobs_finished=raw.get("jobs_finished", 0),
        packets=tuple(Packet(*packet) for packet in raw.get("packets", ())),
        packets_finished=raw.get("packets_finished", 0),
        saved=raw.get("saved", False),
    )
