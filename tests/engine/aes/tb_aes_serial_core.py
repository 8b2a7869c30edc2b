"""Drives the bare serial core: known answers, random blocks, stalls, clears, exact latencies."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

ENCRYPT, DECRYPT, EXPAND = range(3)
KEY_SIZES = (16, 24, 32)
CYCLES = {
    ENCRYPT: dict(zip(KEY_SIZES, (257, 289, 353), strict=True)),
    DECRYPT: dict(zip(KEY_SIZES, (377, 449, 521), strict=True)),
    EXPAND: dict(zip(KEY_SIZES, (161, 185, 209), strict=True)),
}
"""From accepting a block to the cycle in which the result is valid."""
CYCLES_ENC128 = 253
"""The same if only AES-128 encryption is built."""


def reference(key: bytes, block: bytes) -> bytes:
    context = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return context.update(block) + context.finalize()


async def start(dut) -> None:
    Clock(dut.clk_i, 10, "ns").start()
    dut.rst_ni.value = 0
    dut.clear_i.value = 0
    dut.in_valid_i.value = 0
    dut.out_ready_i.value = 0
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await FallingEdge(dut.clk_i)


async def submit(dut, operation: int, key: bytes, block: bytes) -> None:
    dut.in_op_i.value = operation
    dut.in_key_len_i.value = KEY_SIZES.index(len(key))
    dut.in_key_i.value = int.from_bytes(key, "little")
    dut.in_block_i.value = int.from_bytes(block, "little")
    dut.in_valid_i.value = 1
    while not dut.in_ready_o.value:
        await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.in_valid_i.value = 0
    dut.in_key_i.value = random.getrandbits(256)
    dut.in_block_i.value = random.getrandbits(128)


async def compute(dut, operation: int, key: bytes, block: bytes = bytes(16)) -> bytes:
    await submit(dut, operation, key, block)
    cycles = 1
    while not dut.out_valid_o.value:
        await FallingEdge(dut.clk_i)
        cycles += 1
        assert cycles < 1000, "no result"
    full = int(dut.EnDecrypt.value)
    assert cycles == (CYCLES[operation][len(key)] if full else CYCLES_ENC128)
    output = dut.out_key_o if operation == EXPAND else dut.out_block_o
    value = int(output.value)
    for _ in range(random.choice((0, 0, 1, 5))):
        await FallingEdge(dut.clk_i)
        assert dut.out_valid_o.value
        assert int(output.value) == value
    dut.out_ready_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.out_ready_i.value = 0
    return value.to_bytes(32 if operation == EXPAND else 16, "little")


async def assert_wiped(dut) -> None:
    await FallingEdge(dut.clk_i)
    core = dut.gen_full.u_core if int(dut.EnDecrypt.value) else dut.gen_enc128.u_core
    assert int(core.block_q.value) == 0
    assert int(core.key_q.value) == 0


async def check(dut, key: bytes, block: bytes, expected: bytes) -> None:
    assert await compute(dut, ENCRYPT, key, block) == expected
    if int(dut.EnDecrypt.value):
        window = (await compute(dut, EXPAND, key))[: len(key)]
        for _ in range(2):
            assert await compute(dut, DECRYPT, window, expected) == block


def key_sizes(dut) -> tuple[int, ...]:
    return KEY_SIZES if int(dut.EnKey256.value) else KEY_SIZES[:1]


@cocotb.test()
async def fips_197(dut) -> None:
    """Appendix C."""
    await start(dut)
    answers = (
        "69c4e0d86a7b0430d8cdb78070b4c55a",
        "dda97ca4864cdfe06eaf70a0ec0d7191",
        "8ea2b7ca516745bfeafc49904b496089",
    )
    block = bytes.fromhex("00112233445566778899aabbccddeeff")
    for size, answer in zip(key_sizes(dut), answers, strict=False):
        await check(dut, bytes(range(size)), block, bytes.fromhex(answer))


@cocotb.test()
async def random_blocks(dut) -> None:
    await start(dut)
    for _ in range(25):
        for size in key_sizes(dut):
            key, block = random.randbytes(size), random.randbytes(16)
            await check(dut, key, block, reference(key, block))
            if random.random() < 0.5:
                await assert_wiped(dut)


@cocotb.test()
async def clear_mid_block(dut) -> None:
    """A clear at any time wipes, and the next block is right."""
    await start(dut)
    for _ in range(30):
        size = random.choice(key_sizes(dut))
        key, block = random.randbytes(size), random.randbytes(16)
        operation = random.randrange(3) if int(dut.EnDecrypt.value) else ENCRYPT
        await submit(dut, operation, key, block)
        for _ in range(random.randrange(270)):
            await FallingEdge(dut.clk_i)
        dut.clear_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.clear_i.value = 0
        assert not dut.out_valid_o.value
        await assert_wiped(dut)
        await check(dut, key, block, reference(key, block))
