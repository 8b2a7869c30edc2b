"""Drives the port of the AES engine of all modes in cocotb; computes what its jobs should give."""

import random
from dataclasses import dataclass, field, replace

import cocotb
from cryptography.hazmat.primitives import cmac
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from support.engine_port import (
    AAD,
    AUTH_FAILED,
    BAD_PARAM,
    CONTEXT,
    MESSAGE,
    OK,
    TAG,
    EnginePort,
    pack_beats,
    pack_job,
)

ECB, CBC, CTR, GCM, CCM, CMAC, XTS = range(7)
MODES = range(7)
TAGGED = (GCM, CCM, CMAC)
CONTEXT_BEATS = {GCM: 5, CCM: 2}


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

    @property
    def keys(self) -> list[int]:
        if self.bad or (self.mode not in TAGGED and not self.data):
            return []
        half = len(self.key) // 2
        parts = [self.key[:half], self.key[half:]] if self.mode == XTS else [self.key]
        return [int.from_bytes(part, "little") for part in parts]

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
            "mode": self.mode, "key_len": size // 8 - 2, "decrypt": self.decrypt,
            "ctx_load": bool(self.context), "ctx_save": self.ctx_save,
            "is_final": not self.ctx_save, "aad_len": len(self.aad), "msg_len": len(self.data),
            "out_len": self.tag_size % 16, "iv_len": len(self.iv) if self.long_iv else 0,
            "iv": self.iv_field(),
        }  # fmt: skip
        return pack_job(**{**fields, **self.change})

    def src(self) -> list[int]:
        if self.bad:
            return []
        beats = pack_beats(self.context or (self.iv if self.long_iv else b""), CONTEXT)
        beats += pack_beats(self.aad, AAD) + pack_beats(self.data, MESSAGE)
        if self.decrypt and self.mode in TAGGED and not self.ctx_save:
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


def encrypt_block(key: bytes, block: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)


def counter_stream(key: bytes, first: bytes, data: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.CTR(first)).encryptor().update(data)


def ghash(key: bytes, data: bytes) -> int:
    """SP 800-38D, section 6.4, of whole blocks; bits as they stand there."""
    h, y = int.from_bytes(encrypt_block(key, bytes(16)), "big"), 0
    for start in range(0, len(data), 16):
        x, v, y = y ^ int.from_bytes(data[start : start + 16], "big"), h, 0
        for bit in range(127, -1, -1):
            y ^= v if x >> bit & 1 else 0
            v = v >> 1 ^ (0xE1 << 120 if v & 1 else 0)
    return y


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


def bits64(data: bytes) -> bytes:
    return (8 * len(data)).to_bytes(8, "big")


def gcm(job: Job) -> tuple[bytes, bytes]:
    """GCM of IVs that `cryptography` does not take."""
    first = job.iv + b"\0\0\0\x01"
    if len(job.iv) != 12:
        first = ghash(job.key, padded(job.iv) + bytes(8) + bits64(job.iv)).to_bytes(16, "big")
    # GCM's counter has 32 bits: it wraps at most once here.
    counter = int.from_bytes(first[12:], "big")
    room = 16 * ((2**32 - 1 - counter) % 2**32)
    stream = counter_stream(job.key, step32(first), bytes(min(room, len(job.data))))
    stream += counter_stream(job.key, first[:12] + bytes(4), bytes(len(job.data) - len(stream)))
    data = bytes(a ^ b for a, b in zip(job.data, stream, strict=True))
    cipher = job.data if job.decrypt else data
    y = ghash(job.key, padded(job.aad) + padded(cipher) + bits64(job.aad) + bits64(cipher))
    mask = int.from_bytes(encrypt_block(job.key, first), "big")
    return data, (y ^ mask).to_bytes(16, "big")


def step32(block: bytes) -> bytes:
    return block[:12] + ((int.from_bytes(block[12:], "big") + 1) % 2**32).to_bytes(4, "big")


def compute(job: Job) -> tuple[bytes, bytes]:
    """Compute message and tag of a whole job."""
    if job.mode == GCM:
        if not 8 <= len(job.iv) <= 128:
            return gcm(job)
        cipher = Cipher(algorithms.AES(job.key), modes.GCM(job.iv)).encryptor()
        cipher.authenticate_additional_data(job.aad)
        if job.decrypt:  # the tag is that of the ciphertext: find the plaintext first
            plain = cipher.update(job.data)
            _, tag = compute(replace(job, data=plain, decrypt=False))
            return plain, tag
        data = cipher.update(job.data) + cipher.finalize()
        return data, cipher.tag[: job.tag_size]
    if job.mode == CCM:
        plain = job.data
        if job.decrypt:
            first = bytes([14 - len(job.iv)]) + job.iv + bytes(15 - len(job.iv))
            plain = counter_stream(job.key, first, bytes(16) + job.data)[16:]
        sealed = AESCCM(job.key, job.tag_size).encrypt(job.iv, plain, job.aad)
        return plain if job.decrypt else sealed[: -job.tag_size], sealed[-job.tag_size :]
    if job.mode == CMAC:
        mac = cmac.CMAC(algorithms.AES(job.key))
        mac.update(job.data)
        return b"", mac.finalize()[: job.tag_size]
    mode = {
        ECB: modes.ECB, CBC: lambda: modes.CBC(job.iv), CTR: lambda: modes.CTR(job.iv),
        XTS: lambda: modes.XTS(job.iv),
    }[job.mode]()  # fmt: skip
    cipher = Cipher(algorithms.AES(job.key), mode)
    context = cipher.decryptor() if job.decrypt else cipher.encryptor()
    return context.update(job.data) + context.finalize() if job.data else b"", b""


def right_tag(job: Job) -> bytes:
    """Compute the tag that decryption should find."""
    return compute(job)[1][: job.tag_size]


def saved_context(job: Job, data: bytes) -> bytes:
    """Compute the context of the modes without a tag."""
    if job.mode == CBC and data:
        return (job.data if job.decrypt else data)[-16:]
    if job.mode == CTR:
        counter = int.from_bytes(job.iv, "big") + -(-len(data) // 16)
        return (counter % 2**128).to_bytes(16, "big")
    if job.mode == XTS:
        tweak = int.from_bytes(encrypt_block(job.key[len(job.key) // 2 :], job.iv), "little")
        for _ in range(len(data) // 16):
            tweak = tweak << 1 ^ (0x87 | 1 << 128 if tweak >> 127 else 0)
        return tweak.to_bytes(16, "little")
    return job.iv


def model(job: Job) -> Result:
    """Compute a whole job with an independent implementation."""
    if job.bad:
        return Result(BAD_PARAM)
    data, tag = compute(job)
    status, context = OK, b""
    tag = tag[: job.tag_size]
    if job.decrypt and job.mode in TAGGED:
        status = OK if tag == job.tag else AUTH_FAILED
        tag = b""
    if job.ctx_save:
        context = saved_context(job, data)
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
    return rng.choice([16, 16, 16, rng.randrange(1, 17)])


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
    if hasattr(dut, "gen_iterative"):
        core = dut.u_engine.gen_iterative.u_core
        registers += [core.state_q, core.window_q]
    return [int(register.value) for register in registers]


class Port(EnginePort):
    """Drives jobs of the engine and gathers what comes out."""

    def begin(self, jobs: list[Job], expected: list[int] | None = None) -> list[Result]:
        """Start to drive jobs; the results fill up as they come."""
        results = [Result() for _ in jobs]
        counts = expected or [len(model(job).beats) for job in jobs]
        keys = [key for job in jobs for key in job.keys]
        data = [self._garbage(beat) for job in jobs for beat in job.src()]
        self.handshakes = {"job": [], "key": [], "src": []}
        self.tasks = [
            cocotb.start_soon(self.send("job", [job.pack() for job in jobs])),
            cocotb.start_soon(self.send("key", keys)),
            cocotb.start_soon(self.send("src", data)),
            cocotb.start_soon(self._receive_data(counts, results)),
            cocotb.start_soon(self._receive_done(results)),
        ]
        return results

    async def run(self, jobs: list[Job], expected: list[int] | None = None) -> list[Result]:
        results = self.begin(jobs, expected)
        await self.finish(results)
        return results

    async def check(self, jobs: list[Job]) -> list[Result]:
        """Run whole jobs and compare all that came out with the model."""
        results = await self.run(jobs)
        for job, result in zip(jobs, results, strict=True):
            wanted = model(job)
            assert result.status == wanted.status, (job, result.status)
            assert result.beats == wanted.beats, (job, result, wanted)
        return results

    async def part(self, job: Job) -> Result:
        """Run a part of a message that a context continues."""
        (result,) = await self.run([job], [beats_out(job)])
        return result

    def _garbage(self, beat: int) -> int:
        """Fill the bytes that are not kept."""
        size = (beat >> 3 & 0xFFFF).bit_count()
        return beat | self.random.getrandbits(128 - 8 * size) << (19 + 8 * size)

    async def _receive_data(self, counts: list[int], results: list[Result]) -> None:
        for count, result in zip(counts, results, strict=True):
            for _ in range(count):
                result.beats.append(await self.take("dst"))
                result.cycles.append(self.cycle)

    async def _receive_done(self, results: list[Result]) -> None:
        for result in results:
            result.status = await self.take("done")
            result.done = self.cycle
