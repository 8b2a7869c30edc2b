"""Output that lies anywhere on the input, for every public call: all distances up to 600 bytes."""

import ctypes
import random

import pytest
from native_lib import IMPLS, Buffer, lib
from support.overlap.calls import FARTHEST, Call, Env, try_overlaps
from support.overlap.table import all_calls

untyped = ctypes.CDLL(lib._name)
SOURCE = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_size_t)


@SOURCE
def count_up(out, length):
    ctypes.memmove(out, bytes(n & 255 for n in range(length)), length)
    return True


class Native(Env):
    """The library on this machine; every buffer ends where the sanitizer watches."""

    word = 8

    def __init__(self) -> None:
        super().__init__()
        self.buffers: list[Buffer] = []

    def place(self, data: bytes | int, offset: int = 0) -> int:
        content = bytes(data)
        self.buffers.append(Buffer(len(content), offset, content))
        return self.buffers[-1].address

    def read(self, address: int, size: int) -> bytes:
        return ctypes.string_at(address, size)

    def symbol(self, name: str) -> int:
        return ctypes.addressof(ctypes.c_byte.in_dll(lib, name))

    def call(self, name: str, *arguments: int) -> int:
        return getattr(untyped, name)(*map(ctypes.c_void_p, arguments))

    def set_random(self) -> None:
        lib.cryptile_psa_set_random(count_up)

    def release(self) -> None:
        self.buffers.clear()


CALLS = all_calls(IMPLS)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_overlap(call: Call) -> None:
    env, rng, wrong = Native(), random.Random(call.name), []
    stride = len(call.lengths) if not call.slow else 40
    for index, length in enumerate(call.lengths):
        first = -FARTHEST + index * stride // len(call.lengths)
        near = range(-64, 65, 8 if call.slow else 1 + index % 5)
        distances = sorted({0, *range(first, FARTHEST + 1, stride), *near})
        wrong += try_overlaps(env, call, length, distances, rng)
        env.free()
    assert not wrong, wrong[:5]
