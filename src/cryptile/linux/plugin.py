"""The tile's RTL as a plugin of QEMU."""

import shutil
from pathlib import Path

from cryptile.linux.machine import TILE_QUEUES
from cryptile.project import ROOT
from cryptile.toolchain import cache, rtl, tools

FOLDER = ROOT / "sw/linux/qemu"
_REGISTERS = ROOT / "sw/hal/gen"
_NAME = "cryptile-tile.so"
_OPTIMISE = "-O1 -march=native"
_SECONDS = 120


def build() -> Path:
    """Build the plugin, if it is not in the cache, and return its shared object.

    Raises:
        CryptileError: the build failed.
    """
    files = rtl.resolve("cryptile:shell:tile")
    sources = sorted(FOLDER.glob("*.cpp"))
    how = [
        "--cc", "--exe", "--top-module", "cry_tile", f"-GNumQueues={TILE_QUEUES}", "-Wno-fatal",
        "-O3", "--no-assert", "--x-assign", "fast", "--x-initial", "fast",
    ]  # fmt: skip

    def make(target: Path) -> None:
        folder = target / "obj"
        folder.mkdir()
        tools.run(
            [
                "verilator", *how, "-Mdir", folder, "-o", _NAME, "-LDFLAGS", "-shared",
                "-CFLAGS", f"-fPIC -std=c++17 -Wall -Wextra -I{FOLDER} -I{_REGISTERS}",
                "-CFLAGS", f"-include {tools.COLD}",
                *(f"+incdir+{path}" for path in files.include_dirs), *files.files, *sources,
            ],
            log=folder / "verilate.log",
        )  # fmt: skip
        tools.run(
            [
                "make",
                "-C",
                folder,
                "-f",
                "Vcry_tile.mk",
                "-j2",
                tools.ONE_FILE,
                f"OPT_FAST={_OPTIMISE}",
                "OPT_GLOBAL=-O2",
            ],
            log=folder / "compile.log",
        )
        (folder / _NAME).rename(target / _NAME)
        shutil.rmtree(folder)

    headers = [*FOLDER.glob("*.h"), _REGISTERS / "tile_regs.h", tools.COLD]
    inputs = [*files.inputs, *sources, *sorted(headers)]
    key = cache.digest(inputs, how, _OPTIMISE, tools.version("verilator"))
    made = cache.build("linux/plugin", key, make, what="the tile for QEMU", seconds=_SECONDS)
    return made / _NAME
