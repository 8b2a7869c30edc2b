"""Proof and campaign held against each other: a mutant fails the one, or is equal in the other."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cryptile.designs import load as designs
from cryptile.designs.hints import Hints
from cryptile.designs.load import Design
from cryptile.errors import CryptileError, UsageError
from cryptile.faults import build, golden, shard
from cryptile.faults.build import Machine
from cryptile.faults.golden import NEVER, RESET_CYCLES, StoppedError
from cryptile.faults.scenario import DONE, DST, Settings, inputs
from cryptile.faults.shard import BAD, Model, Part, Sites, Verdict
from cryptile.faults.sites import sites
from cryptile.netlist.gates import ONE, Netlist
from cryptile.netlist.make import netlist
from cryptile.prove import clock, equal, walk
from cryptile.prove.apart import apart
from cryptile.prove.choose import proof
from cryptile.prove.ending import ends_jobs, is_engine
from cryptile.prove.level import Level
from cryptile.prove.memories import without_memories
from cryptile.prove.memory_proof import MemoryProof
from cryptile.prove.mutate import Mutant, of_netlist, of_rtl
from cryptile.prove.near import distances
from cryptile.prove.schema import SOURCE_ERROR, Edit, Schema
from cryptile.prove.search import UndecidedError
from cryptile.prove.upset import ALARMS, Proof
from cryptile.toolchain import cache, yosys

_JOBS, _BYTES, _STALLS, _ABORTS, _SEED = 8, 48, 20, 20, 1
_SHORT_JOBS = {"tile_control": 400, "tile_guard": 400, "tile_key_slots": 400}
"""Number of jobs by kind where a job is one access: few would meet no key and no window."""
_FATE, _PROOF = "fate.json", "proof.json"
_WHICH_BIT = re.compile(r"\[\d+\]:")
_FEW = 8
"""Mutants that are quicker to synthesise one by one."""
_MOST_COUNTS = 1 << 25
"""Counts that fit in memory, of eight bytes each."""


class Fate(StrEnum):
    """What became of a mutant, best first."""

    same = "same netlist"
    killed = "killed"
    harmed = "killed by the campaign"
    broken = "broken without a fault"
    equivalent = "equivalent"
    more = "tells of more"
    stopped = "NO PROOF"
    survives = "SURVIVES"
    hole = "HOLE OF THE PROOF"


BAD_FATES = (Fate.stopped, Fate.survives, Fate.hole)
"""What speaks against the proof, or leaves open whether it would tell."""


@dataclass(frozen=True)
class Tried:
    """What came of a mutant.

    Attributes:
        proof: first finding of the proof.
        other: what the comparison with the design, or the campaign, says.
        fate: the verdict.
        seconds: time of the processor, with synthesis, when it was tried.
    """

    proof: str
    other: str
    fate: Fate
    seconds: float = 0.0


@dataclass(frozen=True)
class Outcomes:
    """What every upset of a netlist in a short script does.

    Attributes:
        names: the flip-flops.
        classes: upsets by flip-flop, time and class; one for each cycle unless there are too many.
        results: beats and statuses that come out without an upset.
    """

    names: tuple[str, ...]
    classes: NDArray[np.uint64]
    results: tuple[bytes, ...] = ()

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

    def without(self, names: Collection[str]) -> "Outcomes":
        """Return what is left when no upset of some flip-flops is counted."""
        left = [name not in names for name in self.names]
        return replace(
            self,
            names=tuple(name for name in self.names if name not in names),
            classes=self.classes[left],
        )

    def only_tells_more(self, other: "Outcomes", level: str) -> bool:
        """Say whether upsets that do no harm are told of, and nothing else has become of any.

        They are called corrected, or end jobs where the level may do so; what was told stays told.
        """
        if self.names != other.names or self.harm:
            return False
        more = self.classes.astype(np.int64) - other.classes.astype(np.int64)
        alarmed = [Verdict.detected, Verdict.false_alarm]
        told = [*alarmed, Verdict.corrected]
        alarms, reports = more[..., alarmed].sum(axis=-1), more[..., told].sum(axis=-1)
        if level != Level.detect and alarms.any():
            return False
        return bool(
            (alarms >= 0).all() and (reports >= 0).all() and (np.delete(more, told, -1) <= 0).all()
        )


def mutants(design: Design) -> list[Mutant]:
    """List all mutants of a design."""
    return [*of_netlist(netlist(design.source)), *of_rtl(design.source, design.protect)]


def chosen(known: list[Mutant], sample: int | None, seed: int) -> list[Mutant]:
    """Return a random sample of mutants, or all."""
    if sample is None or sample >= len(known):
        return known
    return random.Random(seed).sample(known, sample)


def trials(design: Design, todo: Iterable[Mutant]) -> Iterator[tuple[Mutant, Tried]]:
    """Try mutants; what was tried with the same code before is looked up.

    Raises:
        CryptileError: the design itself is not proven.
    """
    todo = list(todo)
    bench = _Bench(design, [mutant.edit for mutant in todo if mutant.edit])
    if found := bench.own.finding:
        raise CryptileError(
            f"{design.name} at level {design.protect} is not proven itself: {found}"
        )
    for mutant in todo:
        yield mutant, bench.looked_up(mutant) if mutant.key else bench.tried(mutant)


class _Original:
    """A netlist that is proven, which others are held against."""

    def __init__(self, netlist: Netlist, design: Design) -> None:
        self._design = design
        self._around = without_memories(netlist)
        self._always = equal.Reference(self._around.netlist)
        alarms = [net for name in ALARMS for net in netlist.outputs.get(name, ()) if net > ONE]
        silent = alarms and design.protect == Level.correct
        self._silent = equal.Reference(self._around.netlist, alarms) if silent else None

    def same(self, other: Netlist) -> str:
        """Say when another netlist does the same; nothing if that is not known.

        At Correct no alarm is up in a sound state, with one upset or without. What does the same
        while none is up, and begins in a sound state, comes to the same states, an upset included.
        """
        around = without_memories(other)
        if around.shapes != self._around.shapes:
            return ""
        if self._always.same(around.netlist):
            return "the same function"
        if self._silent and self._silent.same(around.netlist) and self._begins(other):
            return "the same while no alarm is up, as none ever is"
        return ""

    def _begins(self, other: Netlist) -> bool:
        """Say whether it is in a sound state behind reset."""
        found = proved(other, self._design, only=("start",))
        return not (found.finding or found.stopped)


class _StoppedError(Exception):
    """A proof has shown nothing: there is nothing to keep."""


class _Bench:
    """A design with what its mutants are held against; ``edits`` are those of its RTL."""

    def __init__(self, design: Design, edits: Sequence[Edit]) -> None:
        self.design = design
        self.plain = netlist(design.source)
        self._edits = edits
        self._held: Netlist | None = None  # what is proven of the mutant that is tried

    @cached_property
    def own(self) -> "Proven":
        """What the proof of the design itself says."""
        return self._once(self.plain, lambda: proved(self.plain, self.design))

    @cached_property
    def _unchanged(self) -> "_Original":
        return _Original(self.plain, self.design)

    @cached_property
    def _switched_off(self) -> "_Original":
        assert self._schema
        return _Original(self._schema.off, self.design)

    def _sought(self, changed: Netlist, reference: Netlist) -> "Proven":
        """Look for one finding in a netlist, where it differs from another one first.

        What does the same as a netlist that is proven is proven.
        """
        if self._held and _same_function(self._held, changed):
            return Proven("", stopped=False)
        near = distances(reference, changed)
        found = proved(changed, self.design, self.own.spent, near)
        if found.stopped and not found.undecided and (alone := self._alone(changed)):
            return replace(found, finding=alone, stopped=False)
        return found

    def _alone(self, changed: Netlist) -> str:
        """Return a flip-flop that protects nothing any more, which the proof may not have named.

        A proof of one engine looks for its registers by name, and stops if they hold their values
        in another way.
        """
        known = {_WHICH_BIT.sub(":", text) for text in self._counted(self.plain)}
        new = (text for text in self._counted(changed) if _WHICH_BIT.sub(":", text) not in known)
        return next(new, "")

    def _counted(self, plain: Netlist) -> list[str]:
        return Proof(plain, self.design.protect, self.design.log).run("count").findings

    def _once(self, plain: Netlist, prove: Callable[[], "Proven"]) -> "Proven":
        """Return what a proof says of a netlist that all mutants are held against, kept in a file.

        So a table that goes on begins with its next mutant. One that stops is not kept.
        """
        found: list[Proven] = []

        def make(folder: Path) -> None:
            found.append(prove())
            if found[0].stopped or not found[0].spent:
                raise _StoppedError
            (folder / _PROOF).write_text(json.dumps(asdict(found[0])))

        parts = [plain.inputs, plain.outputs, plain.flip_flops, plain.gates, plain.aliases]
        key = cache.digest([], self._key, *parts)
        try:
            folder = cache.build("prove/proofs", key, make)
        except _StoppedError:
            return found[0]
        return found[0] if found else Proven(**json.loads((folder / _PROOF).read_text()))

    @cached_property
    def _schema(self) -> Schema | None:
        """All mutants of the RTL in one netlist, if that is worth its synthesis and can be had."""
        if len(self._edits) < _FEW:
            return None
        try:
            schema = Schema(self.design.source, self._edits, self.plain)
        except CryptileError:
            return None
        off = self._once(schema.off, lambda: self._sought(schema.off, self.plain))
        return None if off.finding else schema

    @cached_property
    def _key(self) -> str:
        """Hash of all that a verdict depends on but for the mutant."""
        folder = Path(__file__).parents[1]
        code = [
            file
            for part in ("prove", "faults", "netlist", "designs", "toolchain")
            for file in sorted(folder.joinpath(part).rglob("*.*"))
            if file.suffix in (".py", ".c", ".h", ".sv", ".yaml")
        ]
        design = self.design
        said = [
            (item.name, _spelled(getattr(design, item.name)))
            for item in fields(design)
            if item.name != "source"
        ]
        made = [design.source, *([self._with_port.source] if self._with_port else [])]
        sources = [(source.top, source.parameters) for source in made]
        files = [*code, *(file for source in made for file in source.sources.inputs)]
        todo = [items.tobytes() for items in inputs(_settings(design)).items] if design.jobs else []
        return cache.digest(files, said, sources, todo, yosys.version(), version("python-sat"))

    def looked_up(self, mutant: Mutant) -> Tried:
        """Return what came of a mutant when it was tried first."""

        def make(folder: Path) -> None:
            (folder / _FATE).write_text(json.dumps(asdict(self.tried(mutant))))

        key = cache.digest([], self._key, mutant.site, mutant.mutation, mutant.key)
        known = json.loads((cache.build("prove/fates", key, make) / _FATE).read_text())
        return Tried(**{**known, "fate": Fate(known["fate"])})

    def tried(self, mutant: Mutant) -> Tried:
        """Return what comes of a mutant."""
        started = clock.seconds()
        self._held = None
        found = self._switched(mutant) or self._synthesised(mutant)
        return replace(found, seconds=round(clock.seconds() - started, 1))

    def _switched(self, mutant: Mutant) -> Tried | None:
        """Say what the netlist of all mutants tells, if that is enough; keep what is proven."""
        edit, schema = mutant.edit, self._schema if mutant.edit else None
        if not (edit and schema and edit in schema):
            return None
        if not schema.is_built(edit):
            return Tried("", "", Fate.same)
        changed = schema.netlist(edit)
        if told := self._switched_off.same(changed):
            return Tried("", told, Fate.equivalent)
        tried = self._sought(changed, schema.off)
        if tried.fails:
            return Tried(tried.finding, "", Fate.killed)
        if tried.finding:
            return None
        self._held = changed
        # What it does without an upset is what the mutant does, however that is synthesised.
        parted = self._parted(changed)
        return Tried("holds", parted, Fate.broken) if parted else None

    def _synthesised(self, mutant: Mutant) -> Tried:
        """Return what comes of a mutant with a netlist of its own."""
        try:
            changed = mutant.make()
        except CryptileError as error:
            place = SOURCE_ERROR.search(str(error))
            if not (place or isinstance(error, UsageError)):
                raise  # of the tools: it says nothing of the mutant
            told = place[3] if place else str(error).splitlines()[0]
            return Tried("", told[:60], Fate.broken)
        return self._judged(mutant, changed)

    def _judged(self, mutant: Mutant, changed: Netlist) -> Tried:
        """Ask the cheapest question first."""
        if _same(changed, self.plain):
            return Tried("", "", Fate.same)
        if told := self._unchanged.same(changed):
            return Tried("", told, Fate.equivalent)
        tried = self._sought(changed, self.plain)
        found, stopped = tried.finding, tried.stopped
        if tried.fails:
            return Tried(found, "", Fate.killed)
        differs = ""
        # Behind an alarm that ends a job an engine goes on in states that are not sound.
        ends = ends_jobs(self.plain, self.design.protect)
        if not stopped and not ends and equal.comparable(self.plain, changed):
            fate, differs = self._compared(changed)
            if fate:
                return Tried("holds", differs, fate)
        told, fate = self._campaigned(mutant, changed)
        told = "; ".join(text for text in (told, differs) if text)
        if stopped and fate not in (Fate.equivalent, Fate.broken):
            # Of a netlist whose proof is undecided nothing is promised: it is no hole.
            fate = Fate.harmed if tried.undecided and fate is Fate.hole else Fate.stopped
        return Tried(found or "holds", told, fate)

    def _compared(self, changed: Netlist) -> tuple[Fate | None, str]:
        """Compare a netlist that is proven with the design, in sound states and with one upset."""
        first, second = (
            proof(part, self.design.protect, self.design.log, self.design.hints)
            for part in (self.plain, changed)
        )
        if not (type(first) is type(second) and type(first) in (Proof, MemoryProof)):
            return None, ""
        assert isinstance(first, Proof)
        assert isinstance(second, Proof)
        if not equal.comparable(first.netlist, second.netlist):
            return None, "other memories"
        try:
            kind, where = equal.difference(first, second)
        except UndecidedError as error:
            return None, f"comparison {error}"
        if kind is equal.Kind.differs:
            return None, f"differs: {where}" if where else ""
        if kind is equal.Kind.tells:
            return Fate.more, where
        return Fate.equivalent, "the same with any one upset"

    def _campaigned(self, mutant: Mutant, changed: Netlist) -> tuple[str, Fate]:
        """Inject every upset into a netlist in which the proof finds nothing."""
        # A campaign holds faulty runs against the mutant's own, so that comes first.
        if parted := self._parted(changed):
            return parted, Fate.broken
        if self._engine is None:
            return "proof only", Fate.survives
        design, scope = self._engine
        try:
            if design is not self.design:
                assert mutant.inside
                changed = mutant.inside(design.source, scope)
            got = outcomes(design, changed)
        except StoppedError as error:
            return str(error)[:60], Fate.broken
        except CryptileError as error:
            return f"proof only: {error}", Fate.survives
        reference = self._reference
        if got.results != reference.results:
            return "gives something else without any fault", Fate.broken
        gone = set(reference.names) - set(got.names)
        if gone and gone <= self._needless:
            reference = reference.without(gone)
        if got.same(reference):
            # A port around the design may hide what differs.
            whole = design is self.design
            return "every upset does the same", Fate.equivalent if whole else Fate.survives
        told = _told(got, reference)
        if got.only_tells_more(reference, self.design.protect):
            return told, Fate.more
        return told, Fate.hole if got.harm else Fate.survives

    def _parted(self, changed: Netlist) -> str:
        """Say where a part without the engine port differs with no upset, if that is found."""
        if is_engine(self.plain) or not equal.same_ports(self.plain, changed):
            return ""
        return walk.parting(self.plain, changed) or apart(self.plain, changed)

    @cached_property
    def _with_port(self) -> Design | None:
        """A design with the engine port that holds this one, if there is one."""
        if is_engine(self.plain):
            return None
        design = self.design
        try:
            return designs.load(design.name, design.variant, design.protect, config=design.config)
        except UsageError:
            return None

    @cached_property
    def _engine(self) -> tuple[Design, str] | None:
        """A design with the engine port that is or holds this one, and its hierarchical name."""
        if is_engine(self.plain):
            return self.design, ""
        other = self._with_port
        if other is None:
            return None
        leaf = self.plain.flip_flops[0].name
        names = [flop.name for flop in netlist(other.source).flip_flops]
        scopes = [name.removesuffix(leaf) for name in names if name.endswith(f".{leaf}")]
        return (other, scopes[0]) if scopes else None

    @cached_property
    def _reference(self) -> Outcomes:
        assert self._engine
        design, _ = self._engine
        return outcomes(design, netlist(design.source))

    @cached_property
    def _needless(self) -> set[str]:
        """Names of flip-flops that never change or that nothing reads: they may be left out."""
        assert self._engine
        design, _ = self._engine
        plain = netlist(design.source)
        found = Proof(plain, design.protect, design.log).needless()
        return {flop.name for flop in plain.flip_flops if flop.q in found}


def _spelled(said: object) -> object:
    """Return what a design says with all its patterns in full: their ``repr`` is cut off."""
    match said:
        case re.Pattern():
            return said.pattern
        case Mapping():
            return [(_spelled(name), _spelled(text)) for name, text in said.items()]
        case tuple():
            return [_spelled(part) for part in said]
        case Hints():
            return [(item.name, _spelled(getattr(said, item.name))) for item in fields(said)]
    return said


def _same(changed: Netlist, plain: Netlist) -> bool:
    """Say whether two netlists are the same gates between the same ports."""
    return all(
        getattr(changed, part) == getattr(plain, part)
        for part in ("gates", "flip_flops", "inputs", "outputs")
    )


def _same_function(one: Netlist, other: Netlist) -> bool:
    """Say whether two netlists do the same; not if a search is undecided."""
    first, second = without_memories(one), without_memories(other)
    return first.shapes == second.shapes and equal.Reference(first.netlist).same(second.netlist)


def _told(got: Outcomes, reference: Outcomes) -> str:
    """Say what a campaign found: harm, or else what has become more and less."""
    shown = got.harm or {kind: got.counts[kind] - reference.counts[kind] for kind in Verdict}
    text = ", ".join(f"{n:+,} {kind.name}" for kind, n in shown.items() if n)
    if text or got.same(reference):
        return text or "the same"
    return "the same numbers, of other upsets"


@dataclass(frozen=True)
class Proven:
    """What came of a proof.

    Attributes:
        finding: the first one, or why it stopped; nothing if it holds.
        stopped: it has shown nothing, neither that the netlist is right nor that it is wrong.
        spent: time of the processor by the name of the part.
        undecided: it stopped because a search took too long.
    """

    finding: str
    stopped: bool
    spent: Mapping[str, float] = field(default_factory=dict)
    undecided: bool = False

    @property
    def fails(self) -> bool:
        """Whether something speaks against the netlist."""
        return bool(self.finding) and not self.stopped


def proved(
    plain: Netlist,
    design: Design,
    costs: Mapping[str, float] | None = None,
    near: Mapping[int, int] | None = None,
    only: Sequence[str] = (),
) -> Proven:
    """Return what the proof of a netlist says.

    Args:
        plain: the netlist.
        design: what it was made from.
        costs: with ``near`` as of ``Proof.seek``, for a netlist in which a finding is expected.
        near: see there.
        only: parts of the proof, as of ``Proof.run``.
    """
    try:
        found = proof(plain, design.protect, design.log, design.hints)
        if costs and isinstance(found, Proof):
            found.seek(costs, near or {})
        verdict = found.run(*only)
    except Exception as error:  # whatever it is, it is told
        told = f"no proof: {type(error).__name__} {error}"
        return Proven(told, stopped=True, undecided=isinstance(error, UndecidedError))
    return Proven(next(iter(verdict.findings), ""), stopped=False, spent=verdict.spent)


def outcomes(design: Design, plain: Netlist) -> Outcomes:
    """Return what every upset of a netlist does; arguments and errors as of ``campaign``."""
    machine, run, where, part = _all(design, plain)
    cycles = part.end - part.first
    each = -(-len(where.names) * cycles * len(Verdict) // _MOST_COUNTS)
    part = replace(part, bins=-(-cycles // each), bin_cycles=each)
    results = tuple(run.scenario.items[channel].tobytes() for channel in (DST, DONE))
    return Outcomes(tuple(where.names), shard.run(machine, run, where, part).counts, results)


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


def _settings(design: Design) -> Settings:
    """Return the short script."""
    jobs = _SHORT_JOBS.get(design.jobs, _JOBS)
    return Settings(design.jobs, jobs, _BYTES, _STALLS, _ABORTS, _SEED)


def _all(design: Design, plain: Netlist) -> tuple[Machine, golden.Golden, Sites, Part]:
    """Return what a campaign of all upsets of the script takes."""
    machine = build.compiled(design, plain)
    run = golden.golden(machine, _settings(design))
    part = Part(RESET_CYCLES, run.complete, True, None, 1, NEVER, is_first=True)
    return machine, run, sites(machine, Model.seu, None, 0, 0), part
