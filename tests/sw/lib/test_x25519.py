"""X25519 against RFC 7748, Wycheproof and Python; the field of Curve25519 at its edges."""

import random
import re
from pathlib import Path

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.asymmetric import x25519
from curve25519_host import PARTS, VARIANTS, run
from support import returned, wycheproof

from cryptile import library
from cryptile.asm import routines
from cryptile.asm.isa import Isa
from cryptile.asm.schedule import Tuning

P = 2**255 - 19
OK, ERR_PARAM, ERR_KEY = 0, -1, -11
WITH_M = [isa for isa in library.ISAS if "m" in Isa.parse(isa)]
RV32M = [isa for isa in WITH_M if isa.startswith("rv32")]
FULL = ["rv32im", "rv64im"]
RV64 = [isa for isa in WITH_M if isa.startswith("rv64")]
SCALAR = bytes.fromhex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
POINT = bytes.fromhex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
SHARED = bytes.fromhex("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552")
EDGES = [
    0, 1, 19, 38, P - 1, P, P + 1, 2**255 - 1, 2**255, 2**255 + 18, 2**255 + 2**231 - 1,
    2**224 - 1, 2**255 - 2**224, 2**255 + 2**230, 2**254, 2 * (2**254 - 1),
]  # fmt: skip


def vectors():
    path = Path(cryptography_vectors.__file__).parent / "asymmetric" / "X25519" / "rfc7748.txt"
    fields = [line.split(" = ") for line in path.read_text().splitlines() if " = " in line]
    cases: list[dict] = []
    for name, value in fields:
        if name == "COUNT":
            cases.append({})
        cases[-1][name] = value
    return cases


def wycheproof_cases():
    return [
        t for group in wycheproof.load("x25519_test.json")["testGroups"] for t in group["tests"]
    ]


def expected(case):
    shared = bytes.fromhex(case["shared"])
    return (OK if any(shared) else ERR_KEY), shared


@pytest.mark.parametrize("isa", library.ISAS)
def test_rfc_7748(machine, isa):
    m, has_m = machine(isa, PARTS), "m" in Isa.parse(isa)
    k = m.alloc(SCALAR, offset=1, secret=True, writable=False)
    u, out = m.alloc(POINT, offset=3, writable=False), m.alloc(32, offset=2)
    call = m.call_abi if has_m else m.call
    result = call("cryptile_x25519", out, k, u, max_instructions=100_000_000)
    assert (result.value, m.read(out, 32)) == (OK, SHARED)
    if has_m:  # the compiler's software multiplication is not constant-time
        assert result.violations == []
        assert result.cycles <= (1_450_000 if isa.startswith("rv32") else 450_000)


@pytest.mark.parametrize("isa", WITH_M)
def test_time_is_constant_and_buffers_may_overlap(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    cycles = set()
    for secret in (bytes(32), b"\xff" * 32, rng.randbytes(32)):
        both = m.alloc(secret, secret=True)
        result = m.call_abi("cryptile_x25519_public", both, both)
        assert result.violations == []
        assert not m.is_tainted(both, 32)
        cycles.add(result.cycles)
        public = x25519.X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
        assert m.read(both, 32) == public
    assert len(cycles) == 1


def test_parameters(machine):
    m = machine("rv32im", PARTS)
    buffer = m.alloc(32)
    for arguments in [(0, buffer, buffer), (buffer, 0, buffer), (buffer, buffer, 0)]:
        assert returned.status(m.call("cryptile_x25519", *arguments).value) == ERR_PARAM
    for arguments in [(0, buffer), (buffer, 0)]:
        assert returned.status(m.call("cryptile_x25519_public", *arguments).value) == ERR_PARAM


@pytest.mark.parametrize("isa", WITH_M)
def test_wycheproof(machine, isa):
    m = machine(isa, PARTS)
    for case in wycheproof_cases()[:: 1 if isa == "rv32im" else 37]:
        m.free_all()
        peer, secret = (m.alloc(bytes.fromhex(case[name])) for name in ("public", "private"))
        out = m.alloc(32)
        status = returned.status(m.call("cryptile_x25519", out, secret, peer).value)
        assert (status, m.read(out, 32)) == expected(case), case


@pytest.mark.parametrize("variant", VARIANTS)
def test_on_host(tmp_path, variant):
    cases = wycheproof_cases()
    assert len(cases) > 500
    lines: list[list] = [
        ["x25519", bytes.fromhex(c["private"]), bytes.fromhex(c["public"])] for c in cases
    ]
    known = [expected(c) for c in cases]
    for case in vectors():
        if "INPUT_SCALAR" in case:
            parts = [bytes.fromhex(case[name]) for name in ("INPUT_SCALAR", "INPUT_U")]
            lines.append(["x25519", *parts])
            known.append((OK, bytes.fromhex(case["OUTPUT_U"])))
    base = b"\x09" + bytes(31)
    for count, k in [
        (1, "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"),
        (1000, "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"),
    ]:
        lines.append(["iterate", base, base, count.to_bytes(2, "big")])
        known.append((OK, bytes.fromhex(k)))
    assert run(variant, tmp_path, lines) == known


def words_of_ones(rng):
    """Return a number of 256 bits whose words are all ones, zero or nearly so: for the carries."""
    words = [0, 1, 2**32 - 1, 2**32 - 2, 2**31, 2**31 - 1, 2**32 - 19, rng.randrange(2**32)]
    return sum(rng.choice(words) << 32 * n for n in range(8))


def operand(rng):
    """Return an element: less than 2^255 + 2^231."""
    kinds = [rng.choice(EDGES), rng.randrange(2**255), words_of_ones(rng) % (2**255 + 2**231)]
    return rng.choice(kinds)


def check_field(m, rng, variant, count):
    """Compare ``count`` rounds of every operation with integers; words are whole ones."""
    out = m.alloc(32, align=8)

    def check(name, want, *arguments):
        result = m.call_abi(f"cry_fe25519_{name}_{variant}", out, *arguments)
        value = int.from_bytes(m.read(out, 32), "little")
        assert value % P == want % P
        assert value < 2**255 + 2**231
        assert result.violations == []

    def place(value):
        return m.alloc(value.to_bytes(32, "little"), secret=True, writable=False, align=8)

    for _ in range(count):
        a, b = operand(rng), operand(rng)
        pa, pb = place(a), place(b)
        check("mul", a * b, pa, pb)
        check("add", a + b, pa, pb)
        check("sub", a - b, pa, pb)
        check("sqrn", pow(a, 4, P), pa, 2)
        any_words = rng.choice([2**256 - 1, words_of_ones(rng), rng.randrange(2**256)])
        check("mul", a * any_words, pa, place(any_words))
        m.free_all()
        out = m.alloc(32, align=8)


@pytest.mark.parametrize("isa", WITH_M)
def test_field_asm(machine, isa):
    check_field(machine(isa, PARTS), random.Random(isa), "asm", 200 if isa in FULL else 20)


@pytest.mark.parametrize("isa", RV32M)
def test_field_c(machine, isa):
    check_field(machine(isa, PARTS), random.Random(isa), "c", 200 if isa in FULL else 20)


@pytest.mark.soak
@pytest.mark.parametrize("isa", FULL)
def test_field_at_length(machine, isa):
    check_field(machine(isa, PARTS), random.Random(isa), "asm", 100_000)


def stated_cycles(isa, symbol):
    """Return the formula in the header of a routine: a number, or a + b n."""
    [routine] = [r for r in routines.of("curve25519") if r.symbol == symbol]
    header = routine.generate(Isa.parse(isa), Tuning())
    [text] = re.findall(r"# Cycles: ([\d, +n]+?) on a", header)
    constant, _, factor = text.replace(",", "").replace(" n", "").partition(" + ")
    return int(constant), int(factor or 0)


@pytest.mark.parametrize("isa", FULL)
@pytest.mark.parametrize("name", ["mul", "add", "sub", "sqrn"])
def test_cycles_are_as_stated(machine, isa, name):
    m = machine(isa, PARTS)
    symbol = f"cry_fe25519_{name}_asm"
    r, a, b = (m.alloc(32, align=8) for _ in range(3))
    constant, factor = stated_cycles(isa, symbol)
    for n in (1, 5):
        assert m.call(symbol, r, a, n if factor else b).cycles == constant + factor * n


@pytest.mark.parametrize("isa", FULL)
def test_cycles_of_the_ladder_are_as_stated(machine, isa):
    m, symbol = machine(isa, PARTS), "cry_x25519_ladder_asm"
    arguments = [m.alloc(64, align=8), m.alloc(b"\x09" + bytes(31), align=8), m.alloc(b"\x08" * 32)]
    result = m.call(symbol, *arguments, max_instructions=10_000_000)
    assert (result.cycles, 0) == stated_cycles(isa, symbol)


@pytest.mark.parametrize("isa", FULL)
def test_field_interface(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)
    a, r, words, back = (m.alloc(32, align=8) for _ in range(4))
    for value in [*EDGES, *(rng.randrange(2**255) for _ in range(20))]:
        value %= 1 << 256
        m.write(words, value.to_bytes(32, "little"))
        m.call("cry_fe25519_from_words_c", a, words)
        reduced = value % 2**255 % P
        m.call("cry_fe25519_to_words_c", back, a)
        assert int.from_bytes(m.read(back, 32), "little") == reduced
        m.call("cry_fe25519_mul_small_c", r, a, 121665)
        m.call("cry_fe25519_sub_asm", r, r, a)
        m.call("cry_fe25519_to_words_c", back, r)
        assert int.from_bytes(m.read(back, 32), "little") == reduced * 121664 % P
        assert m.call("cry_fe25519_is_zero", a).value == (reduced == 0)
        assert m.call("cry_fe25519_is_odd", a).value == reduced % 2
    m.call("cry_fe25519_invert", r, a)
    m.call("cry_fe25519_to_words_c", back, r)
    assert int.from_bytes(m.read(back, 32), "little") == pow(reduced, -1, P)


@pytest.mark.parametrize("isa", RV64)
def test_field_51(machine, isa):
    m, rng = machine(isa, PARTS), random.Random(isa)

    def place(limbs):
        return m.alloc(b"".join(x.to_bytes(8, "little") for x in limbs), secret=True)

    def number(limbs):
        return sum(x << (51 * n) for n, x in enumerate(limbs))

    out = m.alloc(40)
    for _ in range(60):
        a, b = ([rng.choice([0, 2**52 - 1, rng.randrange(2**52)]) for _ in range(5)] for _ in "ab")
        x, y = number(a), number(b)
        for name, want in [("mul", x * y), ("add", x + y), ("sub", x - y)]:
            result = m.call_abi(f"cry_fe25519_{name}_51", out, place(a), place(b))
            raw = m.read(out, 40)
            limbs = [int.from_bytes(raw[k : k + 8], "little") for k in range(0, 40, 8)]
            assert number(limbs) % P == want % P
            assert max(limbs) < 2**52
            assert result.violations == []
        m.call("cry_fe25519_sqrn_51", out, place(a), 3)
        raw = m.read(out, 40)
        limbs = [int.from_bytes(raw[k : k + 8], "little") for k in range(0, 40, 8)]
        assert number(limbs) % P == pow(x, 8, P)
        m.free_all()
        out = m.alloc(40)
