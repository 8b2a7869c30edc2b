"""A lane: sections from and to anywhere, jobs back to back, errors, aborts, speed."""

import itertools
import os
import random

import cocotb
from cocotb.handle import ArrayObject, HierarchyArrayObject, HierarchyObject, PackedObject
from cocotb.triggers import ClockCycles, RisingEdge
from lane_model import DENIED, MAX_EMPTY, TAG, Bench, Job, cut
from support.tile_model import (
    ABORTED,
    AUTH,
    BAD_DESCRIPTOR,
    BUS_ERROR,
    CBC,
    CTR,
    ECB,
    OK,
    SG_ENTRY,
    WINDOW,
)

ENGINE = os.environ["CRYPTILE_ENGINE"]
JOBS, BEATS = (int(os.environ[f"CRYPTILE_{name}"]) for name in ("JOBS", "BEATS"))
STALLS = (0.0, 0.0, 0.3, 0.6)
PIECES = (0, 0, 1, 2, 9, -1)
UNWRAP, MADE = 1 << 6, 1 << 4
"""In the notes of a job: its message goes to the port for keys, or the first bytes of its tag."""


def random_job(rng, *, longest=300):
    length = rng.choice((0, 1, 15, 16, 17, 64, 64, rng.randrange(100), rng.randrange(longest)))
    job = Job(iv=rng.randbytes(16), queue=rng.randrange(8), ctx_save=rng.random() < 0.2)
    job.start, job.notes = rng.getrandbits(32), rng.getrandbits(9) & ~(UNWRAP | MADE)
    # The entries of a list of a few hundred bytes lack less than that.
    job.piece, job.max_bytes = rng.getrandbits(16), rng.choice((0, rng.getrandbits(32) | 1 << 26))
    if ENGINE == "chacha":
        job.mode, job.aead, job.ctx_save = 2, True, False
        job.aad = rng.randbytes(rng.choice((0, 1, 13, 16, 40)))
        job.key, job.key_slot = rng.randbytes(32), rng.random() < 0.6
        job.decrypt, job.wrong_tag = rng.random() < 0.6, rng.random() < 0.4
    elif ENGINE == "aes":
        job.mode = rng.choice((ECB, CBC, CTR, CTR))
        job.key = rng.randbytes(rng.choice((16, 24, 32)))
        job.key_slot = rng.random() < 0.6
        job.decrypt = rng.random() < 0.4
        if job.mode != CTR:
            length -= length % 16
    if ENGINE != "chacha":
        job.ignored = rng.getrandbits(49)
    job.bad_param = rng.random() < 0.06
    job.message = rng.randbytes(length)
    return job


def lay_out(bench, job, *, in_place=False):
    rng = bench.random
    job.row = job.aead and rng.random() < 0.5
    return bench.lay_out(
        job,
        src_pieces=rng.choice(PIECES),
        dst_pieces=rng.choice(PIECES),
        aad_pieces=rng.choice(PIECES),
        in_place=in_place,
    )


def unsettle(bench):
    bench.memory.stall, bench.stall = bench.random.choice(STALLS), bench.random.choice(STALLS)
    bench.memory.latency = bench.random.choice((1, 5, 12, 40))
    bench.dut.watchdog_i.value = bench.random.getrandbits(32) | 1 << 16


def verdicts(bench):
    """Status and bytes of every job; they must have ended in order, but for those of queues that
    were aborted."""
    order = [index for index, _, _ in bench.reports]
    assert sorted(order) == list(range(len(order)))
    order = [index for index in order if index not in bench.aborted]
    assert order == sorted(order)
    return [(status, count) for _, status, count in sorted(bench.reports)]


@cocotb.test()
async def any_shape(dut):
    """Sections at any byte, lists of all shapes, empty ones, bad parameters, back to back."""
    bench = await Bench(dut, ENGINE, 1).start()
    for _ in range(JOBS // 10):
        unsettle(bench)
        for _ in range(10):
            job = random_job(bench.random)
            job = lay_out(bench, job, in_place=bench.random.random() < 0.2)
            bench.expect(job)
            bench.submit(job)
        await bench.finish()
    for index, (status, count) in enumerate(verdicts(bench)):
        job = bench.jobs[index]
        assert (status, count) == (job.verdict, job.written)
    bench.check()


def poison(bench, job):
    """Make one thing of a job wrong; return the statuses that it may end with."""
    rng, memory = bench.random, bench.memory
    kind = rng.choice(("read", "write", "window", "list", "other"))
    length = len(job.message)
    if kind == "window" and length:
        where = (DENIED << 12) + rng.randrange(4096 - length - TAG)
        if rng.random() < 0.5:
            job.src, job.src_list, job.sources = where, False, []
        else:
            job.dst, job.dst_list, job.targets = where, False, []
        return {WINDOW}
    if kind == "list" and length:
        spans = [(bench.place(9), 1 + rng.randrange(9)) for _ in range(rng.randrange(1, 6))]
        fault = rng.randrange(4)
        if fault == 0:  # too short
            spans = spans[: max(1, length // 10 - 1)]
            if sum(size for _, size in spans) >= length:
                spans = [(spans[0][0], length - 1)] if length > 1 else [(spans[0][0], 0)]
        elif fault == 1:
            spans[:0] = [(spans[0][0], 0)] * (MAX_EMPTY + 1)
        elif fault == 2:
            spans[0] = (spans[0][0] | rng.randrange(1, 256) << 56, spans[0][1])
        at, _ = bench.write_list(spans)
        at += 8 if fault == 3 else 0
        job.reads.extend([(at, 16 * len(spans)), *spans])
        if rng.random() < 0.5:
            job.src, job.src_list, job.sources = at, True, []
        else:
            job.dst, job.dst_list = at, True
            # Up to the fault the list is used.
            job.targets = spans if fault == 0 else []
            if job.row:
                ahead, there = len(job.aad), sum(size for _, size in job.targets)
                message = max(0, min(length, there - ahead))
                tag = min(job.tag_made, max(0, there - ahead - message))
                cuts = cut(job.targets, min(ahead, there), message, tag)
                job.targets, job.tags = cuts[1], cuts[2] if job.tag_made else job.tags
        return {BAD_DESCRIPTOR}
    spans = {"read": job.sources, "write": job.targets}.get(kind, job.reads)
    spans = [span for span in spans if span[1]]
    if not spans:
        return {job.verdict}
    address, size = rng.choice(spans)
    memory.bad[(address + rng.randrange(size)) // 64] = rng.choice((2, 3))
    return {BUS_ERROR}


def hit(bench, job):
    """Does a job touch a bad block?"""
    places = [*job.sources, *job.targets, *job.reads]
    if job.ctx_save:
        places.append((job.context_addr, 16))
    if job.tag_made:
        places += job.tags
    return any(
        block in bench.memory.bad
        for address, size in places
        if size
        for block in range(address // 64, (address + size - 1) // 64 + 1)
    )


@cocotb.test()
async def errors(dut):
    """Errors of every kind end their job, with the right status, and touch no other."""
    bench = await Bench(dut, ENGINE, 2).start()
    seen = set()
    for _ in range(JOBS // 8):
        unsettle(bench)
        bench.memory.bad.clear()
        batch = []
        for _ in range(8):
            job = random_job(bench.random)
            job.bad_param = False
            job = lay_out(bench, job)
            allowed = poison(bench, job) if bench.random.random() < 0.4 else {job.verdict}
            batch.append((job, allowed))
        first = bench.sent
        for job, allowed in batch:
            if hit(bench, job):
                allowed.add(BUS_ERROR)
            bench.expect(job, failed=allowed != {job.verdict})
            bench.submit(job)
        await bench.finish()
        results = verdicts(bench)[first:]
        for (job, allowed), (status, count) in zip(batch, results, strict=True):
            assert status in allowed, (status, allowed)
            bench.settle(job, status, count)
            if len(allowed) == 1:
                seen |= allowed
            assert status != OK or BUS_ERROR not in allowed or len(allowed) > 1
        bench.check()
        assert not any(address // 4096 == DENIED for address, _, _ in bench.memory.reads)
        assert not any(address // 4096 == DENIED for address, _, _ in bench.memory.writes)
    assert {OK, BUS_ERROR, WINDOW, BAD_DESCRIPTOR} <= seen


@cocotb.test(skip=ENGINE != "chacha")
async def in_place(dut):
    """A message is decrypted where it stands, and cannot be read to its end: what was not
    overwritten is there afterwards, what was is zeros, and the job that comes next is whole."""
    bench = await Bench(dut, ENGINE, 7).start()
    rng, partly = bench.random, 0
    for turn in range(JOBS // 8):
        unsettle(bench)
        bench.memory.bad.clear()
        job = Job(
            rng.randbytes(rng.randrange(200, 1500)),
            mode=2,
            key=rng.randbytes(32),
            aead=True,
            iv=rng.randbytes(16),
            decrypt=True,
            key_slot=rng.random() < 0.5,
        )
        job.row, job.aad = turn % 2 == 1, rng.randbytes(rng.randrange(40))
        job = bench.lay_out(job, src_pieces=turn % 3, in_place=True)
        places = [at for start, size in job.sources for at in range(start, start + size)]
        wrong = rng.choice((None, *places[100:]))
        if wrong is None:
            job.wrong_tag = True
            bench.lay_out_tag(job)
        else:
            bench.memory.bad[wrong // 64] = 2
        after = bench.lay_out(Job(rng.randbytes(50), mode=2, key=bytes(32), aead=True))
        allowed = {AUTH} if wrong is None else {BUS_ERROR}
        bench.expect(job, failed=True)
        bench.expect(after, failed=hit(bench, after))
        first = bench.sent
        bench.submit(job)
        bench.submit(after)
        await bench.finish()
        (status, count), (end, _) = verdicts(bench)[first:]
        assert status in allowed and end in ({OK, BUS_ERROR} if hit(bench, after) else {OK})
        bench.settle(job, status, count)
        left = bytes(bench.memory.page(at // 4096)[at % 4096] for at in places)
        assert left == bytes(count) + job.message[count:]
        assert bench.memory.again == bench.memory.touched.intersection(places)
        bench.memory.again.clear()
        partly += 0 < count < len(places)
    bench.check()
    assert partly > JOBS // 16


@cocotb.test()
async def endless(dut):
    """Lists of nothing but empty entries, and of entries that the job itself changes, end."""
    bench = await Bench(dut, ENGINE, 9).start()
    rng, ended = bench.random, set()
    for side in ("src", "dst", "aad") if ENGINE == "chacha" else ("src", "dst"):
        job = random_job(rng)
        job.bad_param, job.row, job.message = False, side == "dst" and job.aead, bytes(64)
        job.aad = bytes(20) if job.aead else b""
        bench.lay_out(job)
        at = bench.place(4096, align=16)
        bench.load(at, bytes(4096))
        setattr(job, f"{side}_addr" if side == "aad" else side, at)
        setattr(job, f"{side}_list", True)
        bench.memory.forget()
        bench.submit(job)
        await bench.finish(2000)
        assert bench.reports[-1][1] == BAD_DESCRIPTOR
        seen = sum(size for start, size, _ in bench.memory.reads if at <= start < at + 4096)
        assert 16 * MAX_EMPTY < seen <= 16 * (MAX_EMPTY + 1 + 8), side
    for turn in range(JOBS // 2 if ENGINE != "aes" else 0):
        unsettle(bench)
        at = bench.place(4096, align=16)
        bench.load(at, bytes(4096))

        def entries(at=at):
            """Some that lie where the list does; few are the last."""
            return b"".join(
                SG_ENTRY.encode(
                    address=at + rng.randrange(3000),
                    length=rng.choice((0, 1, 15, 16, 17, 64)),
                    last=rng.random() < 0.03,
                )
                for _ in range(40)
            )

        # What comes out are other entries.
        job = Job(entries(), queue=turn % 4)
        if ENGINE == "chacha":
            job.mode, job.aead, job.decrypt, job.row = 2, True, True, turn % 2 == 0
            job.key, job.aad, job.wrong_tag = rng.randbytes(32), bytes(20), turn % 3 > 0
            job.message = job.output()[0]
        bench.lay_out(job)
        bench.load(at, entries())
        job.dst, job.dst_list = at, True
        bench.submit(job)
        await bench.finish(6000)
        ended.add(bench.reports[-1][1])
    assert ended <= {OK, AUTH, BAD_DESCRIPTOR}
    assert BAD_DESCRIPTOR in ended or ENGINE == "aes"


@cocotb.test()
async def aborts(dut):
    """An aborted queue's jobs end soon, those of others as if nothing had been."""
    bench = await Bench(dut, ENGINE, 3).start()
    aborted = 0
    for _ in range(JOBS // 8):
        unsettle(bench)
        batch = [lay_out(bench, random_job(bench.random, longest=1500)) for _ in range(8)]
        queues = bench.random.sample(range(8), 2)
        first = bench.sent
        for job in batch:
            job.wrong_tag &= job.queue not in queues
            bench.lay_out_tag(job)
            bench.expect(job, failed=job.queue in queues)
            index = bench.submit(job)
            if job.queue in queues:
                bench.aborted.add(index)
        await ClockCycles(dut.clk_i, bench.random.randrange(1, 250))
        dut.abort_i.value = sum(1 << queue for queue in queues)
        await ClockCycles(dut.clk_i, bench.random.randrange(1, 60))
        dut.abort_i.value = 0
        await bench.finish()
        for job, (status, _) in zip(batch, verdicts(bench)[first:], strict=True):
            assert status in {job.verdict, *([ABORTED] if job.queue in queues else [])}
            aborted += status == ABORTED
        bench.check()
    assert aborted > JOBS // 20


@cocotb.test(skip=ENGINE == "copy")
async def abort_waits_for_no_other(dut):
    """Behind a long job of another queue: all jobs of an aborted one are reported at once, those
    with all their data here too, and nothing of theirs is touched afterwards."""
    bench = await Bench(dut, ENGINE, 9).start()
    rng = bench.random
    aead = {"mode": 2, "aead": True, "key": bytes(32)} if ENGINE == "chacha" else {"mode": CTR}
    limit, worst = 400, 0
    for _ in range(12):
        bench.memory.stall, bench.memory.latency = rng.choice((0.0, 0.2)), rng.choice((1, 20))
        first = bench.sent
        long = bench.lay_out(Job(rng.randbytes(8000), queue=0, **aead))
        batch = [random_job(rng, longest=1500) for _ in range(rng.randrange(1, 7))]
        for job in batch:
            job.queue, job.wrong_tag = rng.randrange(1, 3), False
        jobs = [long, *(lay_out(bench, job) for job in batch)]
        for job in jobs:
            bench.expect(job, failed=job.queue == 1)
            bench.submit(job)
        mine = {index for index in range(first, bench.sent) if bench.jobs[index].queue == 1}
        bench.aborted |= mine
        await ClockCycles(dut.clk_i, rng.randrange(100, 900))
        assert not bench.waiting and len(bench.reports) == first, "the long job was too short"
        dut.abort_i.value = 2
        for cycles in range(limit):  # noqa: B007 (used below)
            if mine <= {index for index, _, _ in bench.reports}:
                break
            await RisingEdge(dut.clk_i)
        ended = bench.reports[first:]
        assert mine == {index for index, _, _ in ended}, f"not after {limit} cycles"
        assert all(status == ABORTED for _, status, _ in ended)
        worst = max(worst, cycles)
        dut.abort_i.value = 0
        touched, reads = set(bench.memory.touched), len(bench.memory.reads)
        await bench.finish()
        verdicts(bench)
        gone = [bench.jobs[index] for index in mine]
        spans = [span for job in gone for span in (*job.sources, *job.targets, *job.reads)]
        places = {at for start, size in spans for at in range(start, start + size)}
        assert places.isdisjoint(bench.memory.touched - touched)
        for address, size, _ in bench.memory.reads[reads:]:
            for word in range(address, address + size, 16):
                assert not places.issuperset(range(word, word + 16)), hex(word)
        bench.check()
    dut._log.info("at most %d cycles from abort to the last report", worst)


@cocotb.test(skip=ENGINE == "chacha")
async def abort_amid_a_beat(dut):
    """A beat goes to two words, and the job ends between them: its end is told after both."""
    bench = await Bench(dut, ENGINE, 10).start()
    memory = bench.memory
    # The window is a cycle wide, or as long as memory takes nothing.
    for stall, latency, cycle in itertools.product((0.0, 0.8), (1, 12), range(20, 100)):
        memory.stall, memory.latency = stall, latency
        job = Job(bytes(40), mode=None if ENGINE == "copy" else CTR, queue=1)
        # Its source is a list, too: that of the target has been read when the first beat comes.
        bench.lay_out(job, src_pieces=1)
        job.targets = [(bench.place(2, offset=15), 2), (bench.place(38), 38)]
        job.dst, size = bench.write_list(job.targets, spare=0)
        job.dst_list = True
        job.reads.append((job.dst, size))
        bench.expect(job, failed=True)
        bench.aborted.add(bench.sent)
        number = len(bench.reports)
        bench.submit(job)
        await ClockCycles(dut.clk_i, cycle)
        dut.abort_i.value = 2
        while len(bench.reports) == number:
            await RisingEdge(dut.clk_i)
        asked = len(memory.writes)
        await ClockCycles(dut.clk_i, 60)
        assert len(memory.writes) == asked, (stall, latency, cycle)
        dut.abort_i.value = 0
    await bench.finish()
    bench.check()


@cocotb.test()
async def tamper(dut):
    """All jobs end, no key remains, and the lane works again."""
    bench = await Bench(dut, ENGINE, 4).start()
    for _ in range(4):
        for _ in range(5):
            job = Job(bytes(2000), mode=None if ENGINE == "copy" else CTR)
            if ENGINE == "chacha":
                job.key, job.aead = bytes(32), True
            job = bench.lay_out(job)
            bench.expect(job, failed=True)
            bench.submit(job)
        await ClockCycles(dut.clk_i, 150)
        bench.waiting.clear()
        dut.tamper_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.tamper_i.value = 0
        await ClockCycles(dut.clk_i, 20)
        for beat in range(BEATS):
            words = dut.u_lane.u_hand.gen_part[beat].u_key.gen_memory.mem
            assert all(int(words[place].value) == 0 for place in range(8))
        await ClockCycles(dut.clk_i, 200)
        bench.sent = len(bench.reports)
        bench.open.update(bench.shadow)
    job = bench.lay_out(random_job(random.Random(5)))
    job.bad_param = False
    bench.expect(job)
    bench.reports.clear()
    bench.sent = 0
    bench.submit(job)
    await bench.finish()
    assert bench.reports[0][1] == job.verdict


def stored(handle):
    """The values of all registers and memories in a module and below."""
    if isinstance(handle, HierarchyObject | HierarchyArrayObject):
        for child in handle:
            yield from stored(child)
    elif isinstance(handle, PackedObject) and len(handle) >= 32:
        yield handle._path, str(handle.value)
    elif isinstance(handle, ArrayObject):
        for child in handle:
            yield from stored(child)


def secrets(jobs):
    """What of jobs is read or written, but contexts and tags: five bytes in a row, as bits."""
    return {
        f"{int.from_bytes(data[at : at + 5], 'little'):040b}"
        for job in jobs
        for data in (job.key, job.message, job.aad, job.output()[0])
        for at in range(len(data) - 4)
        if any(data)
    }


def places(dut, pieces):
    """Where one of these stands in the lane or in the bus."""
    signals = dict(stored(dut.u_lane)) | dict(stored(dut.u_bus))
    assert len(signals) > 100, len(signals)
    return [path for path, bits in signals.items() if any(piece in bits for piece in pieces)]


def secret_job(bench, *, empty=False):
    """A job whose key, in memory, may lie in two bursts; if ``empty`` nothing is read behind it."""
    rng = bench.random
    job = random_job(rng)
    job.queue = 0
    if ENGINE != "copy":
        job.key_slot = False
    if empty:
        job.message, job.aad, job.decrypt = b"", b"", False
    job = bench.lay_out(job)
    job.key_addr = bench.place(512, offset=rng.randrange(16)) | rng.choice((0, 0, 0xF0))
    bench.load(job.key_addr, job.key)
    return job


ENDS = ("itself", "abort", "itself", "tamper", "itself", "reset")


@cocotb.test()
async def nothing_stays(dut):
    """Keys, messages and results are nowhere in lane and bus when their jobs have ended, however
    they did."""
    bench = await Bench(dut, ENGINE, 8).start()
    rng, held = bench.random, dict.fromkeys(ENDS, 0)
    for turn in range(5 * len(ENDS)):
        how = ENDS[turn % len(ENDS)]
        bench.memory.stall, bench.memory.latency = rng.choice((0.0, 0.5)), rng.choice((1, 20))
        count = rng.randrange(3, 9)
        jobs = [secret_job(bench, empty=turn % 4 == 0 and n == count) for n in range(1, count + 1)]
        for job in jobs:
            bench.expect(job, failed=True)
            bench.submit(job)
        if how != "itself":
            await ClockCycles(dut.clk_i, rng.randrange(5, 100))
        pieces = secrets(jobs)
        held[how] += len(places(dut, pieces))
        if how == "reset":
            await bench.restart()
        else:
            dut.abort_i.value, dut.tamper_i.value = how == "abort", how == "tamper"
            await bench.finish()
            dut.abort_i.value = dut.tamper_i.value = 0
        bench.memory._drive("rdata", 0)
        # Words are overwritten one in a cycle, and other words may come first.
        await ClockCycles(dut.clk_i, 70)
        left = places(dut, pieces)
        assert not left, (turn, how, "\n".join(left))
    assert all(held[how] for how in ENDS if how != "itself"), held


@cocotb.test()
async def claims(dut):
    """Jobs and entries of lists of any length, whose memory ends at a page that nobody may touch:
    they end there, and what was written is counted, or erased."""
    bench = await Bench(dut, ENGINE, 11).start()
    rng, edge = bench.random, DENIED << 12
    for turn in range(JOBS // 2):
        unsettle(bench)
        job = random_job(rng)
        job.bad_param, job.wrong_tag, job.max_bytes = False, False, 0
        job.mode = CTR if ENGINE == "aes" else job.mode
        beyond = rng.getrandbits(32) >> rng.randrange(12) | 64
        reads_aad = job.aead and turn % 2
        job.row = job.aead and rng.random() < 0.5
        bench.lay_out(job, dst_pieces=0)
        read = job.aad if reads_aad else job.message
        # In a row both lie in front of the page; what is behind them is all that is read.
        ahead = job.aad if job.row and not reads_aad else b""
        job.more_aad, job.more = (beyond, 0) if reads_aad else (0, beyond)
        at = edge - len(ahead) - len(read)
        bench.load(at, ahead + read)
        listed = rng.random() < 0.5
        if listed:
            start, _ = bench.write_list([(at, 0xFFFF_FFFF)])
        if reads_aad and not job.row:
            job.aad_addr, job.aad_list = (start, True) if listed else (at, False)
        else:
            job.src, job.src_list = (start, True) if listed else (at + len(ahead), False)
            job.aad_addr = at
        room = len(job.message)
        if rng.random() < 0.5:
            skipped = len(job.aad) + job.more_aad if job.row else 0
            to = bench.place(room)
            job.dst, _ = bench.write_list([(to, 0xFFFF_FFFF)])
            job.dst_list = True
            job.targets = [(to, 0 if skipped else room)]
            if skipped:
                job.dst, _ = bench.write_list([(edge, skipped), (to, 0xFFFF_FFFF)])
                job.targets = [(to, room)]
        if len(job.message) + len(job.aad) + job.more + job.more_aad + TAG >> 32:
            continue  # the decoder refuses it
        job.sources = job.tags = []
        bench.expect(job, failed=True)
        bench.submit(job)
        await bench.finish(4000)
        (status, count) = verdicts(bench)[-1]
        assert status == WINDOW
        assert count <= len(job.message)
        bench.settle(job, status, count)
    bench.check()
    assert not any(address // 4096 == DENIED for address, _, _ in bench.memory.reads)


@cocotb.test()
async def watchdog(dut):
    """A memory that never answers, or no more: all jobs end, and those that come, until reset."""
    for limit, writes in ((40, 0), (5000, 0), (5000, 1)):
        bench = await Bench(dut, ENGINE, 12).start()
        memory = bench.memory
        memory.latency = 1 if writes else 1 << 40
        dut.watchdog_i.value = limit
        for _ in range(5):
            job = random_job(bench.random)
            job.bad_param, job.message = False, bytes(64)
            bench.submit(lay_out(bench, job))
        while len(memory.writes) < writes:
            await RisingEdge(dut.clk_i)
        begin, memory.latency = memory.cycle, 1 << 40
        while not dut.dead_o.value:
            await RisingEdge(dut.clk_i)
            assert memory.cycle < begin + limit + 1000
        assert memory.cycle > begin + limit
        await bench.finish(1000)
        ended = {status for status, _ in verdicts(bench)}
        assert BUS_ERROR in ended and ended <= {BUS_ERROR, *([OK, AUTH] if writes else [])}
        reads = len(memory.reads)
        bench.submit(lay_out(bench, job))
        await bench.finish(1000)
        assert verdicts(bench)[-1][0] == BUS_ERROR
        assert len(memory.reads) == reads and dut.dead_o.value


@cocotb.test(skip=ENGINE != "chacha")
async def unwraps(dut):
    """The message of a job that unwraps a key goes to the port for keys, and not to memory."""
    bench = await Bench(dut, ENGINE, 13).start()
    rng, came = bench.random, []

    async def port():
        while True:
            await RisingEdge(dut.clk_i)
            if dut.unwrap_valid_o.value:
                value = int(dut.unwrap_o.value)
                data = (value & (1 << 128) - 1).to_bytes(16, "little")
                came.append((value >> 131, value >> 128 & 7, data))

    cocotb.start_soon(port())
    for turn in range(JOBS // 6):
        unsettle(bench)
        job = random_job(rng)
        job.decrypt, job.bad_param, job.wrong_tag = True, False, turn % 3 == 0
        beats = rng.randrange(BEATS) + 1
        job.aad, job.message = rng.randbytes(16), rng.randbytes(16 * beats)
        job.notes |= UNWRAP
        bench.lay_out(job, src_pieces=rng.choice(PIECES))
        bench.memory.forget()
        bench.submit(job)
        await bench.finish()
        assert verdicts(bench)[-1][0] == job.verdict
        plain = job.output()[0]
        beats = [(0, n // 16, plain[n : n + 16]) for n in range(0, len(plain), 16)]
        assert came == [(1, 0, job.aad), *beats]
        assert not bench.memory.touched
        came.clear()


async def run_timed(bench, jobs):
    """Cycles from the first word read to the last job's report, and per job in the steady state."""
    first = bench.sent
    for job in jobs:
        bench.expect(job)
        bench.submit(job)
    start = bench.memory.cycle
    await bench.finish()
    times = bench.times[first:]
    return times[-1] - start, times


@cocotb.test(skip=ENGINE != "copy")
async def speed(dut):
    """Sixteen bytes a cycle from 4 KiB on, and a 64-byte job in eight cycles at most."""
    bench = await Bench(dut, ENGINE, 6).start()
    bench.memory.latency, bench.roams = 10, False
    for offset in (0, 5):
        jobs = []
        for _ in range(4):
            job = bench.lay_out(Job(bench.random.randbytes(4096)))
            job.src, job.dst = bench.place(4096, offset=offset), bench.place(4096, offset=offset)
            job.sources, job.targets = [(job.src, 4096)], [(job.dst, 4096)]
            bench.load(job.src, job.message)
            jobs.append(job)
        total, times = await run_timed(bench, jobs)
        steady = (times[-1] - times[0]) / 3
        dut._log.info(f"4 KiB, offset {offset}: {total} for 4, {steady:.1f} each")
        assert 256 / steady >= 0.95
        jobs = []
        for _ in range(32):
            job = bench.lay_out(Job(bench.random.randbytes(64)))
            job.src, job.dst = bench.place(64, offset=offset), bench.place(64, offset=offset)
            job.sources, job.targets = [(job.src, 64)], [(job.dst, 64)]
            bench.load(job.src, job.message)
            jobs.append(job)
        total, times = await run_timed(bench, jobs)
        steady = (times[-1] - times[7]) / 24
        dut._log.info(f"64 B, offset {offset}: {steady:.2f} cycles a job")
        assert steady <= 8
    bench.check()
