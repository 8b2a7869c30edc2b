"""A queue that does whatever a process can do with it, beside one that wants to work.

Its descriptors are random in every field, its lists lie on themselves and on each other, it takes
contexts from anywhere, unwraps keys while slots are written, rings its doorbell at random, and is
aborted and enabled again, with other addresses, opcodes and weights. All queues are stopped, and
the tile is reset, in the midst of it. Each of its jobs must end, soon, with a status, and as the
kernel allows; no burst may leave its windows, and none may come when it is quiet; what the other
queue asks for must be done as if it were alone, with its own keys. Nothing of a key, or of what was
copied, is left anywhere behind a reset, or when the tile was tampered with.
"""

import contextlib
import dataclasses
import os
import random
from collections import deque

import cocotb
from cocotb.triggers import ClockCycles, Event, Lock
from support.key_slots import Use, kek, wrapped
from support.tile_model import (
    ABORTED,
    AUTH,
    BAD_DESCRIPTOR,
    BAD_PARAM,
    COPY,
    KEY_DENIED,
    MODES,
    NOP,
    OK,
    WINDOW,
    Descriptor,
    find,
)
from tile_bench import ADDRESSES, PAGE, READ, Bench, Job, entries
from tile_jobs import ALGORITHMS, Maker, derived
from tile_state import PART, State

from cryptile import catalog, layout
from cryptile.catalog import Key

JOBS = int(os.environ["CRYPTILE_JOBS"])
SEED = int(os.environ.get("CRYPTILE_SEED", "1"))
NAMES = [name for name in ALGORITHMS if name != "nop"]
STATUSES = {status.number for status in catalog.statuses().jobs.values()}
KEK, TARGET, MINE, THEIRS = range(4)
"""Key slots: the first three are for the hostile queue, the last for the other."""
STREAM, UNWRAP = find(keystream=True, key=Key.sized), find(unwraps=True)
MOST = 1500
"""MAX_BYTES of the hostile queue."""
LIMIT = 30_000
"""Cycles in which a handful of jobs of such lengths ends."""
ABORT = 2000
IDLE_QUIET = 1 << 0 | 1 << 5
WIPE = 100
"""Cycles in which memories are overwritten."""
COPIES = 4
"""Of each queue, the last ones: nothing of them stays, either."""
STOP, RESET = 1, 2
ALLOWED = layout.blocks()["tile_queue"].registers["ALLOWED"]
EVERY = 0xFFFF
"""Opcodes."""


class Hostile:
    """The queue, what it does, and what must be true afterwards."""

    def __init__(self, bench, rng, monitor, write, worker):
        self.bench, self.rng, self.queue, self.write = bench, rng, bench.queues[0], write
        self.other, self.maker = bench.queues[1], Maker(self.queue, rng)
        self.secret, self.key = rng.randbytes(16), rng.randbytes(16)
        # A page that it may only read.
        self.shown = 1 << 44
        self.monitor, self.state, self.worker = monitor, State(bench.dut), worker
        self.jobs = self.aborts = self.stops = self.resets = 0
        self.lost = self.slowest = self.judged = 0
        self.seen = dict.fromkeys(STATUSES, 0)
        self.written: dict[int, bytes] = {}  # entries of the ring, by index
        # Status that a job must have while its list is as it was, and where that is, by index.
        self.crumbs: dict[int, tuple[int, range]] = {}
        self.refused = 0  # of these, bad lists
        self.pointed: list[bytes] = []  # keys in memory
        self.copied = deque(maxlen=COPIES)
        self.held: list[str] = []  # where in lanes keys were, once, as the model's search has it

    async def open(self):
        rng, queue = self.rng, self.queue
        await queue.window(1, self.shown, self.shown + PAGE - 1, READ)
        self.piece = rng.choice((0, 1, 16, 64, 64, 64, 300))
        self.opcodes = rng.choice((EVERY, EVERY, rng.getrandbits(16)))
        self.no_clear_keys = rng.randrange(4) == 0
        allowed = ALLOWED.pack(opcodes=self.opcodes, no_clear_keys=self.no_clear_keys)
        await queue.write("PIECE", self.piece)
        await queue.write("ALLOWED", allowed)
        await queue.write("WEIGHT", rng.randrange(16))
        await queue.open(
            mask=0b0111, max_bytes=MOST, coalesce=rng.randrange(4), relative=bool(rng.randrange(2))
        )

    async def slots(self):
        await self.write(KEK, kek(encrypt=True), self.secret)
        use = Use(*self.mode(STREAM), 16, encrypt=True, decrypt=True)
        await self.write(MINE, use, self.key)

    @staticmethod
    def mode(at):
        return at[0], (at[1],)

    def address(self):
        """One of its own, or around the edges of what it may reach, or any."""
        rng, mine, theirs = self.rng, self.queue, self.other
        if rng.randrange(2):
            return mine.heap + rng.randrange(0x8000)
        if mine.relative and rng.randrange(2):
            ends = (0, mine.REGION), (0, mine.REGION), (1, PAGE), (rng.randrange(4), 1 << 54)
            window, end = rng.choice(ends)
            return window << 54 | end + rng.randrange(-64, 64) & (1 << 54) - 1
        edges = (
            mine.base,
            mine.base + mine.REGION,
            theirs.base,
            theirs.heap,
            self.shown,
            self.shown + PAGE,
            rng.getrandbits(56),
        )
        return max(0, rng.choice(edges) + rng.randrange(-64, 64)) & (1 << 56) - 1

    def listing(self, job, side):
        """A list of nonsense: on itself, on the other list, on the data, or beyond the windows."""
        rng = self.rng
        at = self.queue.place(bytes(16 * 6), 16)
        spans = []
        for _ in range(rng.randrange(1, 7)):
            where = rng.choice((at + rng.randrange(96), job.src, job.dst, self.address()))
            spans.append((where, rng.choice((0, 1, 2, 16, 63, rng.randrange(300), 1 << 31))))
        named = [(self.queue.name(where), size) for where, size in spans]
        self.bench.memory.write(at, entries(*named)[: 16 * 6])
        setattr(job, side, at + rng.choice((0, 0, 0, 0, 8)))
        setattr(job, side + "_list", 1)

    def unwrap(self):
        """A good key, or nearly, for any slot; or as a token for one job."""
        rng, queue = self.rng, self.queue
        target = rng.choice((TARGET, TARGET, MINE, THEIRS, rng.randrange(16)))
        use = Use(*self.mode(STREAM), 16, encrypt=True, decrypt=True)
        token, iv = rng.randrange(2), rng.randbytes(16)
        aad = use.wrapped_for(255 if token else target)
        sealed = wrapped(self.secret, iv, rng.randbytes(16), aad)
        if token:
            return Job(
                *STREAM,
                slot=KEK,
                token=1,
                key=queue.place(aad + iv + sealed),
                length=64,
                src=queue.heap,
                dst=queue.heap,
            )
        return Job(
            *UNWRAP,
            decrypt=1,
            slot=KEK,
            target=target,
            src=queue.place(sealed),
            length=16,
            aad=queue.place(aad),
            aad_len=16,
            tag=queue.free - 32,
            iv_len=16,
            long_iv=queue.place(iv),
        )

    def crumb(self):
        """As many pieces of one byte as a list may have, or one more: COPY, and its status."""
        queue = self.queue
        short = max(self.piece, 1) - 1  # bytes that each but the last one lacks
        most = max(n for n in range(1, 40) if (n - 1) * short + n <= MOST)
        count = most + (self.rng.randrange(3) > 0)
        at, to = queue.place(bytes(count)), queue.place(bytes(count))
        spans = [(queue.name(at + n), 1) for n in range(count)]
        listing = queue.place(entries(*spans), 16)
        job = Job(COPY, src=listing, src_list=1, dst=to, length=count)
        status = OK if (count - 1) * short + count <= MOST else BAD_DESCRIPTOR
        return job, (status, range(listing, listing + 16 * count))

    def spoil(self, job):
        """Make something of a job wrong, or strange."""
        rng = self.rng
        match rng.randrange(9):
            case 0:
                setattr(job, rng.choice(ADDRESSES), self.address())
            case 1:
                self.listing(job, rng.choice(("src", "dst", "aad")))
                job.row = rng.choice((job.row, job.row, 1))
            case 2:
                lengths = (0, 1, 15, 16, 17, 64, 255, MOST, MOST + 1, rng.getrandbits(32))
                setattr(job, rng.choice(("length", "aad_len")), rng.choice(lengths))
            case 3:
                job.ctx_load, job.ctx_save, job.more = (rng.randrange(2) for _ in range(3))
                job.context = self.queue.heap + rng.randrange(0x8000)
            case 4:
                job.opcode = rng.choice((job.opcode, rng.randrange(16), rng.randrange(256)))
                job.mode = rng.randrange(16)
            case 5:
                job.key_len, job.decrypt = rng.randrange(4), rng.randrange(2)
                job.key_bytes, job.tag_len = rng.randrange(128), rng.randrange(256)
            case 6:
                job.slot, job.generation = rng.randrange(16), rng.choice((0, rng.randrange(256)))
                job.target = rng.choice((None, rng.randrange(16)))
            case 7:
                job.iv, job.iv_len = rng.randbytes(16), rng.randrange(1024)
            case _:
                word = rng.randrange(16 if job.extended else 8)
                job.spoil[word] = job.spoil.get(word, 0) ^ 1 << rng.randrange(64)

    def job(self):
        rng = self.rng
        kind = rng.randrange(12)
        if kind == 0:
            job = self.unwrap()
        elif kind == 1:
            job = Job(*STREAM, slot=MINE, src=self.queue.heap, dst=self.queue.heap, length=100)
        else:
            job = self.maker.job(rng.choice(NAMES))
            job = self.maker.spread(job) if rng.randrange(2) else job
            self.pointed += pointed(self.bench, job)
            self.copied += copied(self.bench, job)
        for _ in range(rng.choice((0, 1, 1, 1, 2, 4))):
            self.spoil(job)
        return job.named(self.queue)

    def put(self):
        """A handful of jobs."""
        rng, queue = self.rng, self.queue
        self.crumbs.clear()
        self.pointed.clear()
        first = queue.producer
        for _ in range(rng.randrange(1, 6)):
            if rng.randrange(8) == 0:
                job, self.crumbs[queue.producer] = self.crumb()
                queue.put(job.named(queue))
            else:
                queue.put(self.job())
        # What was the last one's extension, or may be.
        queue.put(Job(NOP))
        self.written = {
            index: self.bench.memory.read(queue.ring + 64 * (index % (1 << queue.log2)), 64)
            for index in range(first, queue.producer)
        }

    async def turn(self):
        """A handful of jobs, and perhaps their end in their midst."""
        rng, bench, queue = self.rng, self.bench, self.queue
        bench.memory.stall = rng.choice((0.0, 0.0, 0.2, 0.5))
        bench.memory.latency = rng.choice((1, 4, 10, 60))
        page = f"PAGE[{queue.number}]."
        before = await bench.registers.read(page + "COMPLETED")
        self.put()
        # Doorbells that are refused, too.
        if rng.randrange(4) == 0:
            await bench.registers.write(page + "DOORBELL", rng.getrandbits(16) | 0x4000)
        await queue.ring_bell()
        if rng.randrange(4) == 0:
            await bench.registers.write(page + "DOORBELL", queue.producer - 1 & 0xFFFF)
        end = rng.choice((self.abort, self.abort, self.abort, self.stop, self.reset))
        if ends := rng.randrange(6) == 0:
            await ClockCycles(bench.dut.clk_i, rng.randrange(600))
            if not self.held:
                places = self.state.holding(*self.secrets())
                self.held = [place for place in places if ".gen_lane" in place]
            await end()
        else:
            await self.run()
        if not ends or end != self.reset:
            self.records(before, await bench.registers.read(page + "COMPLETED"))
        self.bursts()
        if ends:
            await self.open()

    async def run(self):
        """Wait until all jobs have ended."""
        bench, queue = self.bench, self.queue
        page = f"PAGE[{queue.number}]."
        begin = last = bench.memory.cycle
        while not await bench.registers.read(page + "STATUS") & 1:
            assert bench.memory.cycle < begin + LIMIT, "jobs that do not end"
            await ClockCycles(bench.dut.clk_i, 20)
            head = await bench.registers.read(page + "HEAD")
            if head == queue.producer - 1 & 0xFFFF and bench.memory.cycle > last + 1000:
                # The last entry waits for its extension.
                queue.put(Job(NOP))
                await queue.ring_bell()
                last = bench.memory.cycle
        self.slowest = max(self.slowest, bench.memory.cycle - begin)

    async def abort(self):
        queue, memory = self.queue, self.bench.memory
        begin = memory.cycle
        await queue.write("CONTROL", 2)
        assert await queue.idle(limit=ABORT) & IDLE_QUIET == IDLE_QUIET
        # With a memory that answers; stalled, it takes as much longer.
        bound = ABORT if memory.stall == 0 else 3 * ABORT
        assert memory.cycle - begin <= bound, memory.cycle - begin
        await self.silent(queue)
        self.aborts += 1

    async def silent(self, *queues):
        """None has a burst under way, and none comes."""
        memory, numbers = self.bench.memory, [queue.number for queue in queues]
        assert not any(memory.open(number) for number in numbers)
        before = len(memory.marks)
        await ClockCycles(self.bench.dut.clk_i, self.rng.randrange(30, 200))
        assert not any(user & 7 in numbers for _, user, *_ in memory.marks[before:])

    async def stop(self):
        """All queues at once."""
        registers, queues = self.bench.registers, self.bench.queues
        async with self.worker.held():
            await registers.write("CONTROL", STOP)
            for queue in queues:
                assert await queue.idle(limit=ABORT) & IDLE_QUIET == IDLE_QUIET
            await self.silent(*queues)
            await registers.write("CONTROL", 0)
        self.stops += 1

    async def reset(self):
        """Nothing stays that is set up, and nothing of a key or of what was copied."""
        registers, begin = self.bench.registers, self.bench.memory.cycle
        async with self.worker.held():
            async with self.monitor:
                await registers.write("CONTROL", RESET)
                while await registers.read("CONTROL"):
                    assert self.bench.memory.cycle < begin + 3 * ABORT
                await self.nothing_left()
            await self.silent(*self.bench.queues)
            await self.slots()
        self.resets += 1

    def secrets(self):
        """All keys there are, what the cipher makes of those in slots, and what was copied."""
        keys = [self.secret, self.key, self.worker.key]
        made = [part[:PART] for key in keys for part in derived(key)]
        others = (self, self.worker)
        return [*keys, *made, *(key for who in others for key in (*who.pointed, *who.copied))]

    async def nothing_left(self):
        await ClockCycles(self.bench.dut.clk_i, WIPE)
        self.state.holds_nothing_of(*self.secrets())

    async def tamper(self):
        """The end of all, in the midst of jobs."""
        dut = self.bench.dut
        async with self.monitor:
            self.put()
            await self.queue.ring_bell()
            await ClockCycles(dut.clk_i, 150)
            dut.tamper_i.value = 1
            await ClockCycles(dut.clk_i, 4)
            dut.tamper_i.value = 0
            for queue in self.bench.queues:
                assert await queue.idle(limit=ABORT) & IDLE_QUIET == IDLE_QUIET
            await self.nothing_left()

    def records(self, before, after):
        """Every job has its record, and a status there is. Its own jobs may write over records."""
        assert after >= before
        queue, memory = self.queue, self.bench.memory
        records = range(queue.completions, queue.completions + (16 << queue.log2))
        ring = range(queue.ring, queue.completions)
        true = memory.again.isdisjoint(records) and memory.touched.isdisjoint(ring)
        jobs = self.fields() if true else {}
        for number in range(before, after):
            queue.taken = number
            result = queue.poll()
            if result is None:
                assert not true
                self.lost += 1
                continue
            assert result.status in STATUSES
            self.seen[result.status] += 1
            if result.index in jobs:
                crumb, listing = self.crumbs.get(result.index, (None, ()))
                whole = memory.touched.isdisjoint(listing)
                self.judge(jobs[result.index], result.status, crumb if whole else None)
        queue.taken = after
        self.jobs += after - before

    def fields(self):
        """The jobs in the ring, as the tile takes them apart, by index."""
        found, left = {}, dict(self.written)
        while left:
            index = min(left)
            found[index] = Descriptor.read(left.pop(index) + bytes(64))
            if found[index]["extension"]:
                left.pop(index + 1, None)
        return found

    def judge(self, job, status, crumb=None):
        """What the kernel allows the queue decides, whatever else is wrong with a job."""
        if status == ABORTED:
            return
        self.judged += 1
        long = job.opcode != NOP and max(job["msg_len"], job["aad_len"]) > MOST
        mode = MODES.get((job.opcode, job.mode))
        keyed = mode and mode.key is not Key.none
        theirs = (job["key_slot"] and job["slot"] > MINE) or job["target"] > MINE
        clear = mode and (mode.clear_key or (keyed and not job["key_slot"]))
        denied = theirs or (clear and self.no_clear_keys)
        if job.opcode > 15 or not self.opcodes >> job.opcode & 1 or long:
            assert status == BAD_DESCRIPTOR, job
        elif job.opcode != NOP and denied:
            assert status in (BAD_DESCRIPTOR, KEY_DENIED), job
        elif crumb is not None:
            assert status == crumb, job
            self.refused += crumb != OK

    def bursts(self):
        """All were in a window of the queue whose they were, and in one page."""
        memory = self.bench.memory
        for accesses in (memory.reads, memory.writes):
            for address, size, _ in accesses:
                assert address // PAGE == (address + size - 1) // PAGE
        written = {address // PAGE for address, _, _ in memory.writes}
        for address, user, _, _ in memory.marks:
            owner = (self.queue, self.other)[user & 7]
            inside = 0 <= address - owner.base < owner.REGION
            inside |= owner is self.queue and 0 <= address - self.shown < PAGE
            assert inside, (hex(address), user)
        assert self.shown // PAGE not in written
        memory.forget()


def copied(bench, job):
    """What a job copies, if its source is no list: 32 bytes of it, which may be somebody's key."""
    if job.opcode != COPY or job.src_list:
        return []
    return [bench.memory.read(job.src, min(job.length, 32))]


def pointed(bench, job):
    """The key that a job has in memory: its bytes alone, as those behind it may be anything."""
    if job.key is None:
        return []
    some = MODES[job.opcode, job.mode].key is Key.bytes
    return [bench.memory.read(job.key, min(job.key_bytes, 16) if some else 16)]


class Worker:
    """The other queue: jobs of all kinds, each as the model says, and its key in a slot."""

    def __init__(self, bench, rng, write):
        self.bench, self.rng, self.queue, self.write = bench, rng, bench.queues[1], write
        self.maker = Maker(self.queue, rng)
        self.works, self.jobs, self.slowest, self.ended = True, 0, 0, 0
        self.key, self.pointed = rng.randbytes(16), []
        self.copied = deque(maxlen=COPIES)
        self._holds, self._free = 0, Event()
        self._free.set()

    @contextlib.asynccontextmanager
    async def held(self):
        """Its queue is ended by others, and is not opened again meanwhile."""
        self._holds += 1
        self._free.clear()
        yield
        self._free.set()

    async def open(self):
        """Open its queue; return which time this is."""
        rng, queue = self.rng, self.queue
        await self._free.wait()
        holds = self._holds
        await queue.write("WEIGHT", rng.randrange(16))
        await queue.open(mask=1 << THEIRS, relative=bool(rng.randrange(2)))
        return holds

    def job(self):
        """A job, and what is asked of the tile: the same, perhaps with its key in a slot."""
        rng, queue = self.rng, self.queue
        if rng.randrange(3):
            job = self.maker.job(rng.choice(NAMES))
            job = self.maker.spread(job) if rng.randrange(2) else job
            self.pointed[:] = pointed(self.bench, job)
            self.copied += copied(self.bench, job)
            return job, job
        self.key, at = rng.randbytes(16), queue.place(bytes(80))
        job = Job(*STREAM, key=queue.place(self.key), src=at, dst=at, length=80)
        return job, dataclasses.replace(job, key=None, slot=THEIRS)

    async def run(self):
        rng, bench, queue = self.rng, self.bench, self.queue
        holds = await self.open()
        while self.works:
            job, asked = self.job()
            if asked.slot is not None:
                use = Use(*Hostile.mode(STREAM), 16, (1,), encrypt=True, decrypt=True)
                await self.write(THEIRS, use, self.key)
            (verdict,), changed = bench.expect(job.named(queue), queue=queue)
            begin = bench.memory.cycle
            queue.put(asked.named(queue))
            await queue.ring_bell()
            result = await self.result(holds)
            self.slowest = max(self.slowest, bench.memory.cycle - begin)
            if holds != self._holds and (result is None or result.status == ABORTED):
                self.ended += 1
            else:
                assert (result.status, result.written) == verdict, job
                bench.check(changed)
                self.jobs += 1
            if holds != self._holds or rng.randrange(50) == 0:
                await queue.write("CONTROL", 0)
                await queue.idle()
                holds = await self.open()
            await ClockCycles(bench.dut.clk_i, rng.randrange(200))

    async def result(self, holds):
        """Wait for the record; None if the queue is ended before it comes."""
        for _ in range(2 * LIMIT // 8):
            if result := self.queue.poll():
                return result
            if holds != self._holds:
                await self._free.wait()
                return self.queue.poll()
            await ClockCycles(self.bench.dut.clk_i, 8)
        raise AssertionError("the other queue's job does not end")


@cocotb.test()
async def hostile(dut):
    rng = random.Random(SEED)
    bench = await Bench(dut, queues=2).start()
    monitor = Lock()

    async def write(slot, use, key):
        """As the secure monitor does: one slot after the other."""
        async with monitor:
            await bench.slot(slot, use, key)

    worker = Worker(bench, random.Random(SEED + 1), write)
    attack = Hostile(bench, rng, monitor, write, worker)
    await attack.slots()
    await attack.open()
    between = worker.queue.base + 2 * PAGE  # its rings and its data
    untouched = bench.memory.read(between, PAGE)
    task = cocotb.start_soon(worker.run())
    while attack.jobs < JOBS:
        await attack.turn()
        if rng.randrange(10) == 0:
            await attack.slots()
    worker.works = False
    await task
    assert bench.memory.read(between, PAGE) == untouched
    assert attack.lost < JOBS // 20
    told = {status: count for status, count in attack.seen.items() if count}
    assert {OK, AUTH, BAD_PARAM, BAD_DESCRIPTOR, WINDOW, KEY_DENIED, ABORTED} <= told.keys(), told
    assert worker.jobs > JOBS // 20
    assert min(attack.aborts, attack.stops, attack.resets) > JOBS // 500
    assert attack.judged > JOBS // 2 and attack.refused > JOBS // 400
    assert attack.held, "keys stood in lanes"
    await attack.tamper()
    dut._log.info(
        "%d jobs, %d judged by what is allowed; %d aborts, %d stops, %d resets; statuses %s; a "
        "handful of jobs took %d cycles at most; %d jobs of the other queue, %d cycles at most, %d "
        "ended with it",
        attack.jobs,
        attack.judged,
        attack.aborts,
        attack.stops,
        attack.resets,
        told,
        attack.slowest,
        worker.jobs,
        worker.slowest,
        worker.ended,
    )
