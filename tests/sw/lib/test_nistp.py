"""P-256, P-384 and P-521: arithmetic, ECDH and ECDSA, on the instruction-set simulator."""

import hashlib
import random
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from support import nist_ecdsa, wycheproof
from support.returned import status

from cryptile.asm.lib import p256, p384, p521

OK, PARAM, AUTH, KEY = 0, -1, -10, -11
ISAS = ["rv32im", "rv32im_zba_zbb_zbkb_zbkx", "rv64im"]
FAST = "rv64im"
LIMIT = 200_000_000
"""Instructions of one call."""


@dataclass(frozen=True)
class Curve:
    """A curve, as the tests need it."""

    name: str
    p: int
    n: int
    pairs: int
    """Of 32 bits, in a number."""
    stacks: tuple[int, int, int]
    """Bounds of the header: keys and ECDH, signing, verification."""
    b: int
    openssl: Any
    assembly: ModuleType

    @property
    def size(self) -> int:
        return (self.p.bit_length() + 7) // 8

    @property
    def parts(self) -> tuple[str, ...]:
        return self.name, "hmac", "hash", "sha2", "keccak"

    @property
    def r_inverse(self) -> int:
        return pow(2, -64 * self.pairs, self.p)

    def __str__(self) -> str:
        return self.name

    def bytes(self, number: int) -> bytes:
        """Return a number as the API has it."""
        return number.to_bytes(self.size, "big")

    def words(self, number: int) -> bytes:
        """Return a number as the arithmetic has it."""
        return number.to_bytes(8 * self.pairs, "little")

    def public(self, scalar: int) -> bytes:
        """Return the public key of a private key, from OpenSSL."""
        key = ec.derive_private_key(scalar, self.openssl).public_key().public_numbers()
        return b"\x04" + self.bytes(key.x) + self.bytes(key.y)


P256 = Curve(
    "p256",
    2**256 - 2**224 + 2**192 + 2**96 - 1,
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    4,
    (3072, 4096, 5120),
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    ec.SECP256R1(),
    p256,
)
P384 = Curve(
    "p384",
    2**384 - 2**128 - 2**96 + 2**32 - 1,
    2**384 - 0x389CB27E0BC8D220A7E5F24DB74F58851313E695333AD68D,
    6,
    (4096, 5376, 6400),
    0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE814112 << 192
    | 0x314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
    ec.SECP384R1(),
    p384,
)
P521 = Curve(
    "p521",
    2**521 - 1,
    2**521 - 0x5AE79787C40D069948033FEB708F65A2FC44A36477663B851449048E16EC79BF7,
    9,
    (6144, 7168, 9216),
    0x51953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E1 << 256
    | 0x56193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00,
    ec.SECP521R1(),
    p521,
)
CURVES = [P256, P384, P521]
OPERATIONS = {
    "mul": (2, lambda c, a, b: a * b * c.r_inverse),
    "sqr": (1, lambda c, a, b: a * a * c.r_inverse),
    "add": (2, lambda c, a, b: a + b),
    "sub": (2, lambda c, a, b: a - b),
    "double": (1, lambda c, a, b: 2 * a),
    "triple": (1, lambda c, a, b: 3 * a),
    "half": (1, lambda c, a, b: a * (c.p + 1) // 2),
}
UNDO = {
    "mul": lambda c, t, b, m: t * pow(c.r_inverse * b, -1, c.p),
    # A root of this, or of minus this.
    "sqr": lambda c, t, b, m: pow(t << 64 * c.pairs, (c.p + 1) // 4, c.p),
    "add": lambda c, t, b, m: (t - b) % m,
    "sub": lambda c, t, b, m: (t + b) % m,
    "double": lambda c, t, b, m: t * (c.p + 1) // 2,
    "triple": lambda c, t, b, m: t * pow(3, -1, m) % m,
    "half": lambda c, t, b, m: 2 * t,
}
"""The first operand with which the result is t, modulo p or before the reduction (m = R)."""
MODULAR = {
    "mul": (2, lambda a, b, r_inverse: a * b * r_inverse),
    "sqr": (1, lambda a, b, r_inverse: a * a * r_inverse),
    "add": (2, lambda a, b, r_inverse: a + b),
    "sub": (2, lambda a, b, r_inverse: a - b),
}


def variants(operations, prefix=""):
    """Return each operation in C, and in assembly where there is some."""
    return [
        pytest.param(curve, operation, variant, id=f"{curve}-{operation}-{variant}")
        for curve in CURVES
        for operation in operations
        for variant in ("asm", "c")
        if variant == "c" or prefix + operation in curve.assembly.OPERATIONS
    ]


def corners(curve: Curve) -> list[int]:
    p, r = curve.p, 2 ** (64 * curve.pairs)
    return [0, 1, 2, p - 1, p - 2, 2**96 - 1, 2**96, 2**192, 2**224, r % p, r - p, p >> 1]


def on_curve(curve: Curve, x: int) -> int:
    """Return a y of this x, 0 if there is none (all p are 3 modulo 4)."""
    square = (x**3 - 3 * x + curve.b) % curve.p
    y = pow(square, (curve.p + 1) // 4, curve.p)
    return y if y * y % curve.p == square else 0


def computed(m, curve, symbol, given, *extra):
    """Return the result for these numbers, which are secret, and what is public behind them."""
    operands = [m.alloc(curve.words(x), secret=True, writable=False, align=8) for x in given]
    r, more = m.alloc(8 * curve.pairs, align=8), [m.alloc(data, align=8) for data in extra]
    result = m.call_abi(symbol, r, *operands, *more)
    assert not result.violations
    value = int.from_bytes(m.read(r, 8 * curve.pairs), "little")
    m.free_all()
    return value


def check_corners(m, curve, symbol, operand_count, expected, modulus, *extra):
    """Compare results on edge values and random ones, and in place; operands are secret."""
    rng = random.Random(symbol)
    edges = [modulus - 1, modulus - 2, 2 ** (64 * curve.pairs)]
    values = [x % modulus for x in (*corners(curve), *edges)]
    values += [rng.randrange(modulus) for _ in range(20)]
    for a in values:
        for b in rng.sample(values, 6) if operand_count == 2 else [0]:
            result = computed(m, curve, symbol, (a, b)[:operand_count], *extra)
            assert result == expected(a, b) % modulus, (hex(a), hex(b))
        in_place, more = m.alloc(curve.words(a), align=8), [m.alloc(x, align=8) for x in extra]
        m.call(symbol, in_place, *[in_place] * operand_count, *more)
        assert m.read(in_place, 8 * curve.pairs) == curve.words(expected(a, a) % modulus)
        m.free_all()


@pytest.mark.parametrize("isa", ["rv32im", "rv64im_zba_zbb"])
@pytest.mark.parametrize(("curve", "operation", "variant"), variants(OPERATIONS))
def test_field(machine, isa, curve, operation, variant):
    count, expected = OPERATIONS[operation]
    check_corners(
        machine(isa, curve.parts),
        curve,
        f"cry_{curve}_{operation}_{variant}",
        count,
        lambda a, b: expected(curve, a, b),
        curve.p,
    )


def full_or_empty(curve, rng):
    """Return a number whose words, of 32 or 64 bits, let carries through, or nearly."""
    bits = rng.choice([32, 64])
    top = 2**bits
    likely = [0, 0, 1, top - 2, top - 1, top - 1]
    count = -(-curve.p.bit_length() // bits)
    chosen = [rng.choice([*likely, rng.randrange(top)]) for _ in range(count)]
    return sum(word << bits * n for n, word in enumerate(chosen)) % 2 ** curve.p.bit_length()


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
@pytest.mark.parametrize(("curve", "operation", "variant"), variants(OPERATIONS))
def test_carries_of_the_result(machine, isa, curve, operation, variant):
    """Random operands reach most carries of the reductions once in 2^32 or 2^64 times."""
    m, rng, p = machine(isa, curve.parts), random.Random(operation), curve.p
    count, expected = OPERATIONS[operation]
    for _ in range(120):
        wanted = full_or_empty(curve, rng)
        for modulus in (p, 2 ** p.bit_length()):
            b = rng.choice([rng.randrange(1, p), full_or_empty(curve, rng) % p or 1])
            given = UNDO[operation](curve, wanted, b, modulus) % p, b
            value = computed(m, curve, f"cry_{curve}_{operation}_{variant}", given[:count])
            assert value == expected(curve, *given) % p, [hex(x) for x in given]


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
@pytest.mark.parametrize("which", ["p", "n", "largest", "half"])
@pytest.mark.parametrize(("curve", "operation", "variant"), variants(MODULAR, "modular_"))
def test_modular(machine, isa, which, curve, operation, variant):
    bits = 64 * curve.pairs
    modulus = {"p": curve.p, "n": curve.n, "largest": 2**bits - 1, "half": 2 ** (bits - 1) + 1}
    m, count = modulus[which], MODULAR[operation][0]
    inverse = -pow(m, -1, 2**64) % 2**64
    constants = curve.words(m) + curve.words(4**bits % m) + inverse.to_bytes(8, "little")
    r_inverse = pow(2, -bits, m)

    def expected(a, b):
        return MODULAR[operation][1](a, b, r_inverse)

    symbol = f"cry_{curve}_modular_{operation}_{variant}"
    check_corners(machine(isa, curve.parts), curve, symbol, count, expected, m, constants)


@pytest.mark.parametrize("isa", ["rv32im", "rv32im_zkn", "rv64im", "rv64im_zba_zbb"])
@pytest.mark.parametrize(
    ("curve", "operation"),
    [(curve, name) for curve in CURVES for name in curve.assembly.OPERATIONS],
    ids=str,
)
def test_cycles_are_as_stated(machine, isa, curve, operation):
    m = machine(isa, curve.parts)
    # Up to three numbers, and a modulus with its constants.
    operands = [m.alloc(bytes([1]) * (16 * curve.pairs + 8), align=8) for _ in range(4)]
    stated = curve.assembly.OPERATIONS[operation].cycles["64" in isa]
    assert m.call(f"cry_{curve}_{operation}_asm", *operands).cycles == stated


def call(m, curve, function, *arguments):
    return m.call(f"cryptile_{curve}_{function}", *arguments, max_instructions=LIMIT)


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("curve", CURVES, ids=str)
def test_ecdh(machine, isa, curve):
    m = machine(isa, curve.parts)
    rng, n, size = random.Random(isa), curve.n, curve.size
    # n - 2 makes the last addition a doubling.
    for scalar in [1, 2, n - 1, n - 2, rng.randrange(1, n)]:
        peer = rng.randrange(1, n)
        key = m.alloc(curve.bytes(scalar), secret=True, writable=False, offset=1)
        public, secret = m.alloc(1 + 2 * size, offset=3), m.alloc(size, offset=1)
        result = call(m, curve, "public_key", public, key)
        assert status(result.value) == OK
        assert m.read(public, 1 + 2 * size) == curve.public(scalar)
        assert not result.violations
        other = m.alloc(curve.public(peer), writable=False, offset=3)
        result = call(m, curve, "ecdh", secret, key, other)
        assert status(result.value) == OK
        assert m.read(secret, size) == curve.public(scalar * peer % n)[1 : 1 + size]
        assert not result.violations
        assert m.is_tainted(secret, size)
        assert result.stack_bytes <= curve.stacks[0]
        m.free_all()


def sign(m, curve, scalar: int, alg: str, digest: bytes) -> tuple[int, bytes]:
    key = m.alloc(curve.bytes(scalar), secret=True, writable=False)
    signature = m.alloc(2 * curve.size, offset=1)
    result = call(m, curve, "sign", signature, key, m.symbols[f"cryptile_{alg}"], m.alloc(digest))
    assert not result.violations
    assert result.stack_bytes <= curve.stacks[1]
    return status(result.value), m.read(signature, 2 * curve.size)


def verify(m, curve, public: bytes, digest: bytes, signature: bytes) -> int:
    result = call(
        m,
        curve,
        "verify",
        m.alloc(public, offset=1),
        m.alloc(digest),
        len(digest),
        m.alloc(signature, offset=1),
    )
    assert result.stack_bytes <= curve.stacks[2]
    return status(result.value)


# RFC 6979, appendix A.2.5.
RFC6979_KEY = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
RFC6979 = [
    ("sha224", "sample", "53B2FFF5D1752B2C689DF257C04C40A587FABABB3F6FC2702F1343AF7CA9AA3F"
     "B9AFB64FDC03DC1A131C7D2386D11E349F070AA432A4ACC918BEA988BF75C74C"),
    ("sha256", "sample", "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
     "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"),
    ("sha512", "test", "461D93F31B6540894788FD206C07CFA0CC35F46FA3C91816FFF1040AD1581A04"
     "39AF9F15DE0DB8D97E72719C74820D304CE5226E32DEDAE67519E840D1194E55"),
]  # fmt: skip


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize(("alg", "message", "expected"), RFC6979)
def test_rfc6979(machine, isa, alg, message, expected):
    m = machine(isa, P256.parts)
    digest = hashlib.new(alg, message.encode()).digest()
    assert sign(m, P256, RFC6979_KEY, alg, digest) == (OK, bytes.fromhex(expected))


HASHES = {
    "sha224": hashes.SHA224(),
    "sha256": hashes.SHA256(),
    "sha384": hashes.SHA384(),
    "sha512": hashes.SHA512(),
}


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
@pytest.mark.parametrize("curve", CURVES, ids=str)
def test_signatures_against_openssl(machine, isa, curve):
    """OpenSSL has the nonces of RFC 6979 too, so that signatures are equal."""
    m, rng, size = machine(isa, curve.parts), random.Random(1), curve.size
    for name, function in HASHES.items():
        scalar = rng.randrange(1, curve.n)
        private = ec.derive_private_key(scalar, curve.openssl)
        digest = rng.randbytes(function.digest_size)
        prehashed = ec.ECDSA(utils.Prehashed(function), deterministic_signing=True)
        r, s = utils.decode_dss_signature(private.sign(digest, prehashed))
        ours = curve.bytes(r) + curve.bytes(s)
        assert sign(m, curve, scalar, name, digest) == (OK, ours)
        assert verify(m, curve, curve.public(scalar), digest, ours) == OK
        broken = bytearray(ours)
        broken[rng.randrange(2 * size)] ^= 1 << rng.randrange(8)
        assert verify(m, curve, curve.public(scalar), digest, bytes(broken)) == AUTH
        m.free_all()


@pytest.mark.parametrize("curve", CURVES, ids=str)
def test_digest_longer_than_the_order(machine, curve):
    """What is beyond the leftmost bits of the order does not count."""
    m, rng = machine("rv64im", curve.parts), random.Random(2)
    bits = curve.n.bit_length()
    long = rng.randbytes(curve.size + 5)
    number = int.from_bytes(long, "big") >> 8 * len(long) - bits
    d, k = rng.randrange(1, curve.n), rng.randrange(1, curve.n)
    r = int.from_bytes(curve.public(k)[1 : 1 + curve.size], "big") % curve.n
    s = pow(k, -1, curve.n) * (number + r * d) % curve.n
    signature = curve.bytes(r) + curve.bytes(s)
    assert verify(m, curve, curve.public(d), long, signature) == OK
    changed = bytearray(long)
    changed[-1] ^= 1
    assert verify(m, curve, curve.public(d), bytes(changed), signature) == OK
    changed[0] ^= 1
    assert verify(m, curve, curve.public(d), bytes(changed), signature) == AUTH
    m.free_all()


@pytest.mark.parametrize("curve", CURVES, ids=str)
def test_cavp_verification(machine, curve):
    m, count = machine(FAST, curve.parts), 0
    for name, case in nist_ecdsa.verifications(f"P-{curve.n.bit_length()}"):
        numbers = [int(case[field], 16) for field in ("Qx", "Qy", "R", "S")]
        x, y, r, s = map(curve.bytes, numbers)
        digest = hashlib.new(name, bytes.fromhex(case["Msg"])).digest()
        accepted = verify(m, curve, b"\x04" + x + y, digest, r + s) == OK
        assert accepted == case["Result"].startswith("P"), case
        m.free_all()
        count += 1
    assert count == 60


EVERY = {P256: 1, P384: 3, P521: 5}
"""Of Wycheproof's vectors, how many are taken: all of them in the soak test."""


def vectors(curve, file, every):
    """Yield one of so many vectors, with its group."""
    groups = wycheproof.load(file)["testGroups"]
    yield from [(group, case) for group in groups for case in group["tests"]][::every]


def check_ecdsa(m, curve, every):
    name = "sha256" if curve is P256 else "sha384" if curve is P384 else "sha512"
    file = f"ecdsa_sec{curve}r1_{name}_p1363_test.json"
    count = 0
    for group, case in vectors(curve, file, every):
        public = bytes.fromhex(group["publicKey"]["uncompressed"])
        signature = bytes.fromhex(case["sig"])
        if len(signature) != 2 * curve.size:
            assert case["result"] == "invalid"
            continue
        digest = hashlib.new(name, bytes.fromhex(case["msg"])).digest()
        accepted = verify(m, curve, public, digest, signature) == OK
        assert accepted == (case["result"] != "invalid"), case["tcId"]
        m.free_all()
        count += 1
    assert count > 200 // every


def check_ecdh(m, curve, every):
    count, size = 0, curve.size
    for _, case in vectors(curve, f"ecdh_sec{curve}r1_ecpoint_test.json", every):
        public = bytes.fromhex(case["public"])
        if len(public) != 1 + 2 * size:
            continue
        private = curve.bytes(int(case["private"], 16))
        secret = m.alloc(size)
        result = call(m, curve, "ecdh", secret, m.alloc(private, secret=True), m.alloc(public))
        assert not result.violations
        if case["result"] == "invalid":
            assert status(result.value) == KEY, case["tcId"]
            assert m.read(secret, size) == bytes(size)
        else:
            assert status(result.value) == OK
            assert m.read(secret, size) == bytes.fromhex(case["shared"]), case["tcId"]
        m.free_all()
        count += 1
    assert count > 100 // every


@pytest.mark.parametrize("check", [check_ecdsa, check_ecdh])
@pytest.mark.parametrize("curve", CURVES, ids=str)
def test_wycheproof(machine, curve, check):
    check(machine(FAST, curve.parts), curve, EVERY[curve])


@pytest.mark.soak
@pytest.mark.parametrize("check", [check_ecdsa, check_ecdh])
@pytest.mark.parametrize("curve", [P384, P521], ids=str)
@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_all_of_wycheproof(machine, curve, check, isa):
    check(machine(isa, curve.parts), curve, 1)


@pytest.mark.parametrize("curve", CURVES, ids=str)
def test_bad_input(machine, curve):
    m, size, n = machine(FAST, curve.parts), curve.size, curve.n
    public_size = 1 + 2 * size
    good, out = m.alloc(curve.bytes(1)), m.alloc(bytes([255]) * public_size)
    for bad in (0, n, 2 ** (8 * size) - 1):
        key = m.alloc(curve.bytes(bad), secret=True)
        assert status(call(m, curve, "public_key", out, key).value) == KEY
        assert m.read(out, public_size) == bytes(public_size)
        assert sign(m, curve, bad, "sha256", bytes(32)) == (KEY, bytes(2 * size))
    point = bytearray(curve.public(5))
    for position, value in ((0, 2), (0, 0), (size + 8, point[size + 8] ^ 1)):
        other = bytearray(point)
        other[position] = value
        peer = m.alloc(bytes(other))
        assert status(call(m, curve, "ecdh", out, good, peer).value) == KEY
        assert verify(m, curve, bytes(other), bytes(32), bytes([1]) * 2 * size) == KEY
    small = next(x for x in range(1, 99) if on_curve(curve, x))
    y = on_curve(curve, small)
    reduced = b"\x04" + curve.bytes(small) + curve.bytes(y)
    assert status(call(m, curve, "ecdh", out, good, m.alloc(reduced)).value) == OK
    not_reduced = b"\x04" + curve.bytes(curve.p + small) + curve.bytes(y)
    assert status(call(m, curve, "ecdh", out, good, m.alloc(not_reduced)).value) == KEY
    # A signature with s = 5, of key and nonce 1: s + n is the same number modulo n.
    r = int.from_bytes(curve.public(1)[1 : 1 + size], "big") % n
    digest = curve.bytes((5 - r) % n << 8 * size - n.bit_length())
    right = curve.bytes(r) + curve.bytes(5)
    assert verify(m, curve, curve.public(1), digest, right) == OK
    assert verify(m, curve, curve.public(1), digest, curve.bytes(r) + curve.bytes(5 + n)) == AUTH
    # Anyone can sign the number 0, which an empty digest would be.
    forged, none = 2 * bytes(point)[1 : 1 + size], m.alloc(b"\0")
    assert verify(m, curve, bytes(point), bytes(size), forged) == OK
    key, signature = m.alloc(bytes(point)), m.alloc(forged)
    for digest in (0, none):
        assert status(call(m, curve, "verify", key, digest, 0, signature).value) == PARAM
    for part in (0, n):
        edge, other = curve.bytes(part), curve.bytes(7)
        assert verify(m, curve, bytes(point), bytes(32), edge + other) == AUTH
        assert verify(m, curve, bytes(point), bytes(32), other + edge) == AUTH
    assert status(call(m, curve, "public_key", 0, good).value) == PARAM
    assert status(call(m, curve, "ecdh", out, good, 0).value) == PARAM
    assert status(call(m, curve, "sign", out, good, 0, good).value) == PARAM
    assert status(call(m, curve, "verify", out, 0, 1, out).value) == PARAM
    m.free_all()
