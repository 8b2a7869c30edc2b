"""Several builds in one archive for 64-bit Linux: which one runs is chosen when a program starts.

Every symbol of a build gets a prefix of its own. The functions of the public headers become entry
points, each of which jumps to the build that was chosen; descriptors such as ``cryptile_sha256``
become variables, filled from the chosen build. ``sw/linux/dispatch`` chooses.
"""

import re
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from cryptile.asm.isa import Isa
from cryptile.errors import UsageError
from cryptile.export.package import (
    MEMORY,
    POSITION_INDEPENDENT,
    Exported,
    Wanted,
    write_pkg_config,
)
from cryptile.library import INCLUDE
from cryptile.notice import licence
from cryptile.project import ROOT
from cryptile.toolchain import tools
from cryptile.toolchain.gcc import compiler

SOURCE = ROOT / "sw" / "linux" / "dispatch"

FOLDER = "dispatch"
"""Where the archive is, beside those of the builds."""

_PROBE_BITS = {
    "c": 1, "zba": 3, "zbb": 4, "zbs": 5, "zbc": 7, "zbkb": 8, "zbkc": 9, "zbkx": 10, "zknd": 11,
    "zkne": 12, "zknh": 13,
}  # fmt: skip
"""Bits of the key RISCV_HWPROBE_KEY_IMA_EXT_0 (Linux, Documentation/arch/riscv/hwprobe.rst)."""

_COMPRESSED = 1 << _PROBE_BITS["c"]

_ALWAYS = {"i", "m", "a", "zicsr", "zifencei", "zkn"}
"""What 64-bit Linux always has; and names for others together."""

_BETTER = {"cryptile_aes_bitsliced": "cryptile_aes_zkn"}
"""Descriptors for which another one stands in, where a build has it: constant-time AES."""

_LICENCE = licence("//")


@dataclass(frozen=True)
class Symbol:
    """A global symbol: the object file that defines it, its kind, bytes and section."""

    member: Path
    kind: str
    size: int
    section: str


@dataclass(frozen=True)
class Build:
    """One build: its prefix, and its symbols by name."""

    isa: str
    prefix: str
    symbols: dict[str, Symbol]


def check(isas: Iterable[str]) -> None:
    """Check that these builds can be chosen from.

    Raises:
        UsageError: an instruction set has not 64 bits or nobody can ask for it, or the first wants
            what a machine may not have.
    """
    for number, isa in enumerate(isas):
        if Isa.parse(isa).xlen != 64:
            raise UsageError(f"instruction set {isa!r}: a choice at run time is for 64 bits only")
        if _needs(isa) & ~_COMPRESSED and number == 0:
            raise UsageError(
                f"instruction set {isa!r}: the first build runs on every machine, so it may have "
                "no more than rv64imac"
            )


def write(folder: Path, exported: list[Exported], wanted: Wanted) -> Path:
    """Write the archive that holds all builds to ``folder/dispatch`` and return its path."""
    target = folder / FOLDER
    target.mkdir(exist_ok=True)
    header = folder / "include" / "cryptile" / "dispatch.h"
    shutil.copy(SOURCE / "dispatch.h", header)
    shutil.copy(exported[0].archive.with_name(MEMORY), target)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        # The first build's descriptors become those of the program.
        public = set(descriptors())
        builds = [
            _unpack(item, work / item.isa, public if item is exported[0] else set())
            for item in exported
        ]
        _make_objects(builds, exported[0], work)
        glue = _compile_glue(builds, exported[0], work, folder / "include")
        members = [member for build in builds for member in _objects(work / build.isa)]
        archive = target / "libcryptile.a"
        archive.unlink(missing_ok=True)
        tools.run([_tool("ar"), "rcs", archive, *members, *glue])
    write_pkg_config(target, exported[0], ", ".join(build.isa for build in builds))
    return archive


def entry_points() -> dict[str, str]:
    """Return the functions that the public headers declare, and the header's name for each."""
    found: dict[str, str] = {}
    for header in sorted(INCLUDE.rglob("*.h")):
        for name in re.findall(r"\b((?:cryptile|psa)_\w+)\(", _without_comments(header)):
            found.setdefault(name, header.stem)
    return found


def descriptors() -> list[str]:
    """Return the objects that the public headers declare."""
    return [
        name
        for header in sorted(INCLUDE.rglob("*.h"))
        for name in re.findall(r"^extern const \w+ (\w+);", _without_comments(header), re.MULTILINE)
    ]


def _without_comments(header: Path) -> str:
    return re.sub(r"//.*", "", header.read_text())


def _needs(isa: str) -> int:
    bits = 0
    for extension in Isa.parse(isa).extensions - _ALWAYS:
        if extension not in _PROBE_BITS:
            raise UsageError(
                f"instruction set {isa!r}: Linux cannot tell whether {extension} is there"
            )
        bits |= 1 << _PROBE_BITS[extension]
    return bits


def _tool(name: str) -> str:
    return tools.find(f"riscv64-unknown-elf-{name}", "binutils-riscv64-unknown-elf")


def _objects(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.o"))


def _unpack(exported: Exported, folder: Path, kept: set[str]) -> Build:
    """Unpack an archive, its symbols with a prefix but for those that keep their names."""
    prefix = f"{exported.isa}_"
    folder.mkdir()
    tools.run([_tool("ar"), "x", exported.archive.resolve()], cwd=folder)
    symbols: dict[str, Symbol] = {}
    for member in _objects(folder):
        symbols |= _defined(member)
        member.unlink()
    names, renamed = folder / "names", folder / "renamed.a"
    names.write_text("".join(f"{name} {prefix}{name}\n" for name in symbols if name not in kept))
    tools.run([_tool("objcopy"), f"--redefine-syms={names}", exported.archive, renamed])
    tools.run([_tool("ar"), "x", renamed.name], cwd=folder)
    for member in _objects(folder):
        member.rename(folder / f"{exported.isa}-{member.name}")
    return Build(exported.isa, prefix, symbols)


def _defined(member: Path) -> dict[str, Symbol]:
    """Return the global symbols of an object file; ``sh_info`` says where they begin."""
    with member.open("rb") as stream:
        elf = ELFFile(stream)
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        found = [table.get_symbol(n) for n in range(table["sh_info"], table.num_symbols())]
        return {
            item.name: Symbol(
                member.with_name(f"{member.parent.name}-{member.name}"),
                item["st_info"]["type"],
                item["st_size"],
                elf.get_section(item["st_shndx"]).name,
            )
            for item in found
            if isinstance(item["st_shndx"], int)
        }


def _make_objects(builds: list[Build], first: Exported, work: Path) -> None:
    """Make variables of the first build's descriptors, with records of where others have theirs."""
    base = builds[0]
    by_member: dict[Path, list[str]] = {}
    for name in descriptors():
        if name in base.symbols:
            by_member.setdefault(base.symbols[name].member, []).append(name)
    for member, names in by_member.items():
        moves = [
            f"--rename-section={base.symbols[name].section}=.data.{name},alloc,load,data,contents"
            for name in names
        ]
        tools.run([_tool("objcopy"), *moves, member])
        records = work / f"{member.stem}_records.S"
        records.write_text(_LICENCE + "".join(_record(name, builds) for name in names))
        plain, added = member.with_suffix(".plain"), records.with_suffix(".o")
        member.rename(plain)
        tools.run([*_command(first), "-c", records, "-o", added])
        tools.run([_tool("ld"), "-r", plain, added, "-o", member])


def _record(name: str, builds: list[Build]) -> str:
    sources = [name]
    for build in builds[1:]:
        better = _BETTER.get(name, name)
        sources.append(build.prefix + (better if better in build.symbols else name))
    return (
        '  .section cryptile_dispatch_objects,"aw",@progbits\n  .balign 8\n'
        f"  .dword {name}, {builds[0].symbols[name].size}, {', '.join(sources)}\n"
    )


def _command(first: Exported) -> list[str | Path]:
    return [
        compiler(),
        f"-march={first.march}",
        f"-mabi={first.mabi}",
        *tools.words("-std=c11 -O2 -Wall -Wextra -Werror -ffunction-sections -fdata-sections"),
        *POSITION_INDEPENDENT,
        "-isystem",
        "/usr/lib/picolibc/riscv64-unknown-elf/include",
    ]


def _compile_glue(builds: list[Build], first: Exported, work: Path, include: Path) -> list[Path]:
    """Compile what chooses, its tables, and the entry points, one object for each header."""
    base = builds[0]
    by_header: dict[str, list[str]] = {}
    for name, header in entry_points().items():
        if name in base.symbols and base.symbols[name].kind == "STT_FUNC":
            by_header.setdefault(header, []).append(name)
    sources = [SOURCE / "dispatch.c", work / "dispatch_tables.S"]
    sources[1].write_text(_LICENCE + _tables(builds))
    for header, names in by_header.items():
        sources.append(work / f"dispatch_{header}.S")
        sources[-1].write_text(_LICENCE + "".join(_entry(name, builds) for name in names))
    objects = []
    for source in sources:
        objects.append(work / f"{source.stem}.o")
        tools.run([*_command(first), "-I", include, "-c", source, "-o", objects[-1]])
    return objects


def _tables(builds: list[Build]) -> str:
    needs = ", ".join(f"{_needs(build.isa):#x}" for build in builds)
    names = "".join(f'.Lname{n}: .asciz "{build.isa}"\n' for n, build in enumerate(builds))
    pointers = ", ".join(f".Lname{n}" for n in range(len(builds)))
    return f"""\
  .globl cryptile_dispatch_builds, cryptile_dispatch_needs, cryptile_dispatch_names
  .section .rodata.cryptile_dispatch,"a",@progbits
  .balign 8
cryptile_dispatch_builds: .dword {len(builds)}
cryptile_dispatch_needs: .dword {needs}
{names}
  .section .data.rel.ro.local.cryptile_dispatch,"aw",@progbits
  .balign 8
cryptile_dispatch_names: .dword {pointers}
  // An empty record, so that there is one at least.
  .section cryptile_dispatch_objects,"aw",@progbits
  .balign 8
  .zero {8 * (2 + len(builds))}
"""


def _entry(name: str, builds: list[Build]) -> str:
    return f"""
  .section .text.{name},"ax",@progbits
  .globl {name}
  .type {name}, @function
{name}:
  ld      t0, cryptile_dispatch_offset
  lla     t1, .L{name}
  add     t1, t1, t0
  ld      t1, 0(t1)
  jr      t1
  .size {name}, . - {name}
  .section .data.rel.ro.{name},"aw",@progbits
  .balign 8
.L{name}: .dword {", ".join(build.prefix + name for build in builds)}
"""
