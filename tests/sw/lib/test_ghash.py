"""GHASH: every variant against multiplication bit by bit, as NIST SP 800-38D defines it."""

import random

import pytest

from cryptile import library
from cryptile.asm.isa import Isa

PARTS = ("ghash",)


def variants():
    found = []
    for name in library.ISAS:
        isa = Isa.parse(name)
        found += [(name, "shift_c"), (name, "shift")]
        if "m" in isa:
            found += [(name, "multiply_c"), (name, "multiply")]
        if isa.carryless and isa.rotates:
            found.append((name, "clmul"))
    return found


def multiply(x, y):
    """Return a product, SP 800-38D, section 6.3; bit 127 is the coefficient of x^0."""
    product = 0
    for bit in range(127, -1, -1):
        if x >> bit & 1:
            product ^= y
        y = y >> 1 ^ (0xE1 << 120 if y & 1 else 0)
    return product


def ghash(key, data, start=0):
    h, y = int.from_bytes(key, "big"), start
    for at in range(0, len(data), 16):
        y = multiply(y ^ int.from_bytes(data[at : at + 16].ljust(16, b"\0"), "big"), h)
    return y.to_bytes(16, "big")


def start(m, key):
    context = m.alloc(80)
    assert m.call("cry_ghash_init", context, m.alloc(key, secret=True)).violations == []
    return context


def value(m, context):
    target = m.alloc(16)
    m.call("cry_ghash_value", context, target)
    return m.read(target, 16)


@pytest.mark.parametrize(("isa", "variant"), variants())
def test_blocks(machine, isa, variant):
    m, rng = machine(isa, PARTS), random.Random(f"{isa} {variant}")
    edges = [bytes(16), b"\x80" + bytes(15), bytes(15) + b"\1", b"\xff" * 16]
    for case in range(16):
        blocks = rng.randrange(5)
        key = edges[case] if case < len(edges) else rng.randbytes(16)
        data = b"\xff" * (16 * blocks) if case < len(edges) else rng.randbytes(16 * blocks)
        context, first = start(m, key), rng.randbytes(16)
        m.write(context, first[::-1])
        m.taint(context, 32)
        source = m.alloc(data, offset=case % 8, secret=True, writable=False)
        result = m.call_abi(f"cry_ghash_blocks_{variant}", context, source, blocks)
        assert result.violations == []
        assert value(m, context) == ghash(key, data, int.from_bytes(first, "big"))
        m.free_all()


def check_length(m, rng, length, offset):
    key, data = rng.randbytes(16), rng.randbytes(length)
    context = start(m, key)
    m.call("cry_ghash_update", context, m.alloc(data, offset=offset), length)
    m.call("cry_ghash_pad", context)
    assert value(m, context) == ghash(key, data)
    m.free_all()


@pytest.mark.parametrize("isa", ["rv32im", "rv32im_zkn"])
def test_every_length_and_alignment(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for length in range(258):
        check_length(m, rng, length, length // 2 % 4)
    for length in range(34):
        for offset in range(4):
            check_length(m, rng, length, offset)


@pytest.mark.parametrize("isa", library.ISAS)
def test_chunks(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for _ in range(4):
        key, data = rng.randbytes(16), rng.randbytes(rng.randrange(150))
        context, address, at = start(m, key), m.alloc(data, offset=rng.randrange(8)), 0
        while at < len(data):
            step = min(rng.choice([0, 1, 15, 16, 17, 33, rng.randrange(70)]), len(data) - at)
            m.call("cry_ghash_update", context, address + at, step)
            at += step
        m.call("cry_ghash_pad", context)
        assert value(m, context) == ghash(key, data)
