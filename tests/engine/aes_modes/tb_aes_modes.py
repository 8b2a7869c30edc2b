"""cocotb tests of the AES engine of all modes on its port; AES_IMPL says which datapath it has."""

import itertools
import os
import random
from dataclasses import replace

import cocotb
from cocotb.triggers import RisingEdge
from modes_port import (
    GCM_TAGS,
    MODES,
    Job,
    Port,
    beats_out,
    compute,
    model,
    random_iv,
    random_job,
    right_tag,
    secrets,
)
from support import nist_aes, nist_modes, wycheproof
from support.job_port import Result

from cryptile.jobs.oracle.aes import CBC, CCM, CMAC, CTR, ECB, GCM, TAGGED, XTS
from cryptile.jobs.port import AUTH_FAILED, BAD_PARAM, CONTEXT, MESSAGE, OK, TAG

IMPL = os.environ["AES_IMPL"]
PIPELINED = IMPL == "pipelined"
ROUNDS = {16: 10, 24: 12, 32: 14}


async def start(dut, seed: int = 0, stalls: dict[str, float] | None = None) -> Port:
    port = Port(dut, seed, stalls)
    await port.start()
    return port


async def known(dut, cases: list[tuple[Job, int, bytes, bytes]]) -> None:
    """Run jobs with what is known of them: status, message and tag (if it is not compared)."""
    port = await start(dut)
    results = await port.run([job for job, *_ in cases])
    for (job, status, data, tag), result in zip(cases, results, strict=True):
        assert result.status == status, (job, result.status)
        if status == OK:
            assert result.bytes(MESSAGE) == data, job
        assert result.bytes(TAG) == (b"" if job.decrypt else tag), job


def aead_case(mode: int, vector: nist_modes.Vector) -> tuple[Job, int, bytes, bytes]:
    source = vector.cipher if vector.decrypt else vector.plain
    result = vector.plain if vector.decrypt else vector.cipher
    job = Job(
        mode, vector.key, source, vector.iv, vector.aad, vector.tag, len(vector.tag), vector.decrypt
    )
    return job, OK if vector.valid else AUTH_FAILED, result, vector.tag


@cocotb.test()
async def worked_example(dut):
    """The README's example of byte order, as numbers on the port."""
    port = await start(dut)
    key = bytes.fromhex("feffe9928665731c6d6a8f9467308308")
    plain = bytes.fromhex("d9313225f88406e5a55909c5aff5269a")
    iv, aad = bytes.fromhex("cafebabefacedbaddecaf888"), bytes.fromhex("feedfacedeadbeef")
    job = Job(GCM, key, plain, iv, aad)
    assert job.keys(port.random) == [0x08833067948F6A6D1C73658692E9FFFE]
    assert [beat >> 3 for beat in job.src()] == [
        0xEFBEADDECEFAEDFE << 16 | 0x00FF,
        0x9A26F5AFC50959A5E50684F8253231D9 << 16 | 0xFFFF,
    ]
    (result,) = await port.run([job])
    assert [beat >> 19 for beat in result.beats] == [
        0x9CD4D084B721724B24747721C21E8342,
        0x8AB9D5DABF8453593AA9DF51A5FB63E3,
    ]


@cocotb.test()
async def cavp_gcm(dut):
    await known(dut, [aead_case(GCM, v) for v in nist_modes.gcm(211 if PIPELINED else 601)])


@cocotb.test()
async def cavp_ccm(dut):
    await known(dut, [aead_case(CCM, v) for v in nist_modes.ccm(23 if PIPELINED else 31)])


@cocotb.test()
async def cavp_xts(dut):
    await known(dut, [aead_case(XTS, v) for v in nist_modes.xts(9 if PIPELINED else 23)])


@cocotb.test()
async def cavp_ecb_cbc_ctr(dut):
    cases = []
    for mode, path in (
        *((ECB, f"ECB/ECBMMT{size}.rsp") for size in (128, 192, 256)),
        *((CBC, f"CBC/CBCMMT{size}.rsp") for size in (128, 192, 256)),
        *((CTR, f"CTR/aes-{size}-ctr.txt") for size in (128, 192, 256)),
    ):
        for decrypt, fields in nist_aes.vectors(nist_aes.FOLDER / path):
            source, result = fields["PLAINTEXT"], fields["CIPHERTEXT"]
            if decrypt:
                source, result = result, source
            job = Job(mode, fields["KEY"], source, fields.get("IV", bytes(16)), decrypt=decrypt)
            cases.append((job, OK, result, b""))
    await known(dut, cases[:: 1 if PIPELINED else 4])


@cocotb.test()
async def cmac_vectors(dut):
    await known(dut, [aead_case(CMAC, vector) for vector in nist_modes.cmac()])


def wycheproof_cases(mode: int, name: str, step: int) -> list[tuple[Job, int, bytes, bytes]]:
    cases = []
    for group in wycheproof.load(name)["testGroups"]:
        if group["keySize"] not in (128, 192, 256):
            continue
        if mode == GCM and group["ivSize"] == 0:
            continue
        if mode == CCM and not (56 <= group["ivSize"] <= 104 and group["tagSize"] % 16 == 0):
            continue
        for test in group["tests"]:
            key, iv, aad, plain, cipher, tag = (
                bytes.fromhex(test.get(field, ""))
                for field in ("key", "iv", "aad", "msg", "ct", "tag")
            )
            if mode == CCM and len(tag) not in (4, 6, 8, 10, 12, 14, 16):
                continue
            valid = test["result"] == "valid"
            size = group["tagSize"] // 8
            source = plain if mode == CMAC else cipher
            job = Job(mode, key, source, iv, aad, tag, size, decrypt=True)
            cases.append((job, OK if valid else AUTH_FAILED, b"" if mode == CMAC else plain, tag))
            if valid:
                job = Job(mode, key, plain, iv, aad, tag_size=size)
                cases.append((job, OK, cipher, tag))
    return cases[::step]


@cocotb.test()
async def wycheproof_gcm(dut):
    await known(dut, wycheproof_cases(GCM, "aes_gcm_test.json", 3 if PIPELINED else 7))


@cocotb.test()
async def wycheproof_ccm(dut):
    await known(dut, wycheproof_cases(CCM, "aes_ccm_test.json", 9 if PIPELINED else 13))


@cocotb.test()
async def wycheproof_cmac(dut):
    await known(dut, wycheproof_cases(CMAC, "aes_cmac_test.json", 5 if PIPELINED else 7))


@cocotb.test()
async def modes_in_turn(dut):
    """Every mode behind every mode, short jobs: what one leaves behind would hurt the next."""
    rng = random.Random(2)
    port = await start(dut)
    for first in MODES:
        jobs = []
        for second in MODES:
            jobs += [random_job(rng, 40, first), random_job(rng, 40, second)]
        await port.check(jobs)


@cocotb.test()
async def lengths(dut):
    """Every length of message, associated data and tag round a block, and none."""
    rng = random.Random(4)
    port = await start(dut)
    jobs = []
    for mode, size in itertools.product(MODES, (0, 1, 15, 16, 17, 31, 32, 33, 48)):
        if (mode in (ECB, CBC) and size % 16) or (mode == XTS and size < 16):
            continue
        for decrypt in (False, True):
            key = rng.randbytes(64 if mode == XTS else 16)
            job = Job(mode, key, rng.randbytes(size), random_iv(rng, mode), decrypt=decrypt)
            job.tag = right_tag(job)
            jobs.append(job)
    for mode, size in itertools.product((GCM, CCM), (1, 9, 10, 11, 13, 14, 15, 16, 30, 31, 32)):
        for data in (b"", b"data"):
            aad, iv = rng.randbytes(size), random_iv(rng, mode)
            jobs.append(Job(mode, rng.randbytes(24), data, iv, aad))
    jobs += [Job(GCM, bytes(16), b"a", bytes(12), tag_size=size) for size in GCM_TAGS]
    jobs += [Job(CMAC, bytes(16), b"a", tag_size=size) for size in range(1, 17)]
    jobs += [Job(CCM, bytes(16), b"a", bytes(size), b"b") for size in range(7, 14)]
    await port.check(jobs)


@cocotb.test(skip=not PIPELINED)
async def ccm_long_aad(dut):
    """From 65,280 bytes on, the length takes six bytes."""
    port = await start(dut)
    await port.check(
        [Job(CCM, bytes(16), b"data", bytes(13), random.Random(5).randbytes(0xFF00 + 11))]
    )


@cocotb.test()
async def counters_wrap(dut):
    """CTR counts with all 128 bits, GCM with 32."""
    rng = random.Random(6)
    port = await start(dut)
    ivs = [b"\xff" * 16, bytes(8) + b"\xff" * 8, bytes(12) + b"\xff\xff\xff\xfe"]
    await port.check([Job(CTR, bytes(16), bytes(60), iv, ctx_save=True) for iv in ivs])
    job = Job(GCM, bytes(16), rng.randbytes(80), rng.randbytes(12))
    # Continue at a counter that wraps: as the stream alone shows, it starts again at zero.
    for low in (0xFFFFFFFE, 0x0000FFFF, 0x00FFFFFF):
        first = job.iv + low.to_bytes(4, "big")
        part = replace(job, context=first + bytes(64), ctx_save=True)
        result = await port.part(part)
        blocks = [job.iv + ((low + n) % 2**32).to_bytes(4, "big") for n in range(5)]
        stream = compute(Job(ECB, job.key, b"".join(blocks)))[0]
        assert result.bytes(MESSAGE) == bytes(a ^ b for a, b in zip(job.data, stream, strict=True))
        assert result.bytes(CONTEXT)[12:16] == ((low + 5) % 2**32).to_bytes(4, "big")


def bad_jobs(rng: random.Random) -> list[Job]:
    key, data, nonce = rng.randbytes(16), rng.randbytes(32), rng.randbytes(12)
    ivs = {GCM: nonce, CCM: nonce}
    good = {mode: Job(mode, key, data, ivs.get(mode, bytes(16))) for mode in MODES}
    good[XTS].key = rng.randbytes(32)
    jobs = [Job(mode, key, data) for mode in range(7, 16)]

    def wrong(mode: int, **change: int | bytes) -> None:
        jobs.append(replace(good[mode], change=change))

    for mode in MODES:
        wrong(mode, key_len=3)
        if mode != GCM:
            wrong(mode, iv_len=12)
        if mode not in (GCM, CCM):
            wrong(mode, aad_len=1)
    wrong(XTS, key_len=1)
    for mode in (ECB, CBC):
        for size in (1, 15, 33):
            wrong(mode, msg_len=size)
    for size in (0, 1, 15, 2**24 + 1, 2**24 + 16, 2**31):
        wrong(XTS, msg_len=size)
    wrong(XTS, msg_len=33, ctx_save=1)
    for mode in TAGGED:
        for size in (17, 32, 2**31):
            wrong(mode, out_len=size)
        wrong(mode, is_final=0)
        wrong(mode, ctx_save=1)
        wrong(mode, is_final=0, ctx_save=1, msg_len=33)
    for size in (1, 2, 3, 5, 15):
        wrong(CCM, out_len=size)
    for size in (1, 2, 3, 5, 6, 7, 9, 10, 11):
        wrong(GCM, out_len=size)
    wrong(GCM, is_final=0, ctx_save=1, msg_len=0, aad_len=17)
    wrong(CMAC, ctx_load=1, msg_len=0)
    wrong(CCM, ctx_load=1, aad_len=16)
    wrong(CCM, msg_len=33)  # the IV tells another length
    wrong(CCM, msg_len=32 + 2**24)
    for first in (0, 8, 255):
        iv = bytes([first]) + nonce + len(data).to_bytes(3, "big")
        wrong(CCM, iv=iv)
    for job in jobs:
        job.bad = True
    return jobs


@cocotb.test()
async def bad_parameters(dut):
    """A bad job moves neither key nor data, and the jobs round it are untouched."""
    rng = random.Random(7)
    port = await start(dut)
    await port.check_refused(list(bad_jobs(rng)), lambda: random_job(rng, 33))


@cocotb.test()
async def equal_keys(dut):
    """XTS refuses two equal keys: it takes neither the second nor data. One bit is a difference."""
    rng = random.Random(17)
    port = await start(dut)
    for turn in range(24):
        key = rng.randbytes(16 + 16 * (turn % 2))
        job = Job(XTS, key + key, rng.randbytes(33), iv=rng.randbytes(16), decrypt=turn % 4 > 1)
        part = replace(job, data=job.data[:32], context=rng.randbytes(16), ctx_save=True)
        for refused in (job, part):
            results = port.begin([refused], [Result(BAD_PARAM)])
            await port.tasks[-1].complete
            assert results[0].status == BAD_PARAM
            assert (len(port.handshakes["key"]), port.handshakes["src"]) == (1, [])
            await port.clear()
        near = bytearray(key)
        near[rng.randrange(len(key))] ^= 1 << rng.randrange(8)
        await port.check([replace(job, key=key + bytes(near)), random_job(rng, 33)])


@cocotb.test()
async def empty_messages(dut):
    """Modes without a tag ask for no key when there is no message."""
    port = await start(dut)
    for mode in (ECB, CBC, CTR):
        for ctx_save in (False, True):
            await port.check([Job(mode, bytes(16), ctx_save=ctx_save)])
            assert not port.handshakes["key"]
        job = Job(mode, bytes(16), context=bytes(range(16)), ctx_save=True)
        assert (await port.part(job)).bytes(CONTEXT) == bytes(range(16))


def split(rng: random.Random, job: Job) -> list[Job]:
    """Cut a whole job into parts; all but the last are whole blocks."""
    least = {XTS: 16, CMAC: 1}.get(job.mode, 0)
    places = range(0, len(job.data) - least + 1, 16)
    cuts = sorted(rng.choices(places, k=rng.randrange(1, 4))) if places else []
    if job.mode == XTS:  # no part is empty
        cuts = sorted({cut for cut in cuts if cut})
    parts = []
    aad = job.aad
    if job.mode == GCM and len(aad) >= 32 and rng.random() < 0.5:
        parts += [replace(job, data=b"", aad=aad[:16]), replace(job, data=b"", aad=aad[16:32])]
        aad = aad[32:]
        if not aad and rng.random() < 0.5:
            parts.append(replace(job, data=b"", aad=b""))
    if len(aad) % 16:  # the part with its end must have some of the message or be the last
        cuts = [cut for cut in cuts if cut]
    for first, end in itertools.pairwise([0, *cuts, len(job.data)]):
        parts.append(replace(job, data=job.data[first:end], aad=aad))
        aad = b""
    for part in parts[:-1]:
        part.ctx_save = True
    for part in parts:
        part.total = len(job.data)
    return parts


@cocotb.test()
async def parts(dut):
    """Messages in parts, interleaved with those of another and with whole jobs, are the whole."""
    rng = random.Random(8)
    port = await start(dut, 8, {"dst": 0.2, "src": 0.2})
    for number in range(63 if PIPELINED else 35):
        jobs = [random_job(rng, 150, mode) for mode in (number % 7, rng.choice(MODES))]
        for job in jobs:
            job.ctx_save = False
        queues = [split(rng, job) for job in jobs]
        contexts, got, last = [b"", b""], [b"", b""], [None, None]
        while any(queues):
            which = rng.choice([n for n in range(2) if queues[n]])
            part = queues[which].pop(0)
            result = await port.part(replace(part, context=contexts[which]))
            contexts[which] = result.bytes(CONTEXT)
            got[which] += result.bytes(MESSAGE)
            last[which] = result
            assert result.status == OK or not part.ctx_save
            if rng.random() < 0.2:
                await port.check([random_job(rng, 40)])
        for job, data, result in zip(jobs, got, last, strict=True):
            wanted = model(job)
            assert data == wanted.bytes(MESSAGE), job
            assert (result.status, result.bytes(TAG)) == (wanted.status, wanted.bytes(TAG)), job


@cocotb.test()
async def context_of_gcm(dut):
    """The five beats are what the README says."""
    port = await start(dut)
    key, iv = bytes(range(16)), bytes(range(12))
    job = Job(GCM, key, bytes(48), iv, bytes(range(20)), ctx_save=True)
    context = (await port.part(job)).bytes(CONTEXT)
    mask = compute(Job(ECB, key, iv + b"\0\0\0\x01"))[0]
    assert context[:16] == iv + b"\0\0\0\x05"
    assert context[32:48] == (20).to_bytes(8, "little") + (48).to_bytes(8, "little")
    assert context[48:64] == mask
    assert context[64:] == bytes(16)


@cocotb.test()
async def wiped_when_aborted(dut):
    """Whatever the phase of whatever job is aborted, no secret is left."""
    rng = random.Random(9)
    port = await start(dut, 9, {"dst": 0.3, "src": 0.3})
    for number in range(20 if PIPELINED else 12):
        port.begin([random_job(rng, 100) for _ in range(6)])
        for _ in range(rng.randrange(1, 120 if PIPELINED else 400)):
            await RisingEdge(dut.clk_i)
        if number % 3 == 0:
            await port.reset()
        else:
            await port.clear()
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert not any(secrets(dut))


@cocotb.test()
async def wiped_after_job(dut):
    """Nothing is left after a job of any kind, also of one that saved a context."""
    rng = random.Random(10)
    port = await start(dut)
    for mode in MODES:
        for decrypt in (False, True):
            job = random_job(rng, 60, mode)
            job.decrypt, job.tag = decrypt, b""
            job.tag = right_tag(job)
            await port.check([job])
            await RisingEdge(dut.clk_i)
            await RisingEdge(dut.clk_i)
            assert not any(secrets(dut)), job
        job = random_job(rng, 60, mode)
        await port.part(replace(job, data=bytes(32), aad=b"", ctx_save=True))
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert not any(secrets(dut)), job


@cocotb.test()
async def wiped_between_jobs(dut):
    """What GHASH and the kept block held goes with the job, while the next one works already."""
    rng = random.Random(11)
    port = await start(dut)
    finish = dut.u_engine.u_sequencer.u_finish
    ghash = finish.gen_ghash.u_ghash
    kept = [finish.aux_q, ghash.h_q, ghash.y_q, ghash.x_q]
    first = []
    for mode, decrypt in itertools.product((GCM, CCM, CMAC, XTS), (False, True)):
        first.append(timed_job(rng, mode, 16, decrypt, 37))
        if mode in TAGGED:
            part = timed_job(rng, mode, 16, decrypt, 32)
            first.append(replace(part, ctx_save=True, tag=b"", total=64))
    for job in first:
        next_job = timed_job(rng, CTR, 32, False, 400)
        results = port.begin([job, next_job], [Result.of(beats_out(job)), Result.of(25)])
        while results[0].done < 0:
            await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert not any(int(register.value) for register in kept), job
        assert results[1].done < 0
        await port.finish(results)


@cocotb.test()
async def no_secret_in_timing(dut):
    """All handshakes come in the same cycles whatever key, IV and data are."""
    rng = random.Random(12)
    port = await start(dut)
    values = [lambda n: bytes(n), lambda n: b"\xff" * n, rng.randbytes, rng.randbytes]
    for mode in MODES:
        for decrypt in (False, True):
            seen = set()
            for value in values:
                begin = port.cycle
                iv = value(11 if mode == CCM else 20 if mode == GCM and decrypt else 16)
                data = value(48 if mode in (ECB, CBC) else 55)
                job = Job(mode, value(32), data, iv, decrypt=decrypt, tag=value(16))
                if mode == XTS:  # cryptography refuses equal halves
                    job.key = value(32) + rng.randbytes(32)
                job.aad = value(20) if mode in (GCM, CCM) else b""
                (result,) = await port.check([job])
                events = [*itertools.chain(*port.handshakes.values()), *result.cycles, result.done]
                seen.add(tuple(event - begin for event in events))
            assert len(seen) == 1, (mode, decrypt, seen)


def first_block(mode: int, decrypt: bool, rounds: int) -> int:
    """Cycles from a job to its first block; an idle engine takes the key a cycle after the job."""
    inverse = decrypt and mode in (ECB, CBC, XTS)
    if PIPELINED:
        extra = {GCM: 2, CCM: 1, XTS: rounds + 1}.get(mode, 0)
        return 2 + extra + rounds + (1 if mode == XTS else rounds + 1) * inverse
    blocks = {GCM: 3, CCM: 2, XTS: 2}.get(mode, 1)
    return 2 + rounds * (blocks + inverse) + (mode == XTS or inverse)


def between_blocks(mode: int, decrypt: bool, rounds: int) -> int:
    """Cycles from block to block of one job."""
    if mode == CCM:
        return rounds + 1 if PIPELINED else 2 * rounds
    return 1 if PIPELINED and not (mode == CBC and not decrypt) else rounds


def timed_job(rng: random.Random, mode: int, size: int, decrypt: bool, length: int) -> Job:
    iv = rng.randbytes(12 if mode in (GCM, CCM) else 16)
    key = rng.randbytes(size * (2 if mode == XTS else 1))
    job = Job(mode, key, rng.randbytes(length), iv, decrypt=decrypt)
    job.tag = right_tag(job)
    return job


@cocotb.test()
async def cycles_of_blocks(dut):
    """From a job to its first block and from block to block, exact."""
    rng = random.Random(13)
    port = await start(dut)
    for (size, rounds), mode, decrypt in itertools.product(ROUNDS.items(), MODES, (False, True)):
        if mode == CMAC or (mode == XTS and size == 24):
            continue
        job = timed_job(rng, mode, size, decrypt, 256 if PIPELINED else 64)
        (result,) = await port.check([job])
        blocks = result.cycles[: len(job.data) // 16]
        gaps = {b - a for a, b in itertools.pairwise(blocks)}
        assert gaps == {between_blocks(mode, decrypt, rounds)}, (mode, decrypt, size, gaps)
        first = blocks[0] - port.handshakes["job"][0]
        assert first == first_block(mode, decrypt, rounds), (mode, decrypt, size, first)


@cocotb.test()
async def cycles_of_short_jobs(dut):
    """One job of 64 bytes from job to `done`, and the distance of jobs of 64 bytes in a queue."""
    rng = random.Random(14)
    port = await start(dut)
    for (size, rounds), mode, decrypt in itertools.product(ROUNDS.items(), MODES, (False, True)):
        if size == 24:
            continue
        jobs = [timed_job(rng, mode, size, decrypt, 64) for _ in range(21 if PIPELINED else 5)]
        (result,) = await port.check(jobs[:1])
        alone = result.done - port.handshakes["job"][0]
        results = await port.check(jobs[1:])
        half = len(results) // 2
        distance = (results[-1].done - results[half - 1].done) / (len(results) - half)
        figures = f"mode {mode} decrypt {decrypt} rounds {rounds}: {alone}, queued {distance:.2f}"
        dut._log.info("cycles of 64 bytes: %s", figures)
        for kind, most in LIMITS[IMPL].get(mode, {}).items():
            assert {"alone": alone, "queued": distance}[kind] <= most(rounds), figures


LIMITS = {
    "pipelined": {
        ECB: {"queued": lambda rounds: 6},
        CTR: {"alone": lambda rounds: rounds + 6, "queued": lambda rounds: 4},
        GCM: {"alone": lambda rounds: rounds + 11, "queued": lambda rounds: 7},
        XTS: {"queued": lambda rounds: 6.5},
        CMAC: {"queued": lambda rounds: 4 * rounds + 1},
    },
    "iterative": {
        CTR: {"queued": lambda rounds: 4 * rounds},
        GCM: {"queued": lambda rounds: 6 * rounds + 12},
    },
}
"""Most cycles of jobs of 64 bytes."""


@cocotb.test()
async def long_jobs(dut):
    """Jobs of 4 KiB back to back keep the pipelined core busy for 98 cycles of 100."""
    rng = random.Random(15)
    port = await start(dut)
    for mode, decrypt in (
        ((ECB, 0), (CBC, 1), (CTR, 0), (GCM, 0), (GCM, 1), (XTS, 0), (XTS, 1)) if PIPELINED else ()
    ):
        jobs = [timed_job(rng, mode, 32, bool(decrypt), 4096) for _ in range(3)]
        results = await port.check(jobs)
        cycles = results[2].done - results[1].done
        dut._log.info("cycles of 4 KiB: mode %d decrypt %d: %d", mode, decrypt, cycles)
        assert cycles <= 256 / 0.98, (mode, decrypt, cycles)
