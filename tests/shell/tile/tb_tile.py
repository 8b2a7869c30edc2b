"""The whole tile against its model: every algorithm on all queues, errors, aborts, slots."""

import dataclasses
import os
import random
from itertools import pairwise

import cocotb
from cocotb.triggers import ClockCycles
from support.key_slots import ANY_SLOT, ANY_TAG, Use, kek
from support.tile_model import (
    ABORTED,
    AES,
    AUTH,
    BAD_DESCRIPTOR,
    BAD_PARAM,
    BUS_ERROR,
    CBC,
    CCM,
    COPY,
    CTR,
    GCM,
    KECCAK,
    KEY_DENIED,
    MODES,
    NOP,
    OK,
    SG_ENTRY,
    SHA2,
    WINDOW,
    XTS,
)
from tile_bench import DECERR, PAGE, READ, SLVERR, WRITE, Bench, Job
from tile_jobs import ALGORITHMS, OTHERS, Maker, make_token

from cryptile import catalog

JOBS = int(os.environ["CRYPTILE_JOBS"])
STALLS = (0.0, 0.0, 0.3, 0.6)


def stalls(bench, rng):
    bench.memory.stall, bench.memory.latency = rng.choice(STALLS), rng.choice((1, 4, 20))


async def compare(bench, queue, jobs, expected):
    """Do jobs; status, bytes written and memory must be those of the model."""
    results = await queue.run(*jobs)
    for job, result, (verdict, changed) in zip(jobs, results, expected, strict=True):
        assert (result.status, result.written) == verdict[0], job
        bench.check(changed)


@cocotb.test()
async def copies(dut):
    """COPY and NOP at every alignment: nothing but the destination changes."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(1), await bench.queues[0].open()
    for turn in range(JOBS):
        stalls(bench, rng)
        maker, jobs = Maker(queue, rng), []
        for _ in range(rng.randrange(1, 8)):
            job = maker.job(rng.choice(("copy", "copy", "nop")))
            if job.opcode == COPY and not job.src_list and not job.dst_list:
                maker.message(job, job.length * rng.choice((1, 1, 1 + turn % 5)))
            jobs.append(job)
        expected = [bench.expect(job) for job in jobs]
        bench.memory.forget()
        await compare(bench, queue, jobs, expected)
        may = {at for _, changed in expected for at in changed}
        rings = range(queue.ring, queue.heap)
        assert all(at in may or at in rings for at in bench.memory.touched)


@cocotb.test()
async def algorithms(dut):
    """Every algorithm, on all queues at once."""
    bench = await Bench(dut).start()
    rng = random.Random(2)
    for queue in bench.queues:
        await queue.open()

    async def use(queue):
        mine = random.Random(queue.number)
        for turn in range(JOBS):
            maker = Maker(queue, mine)
            names = mine.sample(ALGORITHMS, min(len(ALGORITHMS), 3))
            names.append(ALGORITHMS[(turn + 3 * queue.number) % len(ALGORITHMS)])
            jobs = [maker.spread(maker.job(name)) for name in names]
            expected = [bench.expect(job) for job in jobs]
            await compare(bench, queue, jobs, expected)
            stalls(bench, rng)

    tasks = [cocotb.start_soon(use(queue)) for queue in bench.queues]
    for task in tasks:
        await task


@cocotb.test()
async def chains(dut):
    """Jobs that need what the job before made: fences, on one engine and from engine to engine."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(3), await bench.queues[1].open()
    for _ in range(JOBS):
        stalls(bench, rng)
        length = rng.randrange(1, 200)
        places = [queue.place(rng.randbytes(length), 16, rng.randrange(16)) for _ in range(5)]
        key, iv = queue.place(rng.randbytes(16)), rng.randbytes(16)
        jobs = []
        for a, b in pairwise(places):
            jobs.append(
                rng.choice(
                    (
                        Job(COPY, src=a, dst=b, length=length, fence=1),
                        Job(AES, CTR, src=a, dst=b, length=length, key=key, iv=iv, fence=1),
                    )
                )
            )
        verdicts, changed = bench.expect(*jobs)
        results = await queue.run(*jobs)
        assert [(r.status, r.written) for r in results] == verdicts
        bench.check(changed)


@cocotb.test()
async def bad_memory(dut):
    """An error of the bus at any access of a job ends that job, and only that."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(4), await bench.queues[2].open()
    maker = Maker(queue, rng)
    for turn in range(JOBS):
        stalls(bench, rng)
        job = maker.job(rng.choice([name for name in ALGORITHMS if name != "nop"]), decrypt=0)
        if job.src_list or job.dst_list or not job.length:
            continue
        places = {
            "src": (job.src, job.length),
            "dst": (job.dst, job.length),
            "aad": (job.aad, job.aad_len),
            "tag": (job.tag, 1),
            "key": (job.key or 0, 0 if job.opcode in (SHA2, KECCAK) else 16),
            "long_iv": (job.long_iv, job.iv_len),
        }
        name, (at, length) = rng.choice([item for item in places.items() if all(item[1])])
        bench.memory.bad = {(at + rng.randrange(length)) // 64: rng.choice((SLVERR, DECERR))}
        (result, after) = await queue.run(job, Job(NOP))
        assert result.status == BUS_ERROR, (turn, name, job)
        assert after.status == OK
        bench.memory.bad = {}
        again = maker.job(ALGORITHMS[turn % len(ALGORITHMS)])
        await compare(bench, queue, [again], [bench.expect(again)])


@cocotb.test()
async def windows(dut):
    """Each access of a job outside the windows is refused, reads and writes apart."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(5), await bench.queues[3].open()
    outside = queue.base + queue.REGION
    only_read, only_write = outside + 4 * PAGE, outside + 8 * PAGE
    await queue.window(1, only_read, only_read + PAGE - 1, READ)
    await queue.window(2, only_write, only_write + PAGE - 1, WRITE)
    inside = queue.place(rng.randbytes(300))

    def copy(src, dst, length=100):
        return Job(COPY, src=src, dst=dst, length=length)

    cases = [
        (copy(inside, inside + 150), OK),
        (copy(outside, inside), WINDOW),
        (copy(inside, outside), WINDOW),
        (copy(only_read, inside), OK),
        (copy(inside, only_read), WINDOW),
        (copy(only_write, inside), WINDOW),
        (copy(inside, only_write), OK),
        (copy(only_read, only_write, PAGE), OK),
        (copy(only_read + 1, inside, PAGE), WINDOW),
        (copy(only_read - 1, inside, 16), WINDOW),
        (copy(inside, only_write - 1, 16), WINDOW),
        (copy(inside, only_write + PAGE - 5, 16), WINDOW),
        (copy(outside - 50, inside, 50), OK),
        (copy(outside - 50, inside, 51), WINDOW),
        (dataclasses.replace(copy(outside, inside), src_list=1), WINDOW),
        (dataclasses.replace(copy(inside, outside), dst_list=1), WINDOW),
        (Job(AES, CTR, src=inside, dst=inside, length=16, key=outside), WINDOW),
        (Job(AES, CTR, src=inside, dst=inside, length=16, key=only_read), OK),
    ]
    for job, status in cases:
        bench.memory.forget()
        (result,) = await queue.run(job)
        assert result.status == status, job
        for address, length, _ in bench.memory.reads:
            assert address + length <= outside or only_read <= address < only_read + PAGE
        for address, length, _ in bench.memory.writes:
            assert address + length <= outside or only_write <= address < only_write + PAGE
    # Ring and completions are checked too.
    for name in ("ring", "completions"):
        await queue.write("CONTROL", 0)
        await queue.idle()
        at, queue.ring, queue.completions = (
            (queue.ring, queue.completions),
            queue.ring,
            queue.completions,
        )
        setattr(queue, name, outside)
        await queue.open()
        queue.put(Job(NOP))
        await queue.ring_bell()
        assert await queue.idle() & 0xF == 0xB | (name == "completions") << 2
        queue.ring, queue.completions = at


@cocotb.test()
async def aborts(dut):
    """A queue aborted at any time comes to rest and works again; others do not notice."""
    bench = await Bench(dut).start()
    rng = random.Random(6)
    other = await bench.queues[1].open()
    for turn in range(JOBS):
        stalls(bench, rng)
        queue = await bench.queues[0].open()
        maker = Maker(queue, rng)
        jobs = [maker.job(rng.choice(ALGORITHMS), decrypt=0) for _ in range(rng.randrange(1, 7))]
        for job in jobs:
            queue.put(job)
        theirs = [Maker(other, rng).job(rng.choice(ALGORITHMS)) for _ in range(3)]
        expected = [bench.expect(job) for job in theirs]
        task = cocotb.start_soon(compare(bench, other, theirs, expected))
        await queue.ring_bell()
        await ClockCycles(dut.clk_i, rng.randrange(250))
        await queue.write("CONTROL", 2)
        assert await queue.idle() & 1, turn
        while result := queue.poll():
            assert result.status in (OK, ABORTED), result
        await task
        await queue.open()
        job = maker.job(rng.choice(ALGORITHMS))
        await compare(bench, queue, [job], [bench.expect(job)])
        await queue.write("CONTROL", 0)
        await queue.idle()


@cocotb.test()
async def lists(dut):
    """SG lists that do not fit their message, or do not end."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(7), await bench.queues[0].open()
    data = queue.place(rng.randbytes(300))

    def entries(*items, spoil=0):
        """Place a list; bits of the last entry can be flipped."""
        numbers = [SG_ENTRY.pack(address=at, length=size, last=last) for at, size, last in items]
        numbers[-1] ^= spoil
        return queue.place(b"".join(number.to_bytes(16, "little") for number in numbers), 16)

    good = entries((data, 10, 0), (data + 50, 0x7FFF_0000, 1))
    for listing, length, status in (
        (good, 10, OK),
        (good, 11, OK),
        (good, 30, OK),
        (entries((data, 10, 0), (data, 5, 1)), 16, BAD_DESCRIPTOR),
        (entries((data, 0, 0), (data, 5, 1)), 5, OK),
        (entries((data, 5, 0), (data, 0, 1)), 6, BAD_DESCRIPTOR),
        (entries((data, 16, 1), spoil=1 << 97), 16, BAD_DESCRIPTOR),
        (entries((data, 16, 1), spoil=1 << 56), 16, BAD_DESCRIPTOR),
    ):
        for side in ("src", "dst"):
            job = Job(COPY, src=data + 100, dst=data + 200, length=length)
            setattr(job, side, listing)
            setattr(job, side + "_list", 1)
            (result,) = await queue.run(job)
            assert result.status == status, (side, listing, length)


@cocotb.test(skip=not any(OTHERS[name].key for name in OTHERS.keys() & set(ALGORITHMS)))
async def rights(dut):
    """A slot serves the engine and the direction that it names, and no other."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(13), await bench.queues[1].open(mask=0b111)
    maker, owners = Maker(queue, rng), (queue.number,)
    both = {"encrypt": True, "decrypt": True}
    for name, alg in OTHERS.items():
        if name not in ALGORITHMS or not alg.key:
            continue
        secret, opcode, modes = rng.randbytes(alg.key), alg.opcode.number, (alg.mode.number,)
        await bench.slot(0, Use(opcode, modes, alg.key, owners, **both), secret)
        await bench.slot(1, Use(opcode % 15 + 1, modes, alg.key, owners, **both), secret)
        await bench.slot(2, Use(opcode, modes, alg.key, owners, decrypt=True), secret)
        job = maker.job(name, decrypt=0)
        job.tag_len = 0
        model = dataclasses.replace(job, key=queue.place(secret))
        ours = dataclasses.replace(job, key=None, slot=0)
        await compare(bench, queue, [ours], [bench.expect(model)])
        for slot in (1, 2):
            (result,) = await queue.run(dataclasses.replace(ours, slot=slot))
            assert (result.status, result.written) == (KEY_DENIED, 0), slot


@cocotb.test(skip=not {"gcm", "ctr"} <= set(ALGORITHMS))
async def slots(dut):
    """Keys by slot, and a key that is unwrapped into one without software seeing it."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(8), await bench.queues[2].open(mask=0b111)
    secret, kek_key = rng.randbytes(32), rng.randbytes(16)

    def use(*modes, **more):
        rights = {"encrypt": True, "decrypt": True} | more
        return Use(AES, modes, 32, owners=(queue.number,), **rights)

    unwraps = kek(owners=(queue.number,))
    await bench.slot(0, unwraps, kek_key)
    await bench.slot(1, use(CBC, CTR, GCM, CCM, XTS, tag_bytes=ANY_TAG), secret)
    await bench.registers.write("SEAL", 1)

    maker = Maker(queue, rng)
    for name in [name for name in ("ctr", "gcm", "xts", "ccm", "cbc") if name in ALGORITHMS]:
        job = maker.job(name, decrypt=0)
        job.key_len = 0 if name == "xts" else 2
        model = dataclasses.replace(job, key=queue.place(secret))
        ours = dataclasses.replace(job, key=None, slot=1)
        await compare(bench, queue, [ours], [bench.expect(model)])

    wrapped = Job(AES, GCM, key=queue.place(kek_key), iv=rng.randbytes(16), length=32, aad_len=16)
    fresh = rng.randbytes(32)
    wrapped.src, wrapped.dst = queue.place(fresh), queue.place(bytes(32))
    wrapped.tag = queue.place(bytes(16))
    wrapped.aad = queue.place(use(CTR).wrapped_for(2))
    assert (await queue.run(wrapped))[0].status == OK
    unwrap = dataclasses.replace(
        wrapped, decrypt=1, key=None, slot=0, src=wrapped.dst, dst=0, target=2
    )
    job = maker.job("ctr")
    job.key_len = 2
    model = dataclasses.replace(job, key=queue.place(fresh))
    ours = dataclasses.replace(job, key=None, slot=2)
    assert (await queue.run(ours))[0].status == KEY_DENIED
    tag = bench.memory.read(wrapped.tag, 16)
    bench.memory.write(wrapped.tag, bytes([tag[0] ^ 1]) + tag[1:])
    assert (await queue.run(unwrap))[0].status == AUTH
    assert (await queue.run(ours))[0].status == KEY_DENIED
    bench.memory.write(wrapped.tag, tag)
    bench.memory.forget()
    assert (await queue.run(unwrap))[0].status == OK
    assert bench.memory.touched <= set(range(queue.completions, queue.heap)), (
        "the key went nowhere else"
    )
    await compare(bench, queue, [ours], [bench.expect(model)])
    # Another one by pointer, wrapped elsewhere.
    iv, aad = rng.randbytes(16), use(CTR).wrapped_for(ANY_SLOT)
    fresh = rng.randbytes(32)
    token = make_token(kek_key, iv, fresh, aad)
    model = dataclasses.replace(job, key=queue.place(fresh))
    ours = dataclasses.replace(job, key=queue.place(token), slot=0, token=1)
    await compare(bench, queue, [ours], [bench.expect(model)])
    for at in range(0, len(token), 9):
        spoilt = token[:at] + bytes([token[at] ^ 8]) + token[at + 1 :]
        job = dataclasses.replace(ours, key=queue.place(spoilt))
        assert (await queue.run(job))[0].status == KEY_DENIED


@cocotb.test()
async def bad_parameters(dut):
    """What an engine refuses ends the job and nothing else."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(9), await bench.queues[0].open()
    key = queue.place(bytes(64))
    data = queue.place(bytes(64))
    for job in (
        Job(COPY, 1, src=data, dst=data, length=20),
        Job(COPY, decrypt=1, src=data, dst=data, length=20),
        Job(AES, 15, src=data, dst=data, length=16, key=key),
        Job(AES, CTR, key_len=3, src=data, dst=data, length=16, key=key),
        Job(AES, 1, src=data, dst=data, length=17, key=key),
    ):
        (result, after) = await queue.run(job, Job(COPY, src=data, dst=data + 32, length=9))
        assert (result.status, result.written) == (BAD_PARAM, 0), job
        assert after.status == OK
        fine = Maker(queue, rng).job("ctr")
        await compare(bench, queue, [fine], [bench.expect(fine)])


@cocotb.test()
async def absent_modes(dut):
    """A mode that its engine has not ends the job: no key is used, nothing written, none waits."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(10), await bench.queues[0].open()
    data, denied = queue.place(bytes(64)), 1 << 45
    for engine in catalog.engines().values():
        if not engine.opcode or engine.opcode.random or len(engine.modes) == 1:
            continue
        for mode in sorted({*range(16)} - {item.number for item in engine.modes.values()}):
            job = Job(
                engine.opcode.number,
                mode,
                src=data,
                dst=data,
                length=16,
                tag=data,
                key_len=2,
                decrypt=rng.randrange(2),
            )
            for key, status in (({"key": denied}, BAD_PARAM), ({"slot": 0}, BAD_DESCRIPTOR)):
                again = Job(COPY, src=data, dst=data + 32, length=9)
                result, after = await queue.run(dataclasses.replace(job, **key), again)
                assert (result.status, result.written) == (status, 0), job
                assert after.status == OK
    fine = Maker(queue, rng).job("ctr")
    await compare(bench, queue, [fine], [bench.expect(fine)])


@cocotb.test()
async def engines(dut):
    """FEATURES and ENGINE tell what is built in; any other opcode is a bad descriptor."""
    bench = await Bench(dut).start()
    rng, queue = random.Random(12), await bench.queues[0].open()
    built = await bench.registers.read("FEATURES")
    known = {engine.opcode.number: engine for engine in catalog.engines().values() if engine.opcode}
    data, key = queue.place(bytes(64)), queue.place(bytes(64))
    for opcode in (*range(18), 32, 64, 128, 255):
        if opcode < 16:
            word = await bench.registers.read(f"ENGINE[{opcode}]")
            has = bool(built >> opcode & 1) and opcode != NOP
            modes = known[opcode].modes.values() if has else ()
            assert word >> 16 == sum(1 << mode.number for mode in modes)
            if has:
                assert word & 0xFF == known[opcode].select.number
        if opcode < 16 and built >> opcode & 1:
            continue
        job = Job(opcode, rng.randrange(16), src=data, dst=data, length=16, tag=data, key=key)
        result, after = await queue.run(job, Job(COPY, src=data, dst=data + 32, length=9))
        assert (result.status, result.written) == (BAD_DESCRIPTOR, 0), job
        assert after.status == OK


@cocotb.test()
async def settings(dut):
    """What the kernel sets for a queue goes with its jobs and bursts; no random bit is taken."""
    bench = await Bench(dut).start()
    rng = random.Random(13)
    for pattern in (0xAAAA_AAAA, 0x5555_5555, 0xFFFF_FFFF, 0x8000_0000):
        await bench.registers.write("WATCHDOG", pattern)
        assert await bench.registers.read("WATCHDOG") == pattern
        dut.rnd_valid_i.value = pattern & 1
        dut.rnd_i.value = pattern * 0x1_0000_0001_0000_0001_0000_0001
        for queue in bench.queues:
            process = (pattern ^ queue.number) & 0xF_FFFF
            await queue.write("PROCESS", process)
            await queue.write("PIECE", pattern >> 8 & 0xFFFF)
            await queue.open(max_bytes=pattern)
            bench.memory.marks.clear()
            text = rng.randbytes(100)
            job = Job(COPY, src=queue.place(text), dst=queue.place(bytes(100)), length=100)
            (result,) = await queue.run(job)
            assert result.status == OK and bench.memory.read(job.dst, 100) == text
            users = {user for _, user, _, _ in bench.memory.marks}
            assert users == {process << 3 | queue.number}
            await queue.write("CONTROL", 0)
            await queue.idle()
        assert dut.rnd_ready_o.value == 0


def block(job):
    """Bytes of which the parts of a message must be multiples; 0: it cannot be parted."""
    mode = MODES[job.opcode, job.mode]
    return mode.block if mode.context else 0


def parts(queue, rng, job):
    """Cut a job into several that hand a context on, each behind the one before."""
    size, context = block(job), queue.place(bytes(208), 16)
    number = rng.randrange(2, 4)
    found, at = [], 0
    tagged = job.tag != 0
    for part in range(number):
        last = part + 1 == number
        length = job.length - at if last else size * rng.randrange(1, 4)
        piece = dataclasses.replace(job, length=length, src=job.src + at, context=context, fence=1)
        piece.dst = job.dst and job.dst + at
        piece.ctx_load, piece.ctx_save, piece.more = part > 0, not last, tagged and not last
        if part:
            piece.aad_len = piece.iv_len = 0
        found.append(piece)
        at += length
    return found


@cocotb.test()
async def contexts(dut):
    """Messages in parts, those of several messages mixed, come out as they would in one piece."""
    bench = await Bench(dut).start()
    rng = random.Random(10)
    names = [name for name in ALGORITHMS if name not in ("nop", "copy")]
    for turn in range(3 * JOBS):
        stalls(bench, rng)
        queue = bench.queues[turn % 4]
        if turn < 4:
            await queue.open()
        maker, chains, ends = Maker(queue, rng), [], []
        while len(chains) < 2:
            job = maker.job(rng.choice(names), decrypt=0)
            if not block(job) or job.src_list or job.dst_list:
                continue
            rest = 16 * rng.randrange(1, 5)
            maker.message(job, 6 * block(job) + rest)
            if not maker.makes_output(job):
                job.dst = 0
            if job.opcode == AES and job.mode == CCM:
                octets = job.iv[0] + 1
                job.iv = job.iv[: 16 - octets] + job.length.to_bytes(octets, "big")
            ends.append(bench.expect(job)[1])
            chains.append(parts(queue, rng, job))
        wanted = []
        while any(chains):
            chain = rng.choice([chain for chain in chains if chain])
            wanted.append(chain.pop(0))
        assert all(result.status == OK for result in await queue.run(*wanted))
        for changed in ends:
            bench.check(changed)
