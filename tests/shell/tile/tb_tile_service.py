"""What a queue may expect while others are at work: it is given up soon, and a status is true."""

import dataclasses

import cocotb
from cocotb.triggers import ClockCycles
from support.tile_model import (
    ABORTED,
    AES,
    AUTH,
    CBC,
    CHACHA,
    COPY,
    GCM,
    KECCAK,
    OK,
    SG_ENTRY,
    SHA2,
)
from tile_bench import Bench, Job

IDLE, QUIET = 1 << 0, 1 << 5
LIMIT = 2000
"""Cycles from an abort to the end of a queue, of which the README tells."""
BIG, SIZE = 1 << 44, 1 << 20
SHA256, HMAC_SHA256, SHAKE128 = 1, 9, 4


async def start(dut, latency=10):
    bench = await Bench(dut).start()
    bench.memory.latency = latency
    for queue in bench.queues:
        await queue.open()
        await queue.window(1, BIG, BIG + SIZE + 4095)
    return bench


def entries(*spans):
    """An SG list."""
    return b"".join(
        SG_ENTRY.encode(address=at, length=length, last=number + 1 == len(spans))
        for number, (at, length) in enumerate(spans)
    )


async def give_up(queue):
    """Abort a queue; return the cycles until it is idle, and quiet."""
    begin = queue.bench.memory.cycle
    await queue.write("CONTROL", 2)
    assert await queue.idle(limit=LIMIT) & (IDLE | QUIET) == IDLE | QUIET
    return queue.bench.memory.cycle - begin


def at_work(queue):
    """A long job of every engine, and of what is special in one."""
    key, tag = queue.place(bytes(64)), queue.place(bytes(64))
    here = {"src": BIG, "tag": tag, "length": SIZE}
    there = here | {"dst": BIG, "key": key}
    return {
        "copy": Job(COPY, src=BIG, dst=BIG, length=SIZE),
        "cbc": Job(AES, CBC, **there),
        "gcm": Job(AES, GCM, **there),
        "open": Job(AES, GCM, decrypt=1, **there),
        "aad": Job(AES, GCM, key=key, aad=BIG, aad_len=SIZE, tag=tag),
        "sha": Job(SHA2, SHA256, **here),
        "hmac": Job(SHA2, HMAC_SHA256, key=key, key_bytes=32, **here),
        "shake": Job(KECCAK, SHAKE128, **here),
        "xof": Job(KECCAK, SHAKE128, src=tag, tag=BIG, iv=SIZE.to_bytes(16, "little")),
        "chacha": Job(CHACHA, 2, key_len=2, **there),
    }


@cocotb.test()
async def abort_behind_a_hash(dut):
    """A megabyte of another queue is hashed; jobs behind it are given up at once."""
    bench = await start(dut)
    other, mine = bench.queues[:2]
    other.put(Job(SHA2, SHA256, src=BIG, tag=other.heap, length=SIZE))
    await other.ring_bell()
    key = mine.place(bytes(32))
    text = mine.place(bytes(700))
    pieces = mine.place(entries(*((text + 50 * at, 50) for at in range(14))), 16)
    jobs = [
        Job(SHA2, SHA256, src=text, length=700, tag=mine.heap),
        Job(SHA2, SHA256, src=pieces, src_list=1, length=700, tag=mine.heap),
        Job(SHA2, HMAC_SHA256, key=key, key_bytes=32, src=text, length=64, tag=mine.heap),
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
    worst = {}
    for name, job in at_work(mine).items():
        for wait in (150, 700):
            await mine.open()
            mine.put(job)
            mine.put(job)
            await mine.ring_bell()
            await ClockCycles(dut.clk_i, wait)
            source, target = other.place(bytes(range(256))), other.place(bytes(256))
            behind = dataclasses.replace(
                job, src=source, dst=target, length=208, key=source,
                aad=source, aad_len=min(job.aad_len, 64), decrypt=0, tag=other.place(bytes(600)),
                iv=bytes([64]) + bytes(15),
            )  # fmt: skip
            (verdict,), changed = bench.expect(behind)
            other.put(behind)
            await other.ring_bell()
            await ClockCycles(dut.clk_i, 60)
            worst[name] = max(worst.get(name, 0), await give_up(mine))
            (result,) = await other.wait()
            assert (result.status, result.written) == verdict, name
            bench.check(changed)
    dut._log.info("cycles from an abort to idle: %s", worst)


@cocotb.test()
async def abort_while_erasing(dut):
    """Zeros that are not written to the end are none: the job is aborted, not refused."""
    bench = await start(dut)
    mine, other = bench.queues[:2]
    size = 0x2000
    key, tag = mine.place(bytes(16)), mine.place(bytes(16))
    text = mine.place(bytes(size), 16)
    both = mine.place(entries((text, size // 2), (text + size // 2, size // 2)), 16)
    slow = Job(AES, GCM, src=BIG, dst=BIG, length=SIZE, key=other.place(bytes(16)), tag=other.heap)
    seen = set()
    for listed in (0, 1):
        # In 512 cycles it is decrypted, in as many erased; or it waits for another one's job.
        for wait, busy in ((620, 0), (700, 0), (800, 0), (1000, 0), (1600, 0), (1000, 1)):
            bench.memory.write(text, bytes(size))
            await mine.open()
            mine.put(
                Job(AES, GCM, decrypt=1, key=key, src=text, tag=tag, length=size,
                    dst=both if listed else text, dst_list=listed)
            )  # fmt: skip
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
async def erased_as_it_says(dut):
    """A list that its own message overwrites cannot be erased by: the status is not of a tag."""
    bench = await start(dut)
    queue = bench.queues[0]
    key, cipher = queue.place(bytes(16)), queue.place(bytes(range(32)))
    where = queue.place(b"\xdd" * 64)
    listing = queue.place(bytes(32), 16)
    for spans in (((listing, 16), (where, 16)), ((where, 16), (listing + 16, 16))):
        bench.memory.write(listing, entries(*spans))
        job = Job(AES, GCM, decrypt=1, key=key, src=cipher, dst=listing, dst_list=1, length=32,
                  tag=cipher)  # fmt: skip
        (result,) = await queue.run(job)
        assert result.status not in (OK, AUTH)
