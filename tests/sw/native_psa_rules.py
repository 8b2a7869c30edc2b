"""The PSA layer's rules: every length, every bit of an algorithm, every order of calls."""

import ctypes
import hashlib
import hmac as python_hmac
import random
import re
from collections.abc import Callable, Iterator
from ctypes import byref, c_size_t, c_uint8, c_uint16, c_uint32
from itertools import product
from typing import Any

import pytest
from cryptography.hazmat.primitives import cmac
from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM
from native_lib import INCLUDE, lib
from native_psa_calls import (
    AEADS,
    AES,
    ASCON,
    ASCON_CXOF,
    ASCON_HASH,
    ASCON_KEY,
    ASCON_XOF,
    BAD_STATE,
    CBC,
    CCM,
    CHACHA,
    CHACHA_KEY,
    CMAC,
    CRYPT,
    CTR,
    DERIVE,
    DERIVES,
    ECB,
    ECDH,
    EDDSA,
    EDWARDS,
    ENTROPY,
    EXPORT,
    GCM,
    HASH,
    HMAC_KEY,
    INVALID_ARGUMENT,
    INVALID_HANDLE,
    MEMORY,
    MESSAGE,
    MONTGOMERY,
    NOT_PERMITTED,
    NOT_SUPPORTED,
    OK,
    PAIR,
    PERSISTENT,
    PKCS7,
    PUBLIC,
    R1,
    RAW,
    SHA256,
    SHAKE128,
    SHAKE256,
    SIGNATURE,
    SIZES,
    SOURCE,
    STREAM,
    TOO_SMALL,
    XTS,
    Attributes,
    add,
    announce,
    call,
    check,
    ecdsa,
    fresh_store,
    hmac_alg,
    keys,
    operation,
    rng,
    source,
    with_length,
)
from native_psa_calls import (
    HASHES as LOW_BYTES,
)

from cryptile.jobs.oracle import ascon

DIGESTS = {0x02000000 | low: size for low, size in SIZES.items()}
"""Bytes of digests of the hash functions that HMAC and ECDSA can have."""
HASHES = {**DIGESTS, ASCON_HASH: 32}
XOFS = (SHAKE128, SHAKE256, ASCON_XOF, ASCON_CXOF)
ANY_HASH = 0xFF
POINT = bytes.fromhex(
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)


@pytest.fixture(autouse=True)
def clean():
    yield from fresh_store()


def destroy(key: int) -> None:
    keys.remove(key)
    assert lib.psa_destroy_key(key) == OK


# Lengths


@pytest.mark.parametrize("alg", HASHES)
def test_hash_lengths(alg):
    data = rng.randbytes(9)
    digest = call("psa_hash_compute", alg, data)[1]
    assert len(digest) == HASHES[alg]
    for size in range(66):
        given = (digest + bytes(66))[:size]
        right = size == len(digest)
        assert check("psa_hash_compare", alg, data, given) == (OK if right else SIGNATURE)
        fits = OK if size >= len(digest) else TOO_SMALL
        assert call("psa_hash_compute", alg, data, room=size)[0] == fits


def code_of(base: int, secret: bytes, data: bytes) -> bytes:
    """Return the whole code as others make it."""
    if base == CMAC:
        theirs = cmac.CMAC(algorithms.AES(secret))
        theirs.update(data)
        return theirs.finalize()
    name = next(name for name, low in LOW_BYTES.items() if low == base & 0xFF)
    return python_hmac.digest(secret, data, name)


@pytest.mark.parametrize("base", [*map(hmac_alg, DIGESTS), CMAC], ids=hex)
def test_mac_lengths(base):
    """Of the code that an algorithm names, that is given, and that has room."""
    kind, op = AES if base == CMAC else HMAC_KEY, operation()
    secret, data = rng.randbytes(32), rng.randbytes(9)
    whole = code_of(base, secret, data)
    longest = len(whole)
    for named in range(64):
        alg = with_length(base, named)
        key = add(kind, MESSAGE, alg, secret)
        length = named or longest
        if not 4 <= length <= longest:
            assert call("psa_mac_compute", key, alg, data) == (INVALID_ARGUMENT, b"")
            assert check("psa_mac_verify", key, alg, data, whole[:length]) == INVALID_ARGUMENT
        else:
            for size in range(longest + 2):
                given = (whole + bytes(2))[:size]
                wanted = OK if size == length else SIGNATURE
                assert check("psa_mac_verify", key, alg, data, given) == wanted
                assert lib.psa_mac_verify_setup(op, key, alg) == OK
                assert check("psa_mac_update", op, data) == OK
                assert check("psa_mac_verify_finish", op, given) == wanted
                assert sum(map(bool, op.raw)) == (wanted != OK)  # that it has failed, no more
                assert lib.psa_mac_abort(op) == OK
                status = call("psa_mac_compute", key, alg, data, room=size)
                assert status == ((OK, whole[:length]) if size >= length else (TOO_SMALL, b""))
        destroy(key)


@pytest.mark.parametrize("alg", DIGESTS)
def test_signature_lengths(alg):
    """Of hash and signature; a hash of another length is an error, not a wrong signature."""
    sign, size = ecdsa(alg), DIGESTS[alg]
    key = add(PAIR | R1, HASH, sign, rng.randbytes(32))
    digest = rng.randbytes(size)
    status, signature = call("psa_sign_hash", key, sign, digest)
    assert status == OK
    for length in range(67):
        given = (digest + bytes(67))[:length]
        wanted = OK if length == size else INVALID_ARGUMENT
        assert check("psa_verify_hash", key, sign, given, signature) == wanted
        if length != size:
            assert call("psa_sign_hash", key, sign, given)[0] == INVALID_ARGUMENT
        if length != 64:
            given = (signature + bytes(67))[:length]
            assert check("psa_verify_hash", key, sign, digest, given) == SIGNATURE
            assert check("psa_verify_message", key, sign, b"text", given) == SIGNATURE
        if length < 64:
            assert call("psa_sign_hash", key, sign, digest, room=length) == (TOO_SMALL, b"")
            assert call("psa_sign_message", key, sign, b"text", room=length) == (TOO_SMALL, b"")


def test_eddsa_lengths():
    key = add(PAIR | EDWARDS, MESSAGE, EDDSA, rng.randbytes(32))
    signature = call("psa_sign_message", key, EDDSA, b"text")[1]
    for length in range(67):
        given = (signature + bytes(67))[:length]
        wanted = OK if length == 64 else SIGNATURE
        assert check("psa_verify_message", key, EDDSA, b"text", given) == wanted
        if length < 64:
            assert call("psa_sign_message", key, EDDSA, b"text", room=length) == (TOO_SMALL, b"")


def test_agreement_lengths():
    peers = {MONTGOMERY: b"\x09" + bytes(31), R1: POINT}
    for curve, peer in peers.items():
        key = add(PAIR | curve, DERIVES, ECDH, b"\x01" + rng.randbytes(31))
        for length in range(70):
            given = (peer + bytes(70))[:length]
            wanted = OK if length == len(peer) else INVALID_ARGUMENT
            assert call("psa_raw_key_agreement", ECDH, key, given)[0] == wanted
            if length < 32:
                status = call("psa_raw_key_agreement", ECDH, key, peer, room=length)
                assert status == (TOO_SMALL, b"")


KEY_TYPES = {
    # type: bytes, and bits of a key
    AES: {16: 128, 24: 192, 32: 256, 64: 512},
    CHACHA_KEY: {32: 256},
    ASCON_KEY: {16: 128},
    PAIR | R1: {32: 256, 48: 384, 66: 521},
    PUBLIC | R1: {65: 256},
    **{kind | curve: {32: 255} for kind in (PAIR, PUBLIC) for curve in (MONTGOMERY, EDWARDS)},
    **{kind: {n: 8 * n for n in range(1, 529)} for kind in (RAW, HMAC_KEY, DERIVE)},
}
BITS = (0, 1, 8, 127, 128, 129, 191, 192, 224, 255, 256, 257, 264, 384, 512, 520, 521, 1024, 2**63)


@pytest.mark.parametrize("kind", KEY_TYPES, ids=hex)
def test_import_lengths(kind):
    """Every length with every number of bits: only the pairs of the table are keys."""
    for length in range(601):
        data = (POINT if kind == PUBLIC | R1 else b"\x01" * 66) + b"\x01" * 540
        right = KEY_TYPES[kind].get(length)
        for bits in {*BITS, 8 * length, right or 0}:
            good = right is not None and bits in (0, right)
            wanted = OK if good else NOT_SUPPORTED if length > 528 else INVALID_ARGUMENT
            if good and kind & 0xFF == R1 and bits:
                continue  # a multiplication on the curve each
            key = add(kind, EXPORT, 0, data[:length], wanted, bits=bits)
            found = Attributes()
            if good:
                assert lib.psa_get_key_attributes(key, byref(found)) == OK
                assert (found.type, found.bits) == (kind, right)
                assert call("psa_export_key", key) == (OK, data[:length])
                destroy(key)


@pytest.mark.parametrize("kind", KEY_TYPES, ids=hex)
def test_generate_and_agree_lengths(kind):
    """A key is generated, or agreed upon, with a number of bits that its type has."""
    private = add(PAIR | MONTGOMERY, DERIVES, ECDH, b"\x01" * 32)
    peer = b"\x09" + bytes(31)
    for bits in BITS:
        key, wanted = c_uint32(), Attributes(kind, EXPORT, 0, bits)
        is_public = kind & 0x7000 == 0x4000
        good = not is_public and bits in KEY_TYPES[kind].values()
        why_not = NOT_SUPPORTED if bits > 8 * 528 and not is_public else INVALID_ARGUMENT
        status = lib.psa_generate_key(byref(wanted), byref(key))
        assert status == (OK if good else why_not)
        if good:
            assert len(call("psa_export_key", key.value)[1]) == (bits + 7) // 8
            assert lib.psa_destroy_key(key) == OK
        good = kind in (RAW, HMAC_KEY, DERIVE) and bits in (0, 256)
        status = lib.psa_key_agreement(
            private, peer, c_size_t(len(peer)), ECDH, byref(wanted), byref(key)
        )
        assert status == (OK if good else INVALID_ARGUMENT)
        assert (key.value != 0) == good
        if good:
            assert lib.psa_destroy_key(key) == OK


def test_unknown_usage():
    for bit in range(32):
        wanted = OK if 0x3FF87 >> bit & 1 else INVALID_ARGUMENT
        key = add(RAW, 1 << bit, 0, b"x", wanted)
        if wanted == OK:
            destroy(key)


TAGS = {CCM: range(4, 17, 2), GCM: (4, 8, *range(12, 17)), CHACHA: (16,), ASCON: range(8, 17)}


@pytest.mark.parametrize("base", AEADS)
def test_aead_tag_lengths(base):
    """All 64 encodings of a tag, then every length of a sealed text and of a given tag."""
    kind, key_length, nonce_length = AEADS[base]
    allowed = TAGS[base]
    secret, nonce, text = rng.randbytes(key_length), rng.randbytes(nonce_length), rng.randbytes(20)
    whole = None
    for length in reversed(range(64)):
        alg = base & ~0x3F0000 | length << 16
        key = add(kind, CRYPT, alg, secret)
        status, sealed = call("psa_aead_encrypt", key, alg, nonce, b"", text)
        if length not in allowed:
            assert (status, sealed) == (INVALID_ARGUMENT, b"")
            assert call("psa_aead_decrypt", key, alg, nonce, b"", bytes(99))[0] == INVALID_ARGUMENT
            for name in ("psa_aead_encrypt_setup", "psa_aead_decrypt_setup"):
                assert getattr(lib, name)(operation(), key, alg) == INVALID_ARGUMENT
        else:
            whole = whole or sealed
            cut = AESCCM(secret, length).encrypt(nonce, text, b"") if base == CCM else whole
            assert (status, sealed) == (OK, cut[: 20 + length])
            for size in range(20 + length + 2):
                right = size == len(sealed)
                found = call("psa_aead_decrypt", key, alg, nonce, b"", (sealed + b"ab")[:size])
                assert found == ((OK, text) if right else (SIGNATURE, b""))
                if size < len(sealed):
                    found = call("psa_aead_encrypt", key, alg, nonce, b"", text, room=size)
                    assert found == (TOO_SMALL, b"")
            for size in range(18):
                op, count = operation(), c_size_t()
                assert lib.psa_aead_decrypt_setup(op, key, alg) == OK
                announce(op, alg, 0, 20)
                assert check("psa_aead_set_nonce", op, nonce) == OK
                assert call("psa_aead_update", op, sealed[:20]) == (OK, text)
                tag = (sealed[20:] + bytes(18))[:size]
                wanted = OK if size == length else SIGNATURE
                assert (
                    lib.psa_aead_verify(op, None, c_size_t(0), byref(count), tag, c_size_t(size))
                    == wanted
                )
        destroy(key)


def test_nonce_and_iv_lengths():
    for alg, kind, right in [
        (CCM, AES, range(7, 14)),
        (GCM, AES, range(1, 40)),
        (CHACHA, CHACHA_KEY, [12]),
        (ASCON, ASCON_KEY, [16]),
        (CTR, AES, [16]),
        (CBC, AES, [16]),
        (PKCS7, AES, [16]),
        (STREAM, CHACHA_KEY, [12]),
        (XTS, AES, [16]),
    ]:
        secret = bytes(range(16 if alg == ASCON else 32))
        key, aead = add(kind, CRYPT, alg, secret), alg in AEADS
        for length in range(40):
            name = "psa_aead" if aead else "psa_cipher"
            wanted = OK if length in right else INVALID_ARGUMENT
            if aead:
                assert call("psa_aead_encrypt", key, alg, bytes(length), b"", b"x")[0] == wanted
            op = operation()
            assert getattr(lib, f"{name}_encrypt_setup")(op, key, alg) == OK
            if aead:
                announce(op, alg, 0, 0)
            set_it = f"{name}_set_{'nonce' if aead else 'iv'}"
            assert check(set_it, op, bytes(length)) == wanted
        destroy(key)


@pytest.mark.parametrize("alg", [CTR, ECB, CBC, PKCS7, STREAM, XTS])
def test_cipher_lengths(alg):
    """Every length of text and of room; what is refused is refused before anything is written."""
    key = add(CHACHA_KEY if alg == STREAM else AES, CRYPT, alg, bytes(range(32)))
    iv = {ECB: 0, STREAM: 12}.get(alg, 16)
    for length in range(50):
        text = rng.randbytes(length)
        size = iv + (length // 16 * 16 + 16 if alg == PKCS7 else length)
        whole = alg in (CTR, STREAM, PKCS7) or length % 16 == 0
        if alg == XTS:
            whole = length >= 16
        for room in sorted({0, 1, iv, max(size - 17, 0), max(size - 1, 0), size + 1, size}):
            status, sealed = call("psa_cipher_encrypt", key, alg, text, room=room)
            wanted = INVALID_ARGUMENT if not whole else OK if room >= size else TOO_SMALL
            assert (status, len(sealed)) == (wanted, size if wanted == OK else 0)
            if wanted == OK:
                assert call("psa_cipher_decrypt", key, alg, sealed) == (OK, text)
                assert call("psa_cipher_decrypt", key, alg, sealed, room=length) == (OK, text)
            buffer, count = ctypes.create_string_buffer(text + bytes(100)), c_size_t()
            status = lib.psa_cipher_encrypt(
                key, alg, buffer, c_size_t(length), buffer, c_size_t(room), byref(count)
            )
            assert status == wanted
            assert status == OK or buffer.raw[:length] == text, "a refusal destroyed the text"
        sealed = call("psa_cipher_encrypt", key, alg, text)[1]
        for room in range(length if whole else 0):
            status = call("psa_cipher_decrypt", key, alg, sealed, room=room)
            assert status == (TOO_SMALL, b"")


# Algorithms and keys

WORKING: dict[int, tuple[int, int, Callable[[int, int], int]]] = {
    # algorithm: type of key, usage, a use of it
    **{alg: (AES, CRYPT, lambda key, alg: call("psa_cipher_encrypt", key, alg, bytes(16))[0])
       for alg in (CTR, ECB, CBC, PKCS7)},
    XTS: (AES, CRYPT, lambda key, alg: call("psa_cipher_encrypt", key, alg, bytes(16))[0]),
    STREAM: (CHACHA_KEY, CRYPT, lambda key, alg: call("psa_cipher_encrypt", key, alg, b"x")[0]),
    **{alg: (kind, CRYPT,
             lambda key, alg, n=nonce: call("psa_aead_encrypt", key, alg, bytes(n), b"", b"x")[0])
       for alg, (kind, _, nonce) in AEADS.items()},
    **{alg: (kind, MESSAGE, lambda key, alg: call("psa_mac_compute", key, alg, b"x")[0])
       for alg, kind in ((hmac_alg(SHA256), HMAC_KEY), (CMAC, AES))},
    ecdsa(SHA256): (PAIR | R1, HASH, lambda key, alg: call("psa_sign_message", key, alg, b"x")[0]),
    EDDSA: (PAIR | EDWARDS, MESSAGE, lambda key, alg: call("psa_sign_message", key, alg, b"x")[0]),
    ECDH: (PAIR | MONTGOMERY, DERIVES, lambda key, alg: call(
        "psa_raw_key_agreement", alg, key, b"\x09" + bytes(31))[0]),
}  # fmt: skip


def defined(alg: int) -> bool:
    """Tell whether this library has an algorithm, by the standard's encoding alone."""
    low, hashes = alg & 0xFF, {value & 0xFF for value in DIGESTS}
    length = alg >> 16 & 0x3F
    return (
        alg in (CTR, ECB, CBC, PKCS7, STREAM, XTS, EDDSA, ECDH)
        or (alg & ~0x3F0000 == CMAC and (length == 0 or 4 <= length <= 16))
        or any((alg ^ base) & ~0x3F0000 == 0 and length in tags for base, tags in TAGS.items())
        or (alg & ~0x3F00FF == 0x03800000 and low in hashes and (length == 0 or length >= 4))
        or (alg & ~0x1FF == 0x06000600 and low in hashes)
    )


@pytest.mark.parametrize("alg", WORKING, ids=hex)
def test_every_bit_of_an_algorithm(alg):
    """Another bit is another algorithm, or none: in the call, in the policy, in both."""
    kind, usage, use = WORKING[alg]
    secret = bytes(range(16 if kind == ASCON_KEY else 32))
    key = add(kind, usage, alg, secret)
    assert use(key, alg) == OK
    for bit in range(32):
        other = alg ^ 1 << bit
        assert use(key, other) == NOT_PERMITTED, hex(other)
        for junk in {other, alg | 0xFF, alg | 0xFF00, alg | 0x7F000000}:
            strange = add(kind, usage, junk, secret)
            if junk != alg:
                wildcard = alg & ~0x1FF == 0x06000600 and junk & ~0x1FF == 0x06000600
                open_ = wildcard and junk & 0xFF == ANY_HASH
                open_ |= alg >> 24 in (3, 5) and junk == alg | 0x8000  # this length, or more
                assert use(strange, alg) == (OK if open_ else NOT_PERMITTED), hex(junk)
            assert (use(strange, junk) == OK) <= defined(junk), hex(junk)
            destroy(strange)


@pytest.mark.parametrize("low", [SHA256, ANY_HASH], ids=["a hash", "any hash"])
@pytest.mark.parametrize("deterministic", [True, False])
def test_both_kinds_of_ecdsa(deterministic, low):
    """A policy of one signs by that one alone; a signature of both is verified alike."""
    key = add(PAIR | R1, HASH, ecdsa(low, deterministic=deterministic), b"k" * 32)
    alg, other = (ecdsa(SHA256, deterministic=one) for one in (deterministic, not deterministic))
    for what, data in (("message", b"x"), ("hash", hashlib.sha256(b"x").digest())):
        status, signature = call(f"psa_sign_{what}", key, alg, data)
        assert status == OK
        assert call(f"psa_sign_{what}", key, other, data) == (NOT_PERMITTED, b"")
        for one in (alg, other):
            assert check(f"psa_verify_{what}", key, one, data, signature) == OK
        wanted = SIGNATURE if low == ANY_HASH else NOT_PERMITTED
        assert check("psa_verify_message", key, other ^ 1, b"x", signature) == wanted


@pytest.mark.parametrize("alg", HASHES)
def test_every_bit_of_a_hash(alg):
    for bit in range(32):
        other = alg ^ 1 << bit
        status = call("psa_hash_compute", other, b"x")[0]
        assert (status == OK) == (other in HASHES), hex(other)
        if status != OK:
            assert status == (NOT_SUPPORTED if other >> 24 == 2 else INVALID_ARGUMENT)


@pytest.mark.parametrize("alg", XOFS)
def test_every_bit_of_an_xof(alg):
    for bit in range(32):
        other, op = alg ^ 1 << bit, operation()
        status = lib.psa_xof_setup(op, other)
        assert (status == OK) == (other in XOFS), hex(other)
        if status != OK:
            assert status == (NOT_SUPPORTED if other >> 24 == 0x0D else INVALID_ARGUMENT)
            assert not any(op.raw)


def test_no_hmac_without_a_block():
    """Nor ECDSA, which takes its nonce from HMAC."""
    alg = hmac_alg(ASCON_HASH)
    key = add(HMAC_KEY, MESSAGE, alg, b"k" * 32)
    assert call("psa_mac_compute", key, alg, b"x") == (NOT_SUPPORTED, b"")
    alg = ecdsa(ASCON_HASH)
    key = add(PAIR | R1, HASH, alg, b"k" * 32)
    assert call("psa_sign_message", key, alg, b"x") == (NOT_SUPPORTED, b"")
    assert check("psa_verify_hash", key, alg, bytes(32), bytes(64)) == NOT_SUPPORTED


def test_identifiers_are_not_given_again():
    """The identifier of a destroyed key means no key, whatever lies in its slot now."""
    old, seen = [], set()
    for _ in range(200):
        while len(keys) < rng.randrange(1, 9):
            key = add(RAW, EXPORT, 0, bytes([len(keys)]))
            assert 0x40000000 <= key <= 0x7FFFFFFF and key not in seen
            seen.add(key)
        key = rng.choice(keys)
        destroy(key)
        old.append(key)
        for key in old:
            assert call("psa_export_key", key)[0] == INVALID_HANDLE
            assert lib.psa_destroy_key(key) == INVALID_HANDLE
    assert len(seen) > 150
    for number in range(1, 300):
        assert lib.psa_destroy_key(number) == INVALID_HANDLE


# Orders of calls
#
# A model of what the standard says, apart from the library: an operation is inactive, active, or
# has failed. Every error with an active operation makes it fail; a failed one knows abort only; a
# setup that is refused changes nothing; success in the last part makes it inactive.


class Model:
    """One operation and what the standard says of it; a step returns the status it must have."""

    def __init__(self) -> None:
        self.op, self.count = operation(), c_size_t()
        self.out = ctypes.create_string_buffer(256)
        self.phase = "inactive"

    def settle(self, wanted: int, actual: int, *, ends: bool = False) -> None:
        assert actual == wanted
        if self.phase == "active":
            self.phase = "failed" if wanted != OK else "inactive" if ends else "active"
            left = len(self.op.raw.replace(b"\0", b""))
            assert self.phase == "active" or left == (self.phase == "failed"), "not wiped"

    def setup(self, wanted: int, actual: int) -> None:
        wanted = wanted if self.phase == "inactive" else BAD_STATE
        assert actual == wanted
        self.phase = "active" if wanted == OK else self.phase

    def active(self, *conditions: bool) -> bool:
        return self.phase == "active" and all(conditions)

    def room(self, size: int = 256) -> tuple:
        return self.out, c_size_t(size), byref(self.count)


class Hash(Model):
    STEPS = ("setup", "setup_other", "update", "finish", "finish_short", "verify", "verify_short",
             "clone", "abort")  # fmt: skip

    def do(self, step: str) -> None:
        was = self.active()
        if step.startswith("setup"):
            alg, wanted = (SHA256, OK) if step == "setup" else (GCM, INVALID_ARGUMENT)
            fresh = self.phase == "inactive"
            self.setup(wanted, lib.psa_hash_setup(self.op, alg))
            self.data = b"" if fresh and wanted == OK else getattr(self, "data", b"")
        elif step == "update":
            self.settle(OK if was else BAD_STATE, check("psa_hash_update", self.op, b"abc"))
            self.data = getattr(self, "data", b"") + b"abc"
        elif step.startswith("finish"):
            size = 32 if step == "finish" else 31
            wanted = BAD_STATE if not was else OK if size == 32 else TOO_SMALL
            self.settle(wanted, lib.psa_hash_finish(self.op, *self.room(size)), ends=True)
            if wanted == OK:
                assert self.out.raw[:32] == hashlib.sha256(self.data).digest()
        elif step.startswith("verify"):
            digest = hashlib.sha256(getattr(self, "data", b"")).digest()
            given = digest if step == "verify" else digest[:31]
            wanted = BAD_STATE if not was else OK if step == "verify" else SIGNATURE
            self.settle(wanted, check("psa_hash_verify", self.op, given), ends=True)
        elif step == "clone":
            other = operation()
            assert lib.psa_hash_clone(self.op, other) == (OK if was else BAD_STATE)
            assert lib.psa_hash_clone(other, self.op) == BAD_STATE
        else:
            assert lib.psa_hash_abort(self.op) == OK
            self.phase = "inactive"


class Xof(Model):
    STEPS = ("shake", "cxof", "other", "context", "context_long", "update", "update_nothing",
             "output", "output_nothing", "abort")  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.context: bytes | None = None
        self.produced: int | None = None
        self.data, self.shake = b"", False

    def do(self, step: str) -> None:
        if step in ("shake", "cxof", "other"):
            alg = {"shake": SHAKE128, "cxof": ASCON_CXOF, "other": SHA256}[step]
            wanted = INVALID_ARGUMENT if step == "other" else OK
            if self.phase == "inactive" and wanted == OK:
                self.shake, self.context = step == "shake", b"" if step == "shake" else None
                self.data, self.produced = b"", None
            self.setup(wanted, lib.psa_xof_setup(self.op, alg))
        elif step.startswith("context"):
            given = b"name" if step == "context" else bytes(257)
            may = self.active(self.shake or self.context is None)
            bad = self.shake or len(given) > 256
            wanted = BAD_STATE if not may else INVALID_ARGUMENT if bad else OK
            self.settle(wanted, check("psa_xof_set_context", self.op, given))
            self.context = given if wanted == OK else self.context
        elif step.startswith("update"):
            given = b"abc" if step == "update" else b""
            may = self.active(self.context is not None, self.produced is None)
            wanted = OK if may else BAD_STATE
            self.settle(wanted, check("psa_xof_update", self.op, given))
            self.data += given if wanted == OK else b""
        elif step.startswith("output"):
            size = 50 if step == "output" else 0
            wanted = OK if self.active(self.context is not None) else BAD_STATE
            self.settle(wanted, lib.psa_xof_output(self.op, self.out, c_size_t(size)))
            if wanted == OK:
                self.check_output(size)
        else:
            assert lib.psa_xof_abort(self.op) == OK
            self.phase = "inactive"

    def check_output(self, size: int) -> None:
        before = self.produced or 0
        whole = (
            hashlib.shake_128(self.data).digest(before + size)
            if self.shake
            else ascon.cxof128(self.data, before + size, self.context or b"")
        )
        assert self.out.raw[:size] == whole[before:]
        self.produced = before + size


class Mac(Model):
    STEPS = ("sign", "verify", "refused", "update", "finish", "finish_short", "check",
             "check_short", "abort")  # fmt: skip

    def __init__(self, key: int, refused: int) -> None:
        super().__init__()
        self.key, self.refused = key, refused
        self.data, self.signs = b"", False

    def do(self, step: str) -> None:
        alg, was = hmac_alg(SHA256), self.active()
        if step in ("sign", "verify", "refused"):
            fresh = self.phase == "inactive"
            name = "psa_mac_verify_setup" if step == "verify" else "psa_mac_sign_setup"
            key = self.refused if step == "refused" else self.key
            wanted = NOT_PERMITTED if step == "refused" else OK
            self.setup(wanted, getattr(lib, name)(self.op, key, alg))
            if fresh and wanted == OK:
                self.data, self.signs = b"", step == "sign"
        elif step == "update":
            self.settle(OK if was else BAD_STATE, check("psa_mac_update", self.op, b"abc"))
            self.data += b"abc"
        elif step.startswith("finish"):
            size = 32 if step == "finish" else 31
            wanted = BAD_STATE if not (was and self.signs) else OK if size == 32 else TOO_SMALL
            self.settle(wanted, lib.psa_mac_sign_finish(self.op, *self.room(size)), ends=True)
        elif step.startswith("check"):
            mac = python_hmac.digest(b"k" * 32, self.data, "sha256")
            given = mac if step == "check" else mac[:31]
            wanted = OK if step == "check" else SIGNATURE
            wanted = wanted if was and not self.signs else BAD_STATE
            self.settle(wanted, check("psa_mac_verify_finish", self.op, given), ends=True)
        else:
            assert lib.psa_mac_abort(self.op) == OK
            self.phase = "inactive"


class Cipher(Model):
    STEPS = ("encrypt", "decrypt", "refused", "generate", "generate_short", "set", "set_long",
             "update", "update_short", "finish", "abort")  # fmt: skip

    def __init__(self, key: int, refused: int) -> None:
        super().__init__()
        self.key, self.refused = key, refused
        self.has_iv = self.encrypts = False

    def do(self, step: str) -> None:
        was = self.active()
        if step in ("encrypt", "decrypt", "refused"):
            fresh = self.phase == "inactive"
            key = self.refused if step == "refused" else self.key
            wanted = NOT_PERMITTED if step == "refused" else OK
            name = "psa_cipher_decrypt_setup" if step == "decrypt" else "psa_cipher_encrypt_setup"
            self.setup(wanted, getattr(lib, name)(self.op, key, CTR))
            if fresh and wanted == OK:
                self.has_iv, self.encrypts = False, step == "encrypt"
        elif step.startswith("generate"):
            size = 16 if step == "generate" else 15
            may = self.active(not self.has_iv, self.encrypts)
            wanted = BAD_STATE if not may else OK if size == 16 else TOO_SMALL
            self.settle(wanted, lib.psa_cipher_generate_iv(self.op, *self.room(size)))
            self.has_iv = self.has_iv or wanted == OK
        elif step.startswith("set"):
            size = 16 if step == "set" else 17
            may = self.active(not self.has_iv)
            wanted = BAD_STATE if not may else OK if size == 16 else INVALID_ARGUMENT
            self.settle(wanted, check("psa_cipher_set_iv", self.op, bytes(size)))
            self.has_iv = self.has_iv or wanted == OK
        elif step.startswith("update"):
            size = 32 if step == "update" else 15
            may = was and self.has_iv
            wanted = BAD_STATE if not may else OK if size == 32 else TOO_SMALL
            text = bytes(16), c_size_t(16)
            self.settle(wanted, lib.psa_cipher_update(self.op, *text, *self.room(size)))
        elif step == "finish":
            wanted = OK if was and self.has_iv else BAD_STATE
            self.settle(wanted, lib.psa_cipher_finish(self.op, *self.room()), ends=True)
        else:
            assert lib.psa_cipher_abort(self.op) == OK
            self.phase = "inactive"


class Aead(Model):
    STEPS = ("encrypt", "decrypt", "refused", "lengths", "generate", "set", "set_empty", "ad",
             "update", "update_nothing", "update_short", "finish", "finish_short", "verify",
             "verify_wrong", "abort")  # fmt: skip

    def __init__(self, key: int, refused: int) -> None:
        super().__init__()
        self.key, self.refused = key, refused
        self.encrypts = self.nonce = self.announced = self.text = False
        self.ad, self.plain = b"", b""

    def do(self, step: str) -> None:
        if step in ("encrypt", "decrypt", "refused"):
            fresh = self.phase == "inactive"
            key = self.refused if step == "refused" else self.key
            wanted = NOT_PERMITTED if step == "refused" else OK
            name = "psa_aead_decrypt_setup" if step == "decrypt" else "psa_aead_encrypt_setup"
            self.setup(wanted, getattr(lib, name)(self.op, key, GCM))
            if fresh and wanted == OK:
                self.encrypts, self.nonce = step == "encrypt", False
                self.announced = self.text = False
                self.ad, self.plain = b"", b""
        elif step == "lengths":
            may = self.active(not self.nonce, not self.announced)
            status = lib.psa_aead_set_lengths(self.op, c_size_t(3), c_size_t(16))
            self.settle(OK if may else BAD_STATE, status)
            self.announced = self.announced or may
        elif step == "generate":
            may = self.active(not self.nonce, self.encrypts)
            status = lib.psa_aead_generate_nonce(self.op, *self.room(12))
            self.settle(OK if may else BAD_STATE, status)
            self.nonce = self.nonce or (may and self.out.raw[:12])
        elif step.startswith("set"):
            given = b"n" * 12 if step == "set" else b""
            may = self.active(not self.nonce)
            wanted = BAD_STATE if not may else OK if given else INVALID_ARGUMENT
            self.settle(wanted, check("psa_aead_set_nonce", self.op, given))
            self.nonce = self.nonce or (wanted == OK and given)
        elif step == "ad":
            may = self.active(bool(self.nonce), not self.text)
            much = self.announced and len(self.ad) + 3 > 3
            wanted = BAD_STATE if not may else INVALID_ARGUMENT if much else OK
            self.settle(wanted, check("psa_aead_update_ad", self.op, b"ad."))
            self.ad += b"ad."
        elif step.startswith("update"):
            given = b"" if step == "update_nothing" else bytes(16)
            size = 15 if step == "update_short" else 16
            may = self.active(bool(self.nonce))
            much = self.announced and (len(self.ad) != 3 or len(self.plain) + len(given) > 16)
            wanted = BAD_STATE if not may else TOO_SMALL if size < len(given) else OK
            wanted = INVALID_ARGUMENT if wanted == OK and much else wanted
            text = given, c_size_t(len(given))
            self.settle(wanted, lib.psa_aead_update(self.op, *text, *self.room(size)))
            self.text = self.text or wanted == OK
            if wanted == OK:
                self.plain += given if self.encrypts else self.out.raw[: len(given)]
        elif step.startswith(("finish", "verify")):
            self.end(step)
        else:
            assert lib.psa_aead_abort(self.op) == OK
            self.phase = "inactive"

    def end(self, step: str) -> None:
        complete = not self.announced or (len(self.ad), len(self.plain)) == (3, 16)
        may = self.active(bool(self.nonce), self.encrypts == step.startswith("finish"))
        wanted = BAD_STATE if not may else OK if complete else INVALID_ARGUMENT
        count = c_size_t()
        sealed = AESGCM(b"k" * 32).encrypt(self.nonce, self.plain, self.ad) if self.nonce else b""
        if step.startswith("finish"):
            size = 16 if step == "finish" else 15
            wanted = TOO_SMALL if wanted == OK and size == 15 else wanted
            status = lib.psa_aead_finish(self.op, None, c_size_t(0), byref(count), *self.room(size))
            self.settle(wanted, status, ends=True)
            if wanted == OK:
                assert self.out.raw[:16] == sealed[-16:]
        else:
            tag = (bytes(16) + sealed)[-16:]
            tag = tag if step == "verify" else tag[:15] + bytes([tag[15] ^ 1])
            wanted = SIGNATURE if wanted == OK and step != "verify" else wanted
            status = lib.psa_aead_verify(
                self.op, None, c_size_t(0), byref(count), tag, c_size_t(16)
            )
            self.settle(wanted, status, ends=True)


def orders(steps: tuple[str, ...], seed: int) -> Iterator[tuple[str, ...]]:
    """Every order of three calls; then long ones, where what starts an operation comes often."""
    yield from product(steps, repeat=3)
    source = random.Random(seed)
    for _ in range(1500):
        yield tuple(source.choice((*steps, *steps[:2], steps[-1])) for _ in range(14))


def pair_of_keys(kind: int, alg: int, usage: int) -> tuple[int, int]:
    return add(kind, usage, alg, b"k" * 32), add(kind, EXPORT, alg, b"k" * 32)


@pytest.mark.parametrize(
    ("model", "key"),
    [
        (Hash, None),
        (Xof, None),
        (Mac, (HMAC_KEY, hmac_alg(SHA256), MESSAGE)),
        (Cipher, (AES, CTR, CRYPT)),
        (Aead, (AES, GCM, CRYPT)),
    ],
)
def test_orders_of_calls(model, key):
    given = pair_of_keys(*key) if key else ()
    reached = set()
    for order in orders(model.STEPS, 1):
        subject = model(*given)
        for index, step in enumerate(order):
            try:
                subject.do(step)
            except AssertionError as error:
                raise AssertionError(f"{model.__name__}: {' '.join(order[: index + 1])}") from error
            reached.add((step, subject.phase))
    assert {phase for _, phase in reached} == {"inactive", "active", "failed"}


# Null buffers

PROTOTYPES: dict[str, list[str]] = {
    name: [" ".join(part.split()) for part in parameters.split(",")]
    for name, parameters in re.findall(
        r"^(?:CRYPTILE_MUST_CHECK )?psa_status_t (psa_\w+)\(([^)]*)\);",
        (INCLUDE / "psa/crypto.h").read_text(),
        re.M,
    )
}
"""The parameters of every function that the header declares."""
BUFFERS = {
    (name, parameter.rpartition("*")[2])
    for name, parameters in PROTOTYPES.items()
    for parameter in parameters
    if "uint8_t *" in parameter
}
Arguments = list[object]


def room(size: int = 99) -> Arguments:
    return [ctypes.create_string_buffer(b"\xa5" * size, size), c_size_t(size)]


def given(data: bytes) -> Arguments:
    return [ctypes.create_string_buffer(data, len(data)), c_size_t(len(data))]


def started(setup: str, *arguments: object, then: Callable[[Any], int] | None = None) -> Any:
    op = operation()
    assert getattr(lib, setup)(op, *arguments) == OK
    assert then is None or then(op) == OK
    return op


def good_calls() -> Iterator[tuple[str, Callable[[], Arguments]]]:
    """Calls that succeed, with a length for every buffer; each is made anew for each try."""
    yield "psa_generate_random", room
    yield (
        "psa_import_key",
        lambda: [byref(Attributes(RAW, EXPORT, 0, 0)), *given(b"data"), byref(c_uint32())],
    )
    yield "psa_hash_compute", lambda: [SHA256, *given(b"x"), *room(), byref(c_size_t())]
    yield "psa_hash_compare", lambda: [SHA256, *given(b"x"), *given(hashlib.sha256(b"x").digest())]
    yield "psa_hash_update", lambda: [started("psa_hash_setup", SHA256), *given(b"x")]
    yield "psa_hash_finish", lambda: [started("psa_hash_setup", SHA256), *room(), byref(c_size_t())]
    yield (
        "psa_hash_verify",
        lambda: [started("psa_hash_setup", SHA256), *given(hashlib.sha256().digest())],
    )
    for alg in XOFS:
        yield from good_xofs(alg)
    exported = add(PAIR | MONTGOMERY, EXPORT, 0, b"k" * 32)
    for name in ("psa_export_key", "psa_export_public_key"):
        yield name, lambda: [exported, *room(), byref(c_size_t())]
    destroy(exported)
    for kind, alg in ((HMAC_KEY, hmac_alg(SHA256)), (AES, CMAC)):
        yield from good_macs(kind, alg)
    for kind, alg in (
        (AES, ECB),
        (AES, CBC),
        (AES, CTR),
        (AES, PKCS7),
        (AES, XTS),
        (CHACHA_KEY, STREAM),
    ):
        yield from good_ciphers(kind, alg)
    for alg in AEADS:
        yield from good_aeads(alg)
    yield from good_signatures()
    yield from good_derivations()


def good_derivations(
    place: Callable[..., int] = add,
) -> Iterator[tuple[str, Callable[[], Arguments]]]:
    hkdf, secret, info = 0x08000109, c_uint16(0x101), c_uint16(0x203)
    key = place(PAIR | MONTGOMERY, DERIVES, ECDH, b"k" * 32)

    def fed() -> Any:
        op = started("psa_key_derivation_setup", hkdf)
        for step in (secret, info):
            assert lib.psa_key_derivation_input_bytes(op, step, *given(b"x")) == OK
        return op

    yield (
        "psa_key_derivation_input_bytes",
        lambda: [started("psa_key_derivation_setup", hkdf), info, *given(b"x")],
    )
    yield (
        "psa_key_derivation_key_agreement",
        lambda: [
            started("psa_key_derivation_setup", ECDH | hkdf),
            secret,
            key,
            *given(b"\x09" + bytes(31)),
        ],
    )
    yield "psa_key_derivation_output_bytes", lambda: [fed(), *room()]
    destroy(key)


def good_xofs(alg: int) -> Iterator[tuple[str, Callable[[], Arguments]]]:
    def bare() -> Any:
        return started("psa_xof_setup", alg)

    def ready() -> Any:
        op = bare()
        assert alg != ASCON_CXOF or check("psa_xof_set_context", op, b"name") == OK
        return op

    if alg == ASCON_CXOF:
        yield "psa_xof_set_context", lambda: [bare(), *given(b"name")]
    yield "psa_xof_update", lambda: [ready(), *given(b"x")]
    yield "psa_xof_output", lambda: [ready(), *room()]


def good_macs(kind: int, alg: int) -> Iterator[tuple[str, Callable[[], Arguments]]]:
    key = add(kind, MESSAGE, alg, b"k" * 32)
    empty, one = (call("psa_mac_compute", key, alg, data)[1] for data in (b"", b"x"))
    sign, verify = (
        lambda kind=kind: started(f"psa_mac_{kind}_setup", key, alg) for kind in ("sign", "verify")
    )
    yield "psa_mac_compute", lambda: [key, alg, *given(b"x"), *room(), byref(c_size_t())]
    yield "psa_mac_verify", lambda: [key, alg, *given(b"x"), *given(one)]
    yield "psa_mac_update", lambda: [sign(), *given(b"x")]
    yield "psa_mac_sign_finish", lambda: [sign(), *room(), byref(c_size_t())]
    yield "psa_mac_verify_finish", lambda: [verify(), *given(empty)]
    destroy(key)


def good_ciphers(kind: int, alg: int) -> Iterator[tuple[str, Callable[[], Arguments]]]:
    iv_length, key = {ECB: 0, STREAM: 12}.get(alg, 16), add(kind, CRYPT, alg, bytes(range(32)))

    def bare() -> Any:
        return started("psa_cipher_encrypt_setup", key, alg)

    def ready(held: int = 0) -> Any:
        op = bare()
        assert not iv_length or check("psa_cipher_set_iv", op, bytes(iv_length)) == OK
        assert not held or call("psa_cipher_update", op, bytes(held)) == (OK, b"")
        return op

    sealed = call("psa_cipher_encrypt", key, alg, bytes(32))[1]
    yield "psa_cipher_encrypt", lambda: [key, alg, *given(bytes(32)), *room(), byref(c_size_t())]
    yield "psa_cipher_decrypt", lambda: [key, alg, *given(sealed), *room(), byref(c_size_t())]
    if iv_length:
        yield "psa_cipher_generate_iv", lambda: [bare(), *room(), byref(c_size_t())]
        yield "psa_cipher_set_iv", lambda: [bare(), *given(bytes(iv_length))]
    for size in (1, 16, 48):  # with a byte, block ciphers write nothing
        yield (
            "psa_cipher_update",
            lambda size=size: [ready(), *given(bytes(size)), *room(), byref(c_size_t())],
        )
    yield "psa_cipher_finish", lambda: [ready(16 * (alg == XTS)), *room(), byref(c_size_t())]
    destroy(key)


def good_aeads(alg: int) -> Iterator[tuple[str, Callable[[], Arguments]]]:
    kind, key_length, nonce_length = AEADS[alg]
    key, nonce = add(kind, CRYPT, alg, b"k" * key_length), bytes(nonce_length)

    def bare(way: str = "encrypt", ad: int = 0, text: int = 0) -> Any:
        op = started(f"psa_aead_{way}_setup", key, alg)
        announce(op, alg, ad, text)
        return op

    def ready(way: str = "encrypt", ad: int = 0, text: int = 0) -> Any:
        op = bare(way, ad, text)
        assert check("psa_aead_set_nonce", op, nonce) == OK
        return op

    tag = call("psa_aead_encrypt", key, alg, nonce, b"", b"")[1]
    for text in (b"", bytes(32)):
        made = call("psa_aead_encrypt", key, alg, nonce, b"ad", text)[1]
        yield (
            "psa_aead_encrypt",
            lambda text=text: [
                key,
                alg,
                *given(nonce),
                *given(b"ad"),
                *given(text),
                *room(),
                byref(c_size_t()),
            ],
        )
        yield (
            "psa_aead_decrypt",
            lambda made=made: [
                key,
                alg,
                *given(nonce),
                *given(b"ad"),
                *given(made),
                *room(),
                byref(c_size_t()),
            ],
        )
        yield (
            "psa_aead_update",
            lambda text=text: [ready(text=len(text)), *given(text), *room(), byref(c_size_t())],
        )
    yield "psa_aead_generate_nonce", lambda: [bare(), *room(), byref(c_size_t())]
    yield "psa_aead_set_nonce", lambda: [bare(), *given(nonce)]
    yield "psa_aead_update_ad", lambda: [ready(ad=2), *given(b"ad")]
    yield (
        "psa_aead_finish",
        lambda: [ready(), *room(), byref(c_size_t()), *room(), byref(c_size_t())],
    )
    yield "psa_aead_verify", lambda: [ready("decrypt"), *room(), byref(c_size_t()), *given(tag)]
    destroy(key)


def good_signatures(
    place: Callable[..., int] = add,
) -> Iterator[tuple[str, Callable[[], Arguments]]]:
    """Signatures and agreements.

    Args:
        place: how a key of a type, a usage, an algorithm and these bytes is had.
    """
    digest = hashlib.sha256(b"x").digest()
    for kind, usage, alg in (
        (PAIR | R1, HASH, ecdsa(SHA256, deterministic=False)),
        (PAIR | EDWARDS, MESSAGE, EDDSA),
    ):
        key = place(kind, usage, alg, b"k" * 32)
        signature = call("psa_sign_message", key, alg, b"x")[1]
        for what, data in (("message", b"x"), ("hash", digest))[: 1 + (usage == HASH)]:
            yield (
                f"psa_sign_{what}",
                lambda key=key, alg=alg, data=data: [
                    key,
                    alg,
                    *given(data),
                    *room(),
                    byref(c_size_t()),
                ],
            )
            yield (
                f"psa_verify_{what}",
                lambda key=key, alg=alg, data=data, made=signature: [
                    key,
                    alg,
                    *given(data),
                    *given(made),
                ],
            )
        destroy(key)
    for curve, peer in ((R1, POINT), (MONTGOMERY, b"\x09" + bytes(31))):
        key = place(PAIR | curve, DERIVES, ECDH, b"k" * 32)
        yield (
            "psa_raw_key_agreement",
            lambda key=key, peer=peer: [ECDH, key, *given(peer), *room(), byref(c_size_t())],
        )
        yield (
            "psa_key_agreement",
            lambda key=key, peer=peer: [
                key,
                *given(peer),
                ECDH,
                byref(Attributes(RAW, EXPORT, 0, 0)),
                byref(c_uint32()),
            ],
        )
        destroy(key)


def test_null_buffers_are_refused() -> None:
    assert nulls_tried(good_calls()) == BUFFERS


def nulls_tried(
    calls: Iterator[tuple[str, Callable[[], Arguments]]],
) -> set[tuple[str, str]]:
    """Try each buffer of each call as null; nothing may be written to the others."""
    tried, wrong = set(), []
    for name, make in calls:
        whole = make()
        assert getattr(lib, name)(*whole) == OK, name
        for at, parameter in enumerate(PROTOTYPES[name]):
            if "key_id_t *" in parameter:
                lib.psa_destroy_key(whole[at]._obj)
        for at, parameter in enumerate(PROTOTYPES[name]):
            if "uint8_t *" not in parameter:
                continue
            buffer, arguments = parameter.rpartition("*")[2], make()
            if arguments[at + 1].value == 0:
                continue
            arguments[at] = None
            status = getattr(lib, name)(*arguments)
            tried.add((name, buffer))
            untouched = all(
                argument is None or "const" in kind or argument.raw == b"\xa5" * len(argument)
                for kind, argument in zip(PROTOTYPES[name], arguments, strict=True)
                if "uint8_t *" in kind
            )
            if status != INVALID_ARGUMENT or not untouched:
                wrong.append((name, hex(whole[1]) if isinstance(whole[1], int) else "", buffer))
    assert not wrong
    return tried


def test_nothing_needs_no_random_source() -> None:
    lib.cryptile_psa_set_random(None)
    assert lib.psa_generate_random(None, c_size_t(0)) == OK
    assert lib.psa_generate_random(None, c_size_t(1)) == INVALID_ARGUMENT
    assert lib.psa_generate_random(*room()) == ENTROPY


def test_what_cannot_be_a_key_draws_nothing() -> None:
    """The source may be slow, or of a limited amount: what is asked for is checked before."""
    drawn = []

    @SOURCE
    def counted(out, length):
        drawn.append(length)
        return source(out, length)

    def refused(kind: int, usage: int, bits: int, lifetime: int = 0) -> int:
        key = c_uint32(5)
        status = lib.psa_generate_key(byref(Attributes(kind, usage, 0, bits, lifetime)), byref(key))
        assert status != OK and key.value == 0
        return status

    for given in (None, counted):
        lib.cryptile_psa_set_random(given)
        for kind, bits in ((AES, 127), (AES, 0), (0x2401, 128), (PAIR | R1, 255), (AES, 1024)):
            assert refused(kind, EXPORT, bits) == INVALID_ARGUMENT
        assert refused(AES, 1 << 31, 128) == INVALID_ARGUMENT
        assert refused(AES, EXPORT, 128, PERSISTENT) == NOT_SUPPORTED
        assert refused(AES, EXPORT, 128, 0x200) == INVALID_ARGUMENT
        assert refused(PUBLIC | MONTGOMERY, EXPORT, 255) == INVALID_ARGUMENT
        for bits in (8 * 529, 2**32, 2**63):
            assert refused(RAW, EXPORT, bits) == NOT_SUPPORTED
    while len(keys) < 8:
        add(RAW, EXPORT, 0, b"x")
    for given in (None, counted):
        lib.cryptile_psa_set_random(given)
        assert refused(AES, EXPORT, 128) == MEMORY
    assert drawn == []


@SOURCE
def fails_in_the_midst(out, length):
    ctypes.memset(out, 0xA5, (length + 1) // 2)
    return False


def test_a_source_that_fails_leaves_nothing() -> None:
    """A generator that has stopped: a status, no key, and none of the bytes from before."""
    lib.cryptile_psa_set_random(fails_in_the_midst)
    made = (c_uint8 * 40)(*[1] * 40)
    assert lib.psa_generate_random(made, c_size_t(39)) == ENTROPY
    assert bytes(made) == bytes(39) + b"\1"
    wanted, key = Attributes(0x2400, EXPORT, 0, 128), c_uint32(5)
    assert lib.psa_generate_key(byref(wanted), byref(key)) == ENTROPY
    assert key.value == 0
