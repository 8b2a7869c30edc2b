"""cocotb tests of the Keccak engine on its port; KECCAK_ROUNDS says rounds per cycle."""

import itertools
import os
import random

import cocotb
from cocotb.triggers import RisingEdge
from keccak_port import Job, Port, Result, model, random_job
from keccak_vectors import jobs as nist_jobs
from keccak_vectors import records
from support import wycheproof

from cryptile.jobs.oracle import keccak
from cryptile.jobs.oracle.keccak import (
    CSHAKE128,
    CSHAKE256,
    KMAC128,
    KMAC256,
    KMACXOF128,
    KMACXOF256,
    RATE,
    SHA3_224,
    SHA3_256,
    SHA3_512,
    SHAKE128,
    SHAKE256,
    absorb,
    names,
    squeeze,
)
from cryptile.jobs.port import AUTH_FAILED, OK, TAG, pack_beats

PERMUTATION = 24 // int(os.environ["KECCAK_ROUNDS"])
PROTECTED = os.environ.get("KECCAK_PROTECT", "none") != "none"
SHARE = int(os.environ.get("KECCAK_SHARE", "1"))
"""One of so many of NIST's vectors."""

HASHES = ("SHA3_224", "SHA3_256", "SHA3_384", "SHA3_512", "SHAKE128", "SHAKE256")

KEY = bytes(range(0x40, 0x60))
SHORT, LONG = bytes(range(4)), bytes(range(200))
MAIL, TAGGED = b"Email Signature", b"My Tagged Application"
SAMPLES = [
    (CSHAKE128, SHORT, MAIL, "c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5"),
    (CSHAKE128, LONG, MAIL, "c5221d50e4f822d96a2e8881a961420f294b7b24fe3d2094baed2c6524cc166b"),
    (CSHAKE256, SHORT, MAIL, "d008828e2b80ac9d2218ffee1d070c48b8e4c87bff32c9699d5b6896eee0edd1"
     "64020e2be0560858d9c00c037e34a96937c561a74c412bb4c746469527281c8c"),
    (CSHAKE256, LONG, MAIL, "07dc27b11e51fbac75bc7b3c1d983e8b4b85fb1defaf218912ac864302730917"
     "27f42b17ed1df63e8ec118f04b23633c1dfb1574c8fb55cb45da8e25afb092bb"),
    (KMAC128, SHORT, b"", "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"),
    (KMAC128, SHORT, TAGGED, "3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5"),
    (KMAC128, LONG, TAGGED, "1f5b4e6cca02209e0dcb5ca635b89a15e271ecc760071dfd805faa38f9729230"),
    (KMAC256, SHORT, TAGGED, "20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7"
     "f69d4cc3de9d104a351689f27cf6f5951f0103f33f4f24871024d9c27773a8dd"),
    (KMAC256, LONG, b"", "75358cf39e41494e949707927cee0af20a3ff553904c86b08f21cc414bcfd691"
     "589d27cf5e15369cbbff8b9a4c2eb17800855d0235ff635da82533ec6b759b69"),
    (KMAC256, LONG, TAGGED, "b58618f71f92e1d56c1b8c55ddd7cd188b97b4ca4d99831eb2699a837da2e4d9"
     "70fbacfde50033aea585f1a2708510c32d07880801bd182898fe476876fc8965"),
    (KMACXOF128, SHORT, b"", "cd83740bbd92ccc8cf032b1481a0f4460e7ca9dd12b08a0c4031178bacd6ec35"),
    (KMACXOF128, SHORT, TAGGED,
     "31a44527b4ed9f5c6101d11de6d26f0620aa5c341def41299657fe9df1a3b16c"),
    (KMACXOF128, LONG, TAGGED, "47026c7cd793084aa0283c253ef658490c0db61438b8326fe9bddf281b83ae0f"),
    (KMACXOF256, SHORT, TAGGED, "1755133f1534752aad0748f2c706fb5c784512cab835cd15676b16c0c6647fa9"
     "6faa7af634a0bf8ff6df39374fa00fad9a39e322a7c92065a64eb1fb0801eb2b"),
    (KMACXOF256, LONG, b"", "ff7b171f1e8a2b24683eed37830ee797538ba8dc563f6da1e667391a75edc02c"
     "a633079f81ce12a25f45615ec89972031d18337331d24ceb8f8ca8e6a19fd98b"),
    (KMACXOF256, LONG, TAGGED, "d5be731c954ed7732846bb59dbe3a8e30f83e77a4bff4459f2f1c2b4ecebb8ce"
     "67ba01c62e8ab8578d2d499bd1bb276768781190020a306a97de281dcc30305d"),
]  # fmt: skip
"""NIST's samples of cSHAKE, KMAC and KMACXOF: mode, message, customisation, output."""


async def start(dut, seed: int = 0, stalls: dict[str, float] | None = None) -> Port:
    port = Port(dut, seed, stalls)
    await port.start()
    return port


async def check_outputs(port: Port, pairs: list[tuple[Job, bytes]]) -> None:
    """Compare with outputs that are known, not computed."""
    jobs = [job for job, _ in pairs]
    await port.check(jobs, [Result(OK, pack_beats(output, TAG)) for _, output in pairs])


@cocotb.test()
async def nist_samples(dut):
    """SP 800-185; KMAC's tags also go in to be verified."""
    port = await start(dut)
    pairs = []
    for mode, data, custom, output in SAMPLES:
        tag = bytes.fromhex(output)
        kmac = mode >= KMAC128
        aad = names(b"KMAC" if kmac else b"", custom)
        pairs.append((Job(mode, data, len(tag), aad, KEY if kmac else b""), tag))
        if kmac:
            pairs.append((Job(mode, data, len(tag), aad, KEY, tag, decrypt=True), b""))
    await check_outputs(port, pairs)


@cocotb.test()
async def cavp_messages(dut):
    """Short messages of all lengths, and a few long ones."""
    port = await start(dut)
    for mode, name in enumerate(HASHES):
        pairs = list(nist_jobs(f"{name}ShortMsg", mode))[::SHARE]
        pairs += itertools.islice(nist_jobs(f"{name}LongMsg", mode), 3, 100, 40)
        assert len(pairs) > 70 // SHARE
        await check_outputs(port, pairs)


@cocotb.test()
async def cavp_outputs(dut):
    """SHAKE with outputs of many lengths."""
    port = await start(dut)
    for mode in (SHAKE128, SHAKE256):
        pairs = list(nist_jobs(f"{HASHES[mode]}VariableOut", mode))[:: 10 * SHARE]
        assert len(pairs) > 100 // SHARE
        await check_outputs(port, pairs)


@cocotb.test(skip=SHARE > 2)
async def cavp_monte_carlo(dut):
    """The first of NIST's hundred checkpoints: 1000 digests, each of the one before."""
    port = await start(dut)
    seed, first = itertools.islice(records("SHA3_256Monte"), 2)
    digest = bytes.fromhex(seed["Seed"])
    for _ in range(1000):
        (result,) = port.begin([Job(SHA3_256, digest)], [Result(OK, [0, 0])])
        await port.finish(result)
        digest = result.bytes()
    assert digest == bytes.fromhex(first["MD"])


@cocotb.test()
async def wycheproof_kmac(dut):
    """Good and wrong tags, and keys of many lengths."""
    port = await start(dut)
    for mode, name in ((KMAC128, "kmac128"), (KMAC256, "kmac256")):
        jobs, expected = [], []
        for group in wycheproof.load(f"{name}_no_customization_test.json")["testGroups"]:
            for case in group["tests"][::SHARE]:
                key, msg, tag = (bytes.fromhex(case[part]) for part in ("key", "msg", "tag"))
                if len(key) > 64:
                    continue
                aad = names(b"KMAC", b"")
                jobs.append(Job(mode, msg, len(tag), aad, key, tag, decrypt=True))
                valid = case["result"] == "valid"
                expected.append(Result(OK if valid else AUTH_FAILED))
        assert len(jobs) > 100 // SHARE
        await port.check(jobs, expected)


@cocotb.test()
async def lengths(dut):
    """Messages and associated data that end at every byte round the end of a block."""
    rng = random.Random(3)
    port = await start(dut)
    for mode in range(12):
        custom = mode >= CSHAKE128
        ends = [*range(-10, 3), RATE[mode] - 1, RATE[mode]]
        jobs = [Job(mode, rng.randbytes(RATE[mode] + end)) for end in ends]
        for job, end in zip(jobs, ends, strict=True):
            # Right-encoded lengths of output of one and two bytes.
            job.size = rng.choice([0, 31, 33]) if custom else 0
            if custom:
                job.aad = rng.randbytes(RATE[mode] - 2 + end)
            if mode >= KMAC128:
                job.key = rng.randbytes(min(64, 32 + end))
        await port.check(jobs)


@cocotb.test()
async def long_outputs(dut):
    """Outputs over many blocks; lengths that take three bytes to encode."""
    rng = random.Random(4)
    port = await start(dut)
    jobs = [Job(mode, b"abc", size) for mode in (4, 5) for size in (1000, 168 * 3, 136 * 5, 137)]
    jobs += [
        Job(mode, b"abc", 8192 + 5, names(b"KMAC", b""), KEY) for mode in (KMAC128, KMACXOF256)
    ]
    tag = jobs[-2].right()
    jobs.append(Job(KMAC128, b"abc", 8197, names(b"KMAC", b""), KEY, tag, decrypt=True))
    wrong = tag[:5000] + bytes([tag[5000] ^ 1]) + tag[5001:]
    jobs.append(Job(KMAC128, b"abc", 8197, names(b"KMAC", b""), KEY, wrong, decrypt=True))
    await port.check(jobs)
    # Of four and five bytes: the begin of an output that is then cut off.
    for size in (1 << 21, 1 << 29):
        job = Job(KMAC256, rng.randbytes(60), size, names(b"KMAC", b""), KEY)
        end = keccak.tail(KMAC256, size, len(job.data))
        before = keccak.head(KMAC256, job.aad, job.key)
        state = absorb(bytes(200), 136, before + job.data + end)
        begin = [beat & ~4 for beat in pack_beats(squeeze(state, 136, 320), TAG)]
        (result,) = port.begin([job], [Result(OK, begin)])
        while len(result.beats) < len(begin):
            await RisingEdge(dut.clk_i)
        assert result.beats == begin
        await port.clear()


def bad_jobs(rng: random.Random) -> list[Job]:
    data, aad = rng.randbytes(64), names(b"KMAC", b"")
    jobs = [
        *(Job(mode, data) for mode in (12, 13, 14, 15)),
        *(Job(mode, data, change={"key_len": 3}) for mode in range(6)),
        *(Job(mode, data, keccak.FULL[mode] + 1) for mode in range(4)),
        Job(SHA3_512, data, 1 << 31),
        *(Job(mode, data, change={"aad_len": 1}) for mode in range(6)),
        *(Job(mode, data) for mode in range(6, 12)),
        *(Job(mode, data, aad=aad, change={"ctx_load": 1}) for mode in range(6, 12)),
        *(Job(mode, data, change={"decrypt": 1}) for mode in range(6)),
        *(Job(mode, data, aad=aad, change={"decrypt": 1}) for mode in (6, 7)),
        *(Job(mode, data, aad=aad, change={"key_bytes": 65}) for mode in range(8, 12)),
        Job(SHA3_256, data, change={"ctx_save": 1}),
        Job(SHA3_256, rng.randbytes(136), change={"is_final": 0}),
    ]
    for mode in range(6):
        for size in (8, 1, RATE[mode] - 8, RATE[mode] + 8, RATE[mode] + 1, 2**32 - 256):
            if size % RATE[mode]:
                change = {"is_final": 0, "ctx_save": 1, "msg_len": size}
                jobs.append(Job(mode, b"", change=change))
    for job in jobs:
        job.bad = True
    return jobs


@cocotb.test()
async def bad_parameters(dut):
    """A bad job moves neither key nor data, and the next good one is untouched."""
    rng = random.Random(5)
    port = await start(dut)
    await port.check_refused(list(bad_jobs(rng)), lambda: random_job(rng, 40, 40))


@cocotb.test()
async def parts(dut):
    """A message in parts, each continued from the context of the one before, is the whole."""
    rng = random.Random(7)
    port = await start(dut, 7, {"src": 0.1, "dst": 0.1})
    for mode in range(12):
        rate = RATE[mode]
        data = rng.randbytes(4 * rate + rng.randrange(rate))
        whole = Job(mode, data)
        if mode >= CSHAKE128:
            whole.aad = names(b"KMAC", rng.randbytes(rng.randrange(200)))
        if mode >= KMAC128:
            whole.key = rng.randbytes(rng.randrange(65))
        context = b""
        for first, end in ((0, 0), (0, rate), (rate, rate), (rate, 4 * rate)):
            part = Job(mode, data[first:end], is_final=False, context=context, key=whole.key)
            part.aad = b"" if context else whole.aad
            (result,) = await port.check([part])
            context = result.bytes()
            assert len(context) == 208
        last = Job(mode, data[4 * rate :], context=context, key=whole.key)
        (result,) = await port.check([last])
        assert result.bytes() == whole.right()


def secrets(dut) -> list[int]:
    sponge = dut.u_engine.u_sponge
    return [int(value.value) for value in (sponge.state_q, sponge.buffer_q, dut.u_engine.dst_q)]


@cocotb.test()
async def wiped_when_aborted(dut):
    """Whatever the phase of whatever job is aborted, no secret is left."""
    rng = random.Random(8)
    port = await start(dut, 8, {"dst": 0.3, "src": 0.3})
    for number in range(20):
        port.begin([random_job(rng) for _ in range(3)])
        for _ in range(rng.randrange(1, 250)):
            await RisingEdge(dut.clk_i)
        if number % 3 == 0:
            await port.reset()
        else:
            await port.clear()
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert not any(secrets(dut))


@cocotb.test()
async def wiped(dut):
    """Nothing is left one cycle after a job has ended."""
    rng = random.Random(9)
    port = await start(dut)
    for _ in range(20):
        await port.check([random_job(rng)])
        await RisingEdge(dut.clk_i)
        assert not any(secrets(dut))


@cocotb.test()
async def cycles(dut):
    """A permutation follows the other: blocks in, and blocks out, take no more than that."""
    port = await start(dut)
    for mode in (SHA3_224, SHA3_256, SHA3_512, SHAKE128):
        ends = []
        for blocks in (4, 30):
            (result,) = await port.check([Job(mode, bytes(blocks * RATE[mode]))])
            ends.append(result.done - port.handshakes["job"][0])
        assert ends[1] - ends[0] == 26 * PERMUTATION, mode
    for mode in (SHAKE128, SHAKE256):
        (result,) = await port.check([Job(mode, b"", 8 * RATE[mode])])
        # Two blocks are a whole number of beats.
        firsts = result.cycles[:: RATE[mode] // 8]
        taken = 2 * PERMUTATION
        if PROTECTED:  # a block leaves before the next one is made; half beats are one cycle each
            taken += RATE[mode] // 8 + 3
        assert {b - a for a, b in itertools.pairwise(firsts)} == {taken}, mode
    (result,) = await port.check([Job(SHA3_256, bytes(4096))])
    taken = result.done - port.handshakes["job"][0]
    cocotb.log.info("SHA3-256 of 4 KiB: %d cycles", taken)
    assert 4096 / 136 * PERMUTATION / taken > (0.95 if PERMUTATION == 24 else 0.92)


@cocotb.test()
async def no_secret_in_timing(dut):
    """All handshakes come in the same cycles whatever key, data and tag are."""
    rng = random.Random(12)
    port = await start(dut)
    for mode in range(12):
        for decrypt in (False, True) if mode >= KMAC128 else (False,):
            seen = set()
            for value in (bytes, lambda n: b"\xff" * n, rng.randbytes, rng.randbytes):
                begin = port.cycle
                job = Job(mode, value(300), decrypt=decrypt)
                job.aad = value(20) if mode >= CSHAKE128 else b""
                if mode >= KMAC128:
                    job.key, job.tag = value(40), value(job.full_size)
                (result,) = await port.check([job], [model(job)])
                events = [*itertools.chain(*port.handshakes.values()), *result.cycles, result.done]
                seen.add(tuple(event - begin for event in events))
            assert len(seen) == 1, (mode, decrypt, seen)
