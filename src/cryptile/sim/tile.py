"""The simulated tile SoC: build its model and run programs on it.

``build`` makes (once) a Verilator model of ``soc/tile`` with its C++ harness; ``run`` executes one
program on it. Cycle counts come from the RTL and are exact. The whole state of a run can be saved,
and other runs can start from it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptile.errors import UsageError
from cryptile.project import ROOT, require_checkout
from cryptile.sim import cpus, harness, image
from cryptile.toolchain import cache, rtl, tools

LATENCY = 10
"""Latency of the memory unless told otherwise, in cycles."""

_HARNESS = ROOT / "soc/tile/sim"
WAIVERS = [_HARNESS / "waivers.vlt"]
_QUICK_TO_BUILD = "-O1 -march=native"
_QUICK_TO_RUN = "-O3 -march=native"


@dataclass(frozen=True)
class Result(harness.Result):
    """What one run did."""

    saved: bool
    """Whether the state was saved."""


def sources() -> rtl.FileList:
    """List the RTL of the tile SoC, the processor's own included."""
    processor, own = cpus.file_list("cva6"), rtl.resolve("cryptile:soc:tile")
    return rtl.FileList(
        [*processor.files, *own.files], [*processor.include_dirs, *own.include_dirs]
    )


def build(
    *,
    long_runs: bool = False,
    assertions: bool = False,
    coverage: bool = False,
    on_build: Callable[[str], None] | None = None,
) -> Path:
    """Build the model, if it is not in the cache, and return its executable.

    Args:
        long_runs: spend more time on the build, for long runs that use the tile late or not.
        assertions: check the protocol assertions of the RTL; the model is slower.
        coverage: collect line and toggle coverage of the project's own RTL.
        on_build: called with a description before a build, which takes minutes.

    Raises:
        CryptileError: the build failed.
    """
    require_checkout()
    optimise = _QUICK_TO_RUN if long_runs else _QUICK_TO_BUILD
    savable = str(_HARNESS / "savable.h")
    if long_runs:
        included = ["--compiler-include", savable]
        how = ["CFG_CXXFLAGS_PCH_I=-include", f"OPT_FAST={optimise}", "OPT_SLOW=-O0"]
    else:  # Verilator would look for the header in a precompiled one, of which there is none.
        included = ["-CFLAGS", f"-include {savable}"]
        how = [tools.ONE_FILE, f"OPT_FAST={'-O0' if coverage else optimise}"]
    rtl_files = sources()
    harness_files = harness.sources(_HARNESS)
    flags = [
        "--cc", "--exe", "--top-module", "tile_soc", "-Wno-fatal", "-O3", "--savable",
        "--x-assign", "fast", "--x-initial", "fast",
        "--assert" if assertions else "--no-assert",
        *(["--coverage-line", "--coverage-toggle"] if coverage else []),
        *(f"+define+{name}" for name in cpus.CVA6_DEFINES),
    ]  # fmt: skip

    def make(folder: Path) -> None:
        if on_build is not None:
            on_build("building the tile SoC model")
        tools.run(
            [
                "verilator",
                *flags,
                *included,
                "-Mdir",
                folder,
                "-o",
                "tile",
                "-CFLAGS",
                f"-std=c++17 -Wall -Wextra -I{harness.FOLDER}",
                *(f"+incdir+{path}" for path in rtl_files.include_dirs),
                *WAIVERS,
                *rtl_files.files,
                *(path for path in harness_files if path.suffix == ".cpp"),
            ],
            log=folder / "verilate.log",
        )
        tools.run(
            ["make", "-C", folder, "-f", "Vtile_soc.mk", "-j2", *how, "OPT_GLOBAL=-O2"],
            log=folder / "compile.log",
        )  # fmt: skip

    inputs = [*WAIVERS, *rtl_files.inputs, *harness_files]
    key = cache.digest(inputs, flags, optimise, tools.version("verilator"))
    return cache.build("tile", key, make) / "tile"


def run(
    model: Path,
    elf: Path | None,
    params: bytes = b"",
    input: Path | None = None,
    output: Path | harness.MemoryFile | None = None,
    *,
    data: Mapping[int, Path] | None = None,
    max_cycles: int = 1_000_000_000,
    on_progress: Callable[[harness.Progress], None] | None = None,
    latency: int = LATENCY,
    stall_percent: int = 0,
    stall_seed: int = 1,
    uart: Path | None = None,
    save: Path | None = None,
    save_at: int | None = None,
    restore: Path | None = None,
    coverage: Path | None = None,
) -> Result:
    """Run a program until it ends or ``max_cycles`` have passed.

    Args:
        model: what ``build`` returned.
        elf: the program; None with ``restore``.
        params: what the mailbox command "read the parameters" gives.
        input: file behind "read input"; none reads as empty.
        output: file behind "write output"; without one the command is refused.
        data: further files to load, by address.
        max_cycles: bound on the simulated cycles, counted from reset.
        on_progress: called some 20 times a second.
        latency: of the memory, in cycles, up to 255.
        stall_percent: chance that the memory holds back reads, and writes, in a cycle.
        stall_seed: seed of the stalls.
        uart: what the UART receives, as fast as it is read.
        save: file for the state of the simulation, memory and registers: it holds the keys that the
            program was given.
        save_at: cycle after which it is saved; None: at the program's mailbox command 4.
        restore: a saved state, of the same model, to start from.
        coverage: file for coverage data; the model must have been built with ``coverage``.

    Raises:
        UsageError: the program is missing or no 64-bit RISC-V executable, or a bad option.
        CryptileError: the simulation failed: a file, the image's size, an assertion.
    """
    if not 0 <= latency < 256:
        raise UsageError("the latency of the memory is 0 to 255 cycles")
    if (elf is None) == (restore is None):
        raise UsageError("run either a program or a saved state")
    if save_at is not None and save_at < 1:
        raise UsageError("cycles are counted from 1")
    options = {
        "input": input,
        "output": output,
        "max-cycles": max_cycles,
        "latency": latency,
        "stall-percent": stall_percent,
        "stall-seed": stall_seed,
        "uart": uart,
        "save": save,
        "save-at": save_at,
        "restore": restore,
    }
    result, raw = harness.run(
        model,
        options,
        image=_image(elf, data or {}) if elf is not None else None,
        params=params,
        coverage=coverage,
        on_progress=on_progress,
    )
    return Result(
        **vars(result),
        saved=raw["saved"],
    )


def _image(elf: Path, data: Mapping[int, Path]) -> bytes:
    """Return the image of a program and of further files by address."""
    parts = [image.from_elf(elf, xlen=64)]
    parts += [image.record(at, path.read_bytes()) for at, path in data.items()]
    return b"".join(parts)
