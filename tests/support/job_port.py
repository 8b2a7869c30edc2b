"""Runs whole jobs through an engine port in cocotb and compares what comes out with a model."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import cocotb

from cryptile.jobs.port import BAD_PARAM, FAULT_CORRECTED, OK, bytes_of, kind_of, with_garbage
from support.engine_port import EnginePort


class Job(Protocol):
    """What goes in for one job."""

    def pack(self) -> int:
        """Return the ``job_t``."""

    def keys(self, rng: random.Random) -> list[int]:
        """Return the key transfers; bytes that do not count are anything."""

    def src(self) -> list[int]:
        """Return the beats of ``src``."""


@dataclass
class Result:
    """What came out for one job, and when: cycles of the `dst` and `done` handshakes."""

    status: int = -1
    beats: list[int] = field(default_factory=list)
    cycles: list[int] = field(default_factory=list)
    done: int = -1

    @classmethod
    def of(cls, beats: int) -> "Result":
        """Expect so many beats, whatever is in them."""
        return cls(beats=[0] * beats)

    def bytes(self, kind: int | None = None) -> bytes:
        """Return the bytes of one kind, or of all."""
        return b"".join(bytes_of(beat) for beat in self.beats if kind in (None, kind_of(beat)))


class JobPort(EnginePort):
    """Drives jobs of an engine and gathers what comes out."""

    model: ClassVar[Callable[[Any], Result]]
    """What a job should give, without the engine."""

    def begin(self, jobs: list[Job], expected: list[Result] | None = None) -> list[Result]:
        """Start to drive jobs; the results fill up as they come."""
        self.expected = expected or [self.model(job) for job in jobs]
        results = [Result() for _ in jobs]
        keys = [key for job in jobs for key in job.keys(self.random)]
        data = [with_garbage(beat, self.random) for job in jobs for beat in job.src()]
        self.handshakes = {"job": [], "key": [], "src": []}
        self.tasks = [
            cocotb.start_soon(self.send("job", [job.pack() for job in jobs])),
            cocotb.start_soon(self.send("key", keys)),
            cocotb.start_soon(self.send("src", data)),
            cocotb.start_soon(self._receive_data(results)),
            cocotb.start_soon(self._receive_done(results)),
        ]
        return results

    async def run(self, jobs: list[Job], expected: list[Result] | None = None) -> list[Result]:
        """Run jobs."""
        results = self.begin(jobs, expected)
        await self.finish(results)
        return results

    async def check(self, jobs: list[Job], expected: list[Result] | None = None) -> list[Result]:
        """Run jobs and compare all that came out with what is expected, or with the model."""
        results = await self.run(jobs, expected)
        self.compare(jobs, results)
        return results

    async def check_refused(self, bad: list[Job], good: Callable[[], Job]) -> None:
        """Check that bad jobs move neither key nor data: the good one behind each is untouched."""
        results = await self.check([job for each in bad for job in (each, good())])
        assert [result.status for result in results[::2]] == [BAD_PARAM] * len(bad)

    def compare(self, jobs: list[Job], results: list[Result], corrected: bool = False) -> None:
        """Compare; with ``corrected`` a good job may also end with a corrected fault."""
        for job, result, wanted in zip(jobs, results, self.expected, strict=True):
            good = {wanted.status}
            if corrected and wanted.status == OK:
                good.add(FAULT_CORRECTED)
            assert result.status in good, (job, result.status)
            assert result.beats == wanted.beats, (job, result.beats, wanted.beats)

    async def _receive_data(self, results: list[Result]) -> None:
        for wanted, result in zip(self.expected, results, strict=True):
            for _ in wanted.beats:
                result.beats.append(await self.take("dst"))
                result.cycles.append(self.cycle)

    async def _receive_done(self, results: list[Result]) -> None:
        for result in results:
            result.status = await self.take("done")
            result.done = self.cycle
