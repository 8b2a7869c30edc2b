"""cocotb tests of the Ascon engine on its port; ASCON_ROUNDS says rounds per cycle."""

import os
import random
from dataclasses import replace

import cocotb
from ascon_port import Job, Port, Result, model, random_job, secrets
from cocotb.triggers import RisingEdge
from support import ascon_vectors, wycheproof

from cryptile.jobs.oracle.ascon import AEAD128, CXOF128, HASH256, XOF128
from cryptile.jobs.port import AUTH_FAILED, OK, TAG, pack_beats

ROUNDS = int(os.environ["ASCON_ROUNDS"])
SHARE = int(os.environ.get("ASCON_SHARE", "1"))
"""One of so many of the known answers."""


async def start(dut, seed: int = 0, stalls: dict[str, float] | None = None) -> Port:
    port = Port(dut, seed, stalls)
    await port.start()
    return port


@cocotb.test()
async def known_aead128(dut):
    """The designers' known answers, in both directions."""
    port = await start(dut)
    jobs, expected = [], []
    for key, nonce, aad, text, out in ascon_vectors.aead128()[::SHARE]:
        ciphertext, tag = out[:-16], out[-16:]
        jobs.append(Job(AEAD128, text, 0, aad, key, nonce))
        expected.append(Result(OK, pack_beats(ciphertext) + pack_beats(tag, TAG)))
        jobs.append(Job(AEAD128, ciphertext, 0, aad, key, nonce, tag, decrypt=True))
        expected.append(Result(OK, pack_beats(text)))
    await port.check(jobs, expected)


@cocotb.test()
async def known_digests(dut):
    """The designers' known answers of the hash and of the functions of any length."""
    port = await start(dut)
    pairs = [(Job(HASH256, message), out) for message, out in ascon_vectors.hash256()[:260:SHARE]]
    pairs += [
        (Job(XOF128, message, len(out)), out)
        for message, out in ascon_vectors.xof128()[: 260 : 2 * SHARE]
    ]
    pairs += [
        (Job(CXOF128, message, len(out), custom), out)
        for message, custom, out in ascon_vectors.cxof128()[:: 2 * SHARE]
    ]
    expected = [Result(OK, pack_beats(out, TAG)) for _, out in pairs]
    await port.check([job for job, _ in pairs], expected)


@cocotb.test()
async def wycheproof_vectors(dut):
    """Good and wrong tags."""
    port = await start(dut)
    jobs, expected = [], []
    for group in wycheproof.load("ascon_sp800_232_aead128_test.json")["testGroups"]:
        for case in group["tests"][::SHARE]:
            names = ("ct", "aad", "key", "iv", "tag")
            data, aad, key, nonce, tag = (bytes.fromhex(case[name]) for name in names)
            jobs.append(Job(AEAD128, data, 0, aad, key, nonce, tag, decrypt=True))
            good = case["result"] == "valid"
            text = bytes.fromhex(case["msg"]) if good else model(jobs[-1]).bytes()
            expected.append(Result(OK if good else AUTH_FAILED, pack_beats(text)))
    await port.check(jobs, expected)


@cocotb.test()
async def short_tag(dut):
    """A tag whose last byte is zero, and the same without that byte."""
    rng = random.Random(4)
    port = await start(dut)
    job = Job(AEAD128, rng.randbytes(20), key=rng.randbytes(16), decrypt=True)
    while job.ended()[1][-1]:
        job.nonce = rng.randbytes(16)
    tag = job.ended()[1]
    jobs = [replace(job, tag=tag), replace(job, tag=tag[:15]), replace(job, tag=tag[:15], size=15)]
    statuses = [result.status for result in await port.check(jobs)]
    assert statuses == [OK, AUTH_FAILED, OK]


def bad_jobs(rng: random.Random) -> list[Job]:
    data = rng.randbytes(48)
    jobs = [
        *(Job(mode, data) for mode in range(4, 16)),
        *(Job(AEAD128, data, change={"key_len": length}) for length in (1, 2, 3)),
        *(Job(mode, data, change={"key_len": 3}) for mode in (HASH256, XOF128, CXOF128)),
        *(Job(mode, data, decrypt=True) for mode in (HASH256, XOF128, CXOF128)),
        *(Job(AEAD128, data, size) for size in (17, 1 << 31)),
        *(Job(HASH256, data, size) for size in (33, 1 << 31)),
        *(Job(mode, data, aad=b"a") for mode in (HASH256, XOF128)),
        *(Job(CXOF128, data, change={"aad_len": size}) for size in (257, 512, 1 << 31)),
        *(Job(mode, data, change={"ctx_save": 1}) for mode in range(4)),
        *(Job(mode, data, change={"is_final": 0}) for mode in range(4)),
        *(Job(mode, data, aad=b"a", change={"ctx_load": 1}) for mode in (AEAD128, CXOF128)),
        *(Job(AEAD128, bytes(size), is_final=False) for size in (1, 8, 24, 40)),
        *(Job(mode, bytes(size), is_final=False) for mode in (1, 2, 3) for size in (1, 4, 12, 18)),
    ]
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
    for mode in range(4):
        for decrypt in (False, True) if mode == AEAD128 else (False,):
            size = 0 if mode == HASH256 else 9
            whole = Job(mode, rng.randbytes(150), size, key=rng.randbytes(16), decrypt=decrypt)
            if mode in (AEAD128, CXOF128):
                whole.aad = rng.randbytes(rng.randrange(40))
            whole.tag = whole.ended()[1].ljust(16, b"?")
            context, out = b"", b""
            for first, end in ((0, 0), (0, 16), (16, 16), (16, 96)):
                part = Job(mode, whole.data[first:end], key=whole.key, decrypt=decrypt)
                part.is_final, part.context = False, context
                part.aad = b"" if context else whole.aad
                (result,) = await port.check([part])
                *text, low, middle, high = result.beats
                out += Result(beats=text).bytes()
                context = Result(beats=[low, middle, high]).bytes()
            last = Job(mode, whole.data[96:], size, b"", whole.key, tag=whole.tag, context=context)
            last.decrypt = decrypt
            (result,) = await port.check([last])
            assert result.status == OK
            assert out + result.bytes() == model(whole).bytes()


@cocotb.test()
async def clear_and_reset(dut):
    """Abort at every phase of jobs of every kind; then nothing is left, and a job runs well."""
    rng = random.Random(8)
    port = await start(dut, 8, {"dst": 0.3, "src": 0.3})
    for number in range(60):
        port.begin([random_job(rng) for _ in range(3)])
        for _ in range(rng.randrange(1, 250 // ROUNDS)):
            await RisingEdge(dut.clk_i)
        if number % 3 == 0:
            await port.reset()
        else:
            await port.clear()
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert not int(dut.dst_valid_o.value) and not int(dut.done_valid_o.value)
        assert not any(secrets(dut))
        await port.check([random_job(rng, 50, 40)])


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
    """Permutations follow one another: a job takes no more than they, and five cycles."""
    port = await start(dut)
    for job, rounds in (
        (Job(AEAD128, bytes(1024), aad=bytes(1024)), 12 + 64 * 8 + 8 + 64 * 8 + 12),
        (Job(AEAD128, bytes(1024)), 12 + 64 * 8 + 12),
        (Job(HASH256, bytes(1024)), 12 + 128 * 12 + 12 + 3 * 12),
        (Job(XOF128, bytes(8), 1024), 12 + 12 + 12 + 127 * 12),
    ):
        (result,) = await port.check([job])
        taken = result.done - port.handshakes["job"][0]
        cocotb.log.info("mode %d: %d cycles", job.mode, taken)
        assert taken == rounds // ROUNDS + (4 if job.mode == AEAD128 else 3)


@cocotb.test()
async def no_secret_in_timing(dut):
    """All handshakes come in the same cycles whatever key, data and tag are."""
    rng = random.Random(12)
    port = await start(dut)
    for mode in range(4):
        for decrypt in (False, True) if mode == AEAD128 else (False,):
            seen = set()
            for value in (bytes, lambda n: b"\xff" * n, rng.randbytes, rng.randbytes):
                begin = port.cycle
                job = Job(mode, value(100), 0, b"", value(16), value(16), value(16))
                job.decrypt = decrypt
                job.aad = value(20) if mode in (AEAD128, CXOF128) else b""
                (result,) = await port.check([job])
                handshakes = [cycle for part in port.handshakes.values() for cycle in part]
                events = [*handshakes, *result.cycles, result.done]
                seen.add(tuple(event - begin for event in events))
            assert len(seen) == 1, (mode, decrypt, seen)
