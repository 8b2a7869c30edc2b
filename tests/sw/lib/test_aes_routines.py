"""The assembly routines of AES one by one: convention, bounds, secrets, counters, and cycles."""

import random

import pytest
from aes_calls import PARTS, RV32_ISAS, ZKN_ISAS, Keys, pass_blocks, reference

from cryptile import library
from cryptile.asm.isa import Isa

SIZES = (16, 24, 32)


def counter_at(rng, number: int) -> bytes:
    return rng.randbytes(12) + (number & 0xFFFFFFFF).to_bytes(4, "big")


def key_stream(key: bytes, counter: bytes, blocks: int) -> bytes:
    first = int.from_bytes(counter[12:], "big")
    numbers = ((first + n) & 0xFFFFFFFF for n in range(blocks))
    plain = b"".join(counter[:12] + n.to_bytes(4, "big") for n in numbers)
    return reference("ecb", key, b"", plain)


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def place_buffers(m, data: bytes, word: int, *, in_place: bool, secret: bool = True):
    """Place input and output aligned to a register, at odd multiples of it."""
    source = m.alloc(data, offset=word, secret=secret, writable=in_place)
    return source, source if in_place else m.alloc(len(data), offset=word)


def run_counter(m, symbol, keys, counter, data, passes, *, in_place=False, secret=True):
    word = m.xlen // 8
    place = m.alloc(counter, offset=word)
    source, target = place_buffers(m, data, word, in_place=in_place, secret=secret)
    result = m.call_abi(symbol, *keys, place, source, target, passes)
    moved = int.from_bytes(counter[12:], "big") + len(data) // 16 & 0xFFFFFFFF
    assert m.read(place, 16) == counter[:12] + moved.to_bytes(4, "big")
    return m.read(target, len(data)), result


def run(m, symbol, keys, data, *more, in_place=False, secret=True):
    source, target = place_buffers(m, data, m.xlen // 8, in_place=in_place, secret=secret)
    result = m.call_abi(symbol, *keys, source, target, *more)
    return m.read(target, len(data)), result


@pytest.mark.parametrize("isa", library.ISAS)
@pytest.mark.parametrize("variant", ["c", "asm"])
def test_bitsliced(machine, isa, variant):
    m, rng, blocks = machine(isa, PARTS), random.Random(f"{isa} {variant}"), pass_blocks(isa)
    for size in SIZES:
        key = rng.randbytes(size)
        keys = Keys(m, key)
        given = keys.sliced, keys.rounds
        for decrypt, name in enumerate(("encrypt", "decrypt")):
            data = rng.randbytes(16 * blocks)
            got, result = run(
                m, f"cry_aes_bitsliced_{name}_{variant}", given, data, in_place=bool(decrypt)
            )
            assert got == reference("ecb", key, b"", data, decrypt=bool(decrypt))
            assert result.violations == []
        for number, passes in ((0, 1), (-3 * blocks, 5), (257 - blocks, 2), (254 + size, 2)):
            counter, data = counter_at(rng, number), rng.randbytes(16 * blocks * passes)
            symbol = f"cry_aes_bitsliced_ctr_{variant}"
            got, result = run_counter(m, symbol, given, counter, data, passes, in_place=passes == 5)
            assert got == xor(data, key_stream(key, counter, blocks * passes))
            assert result.violations == []
        m.free_all()


@pytest.mark.parametrize("isa", library.ISAS)
def test_wide(machine, isa):
    m, rng, blocks = machine(isa, PARTS), random.Random(isa), 4 * pass_blocks(isa)
    for size in SIZES:
        key = rng.randbytes(size)
        keys = Keys(m, key)
        for number, passes in ((0, 1), (-2 * blocks, 4), (256 - blocks, 3)):
            counter, data = counter_at(rng, number), rng.randbytes(16 * blocks * passes)
            got, result = run_counter(
                m,
                "cry_aes_wide_ctr_asm",
                (keys.wide, keys.rounds),
                counter,
                data,
                passes,
                in_place=passes == 3,
            )
            assert got == xor(data, key_stream(key, counter, blocks * passes))
            assert result.violations == []
        m.free_all()


@pytest.mark.parametrize("isa", library.ISAS)
def test_keys(machine, isa):
    """Assembly and C make the same keys of all forms, from any address, and say nothing."""
    m, rng, word = machine(isa, PARTS), random.Random(isa), Isa.parse(isa).word
    for size in SIZES:
        key, rounds = rng.randbytes(size), 6 + size // 4
        keys = Keys(m, key)
        words = m.alloc(16 * (rounds + 1))
        m.call("cry_aes_compact_expand_key", words, rounds, m.alloc(key))
        expected = m.read(words, 16 * (rounds + 1))
        assert m.read(keys.words, len(expected)) == expected
        for offset in range(4):
            for variant in ("c", "asm") if offset else ("c",):
                given = m.alloc(key, offset=offset, secret=True)
                result = m.call_abi(f"cry_aes_bitsliced_expand_key_{variant}", words, rounds, given)
                assert m.read(words, len(expected)) == expected
                assert result.violations == []
        for name, place, size_ in (
            ("bitsliced_slice_keys", keys.sliced, 8 * word * (rounds + 1)),
            ("wide_keys", keys.wide, 32 * word * (rounds + 1)),
        ):
            other = m.alloc(size_)
            result = m.call(f"cry_aes_{name}_c", other, keys.words, rounds)
            assert m.read(other, size_) == m.read(place, size_)
            assert result.violations == []
        m.write(words, bytes(len(expected)))
        result = m.call_abi("cry_aes_bitsliced_unslice_keys_asm", words, keys.sliced, rounds)
        assert m.read(words, len(expected)) == expected
        assert result.violations == []
        m.free_all()


@pytest.mark.parametrize("isa", ZKN_ISAS)
def test_zkn(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for size in SIZES:
        key = rng.randbytes(size)
        keys = Keys(m, key)
        words = m.alloc(16 * (keys.rounds + 1))
        result = m.call_abi(
            "cry_aes_zkn_expand_key_asm", words, keys.rounds, m.alloc(key, offset=3, secret=True)
        )
        assert m.read(words, 16 * (keys.rounds + 1)) == m.read(keys.words, 16 * (keys.rounds + 1))
        assert result.violations == []
        for blocks in (0, 1, 3, 4, 5, 8, 11, 17):
            data = rng.randbytes(16 * blocks)
            for decrypt, name in enumerate(("encrypt", "decrypt")):
                given = (keys.inverse if decrypt else keys.words), keys.rounds
                got, result = run(
                    m, f"cry_aes_zkn_{name}_asm", given, data, blocks, in_place=blocks == 11
                )
                assert got == reference("ecb", key, b"", data, decrypt=bool(decrypt))
                assert result.violations == []
            for number in (0, 2, -blocks, 0x1FFFFFFD):
                counter = counter_at(rng, number)
                got, result = run_counter(
                    m,
                    "cry_aes_zkn_ctr_asm",
                    (keys.words, keys.rounds),
                    counter,
                    data,
                    blocks,
                    in_place=blocks == 17,
                )
                assert got == xor(data, key_stream(key, counter, blocks))
                assert result.violations == []
        m.free_all()


@pytest.mark.parametrize("isa", RV32_ISAS)
def test_table(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for size in SIZES:
        key, rounds = rng.randbytes(size), 6 + size // 4
        words, inverse = m.alloc(16 * (rounds + 1)), m.alloc(16 * (rounds + 1))
        for place in (words, inverse):
            m.call("cry_aes_table_expand_key", place, rounds, m.alloc(key))
        m.call("cry_aes_table_invert_key", inverse, rounds)
        for blocks in (0, 1, 2, 5):
            data = rng.randbytes(16 * blocks)
            for decrypt, name in enumerate(("encrypt", "decrypt")):
                given = (inverse if decrypt else words), rounds
                got, _ = run(
                    m,
                    f"cry_aes_table_{name}_asm",
                    given,
                    data,
                    blocks,
                    in_place=blocks == 5,
                    secret=False,
                )
                assert got == reference("ecb", key, b"", data, decrypt=bool(decrypt))
            for number in (0, 254, -blocks):
                counter = counter_at(rng, number)
                got, _ = run_counter(
                    m,
                    "cry_aes_table_ctr_asm",
                    (words, rounds),
                    counter,
                    data,
                    blocks,
                    in_place=blocks == 5,
                    secret=False,
                )
                assert got == xor(data, key_stream(key, counter, blocks))
        m.free_all()


@pytest.mark.parametrize("isa", RV32_ISAS)
def test_small(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for size in SIZES:
        key, rounds, data = rng.randbytes(size), 6 + size // 4, rng.randbytes(16)
        words = m.alloc(16 * (rounds + 1))
        for offset in range(4):
            m.call_abi("cry_aes_small_expand_key_asm", words, rounds, m.alloc(key, offset=offset))
            got, _ = run(
                m,
                "cry_aes_small_encrypt_asm",
                (words, rounds),
                data,
                in_place=offset == 3,
                secret=False,
            )
            assert got == reference("ecb", key, b"", data)
        m.free_all()


@pytest.mark.parametrize("isa", ["rv32im", "rv32im_zkn"])
@pytest.mark.parametrize("name", ["table_encrypt", "table_ctr", "small_encrypt"])
def test_tables_show_secrets(machine, isa, name):
    m = machine(isa, PARTS)
    keys = Keys(m, bytes(range(16)))
    given = keys.words, keys.rounds
    blocks = () if name.startswith("small") else (1,)
    if name.endswith("ctr"):
        _, result = run_counter(m, f"cry_aes_{name}_asm", given, bytes(16), bytes(16), *blocks)
    else:
        _, result = run(m, f"cry_aes_{name}_asm", given, bytes(16), *blocks)
    assert {violation.kind for violation in result.violations} == {"load"}


BULK = 4096
SPEED = [
    # Routine, instruction set, most cycles a byte on the simple model, over 4096 bytes.
    ("table_encrypt", "rv32i", 55.5),
    ("table_encrypt", "rv32im_zba", 50.5),
    ("bitsliced_ctr", "rv32i", 82),
    ("wide_ctr", "rv32i", 70),
    ("wide_ctr", "rv32im_zbb", 66),
    ("bitsliced_ctr", "rv64im", 46),
    ("bitsliced_ctr", "rv64im_zba_zbb", 40),
    ("zkn_ctr", "rv32im_zkn", 12.2),
    ("zkn_encrypt", "rv32im_zkn", 12.2),
    ("zkn_ctr", "rv64im_zkn", 3.3),
    ("zkn_encrypt", "rv64im_zkn", 3.3),
]


@pytest.mark.parametrize(("name", "isa", "most"), SPEED)
def test_speed(machine, name, isa, most):
    m = machine(isa, PARTS)
    keys = Keys(m, bytes(range(16)))
    form = {"bitsliced": keys.sliced, "wide": keys.wide}.get(name.split("_")[0], keys.words)
    blocks = {"bitsliced": 1, "wide": 4}.get(name.split("_")[0], 0) * pass_blocks(isa) or 1
    call = run_counter if name.endswith("ctr") else run
    start = [bytes(16)] if name.endswith("ctr") else []
    _, result = call(
        m, f"cry_aes_{name}_asm", (form, keys.rounds), *start, bytes(BULK), BULK // 16 // blocks
    )
    assert 0.8 * most < result.cycles / BULK <= most


def test_speed_of_the_small_variant_and_of_the_key_schedule(machine):
    m = machine("rv32imc", PARTS)
    keys = Keys(m, bytes(range(16)))
    assert sum(keys.cycles[:2]) <= 3673
    _, result = run(m, "cry_aes_small_encrypt_asm", (keys.words, keys.rounds), bytes(16))
    assert result.cycles <= 1600
