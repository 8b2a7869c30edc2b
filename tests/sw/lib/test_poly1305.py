"""Poly1305: every variant against RFC 8439 and against arithmetic on whole numbers."""

import random

import pytest

from cryptile import library
from cryptile.asm.isa import Isa

PARTS = ("poly1305",)
PRIME = 2**130 - 5
CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
# RFC 8439, section 2.5.2 and appendix A.3 (cases 4 to 11, of which those that try the carries).
VECTORS = [
    (
        "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b",
        b"Cryptographic Forum Research Group".hex(),
        "a8061dc1305136c6c22b8baf0c0127a9",
    ),
    ("02" + "00" * 31, "ff" * 16, "03" + "00" * 15),
    ("02" + "00" * 15 + "ff" * 16, "02" + "00" * 15, "03" + "00" * 15),
    ("01" + "00" * 31, "ff" * 16 + "f0" + "ff" * 15 + "11" + "00" * 15, "05" + "00" * 15),
    ("01" + "00" * 31, "ff" * 16 + "fb" + "fe" * 15 + "01" * 16, "00" * 16),
    ("02" + "00" * 31, "fd" + "ff" * 15, "fa" + "ff" * 15),
    (
        "0100000000000000040000000000000000000000000000000000000000000000",
        "e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000"
        + "00" * 16
        + "01"
        + "00" * 15,
        "14000000000000005500000000000000",
    ),
]


def variants():
    found = []
    for name in library.ISAS:
        isa = Isa.parse(name)
        found.append((name, "c"))
        if "m" in isa:
            found.append((name, "multiply"))
        if isa.xlen == 32:
            found.append((name, "shift"))
    return found


def tag(key, message):
    r, s = int.from_bytes(key[:16], "little") & CLAMP, int.from_bytes(key[16:], "little")
    total = 0
    for at in range(0, len(message), 16):
        block = message[at : at + 16] + b"\1"
        total = (total + int.from_bytes(block, "little")) * r % PRIME
    return ((total + s) % 2**128).to_bytes(16, "little")


def run(m, key, chunks):
    """Return a tag by the streaming interface."""
    context, target = m.alloc(128), m.alloc(16)
    results = [m.call("cry_poly1305_init", context, m.alloc(key, secret=True))]
    results += [m.call("cry_poly1305_update", context, *chunk) for chunk in chunks]
    results.append(m.call("cry_poly1305_final", context, target))
    assert not any(result.violations for result in results)
    assert m.read(context, 80) == bytes(80)
    return m.read(target, 16)


@pytest.mark.parametrize(("isa", "variant"), variants())
def test_blocks(machine, isa, variant):
    m, rng = machine(isa, PARTS), random.Random(f"{isa} {variant}")
    for case in range(16):
        blocks, hibit = rng.randrange(5), rng.randrange(2)
        # Half of the cases are as large as they can be, so that all carries happen.
        edge = case % 2 == 0
        h = 5 * 2**128 - 1 - rng.randrange(4) if edge else rng.randrange(5 * 2**128)
        r = CLAMP if edge else rng.getrandbits(128) & CLAMP
        data = b"\xff" * (16 * blocks) if edge else rng.randbytes(16 * blocks)
        state = h.to_bytes(24, "little") + r.to_bytes(16, "little")
        address = m.alloc(state, secret=True)
        source = m.alloc(data, offset=case % 8, secret=True, writable=False)
        result = m.call_abi(f"cry_poly1305_blocks_{variant}", address, source, blocks, hibit)
        assert result.violations == []
        for at in range(0, len(data), 16):
            h += int.from_bytes(data[at : at + 16], "little") + (hibit << 128)
            h = h * r % PRIME
        after = m.read(address, 40)
        found = int.from_bytes(after[:24], "little")
        assert (found - h) % PRIME == 0
        assert found < 5 * 2**128
        assert after[24:] == state[24:]
        m.free_all()


@pytest.mark.parametrize("isa", library.ISAS)
def test_rfc_8439(machine, isa):
    m = machine(isa, PARTS)
    for key, message, expected in VECTORS:
        data = bytes.fromhex(message)
        assert tag(bytes.fromhex(key), data).hex() == expected
        assert run(m, bytes.fromhex(key), [(m.alloc(data), len(data))]).hex() == expected


def test_every_length_and_alignment(machine):
    m, rng = machine("rv32im", PARTS), random.Random(2)
    for length in range(258):
        for offset in range(4):
            key, data = rng.randbytes(32), rng.randbytes(length)
            assert run(m, key, [(m.alloc(data, offset=offset), length)]) == tag(key, data)
            m.free_all()


@pytest.mark.parametrize("isa", library.ISAS)
def test_chunks(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for _ in range(6):
        key, data = rng.randbytes(32), rng.randbytes(rng.randrange(150))
        address, chunks, at = m.alloc(data, offset=rng.randrange(8), secret=True), [], 0
        while at < len(data):
            step = min(rng.choice([0, 1, 15, 16, 17, 33, rng.randrange(70)]), len(data) - at)
            chunks.append((address + at, step))
            at += step
        assert run(m, key, chunks) == tag(key, data)


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
@pytest.mark.parametrize("above", range(-3, 8))
def test_final_reduction(machine, isa, above):
    """The sum just below and above the prime, where the last subtraction is decided."""
    m = machine(isa, PARTS)
    context, target = m.alloc(128), m.alloc(16)
    pad = 2**128 - 3
    m.call("cry_poly1305_init", context, m.alloc(bytes(16) + pad.to_bytes(16, "little")))
    m.write(context, (PRIME + above).to_bytes(24, "little"))
    m.call("cry_poly1305_final", context, target)
    expected = ((PRIME + above) % PRIME + pad) % 2**128
    assert m.read(target, 16) == expected.to_bytes(16, "little")
