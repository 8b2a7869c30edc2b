"""How fast the tile is from doorbell to completion records, with a memory of one beat per cycle."""

import os
import random
import sys
from pathlib import Path

import cocotb
from cocotb.triggers import RisingEdge

sys.path.insert(0, str(Path(__file__).parents[1] / "tile"))
from tile_bench import AES, COPY, CTR, GCM, OK, XTS, Bench, Job

NAME = os.environ["CRYPTILE_ALGORITHM"]
MODES = {"ctr": CTR, "gcm": GCM, "xts": XTS}
LATENCY = 10


def make(queue, rng, length, slot):
    job = Job(COPY) if NAME == "copy" else Job(AES, MODES[NAME], iv=rng.randbytes(16), slot=slot)
    job.length, job.src = length, queue.place(rng.randbytes(length), 16)
    job.dst = queue.place(bytes(length), 16)
    if NAME == "gcm":
        job.tag = queue.place(bytes(16), 16)
    return job


async def measure(dut, length, number):
    """Cycles per job in a full queue, from the first record to the last."""
    bench = await Bench(dut, 1).start()
    bench.memory.latency = LATENCY
    rng = random.Random(3)
    queue = bench.queues[0]
    queue.log2 = 7
    queue.completions, queue.heap = queue.base + 0x2000, queue.base + 0x4000
    queue.free = queue.heap
    await queue.open(mask=1)
    slot = None
    if NAME != "copy":
        slot = 0
        for word in range(16):
            await bench.registers.write(f"SLOT[0].KEY[{word}]", rng.getrandbits(32))
        attributes = 1 | 2 | 4 | 1 << 8 | 1 << 16 + AES
        await bench.registers.write("SLOT[0].ATTRIBUTES", attributes)
    jobs = [make(queue, rng, length, slot) for _ in range(number)]
    expected = [bench.expect(job)[1] for job in jobs] if NAME == "copy" else []
    for job in jobs:
        queue.put(job)
    await queue.ring_bell()
    begun, times = bench.memory.cycle, []
    for _ in range(50_000):
        await RisingEdge(dut.clk_i)
        while result := queue.poll():
            assert result.status == OK
            times.append(bench.memory.cycle)
        if len(times) == number:
            break
    assert len(times) == number
    for changed in expected:
        bench.check(changed)
    first = number // 4
    each = (times[-1] - times[first]) / (number - 1 - first)
    dut._log.info(f"{NAME}, {length} bytes: first after {times[0] - begun}, then {each:.2f} each")
    return each


@cocotb.test()
async def long_jobs(dut):
    assert 256 / await measure(dut, 4096, 8) >= 0.95


@cocotb.test()
async def short_jobs(dut):
    assert await measure(dut, 64, 60) <= 8
