"""Ed25519 against RFC 8032, Wycheproof and another implementation."""

import random
from functools import partial
from pathlib import Path

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from curve25519_host import PARTS, VARIANTS, run
from support import returned, wycheproof

from cryptile import library
from cryptile.asm.isa import Isa

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
)
OK, ERR_PARAM, ERR_AUTH, ERR_KEY = 0, -1, -10, -11
WITH_M = [isa for isa in library.ISAS if "m" in Isa.parse(isa)]


def rfc_8032():
    """Return seed, public key, message and signature; RFC 8032's own ones are among them."""
    path = Path(cryptography_vectors.__file__).parent / "asymmetric" / "Ed25519" / "sign.input"
    for line in path.read_text().splitlines():
        secret, public, message, signature, _ = (bytes.fromhex(x) for x in line.split(":"))
        yield secret[:32], public, message, signature[:64]


def wycheproof_cases():
    """Return public key, message, signature and verdict, of signatures with 64 bytes."""
    for group in wycheproof.load("ed25519_test.json")["testGroups"]:
        public = bytes.fromhex(group["publicKey"]["pk"])
        for case in group["tests"]:
            signature = bytes.fromhex(case["sig"])
            if len(signature) == 64:  # the type of the parameter sees to the length
                valid = case["result"] == "valid"
                yield public, bytes.fromhex(case["msg"]), signature, valid


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + k, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - k, -1, P)
    return x % P, y % P


def encode(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def verify(m, public, message, signature):
    arguments = (m.alloc(signature), m.alloc(message), len(message), m.alloc(public))
    return returned.status(m.call("cryptile_ed25519_verify", *arguments).value)


@pytest.mark.parametrize("isa", library.ISAS)
def test_against_another_implementation(machine, isa):
    m, rng, has_m = machine(isa, PARTS), random.Random(isa), "m" in Isa.parse(isa)
    call = partial(m.call_abi if has_m else m.call, max_instructions=200_000_000)
    for length in [0, 1, 200] if has_m else [3]:
        seed, message = rng.randbytes(32), rng.randbytes(length)
        key = Ed25519PrivateKey.from_private_bytes(seed)
        private = m.alloc(seed, offset=1, secret=True, writable=False)
        public, signature = m.alloc(32, offset=2), m.alloc(64, offset=3)
        text = m.alloc(message, offset=1, secret=True, writable=False)
        results = [call("cryptile_ed25519_public", public, private)]
        assert m.read(public, 32) == key.public_key().public_bytes_raw()
        results.append(call("cryptile_ed25519_sign", signature, text, length, private, public))
        assert m.read(signature, 64) == key.sign(message)
        if has_m:  # the compiler's software multiplication is not constant-time
            assert all(result.violations == [] for result in results)
        m.taint(text, length, secret=False)
        verified = call("cryptile_ed25519_verify", signature, text, length, public)
        assert [returned.status(r.value) for r in [*results, verified]] == [OK, OK, OK]
        m.free_all()


@pytest.mark.parametrize("isa", WITH_M)
def test_time_is_constant(machine, isa):
    m = machine(isa, PARTS)
    cycles = set()
    for seed in (bytes(32), b"\xff" * 32, bytes(range(32))):
        public, signature, private = m.alloc(32), m.alloc(64), m.alloc(seed)
        first = m.call("cryptile_ed25519_public", public, private).cycles
        second = m.call("cryptile_ed25519_sign", signature, 0, 0, private, public).cycles
        cycles.add((first, second))
        key = Ed25519PrivateKey.from_private_bytes(seed)
        assert m.read(signature, 64) == key.sign(b"")
    assert len(cycles) == 1


@pytest.mark.parametrize("isa", WITH_M)
def test_wycheproof(machine, isa):
    m = machine(isa, PARTS)
    cases = list(wycheproof_cases())
    assert len(cases) > 130
    for public, message, signature, valid in cases[:: 1 if isa == "rv32im" else 17]:
        m.free_all()
        status = verify(m, public, message, signature)
        assert status in ((OK,) if valid else (ERR_AUTH, ERR_KEY))


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_what_is_refused(machine, isa):
    m = machine(isa, PARTS)
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public, message = key.public_key().public_bytes_raw(), b"message"
    signature = key.sign(message)
    s = int.from_bytes(signature[32:], "little")
    assert verify(m, public, message, signature) == OK
    assert verify(m, public, b"Message", signature) == ERR_AUTH
    for bit in (0, 100, 255, 256, 300, 511):
        wrong = bytearray(signature)
        wrong[bit // 8] ^= 1 << bit % 8
        assert verify(m, public, message, bytes(wrong)) == ERR_AUTH
    for other in (s + L, 2**256 - 1, L):
        wrong = signature[:32] + other.to_bytes(32, "little")
        assert verify(m, public, message, wrong) == ERR_AUTH
    # Not on the curve; not less than p; x = 0 with the sign bit.
    for y in (2, P, P + 1, 2**255 - 1, 1 | 1 << 255, P - 1 | 1 << 255):
        assert verify(m, y.to_bytes(32, "little"), message, signature) == ERR_KEY
    # The neutral element is a point, as which S B = R holds for every message.
    point, addend = (0, 1), BASE
    for k in range(8):
        point = add(point, addend) if 0xB5 >> k & 1 else point
        addend = add(addend, addend)
    forged = encode(point) + (0xB5).to_bytes(32, "little")
    assert verify(m, (1).to_bytes(32, "little"), message, forged) == OK


def test_parameters(machine):
    m = machine("rv32im", PARTS)
    b = m.alloc(64)
    for arguments in [(0, b), (b, 0)]:
        assert returned.status(m.call("cryptile_ed25519_public", *arguments).value) == ERR_PARAM
    for arguments in [(0, b, 1, b, b), (b, 0, 1, b, b), (b, b, 1, 0, b), (b, b, 1, b, 0)]:
        assert returned.status(m.call("cryptile_ed25519_sign", *arguments).value) == ERR_PARAM
    for arguments in [(0, b, 1, b), (b, 0, 1, b), (b, b, 1, 0)]:
        assert returned.status(m.call("cryptile_ed25519_verify", *arguments).value) == ERR_PARAM


def test_table_of_the_base_point(machine):
    """Compute ``cry_ed25519_comb`` again."""
    m = machine("rv32im", PARTS)
    powers = [BASE]
    for _ in range(255):
        powers.append(add(powers[-1], powers[-1]))
    content = b""
    for table in range(4):
        for index in range(8):
            point = powers[16 * (4 * table + 3)]
            for tooth in range(3):
                x, y = powers[16 * (4 * table + tooth)]
                point = add(point, (x if index >> tooth & 1 else -x % P, y))
            x, y = point
            for value in ((y + x) % P, (y - x) % P, 2 * D * x * y % P):
                content += value.to_bytes(32, "little")
    assert m.read(m.symbols["cry_ed25519_comb"], len(content)) == content


@pytest.mark.parametrize("isa", library.ISAS)
def test_scalars(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    edges = [0, 1, L - 1, L, L + 1, 2**252, 2**256 - 1]

    def place(value, size=32):
        return m.alloc(value.to_bytes(size, "little"), secret=True, writable=False)

    def number():
        return rng.choice([rng.choice(edges), rng.getrandbits(256)])

    out = m.alloc(32)
    for _ in range(20):
        a, b, c = number(), number() % L, number() % L
        wide = a << 256 | number()
        for name, arguments, want in [
            ("muladd", (place(a), place(b), place(c)), (a * b + c) % L),
            ("reduce", (place(wide, 64),), wide % L),
            ("signs", (place(b),), (b + 2**256 - 1) * pow(2, -1, L) % L),
        ]:
            result = m.call_abi(f"cry_ed25519_scalar_{name}", out, *arguments)
            assert int.from_bytes(m.read(out, 32), "little") == want
            assert result.violations == [] or isa == "rv32i"
        assert m.call("cry_ed25519_scalar_from_bytes", out, place(a)).value == (a < L)
        assert int.from_bytes(m.read(out, 32), "little") == a


@pytest.mark.parametrize("variant", VARIANTS)
def test_on_host(tmp_path, variant):
    lines: list[list] = []
    known = []
    for seed, public, message, signature in list(rfc_8032())[:200]:
        lines += [
            ["public", seed],
            ["sign", seed, public, message],
            ["verify", signature, public, message],
        ]
        known += [(OK, public), (OK, signature), (OK, b"")]
    assert run(variant, tmp_path, lines) == known
    cases = list(wycheproof_cases())
    answers = run(variant, tmp_path, [["verify", s, p, m] for p, m, s, _ in cases])
    for case, (status, _) in zip(cases, answers, strict=True):
        assert status in ((OK,) if case[3] else (ERR_AUTH, ERR_KEY)), case
