"""Big integers against Python's."""

import random
from math import isqrt

import pytest
from curve25519_host import PARTS

from cryptile import library
from cryptile.asm.isa import Isa
from cryptile.asm.lib import bigint
from cryptile.asm.lib.bigint import looped, reduced

WITH_M = [isa for isa in library.ISAS if "m" in Isa.parse(isa)]
RV32M = [isa for isa in WITH_M if isa.startswith("rv32")]
COUNTS = {
    "add": {2: 23, 4: 39, 6: 55, 8: 71, 10: 87, 12: 103, 16: 135, 20: 167},
    "mul": {2: 46, 4: 150, 6: 320, 8: 540, 10: 926, 12: 1346, 16: 2426, 20: 3826},
}
"""Instructions not to exceed."""


def pack(value, n, bits=32):
    """Return limbs of so many bits in words: of 32 bits, unless they are wider."""
    size = max(bits, 32) // 8
    limbs = (value >> bits * k & (1 << bits) - 1 for k in range(n))
    return b"".join(limb.to_bytes(size, "little") for limb in limbs)


def unpack(data, bits=32):
    size = max(bits, 32) // 8
    words = (int.from_bytes(data[k : k + size], "little") for k in range(0, len(data), size))
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
    ("isa", "variant"), [(isa, "c") for isa in library.ISAS] + [(isa, "looped") for isa in WITH_M]
)
def test_any_size(machine, isa, variant):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for n in [*range(1, 10), 17, 32, 33]:
        bits = m.xlen * n
        a, b = corner(rng, bits), corner(rng, bits)
        left, right = (m.alloc(pack(x, n, m.xlen), secret=True, writable=False) for x in (a, b))
        out, wide = m.alloc(bits // 8), m.alloc(bits // 4)
        for operation, want in (("add", a + b), ("sub", a - b)):
            result = m.call_abi(f"cry_bigint_{operation}_{variant}", out, left, right, n)
            assert unpack(m.read(out, bits // 8), m.xlen) == want % (1 << bits)
            assert result.value == want >> bits & 1
            assert result.violations == []
        result = m.call_abi(f"cry_bigint_mul_{variant}", wide, left, right, n)
        assert unpack(m.read(wide, bits // 4), m.xlen) == a * b
        assert result.violations == [] or isa == "rv32i"
        m.free_all()


@pytest.mark.parametrize("isa", library.ISAS)
def test_no_words(machine, isa):
    m = machine(isa, PARTS)
    for variant in ["c"] + ["looped"] * (isa in WITH_M):
        assert m.call(f"cry_bigint_add_{variant}", 0, 0, 0, 0).value == 0
        assert m.call(f"cry_bigint_sub_{variant}", 0, 0, 0, 0).value == 0


@pytest.mark.parametrize("isa", library.ISAS)
def test_montgomery(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for n in [1, 2, 3, 4, 7, 8, 12, 33]:
        for _ in range(6):
            bits, size = m.xlen * n, m.xlen * n // 8
            modulus = corner(rng, bits) | 1
            a, b = corner(rng, bits), corner(rng, bits) % modulus
            words = (
                m.alloc(pack(x, n, m.xlen), secret=secret)
                for x, secret in ((a, True), (b, True), (modulus, False))
            )
            left, right, mod = words
            lowest, word = modulus % (1 << m.xlen), 1 << m.xlen
            inverse = m.call("cry_bigint_mont_inverse", lowest).value % word
            assert inverse * modulus % word == word - 1
            out = rng.choice([left, right, m.alloc(size)])
            room = m.alloc(size + 3 * m.xlen // 8)
            # Seven arguments: all in registers.
            result = m.call_abi("cry_bigint_mont_mul", out, left, right, mod, n, inverse, room)
            want = a * b * pow(1 << bits, -1, modulus) % modulus
            assert unpack(m.read(out, size), m.xlen) == want
            assert result.violations == [] or isa == "rv32i"
            m.free_all()


def check_rows(m, rng, name, n, count, room):
    """Check what so many rows of a Montgomery multiplication leave in r, which has ``room``."""
    word, size = 1 << m.xlen, m.xlen // 8
    modulus = corner(rng, m.xlen * n) | 1
    r = rng.choice([2 * modulus - 1, rng.randrange(2 * modulus)])
    b, x = rng.choice([modulus - 1, rng.randrange(modulus)]), corner(rng, m.xlen * count)
    inverse = -pow(modulus, -1, word) % word
    total = m.alloc(pack(r, room, m.xlen), secret=True)
    right, mod = (m.alloc(pack(v, n, m.xlen), writable=False) for v in (b, modulus))
    left = x if count == 1 else m.alloc(pack(x, count, m.xlen), secret=True, writable=False)
    result = m.call_abi(name, total, right, mod, n, left, inverse)
    for k in range(count):
        r += (x >> m.xlen * k) % word * b
        r = (r + r * inverse % word * modulus) // word
    assert unpack(m.read(total, room * size), m.xlen) == r
    assert result.violations == []
    m.free_all()
    return result


@pytest.mark.parametrize("isa", WITH_M)
def test_montgomery_rows(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for n in range(looped.ROWS, 14):
        for _ in range(6):
            room = n + looped.ROWS - 1
            result = check_rows(m, rng, "cry_bigint_mont_rows_asm", n, looped.ROWS, room)
            assert result.cycles == 71 + 70 * n + n % 2


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_montgomery_row(machine, isa):
    """What the rows above leave over, or all if there are few words."""
    m, rng = machine(isa, PARTS), random.Random(isa)
    for n in range(1, 6):
        check_rows(m, rng, "cry_bigint_mont_row", n, 1, n + 1)
