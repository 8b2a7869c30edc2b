"""Stop of all queues, and soft reset: nothing goes on, nothing is broken off on the bus."""

import cocotb
from cocotb.triggers import ClockCycles
from support.key_slots import Use
from support.tile_model import ABORTED, COPY, OK
from tile_bench import PAGE, Bench, Job

STOP, RESET = 1, 2
LONG = 60000


def copy(queue, length):
    at = queue.heap
    return Job(COPY, src=at, dst=at + 0x1_0000, length=length)


async def busy(bench):
    """Long jobs on every queue, some of them under way."""
    for queue in bench.queues:
        for _ in range(5):
            queue.put(copy(queue, LONG))
        await queue.ring_bell()
    await ClockCycles(bench.dut.clk_i, 300)


async def at_rest(bench):
    """Nothing is asked of memory any more, and all that was is answered."""
    assert bench.memory.open() == 0
    bench.memory.forget()
    await ClockCycles(bench.dut.clk_i, 500)
    assert not bench.memory.reads and not bench.memory.writes


@cocotb.test()
async def stop(dut):
    """All queues end, none begins, and what was set up stays."""
    bench = await Bench(dut, queues=2).start()
    for latency in (4, 200):
        bench.memory.latency = latency
        for queue in bench.queues:
            await queue.open()
        await busy(bench)
        await bench.registers.write("CONTROL", STOP)
        for queue in bench.queues:
            assert await queue.idle() & 1
            assert await queue.read("CONTROL") & 1 == 0
            record = queue.poll()
            assert record is None or record.status == ABORTED
        await at_rest(bench)
        for queue in bench.queues:
            await queue.write("CONTROL", 1 | queue.log2 << 8)
            assert await queue.read("CONTROL") & 1 == 0, "not while all are stopped"
        await bench.registers.write("CONTROL", 0)
        for queue in bench.queues:
            assert await queue.read("WINDOW[0].FLAGS") == 7
            await queue.open(window=False)
            assert (await queue.run(copy(queue, 100)))[0].status == OK
            await queue.write("CONTROL", 0)
            await queue.idle()


@cocotb.test()
async def soft_reset(dut):
    """Queues, windows and keys are gone; the common page, the seal and generations stay."""
    bench = await Bench(dut, queues=2).start()
    regs = bench.registers
    fresh = {}
    names = ("RING_LO", "COMPLETION_LO", "CONTROL", "KEY_MASK", "COALESCE", "MAX_BYTES", "STATUS",
             "IRQ_STATUS", "IRQ_ENABLE_SET", "VIOLATION", "ALLOWED", "WEIGHT", "PROCESS",
             "RELATIVE", "WINDOW[0].BASE_LO", "WINDOW[0].FLAGS")  # fmt: skip
    for name in names:
        fresh[name] = await bench.queues[0].read(name)
    use = Use(COPY, (0,), 16, encrypt=True, decrypt=True, lock=True)
    await bench.slot(0, use, bytes(range(1, 65)))
    assert await regs.read("SLOT[0].ATTRIBUTES") == use.attributes
    generation = await regs.read("SLOT[0].GENERATION")
    await regs.write("SEAL", 1)
    await regs.write("ERROR_ENABLE", 1 << 18)
    for latency in (4, 1500):
        for queue in bench.queues:
            await queue.write("ALLOWED", 3)
            await queue.write("WEIGHT", 7)
            await queue.write("PROCESS", 0x1234)
            await queue.write("IRQ_ENABLE_SET", 7)
            await queue.open(mask=1, coalesce=3)
            await queue.run(Job(COPY, src=queue.base - PAGE, dst=queue.heap, length=1, irq=1))
        bench.memory.latency = latency
        await busy(bench)
        assert bench.memory.open() > 0
        await regs.write("CONTROL", RESET)
        waits = 0
        while await regs.read("CONTROL"):
            waits += 1
            assert await regs.read("ID") == 0x4352_5950, "the registers answer meanwhile"
        assert waits > latency // 20, "bursts that were under way are waited for"
        await at_rest(bench)
        for queue in bench.queues:
            for name, value in fresh.items():
                assert await queue.read(name) == value, name
            assert int(dut.irq_o.value) == 0
        assert await regs.read("SLOT[0].ATTRIBUTES") == 0, "also of a slot that is locked"
        assert await regs.read("SLOT[0].GENERATION") == generation
        assert await regs.read("SEAL") == 1
        assert await regs.read("ERROR_ENABLE") == 1 << 18
        bench.memory.latency = 4
        for queue in bench.queues:
            await queue.open()
            assert (await queue.run(copy(queue, 100)))[0].status == OK
            await queue.write("CONTROL", 0)
            await queue.idle()
