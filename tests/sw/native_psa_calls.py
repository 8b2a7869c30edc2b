"""Calls of the PSA layer through ctypes, for its tests."""

import ctypes
import random
from ctypes import byref, c_size_t, c_uint32

from native_lib import lib

OK, NOT_PERMITTED, NOT_SUPPORTED, INVALID_ARGUMENT = 0, -133, -134, -135
INVALID_HANDLE, BAD_STATE, TOO_SMALL, MEMORY, DATA = -136, -137, -138, -141, -143
ENTROPY, SIGNATURE, PADDING = -148, -149, -150
SHA256, SHA512, SHA3_256, ASCON_HASH = 0x02000009, 0x0200000B, 0x02000011, 0x02000019
SHAKE128, SHAKE256, ASCON_XOF, ASCON_CXOF = 0x0D000100, 0x0D000200, 0x0D000300, 0x0D008300
CTR, ECB, CBC, PKCS7, STREAM = 0x04C01000, 0x04404400, 0x04404000, 0x04404100, 0x04800100
XTS, CMAC = 0x0440FF00, 0x03C00200
CCM, GCM, CHACHA, ASCON = 0x05500100, 0x05500200, 0x05100500, 0x05100700
ECDH, EDDSA = 0x09020000, 0x06000800
HASHES = {
    "sha224": 0x08,
    "sha256": 0x09,
    "sha384": 0x0A,
    "sha512": 0x0B,
    "sha512_224": 0x0C,
    "sha512_256": 0x0D,
    "sha3_224": 0x10,
    "sha3_256": 0x11,
    "sha3_384": 0x12,
    "sha3_512": 0x13,
}
"""The low byte of an algorithm with that hash function."""
SIZES = {
    0x08: 28,
    0x09: 32,
    0x0A: 48,
    0x0B: 64,
    0x0C: 28,
    0x0D: 32,
    0x10: 28,
    0x11: 32,
    0x12: 48,
    0x13: 64,
}
"""Bytes of a digest by that byte."""
RAW, HMAC_KEY, DERIVE = 0x1001, 0x1100, 0x1200
AES, CHACHA_KEY, ASCON_KEY = 0x2400, 0x2004, 0x2008
IN_ENGINE, PERSISTENT = 0x100, 1
"""Lifetimes: volatile keys of the primary secure element; local ones that are kept."""
PAIR, PUBLIC, R1, MONTGOMERY, EDWARDS = 0x7100, 0x4100, 0x12, 0x41, 0x42
EXPORT, COPY, CRYPT, MESSAGE, HASH, DERIVES = 1, 2, 0x300, 0xC00, 0x3000, 0x4000
rng = random.Random(7)
keys: list[int] = []
"""To be destroyed after the test."""


class Attributes(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_uint16),
        ("usage", c_uint32),
        ("alg", c_uint32),
        ("bits", c_size_t),
        ("lifetime", c_uint32),
    ]


SOURCE = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.POINTER(ctypes.c_uint8), c_size_t)


@SOURCE
def source(out, length):
    ctypes.memmove(out, rng.randbytes(length), length)
    return True


def fresh_store():
    """The body of a fixture: a source of random numbers, and no keys left behind."""
    lib.cryptile_psa_set_random(source)
    yield
    while keys:
        lib.psa_destroy_key(keys.pop())


def hmac_alg(hash_alg, length=0):
    return 0x03800000 | hash_alg & 0xFF | length << 16


def ecdsa(hash_alg, *, deterministic=True):
    return 0x06000600 | deterministic << 8 | hash_alg & 0xFF


def with_length(alg, length, *, at_least=False):
    """Name another length of a code or tag, or the least one of a policy."""
    return alg & ~0x3F8000 | length << 16 | at_least << 15


AEADS = {
    CCM: (AES, 32, 13),
    GCM: (AES, 32, 12),
    CHACHA: (CHACHA_KEY, 32, 12),
    ASCON: (ASCON_KEY, 16, 16),
}
"""Type of the key, and bytes of a key and of a nonce."""


def add(type_, usage, alg, data, expected=OK, bits=0):
    key = c_uint32()
    attributes = Attributes(type_, usage, alg, bits)
    assert lib.psa_import_key(byref(attributes), data, c_size_t(len(data)), byref(key)) == expected
    keys.append(key.value)
    return key.value


def call(name, *arguments, room=4096):
    """Call with buffers for bytes and (out, size, &length) at the end; return status and output."""
    status, length, out = call_into(bytes(room), name, *arguments)
    return status, out[:length]


def call_into(before, name, *arguments):
    """Do the same with an output that has been used; return status, length and all of it."""
    out, length = ctypes.create_string_buffer(before, len(before)), c_size_t()
    flat = []
    for argument in arguments:
        flat += [argument, c_size_t(len(argument))] if isinstance(argument, bytes) else [argument]
    status = getattr(lib, name)(*flat, out, c_size_t(len(before)), byref(length))
    return status, length.value, out.raw


def check(name, *arguments):
    flat = []
    for argument in arguments:
        flat += [argument, c_size_t(len(argument))] if isinstance(argument, bytes) else [argument]
    return getattr(lib, name)(*flat)


def announce(op, alg, ad_length, text_length):
    """State the lengths of a message in parts, if its algorithm wants them."""
    if alg & ~0x3F0000 == CCM & ~0x3F0000:
        assert lib.psa_aead_set_lengths(op, c_size_t(ad_length), c_size_t(text_length)) == OK


def operation():
    return ctypes.create_string_buffer(8192)
