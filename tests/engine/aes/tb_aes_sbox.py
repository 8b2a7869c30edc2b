"""cocotb test of the S-boxes against the definition in FIPS 197, all 256 inputs."""

import cocotb
from cocotb.triggers import Timer


def multiply(a: int, b: int) -> int:
    product = 0
    for bit in range(8):
        if b >> bit & 1:
            product ^= a << bit
    for bit in range(14, 7, -1):
        if product >> bit & 1:
            product ^= 0x11B << (bit - 8)
    return product


def substitute(x: int) -> int:
    """The multiplicative inverse (0 for 0), then the affine map."""
    inverse = next((y for y in range(256) if multiply(x, y) == 1), 0)
    rotations = (inverse << n | inverse >> (8 - n) for n in range(5))
    result = 0x63
    for rotation in rotations:
        result ^= rotation & 0xFF
    return result


@cocotb.test()
async def all_inputs(dut):
    for x in range(256):
        dut.in_i.value = x
        await Timer(1, "ns")
        assert int(dut.forward_o.value) == substitute(x)
        assert int(dut.dual_forward_o.value) == substitute(x)
        dut.in_i.value = substitute(x)
        await Timer(1, "ns")
        assert int(dut.dual_inverse_o.value) == x
