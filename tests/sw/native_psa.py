"""The PSA layer, called as an application would, against ``cryptography``."""

import ctypes
import hashlib
import hmac as python_hmac
from ctypes import byref, c_size_t, c_uint32

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import cmac, hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils, x25519
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, ChaCha20Poly1305
from native_lib import lib
from native_psa_calls import (
    AEADS,
    AES,
    ASCON,
    ASCON_CXOF,
    ASCON_HASH,
    ASCON_XOF,
    BAD_STATE,
    CBC,
    CCM,
    CHACHA,
    CHACHA_KEY,
    CMAC,
    CRYPT,
    CTR,
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
    PADDING,
    PAIR,
    PKCS7,
    PUBLIC,
    R1,
    RAW,
    SHA3_256,
    SHA256,
    SHA512,
    SHAKE128,
    SHAKE256,
    SIGNATURE,
    STREAM,
    TOO_SMALL,
    XTS,
    Attributes,
    add,
    call,
    check,
    ecdsa,
    fresh_store,
    hmac_alg,
    keys,
    operation,
    rng,
    with_length,
)

from cryptile.jobs.oracle import ascon


@pytest.fixture(autouse=True)
def clean():
    yield from fresh_store()


@pytest.mark.parametrize(
    ("alg", "theirs"),
    [
        (SHA256, lambda data: hashlib.sha256(data).digest()),
        (SHA512, lambda data: hashlib.sha512(data).digest()),
        (SHA3_256, lambda data: hashlib.sha3_256(data).digest()),
        (ASCON_HASH, ascon.hash256),
    ],
)
def test_hash(alg, theirs):
    for length in (0, 1, 64, 200):
        data = rng.randbytes(length)
        digest = theirs(data)
        assert call("psa_hash_compute", alg, data) == (OK, digest)
        assert check("psa_hash_compare", alg, data, digest) == OK
        assert check("psa_hash_compare", alg, data, digest[:-1]) == SIGNATURE
        op, clone = operation(), operation()
        assert lib.psa_hash_setup(op, alg) == OK
        assert check("psa_hash_update", op, data) == OK
        assert lib.psa_hash_clone(op, clone) == OK
        assert check("psa_hash_update", clone, b"more") == OK
        assert call("psa_hash_finish", op) == (OK, digest)
        assert call("psa_hash_finish", op) == (BAD_STATE, b"")
        assert call("psa_hash_finish", clone) == (OK, theirs(data + b"more"))


def test_hash_errors():
    assert call("psa_hash_compute", 0x02000003, b"") == (NOT_SUPPORTED, b"")
    assert call("psa_hash_compute", GCM, b"")[0] == INVALID_ARGUMENT
    assert call("psa_hash_compute", SHA256, b"", room=31) == (TOO_SMALL, b"")
    assert check("psa_hash_update", operation(), b"x") == BAD_STATE


@pytest.mark.parametrize(
    ("alg", "theirs"),
    [
        (SHAKE128, lambda data, size, _: hashlib.shake_128(data).digest(size)),
        (SHAKE256, lambda data, size, _: hashlib.shake_256(data).digest(size)),
        (ASCON_XOF, lambda data, size, _: ascon.xof128(data, size)),
        (ASCON_CXOF, ascon.cxof128),
    ],
)
def test_xof(alg, theirs):
    for length in (0, 1, 8, 200):
        data, context, out = rng.randbytes(length), rng.randbytes(length), b""
        op = operation()
        assert lib.psa_xof_setup(op, alg) == OK
        if alg == ASCON_CXOF:
            assert check("psa_xof_set_context", op, context) == OK
        for start in range(0, length, 60):
            assert check("psa_xof_update", op, data[start : start + 60]) == OK
        for size in (0, 1, 7, 300):
            buffer = ctypes.create_string_buffer(size)
            assert lib.psa_xof_output(op, buffer, c_size_t(size)) == OK
            out += buffer.raw
        assert out == theirs(data, len(out), context)
        assert lib.psa_xof_abort(op) == OK
        assert not any(op.raw)


def test_xof_errors():
    op = operation()
    assert lib.psa_xof_setup(op, 0x0D000400) == NOT_SUPPORTED
    assert lib.psa_xof_setup(op, SHA256) == INVALID_ARGUMENT
    for size, status in ((256, OK), (257, INVALID_ARGUMENT)):
        assert lib.psa_xof_setup(op, ASCON_CXOF) == OK
        assert check("psa_xof_set_context", op, bytes(size)) == status
        assert lib.psa_xof_abort(op) == OK


def test_mac():
    secret, data = rng.randbytes(20), rng.randbytes(100)
    key = add(HMAC_KEY, MESSAGE, hmac_alg(SHA256), secret)
    mac = python_hmac.digest(secret, data, "sha256")
    assert call("psa_mac_compute", key, hmac_alg(SHA256), data) == (OK, mac)
    assert check("psa_mac_verify", key, hmac_alg(SHA256), data, mac) == OK
    assert check("psa_mac_verify", key, hmac_alg(SHA256), data + b"x", mac) == SIGNATURE
    assert check("psa_mac_verify", key, hmac_alg(SHA256), data, mac[:16]) == SIGNATURE
    assert call("psa_mac_compute", key, hmac_alg(SHA512), data) == (NOT_PERMITTED, b"")
    short = add(HMAC_KEY, MESSAGE, hmac_alg(SHA256, 12), secret)
    assert call("psa_mac_compute", short, hmac_alg(SHA256, 12), data) == (OK, mac[:12])
    only_verify = add(HMAC_KEY, 0x800, hmac_alg(SHA256), secret)
    assert call("psa_mac_compute", only_verify, hmac_alg(SHA256), data)[0] == NOT_PERMITTED


@pytest.mark.parametrize("size", [16, 24, 32])
def test_cmac(size):
    secret, data = rng.randbytes(size), rng.randbytes(100)
    theirs = cmac.CMAC(algorithms.AES(secret))
    theirs.update(data)
    code = theirs.finalize()
    key = add(AES, MESSAGE, CMAC, secret)
    assert call("psa_mac_compute", key, CMAC, data) == (OK, code)
    assert check("psa_mac_verify", key, CMAC, data, code) == OK
    assert check("psa_mac_verify", key, CMAC, data + b"x", code) == SIGNATURE
    op = operation()
    assert lib.psa_mac_verify_setup(op, key, CMAC) == OK
    for start in range(0, len(data), 7):
        assert check("psa_mac_update", op, data[start : start + 7]) == OK
    assert check("psa_mac_verify_finish", op, code) == OK
    assert not any(op.raw)
    short = with_length(CMAC, 12)
    assert call("psa_mac_compute", key, short, data) == (NOT_PERMITTED, b"")
    assert call("psa_mac_compute", add(AES, MESSAGE, short, secret), short, data) == (OK, code[:12])
    for kind, wrong in ((AES, bytes(64)), (HMAC_KEY, secret)):
        op, key = operation(), add(kind, MESSAGE, CMAC, wrong)
        assert lib.psa_mac_sign_setup(op, key, CMAC) == INVALID_ARGUMENT
        assert not any(op.raw)


@pytest.mark.parametrize("alg", [CTR, ECB, CBC, PKCS7, STREAM, XTS])
def test_cipher(alg):
    secret, data = rng.randbytes(64 if alg == XTS else 32), rng.randbytes(64)
    key = add(CHACHA_KEY if alg == STREAM else AES, CRYPT, alg, secret)
    status, sealed = call("psa_cipher_encrypt", key, alg, data)
    assert status == OK
    size = {ECB: 0, STREAM: 12}.get(alg, 16)
    iv, text = sealed[:size], sealed[size:]
    cipher = {
        CTR: lambda: Cipher(algorithms.AES(secret), modes.CTR(iv)),
        ECB: lambda: Cipher(algorithms.AES(secret), modes.ECB()),
        CBC: lambda: Cipher(algorithms.AES(secret), modes.CBC(iv)),
        PKCS7: lambda: Cipher(algorithms.AES(secret), modes.CBC(iv)),
        STREAM: lambda: Cipher(algorithms.ChaCha20(secret, bytes(4) + iv), None),
        XTS: lambda: Cipher(algorithms.AES(secret), modes.XTS(iv)),
    }[alg]()
    padded = data + bytes([16]) * 16 if alg == PKCS7 else data
    assert text == cipher.encryptor().update(padded)
    assert call("psa_cipher_decrypt", key, alg, sealed) == (OK, data)
    op = operation()
    assert lib.psa_cipher_decrypt_setup(op, key, alg) == OK
    if size:
        assert check("psa_cipher_set_iv", op, iv) == OK
    found = b""
    for start in range(0, len(text), 7):
        status, part = call("psa_cipher_update", op, text[start : start + 7])
        assert status == OK
        found += part
    status, part = call("psa_cipher_finish", op)
    assert (status, found + part) == (OK, data)
    assert call("psa_cipher_finish", op)[0] == BAD_STATE


@pytest.mark.parametrize("size", [32, 64])
@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
def test_xts_in_parts(size, direction):
    """Every length from 16 to 80 in chunks: each block as soon as it cannot be the last one."""
    secret, tweak = rng.randbytes(size), rng.randbytes(16)
    key = add(AES, CRYPT, XTS, secret)
    for length in range(16, 81):
        text = rng.randbytes(length)
        theirs = Cipher(algorithms.AES(secret), modes.XTS(tweak))
        wanted = getattr(theirs, f"{direction}or")().update(text)
        for chunk in (1, 7, 16, 31, 32, 33, length):
            op, found = operation(), b""
            assert getattr(lib, f"psa_cipher_{direction}_setup")(op, key, XTS) == OK
            assert check("psa_cipher_set_iv", op, tweak) == OK
            for start in range(0, length, chunk):
                given = text[start : start + chunk]
                so_far = start + len(given)
                room = max(0, so_far // 16 * 16 - 16) - len(found)
                status, part = call("psa_cipher_update", op, given, room=max(room, 1))
                assert (status, len(part)) == (OK, room)
                found += part
            status, part = call("psa_cipher_finish", op, room=length - len(found))
            assert (status, found + part) == (OK, wanted)
            assert not any(op.raw)


def test_xts_errors():
    key = add(AES, CRYPT, XTS, rng.randbytes(64))
    for length in range(16):
        assert call("psa_cipher_encrypt", key, XTS, bytes(length)) == (INVALID_ARGUMENT, b"")
        assert call("psa_cipher_decrypt", key, XTS, bytes(16 + length)) == (INVALID_ARGUMENT, b"")
        op = operation()
        assert lib.psa_cipher_encrypt_setup(op, key, XTS) == OK
        assert check("psa_cipher_set_iv", op, bytes(16)) == OK
        assert call("psa_cipher_update", op, bytes(length)) == (OK, b"")
        assert call("psa_cipher_finish", op) == (INVALID_ARGUMENT, b"")
        assert call("psa_cipher_finish", op) == (BAD_STATE, b"")
    for wrong in (16, 24):
        short = add(AES, CRYPT, XTS, rng.randbytes(wrong))
        assert lib.psa_cipher_encrypt_setup(operation(), short, XTS) == INVALID_ARGUMENT
    for half in (16, 32):
        twice = add(AES, CRYPT, XTS, rng.randbytes(half) * 2)
        assert lib.psa_cipher_decrypt_setup(operation(), twice, XTS) == INVALID_ARGUMENT
    op, most = operation(), 1 << 24
    assert lib.psa_cipher_encrypt_setup(op, key, XTS) == OK
    assert check("psa_cipher_set_iv", op, bytes(16)) == OK
    assert call("psa_cipher_update", op, bytes(most), room=most)[0] == OK
    assert call("psa_cipher_update", op, b"x") == (INVALID_ARGUMENT, b"")
    for alg in (CTR, ECB, CBC, PKCS7):
        long = add(AES, CRYPT, alg, bytes(64))
        assert lib.psa_cipher_encrypt_setup(operation(), long, alg) == INVALID_ARGUMENT
        assert lib.psa_destroy_key(keys.pop()) == OK


@pytest.mark.parametrize("base", [hmac_alg(SHA256), CMAC, CCM, GCM, ASCON])
def test_policies_of_at_least_a_length(base):
    """Such a policy allows every length from it on that the algorithm has, and no other bit."""
    is_mac = base >> 24 == 3
    kind = {hmac_alg(SHA256): HMAC_KEY, ASCON: AEADS[ASCON][0]}.get(base, AES)
    secret = rng.randbytes(16)
    have = {
        hmac_alg(SHA256): range(4, 33),
        CMAC: range(4, 17),
        CCM: range(4, 17, 2),
        GCM: (4, 8, *range(12, 17)),
        ASCON: range(8, 17),
    }[base]

    def use(key, alg):
        if is_mac:
            return call("psa_mac_compute", key, alg, b"x")[0]
        return call(
            "psa_aead_encrypt", key, alg, bytes(16 if alg & 0xF00 == 0x700 else 12), b"", b"x"
        )[0]

    for least in (1, 4, 8, 12, 16, 17, 32, 33):
        policy = with_length(base, least, at_least=True)
        key = add(kind, MESSAGE if is_mac else CRYPT, policy, secret)
        for length in range(1, 64):
            wanted = NOT_PERMITTED if length < least else OK if length in have else INVALID_ARGUMENT
            assert use(key, with_length(base, length)) == wanted
        whole = OK if max(have) >= least else NOT_PERMITTED
        assert use(key, with_length(base, 0)) == (
            whole if is_mac else INVALID_ARGUMENT if least == 0 else NOT_PERMITTED
        )
        for bit in {*range(32)} - {*range(16, 22)}:
            strange = with_length(base, 16) ^ 1 << bit
            assert use(key, strange) == NOT_PERMITTED, hex(strange)
        assert lib.psa_destroy_key(keys.pop()) == OK


def test_cipher_errors():
    key = add(AES, CRYPT, PKCS7, rng.randbytes(16))
    status, sealed = call("psa_cipher_encrypt", key, PKCS7, b"hello")
    assert status == OK and len(sealed) == 32
    assert call("psa_cipher_decrypt", key, PKCS7, sealed[:31])[0] == INVALID_ARGUMENT
    broken = sealed[:15] + bytes([sealed[15] ^ 255]) + sealed[16:]
    assert call("psa_cipher_decrypt", key, PKCS7, broken)[0] == PADDING
    assert call("psa_cipher_decrypt", key, PKCS7, b"short")[0] == INVALID_ARGUMENT
    assert call("psa_cipher_encrypt", key, PKCS7, b"hello", room=31)[0] == TOO_SMALL
    assert call("psa_cipher_encrypt", key, CTR, b"hello")[0] == NOT_PERMITTED
    lib.cryptile_psa_set_random(None)
    assert call("psa_cipher_encrypt", key, PKCS7, b"hello")[0] == ENTROPY


@pytest.mark.parametrize("alg", AEADS)
def test_aead(alg):
    kind, key_length, nonce_length = AEADS[alg]
    secret, nonce = rng.randbytes(key_length), rng.randbytes(nonce_length)
    ad, data = rng.randbytes(21), rng.randbytes(75)
    key = add(kind, CRYPT, alg, secret)
    theirs = {
        CCM: lambda: AESCCM(secret).encrypt(nonce, data, ad),
        GCM: lambda: AESGCM(secret).encrypt(nonce, data, ad),
        CHACHA: lambda: ChaCha20Poly1305(secret).encrypt(nonce, data, ad),
        ASCON: lambda: b"".join(ascon.aead128(secret, nonce, ad, data)),
    }[alg]()
    assert call("psa_aead_encrypt", key, alg, nonce, ad, data) == (OK, theirs)
    assert call("psa_aead_decrypt", key, alg, nonce, ad, theirs) == (OK, data)
    broken = theirs[:-1] + bytes([theirs[-1] ^ 1])
    assert call("psa_aead_decrypt", key, alg, nonce, ad, broken) == (SIGNATURE, b"")
    assert call("psa_aead_decrypt", key, alg, nonce, ad, theirs[:15]) == (SIGNATURE, b"")
    assert call("psa_aead_encrypt", key, alg, nonce, ad, data, room=90)[0] == TOO_SMALL
    for encrypt in (True, False):
        op = operation()
        setup = lib.psa_aead_encrypt_setup if encrypt else lib.psa_aead_decrypt_setup
        assert setup(op, key, alg) == OK
        assert lib.psa_aead_set_lengths(op, c_size_t(len(ad)), c_size_t(len(data))) == OK
        assert check("psa_aead_set_nonce", op, nonce) == OK
        assert check("psa_aead_update_ad", op, ad[:5]) == OK
        assert check("psa_aead_update_ad", op, ad[5:]) == OK
        given = data if encrypt else theirs[:-16]
        status, first = call("psa_aead_update", op, given[:33])
        assert status == OK
        status, second = call("psa_aead_update", op, given[33:])
        assert status == OK
        assert first + second == (theirs[:-16] if encrypt else data)
        length = c_size_t()
        if encrypt:
            tag, tag_length = ctypes.create_string_buffer(16), c_size_t()
            assert (
                lib.psa_aead_finish(
                    op, None, c_size_t(0), byref(length), tag, c_size_t(16), byref(tag_length)
                )
                == OK
            )
            assert tag.raw == theirs[-16:]
        else:
            assert (
                lib.psa_aead_verify(
                    op, None, c_size_t(0), byref(length), theirs[-16:], c_size_t(16)
                )
                == OK
            )
    if alg == CCM:  # which writes the lengths into its first block
        op, length = operation(), c_size_t()
        assert lib.psa_aead_encrypt_setup(op, key, alg) == OK
        assert check("psa_aead_set_nonce", op, nonce) == BAD_STATE
        op = operation()
        assert lib.psa_aead_encrypt_setup(op, key, alg) == OK
        assert call("psa_aead_generate_nonce", op) == (BAD_STATE, b"")
        op = operation()
        assert lib.psa_aead_encrypt_setup(op, key, alg) == OK
        assert lib.psa_aead_set_lengths(op, c_size_t(0), c_size_t(1 << 16)) == OK
        assert check("psa_aead_set_nonce", op, nonce) == INVALID_ARGUMENT
        op = operation()
        assert lib.psa_aead_encrypt_setup(op, key, alg) == OK
        assert lib.psa_aead_set_lengths(op, c_size_t(0), c_size_t(4)) == OK
        status, made = call("psa_aead_generate_nonce", op)
        assert (status, len(made)) == (OK, 13)
    op = operation()
    assert lib.psa_aead_encrypt_setup(op, key, alg) == OK
    assert lib.psa_aead_set_lengths(op, c_size_t(0), c_size_t(4)) == OK
    assert check("psa_aead_set_nonce", op, nonce) == OK
    assert call("psa_aead_update", op, b"12345")[0] == INVALID_ARGUMENT
    assert call("psa_aead_update", op, b"1234")[0] == BAD_STATE


def test_ecdsa():
    """Keys for hashes serve for messages, too."""
    private = ec.derive_private_key(rng.randrange(1, 2**255), ec.SECP256R1())
    scalar = private.private_numbers().private_value.to_bytes(32, "big")
    alg = ecdsa(SHA256)
    pair = add(PAIR | R1, HASH, alg, scalar)
    status, point = call("psa_export_public_key", pair)
    assert status == OK
    assert point == private.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    public = add(PUBLIC | R1, HASH, alg, point)
    message = rng.randbytes(50)
    status, signature = call("psa_sign_message", pair, alg, message)
    assert (status, len(signature)) == (OK, 64)
    encoded = utils.encode_dss_signature(
        int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    )
    private.public_key().verify(encoded, message, ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        private.public_key().verify(encoded, message + b"x", ec.ECDSA(hashes.SHA256()))
    digest = hashlib.sha256(message).digest()
    assert call("psa_sign_hash", pair, alg, digest) == (OK, signature)
    for key in (pair, public):
        assert check("psa_verify_message", key, alg, message, signature) == OK
        assert check("psa_verify_hash", key, alg, digest, signature) == OK
        assert check("psa_verify_message", key, alg, b"x", signature) == SIGNATURE
    assert call("psa_sign_hash", pair, alg, digest[:31])[0] == INVALID_ARGUMENT
    assert call("psa_sign_hash", public, alg, digest)[0] == INVALID_ARGUMENT
    assert call("psa_export_key", pair)[0] == NOT_PERMITTED
    assert call("psa_export_key", public) == (OK, point)
    add(PUBLIC | R1, 0, alg, point[:-1] + bytes([point[-1] ^ 1]), INVALID_ARGUMENT)
    add(PAIR | R1, 0, alg, bytes(32), INVALID_ARGUMENT)


def test_eddsa():
    seed = rng.randbytes(32)
    private = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
    key = add(PAIR | EDWARDS, MESSAGE, EDDSA, seed)
    message = rng.randbytes(99)
    assert call("psa_sign_message", key, EDDSA, message) == (OK, private.sign(message))
    assert check("psa_verify_message", key, EDDSA, message, private.sign(message)) == OK
    assert check("psa_verify_message", key, EDDSA, message + b"x", private.sign(message)) < 0


def test_agreement():
    scalar, peer = rng.randbytes(32), x25519.X25519PrivateKey.generate()
    theirs = x25519.X25519PrivateKey.from_private_bytes(scalar).exchange(peer.public_key())
    key = add(PAIR | MONTGOMERY, DERIVES, ECDH, scalar)
    assert call("psa_raw_key_agreement", ECDH, key, peer.public_key().public_bytes_raw()) == (
        OK,
        theirs,
    )
    assert call("psa_raw_key_agreement", ECDH, key, bytes(32))[0] == INVALID_ARGUMENT
    shared = c_uint32()
    attributes = Attributes(RAW, EXPORT, 0, 0)
    public = peer.public_key().public_bytes_raw()
    assert (
        lib.psa_key_agreement(key, public, c_size_t(32), ECDH, byref(attributes), byref(shared))
        == OK
    )
    keys.append(shared.value)
    assert call("psa_export_key", shared.value) == (OK, theirs)
    curve = add(PAIR | R1, DERIVES, ECDH, (5).to_bytes(32, "big"))
    other = ec.generate_private_key(ec.SECP256R1())
    point = other.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    ours = ec.derive_private_key(5, ec.SECP256R1()).exchange(ec.ECDH(), other.public_key())
    assert call("psa_raw_key_agreement", ECDH, curve, point) == (OK, ours)
    assert call("psa_raw_key_agreement", ECDH, curve, point[:-1])[0] == INVALID_ARGUMENT


def test_keys():
    add(AES, 0, 0, bytes(15), INVALID_ARGUMENT)
    add(AES, 0, 0, bytes(16), INVALID_ARGUMENT, bits=256)
    add(AES, 0, 0, b"", INVALID_ARGUMENT)
    add(RAW, 0, 0, bytes(529), NOT_SUPPORTED)
    add(0x2301, 0, 0, bytes(16), INVALID_ARGUMENT)
    mine = [add(RAW, EXPORT, 0, bytes([n])) for n in range(8)]
    add(RAW, EXPORT, 0, b"x", MEMORY)
    assert call("psa_export_key", mine[3]) == (OK, b"\x03")
    assert call("psa_export_key", mine[3], room=0)[0] == TOO_SMALL
    assert lib.psa_destroy_key(mine[3]) == OK
    assert lib.psa_destroy_key(mine[3]) == INVALID_HANDLE
    assert lib.psa_destroy_key(0) == OK
    assert call("psa_export_key", mine[3])[0] == INVALID_HANDLE
    found, generated = Attributes(), c_uint32()
    wanted = Attributes(PAIR | R1, EXPORT, ECDH, 256)
    assert lib.psa_generate_key(byref(wanted), byref(generated)) == OK
    assert lib.psa_get_key_attributes(generated, byref(found)) == OK
    assert (found.type, found.bits) == (PAIR | R1, 256)
    lib.psa_destroy_key(generated)
    lib.cryptile_psa_set_random(None)
    assert lib.psa_generate_key(byref(wanted), byref(generated)) == ENTROPY
