"""The simulated stream SoC: build its model and run programs on it.

``build`` makes (once) a Verilator model of ``soc/stream`` with its C++ harness; ``run`` executes
one program on it. Cycle counts come from the RTL and are exact.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptile import catalog
from cryptile.errors import UsageError
from cryptile.project import ROOT, require_checkout
from cryptile.sim import cpus, harness, image, mcu
from cryptile.toolchain import cache, rtl, tools

ENGINES = {
    "copy": ("none",),
    **{name: tuple(catalog.engines()[name].variants) for name in ("aes", "chacha20poly1305")},
}
"""Engines and their variants."""

PROTECT = ("none", "detect", "correct")
"""Levels of protection, in the order of ``prim_protect_pkg::protect_e``."""

WIDTHS = (64, 128)
LATENCY = 8
"""Latency of the memory unless told otherwise, in cycles."""

_HARNESS = ROOT / "soc/stream/sim"
WAIVERS = [mcu.WAIVERS, _HARNESS / "waivers.vlt"]
_OPTIMISE = "-O2 -march=native"


@dataclass(frozen=True)
class Packet:
    """The cycles of one packet through the engine, counted from reset."""

    start: int
    """The driver's first register write: the DMA's channel to memory starts."""
    first_in: int
    last_in: int
    first_out: int
    last_out: int
    beats_in: int
    beats_out: int


@dataclass(frozen=True)
class Result(harness.Result):
    """What one run did."""

    packets: tuple[Packet, ...]
    """The first packets out of the engine, at most ``max_packets``."""
    packets_finished: int


def sources() -> rtl.FileList:
    """List the RTL of the stream SoC, the processor's own included."""
    processor, own = cpus.file_list("cv32e40p"), rtl.resolve("cryptile:soc:stream")
    return rtl.FileList(
        [*processor.files, *own.files], [*processor.include_dirs, *own.include_dirs]
    )


def build(
    engine: str = "chacha20poly1305",
    variant: str = "opt",
    *,
    protect: str = "none",
    width: int = 128,
    assertions: bool = False,
    coverage: bool = False,
    on_build: Callable[[str], None] | None = None,
) -> Path:
    """Build the model, if it is not in the cache, and return its executable.

    Args:
        engine: one of ``ENGINES``.
        variant: one of the engine's variants.
        protect: protection of ChaCha20-Poly1305, one of ``PROTECT``.
        width: bits of the AXI4 bus, 64 or 128.
        assertions: check the protocol assertions of the RTL; the model is slower.
        coverage: collect line and toggle coverage of the project's own RTL.
        on_build: called with a description before a build, which takes about a minute.

    Raises:
        UsageError: an unknown name, or a combination that does not exist.
        CryptileError: the build failed.
    """
    require_checkout()
    if engine not in ENGINES:
        raise UsageError(f"no engine named {engine}; known: {', '.join(ENGINES)}")
    if variant not in ENGINES[engine]:
        raise UsageError(f"no variant {variant} of {engine}; known: {', '.join(ENGINES[engine])}")
    if protect not in PROTECT or (protect != "none" and engine != "chacha20poly1305"):
        raise UsageError(f"no protection {protect} of {engine}")
    if width not in WIDTHS:
        raise UsageError("the bus is 64 or 128 bits wide")

    rtl_files = sources()
    chosen = catalog.variant_name(engine, variant if catalog.engines()[engine].variants else None)
    harness_files = harness.sources(_HARNESS)
    flags = [
        "--cc", "--exe", "--top-module", "stream_soc", "-Wno-fatal", "-O3",
        "--x-assign", "fast", "--x-initial", "fast",
        "--assert" if assertions else "--no-assert",
        *(["--coverage-line", "--coverage-toggle"] if coverage else []),
        f"-GEngine={rtl.literal(chosen, rtl_files)}",
        f"-GProtect={PROTECT.index(protect)}",
        f"-GDataWidth={width}",
    ]  # fmt: skip

    def make(folder: Path) -> None:
        if on_build is not None:
            on_build(f"building the stream SoC model ({engine} {variant})")
        tools.run(
            [
                "verilator",
                *flags,
                "-Mdir",
                folder,
                "-o",
                "stream",
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
            ["make", "-C", folder, "-f", "Vstream_soc.mk", "-j2", tools.ONE_FILE,
             f"OPT_FAST={'-O0' if coverage else _OPTIMISE}", "OPT_GLOBAL=-O2"],
            log=folder / "compile.log",
        )  # fmt: skip

    inputs = [*WAIVERS, *rtl_files.inputs, *harness_files]
    key = cache.digest(inputs, flags, _OPTIMISE, tools.version("verilator"))
    return cache.build("stream", key, make) / "stream"


def run(
    model: Path,
    elf: Path,
    params: bytes = b"",
    input: Path | None = None,
    output: Path | harness.MemoryFile | None = None,
    *,
    max_cycles: int = 1_000_000_000,
    on_progress: Callable[[harness.Progress], None] | None = None,
    latency: int = LATENCY,
    stall_percent: int = 0,
    stall_seed: int = 1,
    max_packets: int = 4096,
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
        latency: of the memory behind AXI4, in cycles, up to 255.
        stall_percent: chance that the memory holds back reads, and writes, in a cycle.
        stall_seed: seed of the stalls.
        max_packets: how many packets the result lists.
        coverage: file for coverage data; the model must have been built with ``coverage``.

    Raises:
        UsageError: the program is missing or no 32-bit RISC-V executable.
        CryptileError: the simulation failed: a file, the image's size, an assertion.
    """
    if not 0 <= latency < 256:
        raise UsageError("the latency of the memory is 0 to 255 cycles")
    options = {
        "input": input,
        "output": output,
        "max-cycles": max_cycles,
        "max-jobs": max_packets,
        "latency": latency,
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
        packets=tuple(Packet(*packet) for packet in raw["packets"]),
        packets_finished=raw["packets_finished"],
    )
