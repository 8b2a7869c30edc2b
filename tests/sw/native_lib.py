"""The C library built for this machine with sanitizers, and driven through ctypes.

Import it only in a process that has the sanitizer's runtime preloaded: see ``test_lib.py``.
"""

import ctypes
from dataclasses import dataclass
from pathlib import Path

from cryptile.project import ROOT
from cryptile.toolchain import cache, tools

LIB = ROOT / "sw" / "lib"
INCLUDE = ROOT / "sw" / "include"

OK, PARAM, STATE, LENGTH, PADDING, AUTH = 0, -1, -2, -3, -4, -10
MODES = {"ecb": 0, "cbc": 1, "ctr": 2}
IMPLS = ["compact", "table", "bitsliced"]

_FLAGS = [
    *tools.words(
        "-std=c11 -Wall -Wextra -Werror -g -O1 -fPIC -shared "
        "-fsanitize=address,undefined -fno-sanitize-recover=all"
    ),
    "-I",
    str(INCLUDE),
    "-I",
    str(LIB),
]


def build() -> Path:
    """Build the shared object, once per content."""
    gcc = tools.find("gcc", "gcc")
    sources = sorted(LIB.rglob("*.c"))
    headers = sorted([*LIB.rglob("*.h"), *INCLUDE.rglob("*.h")])

    def make(folder: Path) -> None:
        tools.run([gcc, *_FLAGS, *sources, "-o", folder / "libcryptile.so"])

    key = cache.digest([*sources, *headers], _FLAGS, tools.version(gcc))
    return cache.build("native-lib", key, make) / "libcryptile.so"


class Params(ctypes.Structure):
    """cryptile_cipher_params_t."""

    _fields_ = [
        ("mode", ctypes.c_int),
        ("direction", ctypes.c_int),
        ("padding", ctypes.c_int),
        ("key", ctypes.c_char_p),
        ("key_len", ctypes.c_size_t),
        ("iv", ctypes.c_char_p),
    ]


class Context(ctypes.Structure):
    """cryptile_cipher_ctx_t; checked against the library's use of it by the sanitizer's guards."""

    _fields_ = [
        ("key", ctypes.c_uint32 * 60),
        ("chain", ctypes.c_uint32 * 4),
        ("held", ctypes.c_uint32 * 4),
        ("impl", ctypes.c_void_p),
        ("bytes", ctypes.c_uint8 * 6),
    ]


_libc = ctypes.CDLL(None)
_libc.malloc.restype = ctypes.c_void_p
_libc.malloc.argtypes = [ctypes.c_size_t]
_libc.free.argtypes = [ctypes.c_void_p]

_lib = ctypes.CDLL(str(build()))
_SIZE_P = ctypes.POINTER(ctypes.c_size_t)
_lib.cryptile_cipher_init.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
_lib.cryptile_cipher_update.argtypes = [
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_void_p,
    ctypes.c_size_t,
    _SIZE_P,
]
_lib.cryptile_cipher_final.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, _SIZE_P]
_lib.cryptile_cipher_held.argtypes = [ctypes.c_void_p]
_lib.cryptile_cipher_held.restype = ctypes.c_size_t
_lib.cryptile_cipher_crypt.argtypes = [
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_void_p,
    ctypes.c_size_t,
    _SIZE_P,
]
_lib.cryptile_cipher_wipe.argtypes = [ctypes.c_void_p]
_lib.cryptile_cipher_wipe.restype = None
_lib.cry_pkcs7_check.argtypes = [ctypes.c_char_p]
_lib.cry_pkcs7_check.restype = ctypes.c_size_t

lib = _lib


def descriptor(name: str) -> int:
    """Return the address of an algorithm or implementation."""
    return ctypes.addressof(ctypes.c_byte.in_dll(_lib, f"cryptile_{name}"))


def impl(name: str) -> int:
    """Return the address of an implementation of AES."""
    return descriptor(f"aes_{name}")


class Buffer:
    """Heap memory that ends exactly behind its last byte, so that the sanitizer sees any overrun.

    It begins ``shift`` bytes behind a multiple of 16; ``intact`` checks the bytes before it.
    """

    def __init__(self, size: int, shift: int = 0, content: bytes = b"") -> None:
        self.size = size
        self.shift = shift
        self._memory = _libc.malloc(shift + size)
        ctypes.memset(self._memory, 0xA5, shift + size)
        self.address = self._memory + shift
        ctypes.memmove(self.address, content, len(content))

    def __del__(self) -> None:
        _libc.free(self._memory)

    def bytes(self, size: int, start: int = 0) -> bytes:
        """Read a part of the buffer."""
        return ctypes.string_at(self.address + start, size)

    def intact(self) -> bool:
        """Tell whether the bytes before the buffer are as they were."""
        return ctypes.string_at(self._memory, self.shift) == b"\xa5" * self.shift


@dataclass(frozen=True)
class Job:
    """What to do, without the data."""

    impl: str
    mode: str
    key: bytes
    iv: bytes | None = None
    decrypt: bool = False
    padding: bool = False

    def params(self) -> Params:
        """Return the C struct; keep it as long as the C code reads it."""
        return Params(
            MODES[self.mode], self.decrypt, self.padding, self.key, len(self.key), self.iv
        )


def crypt(job: Job, data: bytes, *, out_size: int | None = None) -> tuple[int, bytes]:
    """Work on a whole message in one call; return the status and the output."""
    source = Buffer(len(data), 0, data)
    target = Buffer(len(data) + 16 if out_size is None else out_size)
    length = ctypes.c_size_t()
    status = lib.cryptile_cipher_crypt(
        impl(job.impl),
        ctypes.byref(job.params()),
        source.address,
        len(data),
        target.address,
        target.size,
        ctypes.byref(length),
    )
    return status, target.bytes(length.value)


class Stream:
    """init/update/final with every buffer just as long as it must be."""

    def __init__(self, job: Job) -> None:
        self.context = Buffer(ctypes.sizeof(Context))
        self._params = job.params()
        self.status = lib.cryptile_cipher_init(
            self.context.address, impl(job.impl), ctypes.byref(self._params)
        )

    def held(self) -> int:
        """Return how many bytes are held back."""
        return int(lib.cryptile_cipher_held(self.context.address))

    def update(self, data: bytes, *, shift: int = 0, out_size: int | None = None) -> bytes:
        """Feed a chunk; the status is kept."""
        source = Buffer(len(data), shift, data)
        target = Buffer(self.held() + len(data) if out_size is None else out_size, 3 - shift % 4)
        length = ctypes.c_size_t()
        self.status = lib.cryptile_cipher_update(
            self.context.address,
            source.address,
            len(data),
            target.address,
            target.size,
            ctypes.byref(length),
        )
        assert target.intact()
        return target.bytes(length.value)

    def final(self, *, out_size: int = 16) -> bytes:
        """End the message; the status is kept."""
        target = Buffer(out_size)
        length = ctypes.c_size_t()
        self.status = lib.cryptile_cipher_final(
            self.context.address, target.address, out_size, ctypes.byref(length)
        )
        return target.bytes(length.value)

    def wiped(self) -> bool:
        """Tell whether the context is all zeros."""
        return not any(self.context.bytes(self.context.size))
