"""The shell around the data mover: addresses, realignment, contexts, errors, clears."""

import random

import cocotb
from cocotb.triggers import ClockCycles, Timer
from hwpe_model import (
    BAD_PARAM,
    BASE,
    BUS_ERROR,
    DRAIN,
    OK,
    REG,
    SIZE,
    ctrl,
    reset,
    span,
    start,
    unwritten,
    words,
)

STALLS = (0.0, 0.0, 0.3, 0.8)


def buffers(rng, length):
    """Source, destination and context addresses that do not touch, or an in-place pair."""
    src = BASE + 256 + rng.randrange(64)
    dst = src if rng.random() < 0.3 else BASE + 8192 + rng.randrange(64)
    if rng.random() < 0.15:  # to a lower address, overlapping
        dst = src - rng.randrange(1, 40)
    return src, dst, BASE + 16384 + rng.randrange(64)


async def one_copy(memory, core, rng, length, *, context=None, check=True):
    src, dst, iv = buffers(rng, length)
    save = rng.randrange(2)
    memory.stall = [rng.choice(STALLS) for _ in range(4)]
    memory.forget()
    before = bytearray(memory.bytes)
    expected = memory.read(src, length)
    saved = memory.read(iv, 16)
    await core.job(SRC_PTR=src, DST_PTR=dst, LEN=length, IV_PTR=iv, CTRL=ctrl(ctx_save=save))
    await core.wait()
    assert memory.read(dst, length) == expected, (hex(src), hex(dst), length)
    assert memory.read(iv, 16) == saved
    assert memory.read_words == words(src, length) | (words(iv, 16) if save else set())
    written = span(dst, length) | (span(iv, 16) if save else set())
    assert memory.written == written
    unwritten(memory, before, written)
    if context is not None:
        assert await core.result(context) == OK


@cocotb.test()
async def every_alignment_and_length(dut):
    memory, core = await start(dut)
    rng = random.Random(2)
    for length in range(68):
        for _ in range(4):
            await one_copy(memory, core, rng, length)
    for _ in range(12):
        await one_copy(memory, core, rng, rng.randrange(68, 700))


@cocotb.test()
async def cycles_of_a_copy(dut):
    _, core = await start(dut)
    seen = {}
    for length in (0, 16, 64, 512, 4096):
        first = await core.job(SRC_PTR=BASE, DST_PTR=BASE + 8192, LEN=length, IV_PTR=0, CTRL=0)
        seen[length] = await core.wait() - first
    dut._log.info("cycles of a copy: %s", seen)
    # Six register writes included. Two cycles for each further block: one read, one write.
    assert seen == {0: 10, 16: 13, 64: 17, 512: 73, 4096: 521}


@cocotb.test()
async def registers(dut):
    _, core = await start(dut)
    for index, name in enumerate(("SRC_PTR", "DST_PTR", "LEN", "KEY_PTR", "IV_PTR")):
        await core.write(name, 0x8123_4567 + index)
    await core.write("CTRL", 0xFFFF_FFFF)
    for name in ("SRC_PTR", "DST_PTR", "LEN", "KEY_PTR", "IV_PTR", "CTRL"):
        assert await core.read(name) == 0, "job registers are written only"
    assert await core.read("FEATURES") == 0x0001_0000
    assert not core.events
    await core.write("SW_EVENT", 5)
    await core.wait()
    assert await core.read("FINISHED") == 0


async def job_registers_are_clear(memory, core):
    """What is not written is 0: every address, the length, and all of CTRL."""
    memory.stall = [0.0] * 4
    memory.forget()
    context = await core.read("FINISHED") % 2
    await core.job()
    await core.wait()
    assert await core.result(context) == OK
    assert not memory.asked
    await core.job(LEN=16, DST_PTR=BASE)
    await core.wait()
    assert memory.asked == {0, 4, 8, 12}
    memory.forget()
    await core.write("SOFT_CLEAR", 0)
    await core.job(SRC_PTR=BASE, LEN=16)
    await core.wait()
    assert memory.asked == {0, 4, 8, 12} | words(BASE, 16)
    memory.forget()
    await core.write("SOFT_CLEAR", 0)
    await core.job(CTRL=ctrl(ctx_save=1))
    await core.wait()
    assert memory.asked == {0, 4, 8, 12}
    await core.write("SOFT_CLEAR", 0)


@cocotb.test()
async def clearing_of_the_job_registers(dut):
    memory, core = await start(dut)
    await job_registers_are_clear(memory, core)
    for name in ("SRC_PTR", "DST_PTR", "LEN", "KEY_PTR", "IV_PTR"):
        await core.write(name, 0xFFFF_FFFF)
    await core.write("CTRL", ctrl(mode=3, decrypt=1, key_len=3, ctx_save=1))
    await core.write("SOFT_CLEAR", 0)
    await job_registers_are_clear(memory, core)
    # Any other value leaves them alone.
    data = memory.read(BASE, 20)
    for name, value in (("SRC_PTR", BASE), ("DST_PTR", BASE + 4001), ("LEN", 20)):
        await core.write(name, value)
    await core.write("SOFT_CLEAR", 1)
    await core.job()
    await core.wait()
    assert await core.result(0) == OK
    assert memory.read(BASE + 4001, 20) == data


@cocotb.test()
async def every_address_bit(dut):
    """Wide reads and writes all over the address space; every one is refused."""
    memory, core = await start(dut)
    rng = random.Random(15)
    wild = [0, 0xFFFF_FFFF, 0x5555_5555, 0xAAAA_AAAA, *(rng.getrandbits(32) for _ in range(12))]
    for number, address in enumerate(wild):
        if 0 <= address - BASE < SIZE:
            continue
        memory.forget()
        await core.job(
            SRC_PTR=address,
            DST_PTR=wild[number - 1],
            LEN=wild[number - 2] | 1,
            KEY_PTR=wild[number - 3],
            IV_PTR=wild[number - 4],
            CTRL=ctrl(0, 0, number % 4, 0),
        )
        await core.wait()
        assert await core.result(number % 2) == BUS_ERROR
        assert address & ~3 in memory.asked
        before = bytearray(memory.bytes)
        await core.write("SOFT_CLEAR", 0)
        memory.forget()
        await core.job(SRC_PTR=BASE, DST_PTR=address, LEN=16)
        await core.wait()
        assert await core.result(0) == BUS_ERROR
        target = {at % 2**32 for at in words(address, 16)}
        assert memory.asked <= words(BASE, 16) | target and memory.asked & target
        unwritten(memory, before, ())
        await core.write("SOFT_CLEAR", number % 2)
        if number % 2 == 0:
            await core.job()
            await core.wait()


@cocotb.test()
async def accesses_without_pause(dut):
    """Two requests in consecutive cycles are answered in consecutive cycles, each its own."""
    _, core = await start(dut)
    await core.write("SOFT_CLEAR", 0)
    dut.periph_req_i.value = 1
    dut.periph_wen_i.value = 1
    answers = []
    for identifier, name in ((0xA5, "FEATURES"), (0x5A, "ACQUIRE"), (0xFF, "ACQUIRE")):
        dut.periph_add_i.value = 0xFFFF_FF80 | REG[name]  # only bits 6:2 are decoded
        dut.periph_be_i.value = identifier & 0xF
        dut.periph_id_i.value = identifier
        await ClockCycles(dut.clk_i, 1)
        await Timer(1, "ns")
        assert dut.periph_r_valid_o.value == 1
        answers.append((int(dut.periph_r_id_o.value), int(dut.periph_r_data_o.value)))
    dut.periph_req_i.value = 0
    assert answers == [(0xA5, 0x0001_0000), (0x5A, 0), (0xFF, 0xFFFF_FFFE)]
    await ClockCycles(dut.clk_i, 1)
    await Timer(1, "ns")
    assert dut.periph_r_valid_o.value == 0


@cocotb.test()
async def two_contexts(dut):
    memory, core = await start(dut)
    assert await core.read("ACQUIRE") == 0
    assert await core.read("ACQUIRE") == 0xFFFF_FFFE
    memory.stall = [0.9] * 4
    first = memory.read(BASE, 100)
    second = memory.read(BASE + 1000, 200)
    await core.job(SRC_PTR=BASE, DST_PTR=BASE + 4000, LEN=100, CTRL=0)
    assert await core.read("STATUS") == 0x0001
    assert await core.read("ACQUIRE") == 1
    await core.job(SRC_PTR=BASE + 1000, DST_PTR=BASE + 5001, LEN=200)
    assert await core.read("STATUS") == 0x0101
    assert await core.read("ACQUIRE") == 0xFFFF_FFFF
    before = memory.read(BASE + 6000, 100)
    await core.job(SRC_PTR=BASE, DST_PTR=BASE + 6000, LEN=100)
    assert await core.read("RESULT") == 1 << 31
    assert await core.read("RUNNING_JOB") == 0
    await core.wait()
    assert await core.read("STATUS") == 0x0100
    assert await core.read("RUNNING_JOB") == 1
    assert await core.read("FINISHED") == 1
    await core.wait()
    assert memory.read(BASE + 4000, 100) == first
    assert memory.read(BASE + 5001, 200) == second
    await ClockCycles(dut.clk_i, 500)
    assert not core.events, "the refused job ran"
    assert memory.read(BASE + 6000, 100) == before
    assert await core.read("STATUS") == 0
    # The refusal is forgotten with the next job that is taken. LEN and CTRL are sticky.
    await core.job(SRC_PTR=BASE)
    await core.wait()
    assert await core.read("RESULT") == 0
    assert memory.read(BASE + 6000, 100) == first


@cocotb.test()
async def held_jobs(dut):
    memory, core = await start(dut)
    data = memory.read(BASE, 40)
    await core.job(trigger=1, SRC_PTR=BASE, DST_PTR=BASE + 4001, LEN=40)
    await ClockCycles(dut.clk_i, 100)
    assert not core.events
    assert await core.read("STATUS") == 0x0001
    await core.job(trigger=1, DST_PTR=BASE + 4102)
    await ClockCycles(dut.clk_i, 100)
    assert not core.events
    assert await core.read("STATUS") == 0x0101
    # No context is free: the job is refused, but those held start.
    await core.job(DST_PTR=BASE + 4203)
    await core.wait(2)
    assert memory.read(BASE + 4001, 40) == data
    assert memory.read(BASE + 4102, 40) == data
    assert memory.read(BASE + 4203, 40) != data
    assert await core.read("RESULT") == 1 << 31
    await core.job(trigger=7, DST_PTR=BASE + 4300)
    await core.job(DST_PTR=BASE + 4400)
    await core.wait(2)
    assert memory.read(BASE + 4300, 40) == data
    assert memory.read(BASE + 4400, 40) == data
    assert await core.read("RESULT") == 0


@cocotb.test()
async def back_to_back(dut):
    """The queue kept full for a while, with numbers beyond 255."""
    memory, core = await start(dut)
    rng = random.Random(5)
    memory.stall = [0.2] * 4
    jobs = 300
    expected = {}
    done = 0
    for number in range(jobs):
        while True:
            acquired = await core.read("ACQUIRE")
            if acquired != 0xFFFF_FFFF:
                break
        assert acquired == number % 256
        slot = number % 8
        src, dst = BASE + slot * 256 + rng.randrange(64), BASE + 8192 + slot * 256
        length = rng.randrange(60)
        memory.load(src, rng.randbytes(length))
        expected[slot] = (dst, memory.read(src, length))
        await core.job(SRC_PTR=src, DST_PTR=dst, LEN=length)
        done += 1
    await core.wait(done)
    for dst, data in expected.values():
        assert memory.read(dst, len(data)) == data
    assert await core.read("FINISHED") == jobs % 256


@cocotb.test()
async def bad_parameter(dut):
    memory, core = await start(dut)
    rng = random.Random(6)
    for context, bad in enumerate((ctrl(mode=3), ctrl(decrypt=1)) * 4):
        before = bytearray(memory.bytes)
        memory.stall = [rng.choice(STALLS) for _ in range(4)]
        await core.job(SRC_PTR=BASE + 1, DST_PTR=BASE + 999, LEN=100, IV_PTR=BASE, CTRL=bad)
        await core.wait()
        assert await core.result(context % 2) == BAD_PARAM
        assert memory.bytes == before
    await one_copy(memory, core, rng, 99, context=0)


@cocotb.test()
async def bus_errors(dut):
    memory, core = await start(dut)
    rng = random.Random(7)
    context = 0
    for _ in range(60):
        length = rng.randrange(1, 300)
        src, dst, iv = buffers(rng, length)
        save = rng.randrange(2)
        memory.stall = [rng.choice(STALLS) for _ in range(4)]
        places = sorted(words(src, length)), sorted(words(dst, length))
        memory.bad = {rng.choice(places[rng.randrange(2)])}
        before = bytearray(memory.bytes)
        await core.job(SRC_PTR=src, DST_PTR=dst, LEN=length, IV_PTR=iv, CTRL=ctrl(ctx_save=save))
        await core.wait()
        assert await core.result(context) == BUS_ERROR
        unwritten(memory, before, span(dst, length))
        memory.bad = set()
        await one_copy(memory, core, rng, rng.randrange(80), context=1 - context)
    # Outside the memory, and around the end of the address space.
    for src, dst, status in (
        (BASE + SIZE - 20, BASE, BUS_ERROR),
        (0xFFFF_FFF5, BASE, BUS_ERROR),
        (BASE, 0xFFFF_FFF3, BUS_ERROR),
        (BASE, BASE + SIZE - 32, OK),
    ):
        await core.job(SRC_PTR=src, DST_PTR=dst, LEN=32, CTRL=0)
        await core.wait()
        assert await core.result(context) == status
        context = 1 - context


@cocotb.test()
async def error_leaves_the_queued_job_alone(dut):
    memory, core = await start(dut)
    data = memory.read(BASE + 3, 77)
    memory.stall = [0.7] * 4
    await core.job(SRC_PTR=BASE + SIZE, DST_PTR=BASE + 999, LEN=64)
    await core.job(SRC_PTR=BASE + 3, DST_PTR=BASE + 2001, LEN=77)
    await core.wait(2)
    assert await core.result(0) == BUS_ERROR
    assert await core.result(1) == OK
    assert memory.read(BASE + 2001, 77) == data


@cocotb.test()
async def soft_clear_in_mid_job(dut):
    memory, core = await start(dut)
    rng = random.Random(8)
    for delay in range(70):
        memory.stall = [rng.choice(STALLS) for _ in range(4)]
        src, dst, iv = buffers(rng, 1500)
        before = bytearray(memory.bytes)
        await core.job(SRC_PTR=src, DST_PTR=dst, LEN=1500, IV_PTR=iv, CTRL=ctrl(ctx_save=1))
        if rng.randrange(2):
            await core.job()
        if delay:
            await ClockCycles(dut.clk_i, delay)
            await Timer(1, "ns")
        seen = len(core.events)
        await core.write("SOFT_CLEAR", rng.randrange(2))
        # A job may be given at once, while old accesses are still waiting for their grant.
        assert await core.read("STATUS") & ~DRAIN == 0
        assert await core.read("FINISHED") == 0
        assert len(core.events) == seen
        unwritten(memory, before, span(dst, 1500) | span(iv, 16))
        core.events.clear()
        old_target = span(dst, 1500) | span(iv, 16)
        src2, dst2, length = BASE + 30001, BASE + 40002, rng.randrange(1, 90)
        expected = memory.read(src2, length)
        before = bytearray(memory.bytes)
        await core.job(SRC_PTR=src2, DST_PTR=dst2, LEN=length, CTRL=0)
        await core.wait()
        assert memory.read(dst2, length) == expected
        assert await core.read("FINISHED") == 1
        assert not core.events
        unwritten(memory, before, old_target | span(dst2, length))
        await core.write("SOFT_CLEAR", 1)


@cocotb.test()
async def reset_in_mid_job(dut):
    memory, core = await start(dut)
    rng = random.Random(9)
    for delay in range(1, 40, 3):
        memory.stall = [rng.choice(STALLS) for _ in range(4)]
        await core.job(SRC_PTR=BASE + 1, DST_PTR=BASE + 9001, LEN=300)
        await ClockCycles(dut.clk_i, delay)
        await reset(dut)
        core.events.clear()
        assert await core.read("STATUS") == 0
        await job_registers_are_clear(memory, core)
        await one_copy(memory, core, rng, rng.randrange(100), context=0)
