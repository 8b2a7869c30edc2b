"""P-256: field arithmetic, ECDH and ECDSA, on the instruction-set simulator."""

import hashlib
import random

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from support import wycheproof

from cryptile.asm.lib import p256

PARTS = ("p256", "hmac", "hash", "sha2", "keccak")
ISAS = ["rv32im", "rv32im_zba_zbb_zbkb_zbkx", "rv64im"]
FAST = "rv32im"
OK, PARAM, AUTH, KEY = 0, -1, -10, -11
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
R_INVERSE = pow(2**256, -1, P)
OPERATIONS = {
    "mul": (2, lambda a, b: a * b * R_INVERSE),
    "sqr": (1, lambda a, b: a * a * R_INVERSE),
    "add": (2, lambda a, b: a + b),
    "sub": (2, lambda a, b: a - b),
    "double": (1, lambda a, b: 2 * a),
    "triple": (1, lambda a, b: 3 * a),
    "half": (1, lambda a, b: a * (P + 1) // 2),
}
UNDO = {
    "mul": lambda t, b, m: t * pow(R_INVERSE * b, -1, P),
    "sqr": lambda t, b, m: pow(t * 2**256, (P + 1) // 4, P),  # a root of this, or of minus this
    "add": lambda t, b, m: (t - b) % m,
    "sub": lambda t, b, m: (t + b) % m,
    "double": lambda t, b, m: t * (P + 1) // 2,
    "triple": lambda t, b, m: t * pow(3, -1, m) % m,
    "half": lambda t, b, m: 2 * t,
}
"""The first operand with which the result is t, modulo p or before the reduction (m = 2^256)."""
CORNERS = [0, 1, 2, P - 1, P - 2, 2**96 - 1, 2**96, 2**192, 2**224, 2**256 - P, 2**256 % P, P >> 1]


def status(value: int) -> int:
    low = value & 0xFFFFFFFF
    return low - (1 << 32) if low >> 31 else low


def words(value: int) -> bytes:
    return value.to_bytes(32, "little")


def computed(m, symbol, given, *extra):
    """Return the result for these numbers, which are secret, and what is public behind them."""
    operands = [m.alloc(words(x), secret=True, writable=False, align=8) for x in given]
    r, more = m.alloc(32, align=8), [m.alloc(data, align=8) for data in extra]
    result = m.call_abi(symbol, r, *operands, *more)
    assert not result.violations
    value = int.from_bytes(m.read(r, 32), "little")
    m.free_all()
    return value


def check_corners(m, symbol, operand_count, expected, modulus, *extra):
    """Compare results on edge values and random ones, and in place; operands are secret."""
    rng = random.Random(symbol)
    corners = [x % modulus for x in (*CORNERS, modulus - 1, modulus - 2, 2**256 % modulus)]
    values = corners + [rng.randrange(modulus) for _ in range(20)]
    for a in values:
        for b in rng.sample(values, 6) if operand_count == 2 else [0]:
            result = computed(m, symbol, (a, b)[:operand_count], *extra)
            assert result == expected(a, b) % modulus, (hex(a), hex(b))
        in_place, more = m.alloc(words(a), align=8), [m.alloc(data, align=8) for data in extra]
        m.call(symbol, in_place, *[in_place] * operand_count, *more)
        assert m.read(in_place, 32) == words(expected(a, a) % modulus)
        m.free_all()


@pytest.mark.parametrize("isa", ["rv32im", "rv32im_zkn", "rv64im", "rv64im_zba_zbb"])
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("variant", ["asm", "c"])
def test_field(machine, isa, operation, variant):
    count, expected = OPERATIONS[operation]
    check_corners(machine(isa, PARTS), f"cry_p256_{operation}_{variant}", count, expected, P)


def full_or_empty(rng):
    """Return a number whose words, of 32 or 64 bits, let carries through, or nearly."""
    bits = rng.choice([32, 64])
    top = 2**bits
    likely = [0, 0, 1, top - 2, top - 1, top - 1]
    chosen = [rng.choice([*likely, rng.randrange(top)]) for _ in range(256 // bits)]
    return sum(word << bits * n for n, word in enumerate(chosen))


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("variant", ["asm", "c"])
def test_carries_of_the_result(machine, isa, operation, variant):
    """Random operands reach most carries of the reductions once in 2^32 or 2^64 times."""
    m, rng = machine(isa, PARTS), random.Random(operation)
    count, expected = OPERATIONS[operation]
    for _ in range(120):
        wanted = full_or_empty(rng)
        for modulus in (P, 2**256):
            b = rng.choice([rng.randrange(1, P), full_or_empty(rng) % P or 1])
            given = UNDO[operation](wanted, b, modulus) % P, b
            value = computed(m, f"cry_p256_{operation}_{variant}", given[:count])
            assert value == expected(*given) % P, [hex(x) for x in given]


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
@pytest.mark.parametrize("variant", ["asm", "c"])
@pytest.mark.parametrize("modulus", [P, N, 2**256 - 1, 2**255 + 1])
def test_modular_product(machine, isa, variant, modulus):
    m = machine(isa, PARTS)
    inverse = -pow(modulus, -1, 2**64) % 2**64
    constants = words(modulus) + words(2**512 % modulus) + inverse.to_bytes(8, "little")

    def expected(a, b):
        return a * b * pow(2**256, -1, modulus)

    check_corners(m, f"cry_p256_modular_mul_{variant}", 2, expected, modulus, constants)


@pytest.mark.parametrize("isa", ["rv32im", "rv32im_zkn", "rv64im", "rv64im_zba_zbb"])
@pytest.mark.parametrize("operation", p256.OPERATIONS)
def test_cycles_are_as_stated(machine, isa, operation):
    m = machine(isa, PARTS)
    # The product with any modulus takes three numbers, and its modulus' constants lie together.
    operands = [m.alloc(bytes([1]) * 72, align=8) for _ in range(4)]
    stated = p256.OPERATIONS[operation].cycles["64" in isa]
    assert m.call(f"cry_p256_{operation}_asm", *operands).cycles == stated


def public_bytes(scalar: int) -> bytes:
    numbers = ec.derive_private_key(scalar, ec.SECP256R1()).public_key().public_numbers()
    return b"\x04" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")


@pytest.mark.parametrize("isa", ISAS)
def test_ecdh(machine, isa):
    m = machine(isa, PARTS)
    rng = random.Random(isa)
    # n - 2 makes the last addition a doubling.
    for scalar in [1, 2, N - 1, N - 2, rng.randrange(1, N)]:
        peer = rng.randrange(1, N)
        key = m.alloc(scalar.to_bytes(32, "big"), secret=True, writable=False, offset=1)
        public, secret = m.alloc(65, offset=3), m.alloc(32, offset=1)
        result = m.call_abi("cryptile_p256_public_key", public, key)
        assert status(result.value) == OK
        assert m.read(public, 65) == public_bytes(scalar)
        assert not result.violations
        other = m.alloc(public_bytes(peer), writable=False, offset=3)
        result = m.call("cryptile_p256_ecdh", secret, key, other)
        assert status(result.value) == OK
        assert m.read(secret, 32) == public_bytes(scalar * peer % N)[1:33]
        assert not result.violations
        assert m.is_tainted(secret, 32)
        assert result.stack_bytes <= 3072
        m.free_all()


def sign(m, scalar: int, alg: str, digest: bytes) -> tuple[int, bytes]:
    key = m.alloc(scalar.to_bytes(32, "big"), secret=True, writable=False)
    signature = m.alloc(64, offset=1)
    result = m.call(
        "cryptile_p256_sign", signature, key, m.symbols[f"cryptile_{alg}"], m.alloc(digest)
    )
    assert not result.violations
    assert result.stack_bytes <= 4096
    return status(result.value), m.read(signature, 64)


def verify(m, public: bytes, digest: bytes, signature: bytes) -> int:
    result = m.call(
        "cryptile_p256_verify",
        m.alloc(public, offset=1),
        m.alloc(digest),
        len(digest),
        m.alloc(signature, offset=1),
    )
    assert result.stack_bytes <= 5120
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
    m = machine(isa, PARTS)
    digest = hashlib.new(alg, message.encode()).digest()
    assert sign(m, RFC6979_KEY, alg, digest) == (OK, bytes.fromhex(expected))


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_signatures_against_openssl(machine, isa):
    m = machine(isa, PARTS)
    rng = random.Random(1)
    for _ in range(3):
        scalar = rng.randrange(1, N)
        private = ec.derive_private_key(scalar, ec.SECP256R1())
        digest = rng.randbytes(32)
        prehashed = ec.ECDSA(utils.Prehashed(hashes.SHA256()))
        r, s = utils.decode_dss_signature(private.sign(digest, prehashed))
        theirs = r.to_bytes(32, "big") + s.to_bytes(32, "big")
        assert verify(m, public_bytes(scalar), digest, theirs) == OK
        code, ours = sign(m, scalar, "sha256", digest)
        assert code == OK
        encoded = utils.encode_dss_signature(
            int.from_bytes(ours[:32], "big"), int.from_bytes(ours[32:], "big")
        )
        private.public_key().verify(encoded, digest, prehashed)
        broken = bytearray(ours)
        broken[rng.randrange(64)] ^= 1 << rng.randrange(8)
        assert verify(m, public_bytes(scalar), digest, bytes(broken)) == AUTH
        m.free_all()


def test_wycheproof_ecdsa(machine):
    m = machine(FAST, PARTS)
    count = 0
    for group in wycheproof.load("ecdsa_secp256r1_sha256_p1363_test.json")["testGroups"]:
        public = bytes.fromhex(group["publicKey"]["uncompressed"])
        for case in group["tests"]:
            signature = bytes.fromhex(case["sig"])
            if len(signature) != 64:
                assert case["result"] == "invalid"
                continue
            digest = hashlib.sha256(bytes.fromhex(case["msg"])).digest()
            accepted = verify(m, public, digest, signature) == OK
            assert accepted == (case["result"] != "invalid"), case["tcId"]
            m.free_all()
            count += 1
    assert count > 200


def test_wycheproof_ecdh(machine):
    m = machine(FAST, PARTS)
    count = 0
    for group in wycheproof.load("ecdh_secp256r1_ecpoint_test.json")["testGroups"]:
        for case in group["tests"]:
            public = bytes.fromhex(case["public"])
            if len(public) != 65:
                continue
            private = int(case["private"], 16)
            secret = m.alloc(32)
            result = m.call(
                "cryptile_p256_ecdh", secret, m.alloc(private.to_bytes(32, "big"), secret=True),
                m.alloc(public),
            )  # fmt: skip
            assert not result.violations
            if case["result"] == "invalid":
                assert status(result.value) == KEY, case["tcId"]
                assert m.read(secret, 32) == bytes(32)
            else:
                assert status(result.value) == OK
                assert m.read(secret, 32) == bytes.fromhex(case["shared"]), case["tcId"]
            m.free_all()
            count += 1
    assert count > 100


def test_bad_input(machine):
    m = machine(FAST, PARTS)
    good, out = m.alloc((1).to_bytes(32, "big")), m.alloc(bytes([255]) * 65)
    for bad in (0, N, 2**256 - 1):
        key = m.alloc(bad.to_bytes(32, "big"), secret=True)
        assert status(m.call("cryptile_p256_public_key", out, key).value) == KEY
        assert m.read(out, 65) == bytes(65)
        assert sign(m, bad, "sha256", bytes(32)) == (KEY, bytes(64))
    point = bytearray(public_bytes(5))
    for position, value in ((0, 2), (0, 0), (40, point[40] ^ 1)):
        other = bytearray(point)
        other[position] = value
        assert status(m.call("cryptile_p256_ecdh", out, good, m.alloc(bytes(other))).value) == KEY
        assert verify(m, bytes(other), bytes(32), bytes([1]) * 64) == KEY
    not_reduced = b"\x04" + (P + 5).to_bytes(33, "big")[1:] + point[33:]
    assert status(m.call("cryptile_p256_ecdh", out, good, m.alloc(not_reduced)).value) == KEY
    for part in (0, N):
        edge = part.to_bytes(32, "big")
        other = (7).to_bytes(32, "big")
        assert verify(m, bytes(point), bytes(32), edge + other) == AUTH
        assert verify(m, bytes(point), bytes(32), other + edge) == AUTH
    assert status(m.call("cryptile_p256_public_key", 0, good).value) == PARAM
    assert status(m.call("cryptile_p256_ecdh", out, good, 0).value) == PARAM
    assert status(m.call("cryptile_p256_sign", out, good, 0, good).value) == PARAM
    assert status(m.call("cryptile_p256_verify", out, 0, 1, out).value) == PARAM
