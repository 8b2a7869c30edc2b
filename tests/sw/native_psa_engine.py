"""An engine that does the public-key work of the PSA layer; here it is another library's."""

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    byref,
    c_bool,
    c_int,
    c_size_t,
    c_uint8,
    c_uint32,
    c_void_p,
)
from dataclasses import dataclass

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils, x25519
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from native_lib import lib
from native_psa_calls import (
    BAD_STATE,
    COPY,
    DERIVES,
    ECDH,
    EDDSA,
    EDWARDS,
    EXPORT,
    HASH,
    IN_ENGINE,
    INVALID_ARGUMENT,
    MEMORY,
    MESSAGE,
    MONTGOMERY,
    NOT_PERMITTED,
    NOT_SUPPORTED,
    OK,
    PAIR,
    PERSISTENT,
    PUBLIC,
    R1,
    RAW,
    SHA256,
    SIGNATURE,
    TOO_SMALL,
    Attributes,
    add,
    call,
    call_into,
    check,
    ecdsa,
    fresh_store,
    keys,
    operation,
    rng,
)
from native_psa_rules import good_derivations, good_signatures, nulls_tried

BYTES = POINTER(c_uint8)
SUPPORT, AUTH, FAULT, KEY, TIMEOUT, BUSY = -9, -10, -8, -11, -6, -5
CORRUPTION, HARDWARE = -151, -147
RANDOM_ECDSA = 0x06000600
FIXED = ecdsa(SHA256)
CURVES = {256: ec.SECP256R1(), 384: ec.SECP384R1(), 521: ec.SECP521R1()}
RAW_RSA = 0x06000200, 0x06000300
RSA_PUBLIC = 0x4001


class Curve(Structure):
    """cryptile_psa_curve_t."""

    _fields_ = [
        ("public_key", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("ecdh", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
        ("sign", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_size_t)),
        ("verify", CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_void_p)),
    ]


HANDLE = POINTER(c_uint32)


class Opaque(Structure):
    """cryptile_psa_opaque_t."""

    _fields_ = [
        ("generate", CFUNCTYPE(c_int, HANDLE, c_void_p, c_int, c_bool, c_bool)),
        ("destroy", CFUNCTYPE(c_int, c_uint32)),
        ("ecdh", CFUNCTYPE(c_int, c_void_p, c_uint32, c_void_p)),
        ("sign", CFUNCTYPE(c_int, c_void_p, c_uint32, c_void_p, c_size_t)),
        ("ed25519_sign", CFUNCTYPE(c_int, c_void_p, c_uint32, c_void_p, c_size_t, c_void_p)),
    ]


class Engine(Structure):
    """cryptile_psa_engine_t."""

    _fields_ = [
        *((f"p{bits}", Curve) for bits in CURVES),
        ("x25519", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
        ("ed25519_public", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("ed25519_sign", CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p)),
        ("ed25519_verify", CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_void_p)),
        ("rsa_public", CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_uint32, c_void_p)),
        ("opaque", Opaque),
    ]


class Other:
    """The other library as an engine: what it was asked for, and what it answers instead."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answer: int | None = None
        self.engine = Engine()
        for bits in CURVES:
            curve = getattr(self.engine, f"p{bits}")
            for name, kind in Curve._fields_:
                setattr(curve, name, kind(self._hook(f"p{bits}_{name}", bits)))
        for name, kind in Engine._fields_[len(CURVES) : -1]:
            setattr(self.engine, name, kind(self._hook(name)))
        for name, kind in Opaque._fields_:
            setattr(self.engine.opaque, name, kind(self._hook(f"opaque_{name}")))
        self.held: dict[int, Held] = {}

    def _hook(self, name, *first):
        work = getattr(self, name.removeprefix(f"p{first[0]}_") if first else name)

        def hook(*words):
            self.asked.append(name)
            if None in words:  # hardware does not look: there is an address 0
                return OK
            return work(*first, *words) if self.answer is None else self.answer

        return hook

    @staticmethod
    def _key(bits, at) -> ec.EllipticCurvePrivateKey:
        number = int.from_bytes(ctypes.string_at(at, (bits + 7) // 8), "big")
        return ec.derive_private_key(number, CURVES[bits])

    @staticmethod
    def _give(at, data) -> int:
        ctypes.memmove(at, data, len(data))
        return OK

    def public_key(self, bits, out, key):
        return self._give(out, point(self._key(bits, key).public_key()))

    def ecdh(self, bits, out, key, peer):
        data = ctypes.string_at(peer, 1 + 2 * ((bits + 7) // 8))
        try:
            other = ec.EllipticCurvePublicKey.from_encoded_point(CURVES[bits], data)
        except ValueError:
            return KEY
        return self._give(out, self._key(bits, key).exchange(ec.ECDH(), other))

    def sign(self, bits, out, key, digest, length):
        return self._signed(self._key(bits, key), out, ctypes.string_at(digest, length))

    def _signed(self, key, out, digest):
        signed = key.sign(digest, ec.ECDSA(utils.Prehashed(HASH_OF[len(digest)])))
        size = (key.curve.key_size + 7) // 8
        numbers = utils.decode_dss_signature(signed)
        return self._give(out, b"".join(number.to_bytes(size, "big") for number in numbers))

    def verify(self, bits, key, digest, length, signature):
        size = (bits + 7) // 8
        data = ctypes.string_at(signature, 2 * size)
        halves = (int.from_bytes(part, "big") for part in (data[:size], data[size:]))
        known = ec.EllipticCurvePublicKey.from_encoded_point(
            CURVES[bits], ctypes.string_at(key, 1 + 2 * size)
        )
        how = ec.ECDSA(utils.Prehashed(HASH_OF[length]))
        try:
            known.verify(utils.encode_dss_signature(*halves), ctypes.string_at(digest, length), how)
        except InvalidSignature:
            return AUTH
        return OK

    def x25519(self, out, key, peer):
        mine = x25519.X25519PrivateKey.from_private_bytes(ctypes.string_at(key, 32))
        try:
            return self._give(out, mine.exchange(_x25519(peer)))
        except ValueError:
            return KEY

    def ed25519_public(self, out, seed):
        return self._give(out, edwards(seed).public_key().public_bytes_raw())

    def ed25519_sign(self, out, message, length, seed, public):
        assert ctypes.string_at(public, 32) == edwards(seed).public_key().public_bytes_raw()
        return self._give(out, edwards(seed).sign(ctypes.string_at(message, length)))

    def ed25519_verify(self, signature, message, length, public):
        key = ed25519.Ed25519PublicKey.from_public_bytes(ctypes.string_at(public, 32))
        try:
            key.verify(ctypes.string_at(signature, 64), ctypes.string_at(message, length))
        except InvalidSignature:
            return AUTH
        return OK

    def rsa_public(self, out, modulus, size, exponent, number):
        n, base = (int.from_bytes(ctypes.string_at(at, size), "big") for at in (modulus, number))
        return KEY if base >= n else self._give(out, pow(base, exponent, n).to_bytes(size, "big"))

    def opaque_generate(self, handle, out, curve, signs, agrees):
        if len(self.held) == ROOM:
            return BUSY
        handle[0] = 0x80000000 + len(self.asked)
        if curve < 3:
            key = ec.generate_private_key(list(CURVES.values())[curve])
        else:
            kinds = x25519.X25519PrivateKey, ed25519.Ed25519PrivateKey
            key = kinds[curve - 3].generate()
        self.held[handle[0]] = Held(key, signs, agrees)
        public = key.public_key()
        return self._give(out, point(public) if curve < 3 else public.public_bytes_raw())

    def opaque_destroy(self, handle):
        del self.held[handle]
        return OK

    def opaque_ecdh(self, out, handle, peer):
        key = self.held[handle].key
        assert self.held[handle].agrees
        if isinstance(key, x25519.X25519PrivateKey):
            return self._give(out, key.exchange(_x25519(peer)))
        size = 1 + 2 * ((key.curve.key_size + 7) // 8)
        other = ec.EllipticCurvePublicKey.from_encoded_point(
            key.curve, ctypes.string_at(peer, size)
        )
        return self._give(out, key.exchange(ec.ECDH(), other))

    def opaque_sign(self, out, handle, digest, length):
        key = self.held[handle].key
        assert self.held[handle].signs
        return self._signed(key, out, ctypes.string_at(digest, length))

    def opaque_ed25519_sign(self, out, handle, message, length, public):
        key = self.held[handle].key
        assert self.held[handle].signs
        assert ctypes.string_at(public, 32) == key.public_key().public_bytes_raw()
        return self._give(out, key.sign(ctypes.string_at(message, length)))


@dataclass(frozen=True)
class Held:
    """A key that the PSA layer never sees, and what it is for."""

    key: object
    signs: bool
    agrees: bool


ROOM = 2
"""Opaque keys that the engine holds at most."""


def _x25519(at):
    return x25519.X25519PublicKey.from_public_bytes(ctypes.string_at(at, 32))


HASH_OF = {32: hashes.SHA256(), 48: hashes.SHA384(), 64: hashes.SHA512()}


def edwards(seed):
    return ed25519.Ed25519PrivateKey.from_private_bytes(ctypes.string_at(seed, 32))


def point(key):
    numbers = key.public_numbers()
    size = (key.curve.key_size + 7) // 8
    return b"\x04" + numbers.x.to_bytes(size, "big") + numbers.y.to_bytes(size, "big")


@pytest.fixture(autouse=True)
def clean():
    yield from fresh_store()


@pytest.fixture
def other():
    found = Other()
    lib.cryptile_psa_set_engine(ctypes.byref(found.engine))
    yield found
    found.answer = None
    while keys:  # while the engine that holds some of them is there
        lib.psa_destroy_key(keys.pop())
    lib.cryptile_psa_set_engine(None)


def by_library(work):
    """Do something without the engine."""
    lib.cryptile_psa_set_engine(None)
    return work()


@pytest.mark.parametrize("bits", CURVES)
def test_signatures(other, bits):
    """A random nonce is the engine's; that of a deterministic signature is the library's."""
    size = (bits + 7) // 8
    alg, digest = RANDOM_ECDSA | 9, rng.randbytes(32)
    secret = (rng.getrandbits(bits - 8) | 1).to_bytes(size, "big")
    fixed = add(PAIR | R1, HASH, FIXED, secret)
    other.asked.clear()
    key = add(PAIR | R1, HASH, alg, secret)
    assert other.asked == [f"p{bits}_public_key"]  # whether it is one
    other.asked.clear()
    signatures = {call("psa_sign_hash", key, alg, digest, room=2 * size) for _ in range(3)}
    assert [status for status, _ in signatures] == [OK] * 3
    assert other.asked == [f"p{bits}_sign"] * 3
    other.asked.clear()
    same = {call("psa_sign_hash", fixed, FIXED, digest, room=2 * size) for _ in range(2)}
    assert len(same) == 1
    assert other.asked == []
    for _, signature in [*signatures, *same]:
        assert check("psa_verify_hash", key, alg, digest, signature) == OK
        assert check("psa_verify_hash", key, alg, bytes(32), signature) == SIGNATURE
    assert set(other.asked) == {f"p{bits}_public_key", f"p{bits}_verify"}
    status, signature = call("psa_sign_message", key, alg, b"message", room=2 * size)
    assert status == OK
    assert by_library(lambda: check("psa_verify_message", key, alg, b"message", signature)) == OK


@pytest.mark.parametrize("bits", CURVES)
def test_agreements(other, bits):
    size = (bits + 7) // 8
    mine = ec.derive_private_key(rng.getrandbits(bits - 8) | 1, CURVES[bits])
    peer = ec.generate_private_key(CURVES[bits])
    private = mine.private_numbers().private_value.to_bytes(size, "big")
    key = add(PAIR | R1, DERIVES, ECDH, private)
    assert call("psa_export_public_key", key) == (OK, point(mine.public_key()))
    wanted = mine.exchange(ec.ECDH(), peer.public_key())
    assert call("psa_raw_key_agreement", ECDH, key, point(peer.public_key())) == (OK, wanted)
    wrong = point(peer.public_key())[:-1] + b"\x00"
    assert call("psa_raw_key_agreement", ECDH, key, wrong) == (INVALID_ARGUMENT, b"")
    assert other.asked[-3:] == [f"p{bits}_public_key", f"p{bits}_ecdh", f"p{bits}_ecdh"]
    other.asked.clear()
    add(PUBLIC | R1, 0, 0, point(peer.public_key()))
    assert other.asked == [f"p{bits}_ecdh"]


def test_curve25519(other):
    mine, peer = x25519.X25519PrivateKey.generate(), x25519.X25519PrivateKey.generate()
    key = add(PAIR | MONTGOMERY, DERIVES, ECDH, mine.private_bytes_raw())
    assert call("psa_export_public_key", key) == (OK, mine.public_key().public_bytes_raw())
    given = peer.public_key().public_bytes_raw()
    assert call("psa_raw_key_agreement", ECDH, key, given) == (OK, mine.exchange(peer.public_key()))
    assert call("psa_raw_key_agreement", ECDH, key, bytes(32)) == (INVALID_ARGUMENT, b"")
    assert other.asked == ["x25519"] * 3
    other.asked.clear()
    seed = rng.randbytes(32)
    key = add(PAIR | EDWARDS, MESSAGE, EDDSA, seed)
    status, signature = call("psa_sign_message", key, EDDSA, b"text")
    assert status == OK
    assert check("psa_verify_message", key, EDDSA, b"text", signature) == OK
    assert check("psa_verify_message", key, EDDSA, b"test", signature) == SIGNATURE
    assert other.asked[:2] == ["ed25519_public", "ed25519_sign"]
    assert set(other.asked[2:]) == {"ed25519_public", "ed25519_verify"}
    assert by_library(lambda: call("psa_sign_message", key, EDDSA, b"text")) == (OK, signature)


@pytest.mark.parametrize("scheme", RAW_RSA)
def test_rsa(other, scheme):
    theirs = rsa.generate_private_key(65537, 2048)
    numbers = theirs.public_key().public_numbers()
    key = add(RSA_PUBLIC, HASH, scheme | 9, der(numbers.n, numbers.e))
    digest, sha = rng.randbytes(32), hashes.SHA256()
    chosen = padding.PKCS1v15() if scheme == 0x06000200 else padding.PSS(padding.MGF1(sha), 32)
    signature = theirs.sign(digest, chosen, utils.Prehashed(sha))
    assert check("psa_verify_hash", key, scheme | 9, digest, signature) == OK
    assert check("psa_verify_hash", key, scheme | 9, bytes(32), signature) == SIGNATURE
    assert check("psa_verify_hash", key, scheme | 9, digest, b"\xff" * 256) == SIGNATURE
    assert other.asked == ["rsa_public"] * 3
    assert check("psa_verify_hash", key, scheme | 9, digest, signature[:-1]) == SIGNATURE
    assert other.asked == ["rsa_public"] * 3  # of another length: not asked


def der(modulus, exponent):
    key = rsa.RSAPublicNumbers(exponent, modulus).public_key()
    return key.public_bytes(Encoding.DER, PublicFormat.PKCS1)


def uses():
    """Everything that asks the engine, by what it is asked: what is called, and what it gives."""
    for bits in CURVES:
        size, alg = (bits + 7) // 8, RANDOM_ECDSA | 9
        signer = add(PAIR | R1, HASH, alg, b"\x01" * size if bits < 521 else b"\0" + b"\x01" * 65)
        agreer = add(PAIR | R1, DERIVES, ECDH, (2).to_bytes(size, "big"))
        peer = call("psa_export_public_key", agreer)[1]
        verifier = add(PUBLIC | R1, HASH, alg, call("psa_export_public_key", signer)[1])
        signature = call("psa_sign_hash", signer, alg, bytes(32), room=2 * size)[1]
        yield f"p{bits}_public_key", call, ("psa_export_public_key", agreer)
        yield f"p{bits}_ecdh", call, ("psa_raw_key_agreement", ECDH, agreer, peer)
        yield f"p{bits}_sign", call, ("psa_sign_hash", signer, alg, bytes(32))
        yield f"p{bits}_verify", check, ("psa_verify_hash", verifier, alg, bytes(32), signature)
        for key in (signer, agreer, verifier):
            assert lib.psa_destroy_key(key) == OK
    agreer = add(PAIR | MONTGOMERY, DERIVES, ECDH, b"\x02" * 32)
    signer = add(PAIR | EDWARDS, MESSAGE, EDDSA, b"\x03" * 32)
    public = call("psa_export_public_key", signer)[1]
    verifier = add(PUBLIC | EDWARDS, MESSAGE, EDDSA, public)
    signature = call("psa_sign_message", signer, EDDSA, b"x")[1]
    yield "x25519", call, ("psa_export_public_key", agreer)
    yield "x25519", call, ("psa_raw_key_agreement", ECDH, agreer, b"\x09" + bytes(31))
    yield "ed25519_public", call, ("psa_export_public_key", signer)
    yield "ed25519_sign", call, ("psa_sign_message", signer, EDDSA, b"x")
    yield "ed25519_verify", check, ("psa_verify_message", verifier, EDDSA, b"x", signature)
    numbers = rsa.generate_private_key(65537, 2048).public_key().public_numbers()
    key = add(RSA_PUBLIC, HASH, RAW_RSA[0] | 9, der(numbers.n, numbers.e))
    yield "rsa_public", check, ("psa_verify_hash", key, RAW_RSA[0] | 9, bytes(32), bytes(256))


@pytest.mark.parametrize("is_opaque", [False, True])
def test_null_buffers_do_not_reach_the_engine(other, is_opaque):
    """Which would read or write at address 0, or say that all is well."""
    place = placed_opaque if is_opaque else add
    tried = nulls_tried(good_signatures(place)) | nulls_tried(good_derivations(place))
    asymmetric = {"psa_sign", "psa_veri", "psa_raw_", "psa_key_"}
    assert {name[:8] for name, _ in tried} == asymmetric
    assert {buffer for _, buffer in tried} > {"hash", "input", "signature", "peer_key", "output"}


def placed_opaque(kind, usage, alg, _secret):
    return opaque(kind, usage, alg, 256 if kind == PAIR | R1 else 255)


FAILS = {FAULT: CORRUPTION, TIMEOUT: HARDWARE, KEY: INVALID_ARGUMENT, AUTH: SIGNATURE}


def test_an_engine_that_fails_is_not_replaced(other):
    """Its status is the call's, and nothing comes out; what it has not, the library does."""
    seen = set()
    for name, how, what in uses():
        right = how(*what)
        room = {} if how is check else {"room": 200}
        for answer, status in FAILS.items():
            other.asked.clear()
            other.answer = answer
            got = how(*what, **room)
            wanted = SIGNATURE if (name, answer) == ("rsa_public", KEY) else status
            assert got == (wanted if how is check else (wanted, b"")), (name, answer)
            if how is call and what[0] != "psa_export_public_key":
                check_zeroed(what, len(right[1]), wanted)
            assert {name, "ed25519_public"}.intersection(other.asked)  # which comes before
        other.answer = SUPPORT
        if not name.endswith(("_sign", "_verify")):
            assert how(*what, **room) == right
        elif how is check:
            assert how(*what) == OK
        else:
            assert how(*what, **room)[0] == OK
        other.answer = None
        seen.add(name)
    every = {f"p{bits}_{name}" for bits in CURVES for name, _ in Curve._fields_}
    assert seen == every | {name for name, _ in Engine._fields_[len(CURVES) : -1]}


def check_zeroed(what, size, status):
    """A signature or secret that has failed is zero, and no more than that has been written."""
    before = b"\xaa" * (size + 9)
    assert call_into(before, *what) == (status, 0, bytes(size) + before[size:]), what[0]


def test_functions_may_be_missing():
    """An engine may have only some, and be taken away; a key outlives it."""
    some = Other()
    some.engine.p256.sign = type(some.engine.p256.sign)()
    some.engine.x25519 = type(some.engine.x25519)()
    lib.cryptile_psa_set_engine(ctypes.byref(some.engine))
    key = add(PAIR | R1, HASH, RANDOM_ECDSA | 9, b"\x01" * 32)
    some.asked.clear()
    signature = call("psa_sign_hash", key, RANDOM_ECDSA | 9, bytes(32))[1]
    assert some.asked == []
    assert check("psa_verify_hash", key, RANDOM_ECDSA | 9, bytes(32), signature) == OK
    assert some.asked == ["p256_public_key", "p256_verify"]
    lib.cryptile_psa_set_engine(None)
    assert check("psa_verify_hash", key, RANDOM_ECDSA | 9, bytes(32), signature) == OK
    assert some.asked == ["p256_public_key", "p256_verify"]


def made(kind, usage, alg, bits, life=IN_ENGINE):
    """Make a key; return the status and the key."""
    key, attributes = c_uint32(9), Attributes(kind, usage, alg, bits, life)
    status = lib.psa_generate_key(byref(attributes), byref(key))
    assert (status == OK) == (key.value != 0)
    if key.value:
        keys.append(key.value)
    return status, key.value


def opaque(kind, usage, alg, bits):
    status, key = made(kind, usage, alg, bits)
    assert status == OK
    return key


def destroyed(key):
    return lib.psa_destroy_key(key)


@pytest.mark.parametrize("bits", CURVES)
def test_opaque_keys_of_nist_s_curves(other, bits):
    """All that is secret is the engine's; what is public is not asked of it again."""
    alg, digest = RANDOM_ECDSA | 9, rng.randbytes(32)
    signer = opaque(PAIR | R1, HASH | EXPORT, alg, bits)
    (held,) = other.held.values()
    public = point(held.key.public_key())
    assert (held.signs, held.agrees) == (True, False)
    assert call("psa_export_public_key", signer) == (OK, public)
    signature = call("psa_sign_hash", signer, alg, digest)[1]
    assert check("psa_verify_hash", signer, alg, digest, signature) == OK
    assert check("psa_verify_hash", signer, alg, bytes(32), signature) == SIGNATURE
    assert other.asked == ["opaque_generate", "opaque_sign", *[f"p{bits}_verify"] * 2]
    agreer = opaque(PAIR | R1, DERIVES | HASH, ECDH, bits)
    held = list(other.held.values())[1]
    assert (held.signs, held.agrees) == (False, True)
    peer = ec.generate_private_key(CURVES[bits])
    wanted = held.key.exchange(ec.ECDH(), peer.public_key())
    assert call("psa_raw_key_agreement", ECDH, agreer, point(peer.public_key())) == (OK, wanted)
    assert made(PAIR | R1, HASH, alg, bits) == (MEMORY, 0)
    assert [destroyed(key) for key in (signer, agreer)] == [OK, OK]
    assert other.held == {}


def test_opaque_keys_of_curve25519(other):
    agreer = opaque(PAIR | MONTGOMERY, DERIVES, ECDH, 255)
    signer = opaque(PAIR | EDWARDS, MESSAGE, EDDSA, 255)
    agrees, signs = other.held.values()
    peer = x25519.X25519PrivateKey.generate()
    given = peer.public_key().public_bytes_raw()
    wanted = peer.exchange(agrees.key.public_key())
    assert call("psa_raw_key_agreement", ECDH, agreer, given) == (OK, wanted)
    for wrong in (given[:-1], b"\x04" + bytes(64)):
        assert call("psa_raw_key_agreement", ECDH, agreer, wrong) == (INVALID_ARGUMENT, b"")
    status, signature = call("psa_sign_message", signer, EDDSA, b"text")
    assert (status, signature) == (OK, signs.key.sign(b"text"))
    assert check("psa_verify_message", signer, EDDSA, b"text", signature) == OK
    for key, of in ((agreer, agrees), (signer, signs)):
        public = of.key.public_key().public_bytes_raw()
        assert call("psa_export_public_key", key) == (OK, public)


@pytest.mark.parametrize(
    "alg", [0, ECDH, EDDSA, RANDOM_ECDSA | 9, RANDOM_ECDSA | 0xFF, FIXED, 0x04C01000]
)
@pytest.mark.parametrize("kind", [R1, MONTGOMERY, EDWARDS])
@pytest.mark.parametrize("usage", [0, EXPORT, DERIVES, MESSAGE, HASH, HASH | DERIVES])
def test_an_opaque_key_is_for_what_its_policy_says(other, usage, kind, alg):
    opaque(PAIR | kind, usage, alg, 256 if kind == R1 else 255)
    (held,) = other.held.values()
    signs = (kind == EDWARDS and alg == EDDSA) or (kind == R1 and alg & ~0xFF == RANDOM_ECDSA)
    assert held.signs == (signs and bool(usage & 0x1400))
    assert held.agrees == (kind != EDWARDS and alg == ECDH and bool(usage & DERIVES))


def test_an_opaque_key_makes_secrets_for_derivations(other):
    """HKDF from an agreement with a key that nobody has."""
    key = opaque(PAIR | R1, DERIVES, ECDH, 256)
    (held,) = other.held.values()
    peer = ec.generate_private_key(CURVES[256])
    op, alg, out = operation(), ECDH | 0x08000109, ctypes.create_string_buffer(32)
    assert lib.psa_key_derivation_setup(op, alg) == OK
    given = point(peer.public_key())
    size = c_size_t(len(given))
    assert lib.psa_key_derivation_key_agreement(op, 0x0101, key, given, size) == OK
    assert lib.psa_key_derivation_input_bytes(op, 0x0203, b"", c_size_t(0)) == OK
    assert lib.psa_key_derivation_output_bytes(op, out, c_size_t(32)) == OK
    assert lib.psa_key_derivation_abort(op) == OK
    secret = held.key.exchange(ec.ECDH(), peer.public_key())
    assert out.raw == HKDF(hashes.SHA256(), 32, None, b"").derive(secret)


def test_opaque_keys_do_not_come_out(other):
    key = opaque(PAIR | R1, HASH | EXPORT | COPY, RANDOM_ECDSA | 9, 256)
    fixed = opaque(PAIR | R1, HASH, FIXED, 256)
    copy, found = c_uint32(9), Attributes()
    other.asked.clear()
    assert call("psa_export_key", key) == (NOT_SUPPORTED, b"")
    assert lib.psa_get_key_attributes(key, byref(found)) == OK
    assert (found.type, found.bits, found.lifetime) == (PAIR | R1, 256, IN_ENGINE)
    assert found.usage & (EXPORT | COPY | HASH) == EXPORT | COPY | HASH
    assert lib.psa_copy_key(key, byref(found), byref(copy)) == NOT_SUPPORTED
    assert copy.value == 0
    assert call("psa_sign_hash", key, FIXED, bytes(32)) == (NOT_PERMITTED, b"")
    short = call("psa_sign_hash", key, RANDOM_ECDSA | 9, bytes(32), room=63)
    assert short == (TOO_SMALL, b"")
    assert call("psa_sign_hash", key, RANDOM_ECDSA | 9, bytes(31)) == (INVALID_ARGUMENT, b"")
    assert call("psa_sign_hash", fixed, FIXED, bytes(32)) == (NOT_SUPPORTED, b"")
    assert other.asked == []


def test_lifetimes(other):
    """What is brought, or derived, is the library's; nothing outlives a reset."""
    for life, status in (
        (IN_ENGINE, NOT_SUPPORTED),
        (PERSISTENT, NOT_SUPPORTED),
        (0xFF, NOT_SUPPORTED),
        (IN_ENGINE | PERSISTENT, NOT_SUPPORTED),
        (0x200, INVALID_ARGUMENT),
        (0x80000000, INVALID_ARGUMENT),
        (0xFFFFFFFF, INVALID_ARGUMENT),
    ):
        key = c_uint32(9)
        attributes = Attributes(RAW, EXPORT, 0, 32, life)
        assert lib.psa_import_key(byref(attributes), b"data", c_size_t(4), byref(key)) == status
        assert key.value == 0
        if life != IN_ENGINE:
            assert made(PAIR | R1, HASH, RANDOM_ECDSA | 9, 256, life) == (status, 0)
            assert made(RAW, EXPORT, 0, 32, life) == (status, 0)
        source = add(RAW, COPY, 0, b"data")
        wanted, copy = Attributes(0, COPY, 0, 0, life), c_uint32(9)
        assert lib.psa_copy_key(source, byref(wanted), byref(copy)) == status
        assert copy.value == 0
        assert destroyed(source) == OK
    assert made(RAW, EXPORT, 0, 32) == (NOT_SUPPORTED, 0)
    assert made(0x4001, 0, 0, 2048) == (INVALID_ARGUMENT, 0)
    for kind, bits in ((PAIR | R1, 255), (PAIR | R1, 0), (PUBLIC | R1, 256), (PAIR | 0x17, 256)):
        assert made(kind, HASH, RANDOM_ECDSA | 9, bits) == (INVALID_ARGUMENT, 0)
    assert other.asked == []


def test_an_opaque_key_is_another_engine_s(other):
    """Its handle means nothing there."""
    key, alg = opaque(PAIR | R1, HASH, RANDOM_ECDSA | 9, 256), RANDOM_ECDSA | 9
    public = call("psa_export_public_key", key)
    signature = call("psa_sign_hash", key, alg, bytes(32))[1]
    another = Other()
    for engine in (ctypes.byref(another.engine), None):
        lib.cryptile_psa_set_engine(engine)
        assert call("psa_sign_hash", key, alg, bytes(32)) == (BAD_STATE, b"")
        assert destroyed(key) == BAD_STATE
        assert call("psa_export_public_key", key) == public
        assert check("psa_verify_hash", key, alg, bytes(32), signature) == OK
    assert made(PAIR | R1, HASH, alg, 256) == (NOT_SUPPORTED, 0)
    lib.cryptile_psa_set_engine(ctypes.byref(other.engine))
    assert destroyed(key) == OK


def test_an_engine_that_fails_with_an_opaque_key(other):
    """Nothing comes out, and the key stays until it is destroyed."""
    alg = RANDOM_ECDSA | 9
    key, agreer = opaque(PAIR | R1, HASH, alg, 256), opaque(PAIR | R1, DERIVES, ECDH, 256)
    peer = call("psa_export_public_key", agreer)[1]
    for answer, status in (FAILS | {SUPPORT: NOT_SUPPORTED, BUSY: HARDWARE}).items():
        other.answer = answer
        assert call("psa_sign_hash", key, alg, bytes(32)) == (status, b"")
        assert call("psa_raw_key_agreement", ECDH, agreer, peer) == (status, b"")
        check_zeroed(("psa_sign_hash", key, alg, bytes(32)), 64, status)
        check_zeroed(("psa_raw_key_agreement", ECDH, agreer, peer), 32, status)
        wanted = MEMORY if answer == BUSY else status
        assert made(PAIR | R1, HASH, alg, 256) == (wanted, 0)
        assert destroyed(key) == status
        other.answer = None
        assert call("psa_sign_hash", key, alg, bytes(32))[0] == OK
    for name in ("sign", "ecdh", "generate", "destroy"):
        setattr(other.engine.opaque, name, dict(Opaque._fields_)[name]())
    assert call("psa_sign_hash", key, alg, bytes(32)) == (NOT_SUPPORTED, b"")
    assert call("psa_raw_key_agreement", ECDH, agreer, peer) == (NOT_SUPPORTED, b"")
    assert made(PAIR | R1, HASH, alg, 256) == (NOT_SUPPORTED, 0)
    assert destroyed(key) == NOT_SUPPORTED
    destroy = Other._hook(other, "opaque_destroy")
    other.engine.opaque.destroy = dict(Opaque._fields_)["destroy"](destroy)
    assert [destroyed(one) for one in (key, agreer)] == [OK, OK]
