"""Mbed TLS's own PSA tests, driven through this library: what is in scope passes.

Each function of those suites has a few lines here that do what its cases ask for. ``OUT`` says
what is not in scope, ``DIFFERENT`` where this library answers otherwise, and why.
"""

import collections
import ctypes
import re
from ctypes import byref, c_size_t, c_uint16, c_uint32

from native_lib import INCLUDE, lib
from native_psa_calls import Attributes, call, check, operation, source
from support import mbedtls

from cryptile.toolchain import cache as builds
from cryptile.toolchain import tools

OK, SIGNATURE, NOT_PERMITTED, DATA, BAD_STATE = 0, -149, -133, -143, -137
SECRET = 0x101
ENCRYPT, DECRYPT, SIGN, VERIFY, SIGN_HASH, VERIFY_HASH, DERIVE = (
    0x100,
    0x200,
    0x400,
    0x800,
    0x1000,
    0x2000,
    0x4000,
)
ALGORITHMS = (
    "SHA_224", "SHA_256", "SHA_384", "SHA_512", "HMAC", "CMAC", "CTR", "ECB_NO_PADDING",
    "CBC_NO_PADDING", "CBC_PKCS7", "STREAM_CIPHER", "XTS", "CCM", "GCM", "CHACHA20_POLY1305",
    "ECDSA", "DETERMINISTIC_ECDSA", "ECDH", "HKDF", "TLS12_PRF", "RSA_PKCS1V15_SIGN", "RSA_PSS",
    "RSA_PSS_ANY_SALT",
)  # fmt: skip
HAVE = {
    *(f"PSA_WANT_ALG_{name}" for name in ALGORITHMS), "PSA_WANT_KEY_TYPE_AES",
    "PSA_WANT_KEY_TYPE_CHACHA20", "PSA_WANT_KEY_TYPE_HMAC", "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR",
    "PSA_WANT_KEY_TYPE_ECC_PUBLIC_KEY", "PSA_WANT_ECC_SECP_R1_256", "PSA_WANT_ECC_SECP_R1_384",
    "PSA_WANT_ECC_SECP_R1_521", "PSA_WANT_ECC_MONTGOMERY_255", "PSA_WANT_KEY_TYPE_RSA_PUBLIC_KEY",
    "MBEDTLS_PK_PARSE_C", "MBEDTLS_PK_WRITE_C", "MBEDTLS_MD_C",
}  # fmt: skip
OUT = {
    "feature": "names an algorithm, a curve or an option that this library does not have",
    "macro": "uses a macro of Mbed TLS or of an algorithm that is not here",
    "function": "is of a function that has no driver here: RSA encryption, persistent keys, "
    "internals of Mbed TLS",
    "own": "uses a second algorithm of a policy, a lifetime or an identifier of one's own",
}
DIFFERENT = {
    "keys have 528 bytes at most": r"RSA public key: key pair|raw data, 655",
    "keys of RSA have 2048 bits at least, and are public": (
        r"export(-public)? RSA public key|RSA.*(slen=|signature|hash length|without hash)"
    ),
    "CTR writes whole blocks in parts, and the rest at the end": r"multipart: AES-CTR, ",
    "INVALID_ARGUMENT, where theirs is NOT_SUPPORTED, for a length, a type or a nonce": (
        r"explicit bit-size=(255|528) for secp|not a valid length|invalid key type|nonce=8, not"
    ),
    "NOT_SUPPORTED, where theirs is INVALID_ARGUMENT, for an algorithm that is none": (
        r"not a MAC algorithm|invalid hash"
    ),
    "NOT_PERMITTED for an algorithm that only a policy can have": r"policy used as algorithm",
    "INVALID_HANDLE before psa_crypto_init(), which is not needed": r"without initialization",
    "a private key of X25519 is exported as it was imported": r"curve25519 key pair: unmasked",
}
"""What this library does otherwise, and the titles of those cases."""
PASSES = 617

HANDLERS = {}


class OutOfScope(Exception):
    """A case that is not for this library; says which of ``OUT``."""


def handler(*names):
    def register(run):
        HANDLERS.update(dict.fromkeys(names or [run.__name__], run))
        return run

    return register


# Arguments


def macros():
    """Return the names that the headers define."""
    text = tools.run(
        [
            tools.find("gcc"),
            "-I",
            INCLUDE,
            "-dM",
            "-E",
            INCLUDE / "psa/crypto.h",
        ]
    )
    return set(re.findall(r"^#define (PSA_\w+)", text, re.M))


def values(texts):
    """Compute the expressions whose names are all known; return them by text."""
    known = macros()
    good = sorted(t for t in texts if set(re.findall(r"[A-Z]\w+", t)) <= known and t.strip())
    program = (
        '#include <stdio.h>\n#include "psa/crypto.h"\nint main(void) {\n'
        + "".join(f'  printf("%lld\\n", (long long)({text}));\n' for text in good)
        + "  return 0;\n}\n"
    )

    def make(folder):
        (folder / "values.c").write_text(program)
        tools.run(
            [
                tools.find("gcc"),
                "-std=c11",
                "-I",
                INCLUDE,
                folder / "values.c",
                "-o",
                folder / "values",
            ]
        )

    folder = builds.build(
        "mbedtls-values", builds.digest(sorted(INCLUDE.rglob("*.h")), program), make
    )
    numbers = tools.run([folder / "values"], env={"LD_PRELOAD": ""}).split()
    return dict(zip(good, map(int, numbers), strict=True))


def argument(text, numbers):
    if text.startswith('"'):
        return bytes.fromhex(text.strip('"'))
    if text not in numbers:
        raise OutOfScope("macro")
    return numbers[text]


# Keys


def add(kind, usage, alg, data, bits=0):
    """Import a key; return the status and the identifier."""
    key = c_uint32()
    attributes = Attributes(kind, usage & 0xFFFFFFFF, alg, bits)
    return lib.psa_import_key(byref(attributes), data, c_size_t(len(data)), byref(key)), key.value


def key_of(kind, usage, alg, data):
    status, key = add(kind, usage, alg, data)
    assert status == OK, status
    return key


def attributes_of(key):
    found = Attributes()
    assert lib.psa_get_key_attributes(key, byref(found)) == OK
    return found


def with_implied(usage):
    return usage | (usage & SIGN_HASH) >> 2 | (usage & VERIFY_HASH) >> 2


@handler()
def import_export(data, kind, usage, alg, bits, delta, status, canonical):
    key = key_of(kind, usage, alg, data)
    found = attributes_of(key)
    assert (found.type, found.bits) == (kind, bits)
    got, out = call("psa_export_key", key, room=max(0, (bits + 7) // 8 + delta))
    assert got == status
    assert out == (data if status == OK else b"")
    assert canonical


@handler()
def import_with_data(data, kind, bits, status):
    got, key = add(kind, 0, 0, data, bits)
    assert got == status
    assert status or lib.psa_destroy_key(key) == OK


@handler()
def import_export_public_key(data, kind, alg, delta, status, expected):
    key = key_of(kind, 1, alg, data)
    got, out = call("psa_export_public_key", key, room=max(0, len(expected) + delta))
    assert (got, out) == (status, expected if status == OK else b"")


@handler()
def generate_key(kind, bits, usage, alg, status, _is_large):
    key = c_uint32()
    attributes = Attributes(kind, usage, alg, bits)
    assert lib.psa_generate_key(byref(attributes), byref(key)) == status
    if status == OK:
        found = attributes_of(key.value)
        assert (found.type, found.bits) == (kind, bits)


@handler()
def check_key_policy(kind, bits, usage, alg):
    found = attributes_of(key_of(kind, usage, alg, bytes(range(1, bits // 8 + 1))))
    assert (found.type, found.bits, found.usage, found.alg) == (
        kind,
        bits,
        with_implied(usage),
        alg,
    )


def copied(source_of, attributes):
    key = c_uint32()
    return lib.psa_copy_key(source_of, byref(attributes), byref(key)), key.value


@handler()
def copy_success(usage, alg, alg2, kind, data, copy, to_usage, to_alg, to_alg2, *expected):
    if alg2 or to_alg2 not in (-1, 0) or expected[2]:
        raise OutOfScope("own")
    key = key_of(kind, usage, alg, data)
    target = attributes_of(key) if copy else Attributes()
    target.usage = target.usage if to_usage == -1 else to_usage
    target.alg = target.alg if to_alg == -1 else to_alg
    status, made = copied(key, target)
    assert status == OK, status
    assert lib.psa_destroy_key(key) == OK
    found = attributes_of(made)
    assert (found.type, found.usage, found.alg) == (kind, with_implied(expected[0]), expected[1])
    if found.usage & 1:
        assert call("psa_export_key", made) == (OK, data)


@handler()
def copy_fail(
    usage,
    alg,
    alg2,
    kind,
    data,
    to_kind,
    to_bits,
    to_usage,
    to_alg,
    to_alg2,
    own_id,
    lifetime,
    status,
):
    if alg2 or to_alg2 or own_id or lifetime:
        raise OutOfScope("own")
    key = key_of(kind, usage, alg, data)
    assert copied(key, Attributes(to_kind, to_usage, to_alg, to_bits)) == (status, 0)


# Hashes, MACs


@handler()
def hash_setup(alg, status):
    assert lib.psa_hash_setup(operation(), alg) == status


@handler("hash_compute_compare", "hash_finish", "hash_verify", "hash_multi_part")
def hashes(alg, data, expected):
    assert call("psa_hash_compute", alg, data) == (OK, expected)
    assert check("psa_hash_compare", alg, data, expected) == OK
    for cut in range(len(data) + 1):
        for last in ("finish", "verify"):
            op = operation()
            assert lib.psa_hash_setup(op, alg) == OK
            assert check("psa_hash_update", op, data[:cut]) == OK
            assert check("psa_hash_update", op, data[cut:]) == OK
            if last == "finish":
                assert call("psa_hash_finish", op) == (OK, expected)
            else:
                assert check("psa_hash_verify", op, expected) == OK


@handler()
def hash_compare_fail(alg, data, expected, status):
    assert check("psa_hash_compare", alg, data, expected) == status


@handler()
def hash_compute_fail(alg, data, room, status):
    assert call("psa_hash_compute", alg, data, room=room) == (status, b"")


@handler()
def mac_setup(kind, data, alg, status):
    got, key = add(kind, SIGN | VERIFY, alg, data)
    assert got in (OK, status)
    assert got or lib.psa_mac_sign_setup(operation(), key, alg) == status


@handler("mac_sign", "mac_verify")
def macs(kind, secret, alg, data, expected):
    key = key_of(kind, SIGN | VERIFY, alg, secret)
    assert call("psa_mac_compute", key, alg, data, room=len(expected)) == (OK, expected)
    assert check("psa_mac_verify", key, alg, data, expected) == OK
    assert check("psa_mac_verify", key, alg, data, expected[:-1]) == SIGNATURE
    assert check("psa_mac_verify", key, alg, data + b"x", expected) == SIGNATURE


@handler()
def mac_key_policy(usage, policy, kind, data, alg, sign, verifies):
    key = key_of(kind, usage, policy, data)
    for way, wanted in (("sign", sign), ("verify", verifies)):
        assert getattr(lib, f"psa_mac_{way}_setup")(operation(), key, alg) == wanted


# Ciphers


def in_parts(way, alg, key, iv, parts):
    """Return the status at the end, and what each part and the end gave."""
    op, outs = operation(), []
    assert getattr(lib, f"psa_cipher_{way}_setup")(op, key, alg) == OK
    if iv:
        assert check("psa_cipher_set_iv", op, iv) == OK
    for part in parts:
        status, out = call("psa_cipher_update", op, part)
        outs.append(out)
        if status:
            return status, outs
    status, out = call("psa_cipher_finish", op)
    return status, [*outs, out]


@handler("cipher_encrypt_multipart", "cipher_decrypt_multipart")
def cipher_multipart(way, alg, kind, data, iv, text, first, size1, size2, expected, status):
    key = key_of(kind, ENCRYPT | DECRYPT, alg, data)
    got, outs = in_parts(way, alg, key, iv, (text[:first], text[first:]))
    assert got == status
    if status == OK:
        assert b"".join(outs) == expected
        assert (len(outs[0]), len(outs[1])) == (size1, size2), "other parts"


@handler()
def cipher_decrypt(alg, kind, data, iv, text, expected):
    key = key_of(kind, DECRYPT, alg, data)
    assert call("psa_cipher_decrypt", key, alg, iv + text) == (OK, expected)


@handler()
def cipher_encrypt_fail(alg, kind, data, text, status):
    key = key_of(kind, ENCRYPT, alg, data) if status != BAD_STATE else 0
    assert call("psa_cipher_encrypt", key, alg, text)[0] == status


@handler()
def cipher_decrypt_fail(alg, kind, data, iv, text, status):
    key = key_of(kind, DECRYPT, alg, data) if status != BAD_STATE else 0
    assert call("psa_cipher_decrypt", key, alg, iv + text)[0] == status


@handler("cipher_verify_output", "cipher_encrypt_validation", "cipher_verify_output_multipart")
def cipher_round_trip(alg, kind, data, text, first=0):
    key = key_of(kind, ENCRYPT | DECRYPT, alg, data)
    status, sealed = call("psa_cipher_encrypt", key, alg, text)
    assert (status, call("psa_cipher_decrypt", key, alg, sealed)) == (OK, (OK, text))
    size = len(sealed) - len(text) if alg != 0x04404100 else 16
    iv, body = sealed[:size], sealed[size:]
    for way, given, wanted in (("encrypt", text, body), ("decrypt", body, text)):
        got, outs = in_parts(way, alg, key, iv, (given[:first], given[first:]))
        assert (got, b"".join(outs)) == (OK, wanted)


@handler()
def cipher_alg_without_iv(alg, kind, data, text, sealed):
    key = key_of(kind, ENCRYPT | DECRYPT, alg, data)
    for way, given, wanted in (("encrypt", text, sealed), ("decrypt", sealed, text)):
        assert call(f"psa_cipher_{way}", key, alg, given) == (OK, wanted)
        op = operation()
        assert getattr(lib, f"psa_cipher_{way}_setup")(op, key, alg) == OK
        assert check("psa_cipher_set_iv", op, bytes(16)) == BAD_STATE
        assert in_parts(way, alg, key, b"", [given]) == (OK, [wanted, b""])


@handler()
def cipher_key_policy(usage, policy, kind, data, alg):
    key = key_of(kind, usage, policy, data)
    for way, flag in (("encrypt", ENCRYPT), ("decrypt", DECRYPT)):
        wanted = OK if policy == alg and usage & flag else NOT_PERMITTED
        assert getattr(lib, f"psa_cipher_{way}_setup")(operation(), key, alg) == wanted


# AEAD


@handler()
def aead_encrypt(kind, data, alg, nonce, ad, text, expected):
    key = key_of(kind, ENCRYPT, alg, data)
    assert call("psa_aead_encrypt", key, alg, nonce, ad, text, room=len(expected)) == (
        OK,
        expected,
    )


@handler()
def aead_decrypt(kind, data, alg, nonce, ad, text, expected, status):
    key = key_of(kind, DECRYPT, alg, data)
    wanted = expected if status == OK else b""
    assert call("psa_aead_decrypt", key, alg, nonce, ad, text) == (status, wanted)


@handler()
def aead_encrypt_decrypt(kind, data, alg, nonce, ad, text, status):
    key = key_of(kind, ENCRYPT | DECRYPT, alg, data)
    got, sealed = call("psa_aead_encrypt", key, alg, nonce, ad, text)
    assert got == status
    assert status or call("psa_aead_decrypt", key, alg, nonce, ad, sealed) == (OK, text)


@handler()
def aead_key_policy(usage, policy, kind, data, nonce, tag, alg, status):
    key = key_of(kind, usage, policy, data)
    got = call("psa_aead_encrypt", key, alg, bytes(nonce), b"", b"")[0]
    assert got == (status if usage & ENCRYPT else NOT_PERMITTED)
    got = call("psa_aead_decrypt", key, alg, bytes(nonce), b"", bytes(tag))[0]
    assert got == ((status or SIGNATURE) if usage & DECRYPT else NOT_PERMITTED)


# Signatures


@handler("sign_hash_deterministic", "sign_message_deterministic")
def sign_deterministic(what, kind, data, alg, text, expected):
    key = key_of(kind, SIGN_HASH | SIGN, alg, data)
    assert call(f"psa_sign_{what}", key, alg, text, room=len(expected)) == (OK, expected)


@handler("sign_hash_fail", "sign_message_fail")
def sign_fail(what, kind, data, alg, text, room, status):
    key = key_of(kind, SIGN_HASH | SIGN, alg, data)
    assert call(f"psa_sign_{what}", key, alg, text, room=room)[0] == status


@handler("sign_verify_hash", "sign_verify_message")
def sign_verify(what, kind, data, alg, text):
    key = key_of(kind, SIGN_HASH | SIGN | VERIFY_HASH | VERIFY, alg, data)
    status, signature = call(f"psa_sign_{what}", key, alg, text)
    assert status == OK
    assert check(f"psa_verify_{what}", key, alg, text, signature) == OK
    if text:
        changed = bytes([text[0] ^ 1]) + text[1:]
        assert check(f"psa_verify_{what}", key, alg, changed, signature) == SIGNATURE


@handler("verify_hash", "verify_message", "verify_hash_fail", "verify_message_fail")
def verify(what, kind, data, alg, text, signature, status=OK):
    key = key_of(kind, VERIFY_HASH | VERIFY, alg, data)
    assert check(f"psa_verify_{what}", key, alg, text, signature) == status


@handler()
def asymmetric_signature_key_policy(usage, policy, kind, data, alg, length, expected):
    key = key_of(kind, usage, policy, data)
    assert attributes_of(key).usage == expected == with_implied(usage)
    text = (b"\x01" + bytes(63))[: max(0, length)]

    def allowed(flag):
        return length > 0 and expected & flag

    for what, sign, check_flag in (("hash", SIGN_HASH, VERIFY_HASH), ("message", SIGN, VERIFY)):
        if what == "hash" or alg & 0xFF:
            got = call(f"psa_sign_{what}", key, alg, text)[0]
            assert got == (OK if allowed(sign) else NOT_PERMITTED)
            got = check(f"psa_verify_{what}", key, alg, text, bytes(64))
            assert got == (SIGNATURE if allowed(check_flag) else NOT_PERMITTED)


# Key derivation and agreement


def give(op, step, data):
    return lib.psa_key_derivation_input_bytes(op, c_uint16(step), data, c_size_t(len(data)))


def draw(op, size):
    out = ctypes.create_string_buffer(size)
    return lib.psa_key_derivation_output_bytes(op, out, c_size_t(size)), out.raw


def capacity(op):
    found = c_size_t()
    assert lib.psa_key_derivation_get_capacity(op, byref(found)) == OK
    return found.value


def set_capacity(op, size):
    return lib.psa_key_derivation_set_capacity(op, c_size_t(size))


def begun(alg):
    op = operation()
    assert lib.psa_key_derivation_setup(op, alg) == OK
    return op


def fed(alg, secret, first, last):
    """A derivation with all inputs, the secret as a key."""
    op, is_prf = begun(alg), alg & 0xFF00 == 0x0200
    steps = (0x204, 0x201) if is_prf else (0x202, 0x203)
    assert give(op, steps[0], first) == OK
    key = key_of(0x1200, DERIVE, alg, secret)
    assert lib.psa_key_derivation_input_key(op, c_uint16(SECRET), key) == OK
    assert give(op, steps[1], last) == OK
    return op


def agree_with_self(op, key):
    status, point = call("psa_export_public_key", key)
    assert status == OK
    return agree(op, key, point)


def agree(op, key, peer):
    return lib.psa_key_derivation_key_agreement(
        op, c_uint16(SECRET), key, peer, c_size_t(len(peer))
    )


@handler()
def derive_setup(alg, status):
    assert lib.psa_key_derivation_setup(operation(), alg) == status


@handler()
def derive_set_capacity(alg, size, status):
    assert set_capacity(begun(alg), size) == status


@handler()
def derive_input(alg, *rest):
    op = begun(alg)
    for at in (0, 4, 8):
        step, kind, data, status = rest[at : at + 4]
        if step == 0:
            continue
        if kind == 0:
            got = give(op, step, data)
        else:
            key = key_of(kind, DERIVE, alg, data)
            is_pair = kind & 0x7000 == 0x7000 and step == SECRET
            got = (
                agree_with_self(op, key)
                if is_pair
                else lib.psa_key_derivation_input_key(op, c_uint16(step), key)
            )
        assert got == status, (at, got, status)
    kind, status = rest[12:]
    if kind:
        key, attributes = c_uint32(), Attributes(kind, DERIVE, alg, 8)
        got = lib.psa_key_derivation_output_key(byref(attributes), op, byref(key))
    else:
        got = draw(op, 1)[0]
    assert got == status, (got, status)


@handler()
def derive_output(alg, *rest):
    op = begun(alg)
    *inputs, wanted, one, two = rest
    assert set_capacity(op, wanted) == OK
    for step, data in zip(inputs[::2], inputs[1::2], strict=True):
        if step == SECRET:
            key = key_of(0x1200, DERIVE, alg, data)
            assert lib.psa_key_derivation_input_key(op, c_uint16(step), key) == OK
        elif step:
            assert give(op, step, data) == OK
    for part in (one, two):
        assert capacity(op) == wanted
        enough = len(part) <= wanted
        assert draw(op, len(part)) == ((OK, part) if enough else (DATA, bytes(len(part))))
        wanted = wanted - len(part) if enough else 0


@handler()
def derive_full(alg, secret, first, last, size):
    op = fed(alg, secret, first, last)
    assert set_capacity(op, size) == OK
    assert draw(op, size)[0] == OK
    assert (capacity(op), draw(op, 1)[0]) == (0, DATA)


@handler()
def derive_key_export(alg, secret, first, last, size1, size2):
    whole = draw(fed(alg, secret, first, last), size1 + size2)[1]
    op, found = fed(alg, secret, first, last), b""
    for size in (size1, size2):
        key, attributes = c_uint32(), Attributes(0x1001, 1, 0, 8 * size)
        assert lib.psa_key_derivation_output_key(byref(attributes), op, byref(key)) == OK
        found += call("psa_export_key", key.value)[1]
    assert found == whole


@handler()
def derive_key(alg, secret, first, last, kind, bits, status, _is_large):
    key, attributes = c_uint32(), Attributes(kind, 0, 0, bits)
    op = fed(alg, secret, first, last)
    assert lib.psa_key_derivation_output_key(byref(attributes), op, byref(key)) == status


@handler()
def derive_key_exercise(alg, secret, first, last, kind, bits, usage, to_alg):
    key, attributes = c_uint32(), Attributes(kind, usage, to_alg, bits)
    op = fed(alg, secret, first, last)
    assert lib.psa_key_derivation_output_key(byref(attributes), op, byref(key)) == OK
    found = attributes_of(key.value)
    assert (found.type, found.bits) == (kind, bits)


@handler()
def derive_key_policy(usage, policy, kind, data, alg):
    op, key = begun(alg), key_of(kind, usage, policy, data)
    if alg & 0xFF00 == 0x0200:
        assert give(op, 0x204, b"seed") == OK
    allowed = policy == alg and usage & DERIVE
    got = lib.psa_key_derivation_input_key(op, c_uint16(SECRET), key)
    assert got == (OK if allowed else NOT_PERMITTED)


@handler()
def agreement_key_policy(usage, policy, kind, data, alg, status):
    assert agree_with_self(begun(alg), key_of(kind, usage, policy, data)) == status


@handler()
def raw_agreement_key_policy(usage, policy, kind, data, alg, status):
    key = key_of(kind, usage, policy, data)
    point = call("psa_export_public_key", key)[1]
    assert call("psa_raw_key_agreement", alg, key, point)[0] == status


@handler()
def raw_key_agreement(alg, kind, data, peer, expected):
    key = key_of(kind, DERIVE, alg, data)
    assert call("psa_raw_key_agreement", alg, key, peer, room=len(expected)) == (OK, expected)


@handler()
def key_agreement_setup(alg, kind, policy, data, peer, status):
    op, key = operation(), key_of(kind, DERIVE, policy, data)
    got = lib.psa_key_derivation_setup(op, alg)
    assert (got or agree(op, key, peer)) == status


@handler()
def key_agreement_capacity(alg, kind, data, peer, expected):
    op = begun(alg)
    assert agree(op, key_of(kind, DERIVE, alg, data), peer) == OK
    assert give(op, 0x203, b"") == OK
    assert capacity(op) == expected
    assert draw(op, expected)[0] == OK


@handler()
def key_agreement_output(alg, kind, data, peer, one, two):
    op = begun(alg)
    assert agree(op, key_of(kind, DERIVE, alg, data), peer) == OK
    assert give(op, 0x203, b"") == OK
    for part in (one, two):
        assert draw(op, len(part)) == (OK, part)


# The run


def forget():
    """Destroy all keys: identifiers are counted up from the last one."""
    status, last = add(0x1001, 0, 0, b"x")
    while status != OK:
        raise AssertionError("no slot is free")
    for key in range(max(0x40000000, last - 60), last + 1):
        lib.psa_destroy_key(key)


def run(case, numbers):
    """Return what a case came to: "passes", a reason of ``OUT``, or a text about a failure."""
    if not {need for need in case.needs if not need.startswith("!")} <= HAVE or any(
        need[1:] in HAVE for need in case.needs if need.startswith("!")
    ):
        return "feature"
    if case.function not in HANDLERS:
        return "function"
    words = re.match(
        r"(cipher_(\w+)_multipart|(?:sign|verify|sign_verify)_(hash|message))", case.function
    )
    try:
        arguments = [argument(text, numbers) for text in case.arguments]
        if words and not case.function.startswith("cipher_verify"):
            arguments.insert(0, words[2] or words[3])
        HANDLERS[case.function](*arguments)
    except OutOfScope as error:
        return str(error)
    except (AssertionError, TypeError) as error:
        return f"fails: {str(error).splitlines()[0] if str(error) else 'otherwise'}"
    return "passes"


def outcomes():
    """Return what each case came to, by title."""
    every = mbedtls.cases()
    texts = {a for case in every for a in case.arguments if not a.startswith('"')}
    numbers = values(texts)
    lib.cryptile_psa_set_random(source)
    found = []
    for case in every:
        found.append((case, run(case, numbers)))
        forget()
    return found


def test_all_in_scope_pass():
    """Each case passes, is out of scope, or differs for a reason that is written down."""
    found = outcomes()
    failed = {case.title: what for case, what in found if what.startswith("fails")}
    reasons = {
        title: [why for why, titles in DIFFERENT.items() if re.search(titles, title)]
        for title in failed
    }
    assert {title: failed[title] for title, why in reasons.items() if len(why) != 1} == {}
    assert {why for (why,) in reasons.values()} == set(DIFFERENT)
    counts = collections.Counter(what for _, what in found if not what.startswith("fails"))
    assert counts.keys() == {"passes", *OUT}
    assert counts["passes"] == PASSES
