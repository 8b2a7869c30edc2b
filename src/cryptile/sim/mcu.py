"""The simulated microcontroller: build its model and run programs on it.

``build`` makes (once) a Verilator model of ``soc/mcu`` with its C++ harness; ``run`` executes one
program on it. Cycle counts come from the RTL and are exact: the same model, program and input give
the same numbers in every run.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptile import catalog
from cryptile.errors import UsageError
from cryptile.project import ROOT, require_checkout
from cryptile.sim import cpus, harness, image
from cryptile.sim.harness import MemoryFile, Progress
from cryptile.toolchain import cache, rtl, tools

VARIANTS = tuple(catalog.engines()["aes"].variants)
"""Datapaths of the AES engine."""

RV32B = ("none", "balanced", "otearlgrey", "full")
"""Bit-manipulation configurations of Ibex, in the order of ``ibex_pkg::rv32b_e``."""

CONFIGS = tuple(catalog.engines()["aes"].configs)
"""What of the AES engine is built in."""

WAIVERS = ROOT / "soc/mcu/sim/waivers.vlt"
"""Lint rules that are off in the processors' RTL, and what the harness sees of the model."""

_HARNESS = ROOT / "soc/mcu/sim"
_OPTIMISE = "-O2 -march=native"


@dataclass(frozen=True)
class Job:
    """The cycles of one job of the processing engine, counted from reset."""

    first_write: int
    """The first write to a register of the engine since the trigger before."""
    trigger: int
    """The write to TRIGGER."""
    event: int | None
    """The event at the end; None for a job that was aborted, refused or cut off by the end."""

    @property
    def cycles(self) -> int | None:
        """Cycles from the first register write to the event."""
        return None if self.event is None else self.event - self.first_write


@dataclass(frozen=True)
class Result(harness.Result):
    """What one run did."""

    jobs: tuple[Job, ...]
    """The first jobs of the engine, at most ``max_jobs``."""
    jobs_finished: int
    """All jobs that raised their event."""


def sources(core: str) -> rtl.FileList:
    """List the RTL of the microcontroller with one processor core, the processor's own included.

    Raises:
        UsageError: no core has that name.
    """
    processor = cpus.file_list(core)
    own = rtl.resolve("cryptile:soc:mcu")
    others = {f"mcu_core_{name}" for name in cpus.CORES if name != core}
    return rtl.FileList(
        [*processor.files, *(path for path in own.files if path.stem not in others)],
        [*processor.include_dirs, *own.include_dirs],
    )


def build(
    core: str = "cv32e40p",
    *,
    rv32b: str = "none",
    variant: str = "iterative",
    config: str = "full",
    banks: int = 8,
    assertions: bool = False,
    trace: bool = False,
    coverage: bool = False,
    on_build: Callable[[str], None] | None = None,
) -> Path:
    """Build the model, if it is not in the cache, and return its executable.

    Args:
        core: the processor, one of ``cpus.CORES``.
        rv32b: bit-manipulation configuration of Ibex, one of ``RV32B``.
        variant: datapath of the AES engine, one of ``VARIANTS``.
        config: functions of the AES engine, one of ``CONFIGS``.
        banks: number of TCDM banks, a power of two.
        assertions: check the protocol assertions of the RTL; the model is slower.
        trace: be able to write waves.
        coverage: collect line and toggle coverage of the project's own RTL.
        on_build: called with a description before a build, which takes about a minute.

    Raises:
        UsageError: an unknown name, or a combination that does not exist.
        CryptileError: the build failed.
    """
    require_checkout()
    _choose("variant", variant, VARIANTS)
    _choose("RV32B configuration", rv32b, RV32B)
    _choose("engine configuration", config, CONFIGS)
    _choose("processor core", core, cpus.CORES)
    if rv32b != "none" and core != "ibex":
        raise UsageError("bit manipulation (RV32B) is an option of Ibex only")

    rtl_files = sources(core)
    harness_files = harness.sources(_HARNESS)
    flags = [
        "--cc", "--exe", "--top-module", "mcu_soc", "-Wno-fatal", "-O3",
        "--x-assign", "fast", "--x-initial", "fast",
        "--assert" if assertions else "--no-assert",
        *(["--trace-fst"] if trace else []),
        *(["--coverage-line", "--coverage-toggle"] if coverage else []),
        f"-GCore={cpus.CORES.index(core)}",
        f"-GRv32b={RV32B.index(rv32b)}",
        f"-GNumBanks={banks}",
        f"-GEngine={rtl.literal(catalog.variant_name('aes', variant, config), rtl_files)}",
    ]  # fmt: skip

    def make(folder: Path) -> None:
        if on_build is not None:
            on_build(f"building the microcontroller model ({core}, {variant} AES engine)")
        tools.run(
            [
                "verilator",
                *flags,
                "-Mdir",
                folder,
                "-o",
                "mcu",
                "-CFLAGS",
                f"-std=c++17 -Wall -Wextra -I{harness.FOLDER}",
                *(f"+incdir+{path}" for path in rtl_files.include_dirs),
                WAIVERS,
                *rtl_files.files,
                *(path for path in harness_files if path.suffix == ".cpp"),
            ],
            log=folder / "verilate.log",
        )
        tools.run(
            ["make", "-C", folder, "-f", "Vmcu_soc.mk", "-j2", tools.ONE_FILE,
             f"OPT_FAST={'-O0' if coverage else _OPTIMISE}", "OPT_GLOBAL=-O2"],
            log=folder / "compile.log",
        )  # fmt: skip

    inputs = [WAIVERS, *rtl_files.inputs, *harness_files]
    key = cache.digest(inputs, flags, _OPTIMISE, tools.version("verilator"))
    return cache.build("mcu", key, make) / "mcu"


def run(
    model: Path,
    elf: Path,
    params: bytes = b"",
    input: Path | None = None,
    output: Path | MemoryFile | None = None,
    *,
    max_cycles: int = 1_000_000_000,
    on_progress: Callable[[Progress], None] | None = None,
    stall_percent: int = 0,
    stall_seed: int = 1,
    max_jobs: int = 4096,
    trace: Path | None = None,
    coverage: Path | None = None,
) -> Result:
    """Run a program until it ends or ``max_cycles`` have passed.

    Args:
        model: what ``build`` returned.
        elf: the program.
        params: what the mailbox command "read the parameters" gives.
        input: file behind "read input"; none reads as empty.
        output: file behind "write output"; without one the command is refused.
        max_cycles: bound on the simulated cycles.
        on_progress: called some 20 times a second.
        stall_percent: chance that a TCDM master is held back in a cycle.
        stall_seed: seed of the stalls.
        max_jobs: how many jobs of the engine the result lists.
        trace: FST file for waves; the model must have been built with ``trace``.
        coverage: file for coverage data; the model must have been built with ``coverage``.

    Raises:
        UsageError: the program is missing or no 32-bit RISC-V executable.
        CryptileError: the simulation failed: a file, the image's size, an assertion.
    """
    options = {
        "input": input,
        "output": output,
        "trace": trace,
        "max-cycles": max_cycles,
        "max-jobs": max_jobs,
        "stall-percent": stall_percent,
        "stall-seed": stall_seed,
    }
    result, raw = harness.run(
        model,
        options,
        image=image.from_elf(elf),
        params=params,
        coverage=coverage,
        on_progress=on_progress,
    )
    return Result(
        **vars(result),
        jobs=tuple(Job(first, trigger, event or None) for first, trigger, event in raw["jobs"]),
        jobs_finished=raw["jobs_finished"],
    )


def _choose(what: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise UsageError(f"no {what} named {name}; known: {', '.join(known)}")
