"""What the simulator reads of an ELF program: its segments, symbols and line numbers."""

import bisect
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import RISCVAttributesSection, SymbolTableSection

from cryptile.errors import UsageError
from cryptile.toolchain.elf import contents

_EXEC, _WRITE, _READ = 1, 2, 4


@dataclass(frozen=True)
class Segment:
    """A loadable part of the program, zero-filled to its full size."""

    address: int
    data: bytes
    readable: bool
    writable: bool
    executable: bool


class Image:
    """An ELF program, read once."""

    def __init__(self, elf: Path) -> None:
        """Read segments and symbols; line numbers wait until they are asked for."""
        self.path = elf
        self.segments: list[Segment] = []
        self.symbols: dict[str, int] = {}
        self.sizes: dict[str, int] = {}
        self.arch = ""
        functions: dict[int, str] = {}
        try:
            with elf.open("rb") as stream:
                program = ELFFile(stream)
                if program["e_machine"] != "EM_RISCV":
                    raise UsageError(f"{elf} is not a program for RISC-V")
                self.xlen: int = program.elfclass
                self.entry: int = program["e_entry"]
                for segment in program.iter_segments("PT_LOAD"):
                    flags = segment["p_flags"]
                    data = contents(segment)
                    if data:
                        self.segments.append(
                            Segment(
                                segment["p_vaddr"],
                                data,
                                bool(flags & _READ),
                                bool(flags & _WRITE),
                                bool(flags & _EXEC),
                            )
                        )
                for section in program.iter_sections():
                    if isinstance(section, RISCVAttributesSection):
                        self.arch = _arch(section)
                    if isinstance(section, SymbolTableSection):
                        for symbol in section.iter_symbols():
                            kind = symbol["st_info"]["type"]
                            if not symbol.name or symbol["st_shndx"] == "SHN_UNDEF":
                                continue
                            if kind not in ("STT_FUNC", "STT_OBJECT", "STT_NOTYPE"):
                                continue
                            self.symbols[symbol.name] = symbol["st_value"]
                            self.sizes[symbol.name] = symbol["st_size"]
                            if not symbol.name.startswith((".L", "$")):
                                functions.setdefault(symbol["st_value"], symbol.name)
        except FileNotFoundError:
            raise UsageError(f"no such program: {elf}") from None
        except ELFError as error:
            raise UsageError(f"{elf} is not an ELF file: {error}") from None
        self._names = sorted(functions.items())
        self._starts = [address for address, _ in self._names]

    def symbol_at(self, address: int) -> str:
        """Return ``name`` or ``name+offset`` of the last symbol at or before an address."""
        inside = any(s.address <= address < s.address + len(s.data) for s in self.segments)
        index = bisect.bisect_right(self._starts, address) - 1
        if not inside or index < 0:
            return ""
        start, name = self._names[index]
        return name if start == address else f"{name}+{address - start:#x}"

    def line_at(self, address: int) -> str:
        """Return ``file:line`` of an instruction, or nothing if the program does not say."""
        index = bisect.bisect_right(self._line_starts, address) - 1
        return self._lines[index][1] if index >= 0 else ""

    @cached_property
    def _line_starts(self) -> list[int]:
        return [address for address, _ in self._lines]

    @cached_property
    def _lines(self) -> list[tuple[int, str]]:
        lines: dict[int, str] = {}
        with self.path.open("rb") as stream:
            program = ELFFile(stream)
            if not program.has_dwarf_info():
                return []
            dwarf = program.get_dwarf_info()
            for unit in dwarf.iter_CUs():
                table = dwarf.line_program_for_CU(unit)
                if table is None:
                    continue
                files = table.header["file_entry"]
                first = 0 if table.header["version"] >= 5 else 1
                for entry in table.get_entries():
                    state = entry.state
                    if state is None:
                        continue
                    if state.end_sequence:
                        lines.setdefault(state.address, "")
                        continue
                    name = files[state.file - first].name.decode(errors="replace")
                    lines[state.address] = f"{name}:{state.line}"
        return sorted(lines.items())


def _arch(section: RISCVAttributesSection) -> str:
    """Return the instruction set that a program says it was compiled for, like rv32i2p1_m2p0."""
    for part in section.iter_subsections():
        for group in part.iter_subsubsections():
            for attribute in group.iter_attributes("TAG_ARCH"):
                return str(attribute.value)
    return ""


@lru_cache(maxsize=64)
def _read(elf: Path, stamp: tuple[int, int]) -> Image:
    return Image(elf)


def read(elf: Path) -> Image:
    """Return a program's image; one that has not changed is read once.

    Raises:
        UsageError: it is no RISC-V program.
    """
    try:
        stat = elf.stat()
    except FileNotFoundError:
        raise UsageError(f"no such program: {elf}") from None
    return _read(elf, (stat.st_mtime_ns, stat.st_size))
