"""An engine that does the public-key work of the PSA layer; here it is another library's."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_int, c_size_t, c_uint8, c_uint32, c_void_p

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils, x25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from native_lib import lib
from native_psa_calls import (
    DERIVES,
    ECDH,
    EDDSA,
    EDWARDS,
    HASH,
    INVALID_ARGUMENT,
    MESSAGE,
    MONTGOMERY,
    OK,
    PAIR,
    PUBLIC,
    R1,
    SHA256,
    SIGNATURE,
    add,
    call,
    check,
    ecdsa,
    fresh_store,
    rng,
)

BYTES = POINTER(c_uint8)
SUPPORT, AUTH, FAULT, KEY, TIMEOUT = -9, -10, -8, -11, -6
CORRUPTION, HARDWARE = -151, -147
RANDOM_ECDSA = 0x06000600
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


class Engine(Structure):
    """cryptile_psa_engine_t."""

    _fields_ = [
        *((f"p{bits}", Curve) for bits in CURVES),
        ("x25519", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
        ("ed25519_public", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("ed25519_sign", CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p)),
        ("ed25519_verify", CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_void_p)),
        ("rsa_public", CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_uint32, c_void_p)),
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
        for name, kind in Engine._fields_[len(CURVES) :]:
            setattr(self.engine, name, kind(self._hook(name)))

    def _hook(self, name, *first):
        work = getattr(self, name.removeprefix(f"p{first[0]}_") if first else name)

        def hook(*words):
            self.asked.append(name)
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
        how = ec.ECDSA(utils.Prehashed(HASH_OF[length]))
        signed = self._key(bits, key).sign(ctypes.string_at(digest, length), how)
        size = (bits + 7) // 8
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
        other = x25519.X25519PublicKey.from_public_bytes(ctypes.string_at(peer, 32))
        try:
            return self._give(out, mine.exchange(other))
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
    key = add(PAIR | R1, HASH, alg, (rng.getrandbits(bits - 8) | 1).to_bytes(size, "big"))
    assert other.asked == [f"p{bits}_public_key"]  # whether it is one
    other.asked.clear()
    signatures = {call("psa_sign_hash", key, alg, digest, room=2 * size) for _ in range(3)}
    assert [status for status, _ in signatures] == [OK] * 3
    assert other.asked == [f"p{bits}_sign"] * 3
    other.asked.clear()
    same = {call("psa_sign_hash", key, ecdsa(SHA256), digest, room=2 * size) for _ in range(2)}
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
    assert seen == every | {name for name, _ in Engine._fields_[len(CURVES) :]}


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
