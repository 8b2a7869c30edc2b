"""Keys that jobs make in slots: which slots take them, for what, and what comes between."""

import dataclasses
import os
import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from control_bench import Control, number
from support.key_slots import ANY_SLOT, KEY_BYTES, UNWRAPS, KeySlots, Use, kek, made_for, makes
from support.tile_model import (
    ABORTED,
    BAD_DESCRIPTOR,
    COPY,
    KEY_DENIED,
    MODES,
    OK,
    OPCODES,
    REFUSED,
    Descriptor,
    find,
)
from tile_bench import Job

from cryptile import layout
from cryptile.catalog import Key
from cryptile.jobs import pka

ENGINE = pka.ENGINES[os.environ["CRYPTILE_ENGINE_NAME"]]
"""Whose jobs make the keys."""
PKA, SLOTS, MADE_BYTES = OPCODES[ENGINE.name], 8, ENGINE.on.size
ECDH, SIGN, PUBLIC, KEYGEN = map(ENGINE.number, ("ecdh", "sign", "public", "keygen"))
(BLOCK, ECB), (HASH, HMAC) = find(key=Key.sized, iv=False, output=True), find(key=Key.bytes, tag=32)
"""Opcodes and modes: a cipher of blocks, and codes of messages."""
AGREES = MODES[PKA, ECDH].agrees
"""Whether there are secrets in slots."""
ALLOWED = layout.blocks()["tile_queue"].registers["ALLOWED"]
MAY, MAY_NOT = (ALLOWED.pack(opcodes=0xFFFF, make_keys=may) for may in (1, 0))
KEY = bytes(range(1, MADE_BYTES + 1))
SIGNER = Use(PKA, (SIGN, PUBLIC), MADE_BYTES, owners=(), encrypt=True)
AGREER = Use(PKA, (ECDH,), MADE_BYTES, encrypt=True, unwrap=True)
EXCHANGER = Use(PKA, (pka.X25519,), MADE_BYTES, owners=(), encrypt=True, unwrap=True)
TAGS = Use(HASH, (HMAC,), MADE_BYTES, owners=(), encrypt=True)
CIPHER = Use(BLOCK, (ECB,), MADE_BYTES, owners=(), encrypt=True) if MADE_BYTES == 32 else TAGS
"""What a secret may be for: a cipher, if it has keys of that length."""
TAKEN, LATE = 60, 120
"""Cycles until a lane has a job, and until that job ends."""


def wanted(use):
    """What a key is for, in the place of an IV."""
    return use.wrapped_for(ANY_SLOT)


def by(mode, **more):
    """A job with a key of the curve."""
    return Job(PKA, mode, key_bytes=ENGINE.key_bytes(mode), **more)


def generate(target, use=SIGNER, **more):
    return Job(PKA, KEYGEN, target=target, iv=wanted(use), **more)


def agree(source, target, use=CIPHER, **more):
    return by(ECDH, slot=source, target=target, iv=wanted(use), **more)


class Making:
    """Jobs of one queue that make keys, whose beats are played here."""

    def __init__(self, bench, queue):
        self.bench, self.queue, self.lane = bench, queue, bench.lanes[PKA - 1]
        self.before_end = None  # what happens while a job runs

    async def run(self, job, key=KEY, status=OK):
        """Return the record of a job that makes a key."""
        self.queue.put(job)
        play = cocotb.start_soon(self.play(key, status))
        await self.queue.ring_bell()
        (result,) = await self.queue.wait(1)
        await play
        return result

    async def play(self, key=KEY, status=OK):
        """Give the beats of a key when the lane has its job."""
        dut = self.bench.dut
        self.lane.delay, self.lane.status = LATE, status
        before = len(self.lane.jobs)
        for _ in range(TAKEN):
            await RisingEdge(dut.clk_i)
            if len(self.lane.jobs) > before:
                for at in range(0, len(key), 16):
                    dut.unwrap_aad_i.value, dut.unwrap_beat_i.value = 0, at // 16
                    dut.unwrap_data_i.value = number(key[at : at + 16])
                    dut.made_valid_i.value = 1
                    await RisingEdge(dut.clk_i)
                dut.made_valid_i.value = 0
                if self.before_end:
                    await self.before_end
                    self.before_end = None
                break
        self.lane.delay, self.lane.status = 3, OK

    async def key(self, slot, use):
        """The key of a slot, if the queue may use it so."""
        mode = use.modes[0]
        if use.opcode == PKA:
            job = by(mode, slot=slot)
        elif use.opcode == HASH:
            job = Job(HASH, mode, slot=slot, key_bytes=MADE_BYTES)
        else:
            job = Job(use.opcode, mode, slot=slot, key_len=2)
        (result,) = await self.queue.run(job)
        return self.bench.lanes[use.opcode - 1].jobs[-1][1] if result.status == OK else None


async def started(dut, queue=0, mask=0xFF):
    bench = await Control(dut).start()
    queue = await bench.queues[queue].open(mask=mask)
    await queue.write("ALLOWED", MAY)
    return bench, Making(bench, queue)


@cocotb.test()
async def made(dut):
    """A key goes to its slot, whole, for what the job says, and for its queue alone."""
    bench, making = await started(dut, queue=1)
    other = await bench.queues[0].open(mask=0xFF)
    await bench.registers.write("SEAL", 1)
    assert (await making.run(generate(2))).status == OK
    assert await making.key(2, SIGNER) == number(KEY)
    attributes = await bench.registers.read("SLOT[2].ATTRIBUTES")
    assert attributes == dataclasses.replace(SIGNER, owners=(1,)).attributes
    assert await bench.registers.read("SLOT[2].POLICY") == SIGNER.policy
    (result,) = await other.run(by(SIGN, slot=2))
    assert result.status == KEY_DENIED, "another queue's"
    # One that agrees on keys, in slots alone; and such a key, in the place of an older one.
    assert (await making.run(generate(3, AGREER))).status == OK
    assert await making.key(3, AGREER) is None, "no secret goes to memory"
    if not AGREES:
        return
    mac = dataclasses.replace(TAGS, owners=(0, 1, 2), counted=True, uses=2)
    for use in (CIPHER, mac):
        key = bytes(reversed(KEY))
        assert (await making.run(agree(3, 4, use), key)).status == OK
        assert bench.lanes[PKA - 1].jobs[-1][1] == number(KEY), "by the key that was made"
        assert await making.key(4, use) == number(key)
    assert await bench.registers.read("SLOT[4].ATTRIBUTES") >> 8 & 0xFF == 1 << 1
    assert [await making.key(4, mac) is None for _ in range(2)] == [False, True], "two uses"


@cocotb.test()
async def refused(dut):
    """What takes no key stays as it is, however the job ends."""
    bench, making = await started(dut, mask=0x7F)
    mine, others = (
        Use(PKA, SIGNER.modes, MADE_BYTES, owners=owners, encrypt=True) for owners in ((0,), (1,))
    )
    shared = dataclasses.replace(mine, owners=(0, 1))
    for slot, use in enumerate((AGREER, dataclasses.replace(mine, lock=True), others, shared)):
        await bench.slot(slot, use, bytes([slot]) * MADE_BYTES)
    await bench.slot(4, mine, bytes([4]) * MADE_BYTES)
    await bench.slot(5, dataclasses.replace(AGREER, owners=(1,)), bytes(MADE_BYTES))
    before = [
        await bench.registers.read(f"SLOT[{slot}].{name}")
        for slot in range(SLOTS)
        for name in ("ATTRIBUTES", "POLICY", "GENERATION")
    ]
    agreements = (
        ("by a key that may go to memory", agree(4, 6), KEY_DENIED),
        ("by another queue's key", agree(5, 6), KEY_DENIED),
        ("by an empty slot", agree(6, 6), KEY_DENIED),
        ("by no slot's key", agree(None, 6, key=64), BAD_DESCRIPTOR),
        ("wrapped", agree(0, 6, token=1, key=64), BAD_DESCRIPTOR),
    )
    no_agreement = (("of an agreement", agree(0, 6), BAD_DESCRIPTOR),)
    for what, job, status in (
        *(agreements if AGREES else no_agreement),
        ("locked", generate(1), KEY_DENIED),
        ("of another queue", generate(2), KEY_DENIED),
        ("of others, too", generate(3), KEY_DENIED),
        ("not in the queue's mask", generate(7), KEY_DENIED),
        ("no such slot", generate(SLOTS), KEY_DENIED),
        ("no slot at all", generate(16), BAD_DESCRIPTOR),
        ("in a mode that makes none", by(SIGN, slot=0, target=6), BAD_DESCRIPTOR),
        ("in parts", generate(6, more=1), BAD_DESCRIPTOR),
        ("with a context", generate(6, ctx_save=1, context=64), BAD_DESCRIPTOR),
        ("with associated data", generate(6, aad_len=16), BAD_DESCRIPTOR),
        ("decrypting", generate(6, decrypt=1), BAD_DESCRIPTOR),
    ):
        lane = bench.lanes[PKA - 1]
        lane.jobs.clear()
        (result,) = await making.queue.run(job)
        assert result.status == status, what
        assert not lane.jobs, what
    for what, key, status, expected in (
        ("it fails", KEY, REFUSED, REFUSED),
        ("it is aborted", KEY, ABORTED, ABORTED),
        ("less than a key", KEY[:-16], OK, KEY_DENIED),
        ("none", b"", OK, KEY_DENIED),
    ):
        for job in (generate(4), agree(0, 4))[: 1 + AGREES]:
            assert (await making.run(job, key, status)).status == expected, what
    await making.queue.write("ALLOWED", MAY_NOT)
    for job in (generate(4), agree(0, 4))[: 1 + AGREES]:
        assert (await making.queue.run(job))[0].status == KEY_DENIED, "not unless it is allowed"
    after = [
        await bench.registers.read(f"SLOT[{slot}].{name}")
        for slot in range(SLOTS)
        for name in ("ATTRIBUTES", "POLICY", "GENERATION")
    ]
    assert before == after
    assert await making.key(4, mine) == number(bytes([4]) * MADE_BYTES)


@cocotb.test()
async def uses(dut):
    """What a key may be for: each bit of it, and each field, against the model."""
    bench, making = await started(dut)
    await bench.slot(0, AGREER, KEY)
    good = {KEYGEN: (None, SIGNER)} | ({ECDH: (0, CIPHER)} if AGREES else {})
    if ENGINE.name == "pka":
        good |= {pka.X_KEYGEN: (None, EXCHANGER)}
    for mode, (source, use) in good.items():
        plain = by(mode, slot=source, target=1, iv=wanted(use))
        spoilt = [number(plain.iv) ^ 1 << bit for bit in range(128)]
        for said in (number(plain.iv), *spoilt):
            job = dataclasses.replace(plain, iv=said.to_bytes(16, "little"))
            # The engine gives nothing, so that no key comes, and the slot stays empty.
            (result,) = await making.queue.run(job)
            bad = made_for(Descriptor.read(job.entries())) is None
            assert result.status == (BAD_DESCRIPTOR if bad else KEY_DENIED), hex(said)
        for other in (CIPHER, SIGNER, dataclasses.replace(AGREER, owners=()), EXCHANGER):
            job = dataclasses.replace(plain, iv=wanted(other))
            bad = made_for(Descriptor.read(job.entries())) is None
            (result,) = await making.queue.run(job)
            assert result.status == (BAD_DESCRIPTOR if bad else KEY_DENIED), (mode, other)
    assert await bench.registers.read("SLOT[1].ATTRIBUTES") == 0


@cocotb.test(skip=ENGINE.name != "pka")
async def once(dut):
    """A nonce stays with its key, for one job: each bit of what it is for, and no second job."""
    bench, making = await started(dut)
    nonce, sign = pka.ED_NONCE, pka.ED_ONCE
    await bench.slot(0, Use(PKA, (nonce,), MADE_BYTES, encrypt=True, unwrap=True), KEY)
    pair = bytes(range(64))
    use = Use(PKA, (sign,), 64, owners=(), encrypt=True, counted=True, uses=1)
    job, signs = by(nonce, slot=0, target=1, iv=wanted(use)), by(sign, slot=1)
    spoilt = [number(job.iv) ^ 1 << bit for bit in range(128)]
    for said in (number(job.iv), *spoilt):
        other = dataclasses.replace(job, iv=said.to_bytes(16, "little"))
        (result,) = await making.queue.run(other)
        bad = made_for(Descriptor.read(other.entries())) is None
        assert result.status == (BAD_DESCRIPTOR if bad else KEY_DENIED), hex(said)
    for what, other in (
        ("not counted", dataclasses.replace(use, counted=False)),
        ("more than once", dataclasses.replace(use, uses=2)),
        ("as often as it counts down", dataclasses.replace(use, uses=0)),
        ("in parts", dataclasses.replace(use, contexts=True)),
        ("as a key itself", dataclasses.replace(use, modes=(nonce,))),
        ("a part of it", dataclasses.replace(use, key_bytes=32)),
    ):
        (result,) = await making.queue.run(dataclasses.replace(job, iv=wanted(other)))
        assert result.status == BAD_DESCRIPTOR, what
    for what, other, status in (
        ("to memory", dataclasses.replace(job, target=None, iv=bytes(16)), BAD_DESCRIPTOR),
        ("of a key in memory", dataclasses.replace(job, slot=None, key=64), BAD_DESCRIPTOR),
        ("of a key of another length", dataclasses.replace(job, key_bytes=64), KEY_DENIED),
        ("of an empty slot", dataclasses.replace(job, slot=2), KEY_DENIED),
        ("to sign by the key itself", dataclasses.replace(signs, slot=0), KEY_DENIED),
        ("to sign by none", signs, KEY_DENIED),
    ):
        making.lane.jobs.clear()
        (result,) = await making.queue.run(other)
        assert result.status == status, what
        assert not making.lane.jobs, what
    assert await bench.registers.read("SLOT[1].ATTRIBUTES") == 0
    # Each nonce serves one job, however that ends.
    for status in (OK, REFUSED, ABORTED):
        assert (await making.run(job, pair[: 16 * 3])).status == KEY_DENIED, "less than both"
        assert (await making.run(job, pair)).status == OK
        making.lane.status = status
        (result,) = await making.queue.run(signs)
        assert (result.status, making.lane.jobs[-1][1]) == (status, number(pair))
        making.lane.status = OK
        count = len(making.lane.jobs)
        for _ in range(2):
            (result,) = await making.queue.run(signs)
            assert result.status == KEY_DENIED
        assert len(making.lane.jobs) == count
    # No such key is unwrapped, which could be done again.
    unwraps = bench.lanes[BLOCK - 1]
    await bench.slot(3, kek(), bytes(64))
    for said, status in ((use, KEY_DENIED), (dataclasses.replace(use, modes=(SIGN,)), OK)):
        making.queue.put(
            Job(*UNWRAPS, decrypt=1, slot=3, target=4, aad_len=16, length=64, tag_len=16)
        )
        unwraps.delay = LATE
        await making.queue.ring_bell()
        await ClockCycles(dut.clk_i, TAKEN)
        beats = [(1, 0, said.wrapped_for(4))]
        beats += [(0, at // 16, pair[at : at + 16]) for at in range(0, 64, 16)]
        for aad, beat, data in beats:
            dut.unwrap_aad_i.value, dut.unwrap_beat_i.value = aad, beat
            dut.unwrap_data_i.value, dut.unwrap_valid_i.value = number(data), 1
            await RisingEdge(dut.clk_i)
        dut.unwrap_valid_i.value = 0
        (result,) = await making.queue.wait(1)
        assert result.status == status


@cocotb.test()
async def anything(dut):
    """Random slots, masks and jobs: each key goes where the model puts it, and nowhere else."""
    bench = await Control(dut).start()
    rng, model, granted = random.Random(8), KeySlots(SLOTS, max(MADE_BYTES, KEY_BYTES)), 0
    masks = [rng.getrandbits(8) | rng.getrandbits(8) | rng.getrandbits(8) for _ in range(4)]
    for queue, mask in zip(bench.queues, masks, strict=True):
        await queue.open(mask=mask)
        await queue.write("ALLOWED", MAY)
    lane = bench.lanes[PKA - 1]
    for turn in range(120):
        if turn % 6 == 0:
            slot, key = rng.randrange(SLOTS), rng.randbytes(64)
            owners = tuple(q for q in range(4) if rng.random() < 0.4)
            use = rng.choice((AGREER, AGREER, SIGNER))
            use = dataclasses.replace(use, owners=owners, counted=rng.random() < 0.2, uses=1)
            await bench.slot(slot, use, key)
            model.store(slot, use, key)
        target = rng.randrange(SLOTS)
        agreers = [n for n, slot in enumerate(model.slots) if slot.use()["unwrap"]] or [0]
        made = rng.choice((SIGNER, AGREER, AGREER))
        source = rng.choice(agreers)
        job = generate(target, made) if rng.random() < 0.5 or not AGREES else agree(source, target)
        job.generation = rng.choice((0, 0, 0, 1, 2)) if job.slot is not None else 0
        descriptor, key = Descriptor.read(job.entries()), rng.randbytes(MADE_BYTES)
        assert makes(descriptor)
        able = [q for q in bench.queues if model.allowed(q.number, masks[q.number], descriptor)]
        queue = rng.choice(able if able and rng.random() < 0.6 else bench.queues)
        mask = masks[queue.number]
        may = model.allowed(queue.number, mask, descriptor)
        lane.jobs.clear()
        expected, over = KEY_DENIED, model.slots[target].generation
        if may:
            if job.slot is not None:
                model.begin(descriptor)
            taken = model.make(queue.number, mask, descriptor, over, key)
            expected = OK if taken else KEY_DENIED
            granted += 1
        result = await Making(bench, queue).run(job, key)
        assert result.status == expected, (turn, job)
        assert bool(lane.jobs) == may
        for slot in range(SLOTS) if turn % 10 == 9 else (target,):
            for name in ("ATTRIBUTES", "POLICY", "USES", "GENERATION"):
                found = await bench.registers.read(f"SLOT[{slot}].{name}")
                assert found == getattr(model.slots[slot], name.lower()), (turn, slot, name)
    assert granted > 25, granted


@cocotb.test()
async def beside_writes(dut):
    """No key reaches a slot that is written, or that became another's or another meanwhile."""
    bench, making = await started(dut, mask=0b11)
    mine = dataclasses.replace(SIGNER, owners=(0,))
    theirs = dataclasses.replace(SIGNER, owners=(1,))
    secret = bytes(range(100, 100 + MADE_BYTES))
    for use in (theirs, mine):
        writes = use.writes(secret)
        for meanwhile in (writes, writes[:1], writes[:-1]):
            await bench.registers.write("SLOT[1].ATTRIBUTES", 0)

            async def write(meanwhile=meanwhile):
                for name, value in meanwhile:
                    await bench.registers.write(f"SLOT[1].{name}", value)

            making.before_end = write()
            assert (await making.run(generate(1))).status == KEY_DENIED
            for name, value in writes[len(meanwhile) :]:
                await bench.registers.write(f"SLOT[1].{name}", value)
            assert await bench.registers.read("SLOT[1].ATTRIBUTES") == use.attributes
    if AGREES:
        await taken_back(bench, making)
    # A slot that was cleared meanwhile is empty, and takes it.
    await bench.slot(1, mine, secret)
    making.before_end = bench.registers.write("SLOT[1].ATTRIBUTES", 0)
    assert (await making.run(generate(1))).status == OK
    assert await making.key(1, SIGNER) == number(KEY)
    # Tampering leaves nothing of it.
    await bench.registers.write("SLOT[1].ATTRIBUTES", 0)

    async def tamper():
        dut.tamper_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.tamper_i.value = 0

    making.before_end = tamper()
    making.queue.put(generate(1))
    play = cocotb.start_soon(making.play())
    await making.queue.ring_bell()
    await play
    await ClockCycles(dut.clk_i, 2 * LATE)
    assert await bench.registers.read("SLOT[1].ATTRIBUTES") == 0


async def taken_back(bench, making):
    """The slot or the key that agrees was taken back, or replaced."""
    for name, value in (
        ("SLOT[0].ATTRIBUTES", 0),
        ("QUEUE[0].KEY_MASK", 0b10),
        ("QUEUE[0].KEY_MASK", 0b01),
    ):
        await making.queue.write("KEY_MASK", 0b11)
        await bench.slot(0, AGREER, KEY)
        await bench.registers.write("SLOT[1].ATTRIBUTES", 0)
        making.before_end = bench.registers.write(name, value)
        assert (await making.run(agree(0, 1))).status == KEY_DENIED
        assert await bench.registers.read("SLOT[1].ATTRIBUTES") == 0
    await making.queue.write("KEY_MASK", 0b11)
    await bench.slot(0, AGREER, KEY)
    making.before_end = bench.slot(0, AGREER, KEY)
    assert (await making.run(agree(0, 1))).status == KEY_DENIED


@cocotb.test()
async def one_at_a_time(dut):
    """A job that makes a key holds up others that do, and nobody else: keys are unwrapped."""
    bench, making = await started(dut)
    second, third = [await bench.queues[number].open(mask=0xFF) for number in (1, 2)]
    await second.write("ALLOWED", MAY)
    await bench.slot(0, kek(owners=(2,)), bytes(64))
    lane, unwraps = bench.lanes[PKA - 1], bench.lanes[BLOCK - 1]
    unwrapped = Use(BLOCK, (ECB,), 16, owners=(2,), encrypt=True)
    lane.delay = 600
    making.queue.put(generate(1))
    await making.queue.ring_bell()
    await ClockCycles(dut.clk_i, TAKEN)
    second.put(generate(2))
    await second.ring_bell()
    await ClockCycles(dut.clk_i, TAKEN)
    assert len(lane.jobs) == 1, "one in work"
    unwraps.delay = LATE
    third.put(Job(*UNWRAPS, decrypt=1, slot=0, target=5, aad_len=16, length=16, tag_len=16))
    await third.ring_bell()
    await ClockCycles(dut.clk_i, TAKEN)
    for aad, data in ((1, unwrapped.wrapped_for(5)), (0, bytes(range(16)))):
        dut.unwrap_aad_i.value, dut.unwrap_beat_i.value = aad, 0
        dut.unwrap_data_i.value = number(data)
        dut.unwrap_valid_i.value = 1
        await RisingEdge(dut.clk_i)
    dut.unwrap_valid_i.value = 0
    assert [result.status for result in await third.wait(1)] == [OK]
    unwraps.delay = 3
    results = await third.run(Job(COPY), Job(BLOCK, ECB, slot=5))
    assert [result.status for result in results] == [OK, OK]
    assert unwraps.jobs[-1][1] == number(bytes(range(16)))
    assert making.queue.poll() is None
    # Neither had its beats: no key for either, and the second one begins behind the first.
    assert [result.status for result in await making.queue.wait(1)] == [KEY_DENIED]
    lane.delay = 3
    assert [result.status for result in await second.wait(1)] == [KEY_DENIED]
    assert len(lane.jobs) == 2
    assert (await making.run(generate(1))).status == OK
