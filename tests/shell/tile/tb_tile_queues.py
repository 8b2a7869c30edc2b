"""Queues and registers of the tile, with lanes that are played here."""

import dataclasses
import random

import cocotb
from cocotb.triggers import ClockCycles
from control_bench import Control, Lane
from support.key_slots import Use, kek
from support.tile_model import (
    ABORTED,
    AES,
    BAD_DESCRIPTOR,
    CCM,
    COPY,
    CTR,
    ECB,
    GCM,
    KECCAK,
    KEY_DENIED,
    NOP,
    OK,
    SHA2,
    XTS,
    find,
)
from tile_bench import ON_COMPLETION, ON_ERROR, ON_VIOLATION, SLVERR, Job

from cryptile.catalog import Key
from cryptile.jobs.oracle.aes import CMAC

STREAM = find(keystream=True, key=Key.fixed)
NO_ENGINE = 15
"""An opcode that no tile has."""


@cocotb.test()
async def registers(dut):
    """What is written is read, but for keys; what was not built reads as 0."""
    bench = await Control(dut).start()
    rng, regs = random.Random(1), bench.registers
    assert await regs.read("ID") == int.from_bytes(b"CRYP", "big")
    assert await regs.read("FEATURES") == 0x2BF
    assert await regs.read("SIZES") & 0xFF_FFFF == 12 << 19 | 0x04_08_04
    masks = {
        "RING_LO": 0xFFFF_FFC0,
        "RING_HI": 0xFF_FFFF,
        "COMPLETION_LO": 0xFFFF_FFF0,
        "COMPLETION_HI": 0xFF_FFFF,
        "KEY_MASK": 0xFF,
        "COALESCE": 0xFFFF_00FF,
        "MAX_BYTES": 0xFFFF_FFFF,
    }
    for window in range(4):
        for name, mask in (("BASE", 0xFFF), ("LIMIT", 0xFFF)):
            masks[f"WINDOW[{window}].{name}_LO"] = 0xFFFF_FFFF
            masks[f"WINDOW[{window}].{name}_HI"] = mask
        masks[f"WINDOW[{window}].FLAGS"] = 0x7F07
    masks |= {
        "IRQ_ENABLE_SET": 7,
        "ALLOWED": 0x3_FFFF,
        "WEIGHT": 0xF,
        "PROCESS": 0xF_FFFF,
        "RELATIVE": 1,
    }
    assert await regs.read("QUEUE[3].ALLOWED") == 0xFFFF and await regs.read("QUEUE[3].WEIGHT") == 1
    written = {(queue, name): rng.getrandbits(32) for queue in range(4) for name in masks}
    for flipped in (0, 0xFFFF_FFFF, 0):
        if flipped:
            for queue in range(4):
                await regs.write(f"QUEUE[{queue}].IRQ_ENABLE_CLEAR", 7)
        for (queue, name), value in written.items():
            await regs.write(f"QUEUE[{queue}].{name}", value ^ flipped)
        for (queue, name), value in written.items():
            if name == "IRQ_ENABLE_SET" and not flipped:
                continue  # it only sets
            found = await regs.read(f"QUEUE[{queue}].{name}")
            assert found == (value ^ flipped) & masks[name], (queue, name)
        watchdog = rng.getrandbits(32) ^ flipped
        await regs.write("WATCHDOG", watchdog)
        assert await regs.read("WATCHDOG") == watchdog
    assert await regs.read("QUEUE[4].RING_LO") == 0
    dut.s_axil_wstrb_i.value = 7
    await regs.write("QUEUE[0].MAX_BYTES", 0)
    dut.s_axil_wstrb_i.value = 15
    assert await regs.read("QUEUE[0].MAX_BYTES") == written[0, "MAX_BYTES"], "only whole words"
    for turn in range(32):
        slot, numbers = turn % 8, [n for n in range(16) if rng.randrange(2)]
        owners = tuple(number for number in numbers if number < 8)
        use = Use(
            rng.randrange(16),
            tuple(numbers),
            rng.randrange(65),
            owners=owners,
            encrypt=rng.random() < 0.5,
            decrypt=rng.random() < 0.5,
            unwrap=rng.random() < 0.5,
            contexts=rng.random() < 0.5,
            counted=rng.random() < 0.5,
            nonce=rng.random() < 0.5,
            tag_bytes=rng.randrange(128),
            uses=rng.getrandbits(32),
        )
        await bench.slot(slot, use, rng.randbytes(64))
        said = {"ATTRIBUTES": use.attributes, "POLICY": use.policy, "USES": use.uses}
        for name, value in said.items():
            assert await regs.read(f"SLOT[{slot}].{name}") == value, name
        word = rng.randrange(16)
        assert await regs.read(f"SLOT[{slot}].KEY[{word}]") == 0


@cocotb.test()
async def many_jobs(dut):
    """Rings wrap, records are in order and name their jobs; queues take turns."""
    bench = await Control(dut).start()
    rng = random.Random(2)
    for queue in bench.queues:
        await queue.open()
    expected = {queue.number: [] for queue in bench.queues}
    seen = {queue.number: [] for queue in bench.queues}
    for turn in range(30):
        bench.memory.stall, bench.memory.latency = rng.choice((0.0, 0.4)), rng.choice((1, 5, 20))
        for lane in bench.lanes:
            lane.delay = rng.choice((1, 5, 30))
        for queue in bench.queues:
            number = rng.randrange(1, 6)
            for _ in range(number):
                job = rng.choice(
                    (
                        Job(NOP),
                        Job(COPY, length=rng.randrange(99)),
                        Job(SHA2, 1, fence=1),
                        Job(AES, CTR, key=0x1000),
                        Job(NO_ENGINE),
                        Job(NOP, key=0x1000),
                    )
                )
                status = BAD_DESCRIPTOR if job.opcode == NO_ENGINE else OK
                expected[queue.number].append((queue.put(job), status))
            await queue.ring_bell()
            seen[queue.number] += [(r.index, r.status) for r in await queue.wait(number)]
        assert await bench.registers.read(f"PAGE[{turn % 4}].COMPLETED") == len(seen[turn % 4])
    for number, records in seen.items():
        assert sorted(records) == sorted(expected[number]), number
    for queue in bench.queues:
        status = await queue.idle()
        assert status == 1
        assert await bench.registers.read(f"PAGE[{queue.number}].HEAD") == queue.producer


def anything(rng, most):
    """A job of any kind, with addresses and lengths anywhere in their ranges."""

    def at(align=1):
        return rng.getrandbits(56) // align * align

    job = rng.choice(
        (
            Job(COPY),
            Job(SHA2, 1),
            Job(KECCAK, 4),
            Job(AES, CTR, key=at()),
            Job(AES, GCM, key=at()),
            Job(KECCAK, 8, key=at(), key_bytes=rng.randrange(1, 65)),
            Job(SHA2, 9, key=at()),
            Job(*STREAM, key=at()),
        )
    )
    job.src_list, job.dst_list = rng.randrange(2), rng.randrange(2)
    job.src, job.dst = at(16 if job.src_list else 1), at(16 if job.dst_list else 1)
    job.length, job.tag, job.irq = rng.randrange(most + 1), at(), rng.randrange(2)
    job.iv = rng.randbytes(16)
    if job.opcode == KECCAK:
        job.iv = rng.randrange(1, most + 1).to_bytes(16, "little")
    if (job.opcode, job.mode) == (AES, GCM):
        job.aad, job.aad_len, job.decrypt = at(), rng.randrange(most + 1), rng.randrange(2)
        job.iv_len, job.long_iv = rng.randrange(16, 1024), at()
        job.tag_len = rng.choice((0, 4, 8, 12, 13, 14, 15, 16))
    return job


@cocotb.test()
async def anywhere(dut):
    """Rings and data at any address: lanes get what descriptors say, records what lanes say."""
    bench = await Control(dut).start()
    rng = random.Random(11)
    working = True

    async def full():
        while working:
            dut.lane_full_i.value = rng.getrandbits(20)
            await ClockCycles(dut.clk_i, rng.randrange(1, 40))
            dut.lane_full_i.value = 0
            await ClockCycles(dut.clk_i, rng.randrange(1, 40))

    cocotb.start_soon(full())
    for turn in range(30):
        unsettled = rng.choice((0.0, 0.3))
        bench.memory.stall, bench.memory.latency = unsettled, rng.choice((1, 5, 20))
        moved = rng.getrandbits(32)
        dut.done_bytes_i.value = moved
        for lane in bench.lanes:
            lane.delay, lane.status = rng.choice((1, 5, 30)), rng.choice((0, 1, 2, 3, 4, 17, 20))
            lane.taken.clear()
        queue = bench.queues[turn % 4]
        queue.ring, queue.completions = rng.getrandbits(50) << 6, rng.getrandbits(52) << 4
        most, piece = rng.getrandbits(32) >> rng.randrange(20) | 16, rng.getrandbits(16)
        await queue.write("PIECE", piece)
        await queue.write("WEIGHT", rng.randrange(16))
        await queue.open(max_bytes=most, window=False)
        jobs = [anything(rng, most) for _ in range(6)]
        for job, result in zip(jobs, await queue.run(*jobs), strict=True):
            lane = bench.lanes[job.opcode - 1]
            assert (result.status, result.written) == (lane.status, moved), job
            taken = lane.taken[queue.number, result.index]
            wanted = [(piece, 16), (most, 32), (job.long_iv, 56), (0, 56), (job.key or 0, 56),
                      (job.tag, 56), (job.aad, 56), (job.dst, 56), (job.src, 56)]  # fmt: skip
            for value, width in wanted:
                assert taken & (1 << width) - 1 == value, (job, hex(value))
                taken >>= width
        await queue.write("CONTROL", 0)
        await queue.idle()
    working = False


@cocotb.test()
async def many_at_once(dut):
    """Rings of hundreds of entries, all queues at once, twice from their beginning."""
    bench = await Control(dut).start()
    for queue in bench.queues:
        queue.log2 = 9
        queue.completions = queue.ring + (64 << queue.log2)
    for _ in range(2):
        for queue in bench.queues:
            await queue.open()
        for number in (500, 300):
            for queue in bench.queues:
                for _ in range(number):
                    queue.put(Job(NOP))
                await queue.ring_bell()
            for queue in bench.queues:
                results = await queue.wait(number)
                assert all(result.status == OK for result in results)
                assert results[-1].index == queue.producer - 1
        for queue in bench.queues:
            await queue.write("CONTROL", 0)
            await queue.idle()


@cocotb.test()
async def turns(dut):
    """A full queue holds up neither others nor, while its lane is busy, other engines."""
    bench = await Control(dut).start()
    for queue in bench.queues:
        await queue.open()
        for _ in range(14):
            queue.put(Job(NOP))
    for queue in bench.queues:
        await queue.ring_bell()
    await bench.queues[3].wait(14)
    for queue in bench.queues[:3]:
        await queue.wait(14)
    bench.lanes[COPY - 1].ready = 0
    for queue in bench.queues[:3]:
        queue.put(Job(COPY))
        await queue.ring_bell()
    for _ in range(3):
        (result,) = await bench.queues[3].run(Job(SHA2, 1))
        assert result.status == OK
    assert not bench.lanes[COPY - 1].jobs
    bench.lanes[COPY - 1].ready = 1
    for queue in bench.queues[:3]:
        await queue.wait(1)
    owners = [Lane.owner(tag) for tag, _ in bench.lanes[COPY - 1].jobs]
    assert sorted(owners) == [0, 1, 2]


@cocotb.test()
async def fences(dut):
    """A job with fence starts when all before it are complete."""
    bench = await Control(dut).start()
    queue = await bench.queues[0].open()
    bench.lanes[COPY - 1].delay = 200
    queue.put(Job(COPY))
    queue.put(Job(SHA2, 1, fence=1))
    queue.put(Job(NOP))
    await queue.ring_bell()
    await ClockCycles(dut.clk_i, 150)
    assert bench.lanes[COPY - 1].jobs and not bench.lanes[SHA2 - 1].jobs
    found = [result.index for result in await queue.wait(3)]
    assert found[0] == 0 and sorted(found[1:]) == [1, 2]
    assert len(bench.lanes[SHA2 - 1].jobs) == 1


@cocotb.test()
async def bad_descriptors(dut):
    """Everything that the decoder refuses, each alone; and what it must not refuse."""
    bench = await Control(dut).start()
    queue = await bench.queues[0].open(mask=1, max_bytes=1000)
    await bench.slot(0, kek(encrypt=True), bytes(64))
    copy = {"opcode": COPY}
    ctr = {"opcode": AES, "mode": CTR, "key": 64}
    gcm = {"opcode": AES, "mode": GCM, "key": 64}
    wrap = {
        "opcode": AES,
        "mode": GCM,
        "decrypt": 1,
        "slot": 0,
        "target": 0,
        "aad_len": 16,
        "length": 32,
    }
    good = [
        copy, ctr, {**copy, "length": 1000}, {**ctr, "aad_len": 1000}, {"opcode": NOP, "key": 3},
        {**copy, "src": (1 << 56) - 1}, {"opcode": SHA2, "mode": 9, "key_bytes": 64, "key": 0},
        *({**wrap, "length": length} for length in (16, 24, 32, 48, 64)),
        {**wrap, "tag_len": 16}, {"opcode": AES, "mode": GCM, "key": 1, "iv_len": 12},
        {**gcm, "aad_list": 1}, {**ctr, "aad_list": 1}, {**gcm, "row": 1},
        {"opcode": KECCAK, "mode": 4, "iv": (1000).to_bytes(16, "little")},
        {**ctr, "iv": bytes([255] * 16)},
        {**gcm, "row": 1, "more": 1, "ctx_save": 1}, {**gcm, "row": 1, "ctx_load": 1},
        {**gcm, "row": 1, "token": 1, "slot": 0, "kek_len": 2},
        {**gcm, "row": 1, "length": 1000, "aad_len": 1000, "tag_len": 16},
        {"opcode": AES, "mode": CCM, "key": 1, "row": 1, "src_list": 1, "dst_list": 1},
    ]  # fmt: skip
    bad = [
        *({**copy, "spoil": {0: 1 << bit}} for bit in (58, 59, 60, 62, 63)),
        *({**copy, "spoil": {word: 1 << bit}} for word in (2, 6) for bit in range(56, 64)),
        *({**ctr, "spoil": {word: 1 << rng}} for word in (8, 9, 10) for rng in (56, 63)),
        *({**ctr, "spoil": {word: 1 << rng}} for word in range(11, 16) for rng in (0, 40, 63)),
        *({"opcode": opcode} for opcode in (6, 7, 8, 15, 16, 0x82, 0xFF)),
        {**copy, "length": 1001}, {**copy, "aad_len": 1001},
        {"opcode": KECCAK, "mode": 4, "iv": (1001).to_bytes(16, "little")},
        *(
            {"opcode": KECCAK, "mode": mode, "iv": (1 << bit).to_bytes(16, "little")}
            for mode in (1, 4) for bit in (32, 63, 64, 127)
        ),
        {"opcode": AES, "mode": CTR}, {"opcode": SHA2, "mode": 9},
        {**copy, "spoil": {0: 1 << 13}}, {**copy, "spoil": {0: 1 << 14}},
        {"opcode": AES, "mode": GCM, "slot": 0, "iv_len": 16},
        {**copy, "slot": 0}, {"opcode": AES, "mode": CTR, "slot": 16},
        {"opcode": SHA2, "mode": 9, "key_bytes": 65, "key": 1},
        {**copy, "spoil": {0: 1 << 40}},
        *({**wrap, "length": length} for length in (0, 8, 20, 40, 56, 65, 80)),
        {**wrap, "mode": CTR}, {**wrap, "decrypt": 0}, {**wrap, "slot": None, "key": 1},
        {**wrap, "aad_len": 0}, {**wrap, "tag_len": 12}, {**wrap, "more": 1},
        {**wrap, "dst_list": 1}, {**wrap, "target": 16}, {**wrap, "ctx_save": 1},
        {**wrap, "row": 1}, {**wrap, "aad_list": 1}, {**gcm, "row": 1, "aad_list": 1},
        *({"opcode": AES, "mode": mode, "key": 1, "row": 1} for mode in (ECB, CTR, CMAC, XTS)),
        {"opcode": NOP, "row": 1}, {"opcode": SHA2, "mode": 1, "row": 1},
        {"opcode": KECCAK, "mode": 8, "key": 1, "key_bytes": 1, "row": 1},
    ]  # fmt: skip
    for fields in good:
        (result,) = await queue.run(Job(**fields))
        assert result.status in (OK, KEY_DENIED), fields
    for fields in bad:
        (result,) = await queue.run(Job(**fields))
        assert result.status == BAD_DESCRIPTOR, fields
    (result,) = await queue.run(Job(NOP))
    assert result.status == OK


@cocotb.test()
async def allowed(dut):
    """Opcodes and keys that the kernel does not allow a queue are refused there alone."""
    bench = await Control(dut).start()
    queue, other = [await queue.open(mask=3) for queue in bench.queues[:2]]
    await bench.slot(1, kek(), bytes(64))
    await bench.slot(0, Use(AES, (CTR,), 16, (0,), encrypt=True, decrypt=True), bytes(64))
    copy, digest = Job(COPY), Job(SHA2, 1)
    clear, hmac, slot = Job(AES, CTR, key=64), Job(SHA2, 9, key=64), Job(AES, CTR, slot=0)
    await queue.write("ALLOWED", 0xFFFF & ~(1 << COPY))
    for job, status in ((copy, BAD_DESCRIPTOR), (digest, OK), (clear, OK), (hmac, OK), (slot, OK)):
        assert (await queue.run(job))[0].status == status, job
    await queue.write("ALLOWED", 0x1_FFFF)
    # A key of no bytes is a key, and so is a wrapped one, whose slot decides.
    empty = dataclasses.replace(hmac, key_bytes=0)
    for job in (clear, hmac, empty):
        assert (await queue.run(job))[0].status == KEY_DENIED, job
        assert (await other.run(job))[0].status == OK, job
    for job in (copy, digest, slot, Job(NOP, key=64)):
        assert (await queue.run(job))[0].status == OK, job
    # A wrapped key is none that others can read. AES unwraps it, which the queue has not.
    await queue.write("ALLOWED", 1 << 16 | 1 << SHA2)
    before = len(bench.lanes[AES - 1].jobs)
    await queue.run(Job(SHA2, 9, key_bytes=16, key=64, slot=1, token=1))
    assert len(bench.lanes[AES - 1].jobs) == before + 1
    await queue.write("ALLOWED", 0)
    assert (await queue.run(Job(NOP)))[0].status == BAD_DESCRIPTOR
    assert (await other.run(copy))[0].status == OK


@cocotb.test()
async def weights(dut):
    """Queues that wait for one lane start as many jobs as their weights say."""
    bench = await Control(dut).start()
    lane = bench.lanes[COPY - 1]
    for queue, weight in zip(bench.queues[:3], (5, 0, 2), strict=True):
        await queue.open()
        await queue.write("WEIGHT", weight)
        for _ in range(15):
            queue.put(Job(COPY))
    lane.ready = 0
    for queue in bench.queues[:3]:
        await queue.ring_bell()
    await ClockCycles(dut.clk_i, 100)
    for number in range(1, 25):
        lane.ready = 1
        while len(lane.jobs) < number:
            await ClockCycles(dut.clk_i, 1)
        lane.ready = 0
        await ClockCycles(dut.clk_i, 30)
    owners = [Lane.owner(tag) for tag, _ in lane.jobs]
    for start in (0, 8, 16):
        turn = owners[start : start + 8]
        assert [turn.count(queue) for queue in range(3)] == [5, 1, 2], owners
    lane.ready = 1
    for queue in bench.queues[:3]:
        await queue.wait(15)


@cocotb.test()
async def violations(dut):
    """Of two in a cycle the read is told; what comes while the log is cleared is not lost."""
    bench = await Control(dut).start()
    queue, other = bench.queues[1], bench.queues[2]

    async def refuse(*, read=None, write=None):
        dut.read_violation_i.value, dut.write_violation_i.value = (
            0
            if number is None
            else 1 << 78 | number << 75 | kind << 74 | number << 56 | number << 20
            for number, kind in ((read, 0), (write, 1))
        )
        await ClockCycles(dut.clk_i, 1)
        dut.read_violation_i.value = dut.write_violation_i.value = 0

    async def logged(queue):
        names = ("VIOLATION", "VIOLATION_LO", "IRQ_STATUS")
        return [await queue.read(name) for name in names]

    await refuse(read=1, write=2)
    assert await logged(queue) == [1 << 16 | 1 << 8 | 1, 1 << 20, ON_VIOLATION]
    assert await logged(other) == [2 << 16 | 1 << 8 | 3, 2 << 20, ON_VIOLATION]
    await queue.write("VIOLATION", 1)
    assert await logged(queue) == [0, 0, ON_VIOLATION]
    await queue.write("IRQ_STATUS", ON_VIOLATION)
    await refuse(read=1, write=1)
    assert await logged(queue) == [1 << 16 | 2 << 8 | 1, 1 << 20, ON_VIOLATION]
    await queue.write("IRQ_STATUS", ON_VIOLATION)
    # One that comes in each cycle, so also in the one of the write.
    dut.write_violation_i.value = 1 << 78 | 1 << 75 | 1 << 74 | 7 << 56
    await queue.write("VIOLATION", 1)
    dut.write_violation_i.value = 0
    word, address, status = await logged(queue)
    assert word & 0xFFFF_00FF == 7 << 16 | 3 and 1 <= word >> 8 & 0xFF < 5
    assert (address, status) == (0, ON_VIOLATION)
    # Any of them, in either direction.
    rng = random.Random(5)
    for _ in range(60):
        number, what, index = rng.randrange(4), rng.randrange(4), rng.getrandbits(16)
        address, write = rng.getrandbits(52) << 4, rng.randrange(2)
        queue = bench.queues[number]
        await queue.write("VIOLATION", 1)
        told = 1 << 78 | number << 75 | write << 74 | what << 72 | index << 56 | address
        port = dut.write_violation_i if write else dut.read_violation_i
        port.value = told
        await ClockCycles(dut.clk_i, 1)
        port.value = 0
        high = await queue.read("VIOLATION_HI")
        assert (await logged(queue))[:2] == [
            index << 16 | 1 << 8 | what << 2 | write << 1 | 1,
            address & 0xFFFF_FFFF,
        ]
        assert high == address >> 32
        assert await bench.registers.read(f"PAGE[{number}].VIOLATIONS") == 1


@cocotb.test()
async def aborts(dut):
    """Jobs that run end as aborted, those that wait are dropped; the queue works again."""
    bench = await Control(dut).start()
    rng = random.Random(6)
    for turn in range(12):
        queue = await bench.queues[turn % 4].open()
        lane = bench.lanes[COPY - 1]
        lane.delay, lane.status = 100, ABORTED
        for _ in range(rng.randrange(1, 9)):
            queue.put(rng.choice((Job(COPY), Job(NOP), Job(AES, CTR, key=0))))
        await queue.ring_bell()
        await ClockCycles(dut.clk_i, rng.randrange(60))
        await queue.write("CONTROL", rng.choice((0, 2, 3)))
        assert int(dut.abort_o.value) in (0, 1 << queue.number)
        lane.delay, lane.status = 3, OK
        assert await queue.idle() == 0b100001
        assert int(dut.abort_o.value) == 0
        await queue.open()
        assert [r.status for r in await queue.run(Job(COPY), Job(NOP))] == [OK, OK]
        await queue.write("CONTROL", 0)
        await queue.idle()


@cocotb.test()
async def soft_reset(dut):
    """It waits for the jobs in the lanes; then queues are as after reset, and keys are gone."""
    bench = await Control(dut).start()
    regs, lane = bench.registers, bench.lanes[COPY - 1]
    use = Use(AES, (CTR,), 16, encrypt=True, decrypt=True)
    for turn in range(3):
        queue = await bench.queues[turn].open(mask=3, coalesce=5)
        await bench.slot(turn, use, bytes(64))
        await queue.write("ALLOWED", 1 << COPY)
        lane.delay, lane.status = 300, ABORTED
        queue.put(Job(COPY))
        await queue.ring_bell()
        await ClockCycles(dut.clk_i, 60)
        await regs.write("CONTROL", 2)
        waits = 0
        while await regs.read("CONTROL") == 2:
            waits += 1
            assert await regs.read(f"SLOT[{turn}].ATTRIBUTES") in (use.attributes, 0)
        assert waits > 10 and int(dut.abort_o.value) == 0
        lane.delay, lane.status = 3, OK
        values = {"ALLOWED": 0xFFFF, "KEY_MASK": 0, "COALESCE": 0, "RING_LO": 0, "CONTROL": 0x100}
        for name, value in values.items():
            assert await queue.read(name) == value, name
        assert await regs.read(f"SLOT[{turn}].ATTRIBUTES") == 0
        await queue.open()
        assert [r.status for r in await queue.run(Job(COPY), Job(NOP))] == [OK, OK]
    await regs.write("CONTROL", 1)
    for queue in bench.queues:
        await queue.idle()
        await queue.open()
        assert await queue.read("CONTROL") & 1 == 0, "not while all are stopped"


@cocotb.test()
async def ring_errors(dut):
    """A queue whose rings fail stops with an error; others do not notice."""
    bench = await Control(dut).start()
    queue, other = bench.queues[0], bench.queues[1]
    for each in (queue, other):
        await each.write("IRQ_ENABLE_SET", ON_ERROR)
    for where in (0, 1):
        await queue.open()
        await other.open()
        at = (queue.completions if where else queue.ring + 64) // 64
        bench.memory.bad[at] = SLVERR
        for _ in range(5):
            queue.put(Job(NOP))
        await queue.ring_bell()
        status = await queue.idle()
        assert status & 0xF == 3 | where << 2
        assert dut.irq_o.value == 1
        assert await queue.read("IRQ_STATUS") == ON_ERROR
        await queue.write("IRQ_STATUS", ON_ERROR)
        await ClockCycles(dut.clk_i, 2)
        assert dut.irq_o.value == 0
        assert await bench.registers.read("PAGE[0].STATUS") == 3
        (result,) = await other.run(Job(NOP))
        assert result.status == OK
        bench.memory.bad.clear()
        await queue.open()
        assert [r.status for r in await queue.run(Job(NOP))] == [OK]
        for each in (queue, other):
            await each.write("CONTROL", 0)
            await each.idle()


@cocotb.test()
async def interrupts(dut):
    """By count, by time, and only for jobs that ask; a bit stays until it is cleared."""
    bench = await Control(dut).start()
    queue = bench.queues[2]
    for each in bench.queues:
        await each.write("IRQ_ENABLE_SET", ON_COMPLETION)

    async def raised():
        await ClockCycles(dut.clk_i, 12)
        found = [await each.read("IRQ_STATUS") for each in bench.queues]
        assert found in ([0, 0, 0, 0], [0, 0, ON_COMPLETION, 0])
        assert int(dut.irq_o.value) == found[2] << 2
        await queue.write("IRQ_STATUS", found[2])
        return found[2] == ON_COMPLETION

    await queue.open()
    await queue.run(Job(NOP))
    assert not await raised()
    await queue.run(Job(NOP, irq=1))
    assert await raised()
    assert not await raised()
    await queue.write("COALESCE", 3)
    for expected in (False, False, True, False, False, True):
        await queue.run(Job(NOP, irq=1), Job(NOP))
        assert await raised() == expected
    await queue.write("COALESCE", 20 | 10 << 16)
    await queue.run(Job(NOP, irq=1))
    assert not await raised()
    await ClockCycles(dut.clk_i, 160)
    assert await raised()
    # As many as there can be.
    await queue.write("CONTROL", 0)
    await queue.idle()
    queue.log2 = 9
    queue.ring, queue.completions = queue.heap, queue.heap + (64 << queue.log2)
    await queue.open(coalesce=255)
    for number in (254, 1, 255):
        results = await queue.run(*(Job(NOP, irq=1) for _ in range(number)))
        assert all(result.status == OK for result in results)
        assert await raised() == (number != 254)
    await queue.write("IRQ_ENABLE_CLEAR", ON_COMPLETION)
    await queue.write("COALESCE", 1)
    await queue.run(Job(NOP, irq=1))
    await ClockCycles(dut.clk_i, 12)
    assert int(dut.irq_o.value) == 0 and await queue.read("IRQ_STATUS") == ON_COMPLETION


@cocotb.test()
async def bits_of_interrupts(dut):
    """Enables and events are set and cleared bit by bit, each queue's alone."""
    bench = await Control(dut).start()
    queue, other = bench.queues[1], bench.queues[2]
    await queue.write("IRQ_ENABLE_SET", ON_COMPLETION)
    await other.write("IRQ_ENABLE_SET", ON_COMPLETION | ON_ERROR)
    await queue.write("IRQ_ENABLE_SET", ON_ERROR)
    assert await queue.read("IRQ_ENABLE_CLEAR") == ON_COMPLETION | ON_ERROR
    await queue.write("IRQ_ENABLE_CLEAR", ON_COMPLETION)
    assert await queue.read("IRQ_ENABLE_SET") == ON_ERROR
    assert await other.read("IRQ_ENABLE_SET") == ON_COMPLETION | ON_ERROR
    for each in (queue, other):
        await each.open()
        await each.run(Job(NOP, irq=1))
        bench.memory.bad[(each.ring + 64) // 64] = SLVERR
        each.put(Job(NOP))
        await each.ring_bell()
        await each.idle()
        assert await each.read("IRQ_STATUS") == ON_COMPLETION | ON_ERROR
    assert int(dut.irq_o.value) == 0b110
    await queue.write("IRQ_STATUS", ON_ERROR)
    assert await queue.read("IRQ_STATUS") == ON_COMPLETION, "which is not enabled"
    assert await other.read("IRQ_STATUS") == ON_COMPLETION | ON_ERROR
    await ClockCycles(dut.clk_i, 2)
    assert int(dut.irq_o.value) == 0b100


@cocotb.test()
async def doorbells(dut):
    """More than the ring holds is not believed, nor less than was said; a ring wraps at 65536."""
    bench = await Control(dut).start()
    queue = await bench.queues[0].open()
    await bench.registers.write("PAGE[0].DOORBELL", 17)
    await ClockCycles(dut.clk_i, 30)
    assert await queue.idle() == 0b10001
    assert await bench.registers.read("PAGE[0].HEAD") == 0
    assert await bench.registers.read("PAGE[0].STATUS") == 0b1101
    await queue.write("CONTROL", 0)
    await queue.idle()
    await queue.open()
    assert await bench.registers.read("PAGE[0].STATUS") == 0b0101
    for _ in range(16):
        queue.put(Job(NOP))
    # It goes back, behind descriptors that were asked for and are not there yet.
    bench.memory.latency = 400
    await bench.registers.write("PAGE[0].DOORBELL", 4)
    await ClockCycles(dut.clk_i, 60)
    await bench.registers.write("PAGE[0].DOORBELL", 1)
    assert await bench.registers.read("PAGE[0].STATUS") & 8
    bench.memory.latency = 4
    await queue.wait(4)
    await ClockCycles(dut.clk_i, 500)
    assert await bench.registers.read("PAGE[0].HEAD") == 4
    await queue.ring_bell()
    await queue.wait(12)
    # Nothing happens to a queue that is not enabled.
    await bench.registers.write("PAGE[1].DOORBELL", 1)
    await ClockCycles(dut.clk_i, 30)
    assert await bench.registers.read("PAGE[1].STATUS") == 1
