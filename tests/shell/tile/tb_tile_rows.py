"""Data as Linux has it: associated data in a list, and all that a job reads or writes in a row."""

import dataclasses
import os
import random

import cocotb
from cocotb.triggers import RisingEdge
from support.key_slots import Use, kek
from support.tile_model import AUTH, BAD_DESCRIPTOR, COPY, OK, SG_ENTRY, WINDOW
from tile_bench import Bench, Job
from tile_jobs import AEADS, ALGORITHMS, Maker, gcm_row, make_token

JOBS = int(os.environ["CRYPTILE_JOBS"])
STALLS = (0.0, 0.0, 0.3, 0.6)


async def compare(bench, queue, jobs):
    """Do jobs one by one; status, bytes written and memory must be those of the model, and nothing
    else is written."""
    for job in jobs:
        (verdict,), changed = bench.expect(job)
        bench.memory.forget()
        (result,) = await queue.run(job)
        assert (result.status, result.written) == verdict, job
        bench.check(changed)
        rings = range(queue.ring, queue.heap)
        assert all(at in changed or at in rings for at in bench.memory.touched), job


@cocotb.test()
async def rows(dut):
    """Every AEAD, in lists of all shapes, contiguous, and in place."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(21), await bench.queues[0].open()
    maker, seen = Maker(queue, rng), set()
    for turn in range(4 * JOBS):
        bench.memory.stall, bench.memory.latency = rng.choice(STALLS), rng.choice((1, 4, 20))
        job = maker.spread(maker.job(AEADS[turn % len(AEADS)]))
        await compare(bench, queue, [job])
        seen.add((job.row, job.src_list, job.dst_list, job.src == job.dst))
    assert len(seen) > 6


def listed(queue, *spans, last=True):
    """An SG list of pieces."""
    return queue.place(
        b"".join(
            SG_ENTRY.encode(address=at, length=size, last=last and number + 1 == len(spans))
            for number, (at, size) in enumerate(spans)
        ),
        16,
    )


@cocotb.test(skip="gcm" not in ALGORITHMS)
async def refused(dut):
    """Rows that are too long, and lists that do not hold one or do not end."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(22), await bench.queues[1].open()
    data = queue.place(rng.randbytes(300))
    row = gcm_row(queue, rng)
    copy = Job(COPY, src=data, dst=data + 100, length=20)
    change = dataclasses.replace
    both = {"src_list": 1, "dst_list": 1}
    size, room, most = 20 + 50 + 16, row.dst + 20, (1 << 32) - 1
    cases = (
        (row, OK),
        (change(row, length=most, aad_len=0), BAD_DESCRIPTOR),  # with the tag above 32 bits
        (change(row, length=most // 2, aad_len=most // 2 + 2), BAD_DESCRIPTOR),
        # Exactly enough, one too few, and that with bytes behind the last entry.
        (change(row, dst_list=1, dst=listed(queue, (row.dst, size))), OK),
        (change(row, dst_list=1, dst=listed(queue, (row.dst, size - 1))), BAD_DESCRIPTOR),
        (change(row, dst_list=1, dst=listed(queue, (row.dst, 20), (room, 65))), BAD_DESCRIPTOR),
        (change(row, src_list=1, src=listed(queue, (row.src, 70))), OK),
        (change(row, src_list=1, src=listed(queue, (row.src, 69))), BAD_DESCRIPTOR),
        (change(row, src_list=1, decrypt=1, src=listed(queue, (row.src, size))), AUTH),
        (change(row, src_list=1, decrypt=1, src=listed(queue, (row.src, 85))), BAD_DESCRIPTOR),
        # A room of associated data that ends the list.
        (change(row, dst_list=1, dst=listed(queue, (row.dst, 20))), BAD_DESCRIPTOR),
        # Empty entries: 15 in a row, before, between and behind, and one more.
        (change(row, src_list=1, src=listed(queue, *[(0, 0)] * 15, (row.src, 70))), OK),
        (change(row, dst_list=1, dst=listed(queue, *[(0, 0)] * 15, (row.dst, 30),
                                            *[(0, 0)] * 15, (row.dst + 30, 56))), OK),
        (change(row, src_list=1, src=listed(queue, *[(0, 0)] * 16, (row.src, 70))),
         BAD_DESCRIPTOR),
        (change(row, src_list=1, src=listed(queue, (row.src, 69), (0, 0))), BAD_DESCRIPTOR),
        (change(row, src=queue.place(bytes(4096), 16), **both), BAD_DESCRIPTOR),
        (change(row, dst_list=1, dst=queue.place(bytes(4096), 16)), BAD_DESCRIPTOR),
        (change(row, row=0, aad_list=1, aad=queue.place(bytes(4096), 16), tag=data),
         BAD_DESCRIPTOR),
        # Only what is skipped may be out of reach.
        (change(row, dst_list=1, dst=listed(queue, (1, 20), (room, 66))), OK),
        (change(row, dst_list=1, dst=listed(queue, (1, 21), (room, 65))), WINDOW),
        (change(row, src_list=1, src=listed(queue, (1, 20), (row.src, 50))), WINDOW),
        (change(row, row=0, aad_list=1, aad=listed(queue, (1, 20)), tag=data), WINDOW),
    )  # fmt: skip
    for job, status in cases:
        bench.memory.forget()
        result, after = await queue.run(job, copy)
        assert (result.status, after.status) == (status, OK), job
        assert len(bench.memory.reads) < 60, job
        if status == BAD_DESCRIPTOR and job.decrypt == 0:
            assert not bench.memory.touched & set(range(row.dst, row.dst + 20)), job
        if job.dst_list or status == OK:
            assert bench.memory.touched.isdisjoint(range(row.dst, row.dst + 20)), job


@cocotb.test(skip="gcm" not in ALGORITHMS)
async def limits(dut):
    """MAX_BYTES holds for each section; what short entries lack is counted against all that is read
    of a row, or all that is written."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(25), await bench.queues[0].open(max_bytes=100)
    for aad, length, side, cuts, status in (
        (40, 70, "", (), OK),  # 126 bytes with the tag
        (101, 5, "", (), BAD_DESCRIPTOR),
        (5, 101, "", (), BAD_DESCRIPTOR),
        (60, 70, "src", (130,), OK),  # the last entry lacks nothing
        (60, 70, "src", (64, 66), OK),
        (60, 70, "src", (63, 67), BAD_DESCRIPTOR),  # nothing is left that could be lacking
        (30, 40, "src", (34, 36), OK),  # 70 bytes, and 30 that are lacking
        (30, 40, "src", (33, 37), BAD_DESCRIPTOR),
        (40, 90, "dst", (64, 82), OK),  # 106 bytes are written
        (40, 90, "dst", (63, 83), BAD_DESCRIPTOR),
        (30, 40, "dst", (20, 66), OK),  # 56, and 44 that are lacking
        (30, 40, "dst", (19, 67), BAD_DESCRIPTOR),
    ):
        row = gcm_row(queue, rng, aad=aad, length=length)
        if side:
            at = getattr(row, side)
            spans = [(at + sum(cuts[:n]), size) for n, size in enumerate(cuts)]
            row = dataclasses.replace(row, **{side: listed(queue, *spans), side + "_list": 1})
        (result,) = await queue.run(row)
        assert result.status == status, (aad, length, side, cuts)


@cocotb.test(skip="gcm" not in ALGORITHMS)
async def parts(dut):
    """Rows in parts with a context, and with a wrapped key."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(23), await bench.queues[2].open(mask=1)
    whole = gcm_row(queue, rng, aad=21, length=64)
    context = queue.place(bytes(208), 16)
    (_,), expected = bench.expect(whole)
    first = dataclasses.replace(whole, length=32, ctx_save=1, more=1, context=context)
    rest = dataclasses.replace(
        whole,
        length=32,
        ctx_load=1,
        fence=1,
        context=context,
        aad_len=0,
        src=whole.src + 53,
        dst=whole.dst + 53,
    )
    assert [result.status for result in await queue.run(first, rest)] == [OK, OK]
    bench.check(expected)
    secret, kek_key, iv = rng.randbytes(16), rng.randbytes(16), rng.randbytes(16)
    await bench.slot(0, kek(owners=(queue.number,)), kek_key)
    use = Use(whole.opcode, (whole.mode,), 16, owners=(queue.number,), encrypt=True, decrypt=True)
    aad = use.wrapped_for(255)
    token = queue.place(make_token(kek_key, iv, secret, aad))
    whole.key = queue.place(secret)
    (_,), expected = bench.expect(whole)
    (result,) = await queue.run(dataclasses.replace(whole, key=token, slot=0, token=1))
    assert result.status == OK
    bench.check(expected)


@cocotb.test(skip="gcm" not in ALGORITHMS)
async def cost(dut):
    """Cycles of GCM, 64 bytes and 16 of associated data, from doorbell to record: each in
    its place, in a row, and in a row by lists of one entry, of three, and in place."""
    bench = await Bench(dut).start()
    bench.memory.latency = 10
    rng, queue = random.Random(24), await bench.queues[0].open(mask=1)
    row = dataclasses.replace(gcm_row(queue, rng, aad=16, length=64), key=None, slot=0)
    await bench.slot(0, Use(row.opcode, (row.mode,), 16, encrypt=True, decrypt=True), bytes(16))
    row.src, row.dst = queue.place(rng.randbytes(96), 4096), queue.place(bytes(96), 4096)
    plain = dataclasses.replace(
        row, row=0, aad=row.src, src=row.src + 16, dst=row.dst + 16, tag=row.dst + 80
    )

    def lists(src, dst, *sizes):
        def spans(at):
            return [(at + sum(sizes[:n]), size) for n, size in enumerate(sizes)]

        return dataclasses.replace(
            row,
            src_list=1,
            dst_list=1,
            src=listed(queue, *spans(src)),
            dst=listed(queue, *spans(dst)),
        )

    in_place = lists(row.dst, row.dst, 96)
    in_place.src = in_place.dst
    figures = {}
    for name, job in (
        ("plain", plain),
        ("row", row),
        ("row, lists of one", lists(row.src, row.dst, 96)),
        ("row, lists of three", lists(row.src, row.dst, 16, 64, 16)),
        ("row, in place", in_place),
    ):
        for _ in range(2):
            queue.put(job)
            await queue.ring_bell()
            begin = bench.memory.cycle
            while not (record := queue.poll()):
                await RisingEdge(dut.clk_i)
        assert record.status == OK
        figures[name] = cycles = bench.memory.cycle - begin
        dut._log.info(
            "%s: %d cycles from doorbell to record, %d of the job", name, cycles, record.cycles
        )
    assert figures["row"] <= figures["plain"] <= 65
    assert figures["row, in place"] <= figures["row, lists of one"] <= 81
