"""A queue in hostile hands: whatever its descriptors say, it reaches only what is its own."""

import os
import random

import cocotb
from support.key_slots import Use
from support.tile_model import (
    AES,
    BAD_DESCRIPTOR,
    COPY,
    CTR,
    DESCRIPTOR,
    GCM,
    KEY_DENIED,
    OK,
    SG_ENTRY,
    WINDOW,
)
from tile_bench import PAGE, Bench, Job
from tile_jobs import ALGORITHMS, Maker

JOBS = int(os.environ["CRYPTILE_JOBS"])
MINE, THEIRS = 0b0011, 0b1100  # key slots
ADDRESSES = ("src", "dst", "aad", "tag", "key", "context", "long_iv")


class Attack:
    """Two queues, memory and key slots of each; the first is the attacker's."""

    def __init__(self, dut):
        self.bench = Bench(dut)
        self.rng = random.Random(11)
        self.attacker, self.victim = self.bench.queues[:2]

    async def start(self):
        await self.bench.start()
        await self.attacker.open(mask=MINE, max_bytes=1500)
        await self.victim.open(mask=THEIRS)
        for slot in range(4):
            owner = 0 if MINE >> slot & 1 else 1
            # The last one unwraps keys, of each owner.
            rights = {"unwrap": True} if slot & 1 else {"encrypt": True}
            use = Use(AES, (GCM,) if slot & 1 else (CTR,), 16, (owner,), decrypt=True, **rights)
            await self.bench.slot(slot, use, self.rng.randbytes(64))
        await self.bench.registers.write("SEAL", 1)
        return self

    def outside(self, spread=64):
        """An address around or in the victim's region, or anywhere."""
        mine, theirs = self.attacker, self.victim
        edges = (
            mine.base,
            mine.base + mine.REGION,
            theirs.base,
            theirs.base + theirs.REGION,
            theirs.ring,
            theirs.completions,
            theirs.heap,
        )
        at = self.rng.choice(
            (*edges, self.rng.getrandbits(56), mine.base ^ 1 << self.rng.randrange(56))
        )
        return max(0, at + self.rng.randrange(-spread, spread)) & (1 << 56) - 1

    def spoil(self, job):
        """Point some fields of a job to what is not the attacker's."""
        rng = self.rng
        for _ in range(rng.randrange(1, 4)):
            kind = rng.randrange(5)
            if kind <= 1:
                setattr(job, rng.choice(ADDRESSES), self.outside())
            elif kind == 2:  # an SG list with the victim's memory in it
                side = rng.choice(("src", "dst"))
                entries = (
                    (self.attacker.heap, rng.randrange(1, 40), 0),
                    (self.outside(), rng.randrange(1, 1 << rng.randrange(1, 32)), rng.randrange(2)),
                    (self.outside(), 0xFFFF_FFFF, 1),
                )
                data = b"".join(
                    SG_ENTRY.encode(address=address, length=length, last=last)
                    for address, length, last in entries
                )
                setattr(job, side, self.attacker.place(data, 16))
                setattr(job, side + "_list", 1)
            elif kind == 3:
                job.slot, job.target = rng.randrange(16), rng.choice((None, rng.randrange(16)))
            else:
                word = rng.randrange(16 if job.extended else 8)
                job.spoil[word] = job.spoil.get(word, 0) ^ 1 << rng.randrange(64)
        return job

    def allowed(self, accesses):
        """Every access lies in the attacker's region."""
        mine = self.attacker
        for address, length, _ in accesses:
            assert mine.base <= address and address + length <= mine.base + mine.REGION, hex(
                address
            )
            assert address // PAGE == (address + length - 1) // PAGE


def finish(queue, entries):
    """Count the jobs in ring entries whose extension bits were spoilt; end the last one."""
    jobs = at = 0
    while at < len(entries):
        jobs += 1
        extended = DESCRIPTOR.decode(entries[at : at + 64])["extension"]
        at += 128 if extended else 64
    if at > len(entries):
        queue.put(Job())  # what the last one takes for its extension
    return jobs


@cocotb.test()
async def hostile(dut):
    """Random descriptors with every field turned against the other queue."""
    attack = await Attack(dut).start()
    bench, rng, mine, theirs = attack.bench, attack.rng, attack.attacker, attack.victim
    maker, seen = Maker(mine, rng), {}
    names = [name for name in ALGORITHMS if name != "nop"]
    secret = bench.memory.read(theirs.base, 0x8000)
    bench.memory.forget()
    for _ in range(12 * JOBS):
        job = attack.spoil(maker.job(rng.choice(names), decrypt=0))
        start = mine.producer
        mine.put(job)
        jobs = finish(mine, job.entries())
        await mine.ring_bell()
        for result in await mine.wait(jobs):
            seen[result.status] = seen.get(result.status, 0) + 1
            asked = job.slot is not None and not job.spoil and result.index == start
            if asked and (THEIRS >> job.slot & 1 or job.slot > 3):
                assert result.status in (KEY_DENIED, BAD_DESCRIPTOR), job
        attack.allowed(bench.memory.reads)
        attack.allowed(bench.memory.writes)
        bench.memory.forget()
    assert bench.memory.read(theirs.base, 0x8000) == secret
    assert seen[WINDOW] > JOBS and seen[KEY_DENIED] and seen[OK], seen
    # The victim's keys are what they were, and work.
    (result,) = await theirs.run(Job(AES, CTR, slot=2, src=theirs.heap, dst=theirs.heap, length=16))
    assert result.status == OK


@cocotb.test()
async def no_key_of_another(dut):
    """All slots, opcodes and directions: only what is the queue's own serves it."""
    attack = await Attack(dut).start()
    bench, mine = attack.bench, attack.attacker
    at = mine.heap
    for slot in range(16):
        jobs = [
            Job(AES, CTR, decrypt=decrypt, slot=slot, src=at, dst=at, length=16)
            for decrypt in (0, 1)
        ]
        for result in await mine.run(*jobs):
            assert result.status == (OK if slot == 0 else KEY_DENIED), slot
        jobs = [
            Job(
                AES,
                GCM,
                decrypt=1,
                slot=slot,
                target=target,
                src=at,
                aad=at,
                aad_len=16,
                length=32,
                tag=at,
            )
            for target in range(16)
        ]
        for target, result in enumerate(await mine.run(*jobs)):
            # Slot 1 unwraps for the attacker: wrong tag at best. Slots 2 and 3 are not for him.
            may = slot == 1 and MINE >> target & 1
            assert (result.status == KEY_DENIED) == (not may), (slot, target)
            assert result.status != OK
    attack.allowed(bench.memory.reads)


@cocotb.test()
async def service(dut):
    """A queue that floods the tile slows another one down, by a bound, and does not stop it."""
    attack = await Attack(dut).start()
    bench, mine, theirs = attack.bench, attack.attacker, attack.victim
    job = Job(COPY, src=theirs.heap, dst=theirs.heap + 0x1000, length=256)

    async def cycles():
        begin = bench.memory.cycle
        await theirs.run(job)
        return bench.memory.cycle - begin

    alone = await cycles()
    flood = Job(COPY, src=mine.heap, dst=mine.heap + 0x2000, length=1500)
    while mine.producer < 15:
        mine.put(flood)
    await mine.ring_bell()
    worst = 0
    for _ in range(3):
        for _ in range(14 - (mine.producer - mine.taken)):
            mine.put(flood)
        await mine.ring_bell()
        worst = max(worst, await cycles())
        while mine.poll():
            pass
    dut._log.info("a copy of 256 bytes: %d cycles alone, %d beside a flood", alone, worst)
    # As many of the flood's jobs as a lane holds may be before it.
    assert worst < alone + 10 * 1500 // 16 * 4
