"""Keccak-f[1600], sponges on it, SHAKE, cSHAKE and KMAC on the instruction-set simulator."""

import hashlib
import random
from pathlib import Path

import cryptography_vectors
import pytest
from support import wycheproof

from cryptile import library
from cryptile.asm.isa import Isa
from cryptile.jobs.oracle import keccak as reference

PARTS = ("keccak",)
FAST = ["rv32im", "rv32im_zba_zbb_zbkb_zbkx", "rv64im_zba_zbb"]
"""Plain and interleaved states, and 64 bits: enough for what is the same C code everywhere."""
OK, PARAM, STATE, AUTH = 0, -1, -2, -10
RATES = {128: 168, 256: 136}
CONTEXT = 216
VECTORS = Path(cryptography_vectors.__file__).parent / "hashes"
BOUNDS = {
    "cryptile_shake_init": 64,
    "cryptile_cshake_init": 448,
    "cryptile_xof_absorb": 416,
    "cryptile_xof_squeeze": 416,
    "cryptile_shake": 704,
    "cryptile_kmac_init": 464,
    "cryptile_kmac_update": 416,
    "cryptile_kmac_final": 448,
    "cryptile_kmac_verify": 496,
    "cryptile_kmac_squeeze": 448,
}
"""Bytes of stack that the header states, for RV32."""


def interleaved(lane):
    bits = f"{lane:064b}"
    return int(bits[::2] + bits[1::2], 2)


def variants(isa):
    found = ["c", "asm", "looped"]
    return found if Isa.parse(isa).xlen == 64 else [*found, "interleaved_c", "interleaved_asm"]


def lanes_to_bytes(lanes):
    return b"".join(lane.to_bytes(8, "little") for lane in lanes)


class Caller:
    """Calls with buffers exact to the byte; what is secret is marked."""

    def __init__(self, machine, secret=False):
        self.m, self.secret = machine, secret
        self.context = machine.alloc(CONTEXT, align=8)

    def source(self, data, offset=0, secret=None):
        if data is None:
            return 0, 0
        secret = self.secret if secret is None else secret
        return self.m.alloc(data, offset=offset, writable=False, secret=secret), len(data)

    def __call__(self, verb, *arguments):
        result = self.m.call(f"cryptile_{verb}", *arguments)
        assert result.violations == []
        if self.m.isa.startswith("rv32"):
            assert result.stack_bytes <= BOUNDS.get(f"cryptile_{verb}", 10**6), verb
        value = result.value & 0xFFFFFFFF
        return value - (value >> 31 << 32)

    def squeeze(self, verb, length, offset=0):
        target = self.m.alloc(length, offset=offset)
        assert self(f"{verb}_squeeze", self.context, target, length) == OK
        return self.m.read(target, length)


def chunks(rng, data, limit):
    while data:
        size = rng.choice([0, 1, 7, 8, rng.randrange(limit)])
        yield data[:size]
        data = data[size:]


def test_reference_is_sha3():
    for length in (0, 135, 136, 300):
        text = bytes(range(256)) * 2
        digest = hashlib.sha3_256(text[:length]).digest()
        assert reference.sponge(136, 0x06, text[:length], 32) == digest


@pytest.mark.parametrize("isa", library.ISAS)
def test_permutations(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    states = [[0] * 25, [2**64 - 1] * 25, [rng.getrandbits(64) for _ in range(25)]]
    for variant in variants(isa):
        order = interleaved if variant.startswith("interleaved") else int
        for state in states:
            memory = m.alloc(lanes_to_bytes(map(order, state)), align=8, secret=True)
            result = m.call_abi(f"cry_keccak_f1600_{variant}", memory)
            permuted = reference.permute(lanes_to_bytes(state))
            lanes = (int.from_bytes(permuted[at : at + 8], "little") for at in range(0, 200, 8))
            expected = lanes_to_bytes(map(order, lanes))
            assert m.read(memory, 200) == expected
            assert result.violations == []
        m.free_all()


@pytest.mark.parametrize(
    ("isa", "variant", "cycles"),
    [
        ("rv32i", "asm", 12284),
        ("rv32i", "looped", 12739),
        ("rv32i", "interleaved_asm", 11416),
        ("rv32im_zbb", "interleaved_asm", 8441),
        ("rv64im", "asm", 4928),
        ("rv64im_zba_zbb", "asm", 3381),
    ],
)
def test_cycles(machine, isa, variant, cycles):
    m = machine(isa, PARTS)
    assert m.call(f"cry_keccak_f1600_{variant}", m.alloc(bytes(200), align=8)).cycles == cycles


def hash_once(m, message, *, rate=136, suffix=0x06, size=32, shifts=(0, 0)):
    context = m.alloc(208, align=8)
    m.call("cry_keccak_init", context, rate, suffix)
    source = m.alloc(message, offset=shifts[0], writable=False, secret=True)
    assert m.call("cry_keccak_absorb", context, source, len(message)).violations == []
    target = m.alloc(size, offset=shifts[1])
    assert m.call("cry_keccak_squeeze", context, target, size).violations == []
    digest = m.read(target, size)
    m.free_all()
    return digest


@pytest.mark.parametrize("isa", ["rv32im", "rv32im_zba_zbb_zbkb_zbkx"])
def test_every_length_and_alignment(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    text = rng.randbytes(257)
    for length in range(258):
        expected = hashlib.sha3_256(text[:length]).digest()
        for shift in range(4):
            shifts = shift, rng.randrange(4)
            assert hash_once(m, text[:length], shifts=shifts) == expected


@pytest.mark.parametrize("isa", library.ISAS)
def test_lengths_rates_and_alignments(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    word = Isa.parse(isa).word
    for _ in range(25):
        rate, suffix, size = rng.randrange(1, 200), rng.choice([6, 0x1F, 4]), rng.randrange(400)
        text = rng.randbytes(rng.randrange(300))
        if rng.random() < 0.5:
            rate, suffix = 136, 0x1F
            expected = hashlib.shake_256(text).digest(size)
        else:
            text, size = text[: 4 * rate], min(size, 3 * rate)
            expected = reference.sponge(rate, suffix, text, size)
        shifts = rng.randrange(word), rng.randrange(word)
        assert hash_once(m, text, rate=rate, suffix=suffix, size=size, shifts=shifts) == expected


def vectors(name, *fields):
    """Return the values of the named fields of a CAVP file, one tuple each time the last comes."""
    found, values = [], {}
    for line in (VECTORS / name).read_text().splitlines():
        field, _, value = (part.strip(" []") for part in line.partition("="))
        values[field] = value
        if field == fields[-1]:
            found.append(tuple(values[field] for field in fields))
    assert len(found) > 20
    return found


@pytest.mark.parametrize("bits", [224, 256, 384, 512])
def test_sha3_of_nist(machine, bits):
    m = machine("rv32im_zba_zbb_zbkb_zbkx", PARTS)
    cases = vectors(f"SHA3/SHA3_{bits}ShortMsg.rsp", "Len", "Msg", "MD")
    cases += vectors(f"SHA3/SHA3_{bits}LongMsg.rsp", "Len", "Msg", "MD")[::20]
    for length, message, digest in cases:
        text = bytes.fromhex(message)[: int(length) // 8]
        got = hash_once(m, text, rate=200 - bits // 4, size=bits // 8)
        assert got == bytes.fromhex(digest)


@pytest.mark.parametrize("bits", [128, 256])
@pytest.mark.parametrize("isa", FAST)
def test_shake_of_nist(machine, isa, bits):
    m = machine(isa, PARTS)
    cases = [
        (int(length) // 8, message, output)
        for length, message, output in (
            *vectors(f"SHAKE/SHAKE{bits}ShortMsg.rsp", "Len", "Msg", "Output"),
            *vectors(f"SHAKE/SHAKE{bits}LongMsg.rsp", "Len", "Msg", "Output")[::20],
        )
    ]
    for message, output in vectors(f"SHAKE/SHAKE{bits}VariableOut.rsp", "Msg", "Output")[::7]:
        cases.append((len(message) // 2, message, output))
    for length, message, output in cases:
        c, size = Caller(m), len(output) // 2
        target = m.alloc(size)
        source = c.source(bytes.fromhex(message)[:length])
        assert c("shake", RATES[bits], *source, target, size) == OK
        assert m.read(target, size) == bytes.fromhex(output)
        m.free_all()


@pytest.mark.parametrize("isa", library.ISAS)
def test_streams(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for bits in (128, 256):
        text, size = rng.randbytes(rng.randrange(700)), rng.randrange(1, 700)
        c = Caller(m, secret=True)
        assert c("shake_init", c.context, RATES[bits]) == OK
        for chunk in chunks(rng, text, 300):
            assert c("xof_absorb", c.context, *c.source(chunk, rng.randrange(8))) == OK
        out = b"".join(
            c.squeeze("xof", len(part), rng.randrange(8)) for part in chunks(rng, bytes(size), 300)
        )
        assert out == getattr(hashlib, f"shake_{bits}")(text).digest(size)
        m.free_all()


CSHAKE_SAMPLES = [
    # NIST, "cSHAKE samples": strength, message, output.
    (128, 4, "c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5"),
    (
        256,
        4,
        "d008828e2b80ac9d2218ffee1d070c48b8e4c87bff32c9699d5b6896eee0edd1"
        "64020e2be0560858d9c00c037e34a96937c561a74c412bb4c746469527281c8c",
    ),
]
TAG = b"My Tagged Application"
KMAC_SAMPLES = [
    # NIST, "KMAC samples" and "KMACXOF samples": strength, message, customization, xof, output.
    (128, 4, b"", False, "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"),
    (128, 4, TAG, False, "3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5"),
    (128, 200, TAG, False, "1f5b4e6cca02209e0dcb5ca635b89a15e271ecc760071dfd805faa38f9729230"),
    (
        256,
        4,
        TAG,
        False,
        "20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7"
        "f69d4cc3de9d104a351689f27cf6f5951f0103f33f4f24871024d9c27773a8dd",
    ),
    (128, 4, b"", True, "cd83740bbd92ccc8cf032b1481a0f4460e7ca9dd12b08a0c4031178bacd6ec35"),
    (
        256,
        4,
        TAG,
        True,
        "1755133f1534752aad0748f2c706fb5c784512cab835cd15676b16c0c6647fa9"
        "6faa7af634a0bf8ff6df39374fa00fad9a39e322a7c92065a64eb1fb0801eb2b",
    ),
]


def cshake(m, bits, message, size, name, custom, secret=False):
    c = Caller(m, secret)
    texts = c.source(name, secret=False) + c.source(custom, secret=False)
    assert c("cshake_init", c.context, RATES[bits], *texts) == OK
    assert c("xof_absorb", c.context, *c.source(message)) == OK
    return c.squeeze("xof", size)


def kmac(m, rng, bits, key, message, size, custom, xof=False):
    c = Caller(m, secret=True)
    texts = c.source(key, rng.randrange(8)) + c.source(custom, secret=False)
    assert c("kmac_init", c.context, RATES[bits], *texts) == OK
    for chunk in chunks(rng, message, 100):
        assert c("kmac_update", c.context, *c.source(chunk, rng.randrange(8))) == OK
    if xof:
        first = rng.randrange(size)
        return c.squeeze("kmac", first) + c.squeeze("kmac", size - first)
    target = m.alloc(size)
    copy = Caller(m, secret=True)
    m.write(copy.context, m.read(c.context, CONTEXT))
    assert c("kmac_final", c.context, target, size) == OK
    assert not any(m.read(c.context, CONTEXT))
    mac = m.read(target, size)
    m.taint(copy.context, 200, secret=True)
    wrong = bytearray(mac)
    wrong[rng.randrange(size)] ^= 1 << rng.randrange(8)
    state = m.read(copy.context, CONTEXT)
    for given, verdict in ((mac, OK), (bytes(wrong), AUTH)):
        m.write(copy.context, state)
        assert copy("kmac_verify", copy.context, *copy.source(given)) == verdict
        assert not any(m.read(copy.context, CONTEXT))
    return mac


@pytest.mark.parametrize("isa", FAST)
def test_samples_of_nist(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for bits, length, output in CSHAKE_SAMPLES:
        size = len(output) // 2
        got = cshake(m, bits, bytes(range(length)), size, None, b"Email Signature")
        assert got.hex() == output
    key = bytes(range(0x40, 0x60))
    for bits, length, custom, xof, output in KMAC_SAMPLES:
        text, size = bytes(range(length)), len(output) // 2
        assert reference.kmac(RATES[bits], key, text, size, custom, xof).hex() == output
        assert kmac(m, rng, bits, key, text, size, custom or None, xof).hex() == output
    m.free_all()


@pytest.mark.parametrize("isa", library.ISAS)
def test_cshake_and_kmac_at_random(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    for bits in (128, 256):
        text, key = rng.randbytes(rng.randrange(400)), rng.randbytes(rng.randrange(300))
        name, custom = rng.randbytes(rng.randrange(3)), rng.randbytes(rng.randrange(200))
        rate, size = RATES[bits], rng.randrange(1, 300)
        expected = reference.cshake(rate, text, size, name, custom)
        assert cshake(m, bits, text, size, name, custom, secret=True) == expected
        for xof in (False, True):
            expected = reference.kmac(rate, key, text, size, custom, xof)
            assert kmac(m, rng, bits, key, text, size, custom, xof) == expected
        m.free_all()


def test_cshake_without_strings_is_shake(machine):
    m = machine("rv32im", PARTS)
    assert cshake(m, 128, b"abc", 50, b"", None) == hashlib.shake_128(b"abc").digest(50)


@pytest.mark.parametrize("bits", [128, 256])
def test_wycheproof_kmac(machine, bits):
    m = machine("rv64im_zba_zbb", PARTS)
    data = wycheproof.load(f"kmac{bits}_no_customization_test.json")
    cases = [test for group in data["testGroups"] for test in group["tests"]]
    assert len(cases) == data["numberOfTests"]
    for case in cases:
        key, message, tag = (bytes.fromhex(case[field]) for field in ("key", "msg", "tag"))
        c = Caller(m)
        assert c("kmac_init", c.context, RATES[bits], *c.source(key), 0, 0) == OK
        assert c("kmac_update", c.context, *c.source(message)) == OK
        verdict = OK if case["result"] == "valid" else AUTH
        assert c("kmac_verify", c.context, *c.source(tag)) == verdict, case["comment"]
        m.free_all()


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_wrong_parameters_of_xof(machine, isa):
    m = machine(isa, PARTS)
    c = Caller(m)
    data = m.alloc(b"data")
    init = c.context, RATES[128]
    assert c("shake_init", 0, RATES[128]) == PARAM
    assert c("shake_init", c.context, 100) == PARAM
    assert c("xof_absorb", c.context, data, 4) == STATE
    assert c("xof_squeeze", c.context, data, 4) == STATE
    assert c("cshake_init", 0, RATES[128], data, 4, data, 4) == PARAM
    assert c("cshake_init", c.context, 100, data, 4, data, 4) == PARAM
    assert c("cshake_init", *init, 0, 4, data, 4) == PARAM
    assert c("cshake_init", *init, data, 4, 0, 4) == PARAM
    assert c("xof_absorb", c.context, data, 4) == STATE
    assert c("shake_init", *init) == OK
    assert c("xof_absorb", 0, data, 4) == PARAM
    assert c("xof_absorb", c.context, 0, 4) == PARAM
    assert c("xof_absorb", c.context, 0, 0) == OK
    assert c("xof_squeeze", 0, data, 4) == PARAM
    assert c("xof_squeeze", c.context, 0, 4) == PARAM
    assert c.squeeze("xof", 8) == hashlib.shake_128().digest(8)
    assert c("xof_squeeze", c.context, 0, 0) == OK
    assert c("xof_absorb", c.context, data, 4) == STATE
    m.call("cryptile_xof_wipe", 0)
    m.call("cryptile_xof_wipe", c.context)
    assert not any(m.read(c.context, CONTEXT))
    assert c("shake", 100, data, 4, data, 4) == PARAM
    assert c("shake", RATES[128], 0, 4, data, 4) == PARAM
    assert c("shake", RATES[128], data, 4, 0, 4) == PARAM
    assert c("shake", RATES[128], data, 4, data, 4) == OK
    assert m.read(data, 4) == hashlib.shake_128(b"data").digest(4)


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_wrong_parameters_of_kmac(machine, isa):
    m = machine(isa, PARTS)
    c = Caller(m)
    data = m.alloc(b"data")
    init = c.context, RATES[128]
    assert c("kmac_init", 0, RATES[128], data, 4, data, 4) == PARAM
    assert c("kmac_init", c.context, 100, data, 4, data, 4) == PARAM
    assert c("kmac_init", *init, 0, 4, data, 4) == PARAM
    assert c("kmac_init", *init, data, 4, 0, 4) == PARAM
    for verb in ("update", "final", "verify", "squeeze"):
        assert c(f"kmac_{verb}", c.context, data, 4) == STATE
        assert c(f"kmac_{verb}", 0, data, 4) == PARAM
        assert c(f"kmac_{verb}", c.context, 0, 4) == PARAM
    assert c("kmac_init", *init, data, 4, data, 4) == OK
    assert c("kmac_final", c.context, data, 0) == PARAM
    assert c("kmac_verify", c.context, data, 0) == PARAM
    assert c.squeeze("kmac", 9) == reference.kmac(168, b"data", b"", 9, b"data", xof=True)
    for verb in ("update", "final", "verify"):
        assert c(f"kmac_{verb}", c.context, data, 4) == STATE
    m.call("cryptile_kmac_wipe", 0)
    m.call("cryptile_kmac_wipe", c.context)
    assert not any(m.read(c.context, CONTEXT))
