"""What is told of a campaign in a module: tables, failures, provenance, a rate."""

import csv
import hashlib
import io
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.table import Table

from cryptile.faults import statistics
from cryptile.faults.shard import Model
from cryptile.faults.sites import part
from cryptile.modules import waves
from cryptile.modules.campaign import BAD, Campaign, Outcome
from cryptile.modules.rate import Bounded, Environment, Rate, rate
from cryptile.records import Record

_ROWS = 40
"""Registers in a table at most, those that do most harm first."""

_WAVES = 3
_LISTED = 10_000
"""Faults in the list of those that do harm, the first ones to be seen."""

_MODELS = {
    Model.seu: "SEU: one flip-flop",
    Model.mbu: "MBU: two neighbouring flip-flops",
    Model.set: "SET: the output of a gate, for a whole cycle",
}


@dataclass(frozen=True)
class Answer:
    """A campaign, where it comes from, and the environment to reckon with."""

    campaign: Campaign
    environment: Environment
    provenance: dict[str, Any]
    folder: Path

    @property
    def rates(self) -> dict[str, Rate]:
        """What the shares of harm and of alarms mean, if every place is an SEU of a flip-flop."""
        found = self.campaign
        hits = {"failure": found.bad, "alarm": found.counts[Outcome.detected]}
        return {
            name: rate(
                count, found.injected, len(found.sites.names), found.sampled, self.environment
            )
            for name, count in hits.items()
        }


def provenance(found: Campaign, base: dict[str, Any]) -> dict[str, Any]:
    """Add date and hashes to what a figure comes from.

    Hashed are all files that were read, named from the folder of the module's file, and the design
    as it was elaborated, in which are the values of parameters and what ``$readmemh`` reads.
    """
    what, ports = found.prepared.what, found.prepared.ports
    home = what.path.parent.resolve()
    hashes = {
        os.path.relpath(file.resolve(), home): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in (*ports.files, what.vectors, what.path)
    }
    return {
        **base,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "hashes": {**hashes, "elaborated design": ports.design},
    }


def table(answer: Answer) -> Table:
    """Return faults by register and outcome."""
    found = answer.campaign
    shown = Table(title=f"{found.prepared.what.module.top}, {_MODELS[found.question.model]}")
    shown.add_column("register")
    for heading in ("places", *(outcome.name for outcome in Outcome), "harm"):
        shown.add_column(heading, justify="right")
    rows = _registers(found)
    for name, places, counts in rows[:_ROWS]:
        shown.add_row(name, f"{places:,}", *_cells(counts))
    if len(rows) > _ROWS:
        more = rows[_ROWS:]
        total = [sum(row[2][outcome] for row in more) for outcome in Outcome]
        shown.add_row(f"{len(more)} more", f"{sum(row[1] for row in more):,}", *_cells(total))
    shown.add_section()
    counts = [found.counts[outcome] for outcome in Outcome]
    shown.add_row("all", f"{len(found.sites.names):,}", *_cells(counts))
    return shown


def lines(answer: Answer) -> Iterator[str]:
    """Say in words what was done and found."""
    found, what = answer.campaign, answer.campaign.prepared.what
    given = found.prepared.vectors
    how = (
        f"{found.injected:,} drawn with seed {found.question.seed}"
        if found.sampled
        else (f"all {found.injected:,}")
    )
    yield (
        f"{how}, in the cycles {found.first} to {found.end - 1} (cycle {given.given} is the first "
        f"row of {what.stimuli.file}; {given.cycles} cycles are watched), "
        f"{found.injected / max(found.seconds, 1e-9):,.0f} faults/s"
    )
    if given.unknown:
        yield f"{given.unknown:,} bits of inputs are unknown in {what.stimuli.file}: zero is taken"
    merged = found.prepared.session.machine.built.registers.merged
    if merged:
        names = ", ".join(f"{name} with {other}" for name, other in list(merged.items())[:4])
        yield (
            f"synthesis MERGED {len(merged)} equal register bits: {names}"
            f"{', ...' if len(merged) > 4 else ''}: copies need `keep` (docs/modules.md)"
        )
    if found.bad:
        low, high = statistics.interval(found.bad, found.injected)
        drawn = f", 95 % interval {low:.3%} to {high:.3%}" if found.sampled else ""
        yield f"{found.bad:,} faults do harm: {found.bad / found.injected:.3%}{drawn}"
        for failure in found.failures[:_WAVES]:
            yield f"  {_told(found, int(failure))}"
    elif found.sampled:
        high = statistics.interval(0, found.injected)[1]
        yield f"none does harm: of all, below {high:.3%} with 95 % confidence"
    else:
        yield "none does harm, under these vectors"
    if ignored := what.outputs.ignore:
        yield f"nobody looked at the outputs {', '.join(ignored)}"
    if answer.environment.is_given:
        for name, of in answer.rates.items():
            yield f"{name}: {_rate(of, found.sampled)}"


def write(answer: Answer) -> Path:
    """Write report, failures and waveforms into the folder, and return the report."""
    found, folder = answer.campaign, answer.folder
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("failure-*.vcd"):
        old.unlink()
    names = []
    for number, failure in enumerate(found.failures[:_WAVES], 1):
        names.append(f"failure-{number}.vcd")
        waves.write(found, int(failure), folder / names[-1])
    (folder / "failures.csv").write_text(_failures(found))
    page = folder / "report.md"
    page.write_text("\n".join(_page(answer, names)) + "\n")
    return page


def records(answer: Answer) -> list[Record]:
    """Return the figures."""
    found = answer.campaign
    params = {
        "module": found.prepared.what.module.top,
        "model": found.question.model.value,
        "mode": "sampled" if found.sampled else "exhaustive",
    }
    made = [Record("faults", "injected", found.injected, "faults", params)]
    made += [
        Record("faults", outcome.name, found.counts[outcome], "faults", params)
        for outcome in Outcome
    ]
    if answer.environment.is_given:
        for name, of in answer.rates.items():
            made += _bounded(f"{name}_cross_section", of.cross_section, "cm2", params)
            made += _bounded(f"{name}_rate", of.fit, "FIT", params)
    return made


def _bounded(
    metric: str, found: Bounded | None, unit: str, params: dict[str, Any]
) -> Iterator[Record]:
    """Yield a figure, and the ends of its interval if faults were drawn: none seen is not none."""
    if found is None:
        return
    yield Record("faults", metric, found.value, unit, params)
    if params["mode"] == "sampled":
        yield Record("faults", f"{metric}_low", found.low, unit, params)
        yield Record("faults", f"{metric}_high", found.high, unit, params)


def _registers(found: Campaign) -> list[tuple[str, int, list[int]]]:
    """List registers with their places and outcomes, those that do most harm first."""
    places: dict[str, list[int]] = defaultdict(list)
    for index, name in enumerate(found.sites.names):
        places[part(name)].append(index)
    rows = [
        (name, len(indices), [int(count) for count in found.by_site[indices].sum(axis=0)])
        for name, indices in places.items()
    ]
    return sorted(rows, key=lambda row: (-sum(row[2][outcome] for outcome in BAD), row[0]))


def _cells(counts: list[int]) -> list[str]:
    total = sum(counts)
    harm = sum(counts[outcome] for outcome in BAD) / total if total else 0.0
    return [*(f"{count:,}" for count in counts), f"{harm:.2%}"]


def _told(found: Campaign, failure: int) -> str:
    result = found.results[failure]
    name = Outcome(int(result["outcome"])).name
    channel = found.prepared.session.machine.channels[int(result["channel"])]
    return (
        f"{name}: {found.sites.names[int(found.site[failure])]} in cycle "
        f"{int(found.cycle[failure])}: {channel} is wrong in cycle {int(result['seen'])}"
    )


def _failures(found: Campaign) -> str:
    """Return the first faults that do harm as a table."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(("place", "cycle", "outcome", "output", "seen_in_cycle"))
    channels = found.prepared.session.machine.channels
    for failure in found.failures[:_LISTED]:
        result = found.results[failure]
        out.writerow(
            (
                found.sites.names[int(found.site[failure])],
                int(found.cycle[failure]),
                Outcome(int(result["outcome"])).name,
                channels[int(result["channel"])],
                int(result["seen"]),
            )
        )
    return text.getvalue()


def _rate(of: Rate, sampled: bool) -> str:
    share = f"{of.share:.3%}"
    if sampled:
        share += f" ({of.low:.3%} to {of.high:.3%})"
    text = f"{share} of {of.bits:,} flip-flops: as {of.sensitive:,.2f} whose every upset does it"
    for word, found, unit in (("cross-section ", of.cross_section, "cm2"), ("", of.fit, "FIT")):
        if found is not None:
            text += f"; {word}{found.value:.3g} {unit}"
            text += f" ({found.low:.3g} to {found.high:.3g})" if sampled else ""
    return text


def _page(answer: Answer, names: list[str]) -> Iterator[str]:
    found = answer.campaign
    yield f"# Faults in {found.prepared.what.module.top}"
    yield ""
    yield f"{_MODELS[found.question.model]}."
    yield ""
    yield from (line if line.startswith("  ") else f"- {line}" for line in lines(answer))
    yield ""
    yield "| register | places | " + " | ".join(o.name for o in Outcome) + " | harm |"
    yield "|---|" + "---:|" * (len(Outcome) + 2)
    for name, places, counts in _registers(found):
        yield f"| `{name}` | {places:,} | " + " | ".join(_cells(counts)) + " |"
    yield ""
    listed = min(found.bad, _LISTED)
    yield f"`failures.csv` lists {listed:,} of {found.bad:,} faults that do harm, by the cycle in"
    yield f"which that is seen. The first of them as waveforms: {', '.join(names) or 'none'}."
    yield ""
    given = {key: value for key, value in asdict(answer.environment).items() if value is not None}
    yield "| where it comes from | |"
    yield "|---|---|"
    for key, value in {**answer.provenance, **given}.items():
        if isinstance(value, dict):
            for name, one in value.items():
                yield f"| {key}: {name} | `{one}` |"
        else:
            yield f"| {key} | `{value}` |"
