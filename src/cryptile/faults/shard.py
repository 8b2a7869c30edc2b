"""One part of a campaign, run by the compiled machine."""

import random
import time
from ctypes import Structure, byref, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass
from enum import IntEnum, StrEnum

import numpy as np
from numpy.typing import NDArray

from cryptile.errors import CryptileError
from cryptile.faults.build import Machine
from cryptile.faults.golden import NEVER, Golden, bind

NONE = NEVER
LATENCIES = 33
"""Buckets of the histogram of latencies: bucket ``b`` counts those below 2^b cycles."""


class Verdict(IntEnum):
    """What became of a fault."""

    masked = 0
    latent = 1
    corrected = 2
    detected = 3
    silent = 4
    hang = 5
    false_alarm = 6
    unrecovered = 7


CLASSES = len(Verdict)
BAD = (Verdict.silent, Verdict.hang, Verdict.unrecovered)
"""What does harm."""


class Model(StrEnum):
    """Kinds of faults."""

    seu = "seu"
    mbu = "mbu"
    set = "set"
    stuck = "stuck"


class CCampaign(Structure):
    """``campaign``."""

    _fields_ = [
        ("model", c_uint32), ("first", c_uint32), ("end", c_uint32), ("last", c_uint32),
        ("exhaustive", c_uint32), ("events", c_uint32), ("event_time", c_void_p),
        ("event_site", c_void_p), ("sites", c_uint32), ("width", c_uint32), ("targets", c_void_p),
        ("forced", c_void_p), ("bins", c_uint32), ("bin_cycles", c_uint32), ("probes", c_uint32),
        ("merge", c_uint32), ("repeats", c_uint32), ("complete", c_uint32), ("hang", c_uint32),
    ]  # fmt: skip


class CResult(Structure):
    """``result``."""

    _fields_ = [
        ("counts", c_void_p), ("outcome", c_void_p), ("latency", c_void_p), ("probe", c_void_p),
        ("example", c_void_p), ("latencies", c_void_p), ("rest", c_void_p), ("rest_size", c_uint64),
        ("rest_count", c_uint64), ("faults", c_uint64), ("lane_cycles", c_uint64),
        ("group_cycles", c_uint64), ("cycles", c_uint64),
    ]  # fmt: skip


@dataclass(frozen=True)
class Sites:
    """Where faults can be.

    Attributes:
        model: the kind of fault.
        targets: for each site its flip-flops (columns filled up with ``NONE``) or its gate.
        forced: for stuck-at faults the value of each site.
        names: of the sites.
    """

    model: Model
    targets: NDArray[np.uint32]
    forced: NDArray[np.uint8]
    names: list[str]


@dataclass(frozen=True)
class Part:
    """Cycles ``first <= t < end`` of a campaign.

    Attributes:
        last: no part follows.
        events: for sampled faults their cycles and sites, by cycle; ``None``: all of them.
        bins: number of time bins, each of ``bin_cycles``.
        is_first: no part goes before.
    """

    first: int
    end: int
    last: bool
    events: tuple[NDArray[np.uint32], NDArray[np.uint32]] | None
    bins: int
    bin_cycles: int
    is_first: bool = False


@dataclass
class Outcome:
    """What one part of a campaign gave.

    ``probe`` says what a single upset of each flip-flop in the part's first cycle becomes; ``rest``
    are faults that have become a single upset in the cycle behind the part: site, bin, flip-flop.
    A class of ``CLASSES`` or more means the same: flip-flop plus ``CLASSES``.
    """

    counts: NDArray[np.uint64]
    outcome: NDArray[np.uint32]
    latency: NDArray[np.uint32]
    probe: NDArray[np.uint32]
    example: NDArray[np.uint32]
    latencies: NDArray[np.uint64]
    rest: NDArray[np.uint32]
    faults: int
    lane_cycles: int
    group_cycles: int
    cycles: int
    seconds: float


def run(
    machine: Machine,
    golden: Golden,
    sites: Sites,
    part: Part,
    *,
    merge: bool = True,
    trace: NDArray[np.uint8] | None = None,
    trace_cycles: int = 0,
) -> Outcome:
    """Run one part of a campaign.

    Args:
        machine: the design.
        golden: its run without faults.
        sites: where faults can be.
        part: which of them.
        merge: let equal machines go on as one.
        trace: room for every bit of the golden machine and of the first fault, cycle by cycle.
        trace_cycles: cycles to trace.
    """
    library = bind(machine)
    merge = merge and sites.model is not Model.stuck
    exhaustive = part.events is None
    times, chosen = part.events if part.events is not None else (_empty(), _empty())
    count, flops = len(sites.targets), len(machine.order)
    bins = part.bins if exhaustive else 0
    got = Outcome(
        counts=np.zeros((count, bins, CLASSES), np.uint64),
        outcome=np.zeros(len(times), np.uint32),
        latency=np.zeros(len(times), np.uint32),
        probe=np.full(flops, NONE, np.uint32),
        example=np.full((count, CLASSES), NEVER, np.uint32),
        latencies=np.zeros((CLASSES, LATENCIES), np.uint64),
        rest=np.zeros((_rest_room(exhaustive, count, part), 3), np.uint32),
        faults=0,
        lane_cycles=0,
        group_cycles=0,
        cycles=0,
        seconds=0.0,
    )
    result = CResult(
        got.counts.ctypes.data,
        got.outcome.ctypes.data,
        got.latency.ctypes.data,
        got.probe.ctypes.data,
        got.example.ctypes.data,
        got.latencies.ctypes.data,
        got.rest.ctypes.data,
        len(got.rest),
    )
    what = CCampaign(
        list(Model).index(sites.model),
        part.first,
        part.end,
        int(part.last),
        int(exhaustive),
        len(times),
        times.ctypes.data,
        chosen.ctypes.data,
        count,
        sites.targets.shape[1],
        sites.targets.ctypes.data,
        sites.forced.ctypes.data,
        part.bins,
        part.bin_cycles,
        int(merge and not part.is_first),
        int(merge),
        int(repeats(machine, sites.model)),
        golden.finish,
        golden.hang,
    )
    script, alive = golden.c_script()
    c_golden = golden.c_golden()
    started = time.perf_counter()
    failed = library.machine_run(
        byref(script),
        byref(c_golden),
        byref(what),
        byref(result),
        trace.ctypes.data_as(c_void_p) if trace is not None else None,
        trace_cycles,
    )
    got.seconds = time.perf_counter() - started
    del alive
    if failed or result.rest_count > len(got.rest):
        raise CryptileError("a part of the campaign ran out of memory: use more, shorter parts")
    got.rest = got.rest[: result.rest_count]
    got.faults, got.cycles = result.faults, result.cycles
    got.lane_cycles, got.group_cycles = result.lane_cycles, result.group_cycles
    return got


def repeats(machine: Machine, model: Model) -> bool:
    """Say whether jobs that begin behind the report of a fault may report it again.

    A single upset is gone with the first report; of several, or of what a transient left, another
    may wait.
    """
    return machine.lasting or model is not Model.seu


def sample(
    first: int, end: int, places: int, count: int, seed: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Draw cycles and sites of so many random faults, by cycle."""
    rng = random.Random(seed)
    drawn = sorted((rng.randrange(first, end), rng.randrange(places)) for _ in range(count))
    table = np.array(drawn, np.uint32).reshape(-1, 2)
    return np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])


def _empty() -> NDArray[np.uint32]:
    return np.zeros(0, np.uint32)


def _rest_room(exhaustive: bool, sites: int, part: Part) -> int:
    """Return how many faults can be left at the end of a part."""
    if not exhaustive or part.last:
        return 1
    return sites * (part.end - part.first) + 1
