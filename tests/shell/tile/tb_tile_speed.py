"""Cycles of the tile: queued short jobs, one short job, long jobs."""

from itertools import pairwise

import cocotb
from cocotb.triggers import RisingEdge
from support.key_slots import Use
from support.tile_model import AES, COPY, CTR, GCM, KECCAK, MODES, NOP, OK, SHA2, XTS
from tile_bench import Bench, Job, Queue
from tile_jobs import ALGORITHMS, OTHERS


async def with_slots(bench, log2):
    """A queue with a key in slot 0, and one for XTS in slot 1."""
    queue = await Queue(bench, 0, log2).open(mask=7)
    both = {"encrypt": True, "decrypt": True}
    await bench.slot(0, Use(AES, (CTR, GCM), 16, **both), bytes(range(64)))
    await bench.slot(1, Use(AES, (XTS,), 32, **both), bytes(range(64)))
    return queue


async def per_job(bench, queue, job, number=40):
    """Cycles from record to record, in the midst of many jobs."""
    for _ in range(number):
        queue.put(job)
    bench.memory.forget()
    await queue.ring_bell()
    assert all(result.status == OK for result in await queue.wait(number))
    records = range(queue.completions, queue.completions + (16 << queue.log2))
    times = [cycle for address, _, cycle in bench.memory.writes if address in records]
    assert len(times) == number
    # The last ones have no descriptors read behind them.
    first, last = number // 2, number - (4 if number > 12 else 1)
    return (times[last] - times[first]) / (last - first)


@cocotb.test()
async def queued(dut):
    """Descriptors are read ahead: 64 bytes cost what they take on the read channel."""
    bench = await Bench(dut).start()
    bench.memory.latency = 10
    queue = await with_slots(bench, 6)
    src, dst = queue.heap, queue.heap + 0x1000
    for name, job, most in (
        ("nop", Job(NOP), 5),
        ("copy", Job(COPY, src=src, dst=dst, length=64), 9),
        ("aes-128-ctr", Job(AES, CTR, slot=0, src=src, dst=dst, length=64), 8),
    ):
        cycles = await per_job(bench, queue, job)
        dut._log.info("%s: %.2f cycles for each queued job of 64 bytes", name, cycles)
        assert cycles <= most, name


async def stations(dut, lane):
    """Wait for a lane's next report; return the times of its job: descriptor read, taken, first
    beat to the engine, engine done, reported."""
    # By whole names: nothing is seen of what is around them.
    where = f"gen_lane[{lane}].gen_built.u_lane.u_times"
    report, times = dut[f"{where}.report_i"], dut[f"{where}.times"]
    while True:
        await RisingEdge(dut.clk_i)
        if report.value == 1:
            value = int(times.value)
            return [value >> shift & 0xFFFF_FFFF for shift in (128, 96, 64, 32, 0)]


@cocotb.test(skip="gcm" not in ALGORITHMS)
async def alone(dut):
    """One AES-GCM job of 64 bytes, from doorbell to record."""
    bench = await Bench(dut).start()
    bench.memory.latency = 10
    queue = await with_slots(bench, 6)
    heap = queue.heap
    job = Job(AES, GCM, slot=0, src=heap, dst=heap + 0x1000, length=64, tag=heap + 0x2000)
    worst = 0
    for _ in range(3):
        queue.put(job)
        dut.s_axil_awaddr_i.value = bench.registers.map["PAGE[0].DOORBELL"]
        seen = cocotb.start_soon(stations(dut, AES - 1))
        await queue.ring_bell()
        begin = bench.memory.cycle
        while not (record := queue.poll()):
            await RisingEdge(dut.clk_i)
        worst = max(worst, bench.memory.cycle - begin)
        times = await seen
        spans = [b - a for a, b in pairwise(times)]
        dut._log.info("waits, reads, computes, writes: %s; record: %d", spans, record.cycles)
        assert sum(spans) == record.cycles and min(spans) >= 0
    dut._log.info("aes-128-gcm of 64 bytes: %d cycles from doorbell to record", worst)
    assert worst <= 200


@cocotb.test()
async def long(dut):
    """4 KiB: the engines see no gap."""
    bench = await Bench(dut).start()
    bench.memory.latency = 10
    queue = await with_slots(bench, 6)
    src, dst, size = queue.heap, queue.heap + 0x4000, 4096
    tag = dst + 0x4000
    cases = {
        "copy": (Job(COPY), size / 16),
        "ctr": (Job(AES, CTR, slot=0), size / 16),
        "gcm": (Job(AES, GCM, slot=0, tag=tag), size / 16),
        "xts": (Job(AES, XTS, slot=1), size / 16),
        "sha2": (Job(SHA2, 1, tag=tag), size),
        "sha3": (Job(KECCAK, 1, tag=tag), size / 136 * 24),
    }
    rates = {(alg.engine, alg.mode.block, alg.mode.cycles): alg for alg in OTHERS.values()}
    for alg in rates.values():
        opcode, mode = alg.opcode.number, alg.mode.number
        job = Job(opcode, mode, slot=2 if alg.key else None, tag=tag)
        if alg.key:
            use = Use(opcode, (mode,), alg.key, encrypt=True, decrypt=True)
            await bench.slot(2, use, bytes(64))
        cases[alg.name] = (job, size / alg.mode.block * (alg.mode.cycles or 0))
    for name, (job, ideal) in cases.items():
        if name not in ALGORITHMS:
            continue
        job.src, job.length = src, size
        job.dst = dst if MODES[job.opcode, job.mode].output else 0
        cycles = await per_job(bench, queue, job, 3 if job.opcode > AES else 8)
        dut._log.info(
            "%s: %.1f cycles for each queued job of 4 KiB, ideal %.1f", name, cycles, ideal
        )
        assert ideal / cycles >= (0.95 if job.opcode <= AES else 0.9), name
