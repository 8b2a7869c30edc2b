"""What the C library refuses, and what it leaves behind."""

import ctypes

import pytest
from native_lib import (
    AUTH,
    IMPLS,
    LENGTH,
    OK,
    PADDING,
    PARAM,
    STATE,
    Buffer,
    Context,
    Job,
    Stream,
    crypt,
    descriptor,
    impl,
    lib,
)

KEY = bytes(range(32))
IV = bytes(16)
DATA = bytes(range(64))


@pytest.mark.parametrize("name", IMPLS)
def test_parameters(name: str) -> None:
    for length in [0, 1, 15, 17, 20, 31, 33]:
        assert Stream(Job(name, "ecb", bytes(length))).status == PARAM
    assert Stream(Job(name, "cbc", KEY, None)).status == PARAM
    assert Stream(Job(name, "ctr", KEY, IV, padding=True)).status == PARAM
    assert Stream(Job(name, "ecb", KEY, None)).status == OK
    for field, value in [
        ("mode", 3),
        ("mode", -1),
        ("direction", 2),
        ("padding", 2),
        ("key", None),
    ]:
        params = Job(name, "cbc", KEY, IV).params()
        setattr(params, field, value)
        context = Buffer(ctypes.sizeof(Context))
        assert lib.cryptile_cipher_init(context.address, impl(name), ctypes.byref(params)) == PARAM
    params = Job(name, "cbc", KEY, IV).params()
    assert lib.cryptile_cipher_init(None, impl(name), ctypes.byref(params)) == PARAM
    assert lib.cryptile_cipher_init(context.address, None, ctypes.byref(params)) == PARAM
    assert lib.cryptile_cipher_init(context.address, impl(name), None) == PARAM


@pytest.mark.parametrize("name", IMPLS)
def test_null_pointers(name: str) -> None:
    stream = Stream(Job(name, "ecb", KEY))
    context, count = stream.context.address, ctypes.c_size_t()
    out = Buffer(16)
    assert (
        lib.cryptile_cipher_update(context, None, 16, out.address, 16, ctypes.byref(count)) == PARAM
    )
    assert (
        lib.cryptile_cipher_update(context, out.address, 16, None, 16, ctypes.byref(count)) == PARAM
    )
    assert lib.cryptile_cipher_update(context, out.address, 16, out.address, 16, None) == PARAM
    assert lib.cryptile_cipher_final(context, None, 0, None) == PARAM
    # None of these did anything.
    assert lib.cryptile_cipher_update(context, None, 0, None, 0, ctypes.byref(count)) == OK
    assert lib.cryptile_cipher_final(context, None, 0, ctypes.byref(count)) == OK
    lib.cryptile_cipher_wipe(None)


@pytest.mark.parametrize("name", IMPLS)
def test_short_output(name: str) -> None:
    stream = Stream(Job(name, "cbc", KEY, IV))
    assert stream.update(DATA, out_size=63) == b""
    assert stream.status == LENGTH
    assert len(stream.update(DATA, out_size=64)) == 64  # nothing was done before
    assert stream.status == OK
    stream = Stream(Job(name, "cbc", KEY, IV, padding=True))
    assert stream.final(out_size=15) == b""
    assert stream.status == LENGTH
    assert stream.wiped()


@pytest.mark.parametrize("name", IMPLS)
@pytest.mark.parametrize("mode", ["ecb", "cbc"])
def test_partial_block(name: str, mode: str) -> None:
    for length in [1, 15, 17, 63]:
        for decrypt, padding in [(False, False), (True, False), (True, True)]:
            job = Job(name, mode, KEY, IV, decrypt, padding)
            assert crypt(job, DATA[:length]) == (LENGTH, b"")
    assert crypt(Job(name, mode, KEY, IV, True, True), b"") == (LENGTH, b"")


@pytest.mark.parametrize("name", IMPLS)
def test_states(name: str) -> None:
    stream = Stream(Job(name, "ctr", KEY, IV))
    assert not stream.wiped()
    stream.update(DATA)
    assert stream.final() == b""
    assert stream.wiped()
    stream.update(DATA)
    assert stream.status == STATE
    stream.final()
    assert stream.status == STATE
    stream = Stream(Job(name, "ctr", bytes(20), IV))
    stream.update(DATA)
    assert stream.status == STATE


@pytest.mark.parametrize("name", IMPLS)
def test_output_is_zeroed_on_failure(name: str) -> None:
    """A message with bad padding must not leave its first blocks in the output."""
    source, target = Buffer(64, 0, DATA), Buffer(64)
    params = Job(name, "cbc", KEY, IV, True, True).params()
    count = ctypes.c_size_t(1)
    status = lib.cryptile_cipher_crypt(
        impl(name),
        ctypes.byref(params),
        source.address,
        64,
        target.address,
        64,
        ctypes.byref(count),
    )
    assert (status, count.value) == (PADDING, 0)
    assert target.bytes(64) == bytes(64)


def test_size_overflow() -> None:
    """Held bytes and a length near the end of the address space do not wrap around."""
    stream = Stream(Job("table", "ecb", KEY))
    stream.update(DATA[:5])
    count = ctypes.c_size_t()
    source = Buffer(16)
    huge = ctypes.c_size_t(-3).value
    status = lib.cryptile_cipher_update(
        stream.context.address, source.address, huge, source.address, huge, ctypes.byref(count)
    )
    assert status == LENGTH


AEADS = {
    # lengths of key, nonce and tag, as the header has them
    "aes_gcm": ((16, 24, 32), range(1, 70), (4, 8, *range(12, 17))),
    "chacha20_poly1305": ((32,), (12,), (16,)),
    "ascon_aead128": ((16,), (16,), range(8, 17)),
}


@pytest.mark.parametrize("alg", AEADS)
def test_aead_lengths(alg: str) -> None:
    """Every length of key, nonce and tag, the others being right."""
    allowed = AEADS[alg]
    right = [max(lengths) for lengths in allowed]
    content, context, tag = Buffer(70), Buffer(1168), Buffer(70)
    for which in range(3):
        for length in [*range(70), *((1 << 32, (1 << 64) - 1) if which != 1 else ())]:
            key, nonce, code = (length if which == n else right[n] for n in range(3))
            fields = [content.address, key, content.address, nonce, code]
            params = (ctypes.c_size_t * 5)(*fields)
            wanted = OK if length in allowed[which] else PARAM
            address = descriptor(alg)
            init = lib.cryptile_aead_init
            init.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
            assert init(context.address, address, 0, params) == wanted, (which, length)
            for name in ("encrypt", "decrypt"):
                text = (content.address, 0, content.address, 0)
                last = (content.address, tag.address)
                if name == "decrypt":
                    last = last[::-1]
                pointers = (address, ctypes.addressof(params), *text, *last)
                status = getattr(lib, f"cryptile_aead_{name}")(*map(ctypes.c_void_p, pointers))
                assert status == wanted, (name, which, length)


def test_mac_lengths() -> None:
    """A code has from 1 byte to those of the digest, in every call."""
    key, mac = Buffer(16), Buffer(70)
    for alg, size in {"sha256": 32, "sha512": 64, "sha3_224": 28}.items():
        for length in range(70):
            pointers = (descriptor(alg), key.address, 16, key.address, 16, mac.address, length)
            good = OK if 1 <= length <= size else PARAM
            for name in ("hmac", "hmac_check"):
                call = getattr(lib, f"cryptile_{name}")
                assert call(*map(ctypes.c_void_p, pointers)) == good, (name, length)


def test_cmac_lengths() -> None:
    """A code has from 1 byte to 16, in every call; each of its bytes is compared."""
    code, out = Buffer(34), Buffer(34, 0, bytes(34))
    text = (out.address, 32, out.address, 5)
    assert lib.cryptile_cmac(*map(ctypes.c_void_p, (*text, code.address, 16))) == OK
    for length in range(34):
        good = 1 <= length <= 16
        for first, wanted in ((0, OK), (1, AUTH)):
            pointers = (*text, code.address + first, length)
            status = lib.cryptile_cmac_check(*map(ctypes.c_void_p, pointers))
            assert status == (wanted if good else PARAM), (first, length)
        status = lib.cryptile_cmac(*map(ctypes.c_void_p, (*text, out.address, length)))
        assert status == (OK if good else PARAM), length
        ctypes.memset(out.address, 0, 34)


def test_a_generator_without_a_seed_has_nothing_to_zero() -> None:
    """A null pointer with a length of 0 is allowed, in a state that refuses the call as well."""
    context, target = Buffer(56, 0, bytes(56)), Buffer(8)
    for out, length in ((None, 0), (target.address, 8)):
        pointers = (context.address, out, length, None, 0)
        assert lib.cryptile_drbg_generate(*map(ctypes.c_void_p, pointers)) == STATE
