"""One fault as a waveform: the golden machine and the faulty one side by side, as VCD."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cryptile.errors import UsageError
from cryptile.faults import shard, waves
from cryptile.faults.campaign import Campaign
from cryptile.faults.golden import NEVER
from cryptile.faults.shard import Part, Verdict

_LONGEST = 2000
"""Cycles behind the fault that are written at most."""


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
    layout = what.machine.layout
    shown = waves.signals(layout.inputs, what.machine.flops, layout.outputs)
    bits = sum(len(columns) for _, columns in shown)
    trace = np.zeros((cycles, len(waves.RUNS), bits), np.uint8)
    shard.run(
        what.machine, what.golden, what.sites, part, merge=False, trace=trace, trace_cycles=cycles
    )
    try:
        file.write_text(waves.vcd(what.design.source.top, shown, trace, start))
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from error
    return Replayed(verdict, latency, start)
