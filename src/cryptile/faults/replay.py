"""One fault as a waveform: the golden machine and the faulty one side by side, as VCD."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cryptile.errors import UsageError
from cryptile.faults import shard
from cryptile.faults.campaign import Campaign
from cryptile.faults.golden import NEVER
from cryptile.faults.shard import Part, Verdict
from cryptile.faults.sites import register

_LONGEST = 2000
"""Cycles behind the fault that are written at most."""

_RUNS = 2


@dataclass(frozen=True)
class Replayed:
    """What became of a fault, how many cycles later, and the first cycle of the waveform."""

    verdict: Verdict
    latency: int
    start: int


def replay(what: Campaign, place: str, cycle: int, file: Path) -> Replayed:
    """Run one fault and write its waveform.

    Raises:
        UsageError: there is no such place or cycle, or the file cannot be written.
    """
    if place not in what.sites.names:
        raise UsageError(f"there is no place {place!r} in {what.design.name}")
    if not what.first <= cycle < what.end:
        raise UsageError(f"faults can be in the cycles {what.first} to {what.end - 1}")
    site = np.array([what.sites.names.index(place)], np.uint32)
    part = Part(
        cycle, what.end, True, (np.array([cycle], np.uint32), site), 1, NEVER, is_first=True
    )
    found = shard.run(what.machine, what.golden, what.sites, part, merge=False)
    verdict, latency = Verdict(int(found.outcome[0])), int(found.latency[0])
    start = cycle // what.golden.interval * what.golden.interval
    cycles = cycle - start + min(latency, _LONGEST) + 1
    signals = _signals(what)
    bits = sum(len(columns) for _, columns in signals)
    trace = np.zeros((cycles, _RUNS, bits), np.uint8)
    shard.run(
        what.machine, what.golden, what.sites, part, merge=False, trace=trace, trace_cycles=cycles
    )
    try:
        file.write_text("\n".join(_vcd(what, signals, trace, start)) + "\n")
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from error
    return Replayed(verdict, latency, start)


Signals = list[tuple[str, list[int]]]
"""Names with the columns of the trace that hold their bits, lowest first."""


def _signals(what: Campaign) -> Signals:
    layout, registers = what.machine.layout, dict[str, dict[int, int]]()
    inputs, flops = len(layout.input_nets), what.machine.flops
    for index, name in enumerate(flops):
        stem, bit = register(name)
        registers.setdefault(stem, {})[bit] = inputs + index
    found = [(name, list(range(first, first + width)))
             for name, (first, width) in layout.inputs.items()]  # fmt: skip
    found += [(name, [bits[bit] for bit in sorted(bits)]) for name, bits in registers.items()]
    offset = inputs + len(flops)
    found += [(name, list(range(offset + first, offset + first + width)))
              for name, (first, width) in layout.outputs.items()]  # fmt: skip
    return found


def _vcd(what: Campaign, signals: Signals, trace: NDArray[np.uint8], start: int) -> Iterator[str]:
    yield f"$comment {what.design.source.top}: cycle n stands at time n $end"
    yield "$timescale 1 ns $end"
    for run, scope in enumerate(("golden", "faulty")):
        yield f"$scope module {scope} $end"
        for index, (name, columns) in enumerate(signals):
            # A viewer takes brackets for the range of bits.
            plain = name.replace("[", "_").replace("]", "")
            yield f"$var wire {len(columns)} {_code(run, index)} {plain} $end"
        yield "$upscope $end"
    yield "$enddefinitions $end"
    last: dict[tuple[int, int], bytes] = {}
    for time, row in enumerate(trace):
        yield f"#{start + time}"
        for run in range(_RUNS):
            for index, (_, columns) in enumerate(signals):
                value = row[run, columns].tobytes()
                if last.get((run, index)) != value:
                    last[run, index] = value
                    text = "".join(str(bit) for bit in reversed(value))
                    yield f"b{text} {_code(run, index)}"


def _code(run: int, index: int) -> str:
    return f"{'gf'[run]}{index}"
