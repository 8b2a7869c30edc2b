"""The macros for sizes of buffers, against the standard's rules and what functions give out."""

import ctypes
import itertools
import re
from functools import cache

import pytest
from native_lib import INCLUDE, lib
from native_psa_calls import (
    AEADS,
    AES,
    ASCON_HASH,
    CBC,
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
    EXPORT,
    GCM,
    HMAC_KEY,
    MESSAGE,
    MONTGOMERY,
    OK,
    PAIR,
    PKCS7,
    PUBLIC,
    R1,
    RAW,
    SHA256,
    SHA512,
    STREAM,
    XTS,
    add,
    announce,
    call,
    check,
    ecdsa,
    fresh_store,
    hmac_alg,
    operation,
    rng,
    with_length,
)

from cryptile.toolchain import cache as builds
from cryptile.toolchain import tools

HEADER = INCLUDE / "psa/crypto_sizes.h"
MACROS = {
    name: [item.strip() for item in (parameters or "").split(",") if item.strip()]
    for name, parameters in re.findall(
        r"^#define (PSA_(?!PRIVATE|CRYPTO_SIZES)\w+)(?:\(([\w, ]*)\))?", HEADER.read_text(), re.M
    )
}
HASHES = {
    0x02000008: (28, 64),
    SHA256: (32, 64),
    0x0200000A: (48, 128),
    SHA512: (64, 128),
    0x0200000C: (28, 128),
    0x0200000D: (32, 128),
    0x02000010: (28, 144),
    0x02000011: (32, 136),
    0x02000012: (48, 104),
    0x02000013: (64, 72),
    ASCON_HASH: (32, 0),
}
"""Bytes of digests and of blocks (FIPS 180-4, FIPS 202, SP 800-232)."""
RSA_PUBLIC = 0x4001
CURVES = [
    (R1, 256, 32, 65),
    (R1, 384, 48, 97),
    (R1, 521, 66, 133),
    (MONTGOMERY, 255, 32, 32),
    (EDWARDS, 255, 32, 32),
]
"""Family, bits, bytes of private and public keys."""
"""Bits of keys, and bytes of public keys."""
CIPHERS = (CTR, ECB, CBC, PKCS7, XTS, STREAM)
TYPES = (RAW, HMAC_KEY, AES, CHACHA_KEY, 0x2008, PAIR | R1, PUBLIC | R1)


@pytest.fixture(autouse=True)
def clean():
    yield from fresh_store()


@cache
def compiled():
    """Compile each macro as a function of its name."""
    text = '#include "psa/crypto.h"\n' + "".join(
        f"size_t {name}_({', '.join(f'size_t {p}' for p in parameters) or 'void'}) "
        f"{{ return {name}{'(' + ', '.join(parameters) + ')' if parameters else ''}; }}\n"
        for name, parameters in MACROS.items()
    )
    command = [
        tools.find("gcc", "gcc"),
        *tools.words("-std=c11 -Wall -Wextra -Werror -fPIC -shared -Wno-type-limits"),
        "-I",
        INCLUDE,
    ]

    def make(folder):
        (folder / "sizes.c").write_text(text)
        tools.run([*command, folder / "sizes.c", "-o", folder / "sizes.so"])

    headers = sorted(INCLUDE.rglob("*.h"))
    key = builds.digest(headers, text, [str(part) for part in command])
    return ctypes.CDLL(str(builds.build("psa-sizes", key, make) / "sizes.so"))


def size(name, *arguments):
    function = getattr(compiled(), f"PSA_{name}_")
    function.restype = ctypes.c_size_t
    return function(*map(ctypes.c_size_t, arguments))


def test_hashes():
    for alg, (length, block) in HASHES.items():
        assert size("HASH_LENGTH", alg) == length == len(call("psa_hash_compute", alg, b"")[1])
        assert size("HASH_BLOCK_LENGTH", alg) == block
        assert length <= size("HASH_MAX_SIZE")
        if block:
            assert size("HASH_LENGTH", hmac_alg(alg)) == length
            assert size("HASH_BLOCK_LENGTH", hmac_alg(alg)) == block
    for alg in (0x02000003, 0x020000FF, 0x02000000):
        assert size("HASH_LENGTH", alg) == size("HASH_BLOCK_LENGTH", alg) == 0


def test_macs():
    for alg, kind in (
        (hmac_alg(SHA256), HMAC_KEY),
        (hmac_alg(SHA512, 20), HMAC_KEY),
        (CMAC, AES),
        (with_length(CMAC, 7), AES),
    ):
        key = add(kind, MESSAGE, alg, bytes(32))
        code = call("psa_mac_compute", key, alg, b"x")[1]
        assert size("MAC_LENGTH", kind, 256, alg) == len(code) <= size("MAC_MAX_SIZE")
    for alg in (0, SHA256, GCM, hmac_alg(0x03), 0x03C00200 & ~0x01000000):
        assert size("MAC_LENGTH", HMAC_KEY, 256, alg) == 0


@pytest.mark.parametrize("alg", CIPHERS)
def test_ciphers(alg):
    """What is said to be enough is, and for a whole message to be encrypted no more."""
    kind = CHACHA_KEY if alg == STREAM else AES
    key = add(kind, CRYPT, alg, bytes(range(32)))
    iv = {ECB: 0, STREAM: 12}.get(alg, 16)
    assert size("CIPHER_IV_LENGTH", kind, alg) == iv <= size("CIPHER_IV_MAX_SIZE")
    step = 16 if alg in (ECB, CBC) else 1
    for length in range(16 if alg == XTS else 0, 70, step):
        room = size("CIPHER_ENCRYPT_OUTPUT_SIZE", kind, alg, length)
        status, sealed = call("psa_cipher_encrypt", key, alg, bytes(length), room=room)
        assert (status, len(sealed)) == (OK, room)
        assert room <= size("CIPHER_ENCRYPT_OUTPUT_MAX_SIZE", length)
        room = size("CIPHER_DECRYPT_OUTPUT_SIZE", kind, alg, len(sealed))
        assert room == len(sealed) - iv <= size("CIPHER_DECRYPT_OUTPUT_MAX_SIZE", len(sealed))
        assert call("psa_cipher_decrypt", key, alg, sealed, room=room) == (OK, bytes(length))
        for direction, text in (("encrypt", bytes(length)), ("decrypt", sealed[iv:])):
            for chunk in (1, 5, 16, 17, 33):
                in_parts(kind, key, alg, direction, text, sealed[:iv], chunk)
    assert size("CIPHER_DECRYPT_OUTPUT_SIZE", kind, alg, iv - 1 if iv else 0) == 0


def in_parts(kind, key, alg, direction, text, iv, chunk):
    op = operation()
    assert getattr(lib, f"psa_cipher_{direction}_setup")(op, key, alg) == OK
    if iv:
        assert check("psa_cipher_set_iv", op, iv) == OK
    for start in range(0, len(text), chunk):
        part = text[start : start + chunk]
        room = size("CIPHER_UPDATE_OUTPUT_SIZE", kind, alg, len(part))
        assert room <= size("CIPHER_UPDATE_OUTPUT_MAX_SIZE", len(part))
        assert call("psa_cipher_update", op, part, room=room)[0] == OK
    room = size("CIPHER_FINISH_OUTPUT_SIZE", kind, alg)
    assert room <= size("CIPHER_FINISH_OUTPUT_MAX_SIZE")
    assert call("psa_cipher_finish", op, room=room)[0] == OK


@pytest.mark.parametrize("base", AEADS)
def test_aeads(base):
    kind, key_length, nonce_length = AEADS[base]
    for tag in (8, 16) if base not in (CHACHA,) else (16,):
        alg = with_length(base, tag)
        key = add(kind, CRYPT, alg, bytes(key_length))
        assert size("AEAD_TAG_LENGTH", kind, 8 * key_length, alg) == tag
        assert size("AEAD_NONCE_LENGTH", kind, alg) == nonce_length <= 16
        for length in (0, 1, 15, 16, 40):
            room = size("AEAD_ENCRYPT_OUTPUT_SIZE", kind, alg, length)
            assert room == length + tag <= size("AEAD_ENCRYPT_OUTPUT_MAX_SIZE", length)
            nonce = bytes(nonce_length)
            status, sealed = call(
                "psa_aead_encrypt", key, alg, nonce, b"", bytes(length), room=room
            )
            assert (status, len(sealed)) == (OK, room)
            room = size("AEAD_DECRYPT_OUTPUT_SIZE", kind, alg, len(sealed))
            assert room == length <= size("AEAD_DECRYPT_OUTPUT_MAX_SIZE", len(sealed))
            assert call("psa_aead_decrypt", key, alg, nonce, b"", sealed, room=room)[0] == OK
            op = operation()
            assert lib.psa_aead_encrypt_setup(op, key, alg) == OK
            announce(op, alg, 0, length)
            assert check("psa_aead_set_nonce", op, nonce) == OK
            room = size("AEAD_UPDATE_OUTPUT_SIZE", kind, alg, length)
            assert room <= size("AEAD_UPDATE_OUTPUT_MAX_SIZE", length)
            assert call("psa_aead_update", op, bytes(length), room=room)[0] == OK
            count, code = ctypes.c_size_t(), ctypes.create_string_buffer(tag)
            room = size("AEAD_FINISH_OUTPUT_SIZE", kind, alg)
            assert (
                lib.psa_aead_finish(
                    op,
                    ctypes.create_string_buffer(1),
                    ctypes.c_size_t(room),
                    ctypes.byref(count),
                    code,
                    ctypes.c_size_t(tag),
                    ctypes.byref(count),
                )
                == OK
            )
            assert count.value == tag <= size("AEAD_TAG_MAX_SIZE")
        assert size("AEAD_DECRYPT_OUTPUT_SIZE", kind, alg, tag - 1) == 0
        assert size("AEAD_VERIFY_OUTPUT_SIZE", kind, alg) <= size("AEAD_VERIFY_OUTPUT_MAX_SIZE")
        assert size("AEAD_FINISH_OUTPUT_SIZE", kind, alg) <= size("AEAD_FINISH_OUTPUT_MAX_SIZE")


@pytest.mark.parametrize(("curve", "bits", "private_length", "public_length"), CURVES)
def test_asymmetric_keys(curve, bits, private_length, public_length):
    alg = {R1: ecdsa(SHA256), MONTGOMERY: ECDH, EDWARDS: EDDSA}[curve]
    pair, public = PAIR | curve, PUBLIC | curve
    key = add(pair, EXPORT | MESSAGE | DERIVES, alg, b"\0" + bytes(range(1, private_length)))
    point = call("psa_export_public_key", key)[1]
    for kind in (pair, public):
        assert size("EXPORT_PUBLIC_KEY_OUTPUT_SIZE", kind, bits) == public_length == len(point)
    assert size("EXPORT_KEY_OUTPUT_SIZE", pair, bits) == len(call("psa_export_key", key)[1])
    assert size("EXPORT_KEY_OUTPUT_SIZE", pair, bits) <= size("EXPORT_KEY_PAIR_MAX_SIZE")
    assert size("EXPORT_KEY_OUTPUT_SIZE", public, bits) == public_length
    assert public_length <= size("EXPORT_PUBLIC_KEY_MAX_SIZE")
    assert public_length <= size("EXPORT_ASYMMETRIC_KEY_MAX_SIZE")
    if curve == MONTGOMERY:
        made = call("psa_raw_key_agreement", ECDH, key, point)[1]
        assert size("RAW_KEY_AGREEMENT_OUTPUT_SIZE", pair, bits) == len(made)
        assert len(made) <= size("RAW_KEY_AGREEMENT_OUTPUT_MAX_SIZE")
        assert size("RAW_KEY_AGREEMENT_OUTPUT_SIZE", public, bits) == 0
        assert size("SIGN_OUTPUT_SIZE", pair, bits, ECDH) == 0
    else:
        signature = call("psa_sign_message", key, alg, b"x")[1]
        for kind in (pair, public):
            assert size("SIGN_OUTPUT_SIZE", kind, bits, alg) == len(signature) == 2 * private_length
        assert len(signature) <= size("SIGNATURE_MAX_SIZE")
        assert size("ECDSA_SIGNATURE_SIZE", bits) == 2 * private_length


@pytest.mark.parametrize("bits", [2048, 2049, 3072, 4096])
def test_keys_of_rsa(bits):
    """Room for the longest exponent; nothing is signed."""
    modulus = (1 << bits - 1 | 1).to_bytes(bits // 8 + 1, "big")
    data = b"\x02\x82" + len(modulus).to_bytes(2, "big") + modulus + b"\2\5\0" + b"\xff" * 4
    data = b"\x30\x82" + len(data).to_bytes(2, "big") + data
    assert call("psa_export_public_key", add(RSA_PUBLIC, 0, 0, data)) == (OK, data)
    for name in ("EXPORT_KEY_OUTPUT_SIZE", "EXPORT_PUBLIC_KEY_OUTPUT_SIZE"):
        assert len(data) <= size(name, RSA_PUBLIC, bits) <= size("EXPORT_PUBLIC_KEY_MAX_SIZE")
    assert size("SIGN_OUTPUT_SIZE", RSA_PUBLIC, bits, 0x06000209) == 0


def test_other_keys():
    for kind in (RAW, HMAC_KEY, 0x1200):
        data = rng.randbytes(21)
        assert size("EXPORT_KEY_OUTPUT_SIZE", kind, 168) == len(data)
        assert call("psa_export_key", add(kind, EXPORT, 0, data)) == (OK, data)
        assert size("EXPORT_PUBLIC_KEY_OUTPUT_SIZE", kind, 168) == 0
    assert size("BLOCK_CIPHER_BLOCK_LENGTH", AES) == size("BLOCK_CIPHER_BLOCK_MAX_SIZE") == 16
    assert size("BLOCK_CIPHER_BLOCK_LENGTH", CHACHA_KEY) == 0


def test_what_does_not_go_together():
    """An algorithm with the wrong type of key, or none of its kind, has no size."""
    right = {(CHACHA_KEY, STREAM), *((AES, alg) for alg in CIPHERS if alg != STREAM)}
    right |= {(AEADS[alg][0], alg) for alg in AEADS}
    for kind, alg in itertools.product(TYPES, (*CIPHERS, *AEADS, SHA256, CMAC, ECDH)):
        if (kind, alg) in right:
            continue
        for name in ("CIPHER_IV_LENGTH", "CIPHER_FINISH_OUTPUT_SIZE", "AEAD_NONCE_LENGTH"):
            assert size(name, kind, alg) == 0
        for name in (
            "CIPHER_ENCRYPT",
            "CIPHER_DECRYPT",
            "CIPHER_UPDATE",
            "AEAD_ENCRYPT",
            "AEAD_DECRYPT",
            "AEAD_UPDATE",
        ):
            assert size(f"{name}_OUTPUT_SIZE", kind, alg, 100) == 0
        assert size("AEAD_TAG_LENGTH", kind, 256, alg) == 0
