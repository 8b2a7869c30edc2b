"""Runs a checked request on a simulated system-on-chip."""

import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from cryptile import catalog, firmware
from cryptile.crypt import destination
from cryptile.crypt.request import Direction, Padding, Request
from cryptile.crypt.source import inherited, named
from cryptile.errors import CryptileError, FindingError, UsageError
from cryptile.firmware import params as firmware_params
from cryptile.records import Record
from cryptile.systems import mcu, monitors, stream, tile
from cryptile.systems.harness import Progress, Result, memory_file


class ComputePath(StrEnum):
    """What computes."""

    engine = "engine"
    software = "software"


DEFAULT_VARIANT = {"mcu": "iterative", "tile": "pipelined"}


def default_variant(soc: str, alg: str) -> str:
    """Return the datapath that is taken if none is named."""
    return DEFAULT_VARIANT.get(soc) or catalog.default_variant(_engine(alg))


def _engine(alg: str) -> str:
    return catalog.algorithms()[alg].engine


class Software(StrEnum):
    """The software implementation; only bitsliced is constant-time."""

    bitsliced = "bitsliced"
    compact = "compact"
    table = "table"


class Core(StrEnum):
    """The RISC-V core."""

    cv32e40p = "cv32e40p"
    ibex = "ibex"


@dataclass(frozen=True)
class Platform:
    """Where a request runs; ``trace`` is a file for waves, which then hold the key, too."""

    soc: str
    core: str
    path: ComputePath
    variant: str
    software: Software
    trace: Path | None = None

    @property
    def impl(self) -> str:
        """The word for what computes: the engine's variant or the software's name."""
        return self.variant if self.path is ComputePath.engine else self.software

    def describe(self) -> str:
        """Name it for a reader."""
        return f"{self.impl} {self.path} on {self.soc} with {self.core}"


@dataclass(frozen=True)
class Outcome:
    """What a run took.

    Attributes:
        message_bytes: length of the input file.
        cycles: simulated clock cycles of the work: reading, computing, writing, wiping.
        program_cycles: those from reset to the end of the program.
        sleep_cycles: those in which the core slept.
        output: what came out, if the request names no file for it.
    """

    message_bytes: int
    cycles: int
    program_cycles: int
    sleep_cycles: int
    output: bytes = b""

    @property
    def cycles_per_byte(self) -> float:
        """Cycles per byte of input; an empty file counts as one byte."""
        return self.cycles / max(self.message_bytes, 1)

    @property
    def asleep_share(self) -> float:
        """Share of the cycles in which the core slept."""
        return self.sleep_cycles / self.cycles

    def rate(self, clock_mhz: float) -> float:
        """Return megabytes (10^6 bytes) per second at a clock in MHz."""
        return self.message_bytes * clock_mhz / self.cycles


_Simulate = Callable[..., Result]


def run(
    request: Request,
    platform: Platform,
    *,
    on_built: Callable[[], None],
    on_progress: Callable[[Progress], None],
) -> Outcome:
    """Build what is missing, run the firmware, and put the output in its place.

    The output appears under its name only when all of it is right: on any failure there is none.
    Until then it is in memory alone, as are key and parameters.

    Args:
        request: what to do.
        platform: where to do it.
        on_built: called when simulator and firmware are ready.
        on_progress: called with bytes so far and cycles.

    Raises:
        FindingError: the ciphertext's padding or tag is wrong.
        UsageError: the output cannot be written, or the platform does not exist.
        CryptileError: the firmware reported a failure or did not end.
    """
    length = request.source.stat().st_size
    with leaving_nothing(), memory_file() as made:
        simulate = _prepare(request, platform)
        on_built()
        result = simulate(
            input=inherited(request.source),
            output=made,
            max_cycles=_cycle_bound(length),
            on_progress=on_progress,
            trace=platform.trace,
        )
        _raise_for(result.exit_code, request)
        output = b"" if request.output else made.path.read_bytes()
        if request.output:
            plaintext = request.direction is Direction.decrypt
            mode = destination.PLAINTEXT if plaintext else destination.OTHER
            destination.write(request.output, made.path, mode=mode, force=request.force)
    return Outcome(length, _work_cycles(result.console), result.cycles, result.sleep_cycles, output)


@contextmanager
def leaving_nothing() -> Iterator[None]:
    """Let SIGTERM end the work as an exception does, with the simulator; forbid core files.

    The limit on core files is one byte: too few for a file, and the one limit at which Linux starts
    no program that ``/proc/sys/kernel/core_pattern`` names (core(5)): at zero it would.
    """
    limits = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (1 if limits[1] else 0, limits[1]))
    before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        resource.setrlimit(resource.RLIMIT_CORE, limits)


def _prepare(request: Request, platform: Platform) -> _Simulate:
    """Build what is missing and return what runs the request."""
    if platform.soc == "tile":
        return _on_tile(request, platform)
    if platform.soc == "stream":
        return _on_stream(request, platform)
    return _on_mcu(request, platform)


def _on_mcu(request: Request, platform: Platform) -> Callable[..., monitors.Result]:
    """Build the microcontroller and return what runs the request on it."""
    parameters = firmware_params.crypt(
        impl="engine-sleep" if platform.path is ComputePath.engine else platform.software,
        mode=request.mode,
        direction=request.direction,
        key=request.key,
        iv=request.iv,
        padding=request.padding,
    )
    traced = platform.trace is not None
    model = mcu.build(core=platform.core, variant=platform.variant, trace=traced)
    return partial(mcu.run, model, firmware.build("crypt", core=platform.core), parameters)


def _on_stream(request: Request, platform: Platform) -> Callable[..., monitors.Result]:
    """Build the stream SoC and return what runs the request on it."""
    if platform.path is ComputePath.software or platform.core is not Core.cv32e40p:
        raise UsageError("the stream SoC encrypts by its engine, beside CV32E40P")
    parameters = firmware_params.crypt_stream(
        alg=request.alg,
        direction="decrypt" if request.direction is Direction.decrypt else "encrypt",
        key=request.key,
        iv=request.iv,
        aad=request.aad,
        sleep=True,
    )
    traced = platform.trace is not None
    model = stream.build(_engine(request.alg), platform.variant, trace=traced)
    return partial(stream.run, model, firmware.build("crypt_stream"), parameters)


def _on_tile(request: Request, platform: Platform) -> Callable[..., monitors.Result]:
    """Build the tile SoC and return what runs the request on it."""
    if platform.path is ComputePath.software:
        raise UsageError(
            "the tile SoC encrypts by its tile: see 'cryptile bench tile' for software"
        )
    parameters = firmware_params.crypt_tile(
        alg=request.alg,
        decrypt=request.direction in (Direction.decrypt, Direction.verify),
        key=request.key,
        iv=request.iv,
        aad=request.aad,
        tag=request.tag,
        length=request.length,
        pkcs7=request.padding is Padding.pkcs7,
        sleep=True,
    )
    model = tile.build(trace=platform.trace is not None)
    return partial(tile.run, model, firmware.build("crypt_tile"), parameters)


def records(request: Request, platform: Platform, outcome: Outcome) -> list[Record]:
    """Return the run's figures."""
    params = {
        "soc": platform.soc,
        "core": platform.core,
        "path": platform.path,
        "impl": platform.impl,
        "alg": request.alg,
        "direction": request.direction,
        "bytes": outcome.message_bytes,
    }
    return [
        Record("crypt", "cycles", outcome.cycles, "cycles", params),
        Record("crypt", "program_cycles", outcome.program_cycles, "cycles", params),
        Record("crypt", "cycles_per_byte", outcome.cycles_per_byte, "cycles/byte", params),
        Record("crypt", "sleep_cycles", outcome.sleep_cycles, "cycles", params),
    ]


def _work_cycles(console: str) -> int:
    """Return what the firmware measured by the system's cycle counter."""
    found = re.search(r"^R crypt_cycles (\d+)$", console, re.MULTILINE)
    if found is None:
        raise CryptileError(f"the firmware reported no cycles:\n{console}")
    return int(found[1])


def _cycle_bound(message_bytes: int) -> int:
    """Return a number of cycles that no working run reaches: software needs some 300 a byte."""
    return 10_000_000 + 2_000 * message_bytes


def _raise_for(exit_code: int | None, request: Request) -> None:
    if exit_code == 0:
        return
    if exit_code is None:
        raise CryptileError("the firmware did not end within its bound of cycles")
    if exit_code == firmware_params.EXIT_BAD_PADDING:
        raise FindingError(
            f"{named(request.source)}: bad padding: wrong key or IV, or damaged data"
        )
    if exit_code == firmware_params.EXIT_BAD_TAG:
        raise FindingError(
            f"{named(request.source)}: wrong tag: wrong key, IV or --aad, or damaged data"
        )
    if exit_code >= firmware_params.EXIT_TRAP:
        why = f"the core trapped with cause {exit_code - firmware_params.EXIT_TRAP}"
    else:
        why = firmware_params.STATUS.get(exit_code, f"exit code {exit_code}")
    raise CryptileError(f"the firmware failed: {why}")
