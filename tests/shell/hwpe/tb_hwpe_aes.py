"""AES behind the shell: every mode, key length and alignment against ``cryptography``; cycles."""

import os
import random

import cocotb
from cocotb.triggers import ClockCycles, Timer
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hwpe_model import (
    BAD_PARAM,
    BASE,
    BUS_ERROR,
    OK,
    SIZE,
    ctrl,
    span,
    start,
    unwritten,
    words,
)

ECB, CBC, CTR = 0, 1, 2
IMPL = os.environ["CRYPTILE_IMPL"]
JOBS = int(os.environ["CRYPTILE_JOBS"])
STALLS = (0.0, 0.0, 0.2, 0.7)


def reference(mode, decrypt, key, iv, data):
    """Output and saved context."""
    if not data:
        return b"", iv
    method = {ECB: modes.ECB(), CBC: modes.CBC(iv), CTR: modes.CTR(iv)}[mode]
    cipher = Cipher(algorithms.AES(key), method)
    engine = cipher.decryptor() if decrypt else cipher.encryptor()
    output = engine.update(data) + engine.finalize()
    if mode == CBC:
        iv = (data if decrypt else output)[-16:]
    elif mode == CTR:
        counter = int.from_bytes(iv, "big") + -(-len(data) // 16)
        iv = (counter % 2**128).to_bytes(16, "big")
    return output, iv


async def one_job(memory, core, rng, *, context=None):
    mode, decrypt, key_len, save = (rng.randrange(n) for n in (3, 2, 3, 2))
    length = rng.randrange(100) if mode == CTR else 16 * rng.randrange(8)
    src, key_at, iv_at = (BASE + at + rng.randrange(32) for at in (0, 16384, 20480))
    dst = src if rng.random() < 0.3 else BASE + 8192 + rng.randrange(32)
    key, iv, data = rng.randbytes(16 + 8 * key_len), rng.randbytes(16), rng.randbytes(length)
    if rng.random() < 0.2:
        iv = b"\xff" * 15 + bytes([rng.randrange(250, 256)])
    for at, what in ((src, data), (key_at, key), (iv_at, iv)):
        memory.load(at, what)
    memory.stall = [rng.choice(STALLS) for _ in range(4)]
    memory.forget()
    before = bytearray(memory.bytes)
    await core.job(
        SRC_PTR=src,
        DST_PTR=dst,
        LEN=length,
        KEY_PTR=key_at,
        IV_PTR=iv_at,
        CTRL=ctrl(mode, decrypt, key_len, save),
    )
    await core.wait()
    output, saved = reference(mode, decrypt, key, iv, data)
    case = (mode, decrypt, key_len, save, length, hex(src), hex(dst), hex(key_at), hex(iv_at))
    assert memory.read(dst, length) == output, case
    written = span(dst, length) | (span(iv_at, 16) if save else set())
    assert memory.written == written, case
    unwritten(memory, before, written)
    if save:
        assert memory.read(iv_at, 16) == saved, case
    needed = words(src, length) | (words(key_at, len(key)) if length else set())
    if mode != ECB or save:
        needed |= words(iv_at, 16)
    assert memory.read_words == needed, case
    if context is not None:
        assert await core.result(context) == OK


@cocotb.test()
async def random_jobs(dut):
    memory, core = await start(dut)
    rng = random.Random(11)
    for _ in range(JOBS):
        await one_job(memory, core, rng)


@cocotb.test()
async def two_jobs_in_flight(dut):
    memory, core = await start(dut)
    rng = random.Random(12)
    expected = []
    for number in range(12):
        while await core.read("STATUS") == 0x0101:
            pass
        slot = number * 256
        key, iv, data = rng.randbytes(32), rng.randbytes(16), rng.randbytes(48)
        memory.load(BASE + slot, data)
        memory.load(BASE + 4096 + slot, key + iv)
        await core.job(
            SRC_PTR=BASE + slot,
            DST_PTR=BASE + 8192 + slot,
            LEN=48,
            KEY_PTR=BASE + 4096 + slot,
            IV_PTR=BASE + 4096 + slot + 32,
            CTRL=ctrl(CBC, 0, 2),
        )
        expected.append(reference(CBC, 0, key, iv, data)[0])
    await core.wait(12)
    for number, output in enumerate(expected):
        assert memory.read(BASE + 8192 + number * 256, 48) == output


@cocotb.test()
async def bad_parameters(dut):
    memory, core = await start(dut)
    rng = random.Random(13)
    bad = ((CBC, 0, 0, 17), (ECB, 1, 0, 15), (3, 0, 0, 16), (15, 0, 0, 16), (CTR, 0, 3, 16))
    context = 0
    for mode, decrypt, key_len, length in bad * 3:
        memory.stall = [rng.choice(STALLS) for _ in range(4)]
        before = bytearray(memory.bytes)
        await core.job(
            SRC_PTR=BASE + 1,
            DST_PTR=BASE + 8192,
            LEN=length,
            KEY_PTR=BASE + 4096,
            IV_PTR=BASE + 5000,
            CTRL=ctrl(mode, decrypt, key_len, rng.randrange(2)),
        )
        await core.wait()
        assert await core.result(context) == BAD_PARAM
        assert memory.bytes == before
        await one_job(memory, core, rng, context=1 - context)


@cocotb.test()
async def soft_clear_in_mid_job(dut):
    memory, core = await start(dut)
    rng = random.Random(14)
    for delay in range(1, 60, 3):
        memory.stall = [rng.choice(STALLS) for _ in range(4)]
        await core.job(
            SRC_PTR=BASE + 1,
            DST_PTR=BASE + 8195,
            LEN=1600,
            KEY_PTR=BASE + 4098,
            IV_PTR=BASE + 5003,
            CTRL=ctrl(rng.randrange(3), rng.randrange(2), rng.randrange(3), 1),
        )
        await ClockCycles(dut.clk_i, delay)
        await Timer(1, "ns")
        await core.write("SOFT_CLEAR", 1)
        assert not core.events
        while dut.tcdm_req_o.value != 0:  # accesses that were asked for are carried out
            await ClockCycles(dut.clk_i, 1)
        await Timer(1, "ns")
        await one_job(memory, core, rng, context=0)
        await core.write("SOFT_CLEAR", 1)


@cocotb.test()
async def leaving_the_memory(dut):
    """Past the end of the memory, also around the end of what addresses count to."""
    memory, core = await start(dut)
    before = bytearray(memory.bytes)
    end = BASE + SIZE
    ports = {"SRC_PTR": BASE, "DST_PTR": BASE + 64, "KEY_PTR": BASE, "IV_PTR": BASE}
    for name, address in (
        ("SRC_PTR", end - 20),
        ("KEY_PTR", end - 7),
        ("IV_PTR", end - 1),
        ("DST_PTR", end),
        ("SRC_PTR", 0x100F_FFF1),
        ("KEY_PTR", 0xFFFF_FFFF),
        ("IV_PTR", 0),
        ("DST_PTR", BASE - 16),
    ):
        await core.write("SOFT_CLEAR", 0)
        await core.job(**(ports | {name: address}), LEN=32, CTRL=ctrl(CBC, 0, 1))
        await core.wait()
        assert await core.result(0) == BUS_ERROR, (name, hex(address))
        unwritten(memory, before, ())
    await core.write("SOFT_CLEAR", 0)
    await one_job(memory, core, random.Random(16), context=0)


FIGURES = {
    "serial": {
        (ECB, 0, 128): {1: 273, 4: 1047},
        (CBC, 0, 128): {1: 274, 4: 1048},
        (CBC, 1, 128): {1: 556, 4: 1690},
        (CTR, 0, 128): {1: 274, 4: 1048},
        (CTR, 0, 256): {1: 371, 4: 1433},
    },
    "iterative": {
        (ECB, 0, 128): {1: 26, 4: 56, 32: 336, 256: 2576},
        (CBC, 0, 128): {1: 27, 4: 57, 32: 337, 256: 2577},
        (CBC, 1, 128): {1: 38, 4: 68, 32: 348, 256: 2588},
        (CTR, 0, 128): {1: 27, 4: 57, 32: 337, 256: 2577},
        (CTR, 0, 256): {1: 32, 4: 74, 32: 466, 256: 3602},
    },
    "pipelined": {
        (ECB, 0, 128): {1: 26, 4: 29, 32: 75, 256: 523},
        (CBC, 0, 128): {1: 27, 4: 57, 32: 337, 256: 2577},
        (CBC, 1, 128): {1: 38, 4: 41, 32: 87, 256: 535},
        (CTR, 0, 128): {1: 27, 4: 30, 32: 86, 256: 534},
        (CTR, 0, 256): {1: 32, 4: 35, 32: 91, 256: 539},
    },
}
"""Cycles from the first register write to the event, (mode, decrypt, key bits): by block count."""


@cocotb.test()
async def cycles(dut):
    memory, core = await start(dut)
    seen = {}
    for mode, decrypt, key_len in ((ECB, 0, 0), (CBC, 0, 0), (CBC, 1, 0), (CTR, 0, 0), (CTR, 0, 2)):
        counts = {}
        for blocks in FIGURES[IMPL][mode, decrypt, 128 + 64 * key_len]:
            first = await core.job(
                SRC_PTR=BASE,
                DST_PTR=BASE + 8192,
                LEN=16 * blocks,
                KEY_PTR=BASE + 16384,
                IV_PTR=BASE + 16416,
                CTRL=ctrl(mode, decrypt, key_len),
            )
            counts[blocks] = await core.wait() - first
            assert await core.result(0) == OK
            await core.write("SOFT_CLEAR", 1)
        seen[mode, decrypt, 128 + 64 * key_len] = counts
    dut._log.info("cycles: %s", seen)
    assert memory.accesses
    assert seen == FIGURES[IMPL]
