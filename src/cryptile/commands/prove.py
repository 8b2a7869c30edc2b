"""The ``cryptile prove`` command."""

import gc
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from cryptile.commands.places import Records
from cryptile.designs import load as designs
from cryptile.designs.load import Design, Use
from cryptile.designs.renamed import unknown
from cryptile.errors import CryptileError, UsageError
from cryptile.figures.store import Store
from cryptile.modules import description
from cryptile.modules.description import is_module
from cryptile.modules.fit import fitted
from cryptile.netlist.make import netlist
from cryptile.pka.proof import programs
from cryptile.prove.choose import proof
from cryptile.prove.level import Level
from cryptile.prove.named import named_proof
from cryptile.prove.primitives import LEVELS, Primitive, primitives
from cryptile.prove.trial import BAD_FATES, Fate, chosen, trials
from cryptile.prove.trial import mutants as all_mutants
from cryptile.prove.upset import MOST_FINDINGS, Verdict
from cryptile.records import GrowingFile, Record, write_json
from cryptile.toolchain import yosys

_OF_MUTANTS = "mutants_"
"""What the metrics of a table of mutants begin with; those of proofs do not."""

_Proven = tuple[str, str, Verdict]
"""The name of what was proven, its level, and what came of it."""


def prove(
    design: Annotated[
        str | None,
        typer.Argument(
            help="aes, ..., or a .yaml file; the primitives if none. Of pka, pka_fast, pka384, "
            "pka521 and pka_rsa, the public-key engines, the ranges of their programs."
        ),
    ] = None,
    variant: Annotated[
        str | None, typer.Option(help="Datapath; the design's usual one if not given.")
    ] = None,
    config: Annotated[
        str | None, typer.Option(help="What is built in; the parameters' defaults if not given.")
    ] = None,
    protect: Annotated[
        list[str] | None,
        typer.Option(help="correct, detect or tmr; repeatable; all there are if not given."),
    ] = None,
    everything: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Primitives and every protected design; takes long. Each is added to the FILE of "
            "--json when it is proven, and what is there is not proven again.",
        ),
    ] = False,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Break the protection instead, one place at a time.")
    ] = False,
    sample: Annotated[
        int | None, typer.Option(min=1, help="Of the mutants a random sample; all if not given.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the sample.")] = 1,
    json: Records = None,
) -> None:
    """Prove on the netlist that no single upset is seen outside; exit code 1 if one is."""
    if others := set(protect or []) - set(Level):
        raise unknown("unknown level", min(others), Level)
    if config and not design:
        raise UsageError("--config is of a design: name one")
    if design and everything:
        raise UsageError("--all or a design, not both")
    own = design is not None and is_module(design)
    if own and (variant or config or protect or mutants):
        raise UsageError("a module of your own has no --variant, --config, --protect, --mutants")
    if design in programs.ENGINES:
        if variant or config or protect or mutants or json:
            raise UsageError(
                f"of {design} it is the programs: no --variant, --config, --protect, --mutants "
                "or --json"
            )
        _programs(design)
        return
    if mutants:
        if everything:
            raise UsageError("--mutants takes a design, or the primitives if none is named")
        if design:
            levels = protect or designs.levels(design, variant)
            todo = [
                designs.load(design, variant, level, Use.prove, config=config) for level in levels
            ]
        else:
            todo = [primitive.design for primitive in _primitives(protect or list(LEVELS))]
        _mutants(todo, sample, seed, json)
        return
    if everything:
        _all(protect or list(Level), json)
        return
    found: Iterator[_Proven]
    if design and own:
        found = map(_module, [Path(design)])
    elif design:
        levels = protect or designs.levels(design, variant)
        found = (_design(design, variant, level, config) for level in levels)
    else:
        found = (_primitive(primitive) for primitive in _primitives(protect or list(LEVELS)))
    proven = list(with_memory(found))
    if not proven:
        raise UsageError(f"no primitive has level {' or '.join(protect or [])}: name a design")
    if json != "-":
        print_verdicts(verdict for verdict, _ in proven)
    if json:
        records = [record for found in proven for record in _records(*found)]
        write_json(records, json, tools={"yosys": yosys.version()})
    if not all(verdict.holds for (_, _, verdict), _ in proven):
        sys.exit(1)


def _programs(engine: str) -> None:
    """Show that no program of a public-key engine loses a carry; exit with 1 if one may."""
    table = Table(title=f"Programs of {engine}: all inputs and random rows")
    for heading in ("program", "verdict", "seconds"):
        table.add_column(heading)
    found = list(programs.shown(engine))
    for shown in found:
        verdict = shown.what if shown.holds else f"[red]{shown.what}[/red]"
        table.add_row(shown.name, verdict, f"{shown.seconds:.2f}")
    Console().print(table)
    if not all(shown.holds for shown in found):
        sys.exit(1)


def _all(levels: list[str], json: str | None) -> None:
    """Prove all that is protected and not in the file yet, print each as it comes, then all."""
    tools = {"yosys": yosys.version()}
    file = GrowingFile(Path(json), tools=tools) if json and json != "-" else None
    records = file.records if file else []
    hold = {proof for proof, row in _by_proof(records).items() if not row["findings"]}
    for proven, megabytes in _everything(levels, hold):
        new = _records(proven, megabytes)
        if file:
            file.add(new)
            records = file.records
        else:
            records += new
        if json != "-":
            print_verdicts([proven])
    if json == "-":
        write_json(records, json, tools=tools)
    else:
        print_records(records)
    if any(row["findings"] for row in _by_proof(records).values()):
        sys.exit(1)


def _mutants(todo: list[Design], sample: int | None, seed: int, json: str | None) -> None:
    """Try mutants of designs, print each as it comes, and exit with 1 if a fate is bad.

    The file of records is whole after each: one that is cut off says how many were tried.
    """
    tools = {"yosys": yosys.version()}
    before: list[Record] = []
    bad = 0
    for design in todo:
        fates: Counter[Fate] = Counter()
        seconds = 0.0
        known = all_mutants(design)
        records = _mutant_records(design, len(known), fates, seconds)
        for mutant, tried in trials(design, chosen(known, sample, seed)):
            fates[tried.fate] += 1
            seconds += tried.seconds
            records = _mutant_records(design, len(known), fates, seconds)
            if json != "-":
                words = (mutant.site, " ".join(mutant.mutation.split()), tried.proof, tried.other)
                print(" | ".join([*(word or "-" for word in words), tried.fate]), flush=True)
                if json:
                    write_json([*before, *records], json, tools=tools)
        bad += sum(fates[fate] for fate in BAD_FATES)
        before += records
        if json != "-":
            told = ", ".join(f"{fates[fate]} {fate}" for fate in Fate if fates[fate])
            total = f"{fates.total()} of {len(known)} mutants in {seconds:.0f} s"
            print(f"{design.label} {design.protect}: {total}: {told}")
    if json:
        write_json(before, json, tools=tools)
    if bad:
        sys.exit(1)


def _mutant_records(
    design: Design, known: int, fates: Counter[Fate], seconds: float
) -> list[Record]:
    params = {"design": design.label, "protect": design.protect}
    counts = {"known": known, "tried": fates.total(), **{fate.name: fates[fate] for fate in Fate}}
    return [
        *(
            Record("prove", f"{_OF_MUTANTS}{what}", number, "mutants", params)
            for what, number in counts.items()
        ),
        Record("prove", f"{_OF_MUTANTS}seconds", round(seconds, 1), "s", params),
    ]


def _design(name: str, variant: str | None, level: str, config: str | None = None) -> _Proven:
    design = designs.load(name, variant, level, Use.prove, config=config)
    verdict = proof(netlist(design.source), level, design.log, design.hints).run()
    return design.label, level, verdict


def _module(path: Path) -> _Proven:
    what = description.load(path)
    fits = fitted(what)
    proven = named_proof(fits.built.netlist, what, fits.ports)
    return what.module.top, proven.level, proven.run()


def _primitive(primitive: Primitive) -> _Proven:
    verdict = proof(netlist(primitive.source), primitive.level).run()
    return primitive.label, primitive.level, verdict


def _primitives(levels: list[str]) -> list[Primitive]:
    return [primitive for primitive in primitives() if primitive.level in levels]


def _everything(
    levels: list[str], done: Collection[tuple[str, str]]
) -> Iterator[tuple[_Proven, float]]:
    """Prove all that is protected; what no proof is known for, or stops, fails and says so.

    Each is proven in a process of its own: what one leaves behind is no megabyte of the next, and
    one that is killed takes no other with it.

    What took least when the documents' figures were made comes first: a run that is cut off has
    proven most.

    Args:
        levels: of protection.
        done: labels and levels of what is left out.
    """
    todo: list[tuple[str, str, Callable[[], _Proven]]] = [
        (primitive.label, primitive.level, partial(_primitive, primitive))
        for primitive in _primitives(levels)
    ]
    todo += [
        (f"{name} {variant}", level, partial(_design, name, variant, level))
        for name, variant, level in designs.protected()
        if level in levels
    ]
    took = _by_proof(Store().records("prove"))
    for label, level, prove_it in sorted(todo, key=lambda item: _seconds(took.get(item[:2]))):
        if (label, level) in done:
            continue
        try:
            yield apart(prove_it)
        except Exception as error:  # the others are still to be proven
            told = str(error) if isinstance(error, CryptileError) else repr(error)
            yield (label, level, Verdict(label, findings=[f"no proof: {told}"])), 0


def apart(prove_it: Callable[[], _Proven]) -> tuple[_Proven, float]:
    """Prove in a process of its own; return the proof and its megabytes."""
    with ProcessPoolExecutor(1, get_context("fork")) as child:
        return child.submit(_measured, prove_it).result()


def _measured(prove_it: Callable[[], _Proven]) -> tuple[_Proven, float]:
    return next(with_memory(it() for it in [prove_it]))


def _seconds(known: dict[str, float] | None) -> float:
    """Return what a proof took: one of which nothing is known comes last."""
    return known.get("seconds", math.inf) if known else math.inf


def with_memory(found: Iterator[_Proven]) -> Iterator[tuple[_Proven, float]]:
    """Yield proofs with the most memory that the process had meanwhile, in megabytes of 10^6."""
    process = Path("/proc/self")
    while True:
        gc.collect()  # what the proof before left behind
        (process / "clear_refs").write_text("5")  # the peak begins anew, see proc(5)
        try:
            proven = next(found)
        except StopIteration:
            return
        (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", (process / "status").read_text())
        yield proven, round(int(peak) * 1024 / 1e6)


def _records(proven: _Proven, megabytes: float) -> list[Record]:
    label, level, verdict = proven
    figures = [
        ("flip_flops", sum(verdict.groups.values()), "flip-flops"),
        ("unprotected", len(verdict.unprotected), "flip-flops"),
        ("findings", len(verdict.findings), "findings"),
        ("seconds", round(verdict.seconds, 2), "s"),
        ("memory", megabytes, "MB"),
    ]
    params = {"design": label, "protect": level}
    return [Record("prove", metric, value, unit, params) for metric, value, unit in figures]


def _by_proof(records: Iterable[Record]) -> dict[tuple[str, str], dict[str, float]]:
    """Return the figures of each proof, by its design and level."""
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for record in records:
        if record.suite == "prove" and not record.metric.startswith(_OF_MUTANTS):
            row = rows.setdefault((record.params["design"], record.params["protect"]), {})
            row[record.metric] = record.value
    return rows


def print_records(records: Iterable[Record]) -> None:
    """Print a row for each proof, with its time and memory."""
    rows = _by_proof(records)
    console = Console()
    table = Table(title="All that is protected")
    for heading in ("design", "level", "flip-flops", "findings", "seconds", "MB"):
        table.add_column(heading)
    for (label, level), row in rows.items():
        flops, findings, memory = (row[name] for name in ("flip_flops", "findings", "memory"))
        seconds = f"{row['seconds']:.1f}"
        table.add_row(label, level, f"{flops:,.0f}", f"{findings:.0f}", seconds, f"{memory:,.0f}")
    total = sum(row["seconds"] for row in rows.values())
    console.print(table)
    console.print(f"{len(rows)} proofs, {total:,.0f} s of processor time")


def print_verdicts(verdicts: Iterable[_Proven]) -> None:
    """Print a table of proofs, what they rest on, and what speaks against them."""
    verdicts = list(verdicts)
    console = Console()
    table = Table(title="A single upset of any flip-flop")
    for heading in ("design", "level", "flip-flops", "unprotected", "verdict", "seconds"):
        table.add_column(heading)
    for label, level, verdict in verdicts:
        groups = ", ".join(f"{number:,} {kind}" for kind, number in verdict.groups.items())
        table.add_row(
            label,
            level,
            groups,
            f"{len(verdict.unprotected):,}",
            verdict.claim if verdict.holds else f"[red]{len(verdict.findings):,} findings[/red]",
            f"{verdict.seconds:.1f}",
        )
    console.print(table)
    for label, level, verdict in verdicts:
        if verdict.holds:
            _argue(console, label, level, verdict)
        for text in verdict.findings[:MOST_FINDINGS]:
            console.print(f"{label} {level}: {text}", markup=False)
        if len(verdict.findings) >= MOST_FINDINGS:
            console.print(f"{label} {level}: and maybe more")


def _argue(console: Console, label: str, level: str, verdict: Verdict) -> None:
    """Print what was shown in another way than for all other designs, and what it rests on."""
    for heading, texts in (("shown", verdict.argument), ("assumed", verdict.assumptions)):
        for number, text in enumerate(texts):
            if not number:
                console.print(f"{label} {level}, {heading}:", markup=False)
            console.print(f"  {text}", markup=False, soft_wrap=True)
