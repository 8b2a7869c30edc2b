"""Programs of the tests for the tile SoC, built from ``firmware``."""

from collections.abc import Sequence
from pathlib import Path

from cryptile.project import ROOT
from cryptile.toolchain import tools
from cryptile.toolchain.cache import build as cached
from cryptile.toolchain.cache import digest
from cryptile.toolchain.gcc import compiler

FIRMWARE = Path(__file__).parent / "firmware"
HAL = ROOT / "sw/hal"
APPS = ROOT / "sw/apps"
CORE = ROOT / "sw/driver/core"


def build(
    name: str,
    parts: Sequence[str],
    flags: Sequence[str],
    *,
    others: Sequence[Path] = (),
    assembly: str = "",
) -> Path:
    """Build a program, if it is not in the cache, and return its ELF file.

    Args:
        name: its C file.
        parts: what it needs of ``sw/hal``.
        flags: the instruction set, and more for the compiler.
        others: further C files.
        assembly: the text of a further file.
    """
    sources = [
        APPS / "crt0_tile.S",
        FIRMWARE / f"{name}.c",
        *(HAL / f"{part}.c" for part in parts),
        *others,
    ]
    command = [
        *flags,
        *tools.words(
            "-mcmodel=medany -O2 -std=gnu11 --specs=picolibc.specs -nostdlib "
            "-nostartfiles -fno-tree-loop-distribute-patterns -Wall -Wextra -Werror "
            "-ffunction-sections -fdata-sections -Wl,--gc-sections "
            "-DMCU_BASE=SOC_PERIPH_BASE -include gen/tile_map.h"
        ),
        f"-I{HAL}",
        *(f"-I{ROOT / 'sw' / folder}" for folder in ("include", "lib", "driver/core")),
        "-L",
        str(APPS / "gen"),
        "-T",
        str(APPS / "link_tile.ld"),
    ]
    headers = [*sorted((ROOT / "sw").rglob("*.h")), *sorted(FIRMWARE.glob("*.h"))]

    def make(folder: Path) -> None:
        (folder / "more.S").write_text(assembly)
        files = [*sources, folder / "more.S"]
        tools.run([compiler(), *command, *files, "-o", folder / "program.elf"])

    key = digest([*sources, *headers, APPS / "link_tile.ld"], command, assembly)
    return cached("tile-test-programs", key, make) / "program.elf"
