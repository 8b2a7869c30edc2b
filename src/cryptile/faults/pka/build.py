"""Builds the program that injects upsets: the engine's RTL by Verilator, and what is around it."""

from pathlib import Path

from cryptile.toolchain import cache, rtl, tools

FOLDER = Path(__file__).parent
CORE, TOP = "cryptile:engine:pka", "cry_pka_engine"
RANDOM_CYCLES = 1000
"""How long the engine waits for random bits, which are always there."""


def build(bits: int = 256) -> Path:
    """Return the program for rows of a width, built first if it is not there."""
    files = rtl.resolve(CORE)
    top = rtl.top(TOP, files, {"RandomCycles": str(RANDOM_CYCLES), "RowBits": str(bits)})
    sources = sorted(FOLDER.glob("*.cpp"))
    options = [
        "--cc", "--exe", "--build", "--prefix", "Vpka", "-O3", "--flatten", "--x-initial", "fast",
        "-Wno-fatal", "-Wno-lint", "-Wno-style", "-DSYNTHESIS", "--top-module", top.module,
        "-CFLAGS", f"-std=c++20 -I{FOLDER} -DPKA_ROW_BITS={bits} -include {tools.COLD}",
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
