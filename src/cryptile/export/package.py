"""Writes archives, headers, assembly and a description, for a build outside the checkout."""

import shutil
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import cryptile
from cryptile import library
from cryptile.asm.isa import Isa
from cryptile.asm.schedule import Tuning
from cryptile.errors import UsageError
from cryptile.project import ROOT
from cryptile.toolchain import tools
from cryptile.toolchain.gcc import compiler

MEMORY = "libcryptile_mem.a"
"""The archive with memcpy() and its family, for programs without a C library."""

POSITION_INDEPENDENT = ("-fPIE", "-Wa,--noexecstack")
"""The compiler's flags for programs that run at any address; Linux wants to know of the stack."""


class Floats(StrEnum):
    """Calling conventions of floating-point numbers."""

    NONE = "none"
    SINGLE = "single"
    DOUBLE = "double"

    @property
    def suffix(self) -> str:
        """What it adds to the name of the ABI."""
        return {"none": "", "single": "f", "double": "d"}[self.value]


@dataclass(frozen=True)
class Wanted:
    """What to export besides the instruction set.

    Attributes:
        tuning: the core to schedule for.
        floats: the convention of the program; the library has no such numbers.
        position_independent: for programs that run at any address.
    """

    tuning: Tuning
    floats: Floats = Floats.NONE
    position_independent: bool = False


@dataclass(frozen=True)
class Exported:
    """The library for one instruction set.

    Attributes:
        isa: its name.
        march: ``-march`` for the user's compiler.
        link_march: the base set, for which toolchains have C libraries.
        mabi: ``-mabi`` for it.
        archive: ``libcryptile.a``.
    """

    isa: str
    march: str
    link_march: str
    mabi: str
    archive: Path


def export(isa: str, folder: Path, wanted: Wanted) -> Exported:
    """Build the library and write it to ``folder/<isa>``.

    Raises:
        UsageError: the instruction set is not known, or the folder is a file.
        ToolError: the compiler is missing or fails.
    """
    parsed, floats = Isa.parse(isa), wanted.floats.suffix
    target = folder / parsed.name
    _make_folder(target / "assembly")
    built = library.build(
        isa, tuning=wanted.tuning, floats=floats, flags=_flags(parsed, wanted.position_independent)
    )
    for old in (target / "assembly").glob("*.S"):
        old.unlink()
    for source in built.assembly.glob("*.S"):
        shutil.copy(source, target / "assembly")
    _split(built.archive, target)
    exported = Exported(
        isa=parsed.name,
        march=library.with_floats(parsed.march, floats),
        link_march=library.with_floats(parsed.link_march, floats),
        mabi=parsed.abi + floats,
        archive=target / "libcryptile.a",
    )
    write_pkg_config(target, exported, exported.isa)
    return exported


def write_common(folder: Path, exported: list[Exported], wanted: Wanted) -> None:
    """Write what does not depend on the instruction set: headers, licence, description."""
    shutil.copytree(library.INCLUDE, folder / "include", dirs_exist_ok=True)
    shutil.copy(ROOT / "LICENSE", folder)
    (folder / "README.md").write_text(_readme(exported, wanted))


def write_pkg_config(target: Path, exported: Exported, isas: str) -> None:
    """Write ``cryptile.pc`` beside an archive."""
    (target / "cryptile.pc").write_text(f"""\
libdir=${{pcfiledir}}
includedir=${{pcfiledir}}/../include
march={exported.march}
mabi={exported.mabi}

Name: cryptile
Description: Cryptography for RISC-V, built for {isas}
Version: {cryptile.__version__}
Cflags: -I${{includedir}}
Libs: -L${{libdir}} -lcryptile
""")


def _flags(isa: Isa, position_independent: bool) -> tuple[str, ...]:
    if position_independent:
        return POSITION_INDEPENDENT
    # The compiler's default for 64 bits cannot reach memory from 2 GiB on, where it mostly is.
    return ("-mcmodel=medany",) if isa.xlen == 64 else ()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {folder}: {error.strerror}") from error


def _split(archive: Path, target: Path) -> None:
    """Copy the archive, with memcpy() and its family apart: programs with a C library have them."""
    ar = tools.find("riscv64-unknown-elf-ar", "binutils-riscv64-unknown-elf")
    shutil.copy(archive, target / "libcryptile.a")
    (target / MEMORY).unlink(missing_ok=True)
    tools.run([ar, "x", "libcryptile.a", "mem.o"], cwd=target)
    tools.run([ar, "rcs", MEMORY, "mem.o"], cwd=target)
    tools.run([ar, "d", "libcryptile.a", "mem.o"], cwd=target)
    (target / "mem.o").unlink()


def _readme(exported: list[Exported], wanted: Wanted) -> str:
    rows = "\n".join(f"| `{item.isa}` | `{item.march}` | `{item.mabi}` |" for item in exported)
    first = exported[0]
    place = (
        "Position-independent: for executables at any address, not for shared objects."
        if wanted.position_independent
        else "For programs at a fixed address."
    )
    series = cryptile.__version__.rpartition(".")[0]
    return f"""\
# Cryptile {cryptile.__version__}

Static libraries, made by `cryptile library` with {tools.version(compiler())}.

| folder | `-march` | `-mabi` |
|---|---|---|
{rows}

Each core must have all the extensions of its library. Scheduled for loads that deliver after
{wanted.tuning.load_use} cycles and multiplications after {wanted.tuning.multiply}. {place}

    CC="riscv64-unknown-elf-gcc -mabi={first.mabi}"
    $CC -march={first.march} -Iinclude -c program.c
    $CC -march={first.link_march} program.o -L{first.isa} -lcryptile -o program

`pkg-config --cflags --libs cryptile` with `PKG_CONFIG_PATH={first.isa}` has the paths (and the
variables `march`, `mabi`). Compile with the `-march` of the library, or at least with its
cryptography extensions: the headers choose implementations by it. `-Wl,--gc-sections` drops what a
program does not call.

With CMake, `cmake -Dcryptile_DIR=<this folder>/cmake -DCRYPTILE_ISA={first.isa}` and

    find_package(cryptile {series} REQUIRED)
    target_link_libraries(program PRIVATE cryptile::cryptile)

For Zephyr the folder is a module: `-DZEPHYR_EXTRA_MODULES=<this folder>`, `CONFIG_CRYPTILE=y`, and
`CONFIG_CRYPTILE_ISA` if there are several.

- `include/cryptile.h`: the library, one header for each topic in `include/cryptile`; each function
  says what holds for alignment, aliasing, time, stack and return codes.
- `include/psa/crypto.h`: a part of the PSA Certified Crypto API on it.
- `<isa>/libcryptile.a`: needs `memcpy`, `memmove`, `memset`, `memcmp` from a C library;
  `<isa>/libcryptile_mem.a` has them for programs without one (link it last).
- `<isa>/assembly`: the generated assembly in the library.

- `dispatch/libcryptile.a`, if wanted: all of them in one for 64-bit Linux; `cryptile/dispatch.h`.

The engine implementations of `cryptile/cipher.h` are drivers for hardware and are not in here.
Licence: `LICENSE`.
"""
