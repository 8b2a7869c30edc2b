"""Firmware images: cross-compiled, cached by content, and accounted by the byte."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from cryptile import cache, tools
from cryptile.asm import routines
from cryptile.asm.isa import Isa
from cryptile.asm.schedule import Tuning
from cryptile.errors import UsageError
from cryptile.library_sources import c_files
from cryptile.project import ROOT

SW = ROOT / "sw"
LIB = SW / "lib"

MARCH = {
    "cv32e40p": "rv32imc_zicsr",
    "ibex": "rv32imc_zicsr",
    "ibex-rv32b": "rv32imc_zicsr_zba_zbb_zbs",
}
"""Instruction sets by core; ``ibex-rv32b`` is Ibex with its bit manipulation extension."""

CVA6 = "rv64imac_zicsr_zifencei"
"""The instruction set of the tile SoC's core."""

PARTS = ("aes", "cipher")
"""The folders of ``sw/lib`` that firmware is built with; what it does not call is dropped."""

PARTS_OF: dict[str, tuple[str, ...]] = {
    "bench_stream": ("aead", "chacha20", "poly1305"),
    "crypt_stream": (),
    "selftest_stream": (),
}
"""What applications that do not use :data:`PARTS` are built with."""

HAL = ["console", "engine", "exit", "host", "hwpe", "mem", "timer"]
APPS: dict[str, list[str]] = {
    "selftest": ["selftest", "selftest_api", "selftest_engine"],
    "bench": ["bench"],
    "bench_stream": ["bench_stream"],
    "crypt": ["crypt", "stream_engine", "stream_software"],
    "crypt_stream": ["crypt_stream"],
    "selftest_stream": ["selftest_stream"],
    "size": ["size"],
    "bench_tile": ["bench_tile", "tile_app", "tile_software"],
    "crypt_tile": ["crypt_tile", "tile_app"],
    "selftest_tile": ["selftest_tile", "selftest_tile_driver", "tile_app"],
}

TILE_APPS: dict[str, tuple[str, ...]] = {
    "bench_tile": (
        "aes", "cipher", "ghash", "aead", "chacha20", "poly1305", "sha2", "keccak", "hash", "hmac",
    ),
    "crypt_tile": ("cipher",),
    "selftest_tile": ("aes", "cipher"),
}  # fmt: skip
"""The applications of the tile SoC, which has a core and drivers of its own, and their parts."""
TILE_HAL = ["console", "exit", "host", "mem", "soc_tile", "tile", "tile_alg", "tile_engine",
            "tile_message"]  # fmt: skip

DRIVERS = {app: ["axis_engine"] for app in PARTS_OF} | {
    "selftest_stream": ["axis_edac", "axis_engine"]
}
"""Files of ``sw/hal`` that only some applications use."""

SMALL = {"aes_compact"}
"""Library files compiled with -Os; the others, and those in FAST, with -O2; applications with -Os.
In ``size`` images all C is compiled with -Os."""
FAST = {
    "axis_engine", "bench", "bench_stream", "bench_tile", "engine", "hwpe", "mem", "tile",
    "tile_alg", "tile_engine",
}  # fmt: skip

SIZED = ("compact", "table", "bitsliced", "engine")
"""The implementations that ``size`` images account for."""

_ENGINE_PATH = {"hwpe", "engine", "timer"}
"""The objects outside the library that are the crypto path of the engine."""

CFLAGS: list[str | Path] = [
    "-std=c11", "-Wall", "-Wextra", "-Werror", "-g",
    "-ffunction-sections", "-fdata-sections", "-fstack-usage", f"-ffile-prefix-map={ROOT}=.",
    "-isystem", "/usr/lib/picolibc/riscv64-unknown-elf/include",
    "-I", SW / "include", "-I", SW / "lib", "-I", SW / "hal", "-I", SW / "apps",
]  # fmt: skip
"""Flags of every compilation; the instruction set and the optimisation come before."""


@dataclass(frozen=True)
class _System:
    """What differs between the systems: instruction set, flags, start-up code and link script."""

    march: str
    flags: tuple[str, ...]
    start: str
    script: str
    hal: list[str]


def _system(app: str, core: str) -> _System:
    if app in TILE_APPS:
        wide = ("-mabi=lp64", "-mcmodel=medany", "-DMCU_BASE=0x18000000u")
        return _System(CVA6, wide, "crt0_tile.S", "link_tile.ld", TILE_HAL)
    flags = ("-mabi=ilp32", "-DCRYPTILE_HAVE_ENGINE=1")
    hal = [*HAL, *DRIVERS.get(app, [])]
    return _System(MARCH[core], flags, "crt0.S", "link.ld", hal)


def library_sources(app: str = "bench") -> list[Path]:
    """Return the C files of the library that an application is built with."""
    return c_files(_parts(app))


def _parts(app: str) -> tuple[str, ...]:
    return TILE_APPS[app] if app in TILE_APPS else PARTS_OF.get(app, PARTS)


def compiler() -> str:
    """Return the path of the cross compiler."""
    return tools.find("riscv64-unknown-elf-gcc", "gcc-riscv64-unknown-elf")


def optimisation(app: str, source: Path) -> str:
    """Return the optimisation flag that a source file of an application is compiled with."""
    fast = source.stem in FAST or (source.is_relative_to(LIB) and source.stem not in SMALL)
    return "-O2" if fast and app != "size" else "-Os"


def build(app: str, *, core: str = "cv32e40p", impl: str | None = None) -> Path:
    """Build an application for a core and return its ELF file; the link map lies beside it.

    Args:
        app: a key of :data:`APPS`.
        core: a key of :data:`MARCH`; those of :data:`TILE_APPS` are for CVA6 alone.
        impl: ``size`` only: one of :data:`SIZED`; None gives the runtime without any of them.
    """
    if app not in APPS:
        raise UsageError(f"unknown firmware {app!r}: choose from {', '.join(APPS)}")
    if core not in MARCH:
        raise UsageError(f"unknown core {core!r}: choose from {', '.join(MARCH)}")
    if impl is not None and (app != "size" or impl not in SIZED):
        raise UsageError(f"firmware {app!r} has no implementation {impl!r} to choose")
    gcc = compiler()
    system = _system(app, core)
    generated = {
        routine.symbol: routine.generate(Isa.parse(system.march), Tuning())
        for routine in routines.supported(Isa.parse(system.march), _parts(app))
    }
    sources = [
        SW / "apps" / system.start,
        *library_sources(app),
        *(SW / "hal" / f"{name}.c" for name in system.hal),
        *(SW / "apps" / f"{name}.c" for name in APPS[app]),
    ]
    script = SW / "apps" / system.script
    arch = [f"-march={system.march}", *system.flags]
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
            flags = [optimisation(app, source), "-fno-tree-loop-distribute-patterns"]
            tools.run([*common, *flags, "-c", source, "-o", target])
            objects.append(target)
        tools.run(
            [
                gcc, *arch, "-nostdlib", "-static",
                "-Wl,--gc-sections", "-Wl,--fatal-warnings", "-Wl,-Map=firmware.map",
                "-T", script, *(item.name for item in objects), "-lgcc", "-o", "firmware.elf",
            ],
            cwd=folder,
        )  # fmt: skip

    headers = sorted(SW.rglob("*.h"))
    levels = [optimisation(app, source) for source in sources]
    settings = [str(item) for item in common], app, levels, generated
    key = cache.digest([*sources, *headers, script], settings, tools.version(gcc))
    return cache.build(f"firmware/{app}", key, make) / "firmware.elf"


def code_size(elf: Path, impl: str | None = None) -> dict[str, int]:
    """Return bytes of text and read-only data: of the crypto path and of the whole image.

    The crypto path is what the link map shows from the library's objects and, for the engine, from
    its driver. The image also counts initialised data.
    """
    with elf.open("rb") as stream:
        image = sum(
            section["sh_size"]
            for section in ELFFile(stream).iter_sections()
            if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_type"] != "SHT_NOBITS"
        )
    sizes = _object_sizes(elf.with_name("firmware.map").read_text().splitlines())
    path = {source.stem for source in library_sources()}
    path |= {routine.symbol for part in PARTS for routine in routines.of(part)}
    path |= _ENGINE_PATH if impl == "engine" else set()
    crypto = sum(sizes.get(name, 0) for name in path) if impl else 0
    return {"crypto": crypto, "image": image}


def _object_sizes(link_map: Iterable[str]) -> dict[str, int]:
    """Add up the text and read-only data that each object has in the image, from a link map."""
    sizes: dict[str, int] = {}
    linked = False
    section = ""
    for line in link_map:
        linked = linked or line.startswith("Linker script and memory map")
        if not linked:
            continue
        if name := re.match(r" (\.[\w.]+)", line):
            section = name[1]
        placed = re.search(r"\s0x[0-9a-f]+\s+0x([0-9a-f]+) (\S+)\.o$", line)
        if placed and section.startswith((".text", ".rodata", ".srodata", ".vectors")):
            sizes[placed[2]] = sizes.get(placed[2], 0) + int(placed[1], 16)
    return sizes
