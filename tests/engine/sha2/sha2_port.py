"""Drives the SHA-2 engine's port in cocotb and computes what its jobs should give."""

import random
from dataclasses import dataclass, field

from support.job_port import JobPort, Result

from cryptile.jobs.oracle import sha2
from cryptile.jobs.oracle.sha2 import HMAC
from cryptile.jobs.port import (
    AUTH_FAILED,
    BAD_PARAM,
    CONTEXT,
    MESSAGE,
    OK,
    TAG,
    pack_beats,
    pack_job,
    pack_key,
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
            "mode": self.hash + HMAC * (self.key is not None),
            "key_len": 0,
            "decrypt": self.tag is not None,
            "ctx_save": self.more,
            "is_final": not self.more,
            "msg_len": len(self.data),
            "ctx_load": self.before is not None,
            "key_bytes": len(self.key or b""),
            "out_len": self.out_len,
        }
        return pack_job(**{**fields, **self.change})

    def keys(self, rng: random.Random) -> list[int]:
        """Return the key transfers; bytes that do not count are anything."""
        if self.bad or self.key is None:
            return []
        return pack_key(self.key + rng.randbytes(64 - len(self.key)))

    def context(self, after: bytes = b"") -> bytes:
        """Return the context behind the earlier parts, and more data."""
        return sha2.context(self.hash, (self.before or b"") + after, self.key)

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
        return sha2.digest(self.hash, message, self.key)[: self.out_len or None]


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
    block = sha2.block_size(job.hash)
    if rng.random() < 0.5:
        job.key = rng.randbytes(rng.choice([0, 64, rng.randrange(65), 16 * rng.randrange(5)]))
    if rng.random() < 0.3:
        job.before = rng.randbytes(block * rng.randrange(3))
    size = rng.choice([rng.randrange(most), 16 * rng.randrange(most // 16), rng.randrange(20)])
    job.more = rng.random() < 0.2
    job.data = rng.randbytes(size - size % block if job.more else size)
    job.out_len = rng.choice([0, 0, 1 + rng.randrange(sha2.digest_size(job.hash))])
    if job.key is not None and rng.random() < 0.5:
        job.tag = job.digest()
        if rng.random() < 0.33:
            size = len(job.tag)
            wrong = int.from_bytes(job.tag, "little") ^ 1 << rng.randrange(8 * size)
            job.tag = wrong.to_bytes(size, "little")
    return job


class Port(JobPort):
    """Runs jobs of the engine."""

    model = staticmethod(model)
