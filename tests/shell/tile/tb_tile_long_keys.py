"""Keys of more than 64 bytes: how they come into slots, and slots that have no room for them."""

import os
import random
from dataclasses import replace

import cocotb
from cocotb.triggers import RisingEdge
from control_bench import Control, Unwrapping, number
from support.key_slots import (
    ANY_SLOT,
    KEY_BYTES,
    LONG_BYTES,
    UNWRAPS,
    KeySlots,
    Use,
    kek,
    offset_of,
    word_of_key,
)
from support.tile_model import AES, BAD_DESCRIPTOR, ECB, KEY_DENIED, OK, OPCODES, SHA2
from tile_bench import Job

from cryptile.catalog import mode

SLOTS, HMAC = 8, 9
SIZE = int(os.environ["CRYPTILE_SLOT_BYTES"])
"""Bytes of a slot of this tile."""
LONG = SIZE == LONG_BYTES
PKA521 = OPCODES["pka521"]
SIGN, PUBLIC = mode("pka521", "p521_sign"), mode("pka521", "p521_public")
SIGNER = Use(PKA521, (SIGN, PUBLIC), LONG_BYTES, encrypt=True)
BLOCKS = Use(AES, (ECB,), 32, encrypt=True)
OLD, NEW = bytes(range(1, 81)), bytes(range(101, 181))
HIGH = [word_of_key(at) for at in range(KEY_BYTES, LONG_BYTES, 4)]


async def started(dut):
    bench = await Control(dut).start()
    return bench, await bench.queues[0].open(mask=0xFF)


async def key(bench, queue, slot, **more):
    """The key of a slot with which a job signs, if it may."""
    (result,) = await queue.run(Job(PKA521, SIGN, **({"slot": slot, "key_bytes": 80} | more)))
    return bench.lanes[PKA521 - 1].jobs[-1][1] if result.status == OK else None


@cocotb.test(skip=not LONG)
async def writing(dut):
    """A slot is valid when all of a long key is written, in any order, and no other slot."""
    bench, queue = await started(dut)
    regs, words = bench.registers, dict(SIGNER.writes(OLD))
    rng = random.Random(1)

    async def write(slot, *names):
        for name in names:
            await regs.write(f"SLOT[{slot}].{name}", words[name])

    await bench.slot(1, SIGNER, OLD)
    assert await key(bench, queue, 1) == number(OLD)
    for name in HIGH:
        assert await regs.read(f"SLOT[1].{name}") == 0, "keys are never read"
    for size in (0, 32, 64, 66, 79):
        assert await key(bench, queue, 1, key_bytes=size) is None, "used whole"
    await write(1, HIGH[0])
    assert await regs.read("SLOT[1].ATTRIBUTES") == 0, "a slot whose key was touched is not valid"
    await write(1, "POLICY", "ATTRIBUTES")
    assert await key(bench, queue, 1) is None, "words of the key are missing"
    whole = [name for name in words if name.startswith("KEY")]
    assert len(whole) == 20
    for left_out in whole:
        rest = [name for name in whole if name != left_out]
        rng.shuffle(rest)
        await write(1, *rest, "POLICY", "ATTRIBUTES")
        assert await key(bench, queue, 1) is None, left_out
    rng.shuffle(whole)
    await write(1, *whole, "POLICY")
    await write(2, HIGH[3])
    await write(1, "ATTRIBUTES")
    assert await key(bench, queue, 1) is None, "another slot was written between"
    await write(1, *whole, "POLICY", "ATTRIBUTES")
    assert await key(bench, queue, 1) == number(OLD)
    # Nothing of it is left behind a shorter one, nor above one in whose place another begins.
    await bench.slot(1, BLOCKS, NEW[:32])
    await queue.run(Job(AES, ECB, key_len=2, slot=1))
    assert bench.lanes[AES - 1].jobs[-1][1] == number(NEW[:32])
    await bench.slot(1, SIGNER, OLD)
    await regs.write(f"SLOT[1].{HIGH[2]}", 0x12345678)
    policy = replace(BLOCKS, key_bytes=0, opcode=SHA2, modes=(HMAC,))
    await regs.write("SLOT[1].POLICY", policy.policy)
    await regs.write("SLOT[1].ATTRIBUTES", policy.attributes)
    await queue.run(Job(SHA2, HMAC, slot=1))
    assert bench.lanes[SHA2 - 1].jobs[-1][1] == 0x12345678 << 8 * 72
    # Lock, seal and tampering hold for all of it.
    await bench.slot(3, replace(SIGNER, lock=True), OLD)
    await write(3, *HIGH, "ATTRIBUTES")
    assert await key(bench, queue, 3) == number(OLD)
    await bench.slot(4, SIGNER, OLD)
    await regs.write("SEAL", 1)
    await regs.write(f"SLOT[4].{HIGH[1]}", 0)
    assert await key(bench, queue, 4) == number(OLD)
    dut.tamper_i.value = 1
    await RisingEdge(dut.clk_i)
    dut.tamper_i.value = 0
    assert await regs.read("SLOT[4].ATTRIBUTES") == 0


@cocotb.test(skip=not LONG)
async def anyhow(dut):
    """Random writes to two slots: what the registers read, and each key, is the model's."""
    bench, queue = await started(dut)
    rng, model, valid = random.Random(2), KeySlots(2, SIZE), 0
    for turn in range(60):
        use, data = rng.choice((SIGNER, SIGNER, BLOCKS)), rng.randbytes(80)
        writes = use.writes(data[: use.key_bytes])
        if rng.random() < 0.4:
            writes.pop(rng.randrange(len(writes) - 1))
        if rng.random() < 0.3:
            writes.insert(rng.randrange(len(writes)), (rng.choice(HIGH), rng.getrandbits(32)))
        slot = rng.randrange(2)
        for name, value in writes:
            at = slot if rng.random() < 0.995 else 1 - slot
            await bench.registers.write(f"SLOT[{at}].{name}", value)
            model.write(at, offset_of(name), value)
        for at in range(2):
            for name in ("ATTRIBUTES", "POLICY", "USES", "GENERATION"):
                found = await bench.registers.read(f"SLOT[{at}].{name}")
                assert found == getattr(model.slots[at], name.lower()), (turn, at, name)
            if model.slots[at].attributes == SIGNER.attributes:
                assert await key(bench, queue, at) == number(model.slots[at].key)
                valid += 1
    assert valid > 15, valid


@cocotb.test(skip=not LONG)
async def unwrapping(dut):
    """A long key is unwrapped into a slot, or as a token, if it is whole and not too long."""
    bench, queue = await started(dut)
    await bench.slot(0, kek(), bytes(64))
    unwrap = Unwrapping(bench, queue)
    assert (await unwrap.run(1, SIGNER.wrapped_for(1), NEW)).status == OK
    assert await key(bench, queue, 1) == number(NEW)
    for length in (16, 64):
        result = await unwrap.run(2, SIGNER.wrapped_for(2), NEW[:length])
        assert result.status == KEY_DENIED, "less than a key"
    short = replace(BLOCKS, owners=(0,))
    assert (await unwrap.run(2, short.wrapped_for(2), NEW[:32])).status == OK
    longer = Job(*UNWRAPS, decrypt=1, slot=0, target=2, aad_len=16, length=96)
    (result,) = await queue.run(longer)
    assert result.status == BAD_DESCRIPTOR
    said = SIGNER.wrapped_for(ANY_SLOT)
    job = Job(PKA521, SIGN, slot=0, token=1, key=64, key_bytes=80)
    assert (await unwrap.token(said, OLD, job)).status == OK
    assert unwrap.lane.taken, "the lane of AES had the token"
    assert bench.lanes[PKA521 - 1].jobs[-1][1] == number(OLD)
    assert (await unwrap.token(said, OLD[:64], job)).status == KEY_DENIED
    # A key that has 80 bytes in other engines is a bad descriptor.
    for length, status in ((64, KEY_DENIED), (65, BAD_DESCRIPTOR), (80, BAD_DESCRIPTOR)):
        (result,) = await queue.run(Job(SHA2, HMAC, slot=1, key_bytes=length))
        assert result.status == status
    for length, status in ((80, OK), (81, BAD_DESCRIPTOR), (127, BAD_DESCRIPTOR)):
        (result,) = await queue.run(Job(PKA521, SIGN, key=64, key_bytes=length))
        assert result.status == status


@cocotb.test(skip=LONG)
async def no_room(dut):
    """Without such an engine there are no words above 64 bytes, and no slot has a longer key."""
    bench, queue = await started(dut)
    use = replace(BLOCKS, opcode=SHA2, modes=(HMAC,))
    await bench.slot(1, use, OLD[:32])
    for name in HIGH:
        await bench.registers.write(f"SLOT[1].{name}", 0xFFFFFFFF)
        assert await bench.registers.read(f"SLOT[1].{name}") == 0
    (result,) = await queue.run(Job(SHA2, HMAC, slot=1, key_bytes=32))
    assert result.status == OK, "a write that is ignored leaves the slot as it is"
    assert bench.lanes[SHA2 - 1].jobs[-1][1] == number(OLD[:32])
    for length in (65, 66, 80, 127):
        await bench.slot(2, replace(use, key_bytes=length), OLD)
        assert await bench.registers.read("SLOT[2].ATTRIBUTES") == 0, length
    await bench.slot(0, kek(), bytes(64))
    for length, status in ((64, KEY_DENIED), (80, BAD_DESCRIPTOR)):
        job = Job(*UNWRAPS, decrypt=1, slot=0, target=2, aad_len=16, length=length)
        (result,) = await queue.run(job)
        assert result.status == status
    (result,) = await queue.run(Job(SHA2, HMAC, key=64, key_bytes=80))
    assert result.status == BAD_DESCRIPTOR
