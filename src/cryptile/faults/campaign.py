"""A campaign: what it asks, how it is cut into parts, and how one part is run."""

import hashlib
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from cryptile.designs import load as designs
from cryptile.designs.load import Design
from cryptile.errors import UsageError
from cryptile.faults import build, golden, shard
from cryptile.faults.build import Machine
from cryptile.faults.golden import RESET_CYCLES, Golden
from cryptile.faults.scenario import Settings
from cryptile.faults.shard import Model, Outcome, Part, Sites
from cryptile.faults.sites import sites

Cycles = NDArray[np.uint32]

_BINS = 96
_FAULTS_PER_PART = 2_000_000
_EVENTS_PER_PART = 500


class Mode(StrEnum):
    """Which faults are injected."""

    paper = "paper"
    exhaustive = "exhaustive"
    targeted = "targeted"


@dataclass(frozen=True)
class Question:
    """Everything that decides the result of a campaign.

    Attributes:
        design: name, or path of a design file.
        variant, protect: of the design; the first variant if ``None``.
        mode, model: which faults.
        runs: number of faults in paper mode.
        pairs: multi-bit upsets of so many random pairs, instead of neighbours.
        target: pattern of names.
        cycles: first and last cycle, from the golden run's start; ``None`` for all.
        settings: what the engine does meanwhile.
        seed: of everything random.
    """

    design: str
    variant: str | None
    protect: str
    mode: Mode
    model: Model
    runs: int
    pairs: int
    target: str | None
    cycles: tuple[int, int] | None
    jobs: int
    size: int
    stalls: int
    aborts: int
    seed: int


@dataclass(frozen=True)
class Campaign:
    """A question with all that is needed to answer it."""

    question: Question
    design: Design
    machine: Machine
    golden: Golden
    sites: Sites
    first: int
    end: int
    bin_cycles: int
    parts: list[Part] = field(default_factory=list)

    @cached_property
    def key(self) -> str:
        """Hash of everything that decides the result."""
        asked = {key: str(value) for key, value in asdict(self.question).items()}
        text = repr((self.machine.key, sorted(asked.items()), len(self.parts)))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def injected(self) -> int:
        """Number of faults of the whole campaign."""
        return sum(
            len(part.events[0])
            if part.events is not None
            else len(self.sites.targets) * (part.end - part.first)
            for part in self.parts
        )


@lru_cache(maxsize=2)
def prepare(question: Question) -> Campaign:
    """Build the design, run it without faults and cut the campaign into parts.

    Raises:
        UsageError: the question makes no sense.
    """
    design = designs.load(question.design, question.variant, question.protect)
    machine = build.build(design, question.model in (Model.set, Model.stuck))
    settings = Settings(
        design.jobs, question.jobs, question.size, question.stalls, question.aborts, question.seed
    )
    run = golden.golden(machine, settings)
    where = sites(machine, question.model, question.target, question.pairs, question.seed)
    first, end = _cycles(question, run)
    bin_cycles = -(-(end - first) // _BINS)
    campaign = Campaign(question, design, machine, run, where, first, end, bin_cycles)
    campaign.parts.extend(_parts(campaign))
    return campaign


def run_part(question: Question, index: int) -> Outcome:
    """Run one part of a campaign; what a worker does."""
    campaign = prepare(question)
    return shard.run(campaign.machine, campaign.golden, campaign.sites, campaign.parts[index])


def _cycles(question: Question, run: Golden) -> tuple[int, int]:
    first, end = RESET_CYCLES, run.complete
    if question.cycles is not None:
        first, end = max(first, question.cycles[0]), min(end, question.cycles[1] + 1)
        if first >= end:
            raise UsageError(f"--cycles: the run has the cycles {RESET_CYCLES}:{run.complete - 1}")
    return first, end


def _parts(campaign: Campaign) -> list[Part]:
    """Cut a campaign at bounds of time bins, so that parts can be run in any order."""
    first, end, width = campaign.first, campaign.end, campaign.bin_cycles
    bins = -(-(end - first) // width)
    events = _events(campaign)
    if events is None:
        load = len(campaign.sites.targets) * (end - first)
        count = min(bins, max(1, -(-load // _FAULTS_PER_PART)))
    else:
        count = min(bins, max(1, -(-len(events[0]) // _EVENTS_PER_PART)))
    if campaign.sites.model is Model.stuck:
        count = 1
    bounds = [first + width * (bins * index // count) for index in range(count)] + [end]
    parts = []
    for index in range(count):
        low, high = bounds[index], bounds[index + 1]
        chosen = None
        if events is not None:
            inside = slice(*np.searchsorted(events[0], [low, high]))
            chosen = (events[0][inside], events[1][inside])
        parts.append(
            Part(
                low,
                high,
                index + 1 == count,
                chosen,
                -(-(high - low) // width),
                width,
                is_first=index == 0,
            )
        )
    return parts


def _events(campaign: Campaign) -> tuple[Cycles, Cycles] | None:
    question, places = campaign.question, len(campaign.sites.targets)
    if question.mode is not Mode.paper:
        if campaign.sites.model is not Model.stuck:
            return None
        # What is stuck stays so: from the first cycle on.
        times = np.full(places, campaign.first, np.uint32)
        return times, np.arange(places, dtype=np.uint32)
    return shard.sample(campaign.first, campaign.end, places, question.runs, question.seed + 2)
