"""Lengths, alignments, chunks, places and padding of the C library against ``cryptography``."""

import ctypes
import random

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7
from native_lib import IMPLS, OK, PADDING, Buffer, Job, Stream, crypt, impl, lib

rng = random.Random(1)
KEY = rng.randbytes(32)
IV = bytes.fromhex("00ff") + b"\xff" * 13 + b"\xfd"  # the counter carries far soon
MESSAGE = rng.randbytes(300)
CASES = [(name, mode) for name in IMPLS for mode in ["ecb", "cbc", "ctr"]]


def expected(mode: str, data: bytes, *, key: bytes = KEY, decrypt: bool = False) -> bytes:
    """The answer of an independent implementation, without padding."""
    how = {"ecb": modes.ECB(), "cbc": modes.CBC(IV), "ctr": modes.CTR(IV)}[mode]
    cipher = Cipher(algorithms.AES(key), how)
    worker = cipher.decryptor() if decrypt else cipher.encryptor()
    return worker.update(data) + worker.finalize()


def padded(data: bytes) -> bytes:
    padder = PKCS7(128).padder()
    return padder.update(data) + padder.finalize()


def whole(mode: str, length: int) -> bool:
    return mode == "ctr" or length % 16 == 0


@pytest.mark.parametrize("decrypt", [False, True], ids=["encrypt", "decrypt"])
@pytest.mark.parametrize(("name", "mode"), CASES)
def test_every_length_and_alignment(name: str, mode: str, decrypt: bool) -> None:
    for length in filter(lambda n: whole(mode, n), range(258)):
        data = MESSAGE[:length]
        key = KEY[: 16 + length % 3 * 8]
        job = Job(name, mode, key, IV, decrypt)
        want = expected(mode, data, key=key, decrypt=decrypt)
        for shift in range(4):
            out_shift = rng.randrange(8)
            source, target = Buffer(length, shift, data), Buffer(length, out_shift)
            count = ctypes.c_size_t()
            status = lib.cryptile_cipher_crypt(
                impl(name),
                ctypes.byref(job.params()),
                source.address,
                length,
                target.address,
                length,
                ctypes.byref(count),
            )
            assert (status, count.value, target.bytes(length)) == (OK, length, want)
            assert source.bytes(length) == data
            assert target.intact()


@pytest.mark.parametrize("decrypt", [False, True], ids=["encrypt", "decrypt"])
@pytest.mark.parametrize(("name", "mode"), CASES)
def test_in_place(name: str, mode: str, decrypt: bool) -> None:
    for length in filter(lambda n: whole(mode, n), range(258)):
        buffer = Buffer(length, length % 5, MESSAGE[:length])
        job = Job(name, mode, KEY, IV, decrypt)
        count = ctypes.c_size_t()
        status = lib.cryptile_cipher_crypt(
            impl(name),
            ctypes.byref(job.params()),
            buffer.address,
            length,
            buffer.address,
            length,
            ctypes.byref(count),
        )
        assert (status, count.value) == (OK, length)
        assert buffer.bytes(length) == expected(mode, MESSAGE[:length], decrypt=decrypt)
        assert buffer.intact()


@pytest.mark.parametrize("padding", [False, True], ids=["plain", "padded"])
@pytest.mark.parametrize("decrypt", [False, True], ids=["encrypt", "decrypt"])
@pytest.mark.parametrize(("name", "mode"), CASES)
def test_chunks_in_place(name: str, mode: str, decrypt: bool, padding: bool) -> None:
    """Output follows input through one buffer, behind what is held."""
    if padding and mode == "ctr":
        return
    for _ in range(60):
        length = rng.randrange(17) * 16
        text = MESSAGE[: length - rng.randrange(1, 17)] if padding and length else MESSAGE[:length]
        source, want = text, expected(mode, padded(text) if padding else text)
        if decrypt:
            source, want = want, source
        buffer = Buffer(len(source) + 16, 1, source)
        stream = Stream(Job(name, mode, KEY, IV, decrypt, padding))
        at = written = 0
        count = ctypes.c_size_t()
        while at < len(source):
            size = min(rng.choice([0, 1, 5, 15, 16, 17, 40]), len(source) - at)
            assert written == at - stream.held()
            status = lib.cryptile_cipher_update(
                stream.context.address,
                buffer.address + at,
                size,
                buffer.address + written,
                buffer.size - written,
                ctypes.byref(count),
            )
            assert status == OK
            at += size
            written += count.value
        status = lib.cryptile_cipher_final(
            stream.context.address, buffer.address + written, 16, ctypes.byref(count)
        )
        assert status == OK
        assert buffer.bytes(written + count.value) == want


@pytest.mark.parametrize("padding", [False, True], ids=["plain", "padded"])
@pytest.mark.parametrize("decrypt", [False, True], ids=["encrypt", "decrypt"])
@pytest.mark.parametrize(("name", "mode"), CASES)
def test_random_chunks(name: str, mode: str, decrypt: bool, padding: bool) -> None:
    if padding and mode == "ctr":
        return
    for _ in range(100):
        length = rng.randrange(258)
        if not padding and mode != "ctr":
            length -= length % 16
        text = MESSAGE[:length]
        source, want = text, expected(mode, padded(text) if padding else text)
        if decrypt:
            source, want = want, source
        stream = Stream(Job(name, mode, KEY, IV, decrypt, padding))
        got = b""
        while source:
            size = rng.choice([0, 1, 7, 16, 17, 64])
            got += stream.update(source[:size], shift=rng.randrange(4))
            assert stream.status == OK
            assert stream.held() <= (16 if padding and decrypt else 15)
            source = source[size:]
        got += stream.final()
        assert stream.status == OK
        assert got == want
        assert stream.wiped()


@pytest.mark.parametrize("name", IMPLS)
@pytest.mark.parametrize("mode", ["ecb", "cbc"])
def test_bad_padding(name: str, mode: str) -> None:
    good = {padded(MESSAGE[:n])[-16:] for n in range(16)}
    tails = [bytes(15) + bytes([n]) for n in [0, 17, 32, 128, 255]]
    tails += [b"\x10" * 15 + b"\x0f", b"\x03" * 16, b"\x11" * 16]
    tails += [MESSAGE[:n] + bytes([1]) + bytes([16 - n]) * (15 - n) for n in range(14)]
    for tail in tails:
        cipher = expected(mode, MESSAGE[:32] + tail)
        unpadder = PKCS7(128).unpadder()
        try:
            want = unpadder.update(MESSAGE[:32] + tail) + unpadder.finalize()
        except ValueError:
            want = None
        status, got = crypt(Job(name, mode, KEY, IV, True, True), cipher)
        assert (status, got) == ((PADDING, b"") if want is None else (OK, want)), tail.hex()
    assert len(good) == 16


def test_padding_check_is_exact() -> None:
    """All values of the last byte, and every single damaged padding byte."""
    for pad in range(256):
        block = MESSAGE[: 16 - pad] + bytes([pad]) * pad if pad <= 16 else bytes([pad]) * 16
        block = block if pad else MESSAGE[:15] + b"\0"
        assert lib.cry_pkcs7_check(block) == (pad if 1 <= pad <= 16 else 0)
        for place in range(15):
            damaged = bytearray(block)
            damaged[place] ^= 1 << place % 8
            still_good = 1 <= pad <= 16 and place < 16 - pad
            assert lib.cry_pkcs7_check(bytes(damaged)) == (pad if still_good else 0)
