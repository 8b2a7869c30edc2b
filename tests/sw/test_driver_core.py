"""The core of the tile's driver compiles for a kernel, a process and bare metal, and needs none."""

import re
from pathlib import Path

import pytest

from cryptile.project import ROOT
from cryptile.toolchain import tools

CORE = ROOT / "sw" / "driver" / "core"
SOURCES = sorted(CORE.glob("*.c"))
HEADERS = [*sorted(CORE.glob("*.h")), *sorted((CORE / "gen").glob("*.h"))]
RISCV = "riscv64-unknown-elf-"
TARGETS = {
    "host": ("", ["-fPIC"]),
    "rv64-medany": (RISCV, ["-march=rv64imac_zicsr", "-mabi=lp64", "-mcmodel=medany"]),
    "rv64-medlow": (RISCV, ["-march=rv64imac_zicsr", "-mabi=lp64", "-mcmodel=medlow"]),
    "rv32": (RISCV, ["-march=rv32imc_zicsr", "-mabi=ilp32"]),
}
KERNEL_TYPES = """
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t;
typedef unsigned long long uint64_t; typedef signed short int16_t; typedef int int32_t;
typedef signed char int8_t; typedef _Bool bool;
enum { false, true };
"""
"""What of <linux/types.h> the core takes."""


def compiled(target: str, folder: Path, *flags: str | Path) -> list[Path]:
    """Compile the core without any library; return the objects."""
    prefix, options = TARGETS[target]
    objects = []
    for source in SOURCES:
        objects.append(folder / f"{source.stem}.o")
        tools.run(
            [
                tools.find(f"{prefix}gcc"),
                *tools.words("-std=c11 -Wall -Wextra -Werror -ffreestanding -nostdlib"),
                *options,
                *flags,
                "-I",
                ROOT / "sw" / "include",
                "-I",
                CORE,
                "-c",
                source,
                "-o",
                objects[-1],
            ]
        )
    return objects


def symbols(target: str, objects: list[Path], *flags: str) -> set[str]:
    """Return names that objects, together, have or want."""
    lines = tools.run([tools.find(f"{TARGETS[target][0]}nm"), *flags, *objects]).splitlines()
    return {line.split()[-1] for line in lines if re.search(r" [A-TV-Z] ", line)}


@pytest.mark.parametrize("level", ["-O0", "-Os", "-O2", "-O3"])
@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_wanted_and_names_have_the_prefix(tmp_path, target, level):
    """Not even what a compiler makes of loops and structures: memcpy(), memset(), division."""
    objects = compiled(target, tmp_path, level)
    defined = symbols(target, objects, "--defined-only")
    assert len(defined) >= 6
    assert {name for name in defined if not name.startswith("cry_tile_")} == set()
    lines = tools.run([tools.find(f"{TARGETS[target][0]}nm"), "-u", *objects]).splitlines()
    wanted = {line.split()[-1] for line in lines if line.startswith(" ")}
    assert wanted <= defined


def test_it_compiles_with_the_types_of_a_kernel(tmp_path):
    """Another header for types is all that changes: there is no other."""
    (tmp_path / "linux").mkdir()
    (tmp_path / "linux" / "types.h").write_text(KERNEL_TYPES)
    compiled("rv64-medany", tmp_path, "-O2", "-nostdinc", "-D__KERNEL__", "-I", tmp_path)


def test_its_structures_hold_no_pointers():
    """Addresses are numbers there, and what lies behind them is the port's."""
    structures = {}
    for header in HEADERS:
        for body, name in re.findall(
            r"^typedef struct \{(.*?)^\} (\w+);", header.read_text(), re.M | re.S
        ):
            structures[name] = re.sub(r"//.*", "", body)
    assert {"tile_job_t", "tile_session_t", "tile_alg_t", "tile_counters_t"} <= structures.keys()
    assert {name for name, body in structures.items() if "*" in body} == set()


def test_it_includes_itself_and_two_headers_alone():
    """The codes and the mark of functions that must be checked are those of the library."""
    found = {
        include
        for path in (*SOURCES, *HEADERS)
        for include in re.findall(r"^#include [\"<](.+)[\">]", path.read_text(), re.M)
    }
    own = {str(header.relative_to(CORE)) for header in HEADERS}
    types = {"linux/types.h", "stdbool.h", "stdint.h"}
    assert found - own == {"cryptile/status.h", *types}
    names = (CORE / "tile_types.h").read_text()
    assert all(f"<{name}>" in names for name in types)
