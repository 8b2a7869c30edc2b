"""What the C library refuses, and what it leaves behind."""

import ctypes

import pytest
from native_lib import (
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
        assert lib.cryptile_init(context.address, impl(name), ctypes.byref(params)) == PARAM
    params = Job(name, "cbc", KEY, IV).params()
    assert lib.cryptile_init(None, impl(name), ctypes.byref(params)) == PARAM
    assert lib.cryptile_init(context.address, None, ctypes.byref(params)) == PARAM
    assert lib.cryptile_init(context.address, impl(name), None) == PARAM


@pytest.mark.parametrize("name", IMPLS)
def test_null_pointers(name: str) -> None:
    stream = Stream(Job(name, "ecb", KEY))
    context, count = stream.context.address, ctypes.c_size_t()
    out = Buffer(16)
    assert lib.cryptile_update(context, None, 16, out.address, 16, ctypes.byref(count)) == PARAM
    assert lib.cryptile_update(context, out.address, 16, None, 16, ctypes.byref(count)) == PARAM
    assert lib.cryptile_update(context, out.address, 16, out.address, 16, None) == PARAM
    assert lib.cryptile_final(context, None, 0, None) == PARAM
    # None of these did anything.
    assert lib.cryptile_update(context, None, 0, None, 0, ctypes.byref(count)) == OK
    assert lib.cryptile_final(context, None, 0, ctypes.byref(count)) == OK
    lib.cryptile_wipe(None)


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
    status = lib.cryptile_crypt(
        impl(name), ctypes.byref(params), source.address, 64, target.address, 64,
        ctypes.byref(count),
    )  # fmt: skip
    assert (status, count.value) == (PADDING, 0)
    assert target.bytes(64) == bytes(64)


def test_size_overflow() -> None:
    """Held bytes and a length near the end of the address space do not wrap around."""
    stream = Stream(Job("table", "ecb", KEY))
    stream.update(DATA[:5])
    count = ctypes.c_size_t()
    source = Buffer(16)
    huge = ctypes.c_size_t(-3).value
    status = lib.cryptile_update(
        stream.context.address, source.address, huge, source.address, huge, ctypes.byref(count)
    )
    assert status == LENGTH
