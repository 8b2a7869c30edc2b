"""What the kernel sees of bursts outside a queue's windows."""

import dataclasses

import cocotb
from support.tile_model import COPY, NOP, OK, SG_ENTRY, WINDOW
from tile_bench import ON_ERROR, ON_VIOLATION, PAGE, READ, Bench, Job

from cryptile import layout

VIOLATION = layout.blocks()["tile_queue"].registers["VIOLATION"]
DATA, LIST, DESCRIPTOR, RECORD = range(4)
FORGET = 1


async def logged(queue):
    """What the log holds, with its address; 0 of all if nothing."""
    fields = VIOLATION.unpack(await queue.read("VIOLATION"))
    low, high = await queue.read("VIOLATION_LO"), await queue.read("VIOLATION_HI")
    return fields | {"address": low | high << 32}


def copy(src, dst, length=100, **fields):
    return Job(COPY, src=src, dst=dst, length=length, **fields)


@cocotb.test()
async def violations(dut):
    """Each kind of access is told with its address and its descriptor, to the kernel alone."""
    bench = await Bench(dut, queues=2).start()
    queue, other = bench.queues
    for each in (queue, other):
        await each.open()
        await each.write("IRQ_ENABLE_SET", ON_VIOLATION)
    inside = queue.place(bytes(300))
    outside = queue.base + queue.REGION + 3 * PAGE
    only_read = outside + 4 * PAGE
    await queue.window(1, only_read, only_read + PAGE - 1, READ)
    entries = queue.place(SG_ENTRY.encode(address=outside + 64, length=100, last=1), 16)
    cases = [
        (copy(outside + 32, inside), 0, DATA, outside + 32),
        (copy(inside, only_read + 16), 1, DATA, only_read + 16),
        (copy(inside, inside + 100, key=outside), None, None, None),  # which COPY does not read
        (copy(outside, inside, src_list=1), 0, LIST, outside),
        (copy(inside, outside + 16, dst_list=1), 0, LIST, outside + 16),
        (copy(entries, inside, src_list=1), 0, DATA, outside + 64),
        (copy(inside, entries, dst_list=1), 1, DATA, outside + 64),
    ]
    total = 0
    for job, write, what, address in cases:
        queue.put(Job(NOP))  # so that jobs and descriptors are not numbered alike
        index = queue.put(job)
        await queue.ring_bell()
        results = {result.index: result.status for result in await queue.wait(2)}
        found = await logged(queue)
        if write is None:
            assert results[index] == OK and not found["valid"], job
            continue
        assert results[index] == WINDOW, job
        assert found["valid"] and found["count"] >= 1, job
        told = found["write"], found["what"], found["index"], found["address"]
        assert told == (write, what, index, address), job
        assert await queue.read("IRQ_STATUS") == ON_VIOLATION
        assert int(dut.irq_o.value) == 1
        # The first one stays, others are counted; their event does not come again.
        await queue.write("IRQ_STATUS", ON_VIOLATION)
        await queue.run(copy(outside + 128, inside, 16))
        again = await logged(queue)
        assert again == found | {"count": found["count"] + 1}
        assert await queue.read("IRQ_STATUS") == 0 and int(dut.irq_o.value) == 0
        # The owner of the page learns how many, and nobody else learns anything.
        assert await bench.registers.read("PAGE[0].VIOLATIONS") == again["count"]
        assert not any((await logged(other)).values())
        assert await bench.registers.read("PAGE[1].VIOLATIONS") == 0
        total += again["count"]
        await queue.write("VIOLATION", 0xFFFF_FFFF & ~FORGET)
        assert await logged(queue) == again, "only the bit forgets"
        await queue.write("VIOLATION", FORGET)
        assert not any((await logged(queue)).values())
    assert total >= 2 * (len(cases) - 1)


@cocotb.test()
async def rings(dut):
    """A ring outside is told too; the log outlasts the queue's next owner, the count its end."""
    bench = await Bench(dut, queues=2).start()
    queue = bench.queues[0]
    outside = queue.base + queue.REGION
    for what, name in ((DESCRIPTOR, "ring"), (RECORD, "completions")):
        place = getattr(queue, name)
        setattr(queue, name, outside)
        await queue.open()
        queue.put(Job(NOP))
        await queue.ring_bell()
        await queue.idle()
        setattr(queue, name, place)
        await queue.open()
        found = await logged(queue)
        assert (found["valid"], found["write"], found["what"]) == (1, what == RECORD, what)
        assert found["address"] == outside and found["count"] == 1
        assert await queue.read("IRQ_STATUS") == ON_ERROR | ON_VIOLATION
        await queue.write("IRQ_STATUS", ON_ERROR | ON_VIOLATION)
        await queue.write("VIOLATION", FORGET)
        await queue.write("CONTROL", 0)
        await queue.idle()
    # The count ends at 255.
    await queue.open()
    job = copy(outside, queue.heap, 1)
    for _ in range(20):
        await queue.run(*(dataclasses.replace(job) for _ in range(14)))
    assert (await logged(queue))["count"] == 255
