"""cocotb tests of the SHA-2 engine on its port; SHA2_ROUNDS and SHA2_HASHES say how it is built."""

import hashlib
import itertools
import os
import random

import cocotb
from cocotb.triggers import RisingEdge
from sha2_port import Job, Port, random_job
from support import nist_sha2, rfc4231, wycheproof

from cryptile.jobs.oracle.sha2 import NAMES, block_size, compress, digest_size
from cryptile.jobs.port import AUTH_FAILED, OK

ROUNDS = int(os.environ["SHA2_ROUNDS"])
HASHES = list(range(int(os.environ["SHA2_HASHES"])))
WIDE = len(HASHES) > 2
SOME = [1, 2, 5] if WIDE and ROUNDS == 1 else HASHES
"""Where one build with all hashes is enough."""
PROTECTED = os.environ["SHA2_PROTECT"] != "none"


def cycles(mode: int) -> int:
    """Cycles of a block."""
    return (64 if mode < 2 else 80) // ROUNDS


async def start(dut, seed: int = 0, stalls: dict[str, float] | None = None) -> Port:
    port = Port(dut, seed, stalls)
    await port.start()
    return port


@cocotb.test()
async def cavp_short(dut):
    """NIST's short messages: each build has its share of them."""
    port = await start(dut)
    share = (ROUNDS + 2 * (not WIDE)) % 3
    for mode in HASHES:
        cases = nist_sha2.messages(NAMES[mode], "Short")[share::9]
        results = await port.run([Job(mode, message) for message, _ in cases])
        for (_, digest), result in zip(cases, results, strict=True):
            assert (result.status, result.bytes()) == (OK, digest)


@cocotb.test(skip=ROUNDS == 1)
async def cavp_long(dut):
    """The shortest and the longest of NIST's long messages."""
    port = await start(dut)
    for mode in HASHES:
        cases = nist_sha2.messages(NAMES[mode], "Long")
        for message, digest in (cases[0], cases[-1]):
            (result,) = await port.run([Job(mode, message)])
            assert (result.status, result.bytes()) == (OK, digest)


@cocotb.test(skip=ROUNDS == 1)
async def cavp_monte_carlo(dut):
    """The first checkpoint: a thousand digests, each of the last three."""
    port = await start(dut)
    seed, expected = nist_sha2.monte_carlo("sha256")
    last = [seed] * 3
    for _ in range(1000):
        (result,) = await port.run([Job(1, b"".join(last))])
        last = [*last[1:], result.bytes()]
    assert last[-1] == expected[0]


def short_key(mode: int, key: bytes) -> bytes | None:
    """Return a key as the caller gives it to the engine; ``None``: it does not fit."""
    if len(key) > block_size(mode):
        return hashlib.new(NAMES[mode], key).digest()
    return key if len(key) <= 64 else None


@cocotb.test()
async def rfc_4231(dut):
    port = await start(dut)
    for mode in HASHES[:4]:
        cases = rfc4231.vectors(NAMES[mode])
        jobs = [Job(mode, message, short_key(mode, key)) for key, message, _ in cases]
        results = await port.run(jobs)
        for (_, _, tag), result in zip(cases, results, strict=True):
            assert result.status == OK
            assert result.bytes()[: len(tag)] == tag


@cocotb.test()
async def wycheproof_vectors(dut):
    """Good, wrong and short tags, compared by the engine."""
    port = await start(dut)
    jobs, expected = [], []
    for mode in HASHES:
        for group in wycheproof.load(f"hmac_{NAMES[mode]}_test.json")["testGroups"]:
            for case in group["tests"][ROUNDS - 1 :: 24]:
                key, msg, tag = (bytes.fromhex(case[name]) for name in ("key", "msg", "tag"))
                if (fits := short_key(mode, key)) is None:
                    continue
                jobs.append(Job(mode, msg, fits, tag=tag, out_len=len(tag)))
                expected.append(OK if case["result"] == "valid" else AUTH_FAILED)
    results = await port.run(jobs)
    for job, result, status in zip(jobs, results, expected, strict=True):
        assert (result.status, result.beats) == (status, []), job
    assert {*expected} == {OK, AUTH_FAILED}
    assert len(jobs) > 7 * len(HASHES)


@cocotb.test()
async def lengths(dut):
    """Every length at which padding changes, of messages, keys and digests."""
    rng = random.Random(3)
    port = await start(dut)
    near = {
        0: (0, 1, 8, 15, 16, 17, 32, 47, 48, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128),
        1: (0, 1, 63, 64, 96, 111, 112, 113, 119, 127, 128, 129, 239, 240, 256),
    }
    jobs = []
    for mode in HASHES:
        for size in near[mode > 1]:
            jobs.append(Job(mode, rng.randbytes(size)))
    for size in (0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64):
        jobs.append(Job(rng.choice(HASHES), rng.randbytes(3), rng.randbytes(size)))
    for mode in HASHES:
        for size in (1, 16, 17, digest_size(mode) - 1):
            jobs.append(Job(mode, b"abc", b"key" if size % 2 else None, out_len=size))
    await port.check(jobs)


@cocotb.test()
async def parts(dut):
    """A message in parts, each continued from the context the engine gave, is the whole."""
    rng = random.Random(7)
    port = await start(dut)
    for mode, key in itertools.product(SOME, (None, rng.randbytes(20))):
        block = block_size(mode)
        data = rng.randbytes(5 * block + 7)
        context = None
        edges = [0, 0, block, 3 * block, 3 * block, 5 * block, len(data)]
        for begin, end in itertools.pairwise(edges):
            more = end != len(data)
            job = Job(mode, data[begin:end], key, data[:begin] if begin else None, more)
            job.raw_context = context
            (result,) = await port.check([job])
            context = result.bytes() if begin or end else None


@cocotb.test()
async def huge_totals(dut):
    """The length that is hashed has all its bits: the context says how much came before."""
    rng = random.Random(8)
    port = await start(dut)
    for mode, before in itertools.product(HASHES, (2**32, 2**35 - 128, 2**61 - 128, 2**64 - 256)):
        bits, size = (32, 64) if mode < 2 else (64, 128)
        state = [rng.getrandbits(bits) for _ in range(8)]
        pairs = [state[i] << 64 - bits for i in (3, 7, 2, 6, 1, 5, 0, 4)]
        job = Job(mode, rng.randbytes(20), before=b"")
        job.raw_context = b"".join(w.to_bytes(8, "little") for w in [*pairs, before, 0])
        length = 8 * (before + 20) % 2 ** (2 * bits)
        block = job.data + b"\x80" + bytes(size - 21 - 16) + length.to_bytes(16, "big")
        digest = b"".join(word.to_bytes(bits // 8, "big") for word in compress(state, block, bits))
        (result,) = await port.run([job])
        assert result.bytes() == digest[: digest_size(mode)], (mode, before)


def bad_jobs(rng: random.Random) -> list[Job]:
    key, data = rng.randbytes(32), rng.randbytes(128)
    changes = [
        *(Job(mode, data) for mode in range(8) if mode not in HASHES),
        *(Job(mode, data, key) for mode in range(8) if mode not in HASHES),
        Job(1, data, change={"key_len": 3}),
        Job(1, data, change={"aad_len": 1}),
        Job(1, data, change={"ctx_save": 1}),
        Job(1, data, change={"is_final": 0}),
        Job(1, data, change={"decrypt": 1}),
        Job(1, data, more=True, change={"decrypt": 1}),
        *(Job(1, data, more=True, change={"msg_len": size}) for size in (1, 63, 65, 2**32 - 1)),
        Job(1, data, key, change={"key_bytes": 65}),
        Job(1, data, key, change={"key_bytes": 127}),
        *(Job(mode, data, change={"out_len": digest_size(mode) + 1}) for mode in HASHES),
        Job(0, data, change={"out_len": 2**31 + 1}),
        Job(0, data, key, tag=b"a", change={"out_len": 29}),
    ]
    if WIDE:
        changes += [Job(2, data, more=True, change={"msg_len": size}) for size in (64, 192)]
    for job in changes:
        job.bad = True
    return changes


@cocotb.test()
async def bad_parameters(dut):
    """A bad job moves neither key nor data, and the next good one is untouched."""
    rng = random.Random(5)
    port = await start(dut)
    await port.check_refused(list(bad_jobs(rng)), lambda: random_job(rng, HASHES, 40))


def secrets(dut, key_too: bool = True) -> list[int]:
    core = dut.u_engine.u_core
    registers = [core.state_q, core.hash_q, dut.dst_o]
    if key_too:
        registers += [core.schedule_q, dut.u_engine.gen_key.key_q]
    values = [int(register.value) for register in registers]
    values[2] >>= 19  # the data; the rest tells of the job's kind
    return values


@cocotb.test()
async def wiped_when_aborted(dut):
    """Whatever the phase of whatever job is aborted, no secret is left."""
    rng = random.Random(8)
    port = await start(dut, 8, {"dst": 0.3, "src": 0.3})
    for number in range(12):
        port.begin([random_job(rng, HASHES) for _ in range(3)])
        for _ in range(rng.randrange(1, 500)):
            await RisingEdge(dut.clk_i)
        if number % 3 == 0:
            await port.reset()
        else:
            await port.clear()
        await RisingEdge(dut.clk_i)
        if number % 2 == 0:
            await RisingEdge(dut.clk_i)
            assert not any(secrets(dut, key_too=False))
            for _ in range(16):
                await RisingEdge(dut.clk_i)
            assert not any(secrets(dut))


@cocotb.test()
async def wiped_after_job(dut):
    rng = random.Random(9)
    port = await start(dut)
    for _ in range(8):
        await port.check([random_job(rng, HASHES)])
        for _ in range(18):
            await RisingEdge(dut.clk_i)
        assert not any(secrets(dut))


@cocotb.test()
async def cycles_per_block(dut):
    """No cycle is lost between blocks, between jobs, and to HMAC."""
    rng = random.Random(10)
    port = await start(dut)
    for mode in SOME:
        size = block_size(mode)
        # Each job ends in a block of padding; with HMAC come three blocks.
        for key, own, blocks in ((None, 1, 4), (None, 3, 1), (b"key", 4, 1)):
            jobs = [Job(mode, rng.randbytes(blocks * size), key) for _ in range(4)]
            if own == 3:  # short ones: a single block with padding
                jobs, own, blocks = [Job(mode, rng.randbytes(20)) for _ in range(6)], 1, 0
            results = await port.check(jobs)
            gaps = {b.done - a.done for a, b in itertools.pairwise(results)}
            assert gaps == {(own + blocks) * cycles(mode)}, (mode, key, gaps)
            first = results[0].cycles[0] - port.handshakes["job"][0]
            expected = (own + blocks) * cycles(mode) + 2 + 4 * (key is not None) + PROTECTED
            assert first == expected, (mode, key, first)


@cocotb.test()
async def no_secret_in_timing(dut):
    """All handshakes come in the same cycles whatever key, data, context and tag are."""
    rng = random.Random(12)
    port = await start(dut)
    values = [lambda n: bytes(n), lambda n: b"\xff" * n, rng.randbytes, rng.randbytes]
    for mode in SOME:
        size = digest_size(mode)
        for key_size, tag_size in ((None, 0), (40, 0), (40, size), (40, 5)):
            seen = set()
            for value in values:
                begin = port.cycle
                key = None if key_size is None else value(key_size)
                job = Job(mode, value(100), key, out_len=tag_size)
                if tag_size:
                    job.tag = value(tag_size)
                if tag_size == 5 and value is values[-1]:
                    job.tag = job.digest()
                (result,) = await port.check([job])
                events = [*itertools.chain(*port.handshakes.values()), *result.cycles, result.done]
                seen.add(tuple(event - begin for event in events))
            assert len(seen) == 1, (mode, key_size, tag_size, seen)
