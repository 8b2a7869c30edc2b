"""Saved views of waves, for GTKWave: what a reader wants first, of what a trace really holds.

A view has the port of each engine that took a job, member by member, and those of the shell around
it. It opens at the first job, with markers A where the engine took it and B where it was done. It
holds names and times, no values.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

_PORT_MEMBERS = ("req.job_valid", "rsp.job_ready", "rsp.done_valid", "req.done_ready")
"""What an engine port's structs have in the scope that joins shell and engine."""

_ENGINE_PORT = {
    "job": ("req.job_valid", "rsp.job_ready", "req.job.*"),
    "key": ("req.key_valid", "rsp.key_ready", "req.key"),
    "source": ("req.src_valid", "rsp.src_ready", "req.src.*"),
    "destination": ("rsp.dst_valid", "req.dst_ready", "rsp.dst.*"),
    "done": ("rsp.done_valid", "req.done_ready", "rsp.done_status", "req.clear"),
    "random bits": ("req.rnd_valid", "rsp.rnd_ready"),
    "faults": ("rsp.fault_*",),
}  # fmt: skip
"""Channels of an engine port, with the signals of each; ``*`` stands for anything."""

_SHELL_PORTS = {
    "": ("clk_i", "rst_ni"),
    "registers": ("periph_*", "s_axil_*"),
    "memory": ("tcdm_*", "m_axi_*"),
    "stream in": ("s_axis_*",),
    "stream out": ("m_axis_*",),
    "interrupts": ("evt_o", "irq_o", "error_irq_o"),
}
"""Ports of the shells, likewise."""

_BINARY, _HEXADECIMAL, _DECIMAL = 0x28, 0x22, 0x24
_BLANK, _OPEN, _CLOSE = 0x200, 0x800200, 0x1000200
"""Flags of GTKWave's save files: how values are shown, lines without one, groups."""

_PIXELS, _MOST_PIXELS, _MARGIN = 700, 900, 0.1
"""Width in which the first job is to be seen, bound of that which GTKWave has for waves in a window
of ``_SIZE``, and the share of the job's time that is seen before and behind it."""

_SIZE = "1500 900"

_FRAME = 200
"""Pixels that take 2 ** -zoom units of time (GTKWave's ``calczoom``)."""


@dataclass(frozen=True)
class Span:
    """Times of the trace's unit."""

    start: int
    end: int


class Variable(Protocol):
    """A signal of a trace, as ``pywellen`` gives it; equal identifiers read alike."""

    full_name: str
    bitwidth: int | None
    signal_id: object


class Waves(Protocol):
    """A trace, as ``pywellen`` gives it."""

    def stream_changes(
        self, callback: Callable[[int, object, object], None], include: list[Variable]
    ) -> None:
        """Call with time, identifier and value of each change."""


Signals = Mapping[str, Variable]
"""Those of a trace, by full name."""


def beside(trace: Path) -> Path:
    """Return the file for the view of a trace: GTKWave's ``--autosavename`` finds it, too."""
    return trace.with_suffix(".gtkw")


def write(trace: Path) -> Path | None:
    """Write the view of a trace beside it, in place of one that is there.

    Returns:
        The file; none if the trace is no regular file or no engine took a job.
    """
    if not trace.is_file():
        return None
    import pywellen  # of 30 MB, for this alone

    waves = pywellen.Waveform(str(trace))
    signals = {var.full_name: var for var in waves.all_vars()}
    jobs = {
        scope: span
        for scope in engine_ports(signals)
        if (span := _first_job(waves, signals, scope))
    }
    if not jobs:
        return None
    view = beside(trace)
    view.unlink(missing_ok=True)
    with view.open("x") as file:
        file.writelines(
            f"{line}\n" for line in _lines(trace.name, _last_time(trace), signals, jobs)
        )
    return view


def _last_time(trace: Path) -> int:
    """Return the last time of an FST file: in its first block, behind type, size and start."""
    with trace.open("rb") as file:
        return int.from_bytes(file.read(25)[17:], "big")


def engine_ports(names: Iterable[str]) -> list[str]:
    """List the scopes of a trace in which a shell meets an engine, the outermost ones."""
    known = set(names)
    first = _PORT_MEMBERS[0]
    found = [
        name.removesuffix(f".{first}")
        for name in known
        if name.endswith(f".{first}")
        and all(f"{name.removesuffix(first)}{member}" in known for member in _PORT_MEMBERS)
    ]
    inner = {one for one in found for other in found if one.startswith(f"{other}.")}
    return sorted(set(found) - inner, key=_natural)


def _natural(name: str) -> list[int | str]:
    """Return what sorts lane 10 behind lane 9."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def _first_job(waves: Waves, signals: Signals, scope: str) -> Span | None:
    """Return when an engine took its first job and was done with it; none if it took none."""
    members = [signals[f"{scope}.{member}"] for member in _PORT_MEMBERS]
    level: dict[str, str] = {}
    times: list[int] = []

    def change(time: int, signal: object, value: object) -> None:
        level[str(signal)] = str(value)
        awaited = members[:2] if not times else members[2:]
        if len(times) < 2 and all(level.get(str(one.signal_id)) == "1" for one in awaited):
            times.append(time)

    waves.stream_changes(change, members)
    return Span(times[0], times[-1]) if times else None


def _lines(trace: str, last: int, signals: Signals, jobs: Mapping[str, Span]) -> Iterator[str]:
    """Give the lines of the save file; ``last`` is the last time of the trace."""
    yield "[*] Cryptile: engines that took a job; markers A and B: the first job taken, done"
    if re.fullmatch(r'[^"\\\x00-\x1f\x7f]+', trace):
        # Of two absolute names GTKWave takes the way from one to the other.
        yield f'[dumpfile] "/{trace}"'
        yield f'[savefile] "/{beside(Path(trace))}"'
    first = min(jobs.values(), key=lambda span: span.start)
    length = max(first.end - first.start, 1)
    frame = length * (1 + 2 * _MARGIN) * _FRAME / _PIXELS
    # What would show more than there is starts at 0.
    latest = last - math.ceil(frame * _MOST_PIXELS / _FRAME)
    yield f"[timestart] {max(0, min(first.start - int(length * _MARGIN), latest))}"
    yield f"[size] {_SIZE}"
    yield "[sst_width] 200"
    yield "[signals_width] 330"
    yield f"*{-math.log2(frame):.6f} {first.start} {first.start} {first.end}" + " -1" * 24
    for scope in jobs:
        yield from _group(f"engine port {scope}", scope, _ENGINE_PORT, signals)
    for shell in dict.fromkeys(_shell(signals, scope) for scope in jobs):
        yield from _group(f"shell {shell}", shell, _SHELL_PORTS, signals)
    yield "[pattern_trace] 1"
    yield "[pattern_trace] 0"


def _shell(signals: Signals, scope: str) -> str:
    """Return the module around an engine port: the first scope upwards that has a clock."""
    while f"{scope}.clk_i" not in signals and "." in scope:
        scope = scope.rpartition(".")[0]
    return scope


def _group(
    title: str, scope: str, channels: Mapping[str, Iterable[str]], signals: Signals
) -> Iterator[str]:
    """Give the lines of a group: each channel of which the trace has signals, under its name."""
    yield from (f"@{_OPEN:x}", f"-{title}")
    for channel, patterns in channels.items():
        names = [name for pattern in patterns for name in _matching(f"{scope}.{pattern}", signals)]
        if names and channel:
            yield from (f"@{_BLANK:x}", f"-{channel}")
        for name in names:
            width = signals[name].bitwidth or 1
            yield from (f"@{_flags(name, width):x}", _gtkwave_name(name, width))
    yield from (f"@{_CLOSE:x}", f"-{title}")


def _matching(pattern: str, signals: Signals) -> list[str]:
    """List the signals that a pattern names, in the order of the trace; ``*`` is at its end."""
    if not pattern.endswith("*"):
        return [pattern] if pattern in signals else []
    return [name for name in signals if name.startswith(pattern[:-1])]


def _flags(name: str, width: int) -> int:
    """Return how GTKWave shows a signal: bits, lengths in decimal, all else in hexadecimal."""
    if width == 1:
        return _BINARY
    return _DECIMAL if name.endswith(("_len", "_bytes")) else _HEXADECIMAL


def _gtkwave_name(name: str, width: int) -> str:
    """Return what GTKWave calls a signal: elements of arrays repeat the array's name."""
    scope, _, last = name.rpartition(".")
    if last.startswith("["):
        name = f"{scope}.{scope.rpartition('.')[2]}{last}"
    return f"{name}[{width - 1}:0]" if width > 1 else name
