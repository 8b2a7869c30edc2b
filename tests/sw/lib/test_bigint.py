"""Big integers against Python's."""

import random
from math import isqrt

import pytest
from curve25519_host import PARTS

from cryptile import library
from cryptile.asm.isa import Isa
from cryptile.asm.lib import bigint
from cryptile.asm.lib.bigint import reduced

WITH_M = [isa for isa in library.ISAS if "m" in Isa.parse(isa)]
RV32M = [isa for isa in WITH_M if isa.startswith("rv32")]
COUNTS = {
    "add": {2: 23, 4: 39, 6: 55, 8: 71, 10: 87, 12: 103, 16: 135, 20: 167},
    "mul": {2: 46, 4: 150, 6: 320, 8: 540, 10: 926, 12: 1346, 16: 2426, 20: 3826},
}
"""Instructions not to exceed."""


def pack(value, n, bits=32):
    return b"".join((value >> bits * k & (1 << bits) - 1).to_bytes(4, "little") for k in range(n))


def unpack(data, bits=32):
    words = (int.from_bytes(data[k : k + 4], "little") for k in range(0, len(data), 4))
    return sum(word << bits * k for k, word in enumerate(words))


def corner(rng, bits):
    """Return a number with long carries, or a random one."""
    ones = (1 << bits) - 1
    power = 1 << rng.randrange(bits)
    mixed = rng.getrandbits(bits)
    for _ in range(3):  # runs of ones and zeros
        low, high = sorted(rng.randrange(bits + 1) for _ in "ab")
        run = (1 << high) - (1 << low)
        mixed = rng.choice([mixed | run, mixed & ~run])
    return rng.choice([0, ones, power, ones ^ power, power - 1, mixed, rng.getrandbits(bits)])


def symbols(isa):
    """Return operation, words and variant of each routine for a fixed number of words."""
    target = Isa.parse(isa)
    names = [
        r.symbol.removeprefix("cry_bigint_").split("_")
        for r in bigint.ROUTINES
        if r.supports(target)
    ]
    return [
        (name[0], int(name[1]), name[2])
        for name in names
        if name[1].isdigit() and name[2] != "core"
    ]


EXPECTED = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "sqr": lambda a, b: a * a,
}


def check(m, operation, n, variant, a, b, *, in_place=False, abi=False):
    bits = reduced.bits(n) if variant == "reduced" else 32
    double = 2 if operation in ("mul", "sqr") else 1
    left = m.alloc(pack(a, n, bits), align=4, secret=True, writable=in_place)
    right = m.alloc(pack(b, n, bits), align=4, secret=True, writable=False)
    out = left if in_place else m.alloc(4 * n * double, align=4)
    arguments = (out, left) if operation == "sqr" else (out, left, right)
    call = m.call_abi if abi else m.call
    result = call(f"cry_bigint_{operation}_{n}_{variant}", *arguments)
    assert result.violations == []
    want = EXPECTED[operation](a, b)
    if variant != "reduced" and double == 1:
        assert result.value == want >> 32 * n & 1
        want &= (1 << 32 * n) - 1
    got = unpack(m.read(out, 4 * n * double), bits)
    assert got == want, (operation, n, variant, hex(a), hex(b))
    m.free_all()
    return result


@pytest.mark.parametrize("isa", [*RV32M, "rv32im_xcarry"])
def test_fixed_sizes(machine, isa):
    parts = ("bigint",) if isa == "rv32im_xcarry" else PARTS
    m, rng = machine(isa, parts), random.Random(isa)
    found = symbols(isa)
    assert len(found) >= 69
    for operation, n, variant in found:
        bits = n * (reduced.bits(n) if variant == "reduced" else 32)
        for turn in range(40 if isa in ("rv32im", "rv32im_xcarry") else 4):
            a, b = corner(rng, bits), corner(rng, bits)
            result = check(m, operation, n, variant, a, b, abi=turn == 0)
        if operation in ("add", "sub"):
            check(m, operation, n, variant, a, b, in_place=True)
        limit = COUNTS.get(operation, {}).get(n)
        if variant == "full" and limit:
            assert result.instructions <= limit


def test_all_ones_and_zero(machine):
    m = machine("rv32im", PARTS)
    for operation, n, variant in symbols("rv32im"):
        ones = (1 << n * (reduced.bits(n) if variant == "reduced" else 32)) - 1
        for a, b in [(0, 0), (ones, ones), (ones, 1), (1, ones), (0, ones), (ones, 0)]:
            check(m, operation, n, variant, a, b)


def test_reduced_sums_are_as_large_as_can_be(machine):
    m = machine("rv32im", PARTS)
    for operation, n, variant in symbols("rv32im"):
        if (operation, variant) == ("mul", "reduced"):
            # Both the low and the high part of a product of these limbs are nearly 2^bits.
            bits = reduced.bits(n)
            limb = (1 << bits) - isqrt((1 << bits) - 1)
            number = sum(limb << bits * k for k in range(n))
            check(m, operation, n, variant, number, number)


def test_default_is_the_fastest(machine):
    m = machine("rv32im", PARTS)
    seen = {}
    for operation, n, variant in symbols("rv32im"):
        if operation == "mul" and variant != "reduced":
            seen.setdefault(n, {})[variant] = check(m, operation, n, variant, 0, 0).cycles
    assert sum(len(found) > 1 for found in seen.values()) >= 5
    for found in seen.values():
        assert found["full"] == min(found.values())


@pytest.mark.parametrize(
    ("isa", "variant"), [(isa, "c") for isa in library.ISAS] + [(isa, "looped") for isa in RV32M]
)
def test_any_size(machine, isa, variant):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for n in [*range(1, 10), 17, 32, 33]:
        a, b = corner(rng, 32 * n), corner(rng, 32 * n)
        left, right = (m.alloc(pack(x, n), align=4, secret=True, writable=False) for x in (a, b))
        out, wide = m.alloc(4 * n, align=4), m.alloc(8 * n, align=4)
        for operation, want in (("add", a + b), ("sub", a - b)):
            result = m.call_abi(f"cry_bigint_{operation}_{variant}", out, left, right, n)
            assert unpack(m.read(out, 4 * n)) == want % (1 << 32 * n)
            assert result.value == want >> 32 * n & 1
            assert result.violations == []
        result = m.call_abi(f"cry_bigint_mul_{variant}", wide, left, right, n)
        assert unpack(m.read(wide, 8 * n)) == a * b
        assert result.violations == [] or isa == "rv32i"
        m.free_all()


@pytest.mark.parametrize("isa", library.ISAS)
def test_no_words(machine, isa):
    m = machine(isa, PARTS)
    for variant in ["c"] + ["looped"] * (isa in RV32M):
        assert m.call(f"cry_bigint_add_{variant}", 0, 0, 0, 0).value == 0
        assert m.call(f"cry_bigint_sub_{variant}", 0, 0, 0, 0).value == 0


@pytest.mark.parametrize("isa", library.ISAS)
def test_montgomery(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for n in [1, 2, 3, 8, 12, 33]:
        for _ in range(6):
            modulus = corner(rng, 32 * n) | 1
            a, b = corner(rng, 32 * n), corner(rng, 32 * n) % modulus
            words = (
                m.alloc(pack(x, n), align=4, secret=secret)
                for x, secret in ((a, True), (b, True), (modulus, False))
            )
            left, right, mod = words
            inverse = m.call("cry_bigint_mont_inverse", modulus & 0xFFFFFFFF).value & 0xFFFFFFFF
            assert inverse * modulus % (1 << 32) == (1 << 32) - 1
            out = rng.choice([left, right, m.alloc(4 * n, align=4)])
            room = m.alloc(4 * n + 4, align=4)
            # Seven arguments: all in registers.
            result = m.call_abi("cry_bigint_mont_mul", out, left, right, mod, n, inverse, room)
            want = a * b * pow(1 << 32 * n, -1, modulus) % modulus
            assert unpack(m.read(out, 4 * n)) == want
            assert result.violations == [] or isa == "rv32i"
            m.free_all()


@pytest.mark.parametrize("isa", RV32M)
def test_montgomery_row(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for n in range(1, 12):
        modulus = corner(rng, 32 * n) | 1
        r, b, x = rng.randrange(2 * modulus), rng.randrange(modulus), corner(rng, 32)
        inverse = -pow(modulus, -1, 1 << 32) % (1 << 32)
        q = (r + x * b) * inverse % (1 << 32)
        right, mod = (m.alloc(pack(v, n), align=4, writable=False) for v in (b, modulus))
        for variant in ("asm", "c"):
            total = m.alloc(pack(r, n + 1), align=4, secret=True)
            row = f"cry_bigint_mont_row_{variant}"
            result = m.call_abi(row, total, right, mod, n, x, inverse)
            assert unpack(m.read(total, 4 * n + 4)) == (r + x * b + q * modulus) >> 32
            assert result.violations == []
        m.free_all()
