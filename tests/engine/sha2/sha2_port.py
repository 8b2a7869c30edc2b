"""Drives the SHA-2 engine's port in cocotb and computes what its jobs should give."""

import hashlib
import hmac
import random
from dataclasses import dataclass, field

import cocotb
from sha2_model import DIGEST, NAMES, block_size, context
from support.engine_port import (
    AUTH_FAILED,
    BAD_PARAM,
    CONTEXT,
    FAULT_CORRECTED,
    MESSAGE,
    OK,
    TAG,
    EnginePort,
    pack_beats,
    pack_job,
)


@dataclass
class Job:
    """One job with everything that goes in; `key` makes it HMAC, `before` continues a message."""

    hash: int
    data: bytes
    key: bytes | None = None
    before: bytes | None = None
    more: bool = False
    tag: bytes | None = None
    """What to compare with."""
    out_len: int = 0
    bad: bool = False
    raw_context: bytes | None = None
    """The context to load, if it is not the model's."""
    change: dict[str, int] = field(default_factory=dict)
    """Fields of the job that are not what the other attributes say."""

    def pack(self) -> int:
        fields = {
            "mode": self.hash + 8 * (self.key is not None), "key_len": 0,
            "decrypt": self.tag is not None, "ctx_save": self.more, "is_final": not self.more,
            "msg_len": len(self.data), "ctx_load": self.before is not None,
            "key_bytes": len(self.key or b""), "out_len": self.out_len,
        }  # fmt: skip
        return pack_job(**{**fields, **self.change})

    def keys(self, rng: random.Random) -> list[int]:
        """Return the key transfers; bytes that do not count are anything."""
        if self.bad or self.key is None:
            return []
        padded = self.key + rng.randbytes(64 - len(self.key))
        return [int.from_bytes(padded[i : i + 32], "little") for i in (0, 32)]

    def context(self, after: bytes = b"") -> bytes:
        """Return the context behind the earlier parts, and more data."""
        start = b""
        if self.key is not None:
            start = bytes(byte ^ 0x36 for byte in self.key.ljust(block_size(self.hash), b"\0"))
        return context(self.hash, start + (self.before or b"") + after)

    def src(self) -> list[int]:
        if self.bad:
            return []
        beats = []
        if self.before is not None:
            beats = pack_beats(self.raw_context or self.context(), CONTEXT)
        beats += pack_beats(self.data, MESSAGE)
        if self.tag is not None and not self.more:
            beats += pack_beats(self.tag, TAG)
        return beats

    def digest(self) -> bytes:
        """Compute the digest or tag, as long as it is wanted."""
        message = (self.before or b"") + self.data
        if self.key is None:
            digest = hashlib.new(NAMES[self.hash], message).digest()
        else:
            digest = hmac.new(self.key, message, NAMES[self.hash]).digest()
        return digest[: self.out_len or DIGEST[self.hash]]


@dataclass
class Result:
    """What came out for one job, and when: cycles of the `dst` and `done` handshakes."""

    status: int = -1
    beats: list[int] = field(default_factory=list)
    cycles: list[int] = field(default_factory=list)
    done: int = -1

    def bytes(self) -> bytes:
        out = b""
        for beat in self.beats:
            out += (beat >> 19).to_bytes(16, "little")[: (beat >> 3 & 0xFFFF).bit_count()]
        return out


def model(job: Job) -> Result:
    """Compute a job without the engine."""
    if job.bad:
        return Result(BAD_PARAM)
    if job.more:
        return Result(OK, pack_beats(job.context(job.data), CONTEXT))
    if job.tag is not None:
        return Result(OK if job.tag == job.digest() else AUTH_FAILED)
    return Result(OK, pack_beats(job.digest(), TAG))


def random_job(rng: random.Random, hashes: list[int], most: int = 300) -> Job:
    """Make a good job of any kind; every third tag to compare is wrong."""
    job = Job(rng.choice(hashes), b"")
    block = block_size(job.hash)
    if rng.random() < 0.5:
        job.key = rng.randbytes(rng.choice([0, 64, rng.randrange(65), 16 * rng.randrange(5)]))
    if rng.random() < 0.3:
        job.before = rng.randbytes(block * rng.randrange(3))
    size = rng.choice([rng.randrange(most), 16 * rng.randrange(most // 16), rng.randrange(20)])
    job.more = rng.random() < 0.2
    job.data = rng.randbytes(size - size % block if job.more else size)
    job.out_len = rng.choice([0, 0, 1 + rng.randrange(DIGEST[job.hash])])
    if job.key is not None and rng.random() < 0.5:
        job.tag = job.digest()
        if rng.random() < 0.33:
            size = len(job.tag)
            wrong = int.from_bytes(job.tag, "little") ^ 1 << rng.randrange(8 * size)
            job.tag = wrong.to_bytes(size, "little")
    return job


class Port(EnginePort):
    """Drives jobs of the engine and gathers what comes out."""

    def begin(self, jobs: list[Job]) -> list[Result]:
        """Start to drive jobs; the results fill up as they come."""
        results = [Result() for _ in jobs]
        keys = [key for job in jobs for key in job.keys(self.random)]
        data = [self._garbage(beat) for job in jobs for beat in job.src()]
        self.handshakes = {"job": [], "key": [], "src": []}
        self.tasks = [
            cocotb.start_soon(self.send("job", [job.pack() for job in jobs])),
            cocotb.start_soon(self.send("key", keys)),
            cocotb.start_soon(self.send("src", data)),
            cocotb.start_soon(self._receive_data([model(job) for job in jobs], results)),
            cocotb.start_soon(self._receive_done(results)),
        ]
        return results

    async def run(self, jobs: list[Job]) -> list[Result]:
        results = self.begin(jobs)
        await self.finish(results)
        return results

    async def check(self, jobs: list[Job]) -> list[Result]:
        """Run jobs and compare all that came out with the model."""
        results = await self.run(jobs)
        self.compare(jobs, results)
        return results

    def compare(self, jobs: list[Job], results: list[Result], corrected: bool = False) -> None:
        """Compare; with ``corrected`` a good job may also end with a corrected fault."""
        for job, result in zip(jobs, results, strict=True):
            expected = model(job)
            good = {expected.status}
            if corrected and expected.status == OK:
                good.add(FAULT_CORRECTED)
            assert result.status in good, (job, result.status)
            assert result.beats == expected.beats, (job, result.beats, expected.beats)

    def _garbage(self, beat: int) -> int:
        """Fill the bytes that are not kept."""
        size = (beat >> 3 & 0xFFFF).bit_count()
        return beat | self.random.getrandbits(128 - 8 * size) << (19 + 8 * size)

    async def _receive_data(self, expected: list[Result], results: list[Result]) -> None:
        for wanted, result in zip(expected, results, strict=True):
            for _ in wanted.beats:
                result.beats.append(await self.take("dst"))
                result.cycles.append(self.cycle)

    async def _receive_done(self, results: list[Result]) -> None:
        for result in results:
            result.status = await self.take("done")
            result.done = self.cycle
