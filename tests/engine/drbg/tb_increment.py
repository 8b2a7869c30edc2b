"""cocotb test of the DRBG's counter: carries through every number of bytes, and none."""

import random

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def carries(dut):
    rng = random.Random(1)
    for bits in range(129):
        low = (1 << bits) - 1
        for high in (0, (1 << 128) - 1, rng.getrandbits(128)):
            for value in (low | high >> bits << bits, (low | high >> bits << bits) ^ 1):
                dut.v_i.value = int.from_bytes(value.to_bytes(16, "big"), "little")
                await Timer(1, "ns")
                found = int(dut.next_o.value).to_bytes(16, "little")
                assert int.from_bytes(found, "big") == (value + 1) % (1 << 128)
