"""A queue that does whatever a process can do with it, beside one that wants to work.

Its descriptors are random in every field, its lists lie on themselves and on each other, it takes
contexts from anywhere, unwraps keys while slots are written, rings its doorbell at random, and is
aborted and enabled again. Each of its jobs must end, soon and with a status; no burst may leave its
windows; what the other queue asks for must be done as if it were alone, with its own keys.
"""

import dataclasses
import os
import random

import cocotb
from cocotb.triggers import ClockCycles, Lock
from support.key_slots import Use, kek, wrapped
from support.tile_model import (
    ABORTED,
    AUTH,
    BAD_DESCRIPTOR,
    BAD_PARAM,
    KEY_DENIED,
    NOP,
    OK,
    WINDOW,
    find,
)
from tile_bench import PAGE, READ, Bench, Job, entries
from tile_jobs import ALGORITHMS, Maker

from cryptile import catalog
from cryptile.catalog import Key

JOBS = int(os.environ["CRYPTILE_JOBS"])
SEED = int(os.environ.get("CRYPTILE_SEED", "1"))
NAMES = [name for name in ALGORITHMS if name != "nop"]
STATUSES = {status.number for status in catalog.statuses().jobs.values()}
ADDRESSES = ("src", "dst", "aad", "tag", "key", "context", "long_iv")
KEK, TARGET, MINE, THEIRS = range(4)
"""Key slots: the first three are for the hostile queue, the last for the other."""
STREAM, UNWRAP = find(keystream=True, key=Key.sized), find(unwraps=True)
MOST = 1500
"""MAX_BYTES of the hostile queue."""
LIMIT = 30_000
"""Cycles in which a handful of jobs of such lengths ends."""
ABORT = 2000


class Hostile:
    """The queue, what it does, and what must be true afterwards."""

    def __init__(self, bench, rng, write):
        self.bench, self.rng, self.queue, self.write = bench, rng, bench.queues[0], write
        self.other, self.maker = bench.queues[1], Maker(self.queue, rng)
        self.secret, self.key = rng.randbytes(16), rng.randbytes(16)
        # A page that it may only read.
        self.shown = 1 << 44
        self.jobs = self.aborts = self.lost = self.slowest = 0
        self.seen = dict.fromkeys(STATUSES, 0)

    async def open(self):
        rng, queue = self.rng, self.queue
        await queue.window(1, self.shown, self.shown + PAGE - 1, READ)
        await queue.write("PIECE", rng.choice((0, 1, 16, 64, 64, 64, 300)))
        await queue.open(mask=0b0111, max_bytes=MOST, coalesce=rng.randrange(4))

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
        edges = (mine.base, mine.base + mine.REGION, theirs.base, theirs.heap, self.shown,
                 self.shown + PAGE, rng.getrandbits(56))  # fmt: skip
        return max(0, rng.choice(edges) + rng.randrange(-64, 64)) & (1 << 56) - 1

    def listing(self, job, side):
        """A list of nonsense: on itself, on the other list, on the data, or beyond the windows."""
        rng = self.rng
        at = self.queue.place(bytes(16 * 6), 16)
        spans = []
        for _ in range(rng.randrange(1, 7)):
            where = rng.choice((at + rng.randrange(96), job.src, job.dst, self.address()))
            spans.append((where, rng.choice((0, 1, 2, 16, 63, rng.randrange(300), 1 << 31))))
        self.bench.memory.write(at, entries(*spans)[: 16 * 6])
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
            return Job(*STREAM, slot=KEK, token=1, key=queue.place(aad + iv + sealed), length=64,
                       src=queue.heap, dst=queue.heap)  # fmt: skip
        return Job(*UNWRAP, decrypt=1, slot=KEK, target=target, src=queue.place(sealed), length=16,
                   aad=queue.place(aad), aad_len=16, tag=queue.free - 32, iv_len=16,
                   long_iv=queue.place(iv))  # fmt: skip

    def spoil(self, job):
        """Make something of a job wrong, or strange."""
        rng = self.rng
        match rng.randrange(9):
            case 0:
                setattr(job, rng.choice(ADDRESSES), self.address())
            case 1:
                self.listing(job, rng.choice(("src", "dst")))
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
        for _ in range(rng.choice((0, 1, 1, 1, 2, 4))):
            self.spoil(job)
        return job

    async def turn(self):
        """A handful of jobs, and perhaps an abort in their midst."""
        rng, bench, queue = self.rng, self.bench, self.queue
        bench.memory.stall = rng.choice((0.0, 0.0, 0.2, 0.5))
        bench.memory.latency = rng.choice((1, 4, 10, 60))
        page = f"PAGE[{queue.number}]."
        before = await bench.registers.read(page + "COMPLETED")
        for _ in range(rng.randrange(1, 6)):
            queue.put(self.job())
        # What was the last one's extension, or may be; and doorbells that are refused.
        queue.put(Job(NOP))
        if rng.randrange(4) == 0:
            await bench.registers.write(page + "DOORBELL", rng.getrandbits(16) | 0x4000)
        await queue.ring_bell()
        if rng.randrange(4) == 0:
            await bench.registers.write(page + "DOORBELL", queue.producer - 1 & 0xFFFF)
        if rng.randrange(8) == 0:
            await ClockCycles(bench.dut.clk_i, rng.randrange(600))
            await self.abort(before)
            return
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
        self.records(before, await bench.registers.read(page + "COMPLETED"))

    async def abort(self, before):
        queue, memory = self.queue, self.bench.memory
        begin = memory.cycle
        await queue.write("CONTROL", 2)
        assert await queue.idle(limit=ABORT) & 1
        # With a memory that answers; stalled, it takes as much longer.
        bound = ABORT if memory.stall == 0 else 3 * ABORT
        assert memory.cycle - begin <= bound, memory.cycle - begin
        self.records(before, await self.bench.registers.read(f"PAGE[{queue.number}].COMPLETED"))
        self.aborts += 1
        await self.open()

    def records(self, before, after):
        """Every job has its record, and a status there is. Its own jobs may write over records."""
        assert after >= before
        for number in range(before, after):
            self.queue.taken = number
            result = self.queue.poll()
            if result is None:
                self.lost += 1
            else:
                assert result.status in STATUSES
                self.seen[result.status] += 1
        self.queue.taken = after
        self.jobs += after - before

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


class Worker:
    """The other queue: jobs of all kinds, each as the model says, and its key in a slot."""

    def __init__(self, bench, rng, write):
        self.bench, self.rng, self.queue, self.write = bench, rng, bench.queues[1], write
        self.maker = Maker(self.queue, rng)
        self.works, self.jobs, self.slowest = True, 0, 0

    async def run(self):
        rng, queue = self.rng, self.queue
        await queue.open(mask=1 << THEIRS)
        while self.works:
            job = self.maker.job(rng.choice(NAMES))
            asked = job
            if rng.randrange(3) == 0:
                key, at = rng.randbytes(16), queue.place(bytes(80))
                use = Use(*Hostile.mode(STREAM), 16, (1,), encrypt=True, decrypt=True)
                await self.write(THEIRS, use, key)
                job = Job(*STREAM, key=queue.place(key), src=at, dst=at, length=80)
                asked = dataclasses.replace(job, key=None, slot=THEIRS)
            (verdict,), changed = self.bench.expect(job)
            begin = self.bench.memory.cycle
            queue.put(asked)
            await queue.ring_bell()
            (result,) = await queue.wait(limit=2 * LIMIT)
            self.slowest = max(self.slowest, self.bench.memory.cycle - begin)
            assert (result.status, result.written) == verdict, job
            self.bench.check(changed)
            self.jobs += 1
            await ClockCycles(self.bench.dut.clk_i, rng.randrange(200))


@cocotb.test()
async def hostile(dut):
    rng = random.Random(SEED)
    bench = await Bench(dut).start()
    monitor = Lock()

    async def write(slot, use, key):
        """As the secure monitor does: one slot after the other."""
        async with monitor:
            await bench.slot(slot, use, key)

    attack, worker = Hostile(bench, rng, write), Worker(bench, random.Random(SEED + 1), write)
    await attack.slots()
    await attack.open()
    between = worker.queue.base + 2 * PAGE  # its rings and its data
    untouched = bench.memory.read(between, PAGE)
    task = cocotb.start_soon(worker.run())
    while attack.jobs < JOBS:
        await attack.turn()
        attack.bursts()
        if rng.randrange(10) == 0:
            await attack.slots()
    worker.works = False
    await task
    assert bench.memory.read(between, PAGE) == untouched
    assert attack.lost < JOBS // 20
    told = {status: count for status, count in attack.seen.items() if count}
    assert {OK, AUTH, BAD_PARAM, BAD_DESCRIPTOR, WINDOW, KEY_DENIED, ABORTED} <= told.keys(), told
    assert worker.jobs > JOBS // 20
    dut._log.info(
        "%d jobs, %d aborts, statuses %s; a handful of jobs took %d cycles at most; %d jobs of the "
        "other queue, %d cycles at most",
        attack.jobs, attack.aborts, told, attack.slowest, worker.jobs, worker.slowest,
    )  # fmt: skip
