"""Proof and campaign held against each other: a mutant fails the one, or is equal in the other."""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from cryptile.errors import CryptileError
from cryptile.faults import build, golden, shard
from cryptile.faults.build import Machine
from cryptile.faults.designs import Design
from cryptile.faults.golden import NEVER, RESET_CYCLES, StoppedError
from cryptile.faults.scenario import Settings
from cryptile.faults.shard import BAD, Model, Part, Sites, Verdict
from cryptile.faults.sites import sites
from cryptile.netlist.gates import Netlist
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof
from cryptile.prove.ending import is_engine
from cryptile.prove.mutate import Mutant, of_netlist, of_rtl

_JOBS, _BYTES, _STALLS, _ABORTS, _SEED = 8, 48, 20, 20, 1
_MOST_COUNTS = 1 << 25
"""Counts that fit in memory, of eight bytes each."""


class Fate(StrEnum):
    """What became of a mutant, best first."""

    same = "same netlist"
    killed = "killed"
    broken = "broken without a fault"
    equivalent = "equivalent"
    stopped = "NO PROOF"
    survives = "SURVIVES"
    hole = "HOLE OF THE PROOF"


BAD_FATES = (Fate.stopped, Fate.survives, Fate.hole)
"""What speaks against the proof, or leaves open whether it would tell."""


@dataclass(frozen=True)
class Tried:
    """A mutant with the first finding of the proof, the harm of the campaign, and its fate."""

    mutant: Mutant
    proof: str
    campaign: str
    fate: Fate


@dataclass(frozen=True)
class Outcomes:
    """What every upset of a netlist in a short script does.

    Attributes:
        names: the flip-flops.
        classes: upsets by flip-flop, time and class; one for each cycle unless there are too many.
    """

    names: tuple[str, ...]
    classes: NDArray[np.uint64]

    @property
    def counts(self) -> Counter[Verdict]:
        """Number of upsets by class."""
        totals = self.classes.sum(axis=(0, 1)).tolist()
        return Counter({kind: total for kind, total in zip(Verdict, totals, strict=True) if total})

    @property
    def harm(self) -> dict[Verdict, int]:
        """Number of upsets that do harm, by class."""
        return {kind: self.counts[kind] for kind in BAD if self.counts[kind]}

    def same(self, other: "Outcomes") -> bool:
        """Say whether every upset of every flip-flop does the same in both."""
        return self.names == other.names and np.array_equal(self.classes, other.classes)


def mutants(design: Design, sample: int | None, seed: int) -> list[Mutant]:
    """List all mutants of a design, or a random sample."""
    plain = netlist(design.source)
    found = [*of_netlist(plain), *of_rtl(design.source, design.protect)]
    if sample is not None and sample < len(found):
        found = random.Random(seed).sample(found, sample)
    return found


def trials(design: Design, todo: Iterable[Mutant]) -> Iterable[Tried]:
    """Try mutants: the campaign runs where the proof finds nothing.

    Raises:
        CryptileError: the design itself is not proven.
    """
    plain = netlist(design.source)
    if found := proved(plain, design)[1]:
        raise CryptileError(
            f"{design.name} at level {design.protect} is not proven itself: {found}"
        )
    reference: Outcomes | None = None
    for mutant in todo:
        try:
            changed = mutant.make()
        except CryptileError as error:
            yield Tried(mutant, "", str(error).splitlines()[0][:60], Fate.broken)
            continue
        if _same(changed, plain):
            yield Tried(mutant, "", "", Fate.same)
            continue
        stopped, found = proved(changed, design)
        if found and not stopped:
            yield Tried(mutant, found, "", Fate.killed)
            continue
        found = found or "holds"
        if not is_engine(plain):
            yield Tried(mutant, found, "proof only", Fate.stopped if stopped else Fate.survives)
            continue
        reference = reference or outcomes(design, plain)
        try:
            got = outcomes(design, changed)
        except StoppedError as error:
            yield Tried(mutant, found, str(error)[:60], Fate.broken)
            continue
        fate = Fate.stopped if stopped else Fate.hole if got.harm else Fate.survives
        if got.same(reference):
            fate = Fate.equivalent
        yield Tried(mutant, found, _told(got, reference), fate)


def _same(changed: Netlist, plain: Netlist) -> bool:
    """Say whether two netlists are the same gates between the same ports."""
    return all(
        getattr(changed, part) == getattr(plain, part)
        for part in ("gates", "flip_flops", "inputs", "outputs")
    )


def _told(got: Outcomes, reference: Outcomes) -> str:
    """Say what a campaign found: harm, or else what has become more and less."""
    shown = got.harm or {kind: got.counts[kind] - reference.counts[kind] for kind in Verdict}
    text = ", ".join(f"{n:+,} {kind.name}" for kind, n in shown.items() if n)
    if text or got.same(reference):
        return text or "the same"
    return "the same numbers, of other upsets"


def proved(plain: Netlist, design: Design) -> tuple[bool, str]:
    """Return whether the proof of a netlist stopped, with its first finding: nothing if it holds.

    A proof that stops has shown nothing, neither that the netlist is right nor that it is wrong.
    """
    try:
        verdict = proof(plain, design.protect, design.log, design.hints).run()
    except Exception as error:  # whatever it is, it is told
        return True, f"no proof: {type(error).__name__} {error}"
    return False, next(iter(verdict.findings), "")


def outcomes(design: Design, plain: Netlist) -> Outcomes:
    """Return what every upset of a netlist does; arguments and errors as of ``campaign``."""
    machine, run, where, part = _all(design, plain)
    cycles = part.end - part.first
    each = -(-len(where.names) * cycles * len(Verdict) // _MOST_COUNTS)
    part = replace(part, bins=-(-cycles // each), bin_cycles=each)
    return Outcomes(tuple(where.names), shard.run(machine, run, where, part).counts)


def campaign(design: Design, plain: Netlist, events: int) -> Counter[Verdict]:
    """Return the classes of a random sample of upsets of a netlist in a short script.

    Args:
        design: what the netlist was made from.
        plain: the netlist.
        events: number of upsets.

    Raises:
        StoppedError: it does not work without a fault.
    """
    machine, run, where, part = _all(design, plain)
    chosen = shard.sample(part.first, part.end, len(where.names), events, _SEED)
    got = shard.run(machine, run, where, replace(part, events=chosen))
    return Counter(Verdict(number) for number in got.outcome.tolist())


def _all(design: Design, plain: Netlist) -> tuple[Machine, golden.Golden, Sites, Part]:
    """Return what a campaign of all upsets of the script takes."""
    machine = build.compiled(design, plain)
    settings = Settings(design.jobs, _JOBS, _BYTES, _STALLS, _ABORTS, _SEED)
    run = golden.golden(machine, settings)
    part = Part(RESET_CYCLES, run.complete, True, None, 1, NEVER, is_first=True)
    return machine, run, sites(machine, Model.seu, None, 0, 0), part
