"""cocotb tests of ``cry_pka_engine``: others' answers on the port, refusals, aborts, wiping."""

import hashlib
import os
import random
from dataclasses import dataclass

import cocotb
from cocotb.triggers import RisingEdge, Timer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from pka_engine_port import EnginePort
from pka_port import MACHINE
from support import pka as simulated
from support import wycheproof
from support.engine_port import settled_high
from support.job_port import Result

from cryptile.catalog import Key, engines
from cryptile.jobs import job
from cryptile.jobs import pka as modes
from cryptile.jobs.oracle.curve25519 import ed25519_public
from cryptile.jobs.outcome import Outcome
from cryptile.jobs.pka import (
    ED_COMMIT,
    ED_KEYGEN,
    ED_NONCE,
    ED_ONCE,
    ED_PUBLIC,
    ED_SIGN,
    ED_VERIFY,
    X25519,
    X_KEYGEN,
)
from cryptile.jobs.port import BAD_PARAM, INVALID, NO_RANDOM, OK, pack_job

CASES = int(os.environ["CRYPTILE_CASES"])
RANDOM_CYCLES = 1000
LATENCY = 4
"""Cycles from the last beat of key and message to the first of the tag, beside the program's and
one for each word of its random rows but the first."""

BITS = MACHINE.bits
WIDE = BITS != 256
ENGINE = modes.ENGINES[simulated.ENGINES[MACHINE]]
ON, MODES, SIZE = ENGINE.on, ENGINE.modes, ENGINE.sizes
SECG = f"secp{ON.n.bit_length()}r1"
NAMES = {item.number: name for name, item in engines()[ENGINE.name].modes.items()}
ECDH, SIGN, VERIFY, PUBLIC, KEYGEN = map(
    ENGINE.number, ("ecdh", "sign", "verify", "public", "keygen")
)
DRAWS = {ECDH: 2, SIGN: 6, VERIFY: 0, PUBLIC: 2, KEYGEN: 4}
if not WIDE:
    DRAWS |= {X25519: 2, ED_PUBLIC: 2, ED_COMMIT: 1, ED_SIGN: 3, ED_VERIFY: 0}
    DRAWS |= {ED_KEYGEN: 3, ED_NONCE: 2, ED_ONCE: 3, X_KEYGEN: 3}
"""Random rows of a mode."""

WORDS = -(-BITS // 128)
"""Words of the port that each of them has."""


@dataclass(frozen=True)
class Job:
    """A job, and what it should give if that is not what ``pka_outcome`` says."""

    job: job.Job
    change: tuple[tuple[str, int], ...] = ()

    def pack(self) -> int:
        if not self.change:
            return self.job.word()
        fields = {"mode": self.job.mode, "key_len": 0, "msg_len": len(self.job.message)}
        fields["key_bytes"] = self.job.key_bytes
        return pack_job(**fields | dict(self.change))

    def keys(self, _rng: random.Random) -> list[int]:
        return [] if self.change else self.job.transfers()

    def src(self) -> list[int]:
        return [] if self.change else list(self.job.beats())


class Port(EnginePort):
    """Holds jobs against their reference."""

    LIMIT = 2_000_000

    @staticmethod
    def model(said: Job) -> Result:
        outcome = Outcome(BAD_PARAM) if said.change else ENGINE.outcome(said.job)
        return Result(outcome.status, outcome.beats())

    def begins(self, mode: int, result: Result) -> None:
        """Check in which cycle the tag of a job began to come."""
        last = max(self.handshakes[name][-1] for name in ("key", "src") if self.handshakes[name])
        taken = result.cycles[0] - last - DRAWS[mode] * (WORDS - 1)
        assert taken - simulated.OF[MACHINE][NAMES[mode]] == LATENCY, (mode, taken)

    async def made(self, said: "Job") -> bytes:
        """Run a job whose result is random, and return it."""
        beats = (MODES[said.job.mode].tag or 0) // 16
        (result,) = await self.run([said], [Result.of(beats)])
        assert result.status == OK and Outcome(tag=result.bytes()).beats() == result.beats
        if said.job.key and not self.stalls:
            self.begins(said.job.mode, result)
        return result.bytes()


def made(mode: int, key: bytes | None, point: bytes) -> Job:
    return Job(job.Job(mode, False, 0, b"", point, key, key_bytes=ON.size * WIDE))


def agreed(rng: random.Random, count: int) -> list[tuple[Job, bytes]]:
    """Draw cases of Wycheproof, each with its secret, the first of each algorithm a valid one."""
    found: list[tuple[Job, bytes]] = []
    if not WIDE:
        found += ladders(rng, count)
    groups = wycheproof.load(f"ecdh_{SECG}_ecpoint_test.json")["testGroups"]
    cases = [case for group in groups for case in group["tests"]]
    width = 2 * -(-ON.n.bit_length() // 8)  # digits of a number in the vectors
    cases = [case for case in cases if len(case["public"]) == 2 + 2 * width]
    for case in rng.sample([case for case in cases if case["result"] == "valid"], count):
        x, y = case["public"][2 : 2 + width], case["public"][2 + width :]
        key, *point, shared = (int(text, 16) for text in (case["private"], x, y, case["shared"]))
        found.append((made(ECDH, ON.text(key), ON.text(*point)), ON.text(shared)))
    return found


def ladders(rng: random.Random, count: int) -> list[tuple[Job, bytes]]:
    """Draw cases of X25519 that have a secret."""
    found = []
    groups = wycheproof.load("x25519_test.json")["testGroups"]
    cases = [case for group in groups for case in group["tests"]]
    for case in rng.sample([case for case in cases if any(bytes.fromhex(case["shared"]))], count):
        key, point, shared = (bytes.fromhex(case[n]) for n in ("private", "public", "shared"))
        found.append((made(X25519, key, point), shared))
    return found


@cocotb.test()
async def wycheproofs(dut):
    """Secrets are those of others and come in the cycles of the program, back to back."""
    port = await Port.started(dut, 1)
    for case, shared in agreed(random.Random(1), CASES):
        (result,) = await port.check([case])
        assert (result.status, result.bytes()) == (OK, shared)
        port.begins(case.job.mode, result)
        await port.wiped()
    # The same cycles for a point that is refused, and no secret.
    mode = ECDH if WIDE else X25519
    key, size = ON.leftmost(bytes(range(1, ON.size + 1))), MODES[mode].tag or 0
    (result,) = await port.check([made(mode, key, bytes(SIZE[mode]))])
    assert (result.status, result.bytes()) == (INVALID, bytes(size))
    port.begins(mode, result)


@cocotb.test()
async def signatures(dut):
    """A new key, its public one, a signature by it; refusals are zero and take the same cycles."""
    port, rng = await Port.started(dut, 5), random.Random(5)
    port.stalls = {"dst": 0.5}
    size = ON.size
    for _ in range(CASES):
        keys, digest = await port.made(made(KEYGEN, None, b"")), ON.leftmost(rng.randbytes(size))
        key, point = keys[:size], keys[size:]
        assert point == ON.public(key)
        sign = made(SIGN, key, digest)
        one, two = [await port.made(sign) for _ in range(2)]
        assert one != two and all(ON.verify(point + digest + signed) for signed in (one, two))
        await port.check([made(PUBLIC, key, b""), made(VERIFY, None, point + digest + one)])
    port.stalls = {}
    bad = point + digest + one[:-1] + bytes([one[-1] ^ 1])
    wrong = (
        (SIGN, ON.text(ON.n), digest),
        (VERIFY, None, bad),
        (PUBLIC, bytes(size), b""),
        *above(key, point + digest + one),
    )
    for mode, bad_key, message in wrong:
        (result,) = await port.check([made(mode, bad_key, message)])
        assert result.status == INVALID and not any(result.bytes())
        port.begins(mode, result)
        await port.wiped()


def above(key: bytes, signed: bytes) -> list[tuple[int, bytes | None, bytes]]:
    """Return what is right but for a bit above a row: those of P-521 are shorter than a string."""
    if not ON.longer:
        return []
    digest = signed[2 * ON.size : 3 * ON.size]
    bad = [text[:at] + bytes([1]) + text[at + 1 :] for text, at in ((key, 0), (digest, 7))]
    late = signed[: 3 * ON.size] + bytes([128]) + signed[3 * ON.size + 1 :]
    return [(SIGN, bad[0], digest), (SIGN, key, bad[1]), (VERIFY, None, late)]


@cocotb.test(skip=WIDE)
async def ed25519(dut):
    """A signature as OpenSSL's in its steps; one of another R is refused in the same cycles."""
    port, rng = await Port.started(dut, 6), random.Random(6)
    for _ in range(CASES):
        seed, message = rng.randbytes(32), rng.randbytes(50)
        key = Ed25519PrivateKey.from_private_bytes(seed)
        public, signature = key.public_key().public_bytes_raw(), key.sign(message)
        scalar, prefix = hashlib.sha512(seed).digest()[:32], hashlib.sha512(seed).digest()[32:]
        nonce = hashlib.sha512(prefix + message).digest()
        digest = hashlib.sha512(signature[:32] + public + message).digest()
        said = scalar + nonce + digest
        jobs = [
            (made(ED_COMMIT, None, nonce), signature[:32]),
            (made(ED_SIGN, None, said + signature[:32]), signature),
            (made(ED_SIGN, None, said + public), None),
            (made(ED_VERIFY, None, public + digest + signature), signature[:32]),
            (made(ED_PUBLIC, scalar, b""), public),
        ]
        for job_, expected in jobs if CASES > 1 else jobs[:3]:
            (result,) = await port.check([job_])
            assert result.status == (OK if expected else INVALID)
            assert result.bytes() == (expected or bytes(64))
            port.begins(job_.job.mode, result)
            await port.wiped()


def once(mode: int, key: bytes, message: bytes) -> Job:
    """Return a job with a key of two transfers."""
    said = {"key_bytes": ENGINE.key_bytes(mode)}
    return Job(job.Job(mode, False, 0, b"", message, key.ljust(64, b"\0"), **said))


@cocotb.test(skip=WIDE)
async def nonces(dut):
    """A new key signs by a nonce of the engine's: OpenSSL verifies that, in the same cycles all."""
    port, rng = await Port.started(dut, 7), random.Random(7)
    keys = [await port.made(made(ED_KEYGEN, None, b""))]
    for secret in (1, 2**256 - 1):
        key = secret.to_bytes(32, "little")
        keys.append(key + ed25519_public(key))
    message = rng.randbytes(50)
    for _ in range(CASES):
        seed = rng.randbytes(32)
        known = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
        keys.append(hashlib.sha512(seed).digest()[:32] + known)
    for pair in keys:
        scalar, public = pair[:32], pair[32:]
        assert ed25519_public(scalar) == public
        held, other = [await port.made(once(ED_NONCE, scalar, b"")) for _ in range(2)]
        assert held[:32] == other[:32] == scalar and held[32:64] != other[32:64]
        point, of_other = held[64:], other[64:]
        digest = hashlib.sha512(point + public + message).digest()
        for r in (point, of_other):
            (result,) = await port.check([once(ED_ONCE, held[:64], digest + r)])
            assert result.status == (OK if r == point else INVALID)
            port.begins(ED_ONCE, result)
            if r == point:
                key = Ed25519PublicKey.from_public_bytes(public)
                key.verify(result.bytes(), message)
            await port.wiped()


@cocotb.test(skip=WIDE)
async def x25519_keys(dut):
    """A new key and its public one, as OpenSSL and the ladder have it; no two are the same."""
    port, keys = await Port.started(dut, 9), set()
    port.stalls = {"dst": 0.5}
    for _ in range(CASES + 1):
        pair = await port.made(made(X_KEYGEN, None, b""))
        await port.wiped()
        scalar, public = pair[:32], pair[32:]
        key = X25519PrivateKey.from_private_bytes(scalar)
        assert key.public_key().public_bytes_raw() == public
        await port.check([made(X25519, scalar, b"\x09" + bytes(31))])
        keys.add(scalar)
    assert len(keys) == CASES + 1


@cocotb.test(skip=WIDE)
async def stuck(dut):
    """A random port that repeats itself gives neither key nor nonce."""
    port = await Port.started(dut, 8, feed=False)
    dut.rnd_valid_i.value, dut.rnd_i.value = 1, 0x5A5A << 99
    new = (made(ED_KEYGEN, None, b""), made(X_KEYGEN, None, b""))
    for said in (*new, once(ED_NONCE, bytes(range(32)), b"")):
        none = Outcome(tag=bytes(MODES[said.job.mode].tag or 0)).beats()
        (result,) = await port.check([said], [Result(INVALID, none)])
        if said.job.key:
            port.begins(said.job.mode, result)
        await port.wiped()


@cocotb.test()
async def refused(dut):
    """Wrong lengths and parameters take nothing, at once; a good job behind them is right."""
    port = await Port.started(dut, 2)
    point = ON.text(*ON.multiple(3))
    good = made(ECDH, ON.text(5), point)
    if not WIDE:
        good = made(X25519, bytes(range(32)), b"\x09" + bytes(31))
    for mode in NAMES:
        whole = SIZE[mode]
        sizes = {0, 1, 31, 32, 33, 48, 63, 64, 65, 96, 128, 159, 160, 191, 192, 224, 240, 288}
        sizes |= {66, 72, 80, 132, 400} if ON.longer else set()
        sizes = {*sizes, 2**32 - 1} - {whole}
        bad = [Job(made(mode, b"", b"").job, (("msg_len", size),)) for size in sorted(sizes)]
        rest = [("aad_len", 1), ("decrypt", 1), ("ctx_save", 1), ("ctx_load", 1), ("is_final", 0)]
        lengths = {1, 16, 31, 32, 33, 48, 64, 96, 128, 144}
        lengths |= {66, 72, 80, 132, 160, 240} if ON.longer else set()
        lengths -= {MODES[mode].tag}
        rest += [("out_len", size) for size in sorted(lengths)]
        if MODES[mode].key == Key.bytes:
            sizes = {0, 31, 32, 33, 47, 48, 49, 63, 64, 66, 80} - {ENGINE.key_bytes(mode)}
            rest += [("key_bytes", size) for size in sizes]
        bad += [Job(made(mode, b"", b"").job, (("msg_len", whole), field)) for field in rest]
        await port.check(bad)
    await port.check(
        [
            Job(good.job, (("mode", mode), ("msg_len", SIZE.get(mode, 32))))
            for mode in set(range(16)) - NAMES.keys()
        ]
    )
    assert port.left() == 0
    await port.check([good])


@cocotb.test()
async def no_random_bits(dut):
    """Without them a job ends in time, gives zeros, and leaves nothing."""
    port = await Port.started(dut, 3, feed=False)
    key, size = ON.text(ON.n - 2), ON.size
    none = Result(NO_RANDOM, Outcome(tag=bytes(size)).beats())
    agree = made(ECDH, key, bytes(2 * size))
    for case in [agree] if WIDE else [made(X25519, key, bytes(32)), agree]:
        (result,) = await port.check([case], [none])
        assert result.done - port.handshakes["key"][0] < RANDOM_CYCLES + 1000
        await port.wiped()
    # A part of what is needed is not enough, and is not kept for the next job.
    dut.rnd_valid_i.value, dut.rnd_i.value = 1, 2**128 - 1
    results = port.begin([agree], [none])
    for _ in range(WORDS - 1):
        await settled_high(dut.rnd_ready_o)
        await RisingEdge(dut.clk_i)
    dut.rnd_valid_i.value = 0
    await Timer(1, "ns")
    await port.finish(results)
    assert (results[0].status, results[0].bytes()) == (NO_RANDOM, bytes(size))
    await port.wiped()


@cocotb.test()
async def aborts(dut):
    """Clear and reset in each phase of a job: no end comes, all is wiped, the next job is right."""
    port, rng = await Port.started(dut, 4), random.Random(4)
    case = made(X25519, bytes(range(1, 33)), b"\x09" + bytes(31))
    if WIDE:
        case = made(PUBLIC, ON.text(0x1234 << 300 | 5), b"")
    whole = simulated.OF[MACHINE][NAMES[case.job.mode]] + LATENCY
    new = simulated.OF[MACHINE][NAMES[KEYGEN]] + LATENCY
    stops = [(case, stop) for stop in (1, 2, 3, 5, 7, 20, 300, rng.randrange(whole), whole + 10)]
    stops += [(made(KEYGEN, None, b""), new + 10)]
    for number, (said, stop) in enumerate(stops):
        port.stalls = {"dst": 0.9} if stop > new else {}
        beats = (MODES[said.job.mode].tag or 0) // 16
        await port.aborts(said, beats, stop, reset=number % 3 == 2)
    port.stalls = {}
    await port.check([case])
