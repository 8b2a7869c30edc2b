"""The tile's RTL as a plugin of QEMU, with the random bit generator beside it."""

import shutil
from pathlib import Path

from cryptile.catalog.load import tile_engines
from cryptile.linux.machine import TILE_QUEUES
from cryptile.project import ROOT
from cryptile.toolchain import cache, rtl, tools

FOLDER = ROOT / "sw/linux/qemu"
_OSCILLATORS = ROOT / "soc/tile/sim"
_REGISTERS = ROOT / "sw/hal/gen"
_FORCED = FOLDER / "tile.vlt"
_NAME = "cryptile-tile.so"
_OPTIMISE = "-O1 -march=native"
_SECONDS = 120


def build() -> Path:
    """Build the plugin, if it is not in the cache, and return its shared object.

    Raises:
        CryptileError: the build failed.
    """
    tile, rbg = rtl.resolve("cryptile:shell:tile"), rtl.resolve("cryptile:engine:rbg")
    sources = [*sorted(FOLDER.glob("*.cpp")), _OSCILLATORS / "oscillators.cpp"]
    opcodes = sum(
        1 << engine.opcode.number for engine in tile_engines("tile").values() if engine.opcode
    )
    how = tools.words("--cc -Wno-fatal -O3 --no-assert --x-assign fast --x-initial fast")
    of_rbg = ["--top-module", "cry_rbg", "-GBulk=1'b1"]
    of_tile = [
        "--exe",
        "--top-module",
        "cry_tile",
        f"-GNumQueues={TILE_QUEUES}",
        f"-GOpcodes=16'h{opcodes:04x}",
    ]
    built = f"OPT_FAST={_OPTIMISE}", "OPT_GLOBAL=-O2", tools.ONE_FILE

    def verilate(folder: Path, files: rtl.FileList, *words: str | Path) -> None:
        folder.mkdir()
        command: list[str | Path] = ["verilator", *how, *words, "-Mdir", folder]
        command += ["-CFLAGS", f"-include {tools.COLD}"]
        command += [*(f"+incdir+{path}" for path in files.include_dirs), *files.files]
        tools.run(command, log=folder / "verilate.log")

    def make_model(folder: Path, name: str, target: str) -> None:
        command = ["make", "-C", str(folder), "-f", f"{name}.mk", "-j2", *built, target]
        tools.run(command, log=folder / "compile.log")

    def make(target: Path) -> None:
        beside, folder = target / "rbg", target / "obj"
        verilate(beside, rbg, *of_rbg, "-CFLAGS", "-fPIC")
        make_model(beside, "Vcry_rbg", "Vcry_rbg__ALL.a")
        include = " ".join(f"-I{path}" for path in (FOLDER, _OSCILLATORS, _REGISTERS, beside))
        verilate(
            folder,
            tile,
            *of_tile,
            _FORCED,
            *sources,
            "-o",
            _NAME,
            "-LDFLAGS",
            f"-shared {beside / 'Vcry_rbg__ALL.a'}",
            "-CFLAGS",
            f"-fPIC -std=c++17 -Wall -Wextra {include}",
        )
        make_model(folder, "Vcry_tile", _NAME)
        (folder / _NAME).rename(target / _NAME)
        shutil.rmtree(folder)
        shutil.rmtree(beside)

    headers = [
        *FOLDER.glob("*.h"),
        _OSCILLATORS / "oscillators.h",
        _REGISTERS / "tile_regs.h",
        _REGISTERS / "rbg_regs.h",
        tools.COLD,
    ]
    inputs = [*tile.inputs, *rbg.inputs, _FORCED, *sources, *sorted(headers)]
    words = [*how, *of_rbg, *of_tile]
    key = cache.digest(inputs, words, _OPTIMISE, tools.version("verilator"))
    made = cache.build("linux/plugin", key, make, what="the tile for QEMU", seconds=_SECONDS)
    return made / _NAME
