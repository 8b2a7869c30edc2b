"""Drives the Ascon engine's port in cocotb and computes what its jobs should give."""

import random
from dataclasses import dataclass, field

from support.job_port import JobPort, Result

from cryptile.jobs.oracle import ascon
from cryptile.jobs.oracle.ascon import AEAD128, CXOF128, FULL, HASH256, RATE
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
    key: bytes = bytes(16)
    nonce: bytes = bytes(16)
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
            "iv": self.nonce,
            "aad_len": len(self.aad),
            "msg_len": len(self.data),
            "out_len": self.size,
        }
        return pack_job(**{**fields, **self.change})

    def keys(self, rng: random.Random) -> list[int]:
        """One transfer, with anything behind the key."""
        if self.bad or self.mode != AEAD128:
            return []
        return pack_key(self.key + rng.randbytes(16))

    def src(self) -> list[int]:
        if self.bad:
            return []
        beats = pack_beats(self.context, CONTEXT)
        beats += pack_beats(self.aad, AAD) + pack_beats(self.data, MESSAGE)
        if self.decrypt and self.is_final:
            beats += pack_beats(self.tag, TAG)
        return beats

    def begun(self) -> ascon.State:
        """Compute the state in front of the message."""
        if self.context:
            return ascon.from_context(self.context)
        return ascon.begin(self.mode, self.key, self.nonce, self.aad)

    def ended(self) -> tuple[bytes, bytes]:
        """Compute what leaves of a message's last part, and the tag or digest."""
        size = self.size or FULL[self.mode]
        return ascon.end(self.mode, self.begun(), self.data, size, self.key, self.decrypt)


def model(job: Job) -> Result:
    """Compute a job with an independent implementation."""
    if job.bad:
        return Result(BAD_PARAM)
    if not job.is_final:
        state, out = ascon.update(job.mode, job.begun(), job.data, job.decrypt)
        return Result(OK, pack_beats(out) + pack_beats(ascon.to_context(state), CONTEXT))
    out, tag = job.ended()
    if job.decrypt:
        return Result(OK if job.tag[: len(tag)] == tag else AUTH_FAILED, pack_beats(out))
    return Result(OK, pack_beats(out) + pack_beats(tag, TAG))


def random_job(rng: random.Random, most: int = 100, out: int = 80) -> Job:
    """Make a good job of any kind; every fourth tag to compare is wrong."""
    mode = rng.choice([AEAD128, AEAD128, *RATE])
    length = rng.choice([rng.randrange(most), rng.randrange(most // 16 + 1) * 16, 0])
    job = Job(mode, rng.randbytes(length), key=rng.randbytes(16), nonce=rng.randbytes(16))
    job.size = rng.choice([0, rng.randint(1, FULL[mode])])
    if mode not in (AEAD128, HASH256) and rng.random() < 0.5:
        job.size = rng.randint(1, out)
    if mode in (AEAD128, CXOF128):
        job.aad = rng.randbytes(rng.choice([0, 16, 32, rng.randrange(min(most, 257))]))
    if rng.random() < 0.2:
        job.is_final = False
        job.data = job.data[: len(job.data) // RATE[mode] * RATE[mode]]
    if rng.random() < 0.2:
        job.aad, job.context = b"", rng.randbytes(40) + bytes(8)
    job.decrypt = mode == AEAD128 and rng.random() < 0.4
    if job.decrypt and job.is_final:
        right = job.ended()[1]
        job.tag = right + rng.randbytes(16 - len(right))
        if rng.random() < 0.25:
            wrong = int.from_bytes(job.tag, "little") ^ 1 << rng.randrange(8 * len(right))
            job.tag = wrong.to_bytes(16, "little")
    return job


class Port(JobPort):
    """Runs jobs of the engine."""

    model = staticmethod(model)


def secrets(dut) -> list[int]:
    """Return what holds data or key."""
    engine = dut.u_engine
    return [int(value.value) for value in (engine.s_q, engine.key_q, engine.dst_q)]
