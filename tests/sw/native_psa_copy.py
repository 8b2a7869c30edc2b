"""Copies of keys: what the source and the attributes both allow, and nothing else."""

from ctypes import byref, c_uint32

import pytest
from native_lib import lib
from native_psa_calls import (
    AES,
    CMAC,
    COPY,
    CRYPT,
    CTR,
    EXPORT,
    GCM,
    HMAC_KEY,
    INVALID_ARGUMENT,
    INVALID_HANDLE,
    MEMORY,
    MESSAGE,
    NOT_PERMITTED,
    OK,
    PAIR,
    R1,
    SHA256,
    SHA512,
    Attributes,
    add,
    call,
    ecdsa,
    fresh_store,
    hmac_alg,
    keys,
    with_length,
)

ANY_HASH = 0xFF
SECRET = bytes(range(1, 33))
HMAC = hmac_alg(SHA256)
MOST, LEAST = with_length(HMAC, 20, at_least=True), with_length(HMAC, 8, at_least=True)
TAG, SHORT = with_length(GCM, 12, at_least=True), with_length(GCM, 8)


@pytest.fixture(autouse=True)
def clean():
    yield from fresh_store()


def copied(source, usage, alg, kind=0, bits=0):
    """Copy a key; return the status and what the copy has."""
    key, found = c_uint32(99), Attributes()
    status = lib.psa_copy_key(source, byref(Attributes(kind, usage, alg, bits)), byref(key))
    if status == OK:
        keys.append(key.value)
        assert lib.psa_get_key_attributes(key.value, byref(found)) == OK
    else:
        assert key.value == 0
    return status, key.value, (found.type, found.usage, found.alg, found.bits)


def test_a_copy_lives_on():
    source = add(AES, CRYPT | COPY | EXPORT, CTR, SECRET)
    status, key, found = copied(source, CRYPT | EXPORT, CTR, AES, 256)
    assert (status, found) == (OK, (AES, CRYPT | EXPORT, CTR, 256))
    assert key != source
    sealed = call("psa_cipher_encrypt", source, CTR, b"text")[1]
    keys.remove(source)
    assert lib.psa_destroy_key(source) == OK
    assert call("psa_cipher_decrypt", key, CTR, sealed) == (OK, b"text")
    assert call("psa_export_key", key) == (OK, SECRET)
    assert copied(key, CRYPT, CTR)[0] == NOT_PERMITTED


def test_usage_is_what_both_allow():
    source = add(PAIR | R1, 0x3000 | COPY, ecdsa(SHA256), SECRET)
    assert copied(source, 0xFF87, ecdsa(SHA256))[2][1] == 0x3C00 | COPY
    assert copied(source, 0x1000 | EXPORT, ecdsa(SHA256))[2][1] == 0x1400
    assert copied(source, 0x400, ecdsa(SHA256))[2][1] == 0x400
    assert copied(source, 0, ecdsa(SHA256))[2][1] == 0
    assert copied(source, 1 << 31, ecdsa(SHA256))[0] == INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("kind", "one", "other", "both"),
    [
        (AES, CTR, CTR, CTR),
        (AES, 0, 0, 0),
        (AES, CTR, 0, None),
        (AES, CTR, GCM, None),
        (HMAC_KEY, MOST, LEAST, MOST),
        (HMAC_KEY, MOST, with_length(HMAC, 20), with_length(HMAC, 20)),
        (HMAC_KEY, MOST, with_length(HMAC, 19), None),
        (HMAC_KEY, MOST, HMAC, HMAC),
        (HMAC_KEY, with_length(HMAC, 33, at_least=True), HMAC, None),
        (HMAC_KEY, with_length(HMAC, 32), HMAC, None),
        (HMAC_KEY, MOST, hmac_alg(SHA512), None),
        (AES, with_length(CMAC, 16, at_least=True), CMAC, CMAC),
        (AES, with_length(CMAC, 17, at_least=True), CMAC, None),
        (AES, TAG, GCM, GCM),
        (AES, TAG, SHORT, None),
        (AES, TAG, with_length(GCM, 4, at_least=True), TAG),
        (PAIR | R1, ecdsa(ANY_HASH), ecdsa(SHA256), ecdsa(SHA256)),
        (PAIR | R1, ecdsa(SHA512), ecdsa(SHA256), None),
        (PAIR | R1, ecdsa(ANY_HASH), HMAC, None),
        (PAIR | R1, ecdsa(SHA256, deterministic=False), ecdsa(SHA256), None),
        (PAIR | R1, ecdsa(ANY_HASH, deterministic=False), ecdsa(SHA256), None),
    ],
)
def test_algorithm_is_what_both_permit(kind, one, other, both):
    for first, second in ((one, other), (other, one)):
        source = add(kind, MESSAGE | COPY, first, SECRET)
        status, _, found = copied(source, MESSAGE, second)
        wanted = (INVALID_ARGUMENT, 0) if both is None else (OK, both)
        assert (status, found[2]) == wanted, (hex(first), hex(second))


def test_refusals():
    source = add(AES, CRYPT | COPY, CTR, SECRET)
    assert copied(source, CRYPT, CTR, HMAC_KEY)[0] == INVALID_ARGUMENT
    assert copied(source, CRYPT, CTR, AES, 128)[0] == INVALID_ARGUMENT
    assert copied(0, CRYPT, CTR)[0] == INVALID_HANDLE
    assert copied(source + 1, CRYPT, CTR)[0] == INVALID_HANDLE
    assert copied(add(AES, CRYPT | EXPORT, CTR, SECRET), CRYPT, CTR)[0] == NOT_PERMITTED
    made = [copied(source, CRYPT, CTR)[0] for _ in range(8)]
    assert made == [OK] * 6 + [MEMORY] * 2
