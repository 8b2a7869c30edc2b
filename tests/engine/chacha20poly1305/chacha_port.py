"""Drives the ChaCha20-Poly1305 engine's port in cocotb and computes what its jobs should give."""

import random
from dataclasses import dataclass, field

import cocotb
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.poly1305 import Poly1305
from support.engine_port import (
    AAD,
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

CHACHA20, POLY1305, AEAD = range(3)
KEY_LEN_256 = 2


@dataclass
class Job:
    """One job with everything that goes in; `tag` is what comes on `src` in decryption."""

    mode: int
    key: bytes
    data: bytes
    iv: bytes = bytes(16)
    aad: bytes = b""
    tag: bytes = b""
    decrypt: bool = False
    ctx_save: bool = False
    bad: bool = False
    change: dict[str, int] = field(default_factory=dict)
    """Fields of the job that are not what the other attributes say."""

    @property
    def moves_key(self) -> bool:
        return not self.bad and (self.mode != CHACHA20 or len(self.data) > 0)

    def pack(self) -> int:
        fields = {
            "mode": self.mode, "key_len": KEY_LEN_256, "decrypt": self.decrypt,
            "ctx_save": self.ctx_save, "aad_len": len(self.aad), "msg_len": len(self.data),
        }  # fmt: skip
        return pack_job(iv=self.iv, **{**fields, **self.change})

    def src(self) -> list[int]:
        if self.bad:
            return []
        beats = pack_beats(self.aad, AAD) + pack_beats(self.data, MESSAGE)
        if self.decrypt and self.mode != CHACHA20:
            beats += pack_beats(self.tag, TAG)
        return beats


@dataclass
class Result:
    """What came out for one job, and when: cycles of the `dst` and `done` handshakes."""

    status: int = -1
    beats: list[int] = field(default_factory=list)
    cycles: list[int] = field(default_factory=list)
    done: int = -1

    def bytes(self, kind: int) -> bytes:
        """Return the bytes of one kind."""
        out = b""
        for beat in self.beats:
            if beat & 3 == kind:
                out += (beat >> 19).to_bytes(16, "little")[: (beat >> 3 & 0xFFFF).bit_count()]
        return out


def right_tag(job: Job) -> bytes:
    """Compute the tag that decryption should find."""
    if job.mode == POLY1305:
        return Poly1305.generate_tag(job.key, job.data)
    # The key stream of block 0 gives Poly1305's key; its message is the ciphertext, here `data`.
    start = bytes(4) + job.iv[:12]
    one_time = Cipher(algorithms.ChaCha20(job.key, start), None).encryptor().update(bytes(32))
    padded = b"".join(part + bytes(-len(part) % 16) for part in (job.aad, job.data))
    lengths = len(job.aad).to_bytes(8, "little") + len(job.data).to_bytes(8, "little")
    return Poly1305.generate_tag(one_time, padded + lengths)


def model(job: Job) -> Result:
    """Compute a job with an independent implementation."""
    if job.bad:
        return Result(BAD_PARAM)
    data, tag, status, context = b"", b"", OK, b""
    if job.mode == CHACHA20:
        data = Cipher(algorithms.ChaCha20(job.key, job.iv), None).encryptor().update(job.data)
        if job.ctx_save:
            counter = int.from_bytes(job.iv[:4], "little") + len(data) // 64
            context = counter.to_bytes(4, "little") + job.iv[4:]
    elif job.mode == AEAD:
        if job.decrypt:
            start = (1).to_bytes(4, "little") + job.iv[:12]
            data = Cipher(algorithms.ChaCha20(job.key, start), None).encryptor().update(job.data)
        else:
            sealed = ChaCha20Poly1305(job.key).encrypt(job.iv[:12], job.data, job.aad)
            data, tag = sealed[:-16], sealed[-16:]
    elif not job.decrypt:
        tag = right_tag(job)
    if job.mode != CHACHA20 and job.decrypt and job.tag != right_tag(job):
        status = AUTH_FAILED
    beats = pack_beats(data) + pack_beats(tag, TAG) + pack_beats(context, CONTEXT)
    return Result(status, beats)


def random_job(rng: random.Random, most: int = 200) -> Job:
    """Make a good job of any kind; every fourth tag to compare is wrong."""
    mode = rng.choice([CHACHA20, POLY1305, AEAD, AEAD])
    size = rng.choice([rng.randrange(most), 16 * rng.randrange(most // 16 + 1), rng.randrange(20)])
    job = Job(mode, rng.randbytes(32), rng.randbytes(size), rng.randbytes(16))
    job.decrypt = rng.random() < 0.5
    if mode == AEAD:
        job.aad = rng.randbytes(rng.choice([0, rng.randrange(80), 16 * rng.randrange(5)]))
    if mode == CHACHA20:
        counter = rng.choice([0, 1, rng.randrange(2**32 - 100), 2**32 - -(-size // 64) - 1])
        job.iv = counter.to_bytes(4, "little") + job.iv[4:]
        job.ctx_save = size % 64 == 0 and rng.random() < 0.7
    elif job.decrypt:
        job.tag = right_tag(job)
        if rng.random() < 0.25:
            wrong = int.from_bytes(job.tag, "little") ^ 1 << rng.randrange(128)
            job.tag = wrong.to_bytes(16, "little")
    return job


class Port(EnginePort):
    """Drives jobs of the engine and gathers what comes out."""

    def begin(self, jobs: list[Job]) -> list[Result]:
        """Start to drive jobs; the results fill up as they come."""
        results = [Result() for _ in jobs]
        keys = [int.from_bytes(job.key, "little") for job in jobs if job.moves_key]
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
