"""Ascon on the instruction-set simulator: the AEAD in chunks, the sponges, their permutations."""

import random

import pytest
from support import ascon_vectors, wycheproof

from cryptile import library
from cryptile.asm.isa import Isa
from cryptile.jobs.oracle import ascon as reference

PARTS = ("ascon", "keccak")
FAST = ["rv32im", "rv32im_zba_zbb_zbkb_zbkx", "rv64im_zba_zbb"]
"""Plain and interleaved states, and 64 bits: enough for what is the same C code everywhere."""
OK, PARAM, STATE = 0, -1, -2
ENCRYPT, DECRYPT, ABSORB = 1, -1, 0
CONTEXT, XOF_CONTEXT = 64, 48
BOUNDS = {
    "cryptile_ascon_xof128_init": 192,
    "cryptile_ascon_cxof128_init": 224,
    "cryptile_ascon_xof_absorb": 224,
    "cryptile_ascon_xof_squeeze": 224,
}
"""Bytes of stack that the header states, for RV32."""


SBOX = bytes.fromhex("040b1f141a1509021b0508121d03061c1e13070e000d1118100c0119160a0f17")
"""The table of section 3.3 of SP 800-232; the first bit of a column is that of the first word."""


def interleaves(isa):
    return isa.xlen == 32 and isa.rotates and ("zbkb" in isa or not isa.carryless)


def to_lane(isa, lane):
    if not interleaves(isa):
        return lane
    bits = f"{lane:064b}"
    return int(bits[::2] + bits[1::2], 2)


def to_memory(isa, lanes):
    return b"".join(to_lane(isa, lane).to_bytes(8, "little") for lane in lanes)


def states(rng):
    return [[0] * 5, [2**64 - 1] * 5, [rng.getrandbits(64) for _ in range(5)]]


def clean(result):
    assert result.violations == []
    return result


@pytest.mark.parametrize("isa", library.ISAS)
@pytest.mark.parametrize("variant", ["c", "asm"])
def test_permutation(machine, isa, variant):
    m, rng, parsed = machine(isa, PARTS), random.Random(isa), Isa.parse(isa)
    for rounds in (8, 12):
        for state in states(rng):
            memory = m.alloc(to_memory(parsed, state), align=8, secret=True)
            clean(m.call_abi(f"cry_ascon_permute_{variant}", memory, rounds))
            assert m.read(memory, 40) == to_memory(parsed, reference.permute(state, rounds))


def blocks(state, data, mode):
    state, out = list(state), b""
    for at in range(0, len(data), 16):
        words = [int.from_bytes(data[n : n + 8], "little") for n in (at, at + 8)]
        mixed = [a ^ b for a, b in zip(state, words, strict=False)]
        out += b"".join(word.to_bytes(8, "little") for word in mixed)
        state[:2] = words if mode == DECRYPT else mixed
        state = reference.permute(state, 8)
    return state, out


@pytest.mark.parametrize("isa", library.ISAS)
@pytest.mark.parametrize("variant", ["c", "asm"])
@pytest.mark.parametrize("mode", [ENCRYPT, DECRYPT, ABSORB])
def test_blocks(machine, isa, variant, mode):
    m, rng, parsed = machine(isa, PARTS), random.Random(isa), Isa.parse(isa)
    for count in (0, 1, 3):
        for in_place in (False, True):
            state, data = states(rng)[-1], rng.randbytes(16 * count)
            memory = m.alloc(to_memory(parsed, state), align=8, secret=True)
            source = m.alloc(
                data,
                align=16,
                offset=parsed.word,
                secret=True,
                writable=in_place and mode != ABSORB,
            )
            target = source if in_place else m.alloc(len(data), align=16, offset=parsed.word)
            if mode == ABSORB:
                target = 0
            number = mode & 2**parsed.xlen - 1
            arguments = memory, source, target, count, number
            clean(m.call_abi(f"cry_ascon_blocks_{variant}", *arguments))
            after, out = blocks(state, data, mode)
            assert m.read(memory, 40) == to_memory(parsed, after)
            if target:
                assert m.read(target, len(data)) == out
            m.free_all()


@pytest.mark.parametrize(
    ("isa", "most"),
    [
        ("rv32i", 59.2),
        ("rv32im_zbb", 55.1),
        ("rv32im_zbb_zbc", 42.1),
        ("rv32im_zba_zbb_zbkb_zbkx", 39.1),
        ("rv64im", 29.7),
        ("rv64im_zba_zbb", 19.2),
    ],
)
def test_cycles_per_byte(machine, isa, most):
    m = machine(isa, PARTS)
    state, data = m.alloc(bytes(40), align=8), m.alloc(bytes(4096), align=8)
    assert m.call("cry_ascon_blocks_asm", state, data, data, 256, ENCRYPT).cycles <= most * 4096


def chunks(rng, data, limit):
    while data:
        size = rng.choice([0, 1, 8, 15, 16, rng.randrange(limit)])
        yield data[:size]
        data = data[size:]


class Aead:
    """Ascon-AEAD128 with buffers exact to the byte; key and texts are secret."""

    def __init__(self, machine, rng, key, nonce, direction):
        self.m, self.rng = machine, rng
        self.context = machine.alloc(CONTEXT, align=8)
        direction &= 2 ** Isa.parse(machine.isa).xlen - 1
        self.call("init", direction, self.source(key), self.source(nonce))

    def call(self, verb, *arguments):
        clean(self.m.call(f"cry_ascon_aead128_{verb}", self.context, *arguments))

    def source(self, data, offset=None, writable=False):
        offset = self.rng.randrange(8) if offset is None else offset
        return self.m.alloc(data, offset=offset, secret=True, writable=writable)

    def update(self, text, shifts=(None, None), in_place=False):
        source = self.source(text, shifts[0], writable=in_place)
        shift = self.rng.randrange(8) if shifts[1] is None else shifts[1]
        target = source if in_place else self.m.alloc(len(text), offset=shift)
        self.call("update", source, target, len(text))
        return self.m.read(target, len(text))

    def finish(self):
        tag = self.m.alloc(16, offset=self.rng.randrange(8))
        self.call("finish", tag)
        assert not any(self.m.read(self.context, CONTEXT))
        return self.m.read(tag, 16)


def expected_of(rng, length, aad_length):
    key, nonce = rng.randbytes(16), rng.randbytes(16)
    aad, text = rng.randbytes(aad_length), rng.randbytes(length)
    return key, nonce, aad, text, *reference.aead128(key, nonce, aad, text)


def check(m, rng, case, shifts=(None, None), *, in_place=False):
    key, nonce, aad, text, ciphertext, tag = case
    for direction, given, wanted in ((ENCRYPT, text, ciphertext), (DECRYPT, ciphertext, text)):
        aead = Aead(m, rng, key, nonce, direction)
        aead.call("aad", aead.source(aad), len(aad))
        assert aead.update(given, shifts, in_place) == wanted
        assert aead.finish() == tag
        m.free_all()


def test_every_length_and_alignment(machine):
    m, rng = machine("rv32im", PARTS), random.Random(1)
    for length in range(258):
        case = expected_of(rng, length, rng.randrange(40))
        for shift in range(4):
            check(m, rng, case, (shift, rng.randrange(4)), in_place=rng.random() < 0.3)


@pytest.mark.parametrize("isa", library.ISAS)
def test_lengths_and_alignments(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for length in (0, 15, 16, 17, *(rng.randrange(258) for _ in range(12))):
        case = expected_of(rng, length, rng.choice([0, 15, 16, 17, rng.randrange(200)]))
        check(m, rng, case, in_place=rng.random() < 0.3)


@pytest.mark.parametrize("isa", library.ISAS)
def test_chunks(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for direction in (ENCRYPT, DECRYPT):
        key, nonce, aad, text, ciphertext, tag = expected_of(rng, rng.randrange(400), 70)
        given, wanted = (text, ciphertext) if direction == ENCRYPT else (ciphertext, text)
        aead = Aead(m, rng, key, nonce, direction)
        for chunk in chunks(rng, aad, 40):
            aead.call("aad", aead.source(chunk), len(chunk))
        assert b"".join(map(aead.update, chunks(rng, given, 90))) == wanted
        assert aead.finish() == tag
        m.free_all()


@pytest.mark.parametrize("isa", FAST)
def test_wycheproof(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    data = wycheproof.load("ascon_sp800_232_aead128_test.json")
    cases = [test for group in data["testGroups"] for test in group["tests"]]
    assert len(cases) == data["numberOfTests"]
    for case in cases:
        key, nonce, aad, text, ciphertext, tag = (
            bytes.fromhex(case[field]) for field in ("key", "iv", "aad", "msg", "ct", "tag")
        )
        aead = Aead(m, rng, key, nonce, DECRYPT)
        aead.call("aad", aead.source(aad), len(aad))
        decrypted = aead.update(ciphertext)
        valid = aead.finish() == tag
        assert valid == (case["result"] == "valid"), case["comment"]
        if valid:
            assert decrypted == text
            check(m, rng, (key, nonce, aad, text, ciphertext, tag))
        m.free_all()


def permute_by_table(state, rounds):
    """The permutation with the S-box looked up, column by column."""
    for number in range(12 - rounds, 12):
        state = [state[0], state[1], state[2] ^ (0xF0 - 15 * number), *state[3:]]
        columns = [sum((state[n] >> bit & 1) << (4 - n) for n in range(5)) for bit in range(64)]
        words = [
            sum((SBOX[column] >> (4 - n) & 1) << bit for bit, column in enumerate(columns))
            for n in range(5)
        ]
        turns = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
        state = [x ^ turned(x, a) ^ turned(x, b) for x, (a, b) in zip(words, turns, strict=True)]
    return state


def turned(word, bits):
    return (word >> bits | word << 64 - bits) & (2**64 - 1)


def test_reference_permutation_by_table():
    """Two ways to write the S-box: the standard's table, and the logic of the reference."""
    rng = random.Random(3)
    for rounds in (1, 6, 8, 12):
        for state in [*states(rng), *states(rng)]:
            assert reference.permute(state, rounds) == permute_by_table(state, rounds)


def test_known_answers_of_the_reference():
    """The designers' known answers; of the sponges, the shorter messages."""
    for key, nonce, aad, text, out in ascon_vectors.aead128():
        assert b"".join(reference.aead128(key, nonce, aad, text)) == out
        back = reference.aead128(key, nonce, aad, out[:-16], decrypt=True)
        assert back == (text, out[-16:])
    for message, digest in ascon_vectors.hash256()[:129]:
        assert reference.hash256(message) == digest
    for message, out in ascon_vectors.xof128()[:129]:
        assert reference.xof128(message, len(out)) == out
    for message, custom, out in ascon_vectors.cxof128()[::9]:
        assert reference.cxof128(message, len(out), custom) == out


class Xof:
    """The sponges through the public functions; messages are secret."""

    def __init__(self, machine):
        self.m = machine
        self.context = machine.alloc(XOF_CONTEXT, align=8)

    def __call__(self, verb, *arguments):
        symbol = f"cryptile_ascon_{verb}"
        result = clean(self.m.call(symbol, *arguments))
        if self.m.isa.startswith("rv32"):
            assert result.stack_bytes <= BOUNDS[symbol], symbol
        value = result.value & 0xFFFFFFFF
        return value - (value >> 31 << 32)

    def absorb(self, rng, message):
        for chunk in chunks(rng, message, 60):
            source = self.m.alloc(chunk, offset=rng.randrange(8), secret=True, writable=False)
            assert self("xof_absorb", self.context, source, len(chunk)) == OK

    def squeeze(self, rng, length):
        out = b""
        for part in chunks(rng, bytes(length), 60):
            target = self.m.alloc(len(part), offset=rng.randrange(8))
            assert self("xof_squeeze", self.context, target, len(part)) == OK
            out += self.m.read(target, len(part))
        return out


@pytest.mark.parametrize("isa", FAST)
def test_known_answers(machine, isa):
    """The designers'; of the sponges every fourteenth, with messages of up to 1,024 bytes."""
    m, rng = machine(isa, PARTS), random.Random(isa)
    for key, nonce, aad, text, out in ascon_vectors.aead128():
        check(m, rng, (key, nonce, aad, text, out[:-16], out[-16:]))
    x = Xof(m)
    for message, digest in ascon_vectors.hash256()[::14]:
        m.call("cry_ascon_hash256_init", x.context)
        x.absorb(rng, message)
        assert x.squeeze(rng, 32) == digest
    for message, out in ascon_vectors.xof128()[::14]:
        assert x("xof128_init", x.context) == OK
        x.absorb(rng, message)
        assert x.squeeze(rng, len(out)) == out
    for message, custom, out in ascon_vectors.cxof128()[::14]:
        address = m.alloc(custom, writable=False) if custom else 0
        assert x("cxof128_init", x.context, address, len(custom)) == OK
        x.absorb(rng, message)
        assert x.squeeze(rng, len(out)) == out


@pytest.mark.parametrize("isa", library.ISAS)
def test_sponges(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for length in (0, 7, 8, 9, rng.randrange(200)):
        message, size = rng.randbytes(length), rng.randrange(1, 100)
        custom = rng.randbytes(rng.choice([0, 8, 256, rng.randrange(256)]))
        x = Xof(m)
        assert x("xof128_init", x.context) == OK
        x.absorb(rng, message)
        assert x.squeeze(rng, size) == reference.xof128(message, size)
        address = m.alloc(custom, writable=False) if custom else 0
        assert x("cxof128_init", x.context, address, len(custom)) == OK
        x.absorb(rng, message)
        assert x.squeeze(rng, size) == reference.cxof128(message, size, custom)
        m.call("cry_ascon_hash256_init", x.context)
        x.absorb(rng, message)
        assert x.squeeze(rng, 32) == reference.hash256(message)
        m.free_all()


def test_every_length_hashed(machine):
    m, rng = machine("rv32im_zba_zbb_zbkb_zbkx", PARTS), random.Random(2)
    message = rng.randbytes(64)
    for length in range(65):
        x = Xof(m)
        m.call("cry_ascon_hash256_init", x.context)
        x.absorb(rng, message[:length])
        assert x.squeeze(rng, 32) == reference.hash256(message[:length])
        m.free_all()


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_wrong_parameters(machine, isa):
    m = machine(isa, PARTS)
    x, data = Xof(m), m.alloc(bytes(257))
    assert x("xof128_init", 0) == PARAM
    assert x("cxof128_init", 0, data, 4) == PARAM
    assert x("cxof128_init", x.context, 0, 4) == PARAM
    assert x("cxof128_init", x.context, data, 257) == PARAM
    assert x("xof_absorb", x.context, data, 4) == STATE
    assert x("xof_squeeze", x.context, data, 4) == STATE
    assert x("xof128_init", x.context) == OK
    for verb in ("xof_absorb", "xof_squeeze"):
        assert x(verb, 0, data, 4) == PARAM
        assert x(verb, x.context, 0, 4) == PARAM
        assert x(verb, x.context, 0, 0) == OK
    assert x("xof_absorb", x.context, data, 4) == STATE
    m.call("cryptile_ascon_xof_wipe", 0)
    m.call("cryptile_ascon_xof_wipe", x.context)
    assert not any(m.read(x.context, XOF_CONTEXT))
