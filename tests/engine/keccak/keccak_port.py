"""Drives the Keccak engine's port in cocotb and computes what its jobs should give."""

import random
from dataclasses import dataclass, field

from support.job_port import JobPort, Result

from cryptile.jobs.oracle import keccak
from cryptile.jobs.oracle.keccak import KMAC128, RATE, SHAKE128, absorb, squeeze
from cryptile.jobs.port import (
    AAD,
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
    """One job with everything that goes in; `tag` is what comes on `src` to be verified."""

    mode: int
    data: bytes
    size: int = 0
    aad: bytes = b""
    key: bytes = b""
    tag: bytes = b""
    context: bytes = b""
    decrypt: bool = False
    is_final: bool = True
    bad: bool = False
    change: dict[str, int] = field(default_factory=dict)
    """Fields of the job that are not what the other attributes say."""

    def pack(self) -> int:
        fields = {
            "mode": self.mode,
            "key_len": 0,
            "decrypt": self.decrypt,
            "is_final": self.is_final,
            "ctx_save": not self.is_final,
            "ctx_load": bool(self.context),
            "aad_len": len(self.aad),
            "msg_len": len(self.data),
            "out_len": self.size,
            "key_bytes": len(self.key),
        }
        return pack_job(**{**fields, **self.change})

    def keys(self, rng: random.Random) -> list[int]:
        """Both transfers, with anything behind the key."""
        if self.bad or self.mode < KMAC128:
            return []
        return pack_key(self.key + rng.randbytes(64 - len(self.key)))

    def src(self) -> list[int]:
        if self.bad:
            return []
        beats = pack_beats(self.context, CONTEXT)
        beats += pack_beats(self.aad, AAD) + pack_beats(self.data, MESSAGE)
        if self.decrypt and self.is_final:
            beats += pack_beats(self.tag, TAG)
        return beats

    @property
    def full_size(self) -> int:
        return self.size or keccak.FULL[self.mode]

    def right(self) -> bytes:
        """Compute the digest or tag."""
        if not self.context:
            return keccak.digest(self.mode, self.data, self.full_size, self.aad, self.key)
        end = keccak.tail(self.mode, self.full_size, len(self.data))
        state = absorb(self.context[:200], RATE[self.mode], self.data + end)
        return squeeze(state, RATE[self.mode], self.full_size)

    def next_context(self) -> bytes:
        if self.context:
            return keccak.next_context(self.mode, self.context, self.data)
        return keccak.context(self.mode, self.data, self.aad, self.key)


def model(job: Job) -> Result:
    """Compute a job with an independent implementation."""
    if job.bad:
        return Result(BAD_PARAM)
    if not job.is_final:
        return Result(OK, pack_beats(job.next_context(), CONTEXT))
    if job.decrypt:
        return Result(OK if job.tag == job.right() else AUTH_FAILED)
    return Result(OK, pack_beats(job.right(), TAG))


def random_job(rng: random.Random, most: int = 200, out: int = 100) -> Job:
    """Make a good job of any kind; every fourth tag to compare is wrong."""
    mode = rng.randrange(12)
    rate = RATE[mode]
    near = rate * rng.randrange(max(2, most // rate + 1)) + rng.randrange(-9, 10)
    job = Job(mode, rng.randbytes(rng.choice([rng.randrange(most), max(0, near), 0])))
    job.size = rng.choice([0, rng.randrange(1, keccak.FULL[mode] + 1)])
    if mode >= SHAKE128 and rng.random() < 0.5:
        job.size = rng.randrange(1, out)
    if mode >= keccak.CSHAKE128:
        job.aad = keccak.names(b"KMAC", rng.randbytes(rng.choice([0, 1, rng.randrange(most)])))
    if mode >= KMAC128:
        job.key = rng.randbytes(rng.choice([0, 16, 31, 32, 64, rng.randrange(65)]))
        job.decrypt = rng.random() < 0.4
    if rng.random() < 0.2:
        job.is_final = False
        job.data = rng.randbytes(rate * rng.randrange(max(2, most // rate + 1)))
    if rng.random() < 0.2:
        job.aad, job.context = b"", rng.randbytes(200) + bytes(8)
    if job.decrypt and job.is_final:
        job.tag = job.right()
        if rng.random() < 0.25:
            wrong = int.from_bytes(job.tag, "little") ^ 1 << rng.randrange(8 * len(job.tag))
            job.tag = wrong.to_bytes(len(job.tag), "little")
    return job


class Port(JobPort):
    """Runs jobs of the engine."""

    model = staticmethod(model)
