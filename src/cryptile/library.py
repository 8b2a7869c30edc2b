"""The software library built for one instruction set: portable C and generated assembly."""

from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from cryptile.asm import routines
from cryptile.asm.isa import Isa
from cryptile.asm.schedule import Tuning
from cryptile.library_sources import LIB, c_files
from cryptile.project import ROOT
from cryptile.toolchain import cache, tools
from cryptile.toolchain.gcc import compiler

INCLUDE = ROOT / "sw" / "include"
_RUNTIME = [ROOT / "sw" / "hal" / "mem.c"]
"""What a freestanding image needs: memcpy and its family."""

_CFLAGS: list[str | Path] = [
    *tools.words(
        "-std=c11 -Wall -Wextra -Werror -g -ffunction-sections -fdata-sections "
        "-fno-tree-loop-distribute-patterns"
    ),
    f"-ffile-prefix-map={ROOT}=.",
    "-isystem",
    "/usr/lib/picolibc/riscv64-unknown-elf/include",
    "-I",
    INCLUDE,
    "-I",
    LIB,
]

ISAS = (
    "rv32i", "rv32im", "rv32imc", "rv32im_zba", "rv32im_zbb", "rv32im_zba_zbb_zbkb_zbkx",
    "rv32im_zbb_zbc", "rv32im_zkn", "rv64im", "rv64im_zba_zbb", "rv64im_zkn",
)  # fmt: skip
"""The instruction sets that the tests cover."""


@dataclass(frozen=True)
class Library:
    """A built library.

    Attributes:
        archive: ``libcryptile.a``, for linking into firmware.
        image: every routine at a fixed address, for a simulator to call by name.
        assembly: the folder with the generated ``.S`` files.
    """

    archive: Path
    image: Path
    assembly: Path


def build(
    isa: str,
    *,
    tuning: Tuning | None = None,
    optimise: str = "-O2",
    parts: tuple[str, ...] | None = None,
    floats: str = "",
    flags: tuple[str, ...] = (),
) -> Library:
    """Build the library for an instruction set, once per content.

    Args:
        isa: a name such as ``rv32im_zbb``.
        tuning: the core to schedule for; without it, loads that deliver after two cycles.
        optimise: the optimisation flag for the C files.
        parts: folders of ``sw/lib`` to build; without it, the whole library.
        floats: the calling convention of floating-point numbers, for linking with code that has it:
            ``""``, ``f`` or ``d``. The library itself has no such numbers.
        flags: further flags of the compiler.

    Raises:
        UsageError: the instruction set is not known.
        ToolError: the compiler is missing or fails.
    """
    target, tuning = Isa.parse(isa), tuning or Tuning()
    generated = routines.assembly(target, tuning, parts)
    gcc = compiler()
    sources = [*c_files(parts), *_RUNTIME]
    headers = sorted([*LIB.rglob("*.h"), *INCLUDE.rglob("*.h"), *(ROOT / "sw/hal").glob("mem*.h")])
    script = LIB / "library.ld"
    command = [
        gcc,
        f"-march={with_floats(target.march, floats)}",
        f"-mabi={target.abi}{floats}",
        optimise,
        *_CFLAGS,
        *flags,
        *(f"-DHAVE_{symbol.upper()}=1" for symbol in generated),
    ]

    def make(folder: Path) -> None:
        assembly = folder / "assembly"
        assembly.mkdir()
        texts = {assembly / f"{symbol}.S": text for symbol, text in generated.items()}
        for path, text in texts.items():
            path.write_text(text)
        objects = [folder / f"{source.stem}.o" for source in [*sources, *sorted(texts)]]
        for source, output in zip(sources, objects, strict=False):
            # What does not depend on the parts or on the generated routines is compiled once.
            tools.run([tools.find("ccache", "ccache"), *command, "-c", source, "-o", output])
        if texts:  # assembled in less time than ccache takes to look for them
            names = [path.relative_to(folder) for path in sorted(texts)]
            tools.run([*command, f"-Wa,--debug-prefix-map={folder}=.", "-c", *names], cwd=folder)
        tools.run(
            [
                tools.find("riscv64-unknown-elf-ar", "binutils-riscv64-unknown-elf"),
                "rcs",
                folder / "libcryptile.a",
                *objects,
            ]
        )
        tools.run(
            [
                gcc,
                f"-march={with_floats(target.link_march, floats)}",
                f"-mabi={target.abi}{floats}",
                *tools.words("-nostdlib -static -Wl,-e,0"),
                "-T",
                script,
                *objects,
                "-lgcc",
                "-o",
                folder / "library.elf",
            ]
        )
        for item in objects:
            item.unlink()

    key = cache.digest(
        [*sources, *headers, script],
        generated,
        [str(flag) for flag in command[1:]],
        tools.version(gcc),
    )
    folder = cache.build(f"library/{target.name}", key, make, what=f"the library for {target.name}")
    return Library(folder / "libcryptile.a", folder / "library.elf", folder / "assembly")


def with_floats(march: str, floats: str) -> str:
    """Add to a ``-march`` what a calling convention of floating-point numbers wants."""
    base, *longer = march.split("_")
    compressed = "c" if base.endswith("c") else ""
    letters = {"": "", "f": "f", "d": "fd"}[floats]
    return "_".join([base.removesuffix("c") + letters + compressed, *longer])


def topics() -> dict[str, str]:
    """Return the folder of ``sw/lib`` that each object of the archive comes from."""
    found = {source.stem: source.relative_to(LIB).parts[0] for source in LIB.rglob("*.c")}
    for part in routines.parts():
        found |= {routine.symbol: part for routine in routines.of(part)}
    return found


def symbol_sizes(elf: Path) -> dict[str, int]:
    """Return the bytes that each symbol of a program has."""
    with elf.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {item.name: int(item["st_size"]) for item in table.iter_symbols()}
