"""Firmware images: cross-compiled, and cached by content."""

from pathlib import Path

from cryptile import catalog
from cryptile.asm import routines
from cryptile.asm.isa import Isa
from cryptile.asm.schedule import Tuning
from cryptile.errors import UsageError
from cryptile.library_sources import c_files
from cryptile.project import ROOT
from cryptile.toolchain import cache, tools
from cryptile.toolchain.gcc import compiler

SW = ROOT / "sw"
LIB = SW / "lib"
MEMORIES = SW / "apps" / "gen"
"""Where link scripts find the memories of systems."""


_CATALOG = catalog.firmware()

MARCH = _CATALOG.systems["mcu"].cores
"""Instruction sets of the microcontroller's cores."""

SIZED = ("compact", "table", "bitsliced", "engine")
"""The implementations that ``size`` images account for."""

CFLAGS: list[str | Path] = [
    *tools.words(
        "-std=c11 -Wall -Wextra -Werror -g -ffunction-sections -fdata-sections -fstack-usage"
    ),
    f"-ffile-prefix-map={ROOT}=.",
    "-isystem",
    "/usr/lib/picolibc/riscv64-unknown-elf/include",
    "-I",
    SW / "include",
    "-I",
    SW / "lib",
    "-I",
    SW / "driver/core",
    "-I",
    SW / "hal",
    "-I",
    SW / "apps",
]
"""Flags of every compilation; the instruction set and the optimisation come before."""


def library_sources(app: str) -> list[Path]:
    """Return the C files of the library that an application is built with."""
    return c_files(_CATALOG.programs[app].library)


def optimisation(app: str, source: Path) -> list[str]:
    """Return the optimisation flags that a source file of an application is compiled with."""
    sizes = _CATALOG.sizes
    of_library = source.is_relative_to(LIB) and source.stem not in sizes.small
    fast = source.stem in sizes.fast or of_library
    level = "-O2" if fast and not _CATALOG.programs[app].small else "-Os"
    aligned = ["-falign-functions=4", "-falign-jumps=4"]
    return [level, *aligned] if source.stem in sizes.aligned else [level]


def build(app: str, *, core: str = "cv32e40p", impl: str | None = None) -> Path:
    """Build an application for a core and return its ELF file; the link map lies beside it.

    Args:
        app: a program of ``catalog/firmware.yaml``.
        core: a key of :data:`MARCH`; programs of other systems are for their one core.
        impl: ``size`` only: one of :data:`SIZED`; None gives the runtime without any of them.

    Raises:
        UsageError: there is none of them.
    """
    programs = _CATALOG.programs
    if app not in programs:
        raise UsageError(f"unknown firmware {app!r}: choose from {', '.join(programs)}")
    if core not in MARCH:
        raise UsageError(f"unknown core {core!r}: choose from {', '.join(MARCH)}")
    if impl is not None and (app != "size" or impl not in SIZED):
        raise UsageError(f"firmware {app!r} has no implementation {impl!r} to choose")
    gcc = compiler()
    program = programs[app]
    system = _CATALOG.systems[program.system]
    march = system.cores.get(core) or next(iter(system.cores.values()))
    generated = routines.assembly(Isa.parse(march), Tuning(), program.library)
    sources = [
        SW / "apps" / system.start,
        *library_sources(app),
        *(SW / "hal" / f"{name}.c" for name in (*system.hal, *program.hal)),
        *(SW / "driver" / "core" / f"{name}.c" for name in system.core),
        *(SW / "apps" / f"{name}.c" for name in program.files),
    ]
    script = SW / "apps" / system.script
    arch = [f"-march={march}", *system.flags]
    common: list[str | Path] = [gcc, *arch, *CFLAGS]
    common += [f"-DHAVE_{symbol.upper()}=1" for symbol in generated]
    if impl is not None:
        common.append(f"-DSIZE_{impl.upper()}")

    def make(folder: Path) -> None:
        objects = []
        assembly = []
        for symbol, text in generated.items():
            assembly.append(folder / f"{symbol}.S")
            assembly[-1].write_text(text)
        for source in [*sources, *assembly]:
            target = folder / f"{source.stem}.o"
            # Without the second flag GCC makes memcpy out of the loop in memcpy.
            flags = [*optimisation(app, source), "-fno-tree-loop-distribute-patterns"]
            tools.run([*common, *flags, "-c", source, "-o", target])
            objects.append(target)
        tools.run(
            [
                gcc,
                *arch,
                *tools.words(
                    "-nostdlib -static -Wl,--gc-sections -Wl,--fatal-warnings -Wl,-Map=firmware.map"
                ),
                "-L",
                MEMORIES,
                "-T",
                script,
                *(item.name for item in objects),
                *tools.words("-lgcc -o firmware.elf"),
            ],
            cwd=folder,
        )

    headers = sorted([*SW.rglob("*.h"), *MEMORIES.glob("*.ld")])
    levels = [optimisation(app, source) for source in sources]
    settings = [str(item) for item in common], app, levels, generated
    key = cache.digest([*sources, *headers, script], settings, tools.version(gcc))
    return cache.build(f"firmware/{app}", key, make) / "firmware.elf"
