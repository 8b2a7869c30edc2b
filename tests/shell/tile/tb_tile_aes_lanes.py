"""AES jobs of several queues in the lanes that share a core."""

import os
import random

import cocotb
from cocotb.triggers import ClockCycles
from support.tile_model import ABORTED, AES, CBC, CCM, CTR, ECB, GCM, OK, XTS
from tb_tile import compare
from tile_bench import Bench, Job, Queue
from tile_jobs import Maker

from cryptile.jobs.oracle.aes import CMAC

SIZE = int(os.environ.get("CRYPTILE_BYTES", "1024"))


async def opened(bench):
    return [await Queue(bench, number, 6).open() for number in range(4)]


def job(queue, mode, size=SIZE):
    """A job on the queue's heap, with a key of its own."""
    src = queue.heap
    iv = bytes([1]) + bytes(13) + size.to_bytes(2, "big") if mode == CCM else bytes(16)
    tag = src + 0x8000 if mode in (CCM, CMAC, GCM) else 0
    dst = 0 if mode == CMAC else src + 0x4000
    return Job(AES, mode, key=src + 0xC000, src=src, dst=dst, tag=tag, length=size, iv=iv)


async def at_once(bench, queues, jobs):
    """Cycles from the first doorbell to the last record; all is as the model has it."""
    expected = [bench.expect(one) for one in jobs] if SIZE <= 1024 else []
    for queue, one in zip(queues, jobs, strict=True):
        queue.put(one)
    begin = bench.memory.cycle
    tasks = [cocotb.start_soon(queue.ring_bell()) for queue in queues]
    for queue in queues:
        (result,) = await queue.wait()
        assert result.status == OK
    spent = bench.memory.cycle - begin
    for task in tasks:
        await task
    for _, changed in expected:
        bench.check(changed)
    return spent


@cocotb.test()
async def serial_modes_at_once(dut):
    """A serial mode takes about the same time on one queue, on two and on four."""
    bench = await Bench(dut).start()
    bench.memory.latency = 10
    queues = await opened(bench)
    for name, mode, most in (("cbc", CBC, 1.15), ("cmac", CMAC, 1.15), ("ccm", CCM, 1.4)):
        cycles = []
        for number in (1, 2, 4):
            some = queues[:number]
            cycles.append(await at_once(bench, some, [job(queue, mode) for queue in some]))
        dut._log.info("%s of %d bytes on 1, 2 and 4 queues: %s cycles", name, SIZE, cycles)
        assert cycles[2] <= most * cycles[0], (name, cycles)
    spent = await at_once(bench, queues[:1], [job(queues[0], CTR)])
    dut._log.info("ctr of %d bytes on 1 queue: %d cycles", SIZE, spent)


@cocotb.test()
async def order(dut):
    """AES jobs of one queue end in order, whatever their lanes could do."""
    rng = random.Random(1)
    bench = await Bench(dut).start()
    queues = await opened(bench)
    modes = (ECB, CBC, CTR, GCM, CCM, CMAC, XTS)
    wanted = {}
    for queue in queues:
        wanted[queue.number] = [
            queue.put(job(queue, rng.choice(modes), 16 * rng.randrange(1, 12))) for _ in range(15)
        ]
    for queue in queues:
        await queue.ring_bell()
    for queue in queues:
        results = await queue.wait(15)
        assert [result.index for result in results] == wanted[queue.number]
        assert all(result.status == OK for result in results)


@cocotb.test()
async def aborted(dut):
    """A queue aborted in its lane does not disturb the jobs of others in theirs."""
    rng = random.Random(2)
    bench = await Bench(dut).start()
    victim, *others = await opened(bench)
    for _ in range(4):
        running = []
        for queue in others:
            jobs = [Maker(queue, rng).job(rng.choice(("cbc", "cmac", "ccm"))) for _ in range(3)]
            expected = [bench.expect(one) for one in jobs]
            running.append(cocotb.start_soon(compare(bench, queue, jobs, expected)))
        for _ in range(3):
            victim.put(job(victim, rng.choice((CBC, CCM, CMAC, CTR)), 256))
        await victim.ring_bell()
        await ClockCycles(dut.clk_i, rng.randrange(40, 400))
        await victim.write("CONTROL", 2)
        await victim.idle()
        while result := victim.poll():
            assert result.status in (OK, ABORTED)
        for task in running:
            await task
        await victim.open()
        assert await at_once(bench, [victim], [job(victim, CBC, 64)])
