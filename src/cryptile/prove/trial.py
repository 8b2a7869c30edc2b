"""Proof and campaign held against each other: a mutant fails the one, or is equal in the other."""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from cryptile.errors import CryptileError
from cryptile.faults import build, golden, shard
from cryptile.faults.designs import Design
from cryptile.faults.golden import NEVER, RESET_CYCLES, StoppedError
from cryptile.faults.scenario import Settings
from cryptile.faults.shard import BAD, Model, Part, Verdict
from cryptile.faults.sites import sites
from cryptile.netlist.gates import Netlist
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof
from cryptile.prove.mutate import Mutant, of_netlist, of_rtl

_JOBS, _BYTES, _STALLS, _ABORTS, _SEED = 8, 48, 20, 20, 1


class Fate(StrEnum):
    """What became of a mutant, best first."""

    same = "same netlist"
    killed = "killed"
    broken = "broken without a fault"
    equivalent = "equivalent"
    survives = "SURVIVES"
    hole = "HOLE OF THE PROOF"


@dataclass(frozen=True)
class Tried:
    """A mutant with the first finding of the proof, the harm of the campaign, and its fate."""

    mutant: Mutant
    proof: str
    campaign: str
    fate: Fate


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
    if found := proved(plain, design):
        raise CryptileError(
            f"{design.name} at level {design.protect} is not proven itself: {found}"
        )
    reference: Counter[Verdict] | None = None
    for mutant in todo:
        try:
            changed = mutant.make()
        except CryptileError as error:
            yield Tried(mutant, "", str(error).splitlines()[0][:60], Fate.broken)
            continue
        if changed.gates == plain.gates and changed.flip_flops == plain.flip_flops:
            yield Tried(mutant, "", "", Fate.same)
            continue
        found = proved(changed, design)
        if found:
            yield Tried(mutant, found, "", Fate.killed)
            continue
        reference = reference or campaign(design, plain)
        try:
            counts = campaign(design, changed)
        except StoppedError as error:
            yield Tried(mutant, "holds", str(error)[:60], Fate.broken)
            continue
        harm = {kind: counts[kind] for kind in BAD if counts[kind]}
        fate = Fate.hole if harm else Fate.equivalent if counts == reference else Fate.survives
        shown = harm or {kind: counts[kind] - reference[kind] for kind in Verdict}
        text = ", ".join(f"{n:+,} {kind.name}" for kind, n in shown.items() if n) or "the same"
        yield Tried(mutant, "holds", text, fate)


def proved(plain: Netlist, design: Design) -> str:
    """Return the first finding of the proof of a netlist, nothing if it holds."""
    try:
        verdict = proof(plain, design.protect, design.log, design.hints).run()
    except (CryptileError, KeyError, ValueError) as error:
        return f"no proof: {type(error).__name__} {error}"
    return next(iter(verdict.findings), "")


def campaign(design: Design, plain: Netlist, events: int | None = None) -> Counter[Verdict]:
    """Return the classes of upsets of a netlist in a short script.

    Args:
        design: what the netlist was made from.
        plain: the netlist.
        events: a random sample of so many upsets; all if ``None``.

    Raises:
        StoppedError: it does not work without a fault.
    """
    machine = build.compiled(design, plain)
    settings = Settings(design.jobs, _JOBS, _BYTES, _STALLS, _ABORTS, _SEED)
    run = golden.golden(machine, settings)
    where = sites(machine, Model.seu, None, 0, 0)
    part = Part(RESET_CYCLES, run.complete, True, None, 1, NEVER, is_first=True)
    if events is not None:
        chosen = shard.sample(part.first, part.end, len(where.names), events, _SEED)
        part = replace(part, events=chosen)
    got = shard.run(machine, run, where, part)
    if events is not None:
        return Counter(Verdict(number) for number in got.outcome.tolist())
    totals = got.counts.sum(axis=(0, 1)).tolist()
    return Counter({kind: total for kind, total in zip(Verdict, totals, strict=True) if total})
