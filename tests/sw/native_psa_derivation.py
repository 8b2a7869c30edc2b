"""Key derivation of the PSA layer: others' vectors, ``cryptography``, and the standard's rules."""

import ctypes
import hmac as python_hmac
import itertools
from ctypes import byref, c_size_t, c_uint16, c_uint32

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.kdf.hkdf import HKDF as TheirHkdf
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from native_lib import lib
from native_psa_calls import (
    AES,
    BAD_STATE,
    CTR,
    DATA,
    DERIVE,
    DERIVES,
    ECDH,
    EDWARDS,
    EXPORT,
    HASHES,
    HMAC_KEY,
    INVALID_ARGUMENT,
    INVALID_HANDLE,
    MEMORY,
    MONTGOMERY,
    NOT_PERMITTED,
    NOT_SUPPORTED,
    OK,
    PAIR,
    PUBLIC,
    R1,
    RAW,
    SHA256,
    SIZES,
    Attributes,
    add,
    call,
    ecdsa,
    fresh_store,
    keys,
    operation,
    rng,
)
from support import wycheproof

HKDF, PRF, EXTRACT, EXPAND = 0x08000100, 0x08000200, 0x08000400, 0x08000500
SECRET, LABEL, SALT, INFO, SEED = 0x101, 0x201, 0x202, 0x203, 0x204
UNLIMITED = (1 << 64) - 1
LONGEST = 128
BASE = bytes.fromhex(
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@pytest.fixture(autouse=True)
def clean():
    yield from fresh_store()


def started(alg):
    op = operation()
    assert lib.psa_key_derivation_setup(op, alg) == OK
    return op


def give(op, step, data):
    return lib.psa_key_derivation_input_bytes(op, c_uint16(step), data, c_size_t(len(data)))


def give_key(op, step, key):
    return lib.psa_key_derivation_input_key(op, c_uint16(step), key)


def draw(op, size):
    out = ctypes.create_string_buffer(b"\xa5" * size, size)
    return lib.psa_key_derivation_output_bytes(op, out, c_size_t(size)), out.raw


def draw_key(op, kind, bits, alg=0):
    key = c_uint32(9)
    attributes = Attributes(kind, EXPORT | DERIVES, alg, bits)
    status = lib.psa_key_derivation_output_key(byref(attributes), op, byref(key))
    assert (status == OK) == (key.value != 0)
    if key.value:
        keys.append(key.value)
    return status, key.value


def exported(op, kind, bits):
    status, key = draw_key(op, kind, bits)
    assert status == OK
    data = call("psa_export_key", key)[1]
    assert lib.psa_destroy_key(keys.pop()) == OK
    return data


def capacity(op):
    found = c_size_t()
    assert lib.psa_key_derivation_get_capacity(op, byref(found)) == OK
    return found.value


def hkdf(name, salt, secret, info, size):
    return TheirHkdf(getattr(hashes, name.upper())(), size, salt or None, info).derive(secret)


def prf(name, secret, label, seed, size):
    """RFC 5246, section 5."""
    out, chain = b"", label + seed
    while len(out) < size:
        chain = python_hmac.digest(secret, chain, name)
        out += python_hmac.digest(secret, chain + label + seed, name)
    return out[:size]


def by_whole_hkdf(low, salt, secret, info, size):
    op = started(HKDF | low)
    if salt is not None:
        assert give(op, SALT, salt) == OK
    assert give(op, SECRET, secret) == OK
    assert give(op, INFO, info) == OK
    assert capacity(op) == 255 * SIZES[low]
    return draw(op, size)


# Others' vectors

RFC5869 = [
    ("0b" * 22, "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
     "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
     "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"),
    (bytes(range(0x50)).hex(), bytes(range(0x60, 0xB0)).hex(), bytes(range(0xB0, 0x100)).hex(),
     "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
     "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e59"
     "0e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"),
    ("0b" * 22, "", "", "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
     "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
]  # fmt: skip
"""Cases 1 to 3: secret, salt, info, pseudorandom key, output."""


@pytest.mark.parametrize("case", RFC5869)
def test_rfc_5869(case):
    secret, salt, info, prk, okm = map(bytes.fromhex, case)
    assert by_whole_hkdf(9, salt, secret, info, len(okm)) == (OK, okm)
    op = started(EXTRACT | 9)
    assert give(op, SALT, salt) == OK
    assert give(op, SECRET, secret) == OK
    assert capacity(op) == 32
    assert draw(op, 32) == (OK, prk)
    op = started(EXPAND | 9)
    assert give(op, INFO, info) == OK
    assert give(op, SECRET, prk) == OK
    assert draw(op, len(okm)) == (OK, okm)


@pytest.mark.parametrize("name", ["sha256", "sha384", "sha512"])
def test_hkdf_of_wycheproof(name):
    low, seen = HASHES[name], set()
    for group in wycheproof.load(f"hkdf_{name}_test.json")["testGroups"]:
        for test in group["tests"]:
            secret, salt, info, okm = (
                bytes.fromhex(test[n]) for n in ("ikm", "salt", "info", "okm")
            )
            if test["result"] == "invalid":
                assert test["size"] > 255 * SIZES[low]
                wanted = DATA, bytes(test["size"])
            else:
                wanted = OK, okm
            assert by_whole_hkdf(low, salt, secret, info, test["size"]) == wanted
            seen.add(test["result"])
    assert seen == {"valid", "invalid"}


def test_prf_of_tls_1_2():
    """The vector for SHA-256 that implementers agreed on, on the list of the working group."""
    secret = bytes.fromhex("9bbe436ba940f017b17652849a71db35")
    seed = bytes.fromhex("a0ba9f936cda311827a6f796ffd5198c")
    wanted = bytes.fromhex(
        "e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9"
        "af0fa022f7077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110ff"
        "f70187347b66"
    )
    op = started(PRF | 9)
    for step, data in ((SEED, seed), (SECRET, secret), (LABEL, b"test label")):
        assert give(op, step, data) == OK
    assert capacity(op) == UNLIMITED
    assert draw(op, 100) == (OK, wanted)
    assert capacity(op) == UNLIMITED


# Random inputs


@pytest.mark.parametrize("name", ["sha224", "sha256", "sha384", "sha512", "sha3_256"])
def test_random_inputs(name):
    low = HASHES[name]
    for _ in range(20):
        salt, secret = rng.randbytes(rng.randrange(200)), rng.randbytes(rng.randrange(200))
        info, size = rng.randbytes(rng.randrange(LONGEST + 1)), rng.randrange(300)
        assert by_whole_hkdf(low, salt, secret, info, size) == (
            OK,
            hkdf(name, salt, secret, info, size) if size else b"",
        )
        assert by_whole_hkdf(low, None, secret, info, 40) == (OK, hkdf(name, b"", secret, info, 40))
        long = SIZES[low] + rng.randrange(9)
        op, prk = started(EXPAND | low), rng.randbytes(long)
        assert give(op, SECRET, prk) == OK
        assert give(op, INFO, info) == OK
        theirs = HKDFExpand(getattr(hashes, name.upper())(), 100, info).derive(prk)
        assert draw(op, 100) == (OK, theirs)
        cut = rng.randrange(len(info) + 1)
        op = started(PRF | low)
        for step, data in ((SEED, info[:cut]), (SECRET, secret), (LABEL, info[cut:])):
            assert give(op, step, data) == OK
        assert draw(op, size) == (OK, prf(name, secret, info[cut:], info[:cut], size))


@pytest.mark.parametrize("alg", [HKDF, PRF])
def test_output_in_parts(alg):
    """Any pieces are pieces of one stream; set_capacity() only makes it shorter."""

    def fed():
        op = started(alg | 9)
        first, last = (SALT, INFO) if alg == HKDF else (SEED, LABEL)
        for step, data in ((first, b"one"), (SECRET, b"secret"), (last, b"two")):
            assert give(op, step, data) == OK
        return op

    whole = draw(fed(), 500)[1]
    for pieces in ((1,) * 70, (31, 1, 32, 33, 0, 64), (500,)):
        op, at = fed(), 0
        for size in pieces:
            assert draw(op, size) == (OK, whole[at : at + size])
            at += size
    op = fed()
    assert lib.psa_key_derivation_set_capacity(op, c_size_t(100)) == OK
    assert draw(op, 60) == (OK, whole[:60])
    assert capacity(op) == 40
    assert draw(op, 41) == (DATA, bytes(41))
    assert capacity(op) == 0
    assert draw(op, 1) == (DATA, bytes(1))
    assert draw(op, 0) == (OK, b"")
    assert lib.psa_key_derivation_set_capacity(op, c_size_t(1)) == INVALID_ARGUMENT
    assert capacity(op) == 0
    assert draw(op, 0) == (OK, b"")


# Keys


def derived(secret=b"s" * 32, alg=HKDF | 9):
    """An operation whose secret is a key."""
    op, key = started(alg), add(DERIVE, DERIVES, alg, secret)
    assert give_key(op, SECRET, key) == OK
    assert give(op, INFO, b"info") == OK
    return op


def test_output_keys():
    """A key is the next bytes of the stream, in the shape of its type."""
    stream = hkdf("sha256", b"", b"s" * 32, b"info", 400)
    op = derived()
    assert exported(op, AES, 128) == stream[:16]
    assert exported(op, HMAC_KEY, 168) == stream[16:37]
    assert draw(op, 3)[1] == stream[37:40]
    assert exported(op, RAW, 1024) == stream[40:168]
    clamped = bytearray(stream[168:200])
    clamped[0] &= 248
    clamped[31] = clamped[31] & 127 | 64
    assert exported(op, PAIR | MONTGOMERY, 255) == clamped
    assert exported(op, PAIR | EDWARDS, 255) == stream[200:232]
    number = int.from_bytes(stream[232:264], "big") + 1
    assert exported(op, PAIR | R1, 256) == number.to_bytes(32, "big")
    number = int.from_bytes(stream[264:312], "big") + 1
    assert exported(op, PAIR | R1, 384) == number.to_bytes(48, "big")
    number = int.from_bytes(stream[312:378], "big") % 2**521 + 1
    assert exported(op, PAIR | R1, 521) == number.to_bytes(66, "big")
    assert capacity(op) == 255 * 32 - 378


def test_import_knows_what_is_no_private_key():
    """What psa_key_derivation_output_key() draws again for, with a chance of 2^-32 (not tested)."""
    for value, good in ((0, True), (ORDER - 2, True), (ORDER - 1, False), (2**256 - 1, False)):
        private = (value + 1) % 2**256
        status = OK if good else INVALID_ARGUMENT
        assert good == (0 < private < ORDER)
        add(PAIR | R1, EXPORT, 0, private.to_bytes(32, "big"), expected=status)
        if not keys[-1]:
            keys.pop()


@pytest.mark.parametrize(
    ("kind", "bits", "status"),
    [
        (AES, 0, INVALID_ARGUMENT),
        (AES, 129, INVALID_ARGUMENT),
        (AES, 136, INVALID_ARGUMENT),
        (PUBLIC | R1, 256, INVALID_ARGUMENT),
        (0x7001, 2048, INVALID_ARGUMENT),
        (0x4001, 2048, INVALID_ARGUMENT),
        (PAIR | R1, 520, INVALID_ARGUMENT),
        (RAW, 8 * 529, NOT_SUPPORTED),
        (RAW, 8 * 528, OK),
    ],
)
def test_keys_that_cannot_be(kind, bits, status):
    assert draw_key(derived(), kind, bits)[0] == status


def test_secrets_that_are_no_keys_give_none():
    op = started(HKDF | 9)
    assert give(op, SECRET, b"s") == OK
    assert give(op, INFO, b"") == OK
    assert draw_key(op, AES, 128)[0] == NOT_PERMITTED
    assert draw(op, 1)[0] == BAD_STATE


def test_capacity_for_keys():
    op = derived()
    assert lib.psa_key_derivation_set_capacity(op, c_size_t(31)) == OK
    assert exported(op, AES, 128)
    assert draw_key(op, AES, 128)[0] == DATA
    assert capacity(op) == 0


def test_policies():
    alg = HKDF | 9
    for kind, usage, policy, step, status in (
        (DERIVE, DERIVES, alg, SECRET, OK),
        (DERIVE, EXPORT, alg, SECRET, NOT_PERMITTED),
        (DERIVE, DERIVES, HKDF | 10, SECRET, NOT_PERMITTED),
        (DERIVE, DERIVES, 0, SECRET, NOT_PERMITTED),
        (RAW, DERIVES, alg, SECRET, INVALID_ARGUMENT),
        (HMAC_KEY, DERIVES, alg, SECRET, INVALID_ARGUMENT),
        (RAW, DERIVES, alg, SALT, OK),
        (RAW, DERIVES, alg, INFO, OK),
        (DERIVE, DERIVES, alg, SALT, INVALID_ARGUMENT),
    ):
        op = started(alg)
        assert give_key(op, step, add(kind, usage, policy, b"key")) == status
        assert lib.psa_destroy_key(keys.pop()) == OK
        state = c_size_t()
        after = lib.psa_key_derivation_get_capacity(op, byref(state))
        assert after == (OK if status == OK else BAD_STATE)
    assert give_key(started(alg), SECRET, 0) == INVALID_HANDLE


@pytest.mark.parametrize("policy", [ECDH, ECDH | HKDF | 9])
@pytest.mark.parametrize("curve", [R1, MONTGOMERY])
def test_agreement(curve, policy):
    alg, peer = ECDH | HKDF | 9, BASE if curve == R1 else b"\x09" + bytes(31)
    secret = bytes(range(1, 33))
    key = add(PAIR | curve, DERIVES, policy, secret)
    op = started(alg)
    agree = lib.psa_key_derivation_key_agreement
    assert agree(op, c_uint16(SECRET), key, peer, c_size_t(len(peer))) == OK
    assert give(op, INFO, b"info") == OK
    if curve == R1:
        pair = ec.derive_private_key(int.from_bytes(secret, "big"), ec.SECP256R1())
        shared = pair.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), peer)
        )
    else:
        pair = x25519.X25519PrivateKey.from_private_bytes(secret)
        shared = pair.exchange(x25519.X25519PublicKey.from_public_bytes(peer))
    stream = hkdf("sha256", b"", shared, b"info", 56)
    assert draw(op, 40) == (OK, stream[:40])
    assert exported(op, AES, 128) == stream[40:]
    for wrong, step, status in (
        (peer[:-1], SECRET, INVALID_ARGUMENT),
        (peer, SALT, INVALID_ARGUMENT),
        (bytes(len(peer)), SECRET, INVALID_ARGUMENT),
    ):
        op = started(alg)
        assert agree(op, c_uint16(step), key, wrong, c_size_t(len(wrong))) == status
    op = started(HKDF | 9)
    assert agree(op, c_uint16(SECRET), key, peer, c_size_t(len(peer))) == INVALID_ARGUMENT
    other = add(PAIR | curve, DERIVES, ECDH | HKDF | 10, secret)
    op = started(alg)
    assert agree(op, c_uint16(SECRET), other, peer, c_size_t(len(peer))) == NOT_PERMITTED
    status = OK if policy == ECDH else NOT_PERMITTED
    assert call("psa_raw_key_agreement", ECDH, key, peer)[0] == status


# Orders of calls

STEPS = (SECRET, LABEL, SALT, INFO, SEED, 0x102, "draw")


TAKES = {
    HKDF: {SALT, SECRET, INFO},
    EXTRACT: {SALT, SECRET},
    EXPAND: {SECRET, INFO},
    PRF: {SEED, SECRET, LABEL},
}


class Model:
    """What the standard says of the order of inputs."""

    def __init__(self, kind):
        self.kind, self.given = kind, set()

    def status(self, step):
        """Return what a step gives; after an error the operation has failed."""
        if "failed" in self.given:
            return BAD_STATE
        status = self._status(step)
        self.given.add(step if status == OK else "failed")
        return status

    def _status(self, step):
        need = {HKDF: {SECRET, INFO}}.get(self.kind, TAKES[self.kind])
        if step == "draw":
            return OK if need <= self.given else BAD_STATE
        if "draw" in self.given:
            return BAD_STATE
        if step not in TAKES[self.kind]:
            return INVALID_ARGUMENT
        before = {
            (EXTRACT, SECRET): {SALT},
            (PRF, SECRET): {SEED},
            (PRF, LABEL): {SECRET},
        }.get((self.kind, step), set())
        late = step == SALT and SECRET in self.given
        return BAD_STATE if step in self.given or late or not before <= self.given else OK


@pytest.mark.parametrize("kind", [HKDF, EXTRACT, EXPAND, PRF])
def test_orders_of_inputs(kind):
    """Every sequence of four steps."""
    for order in itertools.product(STEPS, repeat=4):
        op, model = started(kind | 9), Model(kind)
        for step in order:
            status = draw(op, 8)[0] if step == "draw" else give(op, step, b"x" * 32)
            assert status == model.status(step), (order, step)
        assert lib.psa_key_derivation_abort(op) == OK
        assert not any(op.raw)


NO_DERIVATION = [
    (0, INVALID_ARGUMENT), (SHA256, INVALID_ARGUMENT), (ECDH, INVALID_ARGUMENT),
    (ecdsa(SHA256), INVALID_ARGUMENT), (CTR, INVALID_ARGUMENT), (HKDF | 0xFF, NOT_SUPPORTED),
    (HKDF | 0x19, NOT_SUPPORTED), (HKDF | 3, NOT_SUPPORTED), (HKDF, NOT_SUPPORTED),
    (0x08000309, NOT_SUPPORTED), (0x08800109, NOT_SUPPORTED),
    (0x09010000 | HKDF | 9, NOT_SUPPORTED), (ECDH | HKDF | 9, OK),
]  # fmt: skip


KINDS = (HKDF, PRF, EXTRACT, EXPAND)


@pytest.mark.parametrize("agreed", [0, ECDH])
@pytest.mark.parametrize("kind", KINDS)
def test_every_bit_of_a_derivation(kind, agreed):
    """Another bit is another derivation, or none; and not that of the key's policy."""
    alg = agreed | kind | 9
    known = {base | one | low for base in (0, ECDH) for one in KINDS for low in SIZES}
    assert alg in known
    for bit in range(32):
        other, op = alg ^ 1 << bit, operation()
        status = lib.psa_key_derivation_setup(op, other)
        assert (status == OK) == (other in known), hex(other)
        assert any(op.raw) == (status == OK)
    if agreed:
        return
    for policy in (alg, *(alg ^ 1 << bit for bit in range(32))):
        key, op = add(DERIVE, DERIVES, policy, b"k" * 32), started(alg)
        if first := {PRF: SEED, EXTRACT: SALT}.get(kind):
            assert give(op, first, b"first") == OK
        assert give_key(op, SECRET, key) == (OK if policy == alg else NOT_PERMITTED), hex(policy)
        assert lib.psa_destroy_key(keys.pop()) == OK


@pytest.mark.parametrize(("alg", "status"), NO_DERIVATION)
def test_setup(alg, status):
    op = operation()
    assert lib.psa_key_derivation_setup(op, alg) == status
    assert any(op.raw) == (status == OK)
    if status == OK:
        assert lib.psa_key_derivation_setup(op, alg) == BAD_STATE
        assert capacity(op) == 255 * 32
    else:
        for refused in (draw(op, 1)[0], give(op, SECRET, b"x"), draw_key(op, AES, 128)[0]):
            assert refused == BAD_STATE


def test_what_is_kept_has_a_limit():
    for size, status in ((LONGEST, OK), (LONGEST + 1, MEMORY)):
        assert give(started(HKDF | 9), INFO, bytes(size)) == status
        op = started(PRF | 9)
        assert give(op, SEED, bytes(50)) == give(op, SECRET, b"x") == OK
        assert give(op, LABEL, bytes(size - 50)) == status


def test_null_buffers():
    for step in (SECRET, SALT, INFO):
        op = started(HKDF | 9)
        assert lib.psa_key_derivation_input_bytes(op, c_uint16(step), None, c_size_t(1)) == (
            INVALID_ARGUMENT
        )
        op = started(HKDF | 9)
        assert lib.psa_key_derivation_input_bytes(op, c_uint16(step), None, c_size_t(0)) == OK
    assert lib.psa_key_derivation_output_bytes(derived(), None, c_size_t(1)) == INVALID_ARGUMENT
    assert lib.psa_key_derivation_output_bytes(derived(), None, c_size_t(0)) == OK
    op = started(ECDH | HKDF | 9)
    key = add(PAIR | MONTGOMERY, DERIVES, ECDH, b"k" * 32)
    assert (
        lib.psa_key_derivation_key_agreement(op, c_uint16(SECRET), key, None, c_size_t(32))
        == INVALID_ARGUMENT
    )
