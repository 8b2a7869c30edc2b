"""Firmware images: cross-compiled, cached by content, and accounted by the byte."""

import re
from collections.abc import Iterable
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from cryptile import cache, tools
from cryptile.errors import UsageError
from cryptile.project import ROOT

SW = ROOT / "sw"

MARCH = {
    "cv32e40p": "rv32imc_zicsr",
    "ibex": "rv32imc_zicsr",
    "ibex-rv32b": "rv32imc_zicsr_zba_zbb_zbs",
}
"""Instruction sets by core; ``ibex-rv32b`` is Ibex with its bit manipulation extension."""

LIB = ["cryptile", "pkcs7", "aes/aes_modes", "aes/aes_compact", "aes/aes_table"]
HAL = ["console", "engine", "exit", "host", "hwpe", "mem", "timer"]
APPS: dict[str, list[str]] = {
    "selftest": ["selftest", "selftest_api", "selftest_engine"],
    "bench": ["bench"],
    "crypt": ["crypt", "stream_engine", "stream_software"],
    "size": ["size"],
}

FAST = {"aes_table", "bench", "engine", "hwpe", "mem"}
"""Compiled with -O2; all else with -Os. In ``size`` images everything is compiled with -Os."""

CRYPTO = {
    "compact": {"aes_compact", "cryptile", "aes_modes", "pkcs7"},
    "table": {"aes_table", "cryptile", "aes_modes", "pkcs7"},
    "engine": {"hwpe", "engine", "timer", "cryptile", "pkcs7"},
}
"""The objects that make up the crypto path of an implementation."""

CFLAGS: list[str | Path] = [
    "-std=c11", "-Wall", "-Wextra", "-Werror", "-g", "-mabi=ilp32",
    "-ffunction-sections", "-fdata-sections", "-fstack-usage", f"-ffile-prefix-map={ROOT}=.",
    "-isystem", "/usr/lib/picolibc/riscv64-unknown-elf/include",
    "-I", SW / "include", "-I", SW / "lib", "-I", SW / "hal", "-I", SW / "apps",
    "-DCRYPTILE_HAVE_ENGINE=1",
]  # fmt: skip
"""Flags of every compilation; the instruction set and the optimisation come before."""


def compiler() -> str:
    """Return the path of the cross compiler."""
    return tools.find("riscv64-unknown-elf-gcc", "gcc-riscv64-unknown-elf")


def optimisation(app: str, source: str) -> str:
    """Return the optimisation flag that a source file of an application is compiled with."""
    return "-O2" if source in FAST and app != "size" else "-Os"


def build(app: str, *, core: str = "cv32e40p", impl: str | None = None) -> Path:
    """Build an application for a core and return its ELF file; the link map lies beside it.

    Args:
        app: ``selftest``, ``bench``, ``crypt`` or ``size``.
        core: a key of :data:`MARCH`.
        impl: ``size`` only: compact, table or engine; None gives the runtime without any of them.
    """
    if app not in APPS:
        raise UsageError(f"unknown firmware {app!r}: choose from {', '.join(APPS)}")
    if core not in MARCH:
        raise UsageError(f"unknown core {core!r}: choose from {', '.join(MARCH)}")
    if impl is not None and (app != "size" or impl not in CRYPTO):
        raise UsageError(f"firmware {app!r} has no implementation {impl!r} to choose")
    gcc = compiler()
    sources = [
        SW / "apps" / "crt0.S",
        *(SW / "lib" / f"{name}.c" for name in LIB),
        *(SW / "hal" / f"{name}.c" for name in HAL),
        *(SW / "apps" / f"{name}.c" for name in APPS[app]),
    ]
    script = SW / "apps" / "link.ld"
    common: list[str | Path] = [gcc, f"-march={MARCH[core]}", *CFLAGS]
    if impl is not None:
        common.append(f"-DSIZE_{impl.upper()}")

    def make(folder: Path) -> None:
        objects = []
        for source in sources:
            target = folder / f"{source.stem}.o"
            # Without the second flag GCC makes memcpy out of the loop in memcpy.
            flags = [optimisation(app, source.stem), "-fno-tree-loop-distribute-patterns"]
            tools.run([*common, *flags, "-c", source, "-o", target])
            objects.append(target)
        tools.run(
            [
                gcc, f"-march={MARCH[core]}", "-mabi=ilp32", "-nostdlib", "-static",
                "-Wl,--gc-sections", "-Wl,--fatal-warnings", "-Wl,-Map=firmware.map",
                "-T", script, *(item.name for item in objects), "-lgcc", "-o", "firmware.elf",
            ],
            cwd=folder,
        )  # fmt: skip

    headers = sorted(SW.rglob("*.h"))
    settings = [str(item) for item in common], app, optimisation.__code__.co_code, sorted(FAST)
    key = cache.digest([*sources, *headers, script], settings, tools.version(gcc))
    return cache.build(f"firmware/{app}", key, make) / "firmware.elf"


def code_size(elf: Path, impl: str | None = None) -> dict[str, int]:
    """Return bytes of text and read-only data: of the crypto path and of the whole image.

    The crypto path is what the link map shows from the objects of ``impl``, see :data:`CRYPTO`.
    The image also counts initialised data.
    """
    with elf.open("rb") as stream:
        image = sum(
            section["sh_size"]
            for section in ELFFile(stream).iter_sections()
            if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_type"] != "SHT_NOBITS"
        )
    sizes = _object_sizes(elf.with_name("firmware.map").read_text().splitlines())
    crypto = sum(sizes.get(name, 0) for name in CRYPTO[impl]) if impl else 0
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
