"""Windows: what the kernel sees of bursts outside them, where bursts in them go, and how marked."""

import dataclasses
import random

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
        # One that is older is in the lane, too.
        queue.put(copy(queue.base + 0x4_0000, queue.base + 0x6_0000, 3000))
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


def users(queue, process):
    return process << 3 | queue.number


@cocotb.test()
async def marks(dut):
    """AxUSER names process and queue, AxCACHE and AxPROT are the window's, of every burst."""
    bench = await Bench(dut, queues=2).start()
    queue, other = bench.queues
    marks = {queue: (0xABCDE, 0b1011, 0b101), other: (0x54321, 0b0110, 0b010)}
    second = queue.base + queue.REGION
    for each, (process, cache, prot) in marks.items():
        await each.write("PROCESS", 0xFFF0_0000 | process)
        await each.open()
        await each.write("PROCESS", 0)
        assert await each.read("PROCESS") == process, "not while the queue works"
        await each.write("WINDOW[0].FLAGS", 7 | cache << 8 | prot << 12)
        assert await each.read("WINDOW[0].FLAGS") == 7 | cache << 8 | prot << 12
    await queue.window(1, second - PAGE, second + PAGE - 1)
    bench.memory.marks.clear()
    jobs = [
        [copy(each.place(bytes(50)), each.place(bytes(50)), 50) for _ in range(4)]
        for each in (queue, other)
    ]
    for each, own in zip((queue, other), jobs, strict=True):
        for job in own:
            each.put(job)
    for each in (queue, other):
        await each.ring_bell()
    for each in (queue, other):
        assert {result.status for result in await each.wait(4)} == {OK}
    seen = dict.fromkeys(marks, 0)
    for address, *found in bench.memory.marks:
        each = next(each for each in marks if 0 <= address - each.base < each.REGION)
        process, cache, prot = marks[each]
        assert found == [users(each, process), cache, prot], hex(address)
        seen[each] += 1
    assert min(seen.values()) >= 4 * 4
    # Of two windows the lower one marks the page that both hold.
    for at, mark in ((second, (0, 0)), (second - PAGE, marks[queue][1:])):
        bench.memory.marks.clear()
        assert (await queue.run(copy(at, queue.heap, 16)))[0].status == OK
        (found,) = [rest for address, *rest in bench.memory.marks if address == at]
        assert found == [users(queue, 0xABCDE), *mark]


@cocotb.test()
async def relative(dut):
    """Addresses of jobs and lists name a window and a place in it; those of the rings do not."""
    bench = await Bench(dut, queues=2).start()
    queue = bench.queues[0]
    await queue.write("RELATIVE", 1)
    await queue.open(window=False)
    await queue.write("RELATIVE", 0)
    assert await queue.read("RELATIVE") == 1, "not while the queue works"
    # Window 0 is the ring's; 3 ends with memory, so that sums run over.
    places = {0: queue.base, 1: 0x9000_0000, 2: 0xA000_0000, 3: (1 << 56) - 2 * PAGE}
    await queue.window(0, queue.base, queue.base + queue.REGION - 1)
    await queue.window(1, places[1], places[1] + 4 * PAGE - 1, READ)
    await queue.window(2, places[2], places[2] + PAGE - 1)
    await queue.window(3, places[3], (1 << 56) - 1)

    def at(window, offset):
        return window << 54 | offset

    text = bytes(range(200))
    bench.memory.write(places[1] + PAGE - 50, text)
    (result,) = await queue.run(copy(at(1, PAGE - 50), at(2, 77), 200))
    assert result.status == OK and bench.memory.read(places[2] + 77, 200) == text
    (result,) = await queue.run(copy(at(2, 77), at(3, PAGE + 5), 200))
    assert result.status == OK and bench.memory.read(places[3] + PAGE + 5, 200) == text
    # Lists, and what stands in them.
    pieces = ((at(1, PAGE - 50), 60), (at(1, PAGE + 10), 140))
    entries = b"".join(
        SG_ENTRY.encode(address=address, length=length, last=n)
        for n, (address, length) in enumerate(pieces)
    )
    place = queue.place(entries, 16) - queue.base
    (result,) = await queue.run(copy(at(0, place), at(2, 1000), 200, src_list=1))
    assert result.status == OK and bench.memory.read(places[2] + 1000, 200) == text
    # Behind a window's end, in one that is not open that way, over the end of memory; the places
    # themselves are no addresses.
    end = (1 << 54) - PAGE
    refused = [
        copy(at(1, 4 * PAGE), at(2, 0)),
        copy(at(2, 0), at(1, 0)),
        copy(at(2, PAGE - 5), at(3, 0)),
        copy(at(3, 2 * PAGE), at(2, 0)),
        copy(at(3, end), at(2, 0), 16),
        copy(places[1], at(2, 0)),
        copy(at(0, end), at(2, 0), 16),
        copy(at(2, 0), at(2, end), 16),
    ]
    for job in refused:
        await queue.write("VIOLATION", FORGET)
        bench.memory.forget()
        (result,) = await queue.run(job)
        assert result.status == WINDOW, job
        for address, length, _ in bench.memory.reads + bench.memory.writes:
            assert any(
                places[n] <= address and address + length <= places[n] + size
                for n, size in ((0, queue.REGION), (1, 4 * PAGE), (2, PAGE), (3, 2 * PAGE))
            ), job
        assert (await logged(queue))["valid"], job
    await queue.write("WINDOW[1].FLAGS", 0)
    (result,) = await queue.run(copy(at(1, 0), at(2, 0)))
    assert result.status == WINDOW
    # The other queue's addresses are those of memory.
    other = await bench.queues[1].open()
    (result,) = await other.run(copy(other.heap, other.heap + 100, 100))
    assert result.status == OK


@cocotb.test()
async def anywhere(dut):
    """Rings, records and data at addresses that differ in every bit, a page of each alone."""
    bench = await Bench(dut, queues=2).start()
    rng = random.Random(5)
    patterns = 0xAA_AAAA_AAAA_A000, 0x55_5555_5555_5000
    for turn in range(4):
        for queue in bench.queues:
            page = patterns[(turn + queue.number) % 2]
            ring, records, data = (page ^ number << 20 for number in range(3))
            offset = page >> 4 & 0xFF0
            queue.ring, queue.completions = ring | offset & 0x800, records | offset & 0xF00
            await queue.open(window=False)
            for number, at in enumerate((ring, records, data)):
                await queue.window(number, at, at + PAGE - 1)
            text = rng.randbytes(300)
            bench.memory.write(data + (offset & 0x7FF), text)
            job = copy(data + (offset & 0x7FF), data + 0xA00 + rng.randrange(16), 300)
            assert (await queue.run(job))[0].status == OK
            assert bench.memory.read(job.dst, 300) == text
            # The next page is nobody's.
            assert (await queue.run(copy(job.src, data + PAGE - 100)))[0].status == OK
            assert (await queue.run(copy(job.src, data + PAGE - 99)))[0].status == WINDOW
            await queue.write("CONTROL", 0)
            await queue.idle()
