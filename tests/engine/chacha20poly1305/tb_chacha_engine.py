"""cocotb tests of the ChaCha20-Poly1305 engine on its port; CHACHA_IMPL says which core it has."""

import itertools
import os
import random
from dataclasses import replace

import cocotb
from chacha_port import Job, Port, model, random_job, right_tag
from cocotb.triggers import RisingEdge
from support import wycheproof

from cryptile.jobs.oracle.chacha20poly1305 import AEAD, CHACHA20, POLY1305
from cryptile.jobs.port import AUTH_FAILED, CONTEXT, MESSAGE, OK, TAG

IMPL = os.environ["CHACHA_IMPL"]
SLOW = IMPL == "std"

CYCLES = {"std": 81, "opt": 10, "wide": 4, "pipelined": 4}[IMPL]
"""Per further 64 bytes, with and without authentication."""

FIRST = {"std": (85, 166), "opt": (14, 24), "wide": (24, 28), "pipelined": (24, 28)}[IMPL]
"""From the job to its first beat: of a stream, and behind Poly1305's key."""

SUNSCREEN = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
    b"future, sunscreen would be it."
)


async def start(dut, seed: int = 0, stalls: dict[str, float] | None = None) -> Port:
    port = Port(dut, seed, stalls)
    await port.start()
    return port


@cocotb.test()
async def rfc_8439(dut):
    """Sections 2.4.2, 2.5.2 and 2.8.2."""
    port = await start(dut)
    key = bytes(range(32))
    iv = bytes.fromhex("01000000000000000000004a00000000")
    poly_key = bytes.fromhex("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b")
    nonce = bytes.fromhex("070000004041424344454647")
    aad = bytes.fromhex("50515253c0c1c2c3c4c5c6c7")
    jobs = [
        Job(CHACHA20, key, SUNSCREEN, iv),
        Job(POLY1305, poly_key, b"Cryptographic Forum Research Group"),
        Job(AEAD, bytes(range(0x80, 0xA0)), SUNSCREEN, nonce + bytes(4), aad),
    ]
    stream, mac, aead = await port.run(jobs)
    assert [stream.status, mac.status, aead.status] == [OK] * 3
    assert stream.bytes(MESSAGE).startswith(bytes.fromhex("6e2e359a2568f98041ba0728dd0d6981"))
    assert stream.bytes(MESSAGE).endswith(bytes.fromhex("b40b8eedf2785e42874d"))
    assert mac.bytes(TAG) == bytes.fromhex("a8061dc1305136c6c22b8baf0c0127a9")
    assert aead.bytes(MESSAGE).startswith(bytes.fromhex("d31a8d34648e60db7b86afbc53ef7ec2"))
    assert aead.bytes(TAG) == bytes.fromhex("1ae10b594f09e26a7e902ecbd0600691")


@cocotb.test()
async def poly1305_edges(dut):
    """RFC 8439 A.3: sums at the modulus, carries through all limbs, and r of all kinds."""
    port = await start(dut)
    one, two = (1).to_bytes(16, "little"), (2).to_bytes(16, "little")
    high = b"\xff" * 16
    jobs = [
        Job(POLY1305, two + bytes(16), high),
        Job(POLY1305, two + high, two),
        Job(POLY1305, one + bytes(16), high + b"\xf0" + high[1:] + b"\x11" + bytes(15)),
        Job(POLY1305, one + bytes(16), high + b"\xfb" + b"\xfe" * 15 + b"\x01" * 16),
        Job(POLY1305, two + bytes(16), b"\xfd" + high[1:]),
        Job(POLY1305, high + high, high * 8),
        Job(POLY1305, bytes(32), high),
        *(Job(POLY1305, one + bytes(16), bytes([low]) + high[1:]) for low in range(0xF8, 0x100)),
    ]
    await port.check(jobs)


@cocotb.test()
async def wycheproof_vectors(dut):
    """Good and wrong tags, odd lengths, long associated data."""
    port = await start(dut)
    jobs, expected = [], []
    for group in wycheproof.load("chacha20_poly1305_test.json")["testGroups"]:
        if (group["ivSize"], group["keySize"], group["tagSize"]) != (96, 256, 128):
            continue
        for case in group["tests"][:: 8 if SLOW else 2]:
            key, iv, aad, msg, ct, tag = (
                bytes.fromhex(case[name]) for name in ("key", "iv", "aad", "msg", "ct", "tag")
            )
            jobs.append(Job(AEAD, key, ct, iv + bytes(4), aad, tag, decrypt=True))
            expected.append((OK, msg) if case["result"] == "valid" else (AUTH_FAILED, None))
            if case["result"] == "valid":
                jobs.append(Job(AEAD, key, msg, iv + bytes(4), aad))
                expected.append((OK, ct + tag))
    results = await port.run(jobs)
    for job, result, (status, data) in zip(jobs, results, expected, strict=True):
        assert result.status == status, job
        if data is not None:
            assert result.bytes(MESSAGE) + result.bytes(TAG) == data, job
    assert len(jobs) > 50


@cocotb.test()
async def lengths(dut):
    """Every length of message and associated data round a beat and a block, and none."""
    rng = random.Random(3)
    port = await start(dut)
    jobs = []
    sizes = (0, 1, 15, 16, 17, 63, 64, 65) if not SLOW else (0, 1, 16, 65)
    for size, aad_size in itertools.product(sizes, (0, 1, 16, 31)):
        for decrypt in (False, True):
            data, aad = rng.randbytes(size), rng.randbytes(aad_size)
            job = Job(AEAD, rng.randbytes(32), data, rng.randbytes(16), aad, decrypt=decrypt)
            if decrypt:
                job.tag = right_tag(job)
            jobs.append(job)
    for size in range(0 if not SLOW else 14, 18):
        jobs.append(Job(POLY1305, rng.randbytes(32), rng.randbytes(size)))
        jobs.append(Job(CHACHA20, rng.randbytes(32), rng.randbytes(size)))
    await port.check(jobs)


@cocotb.test()
async def tag_lengths(dut):
    """Tags of every length: so many bytes are made, none is written behind them, all count."""
    rng = random.Random(4)
    port = await start(dut)
    for size in range(17):
        jobs = []
        for mode in (POLY1305, AEAD):
            key, data = rng.randbytes(32), rng.randbytes(20)
            jobs.append(Job(mode, key, data, tag_bytes=size))
            good = Job(mode, key, data, decrypt=True, tag_bytes=size)
            good.tag = right_tag(good)
            jobs.append(good)
            for at in {0, len(good.tag) - 1}:
                wrong = bytearray(good.tag)
                wrong[at] ^= 1 << rng.randrange(8)
                jobs.append(replace(good, tag=bytes(wrong)))
            # What lies behind the tag does not count.
            jobs.append(replace(good, tag=good.tag + rng.randbytes(16 - len(good.tag))))
        results = await port.run(jobs)
        for job, result in zip(jobs, results, strict=True):
            wanted = model(replace(job, tag=job.tag[: size or 16]))
            assert (result.status, result.beats) == (wanted.status, wanted.beats), job
            assert len(result.bytes(TAG)) == (0 if job.decrypt else size or 16), job


def bad_jobs(rng: random.Random) -> list[Job]:
    key, data = rng.randbytes(32), rng.randbytes(64)
    top = b"\xff" * 4 + bytes(12)
    changes = [
        *(
            Job(mode, key, data, change={"key_len": size})
            for mode in range(3)
            for size in (0, 1, 3)
        ),
        *(Job(mode, key, data) for mode in range(3, 16)),
        *(
            Job(mode, key, data, tag_bytes=size)
            for mode in (POLY1305, AEAD)
            for size in (17, 32, 1 << 16, 2**32 - 16, 2**32 - 1)
        ),
        Job(POLY1305, key, data, change={"is_final": 0}),
        Job(AEAD, key, data, change={"is_final": 0}),
        Job(POLY1305, key, data, ctx_save=True),
        Job(AEAD, key, data, ctx_save=True),
        Job(CHACHA20, key, data[:63], ctx_save=True),
        Job(CHACHA20, key, data, aad=b"a"),
        Job(POLY1305, key, data, aad=b"a"),
        # The block counter would pass 2^32 - 1.
        Job(CHACHA20, key, data + b"b", top),
        Job(CHACHA20, key, data, top, ctx_save=True),
        Job(CHACHA20, key, data, b"\xfe" + top[1:], change={"msg_len": 129}),
        Job(CHACHA20, key, data, b"\x01\0\0\xfc" + bytes(12), change={"msg_len": 2**32 - 1}),
    ]
    for job in changes:
        job.bad = True
    return changes


@cocotb.test()
async def bad_parameters(dut):
    """A bad job moves neither key nor data, and the next good one is untouched."""
    rng = random.Random(5)
    port = await start(dut)
    await port.check_refused(list(bad_jobs(rng)), lambda: random_job(rng, 40))


@cocotb.test()
async def last_counter(dut):
    """The counter may reach 2^32 - 1, in the last block."""
    port = await start(dut)
    for blocks in (1, 2, 3):
        iv = (2**32 - blocks).to_bytes(4, "little") + bytes(range(12))
        for size in (64 * blocks, 64 * blocks - 63):
            await port.check([Job(CHACHA20, bytes(32), bytes(size), iv)])
        iv = (2**32 - blocks - 1).to_bytes(4, "little") + bytes(range(12))
        await port.check([Job(CHACHA20, bytes(32), bytes(64 * blocks), iv, ctx_save=True)])


@cocotb.test()
async def context_chaining(dut):
    """A message in parts, each continued from the context of the one before, is the whole."""
    rng = random.Random(7)
    port = await start(dut)
    data, iv, key = rng.randbytes(400), bytes(4) + rng.randbytes(12), rng.randbytes(32)
    got = b""
    for first, end in ((0, 64), (64, 64), (64, 320), (320, 400)):
        job = Job(CHACHA20, key, data[first:end], iv, ctx_save=end != 400)
        (result,) = await port.check([job])
        got += result.bytes(MESSAGE)
        iv = result.bytes(CONTEXT)
    assert got == model(Job(CHACHA20, key, data, bytes(4) + job.iv[4:])).bytes(MESSAGE)


def secrets(dut) -> list[int]:
    engine = dut.u_engine
    mac = engine.gen_poly1305
    keystream = engine.u_keystream
    registers = [engine.key_q, mac.r_packed_q, mac.s_q, mac.u_poly1305.x_q, engine.dst_q]
    registers.append(keystream.gen_buffer.block_q)
    if IMPL in ("std", "opt"):
        registers.append(getattr(keystream, f"gen_{IMPL}").u_core.state_q)
    return [int(register.value) for register in registers]


@cocotb.test()
async def wiped_when_aborted(dut):
    """Whatever the phase of whatever job is aborted, no secret is left."""
    rng = random.Random(8)
    port = await start(dut, 8, {"dst": 0.3, "src": 0.3})
    for number in range(8 if SLOW else 20):
        port.begin([random_job(rng) for _ in range(4)])
        for _ in range(rng.randrange(1, 400 if SLOW else 120)):
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
    rng = random.Random(9)
    port = await start(dut)
    for _ in range(4):
        await port.check([random_job(rng)])
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert not any(secrets(dut))


@cocotb.test()
async def cycles_per_block(dut):
    """Distance of blocks of one job, exact, with and without authentication."""
    rng = random.Random(10)
    port = await start(dut)
    for mode, decrypt in ((CHACHA20, False), (AEAD, False), (AEAD, True)):
        data = rng.randbytes(64 * (4 if SLOW else 40))
        job = Job(mode, rng.randbytes(32), data, bytes(16), decrypt=decrypt)
        if decrypt:
            job.tag = right_tag(job)
        (result,) = await port.check([job])
        first_rows = result.cycles[: len(data) // 16 : 4]
        gaps = {b - a for a, b in itertools.pairwise(first_rows[1:])}
        assert gaps == {CYCLES}, (mode, decrypt, gaps)
        assert result.cycles[0] - port.handshakes["job"][0] == FIRST[mode == AEAD]


@cocotb.test()
async def no_secret_in_timing(dut):
    """All handshakes come in the same cycles whatever key, nonce, data and tag are."""
    rng = random.Random(12)
    port = await start(dut)
    values = [lambda n: bytes(n), lambda n: b"\xff" * n, rng.randbytes, rng.randbytes]
    for mode in (CHACHA20, POLY1305, AEAD):
        for decrypt in (False, True):
            seen = set()
            for value in values:
                begin = port.cycle
                job = Job(mode, value(32), value(100), bytes(4) + value(12), decrypt=decrypt)
                job.tag = value(16)
                job.aad = value(20) if mode == AEAD else b""
                (result,) = await port.check([job])
                events = [*itertools.chain(*port.handshakes.values()), *result.cycles, result.done]
                seen.add(tuple(event - begin for event in events))
            assert len(seen) == 1, (mode, decrypt, seen)
