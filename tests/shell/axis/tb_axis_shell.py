"""The stream shell around the data mover: packets, jobs, results, clears, fault registers."""

import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge, Timer
from shell_model import (
    BAD_PACKET,
    BAD_PARAM,
    BUSY,
    OK,
    QUIET,
    REFUSED,
    VALID,
    WAITING,
    Shell,
    beats,
)

STALLS = (0.0, 0.0, 0.3, 0.8)
LOCK, LOCKED = 1, 2


async def begin(dut):
    dut.fault_corrected_i.value = dut.fault_detected_i.value = 0
    return await Shell(dut).start()


def stalls(shell, rng):
    shell.source.stall, shell.sink.stall = rng.choice(STALLS), rng.choice(STALLS)


async def one_copy(shell, rng, number):
    data = rng.randbytes(rng.choice((0, 1, 15, 16, 17, 32, 100)))
    save, iv = rng.randrange(2), rng.randbytes(16)
    if data:
        shell.source.send(data)
    await shell.job(length=len(data), save=save, iv=iv)
    assert await shell.result() == (number, OK)
    # A job without output gives an empty beat.
    assert await shell.packet() == (beats(data, iv if save else b"") or [b""])


@cocotb.test()
async def copies(dut):
    shell = await begin(dut)
    rng = random.Random(31)
    for number in range(60):
        stalls(shell, rng)
        await one_copy(shell, rng, number)


@cocotb.test()
async def a_beat_in_every_cycle(dut):
    shell = await begin(dut)
    data = random.Random(32).randbytes(4096)
    await shell.job(length=4096)
    shell.source.send(data)
    await RisingEdge(dut.m_axis_tvalid_o)
    cycles = 0
    while not shell.sink.packets:
        await RisingEdge(dut.clk_i)
        cycles += 1
    assert await shell.packet() == beats(data)
    # 256 beats; the last one waits a cycle for the end of the job.
    assert cycles <= 256 + 3


@cocotb.test()
async def registers(dut):
    shell = await begin(dut)
    assert await shell.read("FEATURES") == 0x0001_0000
    for name in ("JOB", "AAD_LEN", "MSG_LEN", "IV[0]", "IV[3]", "KEY[0]", "KEY[7]"):
        await shell.write(name, 0xFFFF_FFFF)
        assert await shell.read(name) == 0, "job registers are written only"
    assert await shell.read("STATUS") == QUIET
    await shell.clear()
    # The clear has set them to 0: a copy of nothing.
    await shell.write("START", 0)
    assert await shell.result() == (0, OK)
    assert await shell.packet() == [b""]


@cocotb.test()
async def two_jobs_and_four_results(dut):
    shell = await begin(dut)
    shell.sink.hold = True
    for length in (20, 30):
        await shell.job(length=length)
    await ClockCycles(dut.clk_i, 4)
    assert await shell.read("STATUS") & (BUSY | WAITING | REFUSED) == BUSY | WAITING
    await shell.job(length=40)
    assert await shell.read("STATUS") & REFUSED
    shell.sink.hold = False
    for length in (20, 30):
        shell.source.send(bytes(range(length)))
    for length in (20, 30):
        assert await shell.packet() == beats(bytes(range(length)))
    for _ in range(2):
        await shell.job()
        await shell.packet()
    status = await shell.read("STATUS")
    assert status & REFUSED == 0 and status >> 4 & 7 == 4 and status >> 8 == 4
    await shell.job()
    assert await shell.read("STATUS") & REFUSED, "four results were not read"
    await shell.write("IRQ_ENABLE", 1)
    for number in range(4):
        assert dut.irq_o.value == 1
        assert await shell.result() == (number, OK)
    assert dut.irq_o.value == 0
    assert await shell.read("RESULT") == 0
    await shell.job()
    assert await shell.result() == (4, OK)


@cocotb.test()
async def refused(dut):
    """The packet of a job that moves no data is discarded, with associated data and tag.

    The shell refuses mode 15, which FEATURES lacks; the engine refuses decryption.
    """
    shell = await begin(dut)
    rng = random.Random(33)
    number = 0
    for case in range(30):
        stalls(shell, rng)
        shell.sink.packets.clear()
        aad, data = rng.randbytes(rng.randrange(40)), rng.randbytes(rng.randrange(60))
        mode, decrypt, tag = ((15, 0, b""), (15, 1, bytes(16)), (0, 1, b""))[case % 3]
        if aad or data or tag:
            shell.source.send(aad, data, tag)
        await shell.job(mode=mode, decrypt=decrypt, aad=len(aad), length=len(data))
        assert await shell.result() == (number, BAD_PARAM)
        assert await shell.packet() == [b""]
        await one_copy(shell, rng, number + 1)
        number += 2
        assert not shell.source.beats


@cocotb.test()
async def packets_that_do_not_fit(dut):
    shell = await begin(dut)
    rng = random.Random(34)
    number = 0
    for length, sent in (
        (40, 30),
        (40, 32),
        (40, 48),
        (40, 41),
        (32, 33),
        (32, 64),
        (32, 16),
        (5, 200),
    ):
        stalls(shell, rng)
        data = rng.randbytes(sent)
        shell.source.send(data)
        await shell.job(length=length)
        assert await shell.result() == (number, BAD_PACKET), (length, sent)
        # What went out before the error was seen is a part of the message, ended.
        packet = await shell.packet()
        assert data.startswith(b"".join(packet)) and len(packet) * 16 <= length + 16
        await one_copy(shell, rng, number + 1)
        number += 2
        assert not shell.source.beats


@cocotb.test()
async def clears(dut):
    shell = await begin(dut)
    rng = random.Random(35)
    for delay in range(30):
        stalls(shell, rng)
        shell.source.send(rng.randbytes(200))
        await shell.job(length=200, save=1)
        await shell.job(length=100)
        await ClockCycles(dut.clk_i, delay)
        await shell.clear()
        assert await shell.read("STATUS") == QUIET
        assert await shell.read("RESULT") == 0
        await one_copy(shell, rng, 0)
        await shell.clear()


async def injection(dut, shell, locked=False):
    """Errors are injected once per guarded write, if nothing is locked."""
    pulses = []

    async def watch():
        while True:
            await RisingEdge(dut.clk_i)
            pulses.append(int(dut.fault_inject_o.value))

    watcher = cocotb.start_soon(watch())
    for value, expected in ((1, 0), (0x5AFE0000, 0), (0x5AFF0001, 0), (0x5AFE0001, not locked)):
        pulses.clear()
        await shell.write("FAULT_INJECT", value)
        await ClockCycles(dut.clk_i, 5)
        assert sum(pulses) == expected, hex(value)
    watcher.cancel()


@cocotb.test()
async def fault_registers(dut):
    dut.fault_corrected_i.value = dut.fault_detected_i.value = 0
    dut.s_axis_tvalid_i.value = dut.m_axis_tready_i.value = 0
    dut.fault_sites_i.value = 0x24
    shell = await Shell(dut).start(streams=False)

    async def pulse(line, times):
        line.value = 1
        await Timer(10 * times + 2, "ns")
        line.value = 0
        await ClockCycles(dut.clk_i, 1)

    await shell.write("FAULT_THRESHOLD", 3)
    await shell.write("IRQ_ENABLE", 6)
    await pulse(dut.fault_corrected_i, 2)
    assert await shell.read("FAULTS_CORRECTED") == 2 and dut.irq_o.value == 0
    first = await shell.read("FAULT_FIRST")
    assert first & 0xC00000FF == VALID | 0x24
    dut.fault_sites_i.value = 0x80
    await pulse(dut.fault_corrected_i, 1)
    assert await shell.read("FAULTS_CORRECTED") == 3 and dut.irq_o.value == 1
    assert await shell.read("IRQ_STATUS") == 2
    await shell.write("FAULT_CLEAR", 1)
    await shell.write("IRQ_STATUS", 2)
    assert await shell.read("FAULTS_CORRECTED") == 0 and dut.irq_o.value == 0
    await pulse(dut.fault_detected_i, 2)
    assert await shell.read("FAULTS_DETECTED") == 2 and await shell.read("IRQ_STATUS") == 4
    assert await shell.read("FAULT_FIRST") == first, "the first one stays"
    await shell.write("FAULT_CLEAR", 4)
    assert await shell.read("FAULT_FIRST") == 0
    await pulse(dut.fault_detected_i, 1)
    assert await shell.read("FAULT_FIRST") & 0xC00000FF == VALID | 1 << 30 | 0x80
    await injection(dut, shell)
    # A reset of the rest leaves the log as it is.
    dut.rst_ni.value = 0
    await ClockCycles(dut.clk_i, 2)
    dut.rst_ni.value = 1
    await ClockCycles(dut.clk_i, 2)
    assert await shell.read("FAULTS_DETECTED") == 3 and await shell.read("IRQ_ENABLE") == 0
    assert await shell.read("FAULT_FIRST") & VALID
    await shell.write("IRQ_ENABLE", 6)
    await shell.write("FAULT_CLEAR", 2)
    await shell.write("IRQ_STATUS", 4)
    assert await shell.read("FAULTS_DETECTED") == 0 and dut.irq_o.value == 0
    await shell.write("FAULT_THRESHOLD", 0)
    await pulse(dut.fault_corrected_i, (1 << 16) + 5)
    assert await shell.read("FAULTS_CORRECTED") == 0xFFFF and await shell.read("IRQ_STATUS") == 0
    # Locked, by the pin and then by the bit, which stays.
    dut.lock_i.value = 1
    assert await shell.read("FAULTS_CORRECTED") == 0
    await shell.write("FAULT_CLEAR", 1)
    dut.lock_i.value = 0
    assert await shell.read("FAULTS_CORRECTED") == 0xFFFF
    assert await shell.read("FAULT_FIRST") & VALID
    await shell.write("FAULT_LOCK", 1)
    await shell.write("FAULT_LOCK", 0)
    assert await shell.read("FAULT_FIRST") == 0
    await injection(dut, shell, locked=True)
    await shell.write("FAULT_THRESHOLD", 9)
    assert await shell.read("FAULT_LOCK") == LOCKED
    assert await shell.read("FAULTS_CORRECTED") == await shell.read("FAULT_THRESHOLD") == 0
    assert await shell.read("RESULT") & VALID == 0


@cocotb.test()
async def no_interrupt_of_a_fault_while_locked(dut):
    """Neither a corrected nor a detected fault shows in the interrupt, also not later."""
    dut.fault_corrected_i.value = dut.fault_detected_i.value = 0
    dut.s_axis_tvalid_i.value = dut.m_axis_tready_i.value = 0
    shell = await Shell(dut).start(streams=False)
    await shell.write("FAULT_THRESHOLD", 1)
    await shell.write("IRQ_ENABLE", 6)

    async def faults(expected):
        for line, bit in ((dut.fault_corrected_i, 2), (dut.fault_detected_i, 4)):
            line.value = 1
            await Timer(12, "ns")
            line.value = 0
            await ClockCycles(dut.clk_i, 2)
            assert dut.irq_o.value == (expected != 0), bit
            assert await shell.read("IRQ_STATUS") == expected & bit
            await shell.write("IRQ_STATUS", bit)

    await faults(6)
    dut.lock_i.value = 1
    await faults(0)
    dut.lock_i.value = 0
    assert await shell.read("IRQ_STATUS") == 0
    assert await shell.read("FAULTS_CORRECTED") == await shell.read("FAULTS_DETECTED") == 2
    await faults(6)
    await shell.write("FAULT_LOCK", LOCK)
    await faults(0)


@cocotb.test()
async def lock_of_the_fault_registers(dut):
    """Bit or pin, before and behind a reset: all is closed, and the log behind it stays."""
    dut.fault_corrected_i.value = dut.fault_detected_i.value = 0
    dut.s_axis_tvalid_i.value = dut.m_axis_tready_i.value = 0
    dut.fault_sites_i.value = 0x11
    shell = await Shell(dut).start(streams=False)
    log = ("FAULTS_CORRECTED", "FAULTS_DETECTED", "FAULT_FIRST")

    async def reset():
        dut.rst_ni.value = 0
        await ClockCycles(dut.clk_i, 2)
        dut.rst_ni.value = 1
        await ClockCycles(dut.clk_i, 2)

    async def is_open(expected):
        assert [await shell.read(name) for name in log] == expected
        await injection(dut, shell)

    async def is_closed():
        assert await shell.read("FAULT_LOCK") == LOCKED
        assert [await shell.read(name) for name in log] == [0, 0, 0]
        await shell.write("FAULT_CLEAR", 7)
        await shell.write("FAULT_THRESHOLD", 9)
        assert await shell.read("FAULT_THRESHOLD") == 0
        await injection(dut, shell, locked=True)

    for line, cycles in ((dut.fault_corrected_i, 2), (dut.fault_detected_i, 3)):
        line.value = 1
        await Timer(10 * cycles + 2, "ns")
        line.value = 0
        await ClockCycles(dut.clk_i, 1)
    assert await shell.read("FAULT_LOCK") == 0
    expected = [await shell.read(name) for name in log]
    assert 0 not in expected
    await is_open(expected)
    await reset()
    await is_open(expected)
    dut.lock_i.value = 1
    await is_closed()
    await reset()
    await is_closed()
    dut.lock_i.value = 0
    assert await shell.read("FAULT_LOCK") == 0
    await is_open(expected)
    await shell.write("FAULT_LOCK", LOCK)
    await is_closed()
    await reset()
    await is_closed()
    dut.por_ni.value = 0
    await reset()
    dut.por_ni.value = 1
    await ClockCycles(dut.clk_i, 2)
    for name in ("FAULT_LOCK", *log):
        assert await shell.read(name) == 0, name
