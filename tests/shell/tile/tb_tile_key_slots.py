"""Key slots: who may use which key for what, how keys come there, and what is left of them."""

import random
from dataclasses import replace

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from control_bench import Control, Unwrapping, number
from support.key_slots import ANY_SLOT, ANY_TAG, FULL_TAG, SLOT_AT, KeySlots, Use, kek
from support.tile_model import (
    ABORTED,
    AES,
    AUTH,
    BAD_DESCRIPTOR,
    CCM,
    CHACHA,
    COPY,
    CTR,
    ECB,
    GCM,
    KECCAK,
    KEY_DENIED,
    MODES,
    OK,
    SHA2,
    Descriptor,
)
from tile_bench import Job

SLOTS, HMAC, KMAC, CMAC = 8, 9, 8, 5
KEYED = [
    place
    for place, mode in MODES.items()
    if mode.key != "none" and not mode.one_time and place[0] <= CHACHA
]

LIKELY = [*KEYED, *6 * [(AES, GCM), (CHACHA, 2)]]


class Attempts:
    """Random uses of key slots, near the edge of what is allowed."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def _some(self, likely, others):
        return likely if self.rng.random() < 0.85 else self.rng.choice(others)

    def use(self, slot):
        """What a slot may be used for; the last one unwraps keys."""
        rng, unwraps = self.rng, slot == SLOTS - 1
        opcode, mode = (AES, GCM) if unwraps else rng.choice(LIKELY)
        modes = {mode, *rng.sample(range(16), rng.randrange(3))}
        likely = {"pair": 32, "fixed": 32}.get(MODES[opcode, mode].key, 16)
        return Use(
            opcode,
            tuple(modes),
            self._some(likely, (0, 24, 32, 48, 64)),
            owners=self._owners(),
            encrypt=rng.random() < 0.8,
            decrypt=rng.random() < 0.8,
            unwrap=unwraps,
            contexts=rng.random() < 0.3,
            counted=rng.random() < 0.3,
            nonce=MODES[opcode, mode].tile_nonce and rng.random() < 0.5,
            tag_bytes=rng.choice((FULL_TAG, FULL_TAG, ANY_TAG, 8, 16)),
            uses=rng.choice((0, 1, 5, 1 << 20)),
        )

    def _owners(self):
        return tuple(q for q in range(8) if self.rng.random() < 0.8)

    def job(self, slots):
        """A job that might be served; and its descriptor."""
        rng = self.rng
        slot = rng.randrange(SLOTS + 1)
        use = slots.slots[slot % SLOTS].use()
        opcode = self._some(use["opcode"] or AES, (AES, SHA2, KECCAK, CHACHA))
        known = [mode for op, mode in KEYED if op == opcode]
        served = [mode for mode in known if use["modes"] >> mode & 1] or known
        mode = self._some(rng.choice(served), known)
        size = self._some(use["key_bytes"], (16, 24, 32))
        target = rng.randrange(SLOTS) if use["unwrap"] == (rng.random() < 0.9) else None
        generation = slots.slots[slot % SLOTS].generation
        job = Job(
            opcode,
            mode,
            decrypt=rng.randrange(2),
            slot=slot,
            key_bytes=min(size, 64),
            key_len=min(max(0, size // (16 if MODES[opcode, mode].key == "pair" else 8) - 2), 3),
            generation=self._some(0, (generation, generation % 255 + 1)),
            tag_len=rng.choice((0, 0, 8, 16)),
            iv=bytes(16),
        )
        if rng.random() < 0.2:
            job.more = job.ctx_save = 1
        if opcode == AES and mode == GCM and rng.random() < 0.2:
            job.iv_len, job.long_iv = 16, 64
        if target is not None and (opcode, mode) == (AES, GCM):
            job.decrypt, job.target, job.more, job.ctx_save = 1, target, 0, 0
            job.tag_len, job.length, job.aad_len = 16, 16, 16
        return job, Descriptor.read(job.entries())


@cocotb.test()
async def keys(dut):
    """A job gets the key of its slot if slot and queue allow it, and no other key ever."""
    bench = await Control(dut).start()
    attempts, model, granted, nonces = Attempts(4), KeySlots(SLOTS), 0, 0
    rng = attempts.rng
    masks = [rng.getrandbits(8) | rng.getrandbits(8) for _ in range(4)]
    for queue, mask in zip(bench.queues, masks, strict=True):
        await queue.open(mask=mask)
    for _ in range(20):
        for slot in range(SLOTS):
            use, key = attempts.use(slot), rng.randbytes(64)
            await bench.slot(slot, use, key)
            model.store(slot, use, key)
        for queue, mask in zip(bench.queues, masks, strict=True):
            for _ in range(12):
                job, descriptor = attempts.job(model)
                lane = bench.lanes[job.opcode - 1]
                lane.jobs.clear()
                # A job that unwraps is given no key here: it is dropped.
                lane.status = AUTH if job.target is not None else OK
                (result,) = await queue.run(job)
                may = model.allowed(queue.number, mask, descriptor)
                assert result.status == (lane.status if may else KEY_DENIED), (job, may)
                assert bool(lane.jobs) == may
                if may:
                    key = bytes(model.slots[job.slot].key)
                    nonce = model.begin(descriptor)
                    assert lane.jobs[0][1] == number(key)
                    assert lane.iv == (nonce or b"").ljust(16, b"\0")
                    if nonce:
                        assert result.cycles == number(nonce[8:])
                    granted += 1
                    nonces += nonce is not None
        for slot in range(SLOTS):
            left = await bench.registers.read(f"SLOT[{slot}].USES")
            assert left == model.slots[slot].uses
            generation = await bench.registers.read(f"SLOT[{slot}].GENERATION")
            assert generation == model.slots[slot].generation
    assert granted > 60 and nonces > 5, (granted, nonces)
    # A job with a key of its own is given none.
    await bench.queues[0].run(Job(AES, CTR, key=64))
    assert bench.lanes[AES - 1].jobs[-1][1] == 0


@cocotb.test()
async def writing(dut):
    """Keys change only as a whole; lock and seal hold until reset; tamper wipes."""
    bench = await Control(dut).start()
    queue, regs = await bench.queues[0].open(mask=0xFF), bench.registers
    use = Use(AES, (ECB,), 32, encrypt=True)
    locked = Use(AES, (ECB,), 32, encrypt=True, lock=True)
    old, new = bytes(range(1, 65)), bytes(range(101, 165))

    async def key(slot):
        (result,) = await queue.run(Job(AES, ECB, key_len=2, slot=slot))
        return bench.lanes[AES - 1].jobs[-1][1] if result.status == OK else None

    async def write(slot, *names):
        words = dict(use.writes(old))
        for name in names:
            await regs.write(f"SLOT[{slot}].{name}", words[name])

    await bench.slot(1, use, old)
    assert await key(1) == number(old)
    await write(1, "KEY[5]")
    assert await key(1) is None, "a slot whose key was touched is not valid"
    await write(1, "POLICY", "ATTRIBUTES")
    assert await key(1) is None, "words of the key are missing"
    whole = [f"KEY[{word}]" for word in range(8)]
    for left_out in (*whole, "POLICY"):
        await write(1, *(name for name in (*whole, "POLICY") if name != left_out), "ATTRIBUTES")
        assert await key(1) is None, left_out
        assert await regs.read("SLOT[1].POLICY") == 0
    await write(1, *whole, "POLICY")
    await write(2, "KEY[0]")
    await write(1, "ATTRIBUTES")
    assert await key(1) is None, "another slot was written between"
    await write(1, *whole, "POLICY", "ATTRIBUTES")
    assert await key(1) == number(old[:32]), "nothing of a key before is left"
    await write(1, "ATTRIBUTES")
    assert await key(1) is None, "attributes of a key change with the key alone"
    await bench.slot(1, locked, old)
    await bench.slot(1, use, new)
    await regs.write("SLOT[1].ATTRIBUTES", 0)
    assert await key(1) == number(old)
    assert await regs.read("SLOT[1].ATTRIBUTES") == locked.attributes
    await bench.slot(2, use, old)
    await regs.write("SEAL", 1)
    await regs.write("SEAL", 0)
    await bench.slot(2, use, new)
    assert await key(2) == number(old)
    await bench.slot(3, use, new)
    assert await key(3) is None
    await regs.write("ERROR_ENABLE", 1 << 18)
    dut.tamper_i.value = 1
    await RisingEdge(dut.clk_i)
    dut.tamper_i.value = 0
    await ClockCycles(dut.clk_i, 3)
    assert dut.error_irq_o.value == 1
    assert await regs.read("SLOT[1].ATTRIBUTES") == 0
    assert await queue.idle() & 1
    await queue.write("CONTROL", 1 | 4 << 8)
    assert await regs.read("PAGE[0].STATUS") & 4 == 0, "not before reset"


@cocotb.test()
async def unwrapping(dut):
    """A wrapped key reaches its slot if the job says so, its AAD says so, and its tag was right."""
    bench = await Control(dut).start()
    queue = await bench.queues[1].open(mask=0x1F)
    use = Use(AES, (ECB,), 16, owners=(1,), encrypt=True)
    mine = Use(AES, (ECB,), 16, owners=(1,), encrypt=True, lock=True)
    await bench.slot(0, kek(owners=(1,)), bytes(64))
    await bench.slot(3, mine, b"locked")
    await bench.slot(4, Use(AES, (ECB,), 16, owners=(2,), encrypt=True), b"of another")
    await bench.registers.write("SEAL", 1)
    unwrap, rng = Unwrapping(bench, queue), random.Random(5)
    wrapped = rng.randbytes(64)
    assert (await unwrap.run(1, use.wrapped_for(1), wrapped)).status == OK
    assert await unwrap.key(1) == number(wrapped)
    assert await bench.registers.read("SLOT[1].ATTRIBUTES") == use.attributes
    assert await bench.registers.read("SLOT[1].POLICY") == use.policy
    spoilt = bytearray(use.wrapped_for(2))
    spoilt[6] = 1
    long = Use(AES, (ECB,), 24, owners=(1,), encrypt=True)
    for what, arguments, status in (
        ("tag", (2, use.wrapped_for(2), wrapped, AUTH), AUTH),
        ("another slot in the AAD", (2, use.wrapped_for(1), wrapped), KEY_DENIED),
        ("reserved bits", (2, bytes(spoilt), wrapped), KEY_DENIED),
        ("locked", (3, use.wrapped_for(3), wrapped), KEY_DENIED),
        ("of another queue", (4, use.wrapped_for(4), wrapped), KEY_DENIED),
        ("not in the queue's mask", (5, use.wrapped_for(5), wrapped), KEY_DENIED),
        ("not a key that unwraps", (2, use.wrapped_for(2), wrapped, OK, 1), KEY_DENIED),
        ("less than a key", (2, long.wrapped_for(2), wrapped[:16]), KEY_DENIED),
    ):
        assert (await unwrap.run(*arguments)).status == status, what
        assert await unwrap.key(2) is None, what
    assert await unwrap.key(0) is None, "a key that unwraps does nothing else"
    assert await unwrap.key(3) == number(b"locked")
    short = use.wrapped_for(2)
    assert (await unwrap.run(2, bytes([short[0] & ~1]) + short[1:], wrapped[:16])).status == OK
    assert await unwrap.key(2) == number(wrapped[:16]), "no rest of a key before"


@cocotb.test()
async def every_bit_of_what_it_is_for(dut):
    """A slot has each bit of the associated data under which its key came, or takes no key."""
    bench = await Control(dut).start()
    mask, source, target = 0b101, 0, 2
    queue, rng = await bench.queues[1].open(mask=mask), random.Random(6)
    unwrap, model = Unwrapping(bench, queue), KeySlots(SLOTS)
    use = Use(AES, (ECB,), 16, owners=(1,), encrypt=True)
    await bench.slot(source, kek(owners=(1,)), bytes(64))
    model.store(source, kek(owners=(1,)), bytes(64))
    names = ("ATTRIBUTES", "POLICY", "USES")
    lock = number(use.wrapped_for(target)) ^ number(replace(use, lock=True).wrapped_for(target))
    bits = [1 << at for at in range(128)]
    for bit in [0, *(bit for bit in bits if bit != lock), lock]:
        await bench.registers.write(f"SLOT[{target}].ATTRIBUTES", 0)
        model.write(target, SLOT_AT["ATTRIBUTES"], 0)
        said, key = number(use.wrapped_for(target)) ^ bit, rng.randbytes(64)
        aad = said.to_bytes(16, "little")
        job = Job(AES, GCM, decrypt=1, slot=source, target=target, aad_len=16, length=64)
        taken = model.commit(1, mask, Descriptor.read(job.entries()), aad, key)
        result = await unwrap.run(target, aad, key)
        assert result.status == (OK if taken else KEY_DENIED), hex(bit)
        found = [await bench.registers.read(f"SLOT[{target}].{name}") for name in names]
        assert found == [model.read(target, SLOT_AT[name]) for name in names], hex(bit)


@cocotb.test()
async def unwrapping_to_any_slot(dut):
    """A key for any slot belongs to the queue that unwraps it, whatever owners it names."""
    bench = await Control(dut).start()
    queue = await bench.queues[1].open(mask=0xFF)
    await bench.slot(0, kek(owners=(1,)), bytes(64))
    unwrap = Unwrapping(bench, queue)
    use = Use(AES, (ECB,), 16, owners=(0, 1, 2, 3), encrypt=True)
    for slot in (5, 6):
        assert (await unwrap.run(slot, use.wrapped_for(ANY_SLOT), bytes(16))).status == OK
        assert await unwrap.key(slot) == 0
        attributes = await bench.registers.read(f"SLOT[{slot}].ATTRIBUTES")
        assert attributes >> 8 & 0xFF == 0b10


@cocotb.test()
async def tokens(dut):
    """A wrapped key by pointer serves the job that brings it, as its policy says, and no other."""
    bench = await Control(dut).start()
    queue, other = await bench.queues[0].open(mask=1), await bench.queues[1].open()
    await bench.slot(0, kek(owners=(0,)), bytes(range(64)))
    await bench.registers.write("SEAL", 1)
    rights = {"encrypt": True, "decrypt": True}
    use, secret = Use(AES, (ECB, GCM), 16, owners=(), **rights), bytes(range(100, 116))
    unwrap, lane = Unwrapping(bench, queue), bench.lanes[AES - 1]
    sha = Use(SHA2, (HMAC,), 32, owners=(), **rights)

    def job(opcode=AES, mode=ECB, **more):
        return Job(opcode, mode, slot=0, token=1, key=64, **more)

    # Two turns: the key, then the job with it; the record is one, of the job.
    for opcode, mode, said, key, more in (
        (AES, ECB, use, secret, {}),
        (AES, GCM, use, secret, {}),
        (SHA2, HMAC, sha, secret * 2, {"key_bytes": 32}),
        (AES, ECB, use, secret, {}),
    ):
        taker = bench.lanes[opcode - 1]
        taker.jobs.clear()
        unwrapped = len(lane.jobs)
        result = await unwrap.token(said.wrapped_for(ANY_SLOT), key, job(opcode, mode, **more))
        assert (result.status, result.index) == (OK, (queue.producer - 2) & 0xFFFF)
        first, *then = lane.jobs[unwrapped:]
        assert first[1] == number(bytes(range(64))), "the key of keys"
        (_, found) = then[0] if opcode == AES else taker.jobs[0]
        assert found == number(key)
    # Nothing of it is left: not for a job that brings none.
    (result,) = await queue.run(Job(AES, ECB, slot=0))
    assert result.status == KEY_DENIED
    counted = Use(AES, (ECB,), 16, counted=True, uses=9, **rights)
    nonce = Use(AES, (GCM,), 16, nonce=True, uses=9, **rights)
    spoilt = bytearray(use.wrapped_for(ANY_SLOT))
    spoilt[7] = 1
    any_slot = use.wrapped_for(ANY_SLOT)
    for what, aad, key, ask, status, expected in (
        ("its tag", any_slot, secret, job(), AUTH, KEY_DENIED),
        ("a fault", any_slot, secret, job(), ABORTED, ABORTED),
        ("for a slot", use.wrapped_for(1), secret, job(), OK, KEY_DENIED),
        ("reserved bits", bytes(spoilt), secret, job(), OK, KEY_DENIED),
        ("another mode", any_slot, secret, job(mode=CTR), OK, KEY_DENIED),
        ("another engine", any_slot, secret * 2, job(SHA2, HMAC, key_bytes=32), OK, KEY_DENIED),
        ("another length", any_slot, secret * 2, job(key_len=2), OK, KEY_DENIED),
        ("no parts", any_slot, secret, job(mode=GCM, more=1, ctx_save=1), OK, KEY_DENIED),
        ("counted", counted.wrapped_for(ANY_SLOT), secret, job(), OK, KEY_DENIED),
        ("nonces", nonce.wrapped_for(ANY_SLOT), secret, job(mode=GCM), OK, KEY_DENIED),
        ("less than a key", any_slot, b"", job(), OK, KEY_DENIED),
    ):
        before = len(lane.jobs)
        result = await unwrap.token(aad, key, ask, status)
        assert result.status == expected, what
        assert len(lane.jobs) == before + 1, what
    for ask in (job(kek_len=1), Job(AES, ECB, slot=1, token=1, key=64)):
        (result,) = await queue.run(ask)
        assert result.status == KEY_DENIED
    (result,) = await other.run(job())
    assert result.status == KEY_DENIED, "another queue's key of keys"
    # Others go on while a key is unwrapped, and the queue behind its job when that has begun,
    # however long its own lane is busy.
    third = await bench.queues[2].open(mask=1 << 2)
    await bench.registers.write("SLOT[2].ATTRIBUTES", 0)
    taker, copies = bench.lanes[SHA2 - 1], bench.lanes[COPY - 1]
    before = len(lane.jobs)
    taker.jobs.clear()
    copies.jobs.clear()
    queue.put(job(SHA2, HMAC, key_bytes=32))
    queue.put(Job(COPY))
    play = cocotb.start_soon(unwrap.play(sha.wrapped_for(ANY_SLOT), secret * 2))
    await queue.ring_bell()
    await ClockCycles(dut.clk_i, 60)
    assert len(lane.jobs) == before + 1
    taker.ready = 0
    assert [r.status for r in await other.run(Job(COPY), Job(AES, CTR, key=0))] == [OK, OK]
    await play
    await ClockCycles(dut.clk_i, 200)
    assert [r.status for r in await third.run(Job(COPY))] == [OK]
    assert queue.poll() is None and len(copies.jobs) == 2
    taker.ready = 1
    assert sorted(r.status for r in await queue.wait(2)) == [OK, OK]
    assert taker.jobs[0][1] == number(secret * 2)
    # The queue is stopped while the key is unwrapped, or when it was.
    for delay in range(20, 160, 20):
        unwrap.before_end = ClockCycles(dut.clk_i, delay)
        queue.put(job())
        task = cocotb.start_soon(unwrap.play(any_slot, secret))
        await queue.ring_bell()
        await ClockCycles(dut.clk_i, 20 + delay)
        await queue.write("CONTROL", 2)
        await queue.idle()
        task.cancel()
        lane.delay, lane.status = 3, OK
        await queue.open(mask=1)
        assert (await unwrap.token(any_slot, secret, job())).status == OK


@cocotb.test()
async def unwrapping_beside_writes(dut):
    """No unwrapped key reaches a slot that is written, or that became another's meanwhile."""
    bench = await Control(dut).start()
    queue = await bench.queues[0].open(mask=0b11)
    victim = await bench.queues[1].open(mask=0b10)
    theirs = Use(AES, (ECB,), 16, owners=(1,), encrypt=True)
    mine = Use(AES, (ECB,), 16, owners=(0,), encrypt=True)
    secret, unwrap = bytes(range(16)), Unwrapping(bench, queue)
    writes = [*theirs.writes(secret)]
    for meanwhile in (writes, writes[:1], writes[:7], writes[:-1]):
        await bench.slot(0, kek(), bytes(64))
        await bench.registers.write("SLOT[1].ATTRIBUTES", 0)

        async def write(meanwhile=meanwhile):
            for name, value in meanwhile:
                await bench.registers.write(f"SLOT[1].{name}", value)

        unwrap.before_end = write()
        assert (await unwrap.run(1, mine.wrapped_for(1), bytes(16))).status == KEY_DENIED
        for name, value in writes[len(meanwhile) :]:
            await bench.registers.write(f"SLOT[1].{name}", value)
        (result,) = await victim.run(Job(AES, ECB, slot=1))
        assert result.status == OK
        assert bench.lanes[AES - 1].jobs[-1][1] == number(secret)
    # The key that unwraps was taken back, or replaced, or the queue may not use it any more.
    for name, value in (("SLOT[0].ATTRIBUTES", 0), ("QUEUE[0].KEY_MASK", 0b10)):
        await bench.slot(0, kek(), bytes(64))
        await bench.registers.write("SLOT[1].ATTRIBUTES", 0)
        unwrap.before_end = bench.registers.write(name, value)
        assert (await unwrap.run(1, mine.wrapped_for(1), bytes(16))).status == KEY_DENIED
        assert await bench.registers.read("SLOT[1].ATTRIBUTES") == 0
    await queue.write("KEY_MASK", 0b11)
    await bench.slot(0, kek(), bytes(64))
    unwrap.before_end = bench.slot(0, kek(), bytes(64))
    assert (await unwrap.run(1, mine.wrapped_for(1), bytes(16))).status == KEY_DENIED


@cocotb.test()
async def nonces(dut):
    """No nonce comes twice, not of a key that is unwrapped again either; records tell it whole."""
    bench = await Control(dut).start()
    queue = await bench.queues[0].open(mask=0xFF)
    await bench.slot(0, kek(), bytes(64))
    unwrap, seen = Unwrapping(bench, queue), set()
    use = Use(AES, (GCM, CTR), 16, encrypt=True, decrypt=True, nonce=True, uses=3)
    token = (use.wrapped_for(ANY_SLOT), bytes(range(16)))
    for slot in (1, 1, 2, 3):
        record = await unwrap.run(slot, *token)
        first = record.written.to_bytes(4, "little") + record.cycles.to_bytes(4, "little")
        for _ in range(3):
            (result,) = await queue.run(Job(AES, GCM, slot=slot, iv=bytes(16)))
            assert result.status == OK
            nonce = first + result.cycles.to_bytes(4, "little")
            assert bench.lanes[AES - 1].iv == nonce + bytes(4)
            assert nonce not in seen
            seen.add(nonce)
        # No more of them; and no way round: a nonce of the job's own, parts, a keystream.
        for job in (
            Job(AES, GCM, slot=slot),
            Job(AES, GCM, slot=slot, iv_len=16, long_iv=64),
            Job(AES, GCM, slot=slot, more=1, ctx_save=1),
            Job(AES, GCM, slot=slot, ctx_load=1),
            Job(AES, CTR, slot=slot),
            Job(AES, CTR, decrypt=1, slot=slot),
        ):
            (result,) = await queue.run(job)
            assert result.status == KEY_DENIED, job
        (result,) = await queue.run(Job(AES, GCM, decrypt=1, slot=slot, iv=b"nonce of another"))
        assert result.status == OK and bench.lanes[AES - 1].iv == b"nonce of another"


@cocotb.test()
async def rights(dut):
    """Ways in which a key was once found or misused, with a slot that does not allow them."""
    bench = await Control(dut).start()
    queue = await bench.queues[0].open(mask=0xFF)

    async def refused(use, *jobs, good=()):
        await bench.slot(1, use, bytes(64))
        for expected, some in ((KEY_DENIED, jobs), (OK, good)):
            for job in some:
                job.slot = 1
                (result,) = await queue.run(job)
                assert result.status == expected, job

    # HMAC and KMAC with a part of the key; the context of KMAC, which is the key turned over.
    await refused(
        Use(SHA2, (HMAC,), 32, encrypt=True),
        *(Job(SHA2, HMAC, key_bytes=n) for n in (0, 1, 31, 33, 64)),
        good=[Job(SHA2, HMAC, key_bytes=32)],
    )
    await refused(
        Use(KECCAK, (KMAC,), 64, decrypt=True),
        Job(KECCAK, KMAC, decrypt=1, key_bytes=64, more=1, ctx_save=1),
        Job(KECCAK, KMAC, decrypt=1, key_bytes=63),
        good=[Job(KECCAK, KMAC, decrypt=1, key_bytes=64)],
    )
    # With contexts a cipher runs either way.
    await refused(
        Use(AES, (GCM, ECB), 16, decrypt=True, contexts=True),
        Job(AES, GCM, decrypt=1, ctx_load=1),
        Job(AES, ECB, decrypt=1, ctx_save=1),
    )
    # Poly1305 with the key of the AEAD, or with one that serves two messages.
    await refused(
        Use(CHACHA, (2,), 32, encrypt=True, decrypt=True),
        Job(CHACHA, 0, key_len=2),
        good=[Job(CHACHA, 2, key_len=2)],
    )
    await bench.slot(1, Use(CHACHA, (1, 2), 32, encrypt=True, decrypt=True), bytes(64))
    (result,) = await queue.run(Job(CHACHA, 1, key_len=2, slot=1))
    assert result.status == BAD_DESCRIPTOR
    # Forging with a key that may decrypt alone, decrypting with one that may encrypt alone.
    await refused(
        Use(AES, (GCM, CTR, ECB), 16, decrypt=True),
        Job(AES, CTR, decrypt=1),
        Job(AES, CTR),
        Job(AES, GCM),
        Job(AES, GCM, decrypt=1, more=1, ctx_save=1),
        Job(AES, ECB),
        good=[Job(AES, GCM, decrypt=1), Job(AES, ECB, decrypt=1)],
    )
    await refused(
        Use(AES, (GCM, CTR, CCM), 16, encrypt=True),
        Job(AES, CTR),
        Job(AES, GCM),
        Job(AES, CCM),
        Job(AES, GCM, decrypt=1),
    )
    # Tags that are found byte by byte.
    await refused(
        Use(AES, (CMAC,), 16, decrypt=True),
        *(Job(AES, CMAC, decrypt=1, tag_len=n) for n in (1, 4, 15)),
        good=[Job(AES, CMAC, decrypt=1), Job(AES, CMAC, decrypt=1, tag_len=16)],
    )
    await refused(
        Use(AES, (CMAC,), 16, decrypt=True, tag_bytes=8),
        *(Job(AES, CMAC, decrypt=1, tag_len=n) for n in (0, 1, 7, 9, 16)),
        good=[Job(AES, CMAC, decrypt=1, tag_len=8)],
    )
