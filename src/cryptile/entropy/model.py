"""The entropy source's RTL (``rtl/engine/entropy``) with a model of ring oscillators, simulated."""

from pathlib import Path

from cryptile.project import ROOT
from cryptile.systems import harness
from cryptile.toolchain import cache, rtl, tools

_TOP = "cry_entropy"
_RINGS = ROOT / "soc/tile/sim"
_OURS = (
    ROOT / "sim/entropy/main.cpp",
    _RINGS / "oscillators.cpp",
    harness.FOLDER / "options.cpp",
)
_HEADERS = (_RINGS / "oscillators.h", harness.FOLDER / "options.h")


def build() -> Path:
    """Build the simulator, if it is not in the cache, and return its executable.

    Raises:
        CryptileError: the build failed.
    """
    files = rtl.resolve("cryptile:engine:entropy")
    how = [
        "--cc", "--exe", "--top-module", _TOP, "-Wno-fatal", "-O3", "--x-assign", "fast",
        "--x-initial", "fast", "--no-assert", "-o", "samples",
    ]  # fmt: skip
    optimise = "OPT_FAST=-O3 -march=native"

    def make(folder: Path) -> None:
        tools.run(
            [
                "verilator", *how, "-Mdir", folder,
                "-CFLAGS", f"-std=c++17 -Wall -Wextra -I{harness.FOLDER} -I{_RINGS}",
                *(f"+incdir+{path}" for path in files.include_dirs), *files.files, *_OURS,
            ],
            log=folder / "verilate.log",
        )  # fmt: skip
        tools.run(
            ["make", "-C", folder, "-f", f"V{_TOP}.mk", "-j2", tools.ONE_FILE, optimise,
             "OPT_GLOBAL=-O2"],
            log=folder / "compile.log",
        )  # fmt: skip

    key = cache.digest(
        [*files.inputs, *_OURS, *_HEADERS], how, optimise, tools.version("verilator")
    )
    return cache.build("entropy", key, make, what="the model of the entropy source") / "samples"
