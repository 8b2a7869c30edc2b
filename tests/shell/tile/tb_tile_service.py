"""What a queue may expect while others are at work: it is given up soon, and a status is true."""

import dataclasses

import cocotb
from cocotb.triggers import ClockCycles
from support.key_slots import Use, kek, wrapped
from support.tile_model import (
    ABORTED,
    AUTH,
    BAD_DESCRIPTOR,
    BAD_PARAM,
    BUS_ERROR,
    COPY,
    DEFAULT_MODES,
    MODES,
    NOP,
    OK,
    WINDOW,
    find,
)
from tile_bench import READ, SLVERR, Bench, Job, entries

from cryptile.catalog import Key

IDLE, QUIET = 1 << 0, 1 << 5
LIMIT = 2000
"""Cycles from an abort to the end of a queue, of which the README tells."""
LATENCIES = (0, 10, 50, 100)
"""Of memory, of which it tells too."""
BIG, SIZE = 1 << 44, 1 << 20
NAMES = bytes.fromhex("01204b4d41430100")
"""Encoded strings of SP 800-185: a name and nothing."""
HASH = find(output=False, key=Key.none, tag=28)
MAC = find(output=False, key=Key.bytes, tag=28)
AEAD, PAIR = find(unwraps=True), find(key=Key.pair)
BARE = next(at for at, mode in DEFAULT_MODES.items() if at[0] == AEAD[0] and not mode.tag)
assert HASH[0] == MAC[0], "one lane"


async def start(dut, latency=10):
    bench = await Bench(dut).start()
    bench.memory.latency = latency
    for queue in bench.queues:
        await queue.open()
        await queue.window(1, BIG, BIG + SIZE + 4095)
    return bench


async def give_up(queue):
    """Abort a queue; return the cycles until it is idle, and quiet."""
    begin = queue.bench.memory.cycle
    await queue.write("CONTROL", 2)
    assert await queue.idle(limit=LIMIT) & (IDLE | QUIET) == IDLE | QUIET
    cycles = queue.bench.memory.cycle - begin
    assert cycles <= LIMIT
    return cycles


def at_work(queue):
    """Long jobs of every mode: a long message, and what else may be long."""
    key, tag = queue.place(bytes(range(64))), queue.place(bytes(64))
    for at, mode in DEFAULT_MODES.items():
        if at[0] == NOP:
            continue
        plain = Job(*at, src=BIG, dst=BIG, length=SIZE, tag=tag, key_bytes=32)
        if mode.key is Key.bytes:
            plain.key = key
        elif mode.key is not Key.none:
            plain.key, plain.key_len, plain.key_bytes = key, 2 * (mode.key is Key.fixed), 0
        else:
            plain.key_bytes = 0
        yield plain
        if mode.tag and mode.output:
            yield dataclasses.replace(plain, decrypt=1)
            yield dataclasses.replace(plain, length=0, aad=BIG, aad_len=SIZE)
        if mode.long_tag:
            long = SIZE.to_bytes(16, "little")
            yield dataclasses.replace(plain, src=tag, length=8, tag=BIG, iv=long)


@cocotb.test()
async def abort_behind_a_hash(dut):
    """A megabyte of another queue is hashed; jobs behind it are given up at once."""
    bench = await start(dut)
    other, mine = bench.queues[:2]
    other.put(Job(*HASH, src=BIG, tag=other.heap, length=SIZE))
    await other.ring_bell()
    key = mine.place(bytes(32))
    text = mine.place(bytes(700))
    pieces = mine.place(entries(*((text + 50 * at, 50) for at in range(14))), 16)
    jobs = [
        Job(*HASH, src=text, length=700, tag=mine.heap),
        Job(*HASH, src=pieces, src_list=1, length=700, tag=mine.heap),
        Job(*MAC, key=key, key_bytes=32, src=text, length=64, tag=mine.heap),
    ]
    worst = 0
    for turn in range(6):
        await ClockCycles(dut.clk_i, 300)
        for number in range(turn + 1):
            mine.put(jobs[(turn + number) % 3])
        await mine.ring_bell()
        await ClockCycles(dut.clk_i, 37 * turn)
        worst = max(worst, await give_up(mine))
        ended = await bench.registers.read("PAGE[1].COMPLETED")
        assert {result.status for result in await mine.wait(ended)} <= {ABORTED}
        await mine.open()
    # Places that are not free yet are no others' loss: the lane has one left for this job.
    behind = Job(COPY, src=text, dst=text, length=64)
    assert [result.status for result in await mine.run(behind)] == [OK]
    assert other.poll() is None
    worst = max(worst, await give_up(other))
    assert [result.status for result in await other.wait()] == [ABORTED]
    (result,) = await mine.run(jobs[0])
    assert result.status == OK
    dut._log.info("%d cycles at most from an abort to idle", worst)


@cocotb.test()
async def abort_at_work(dut):
    """Whatever an engine is at work on when it is given up, the next queue's job is right."""
    bench = await start(dut)
    mine, other = bench.queues[:2]
    worst = dict.fromkeys(LATENCIES, 0)
    for turn, job in enumerate(at_work(mine)):
        bench.memory.latency = latency = LATENCIES[turn % len(LATENCIES)]
        what = job.opcode, job.mode
        await mine.open()
        mine.put(job)
        mine.put(job)
        await mine.ring_bell()
        await ClockCycles(dut.clk_i, (150, 300, 700)[turn % 3])
        source, target = other.place(bytes(range(256))), other.place(bytes(256))
        behind = dataclasses.replace(
            job,
            src=source,
            dst=target,
            length=208,
            key=source if job.key else None,
            aad=source,
            aad_len=min(job.aad_len, 64),
            decrypt=0,
            tag=other.place(bytes(600)),
            iv=bytes([MODES[what].tag]) + bytes(15) if MODES[what].long_tag else bytes(16),
        )
        if MODES[what].needs_aad:
            behind.aad, behind.aad_len = other.place(NAMES), len(NAMES)
        (verdict,), changed = bench.expect(behind)
        other.put(behind)
        await other.ring_bell()
        await ClockCycles(dut.clk_i, 60)
        worst[latency] = max(worst[latency], await give_up(mine))
        (result,) = await other.wait()
        assert (result.status, result.written) == verdict, job
        bench.check(changed)
    assert max(worst.values()) < LIMIT
    dut._log.info("cycles from an abort to idle, by latency of memory: %s", worst)


@cocotb.test()
async def abort_while_erasing(dut):
    """Zeros that are not written to the end are none: the job is aborted, not refused."""
    bench = await start(dut)
    mine, other = bench.queues[:2]
    size = 0x2000
    key, tag = mine.place(bytes(16)), mine.place(bytes(16))
    text = mine.place(bytes(size), 16)
    both = mine.place(entries((text, size // 2), (text + size // 2, size // 2)), 16)
    slow = Job(*AEAD, src=BIG, dst=BIG, length=SIZE, key=other.place(bytes(16)), tag=other.heap)
    seen = set()
    for listed in (0, 1):
        # In 512 cycles it is decrypted, in as many erased; or it waits for another one's job.
        for wait, busy in ((620, 0), (700, 0), (800, 0), (1000, 0), (1600, 0), (1000, 1)):
            bench.memory.write(text, bytes(size))
            await mine.open()
            mine.put(
                Job(
                    *AEAD,
                    decrypt=1,
                    key=key,
                    src=text,
                    tag=tag,
                    length=size,
                    dst=both if listed else text,
                    dst_list=listed,
                )
            )
            await mine.ring_bell()
            if busy:
                other.put(slow)
                await other.ring_bell()
            await ClockCycles(dut.clk_i, wait)
            await give_up(mine)
            (result,) = await mine.wait()
            erased = bench.memory.read(text, size) == bytes(size)
            seen.add(result.status)
            assert result.status in (AUTH, ABORTED)
            assert erased or result.status == ABORTED, (listed, wait)
            if busy:
                assert result.status == ABORTED
                await give_up(other)
                await other.open()
    assert seen == {AUTH, ABORTED}


@cocotb.test()
async def errors_while_erasing(dut):
    """Zeros that the memory or the windows refuse are none: the status says which of the two."""
    bench = await start(dut)
    queue = bench.queues[0]
    size = 0x2000
    key, tag = queue.place(bytes(16)), queue.place(bytes(16))
    job = Job(*AEAD, decrypt=1, key=key, src=BIG, dst=BIG, tag=tag, length=size)
    for status in (AUTH, BUS_ERROR, WINDOW):
        queue.put(job)
        await queue.ring_bell()
        await ClockCycles(dut.clk_i, 700)
        if status == BUS_ERROR:
            bench.memory.bad[(BIG + size - 1) // 64] = SLVERR
        elif status == WINDOW:
            await queue.write("WINDOW[1].FLAGS", 1 | READ)
        (result,) = await queue.wait()
        assert result.status == status
        bench.memory.bad.clear()


@cocotb.test()
async def erased_as_it_says(dut):
    """A list that its own message overwrites cannot be erased by: the status is not of a tag."""
    bench = await start(dut)
    queue = bench.queues[0]
    key, cipher = queue.place(bytes(16)), queue.place(bytes(range(32)))
    where = queue.place(b"\xdd" * 64)
    listing = queue.place(bytes(32), 16)
    for spans in (((listing, 16), (where, 16)), ((where, 16), (listing + 16, 16))):
        bench.memory.write(listing, entries(*spans))
        job = Job(
            *AEAD, decrypt=1, key=key, src=cipher, dst=listing, dst_list=1, length=32, tag=cipher
        )
        (result,) = await queue.run(job)
        assert result.status not in (OK, AUTH)


@cocotb.test()
async def pieces(dut):
    """Entries of lists that are shorter than PIECE count as so many bytes, but for the last."""
    bench = await start(dut)
    queue = bench.queues[0]
    source, target = queue.place(bytes(range(200))), queue.place(bytes(200))
    assert await bench.registers.read(queue.register("PIECE")) == 64
    for piece, most in ((64, 64), (256, 16), (0, 100)):
        await give_up(queue)
        await queue.write("PIECE", piece)
        await queue.open(max_bytes=4096)
        for count in {most, min(most + 1, 100)}:
            for side in ("src", "dst"):
                at = {"src": source, "dst": target}
                listing = queue.place(entries(*((at[side] + n, 1) for n in range(count))), 16)
                job = Job(COPY, length=count, **(at | {side: listing, side + "_list": 1}))
                (result,) = await queue.run(job)
                assert result.status == (OK if count == most else BAD_DESCRIPTOR), (piece, count)
                if result.status == OK:
                    assert bench.memory.read(target, count) == bench.memory.read(source, count)
                bench.memory.write(target, bytes(200))


def worst_lists(most):
    """Lists of what counts as so many bytes: bytes of each entry, and how far they are apart."""
    yield "bytes", 1, most // 64, 80
    # Each lies in two bursts.
    yield "words", 64, most // 64, 320 if most < 4096 else 256


@cocotb.test()
async def amplified(dut):
    """What a list may cost, against one piece of as many bytes as it counts."""
    most = 4096
    bench = await start(dut)
    queue = bench.queues[0]
    await give_up(queue)
    await queue.open(max_bytes=most)
    source, target = queue.base + 0x10000, queue.base + 0x30000
    for latency in (10, 50):
        bench.memory.latency = latency
        (plain,) = await queue.run(Job(COPY, src=source, dst=target, length=most))
        for name, size, count, apart in worst_lists(most):
            first = 256 - size // 2
            lists = [
                queue.place(entries(*((at + first + apart * n, size) for n in range(count))), 16)
                for at in (source, target)
            ]
            for src_list, dst_list in ((1, 0), (0, 1), (1, 1)):
                job = Job(
                    COPY,
                    src=lists[0] if src_list else source,
                    src_list=src_list,
                    dst=lists[1] if dst_list else target,
                    dst_list=dst_list,
                    length=size * count,
                )
                (result,) = await queue.run(job)
                assert result.status == OK
                dut._log.info(
                    "latency %d, %s, src %d, dst %d: %d cycles, %d in one piece, %.3f for a byte",
                    latency,
                    name,
                    src_list,
                    dst_list,
                    result.cycles,
                    plain.cycles,
                    result.cycles / most,
                )
                assert result.cycles <= 2 * plain.cycles


@cocotb.test()
async def behind_the_worst(dut):
    """64 bytes wait for two long jobs of another queue, however many it has, and six short ones."""
    long, short = 8192, 4096
    bench = await start(dut)
    hostile, other = bench.queues[:2]
    await give_up(hostile)
    await hostile.open(max_bytes=long)
    tag = hostile.place(bytes(32))
    jobs = [Job(*HASH, src=BIG, tag=tag, length=length) for length in (long, short)]
    mine = Job(*HASH, src=other.heap, tag=other.place(bytes(32)), length=64)
    for kinds in ((long,), (long, short)):
        for turn in range(12):
            hostile.put(jobs[turn % 2 if len(kinds) == 2 else 0])
        await hostile.ring_bell()
        await ClockCycles(dut.clk_i, 400)
        begin = bench.memory.cycle
        other.put(mine)
        await other.ring_bell()
        await other.wait(limit=100_000)
        waited = bench.memory.cycle - begin
        dut._log.info("64 bytes behind jobs of %s bytes: %d cycles", kinds, waited)
        # A byte is a cycle, and a block that of the padding.
        assert waited < 2 * (long + 200) + (6 * (short + 200) if len(kinds) == 2 else 0) + 400
        await give_up(hostile)
        await hostile.open(max_bytes=long)


@cocotb.test()
async def token_behind_floods(dut):
    """A job with a token wants a place in two lanes: it waits for one, then for the other, however
    many jobs of others want them."""
    short, places = 4096, 8
    bench = await start(dut)
    ours, *others = bench.queues[:3]
    await give_up(ours)
    await ours.open(mask=1)
    secret, key, iv = bytes(range(16)), bytes(range(32)), bytes(16)
    use = Use(*MAC[:1], (MAC[1],), len(key), encrypt=True)
    await bench.slot(0, kek(), secret)
    aad = use.wrapped_for(255)
    token = ours.place(aad + iv + wrapped(secret, iv, key, aad))
    mine = Job(
        *MAC,
        key=token,
        slot=0,
        token=1,
        key_bytes=len(key),
        src=ours.heap,
        length=64,
        tag=ours.place(bytes(32)),
    )

    async def flood(queue, job):
        for _ in range(15):
            queue.put(job)
        while True:
            await queue.ring_bell()
            (result,) = await queue.wait(limit=100_000)
            assert result.status == OK
            queue.put(job)

    # By keys in slots, as their jobs have one entry: more of them than a lane has places.
    await bench.slot(1, Use(BARE[0], (BARE[1],), 16, owners=(1,), encrypt=True), secret)
    await give_up(others[0])
    await others[0].open(mask=0b10)
    cocotb.start_soon(flood(others[0], Job(*BARE, src=BIG, dst=BIG, slot=1, length=short)))
    tag = others[1].place(bytes(32))
    cocotb.start_soon(flood(others[1], Job(*HASH, src=BIG, length=short, tag=tag)))
    await ClockCycles(dut.clk_i, 3000)
    for _ in range(3):
        begin = bench.memory.cycle
        ours.put(mine)
        await ours.ring_bell()
        (result,) = await ours.wait(limit=100_000)
        waited = bench.memory.cycle - begin
        dut._log.info("64 bytes with a token behind two floods: %d cycles", waited)
        assert result.status == OK
        # Bytes of the hash are a cycle each, sixteen of the other engine's are one.
        assert waited < places * (short + 200) + places * (short // 16 + 200) + 400
        await ClockCycles(dut.clk_i, 777)


@cocotb.test()
async def list_at_the_end_of_a_window(dut):
    """A list may end where its window does: nothing behind it is asked for."""
    bench = await start(dut, latency=30)
    queue = bench.queues[0]
    end = queue.base + queue.REGION
    source, target = queue.place(bytes(range(200))), queue.place(bytes(200))
    for count in (1, 2, 4, 5, 9):
        for sides in ((1, 0), (0, 1)):
            at = end - 16 * count
            place = (source, target)[sides[1]]
            bench.memory.write(at, entries(*((place + 20 * n, 20) for n in range(count))))
            src, dst = (
                at if listed else whole
                for listed, whole in zip(sides, (source, target), strict=True)
            )
            job = Job(COPY, src=src, dst=dst, src_list=sides[0], dst_list=sides[1])
            (result,) = await queue.run(dataclasses.replace(job, length=20 * count))
            assert result.status == OK
            await ClockCycles(dut.clk_i, 100)
            assert await queue.read("VIOLATION") == 0, (count, sides)


@cocotb.test()
async def alone(dut):
    """While no other queue is enabled a lane takes as many long jobs as it has places for."""
    bench = await start(dut, latency=50)
    queue, *others = bench.queues
    source, target = (queue.place(entries((BIG + at, 1500)), 16) for at in (0, 4096))
    job = Job(COPY, src=source, dst=target, src_list=1, dst_list=1, length=1500)
    cycles = []
    for _ in range(2):
        begin = bench.memory.cycle
        assert {result.status for result in await queue.run(*[job] * 14)} == {OK}
        cycles.append(bench.memory.cycle - begin)
        for other in others:
            await give_up(other)
    dut._log.info(
        "14 jobs of 1,500 bytes in lists: %d cycles beside other queues, %d alone", *cycles
    )
    assert cycles[1] < 0.85 * cycles[0]


@cocotb.test()
async def by_latency(dut):
    """What another queue's worst legal jobs cost 64 bytes, and the end of that queue in their
    midst, by the latency of memory."""
    long = 4352
    bench = await start(dut)
    hostile, other = bench.queues[:2]
    tag, mine = hostile.place(bytes(32)), other.place(bytes(32))
    short = Job(*HASH, src=other.heap, tag=mine, length=64)
    plain = Job(*HASH, src=BIG, tag=tag, length=long)
    listed = {
        name: dataclasses.replace(
            plain,
            src_list=1,
            length=size * count,
            src=hostile.place(
                entries(*((BIG + 256 - size // 2 + apart * n, size) for n in range(count))), 16
            ),
        )
        for name, size, count, apart in worst_lists(long)
    }
    for latency in LATENCIES:
        bench.memory.latency = latency
        for name, job in listed.items():
            await give_up(hostile)
            await hostile.open(max_bytes=long)
            for _ in range(12):
                hostile.put(job)
            await hostile.ring_bell()
            await ClockCycles(dut.clk_i, 400 + 6 * latency)
            begin = bench.memory.cycle
            other.put(short)
            await other.ring_bell()
            (result,) = await other.wait(limit=100_000)
            assert result.status == OK
            waited = bench.memory.cycle - begin
            end = await give_up(hostile)
            dut._log.info(
                "latency %d, behind jobs of %d bytes, %s: 64 bytes took %d cycles; %d to the end",
                latency,
                long,
                name,
                waited,
                end,
            )
            # As two of them in one piece, and what is on its way.
            assert waited < 2 * (long + 200) + 400 + 30 * latency


@cocotb.test()
@cocotb.parametrize(after=[3, 40, 90, 260])
async def silent_memory(dut, after):
    """A memory that is slow is waited for; one that is silent is not: all queues come to an end."""
    limit, watchdog = 300, 1 << 19
    bench = await start(dut, latency=250)
    memory, registers, queues = bench.memory, bench.registers, bench.queues[:3]
    await registers.write("WATCHDOG", limit)
    await registers.write("ERROR_ENABLE", watchdog)
    key = queues[1].place(bytes(32))
    jobs = [
        Job(COPY, src=BIG, dst=BIG, length=4096),
        Job(*AEAD, key=key, src=BIG, dst=BIG, length=1000, tag=key),
        Job(*HASH, src=BIG, length=4096, tag=queues[2].heap),
    ]
    for queue, job in zip(queues, jobs, strict=True):
        (result,) = await queue.run(job)
        assert result.status == OK
    # The last records are there; the answers to their writes come later.
    await ClockCycles(dut.clk_i, limit)
    assert await registers.read("ERROR_STATUS") == 0
    memory.latency = 10
    for queue, job in zip(queues, jobs, strict=True):
        for _ in range(3):
            queue.put(job)
        await queue.ring_bell()
    await ClockCycles(dut.clk_i, after)
    memory.stall = 1.0
    await ClockCycles(dut.clk_i, 20)
    asked = len(memory.reads) + len(memory.writes)
    await ClockCycles(dut.clk_i, limit - 40)
    assert dut.error_irq_o.value == 0
    await ClockCycles(dut.clk_i, 60)
    assert dut.error_irq_o.value == 1
    for queue in queues:
        await queue.write("CONTROL", 2)
        assert await queue.idle(limit=LIMIT) & (IDLE | QUIET) == IDLE
    # It comes back: what it was asked it may take, nothing more is asked.
    memory.stall = 0.0
    await ClockCycles(dut.clk_i, 500)
    assert len(memory.reads) + len(memory.writes) <= asked + 2
    await registers.write("ERROR_STATUS", watchdog)
    assert await registers.read("ERROR_STATUS") == watchdog
    for queue in queues:
        await queue.open()
        queue.put(Job())
        await queue.ring_bell()
        await ClockCycles(dut.clk_i, 50)
        assert await queue.idle() & 0b11 == 0b11, "its ring cannot be read"
    # A soft reset would forget what the memory may answer yet: it is never done.
    await registers.write("CONTROL", 2)
    await ClockCycles(dut.clk_i, 500)
    assert await registers.read("CONTROL") == 2
    assert len(memory.reads) + len(memory.writes) <= asked + 2


@cocotb.test()
async def equal_keys(dut):
    """Two equal keys are a bad parameter: from memory, a slot or a token; the next job is right."""
    bench = await start(dut)
    queue = bench.queues[0]
    await give_up(queue)
    await queue.open(mask=0b11)
    opcode, mode = PAIR
    use = Use(opcode, (mode,), 32, encrypt=True, decrypt=True)
    secret, text = bytes(range(16)), queue.place(bytes(range(128)))
    await bench.slot(0, kek(), secret)
    for differs in (0, 1):
        key = bytes(range(50, 66)) + bytes([50 ^ differs]) + bytes(range(51, 66))
        await bench.slot(1, use, key)
        aad, iv = use.wrapped_for(255), bytes(16)
        token = queue.place(aad + iv + wrapped(secret, iv, key, aad))
        plain = Job(*PAIR, key=queue.place(key), src=text, dst=text + 64, length=48)
        for job in (
            plain,
            dataclasses.replace(plain, key=None, slot=1),
            dataclasses.replace(plain, key=token, slot=0, token=1),
        ):
            behind = Job(
                *AEAD,
                key=queue.place(key[:16]),
                src=text,
                dst=queue.place(bytes(64)),
                length=64,
                tag=queue.place(bytes(16)),
            )
            verdicts, changed = bench.expect(plain, behind)
            results = await queue.run(job, behind)
            assert [(result.status, result.written) for result in results] == verdicts
            assert results[0].status == (OK if differs else BAD_PARAM)
            bench.check(changed)


@cocotb.test()
async def no_byte_beyond_a_tag(dut):
    """However long the tag is said to be, no byte behind it is written; none if it is refused."""
    bench = await start(dut)
    queue = bench.queues[0]
    key, text = queue.place(bytes(range(64))), queue.place(bytes(range(64)))
    for at, mode in DEFAULT_MODES.items():
        if not mode.tag:
            continue
        for size in (1, 4, 8, 12, 15, 16, mode.tag, mode.tag + 1, 64):
            tag = queue.place(b"\xee" * 100)
            job = Job(*at, src=text, dst=queue.place(bytes(64)), length=48, tag=tag, tag_len=size)
            if mode.key is not Key.none:
                job.key, job.key_len = key, 2 * (mode.key is Key.fixed)
                job.key_bytes = 32 * (mode.key is Key.bytes)
            (result,) = await queue.run(job)
            assert result.status in (OK, BAD_PARAM)
            kept = size if result.status == OK else 0
            assert bench.memory.read(tag, 100)[kept:] == b"\xee" * (100 - kept), (at, size)
