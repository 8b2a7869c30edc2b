"""Drives the port of the AES engine of all modes in cocotb; computes what its jobs should give."""

import random
from dataclasses import dataclass, field

from support.job_port import JobPort, Result

from cryptile import catalog
from cryptile.jobs.oracle.aes import CBC, CCM, CMAC, ECB, GCM, TAGGED, XTS, crypt, next_iv
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

MODES = range(7)
CONTEXT_BEATS = {GCM: 5, CCM: 2}
GCM_TAGS = catalog.algorithms()["aes-128-gcm"].family.tag


@dataclass
class Job:
    """One job with everything that goes in.

    `iv` is the nonce of GCM and CCM, `tag` what comes on `src` in decryption; `key` of XTS is both.
    """

    mode: int
    key: bytes
    data: bytes = b""
    iv: bytes = bytes(16)
    aad: bytes = b""
    tag: bytes = b""
    tag_size: int = 16
    decrypt: bool = False
    context: bytes = b""
    ctx_save: bool = False
    total: int | None = None
    bad: bool = False
    change: dict[str, int] = field(default_factory=dict)
    """Fields of the job that are not what the other attributes say."""

    def keys(self, _rng: random.Random) -> list[int]:
        if self.bad or (self.mode not in TAGGED and not self.data):
            return []
        half = len(self.key) // 2
        parts = [self.key[:half], self.key[half:]] if self.mode == XTS else [self.key]
        return [key for part in parts for key in pack_key(part)]

    @property
    def long_iv(self) -> bool:
        return self.mode == GCM and not self.context and len(self.iv) != 12

    def iv_field(self) -> bytes:
        if self.mode == CCM:
            size = 15 - len(self.iv)
            total = len(self.data) if self.total is None else self.total
            return bytes([size - 1]) + self.iv + total.to_bytes(size, "big")
        return b"" if self.long_iv or self.context else self.iv

    def pack(self) -> int:
        size = len(self.key) // (2 if self.mode == XTS else 1)
        fields = {
            "mode": self.mode,
            "key_len": size // 8 - 2,
            "decrypt": self.decrypt,
            "ctx_load": bool(self.context),
            "ctx_save": self.ctx_save,
            "is_final": not self.ctx_save,
            "aad_len": len(self.aad),
            "msg_len": len(self.data),
            "out_len": self.tag_size % 16,
            "iv_len": len(self.iv) if self.long_iv else 0,
            "iv": self.iv_field(),
        }
        return pack_job(**{**fields, **self.change})

    def src(self) -> list[int]:
        if self.bad:
            return []
        beats = pack_beats(self.context or (self.iv if self.long_iv else b""), CONTEXT)
        beats += pack_beats(self.aad, AAD) + pack_beats(self.data, MESSAGE)
        if self.decrypt and self.mode in TAGGED and not self.ctx_save:
            beats += pack_beats(self.tag, TAG)
        return beats


def compute(job: Job) -> tuple[bytes, bytes]:
    """Compute message and tag of a whole job."""
    return crypt(
        job.mode, job.key, job.iv, job.data, job.aad, decrypt=job.decrypt, tag_len=job.tag_size
    )


def right_tag(job: Job) -> bytes:
    """Compute the tag that decryption should find."""
    return compute(job)[1]


def model(job: Job) -> Result:
    """Compute a whole job with an independent implementation."""
    if job.bad:
        return Result(BAD_PARAM)
    data, tag = compute(job)
    status, context = OK, b""
    if job.decrypt and job.mode in TAGGED:
        status = OK if tag == job.tag else AUTH_FAILED
        tag = b""
    if job.ctx_save:
        context = next_iv(job.mode, job.key, job.iv, job.data if job.decrypt else data)
    beats = pack_beats(data) + pack_beats(tag, TAG) + pack_beats(context, CONTEXT)
    return Result(status, beats)


def beats_out(job: Job) -> int:
    """Count the beats that a job gives, also a part of a message."""
    beats = 0 if job.mode == CMAC else -(-len(job.data) // 16)
    if job.ctx_save:
        return beats + CONTEXT_BEATS.get(job.mode, 1)
    return beats + (job.mode in TAGGED and not job.decrypt)


def random_tag_size(rng: random.Random, mode: int) -> int:
    if mode == CCM:
        return rng.choice([4, 6, 8, 10, 12, 14, 16, 16, 16])
    return rng.choice([16, 16, 16, rng.choice(GCM_TAGS) if mode == GCM else rng.randrange(1, 17)])


def random_iv(rng: random.Random, mode: int) -> bytes:
    if mode == GCM:
        sizes = [12, 12, 12, rng.randrange(1, 40), 16]
        return rng.randbytes(rng.choice(sizes))
    return rng.randbytes(rng.randrange(7, 14) if mode == CCM else 16)


def random_job(rng: random.Random, most: int = 120, mode: int | None = None) -> Job:
    """Make a good job of any kind; every fourth tag to compare is wrong."""
    if mode is None:
        mode = rng.choice(MODES)
    size = rng.choice([rng.randrange(most), 16 * rng.randrange(most // 16 + 1), rng.randrange(20)])
    if mode in (ECB, CBC):
        size -= size % 16
    size = max(size, 16) if mode == XTS else size
    key_size = rng.choice([32, 64]) if mode == XTS else rng.choice([16, 24, 32])
    job = Job(mode, rng.randbytes(key_size), rng.randbytes(size), random_iv(rng, mode))
    job.decrypt = rng.random() < 0.5
    if mode in (GCM, CCM):
        job.aad = rng.randbytes(rng.choice([0, rng.randrange(80), 16 * rng.randrange(5)]))
    if mode in TAGGED:
        job.tag_size = random_tag_size(rng, mode)
        if job.decrypt:
            job.tag = right_tag(job)
            if rng.random() < 0.25:
                wrong = int.from_bytes(job.tag, "little") ^ 1 << rng.randrange(8 * job.tag_size)
                job.tag = wrong.to_bytes(job.tag_size, "little")
    else:
        job.ctx_save = rng.random() < 0.2 and (mode != XTS or size % 16 == 0)
    return job


def secrets(dut) -> list[int]:
    """Keys, chaining values, tweaks, H, the GHASH value, kept blocks and the core's own state."""
    parts = dut.u_engine.u_sequencer
    registers = [parts.u_jobs.key_q, parts.u_jobs.chain_q, parts.u_notes.payload_q]
    registers.append(parts.u_finish.aux_q)
    if hasattr(parts.u_finish, "gen_ghash"):
        ghash = parts.u_finish.gen_ghash.u_ghash
        registers += [ghash.h_q, ghash.y_q, ghash.x_q]
    if hasattr(dut.u_engine, "gen_iterative"):
        core = dut.u_engine.gen_iterative.u_core
        registers += [core.state_q, core.window_q]
    return [int(register.value) for register in registers]


class Port(JobPort):
    """Runs jobs of the engine."""

    model = staticmethod(model)

    async def part(self, job: Job) -> Result:
        """Run a part of a message that a context continues."""
        (result,) = await self.run([job], [Result.of(beats_out(job))])
        return result
