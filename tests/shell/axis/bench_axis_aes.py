"""AES-128 encryption on streams: two jobs in flight, keys that change, without a pause."""

import random

import cocotb
from cocotb.triggers import RisingEdge
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from shell_model import BAD_PARAM, OK, Shell, beats

ECB, CBC, CTR = 0, 1, 2
STALLS = (0.0, 0.0, 0.3, 0.7)


def reference(mode, key, iv, data):
    method = {ECB: modes.ECB(), CBC: modes.CBC(iv), CTR: modes.CTR(iv)}[mode]
    engine = Cipher(algorithms.AES(key), method).encryptor()
    return engine.update(data) + engine.finalize()


@cocotb.test()
async def random_jobs(dut):
    """Two in flight all the time, each with its own key; some refused."""
    shell = await Shell(dut).start()
    rng = random.Random(41)
    expected = []
    for number in range(60):
        shell.source.stall, shell.sink.stall = rng.choice(STALLS), rng.choice(STALLS)
        mode, key, iv = rng.randrange(3), rng.randbytes(16), rng.randbytes(16)
        length = rng.randrange(1, 90) if mode == CTR else 16 * rng.randrange(1, 6)
        bad = rng.random() < 0.15
        data = rng.randbytes(length)
        shell.source.send(data)
        await shell.job(mode=7 if bad else mode, key=key, iv=iv, length=length)
        output = [b""] if bad else beats(reference(mode, key, iv, data))
        expected.append((number, BAD_PARAM if bad else OK, output))
        if len(expected) == 2:
            await check(shell, expected.pop(0))
    await check(shell, expected.pop(0))


async def check(shell, wanted):
    number, status, output = wanted
    assert await shell.result() == (number % 256, status)
    assert await shell.packet() == output


@cocotb.test()
async def blocks_without_a_pause(dut):
    shell = await Shell(dut).start()
    rng = random.Random(42)
    key, iv, data = rng.randbytes(16), rng.randbytes(16), rng.randbytes(4096)
    shell.source.send(data)
    await shell.job(mode=CTR, key=key, iv=iv, length=4096)
    await RisingEdge(dut.m_axis_tvalid_o)
    cycles = 0
    while not shell.sink.packets:
        await RisingEdge(dut.clk_i)
        cycles += 1
    assert await shell.packet() == beats(reference(CTR, key, iv, data))
    assert cycles <= 10 * 256 + 4
