"""Builds the program that injects upsets: the engine's RTL by Verilator, and what is around it."""

from pathlib import Path

from cryptile.pka.isa import WIDTH256, Width
from cryptile.toolchain import cache, rtl, tools

FOLDER = Path(__file__).parent
CORE, TOP = "cryptile:engine:pka", "cry_pka_engine"
RANDOM_CYCLES = 1000
"""How long the engine waits for random bits, which are always there."""


def build(width: Width = WIDTH256) -> Path:
    """Return the program for a machine, built first if it is not there."""
    lanes = width.multiplier.lanes
    files = rtl.resolve(CORE)
    parameters = {"RandomCycles": RANDOM_CYCLES, "RowBits": width.bits, "Lanes": lanes}
    top = rtl.top(TOP, files, {name: str(value) for name, value in parameters.items()})
    sources = sorted(FOLDER.glob("*.cpp"))
    options = [
        "--cc", "--exe", "--build", "--prefix", "Vpka", "-O3", "--flatten", "--x-initial", "fast",
        "-Wno-fatal", "-Wno-lint", "-Wno-style", "-DSYNTHESIS", "--top-module", top.module,
        "-CFLAGS", f"-std=c++20 -I{FOLDER} -DPKA_ROW_BITS={width.bits} -DPKA_LANES={lanes}",
        "-CFLAGS", f"-include {tools.COLD}",
        *(f"-D{macro}" for macro in top.defines),
        *(f"-I{folder}" for folder in files.include_dirs),
        "-MAKEFLAGS", f"{tools.ONE_FILE} OPT_FAST=-O2",
    ]  # fmt: skip

    def make(folder: Path) -> None:
        command: list[str | Path] = [tools.find("verilator"), *options, "--Mdir", folder / "obj"]
        command += [FOLDER / "engine.vlt", *files.files, *sources]
        tools.run(command, log=folder / "build.log")

    headers = sorted([*FOLDER.glob("*.h"), *FOLDER.glob("*.vlt")])
    key = cache.digest(
        [*files.inputs, *sources, *headers],
        options,
        tools.version("verilator"),
        tools.version("g++"),
    )
    what = "the model of the public-key engine"
    return cache.build("faults/pka", key, make, what=what, seconds=60) / "obj" / "Vpka"
