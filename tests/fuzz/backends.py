"""The library on this machine with sanitizers, and on the instruction-set simulator."""

import ctypes
from pathlib import Path

from steps import (
    CONTEXTS,
    COPIES,
    AeadParams,
    At,
    Attributes,
    CipherParams,
    Ctx,
    Key,
    Name,
    NewAttributes,
    NewKey,
    Result,
    RsaKey,
    Size,
    Wide,
    pack,
    unpack,
)

from cryptile import library
from cryptile.asm.isa import Isa
from cryptile.sim.iss import Machine
from cryptile.toolchain import cache, tools
from cryptile.toolchain.gcc import compiler

HOST = Path(__file__).parent / "host.c"
_ARGUMENTS = 11
_OUTS = 256
"""Bytes for outputs of a step that are no buffers, and for its arguments."""


class Backend:
    """What both have in common: how a step becomes addresses and integers."""

    word: int
    ciphers: tuple[str, ...]
    """The implementations of block ciphers."""

    def __init__(self, sizes):
        self.sizes = sizes
        self.keys = {}
        self.contexts = {
            (kind, number): self.place(sizes[kind]) for kind in CONTEXTS for number in range(COPIES)
        }

    def run(self, step):
        """Do a step."""
        if step.function == "copy":
            to, source = step.args
            self.write(self.contexts[to], self.read(self.contexts[source], self.sizes[to.kind]))
            return Result(0, (), [], b"")
        if step.function == "clear":
            (to,) = step.args
            self.write(self.contexts[to], bytes(self.sizes[to.kind]))
            return Result(0, (), [], b"")
        regions = [self.buffer(data) for data in step.regions]
        outs = []
        self.start(step.random)
        args = [word for arg in step.args for word in self._words_of(arg, regions, outs)]
        value = self.call(step.function, args + [0] * (_ARGUMENTS - len(args)))
        found = tuple(
            self.read(address, len(data))
            for address, data in zip(regions, step.regions, strict=True)
        )
        values = [self._result(arg, address) for arg, address in outs]
        first = step.args[0] if step.args else 0
        context = (
            self.read(self.contexts[first], self.sizes[first.kind])
            if isinstance(first, Ctx)
            else b""
        )
        self.free(regions + [address for _, address in outs])
        return Result(value, found, values, context)

    def _words_of(self, arg, regions, outs):
        if isinstance(arg, Wide):
            mask = (1 << 8 * self.word) - 1
            return [arg.value >> shift & mask for shift in range(0, 64, 8 * self.word)]
        return [self._argument(arg, regions, outs)]

    def _argument(self, arg, regions, outs):
        match arg:
            case int():
                return arg
            case At(region, offset):
                return regions[region] + offset
            case Ctx():
                return self.contexts[arg]
            case Name(symbol):
                return self.symbol(symbol)
            case Key(number):
                return self.keys.get(number, 0)
            case Size(before):
                data = before.to_bytes(self.word, "little")
            case NewKey():
                data = b"\xa5" * 4
            case NewAttributes():
                data = b"\xa5" * len(pack(Attributes, (0,) * 5, self.word))
            case CipherParams() | AeadParams() | RsaKey() | Attributes():
                values = [self._argument(value, regions, outs) for value in arg]
                data = pack(type(arg), values, self.word)
        address = self.buffer(data)
        outs.append((arg, address))
        return address

    def _result(self, arg, address):
        match arg:
            case Size():
                return int.from_bytes(self.read(address, self.word), "little")
            case NewKey(number):
                self.keys[number] = int.from_bytes(self.read(address, 4), "little")
                return self.keys[number]
            case NewAttributes():
                size = len(pack(Attributes, (0,) * 5, self.word))
                return unpack(Attributes, self.read(address, size), self.word)
        return None


def _sizes(symbols):
    prefix = "fuzz_size_"
    return {
        name.removeprefix(prefix): size for name, size in symbols.items() if name.startswith(prefix)
    }


class Native(Backend):
    """The library in this process, which must have the sanitizer's runtime preloaded."""

    word = 8
    ciphers = ("compact", "table", "bitsliced")

    def __init__(self):
        import native_lib  # loads the library, which wants the sanitizer's runtime

        host = _host()
        self._libraries = [ctypes.CDLL(str(path)) for path in (native_lib.build(), host)]
        self._call = self._libraries[1].fuzz_call
        self._call.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self._call.restype = ctypes.c_uint64
        libc = ctypes.CDLL(None)
        self._malloc, self._free = libc.malloc, libc.free
        self._malloc.restype, self._malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
        self._free.argtypes = [ctypes.c_void_p]
        self._addresses = {}
        self._words = (ctypes.c_uint64 * _ARGUMENTS)()
        super().__init__(_sizes(library.symbol_sizes(host)))

    def symbol(self, name):
        if name not in self._addresses:
            of = self._libraries[name.startswith("fuzz_")]
            self._addresses[name] = ctypes.addressof(ctypes.c_byte.in_dll(of, name))
        return self._addresses[name]

    def place(self, size):
        return self.buffer(bytes(size))

    def buffer(self, data):
        """Return memory that ends exactly behind its last byte."""
        address = self._malloc(len(data))
        ctypes.memmove(address, data, len(data))
        return address

    def free(self, addresses):
        for address in addresses:
            self._free(address)

    def read(self, address, size):
        return ctypes.string_at(address, size)

    def write(self, address, data):
        ctypes.memmove(address, data, len(data))

    def start(self, random):
        self._libraries[1].fuzz_random_restart(*random)

    def call(self, function, args):
        self._words[:] = [arg & 0xFFFFFFFFFFFFFFFF for arg in args]
        return self._call(self.symbol(function), self._words)


class Iss(Backend):
    """The library on the simulator, which knows the rights of every byte."""

    def __init__(self, isa):
        path = _image(isa)
        self._machine = Machine(path, isa, checked=True)
        self.word = self._machine.xlen // 8
        self.ciphers = tuple(
            name
            for name in ("compact", "table", "bitsliced", "zkn")
            if f"cryptile_aes_{name}" in self._machine.symbols
        )
        self._next = 0x5000_0000
        super().__init__(_sizes(library.symbol_sizes(path)))

    def symbol(self, name):
        return self._machine.symbols[name]

    def place(self, size):
        address = self._next
        self._next += 0x10000
        self._machine.map(address, size, "rw")
        return address

    def buffer(self, data):
        return self._machine.alloc(data)

    def free(self, _addresses):
        self._machine.free_all()

    def read(self, address, size):
        return self._machine.read(address, size)

    def write(self, address, data):
        self._machine.write(address, data)

    def start(self, random):
        self._machine.call("fuzz_random_restart", *random)

    def call(self, function, args):
        mask = (1 << 8 * self.word) - 1
        words = b"".join((arg & mask).to_bytes(self.word, "little") for arg in args)
        return self._machine.call(
            "fuzz_call", self.symbol(function), self.buffer(words), max_instructions=200_000_000
        ).value


def _host():
    """Build the host's functions for this machine."""
    gcc = tools.find("gcc", "gcc")
    flags = ["-std=c11", "-O1", "-fPIC", "-shared", "-I", str(library.INCLUDE)]

    def make(folder):
        tools.run([gcc, *flags, HOST, "-o", folder / "host.so"])

    key = cache.digest([HOST, *sorted(library.INCLUDE.rglob("*.h"))], flags, tools.version(gcc))
    return cache.build("fuzz/native", key, make) / "host.so"


def _image(isa):
    """Link the library with the host's functions, at fixed addresses."""
    built = library.build(isa)
    target = Isa.parse(isa)
    script = library.LIB / "library.ld"
    gcc = compiler()
    flags = [
        f"-march={target.link_march}",
        f"-mabi={target.abi}",
        *tools.words(
            "-std=c11 -O2 -ffreestanding -isystem /usr/lib/picolibc/riscv64-unknown-elf/include"
        ),
        "-I",
        library.INCLUDE,
        *tools.words("-nostdlib -static -Wl,-e,0"),
        "-T",
        script,
    ]

    def make(folder):
        tools.run(
            [
                gcc,
                *flags,
                HOST,
                "-Wl,--whole-archive",
                built.archive,
                "-Wl,--no-whole-archive",
                "-lgcc",
                "-o",
                folder / "fuzz.elf",
            ]
        )

    headers = sorted(library.INCLUDE.rglob("*.h"))
    key = cache.digest([HOST, built.archive, script, *headers], [str(flag) for flag in flags])
    return cache.build(f"fuzz/{isa}", key, make) / "fuzz.elf"
