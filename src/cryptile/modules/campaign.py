"""A campaign in a module: which faults, and what became of each."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cryptile.errors import UsageError
from cryptile.faults import sites as places
from cryptile.faults.shard import Model, sample
from cryptile.modules import machine, vectors
from cryptile.modules.description import Description
from cryptile.modules.elaborate import Ports
from cryptile.modules.fit import fitted
from cryptile.modules.machine import ALARM, COMPARED, IGNORED, REPORT, RESULT, Session, Sites
from cryptile.modules.vectors import Vectors

_ROWS = 64  # cycles between two words on how far it is


class Outcome(IntEnum):
    """What became of a fault; the numbers are those of ``native/vectors.h``."""

    masked = 0
    corrected = 1
    detected = 2
    latent = 3
    silent = 4
    hang = 5


BAD = (Outcome.silent, Outcome.hang)


@dataclass(frozen=True)
class Question:
    """What is asked of a module.

    Attributes:
        model: the kind of fault.
        runs: draw so many faults instead of taking all; ``None``: as the file's limits say.
        target: pattern of names of places.
        cycles: first and last cycle of faults.
        seed: of what is drawn.
    """

    model: Model = Model.seu
    runs: int | None = None
    target: str | None = None
    cycles: tuple[int, int] | None = None
    seed: int = 1


@dataclass(frozen=True)
class Prepared:
    """A module that was built and has run without a fault."""

    what: Description
    ports: Ports
    vectors: Vectors
    session: Session


@dataclass(frozen=True)
class Campaign:
    """Faults and what became of them.

    Attributes:
        prepared: the module.
        question: what was asked.
        sites: where faults could be.
        first, end: cycles in which they could be.
        cycle, site: of each fault.
        results: of each fault, see ``machine.RESULT``.
        sampled: the faults were drawn.
        seconds: how long it took.
    """

    prepared: Prepared
    question: Question
    sites: Sites
    first: int
    end: int
    cycle: NDArray[np.uint32]
    site: NDArray[np.uint32]
    results: NDArray[np.void] = field(repr=False)
    sampled: bool
    seconds: float

    @property
    def injected(self) -> int:
        """Number of faults."""
        return len(self.results)

    @cached_property
    def by_site(self) -> NDArray[np.int64]:
        """Number of faults by site and outcome."""
        found = np.zeros((len(self.sites.names), len(Outcome)), np.int64)
        np.add.at(found, (self.site, self.results["outcome"]), 1)
        return found

    @property
    def counts(self) -> dict[Outcome, int]:
        """Number of faults by outcome."""
        total = self.by_site.sum(axis=0)
        return {outcome: int(total[outcome]) for outcome in Outcome}

    @property
    def bad(self) -> int:
        """Number of faults that do harm."""
        return sum(self.counts[outcome] for outcome in BAD)

    @cached_property
    def failures(self) -> NDArray[np.int64]:
        """Places in ``results`` of the faults that do harm, by the cycle in which it is seen."""
        found = np.nonzero(np.isin(self.results["outcome"], BAD))[0]
        return found[np.argsort(self.results["seen"][found], kind="stable")]


def prepare(what: Description, model: Model = Model.seu) -> Prepared:
    """Build a module and run it without a fault.

    Raises:
        UsageError: the file does not fit the module, or the run differs from the recorded one.
    """
    if model is Model.stuck:
        raise UsageError("--model stuck is for designs with the engine port")
    fits = fitted(what)
    pins, built = fits.ports, fits.built
    given = vectors.read(what, pins.inputs, pins.outputs)
    made = machine.build(built, pins.clock, model is Model.set)
    inputs = machine.bits_of(given.inputs, made.layout.inputs, given.cycles)
    roles = np.full(len(made.layout.output_nets), IGNORED, np.uint8)
    outputs = what.outputs
    named = [(outputs.report, REPORT), (outputs.compare, COMPARED)]
    named.append(((outputs.alarm,) if outputs.alarm else (), ALARM))
    for names, role in named:
        for name in names:
            first, width = made.layout.outputs[name]
            roles[first : first + width] = role
    done = made.layout.outputs[outputs.done][0] if outputs.done else None
    session = Session(made, inputs, given.watched, roles, done)
    prepared = Prepared(what, pins, given, session)
    if what.stimuli.check:
        _compare_recorded(prepared)
    return prepared


def run(
    prepared: Prepared, question: Question, tell: Callable[[int, int], None] | None = None
) -> Campaign:
    """Inject faults; ``tell`` gets how many of how many are done.

    Raises:
        UsageError: no place or no cycle is left.
    """
    started = time.monotonic()
    where = _sites(prepared, question)
    first, end = _cycles(prepared.vectors, question)
    limits = prepared.what.limits
    every = len(where.names) * (end - first)
    runs = question.runs or (limits.sample if every > limits.exhaustive else None)
    if runs:
        cycle, site = sample(first, end, len(where.names), runs, question.seed)
        results = np.zeros(runs, RESULT)
        for low in range(0, runs, 4096):
            part = slice(low, low + 4096)
            results[part] = prepared.session.run(where, cycle[part], site[part])
            if tell:
                tell(min(low + 4096, runs), runs)
    else:
        cycle = np.repeat(np.arange(first, end, dtype=np.uint32), len(where.names))
        site = np.tile(np.arange(len(where.names), dtype=np.uint32), end - first)
        results = _exhaustive(prepared, where, first, end, tell)
    seconds = time.monotonic() - started
    return Campaign(
        prepared, question, where, first, end, cycle, site, results, bool(runs), seconds
    )


def _exhaustive(
    prepared: Prepared, where: Sites, first: int, end: int, tell: Callable[[int, int], None] | None
) -> NDArray[np.void]:
    """Inject every fault in every cycle, from the last cycle to the first.

    As soon as one flip-flop alone differs, the rest is what becomes of its upset in that cycle,
    which is known by then.
    """
    session, total = prepared.session, prepared.vectors.cycles
    flops = len(session.machine.flops)
    singles = _upsets(session)
    is_all = not where.at_gates and where.names == singles.names
    limit = prepared.what.limits.exhaustive
    known = np.zeros((total, flops), RESULT) if total * flops <= limit else None
    found = np.zeros((end - first, len(where.names)), RESULT)

    def row(at: Sites, cycle: int) -> NDArray[np.void]:
        number = np.arange(len(at.names), dtype=np.uint32)
        return session.run(at, np.full(len(number), cycle, np.uint32), number, known)

    for cycle in range(total - 1, first - 1, -1):
        if known is not None:
            known[cycle] = row(singles, cycle)
        if cycle < end:
            reuse = known is not None and is_all
            found[cycle - first] = known[cycle] if reuse else row(where, cycle)  # type: ignore[index]
        if tell and cycle % _ROWS == 0:
            tell(total - cycle, total - first)
    return found.reshape(-1)


def _upsets(session: Session) -> Sites:
    flops = session.machine.flops
    return Sites(np.arange(len(flops), dtype=np.uint32).reshape(-1, 1), False, flops)


def _sites(prepared: Prepared, question: Question) -> Sites:
    session = prepared.session
    if question.model is Model.seu:
        found = _upsets(session)
    elif question.model is Model.mbu:
        pairs = places.adjacent(session.machine.flops)
        if not pairs:
            raise UsageError("--model mbu: no register has neighbouring bits")
        found = Sites(
            np.array([members for _, members in pairs], np.uint32),
            False,
            [name for name, _ in pairs],
        )
    else:
        names = places.gate_names(session.machine.netlist)
        found = Sites(np.arange(len(names), dtype=np.uint32).reshape(-1, 1), True, names)
    chosen = places.matching(found.names, question.target)
    return Sites(
        np.ascontiguousarray(found.places[chosen]),
        found.at_gates,
        [found.names[index] for index in chosen],
    )


def _cycles(given: Vectors, question: Question) -> tuple[int, int]:
    first, end = given.first, given.end
    if question.cycles is not None:
        first, end = max(first, question.cycles[0]), min(end, question.cycles[1] + 1)
        if first >= end:
            raise UsageError(f"--cycles: the run has the cycles {given.first}:{given.end - 1}")
    return first, end


def _compare_recorded(prepared: Prepared) -> None:
    """Refuse a run that differs from what was recorded with the vectors."""
    session, what = prepared.session, prepared.what
    layout = session.machine.layout.outputs
    for name, rows in prepared.vectors.expected.items():
        first, width = layout[name]
        for cycle in np.nonzero(session.watched)[0]:
            bits = rows[cycle]
            got = "".join(map(str, session.outputs[cycle, first : first + width][::-1]))
            if any(a not in ("x", b) for a, b in zip(bits, got, strict=True)):
                raise UsageError(
                    f"{what.vectors}: in row {cycle - prepared.vectors.given} {name} is {bits}, "
                    f"but the netlist gives {got}; `check: false` in {what.path} ignores that"
                )
