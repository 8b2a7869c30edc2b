"""RTL cores as targets: the microcontroller runs a program that calls library routines."""

import tempfile
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from cryptile import firmware, library
from cryptile.asm.isa import Isa
from cryptile.bench.console import parse
from cryptile.bench.software.target import Measure
from cryptile.errors import CryptileError, UsageError
from cryptile.firmware import params as firmware_params
from cryptile.systems import mcu
from cryptile.toolchain import cache, tools
from cryptile.toolchain.gcc import compiler

MAX_CYCLES = 400_000_000
_BIT_MANIPULATION = ("zba", "zbb", "zbc", "zbs", "zbkb", "zbkc", "zbkx")
_CAN = {
    "cv32e40p": {"i", "m", "c"},
    "ibex": {"i", "m", "c", *_BIT_MANIPULATION},
}


class RtlTarget:
    """One of the microcontroller's cores; the exact cycles of its RTL.

    Code lies in an instruction memory and data in banks that answer in one cycle. Nothing is
    cached, so there is no difference between a first and a second call.
    """

    def __init__(self, core: str, isa: str, symbols: list[str], parts: tuple[str, ...]) -> None:
        """Link the routines that will be called; the model is built when it runs.

        Raises:
            UsageError: the core is not known or lacks an extension of the instruction set.
        """
        self._isa = Isa.parse(isa)
        if core not in _CAN:
            raise UsageError(f"unknown core {core!r}: choose from {', '.join(_CAN)}")
        lacking = sorted(self._isa.extensions - _CAN[core]) or (["rv64"] * (self._isa.xlen == 64))
        if lacking:
            raise UsageError(f"core {core} cannot run {isa}: it has no {', '.join(lacking)}")
        self._core = core
        self._elf = _link(self._isa, symbols, parts)
        with self._elf.open("rb") as stream:
            table = ELFFile(stream).get_section_by_name(".symtab")
            assert isinstance(table, SymbolTableSection)
            self._symbols = {
                item.name: item["st_value"]
                for item in table.iter_symbols()
                if item["st_shndx"] != "SHN_UNDEF"
            }
        self._arena = b""
        self._result = b""
        self._calls: list[tuple[int, ...]] = []

    @property
    def core(self) -> str:
        """The core's name."""
        return self._core

    @property
    def word(self) -> int:
        """Bytes of a register."""
        return self._isa.word

    def has(self, symbol: str) -> bool:
        """Tell whether the program has a symbol."""
        return symbol in self._symbols

    def place(self, data: bytes) -> int:
        """Put data into the arena, 16-byte aligned."""
        address = int(self._symbols["call_arena"]) + len(self._arena)
        self._arena += data + bytes(-len(data) % 16)
        if len(self._arena) > firmware_params.MAX_CALL_ARENA:
            raise CryptileError(f"the arena of {firmware_params.MAX_CALL_ARENA} bytes is full")
        return address

    def address(self, symbol: str) -> int:
        """Return the address of a data object of the library."""
        return int(self._symbols[symbol])

    def call(self, symbol: str, *args: int) -> int:
        """Queue a call."""
        words = [value & 0xFFFFFFFF for value in args]
        self._calls.append((self._symbols[symbol], *words, *[0] * (8 - len(words))))
        if len(self._calls) > firmware_params.MAX_CALLS:
            raise CryptileError(f"more than {firmware_params.MAX_CALLS} calls")
        return len(self._calls) - 1

    def run(self) -> list[Measure]:
        """Run the program on the RTL.

        Raises:
            CryptileError: the program failed or did not end.
        """
        blob = firmware_params.call(self._calls, len(self._arena))
        bits = not self._isa.extensions.isdisjoint(_BIT_MANIPULATION)
        model = mcu.build(self._core, rv32b="full" if bits else "none")
        with tempfile.TemporaryDirectory(prefix="cryptile-call-") as name:
            given, returned = Path(name) / "in", Path(name) / "out"
            given.write_bytes(self._arena)
            result = mcu.run(model, self._elf, blob, given, returned, max_cycles=MAX_CYCLES)
            self._result = returned.read_bytes() if returned.exists() else b""
        lines = [line for line in parse(result.console) if line.metric == "call"]
        if result.exit_code != 0 or len(lines) != len(self._calls):
            raise CryptileError(f"calls on {self._core} failed ({result.exit_code})")
        return [
            Measure(line.value, int(line.params["instructions"]), None, int(line.params["value"]))
            for line in lines
        ]

    def read(self, address: int, size: int) -> bytes:
        """Return bytes of the arena after the run."""
        offset = address - int(self._symbols["call_arena"])
        return self._result[offset : offset + size]


def _link(isa: Isa, symbols: list[str], parts: tuple[str, ...]) -> Path:
    """Link the calling program with the routines and what they need."""
    archive = library.build(isa.name, parts=parts).archive
    gcc = compiler()
    runtime = [firmware.SW / "hal" / f"{name}.c" for name in ("console", "exit", "host", "mem")]
    sources = [firmware.SW / "apps" / "crt0.S", firmware.SW / "apps" / "call.c", *runtime]
    script = firmware.SW / "apps" / "link.ld"
    flags = [f"-march={isa.march}_zicsr", f"-mabi={isa.abi}", "-O2", *firmware.CFLAGS]

    def make(folder: Path) -> None:
        objects = []
        for source in sources:
            objects.append(folder / f"{source.stem}.o")
            tools.run(
                [gcc, *flags, "-fno-tree-loop-distribute-patterns", "-c", source, "-o", objects[-1]]
            )
        tools.run(
            [
                gcc,
                f"-march={isa.link_march}",
                f"-mabi={isa.abi}",
                *tools.words("-nostdlib -static -Wl,--gc-sections"),
                "-L",
                firmware.MEMORIES,
                "-T",
                script,
                *(f"-Wl,-u,{symbol}" for symbol in symbols),
                *objects,
                archive,
                "-lgcc",
                "-o",
                folder / "call.elf",
            ]
        )

    headers = sorted([*firmware.SW.rglob("*.h"), *firmware.MEMORIES.glob("*.ld")])
    key = cache.digest(
        [*sources, *headers, script, archive], symbols, [str(flag) for flag in flags]
    )
    return cache.build(f"call/{isa.name}", key, make) / "call.elf"
