"""Drives the SHA-2 engine's port in cocotb and computes what its jobs should give."""

import hashlib
import hmac
import random
from dataclasses import dataclass, field

from sha2_model import DIGEST, NAMES, block_size, context
from support.engine_port import (
    AUTH_FAILED,
    BAD_PARAM,
    CONTEXT,
    MESSAGE,
    OK,
    TAG,
    pack_beats,
    pack_job,
)
from support.job_port import JobPort, Result


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


class Port(JobPort):
    """Runs jobs of the engine."""

    model = staticmethod(model)
