"""Others' vectors through the PSA layer: CMAC, CCM and XTS, at once and in parts."""

import ctypes
from collections.abc import Iterator
from ctypes import byref, c_size_t

import pytest
from native_lib import lib
from native_psa_calls import (
    AES,
    BAD_STATE,
    CCM,
    CMAC,
    CRYPT,
    INVALID_ARGUMENT,
    MESSAGE,
    OK,
    SIGNATURE,
    XTS,
    add,
    announce,
    call,
    check,
    fresh_store,
    keys,
    operation,
    with_length,
)
from support import nist_modes, wycheproof


@pytest.fixture(autouse=True)
def clean():
    yield from fresh_store()


def destroy() -> None:
    assert lib.psa_destroy_key(keys.pop()) == OK


def cases(name: str) -> Iterator[tuple[dict, dict[str, bytes]]]:
    """Yield each test of a file of Wycheproof's, and its fields in bytes."""
    for group in wycheproof.load(name)["testGroups"]:
        for test in group["tests"]:
            yield test, {n: bytes.fromhex(v) for n, v in test.items() if n in FIELDS}


FIELDS = {"key", "iv", "aad", "msg", "ct", "tag"}


def test_cmac_of_sp_800_38b():
    for v in nist_modes.cmac():
        key = add(AES, MESSAGE, CMAC, v.key)
        assert call("psa_mac_compute", key, CMAC, v.plain) == (OK, v.tag)
        assert check("psa_mac_verify", key, CMAC, v.plain, v.tag) == OK
        destroy()


def test_cmac_of_wycheproof():
    seen = set()
    for test, data in cases("aes_cmac_test.json"):
        if "InvalidKeySize" in test["flags"]:
            add(AES, MESSAGE, CMAC, data["key"], INVALID_ARGUMENT)
            keys.pop()
            continue
        alg = with_length(CMAC, len(data["tag"]) % 16)
        key = add(AES, MESSAGE, alg, data["key"])
        wanted = OK if test["result"] == "valid" else SIGNATURE
        assert check("psa_mac_verify", key, alg, data["msg"], data["tag"]) == wanted, test["tcId"]
        seen.add(wanted)
        destroy()
    assert seen == {OK, SIGNATURE}


def opened(key: int, alg: int, nonce: bytes, aad: bytes, text: bytes, tag: bytes) -> tuple:
    """Decrypt in parts; return the last status and the text."""
    op, count, found = operation(), c_size_t(), b""
    assert lib.psa_aead_decrypt_setup(op, key, alg) == OK
    announce(op, alg, len(aad), len(text))
    status = check("psa_aead_set_nonce", op, nonce)
    if status != OK:
        return status, b""
    for start in range(0, len(aad), 5):
        assert check("psa_aead_update_ad", op, aad[start : start + 5]) == OK
    for start in range(0, len(text), 7):
        status, part = call("psa_aead_update", op, text[start : start + 7])
        assert status == OK
        found += part
    given = ctypes.create_string_buffer(tag, len(tag))
    status = lib.psa_aead_verify(op, None, c_size_t(0), byref(count), given, c_size_t(len(tag)))
    return status, found


def test_ccm_of_cavp():
    verdicts = set()
    for v in nist_modes.ccm(11):
        alg = with_length(CCM, len(v.tag))
        key = add(AES, CRYPT, alg, v.key)
        wanted = (OK, v.plain) if v.valid else (SIGNATURE, b"")
        assert call("psa_aead_decrypt", key, alg, v.iv, v.aad, v.cipher + v.tag) == wanted
        assert opened(key, alg, v.iv, v.aad, v.cipher, v.tag)[0] == wanted[0]
        if v.valid:
            found = call("psa_aead_encrypt", key, alg, v.iv, v.aad, v.plain, room=70_000)
            assert found == (OK, v.cipher + v.tag)
        verdicts.add(wanted[0])
        destroy()
    assert verdicts == {OK, SIGNATURE}


def test_ccm_of_wycheproof():
    """What has no place in the standard is refused: lengths of keys, nonces and tags."""
    verdicts = set()
    for test, data in cases("aes_ccm_test.json"):
        alg, tag = with_length(CCM, len(data["tag"])), data["tag"]
        key = add(AES, CRYPT, alg, data["key"])
        sealed = data["ct"] + tag
        status, text = call("psa_aead_decrypt", key, alg, data["iv"], data["aad"], sealed)
        if test["result"] == "valid":
            assert (status, text) == (OK, data["msg"]), test["tcId"]
            assert opened(key, alg, data["iv"], data["aad"], data["ct"], tag) == (OK, text)
        else:
            assert status in (SIGNATURE, INVALID_ARGUMENT) and not text, test["tcId"]
        verdicts.add(status)
        destroy()
    assert verdicts == {OK, SIGNATURE, INVALID_ARGUMENT}


def unit(key: int, direction: str, tweak: bytes, text: bytes, chunk: int) -> tuple[int, bytes]:
    """Work on a data unit in parts; return the last status and the text."""
    op, found = operation(), b""
    assert getattr(lib, f"psa_cipher_{direction}_setup")(op, key, XTS) == OK
    assert check("psa_cipher_set_iv", op, tweak) == OK
    for start in range(0, len(text), chunk):
        status, part = call("psa_cipher_update", op, text[start : start + chunk])
        assert status == OK
        found += part
    status, part = call("psa_cipher_finish", op)
    assert call("psa_cipher_finish", op)[0] == BAD_STATE
    return status, found + part


def test_xts_of_cavp():
    for v in nist_modes.xts(9):
        key = add(AES, CRYPT, XTS, v.key)
        for chunk in (1, 13, 16, 4096):
            assert unit(key, "encrypt", v.iv, v.plain, chunk) == (OK, v.cipher)
            assert unit(key, "decrypt", v.iv, v.cipher, chunk) == (OK, v.plain)
        assert call("psa_cipher_decrypt", key, XTS, v.iv + v.cipher) == (OK, v.plain)
        destroy()


def test_xts_of_wycheproof():
    """Those with AES-192, which the library does not have for XTS, have no key."""
    worked = 0
    for test, data in cases("aes_xts_test.json"):
        tweak = data["iv"].ljust(16, b"\0")
        if len(data["key"]) == 48:
            add(AES, CRYPT, XTS, data["key"], INVALID_ARGUMENT)
            keys.pop()
            continue
        key = add(AES, CRYPT, XTS, data["key"])
        assert unit(key, "encrypt", tweak, data["msg"], 7) == (OK, data["ct"]), test["tcId"]
        assert unit(key, "decrypt", tweak, data["ct"], 40) == (OK, data["msg"])
        worked += 1
        destroy()
    assert worked > 50
