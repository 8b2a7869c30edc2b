"""The data mover on its port: messages, contexts, bad parameters, stalls, clears."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge, Timer

from cryptile.jobs.port import (
    BAD_PARAM,
    BLOCK,
    CONTEXT,
    OK,
    pack_beat,
    pack_beats,
    pack_job,
    with_garbage,
)

VALIDS = ("job_valid_i", "key_valid_i", "src_valid_i", "dst_ready_i", "done_ready_i", "clear_i")


def job(mode=0, decrypt=0, key_len=0, save=0, final=0, iv=0, aad=0, length=0):
    return pack_job(
        mode=mode, decrypt=decrypt, key_len=key_len, ctx_save=save, is_final=final,
        iv=iv.to_bytes(16, "little"), aad_len=aad, msg_len=length,
    )  # fmt: skip


def beats(rng, count):
    """Beats of a message: data, keep, last, kind."""
    for number in range(count):
        last = number == count - 1
        data = rng.randbytes(rng.randrange(1, 17) if last else BLOCK)
        yield with_garbage(pack_beat(data, last=last), rng)


async def start(dut):
    for name in (*VALIDS, "job_i", "key_i", "src_i"):
        getattr(dut, name).value = 0
    dut.rst_ni.value = 0
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    await Timer(35, "ns")
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)
    await Timer(1, "ns")


async def run(dut, rng, request, source, stall, cycles=2000):
    """Drive one job; return what came out on dst and done, or None if cycles ran out."""
    source, output, given = list(source), [], False
    dut.key_valid_i.value = 1
    offered = dut.src_valid_i.value == 1  # behind a bad parameter, whose beats nobody took
    for _ in range(cycles):
        offered |= bool(source) and rng.random() >= stall
        dut.job_i.value, dut.job_valid_i.value = request, not given
        dut.src_valid_i.value = offered
        if source:
            dut.src_i.value = source[0]
        dut.dst_ready_i.value = rng.random() >= stall
        dut.done_ready_i.value = rng.random() >= stall
        await ReadOnly()
        assert dut.key_ready_o.value == 0
        taken = dut.src_ready_o.value == 1 and offered
        assert not (taken and not given)
        given |= dut.job_ready_o.value == 1
        if dut.dst_valid_o.value == 1 and dut.dst_ready_i.value == 1:
            output.append(int(dut.dst_o.value))
        done = dut.done_valid_o.value == 1 and dut.done_ready_i.value == 1
        status = int(dut.done_status_o.value)
        await RisingEdge(dut.clk_i)
        await Timer(1, "ns")
        if taken:
            source.pop(0)
            offered = False
            dut.src_valid_i.value = 0
        if done:
            dut.job_valid_i.value = dut.done_ready_i.value = 0
            return output, status, len(source)
    return None


@cocotb.test()
async def messages(dut):
    await start(dut)
    rng = random.Random(1)
    for number in range(150):
        count, save, iv = rng.randrange(6), rng.randrange(2), rng.getrandbits(128)
        source = list(beats(rng, count))
        length = rng.getrandbits(32) | 1 if count else 0  # the engine goes by the framing
        request = job(0, 0, rng.randrange(4), save, rng.randrange(2), iv, 0, length)
        context = pack_beats(iv.to_bytes(16, "little"), CONTEXT) * save
        result = await run(dut, rng, request, source, rng.choice((0.0, 0.5, 0.8)))
        assert result == (source + context, OK, 0), number


@cocotb.test()
async def bad_parameters(dut):
    """Nothing moves, and the next job runs."""
    await start(dut)
    rng = random.Random(2)
    bad = [{"mode": mode} for mode in range(1, 16)]
    bad += [{"decrypt": 1}, *({"aad": 1 << bit} for bit in range(32))]
    for fields in bad:
        source = list(beats(rng, 3))
        request = job(length=48, save=rng.randrange(2), **fields)
        assert await run(dut, rng, request, source, 0.3) == ([], BAD_PARAM, 3), fields
        assert await run(dut, rng, job(length=48), source, 0.3) == (source, OK, 0)


@cocotb.test()
async def clear_at_every_phase(dut):
    await start(dut)
    rng = random.Random(3)
    for cycles in range(12):
        assert await run(dut, rng, job(save=1, length=160), beats(rng, 10), 0.2, cycles) is None
        for name in VALIDS:
            getattr(dut, name).value = name == "clear_i"
        await RisingEdge(dut.clk_i)
        await Timer(1, "ns")
        dut.clear_i.value = 0
        await ReadOnly()
        assert dut.dst_valid_o.value == 0
        assert dut.done_valid_o.value == 0
        assert dut.job_ready_o.value == 1
        await Timer(1, "ns")
        source = list(beats(rng, 2))
        assert await run(dut, rng, job(length=20), source, 0.2) == (source, OK, 0)
