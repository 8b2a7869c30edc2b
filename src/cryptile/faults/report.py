"""A campaign's answer: records, a table for the terminal and one page for the browser."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from rich.table import Table

from cryptile import published
from cryptile.faults import heatmap, statistics
from cryptile.faults.campaign import Campaign, Mode
from cryptile.faults.shard import BAD, CLASSES, LATENCIES, Verdict
from cryptile.faults.sites import part
from cryptile.faults.store import Summary
from cryptile.netlist import make
from cryptile.records import Record

WIDTH = 100
MEANINGS = {
    Verdict.masked: "nothing went out wrong, and the state is right again",
    Verdict.latent: "nothing went out wrong, but the state still differs at the end",
    Verdict.corrected: "all output right, and the engine says that it corrected something",
    Verdict.detected: "the engine says so; nothing else went wrong, before or behind",
    Verdict.silent: "something wrong went out as if it were right",
    Verdict.hang: "the engine stands still",
    Verdict.false_alarm: "an alarm although nothing but a checker was hit",
    Verdict.unrecovered: "the engine says so, but then a later job went wrong",
}
_WORST, _NAMED = 20, 12


@dataclass(frozen=True)
class Answer:
    """A campaign that has been run.

    Attributes:
        what: the campaign.
        summary: its results.
        seconds: how long it took.
        command: how to repeat it.
    """

    what: Campaign
    summary: Summary
    seconds: float
    command: str

    @property
    def injected(self) -> int:
        """Number of faults."""
        return self.what.injected

    @property
    def bad(self) -> int:
        """Number of faults that did harm."""
        return sum(self.summary.counts[verdict] for verdict in BAD)

    @property
    def failed(self) -> bool:
        """Whether there were any."""
        return self.bad > 0

    @property
    def sampled(self) -> bool:
        """Whether the faults are a random sample."""
        return self.what.question.mode is Mode.paper


class Live:
    """Counts of classes while a campaign runs."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._counts: Counter[str] = Counter()

    def add(self, file: Path) -> None:
        """Add the results of a part."""
        rows = pq.read_table(file, columns=["kind", "class", "count"]).to_pydict()
        for kind, number, count in zip(*rows.values(), strict=True):
            if kind in ("count", "event", "rest"):
                self._counts[Verdict(number).name if number < CLASSES else "open"] += count

    def __str__(self) -> str:
        """Name the classes that occurred."""
        return " ".join(f"{name} {count:,}" for name, count in sorted(self._counts.items()))


def verdict(answer: Answer) -> str:
    """Say the outcome in words."""
    what = answer.what
    faults = f"{answer.injected:,} faults ({_faults_in_words(answer)})"
    where = f"{what.design.name}, variant {what.design.variant}, protection {what.design.protect}"
    silent, hang, unrecovered = (answer.summary.counts[kind] for kind in BAD)
    if answer.bad:
        parts = []
        if silent:
            parts.append(f"{silent:,} corrupted output without a word")
        if hang:
            parts.append(f"{hang:,} stopped the engine")
        if unrecovered:
            parts.append(f"{unrecovered:,} were detected, but a later job went wrong")
        result = f"NOT SAFE: of {faults} in {where}, " + " and ".join(parts) + "."
    else:
        result = f"No silent corruption, no hang, every report recovered from: {faults} in {where}."
    if answer.sampled:
        low, high = statistics.interval(answer.bad, answer.injected)
        result += f" 95 % interval of the rate: {low:.3%} to {high:.3%}."
    return result


def synthesis(answer: Answer) -> str:
    """Say what synthesis did to the registers of the RTL."""
    found = make.registers(answer.what.design.source)
    text = f"{len(found.kept):,} register bits of the RTL have a flip-flop of their own"
    if found.merged:
        name, other = next(iter(found.merged.items()))
        text += f"; MERGED with an equal one: {len(found.merged):,}, such as {name} with {other}"
    if found.removed:
        text += f"; removed: {len(found.removed):,}, such as {found.removed[0]}"
    return text + "."


def published_beside(answer: Answer) -> list[str]:
    """Return lines on published campaigns on the same kind of design."""
    lines = []
    for record in published.records("faults"):
        params = record.params
        if record.metric == "silent" and params["design"] == answer.what.design.name:
            lines.append(
                f"published: {record.value:,.0f} of {params['runs']:,} wrong, protection "
                f"{params['protect']}, in {params['hours']:.1f} h ({params['source']})"
            )
    return lines


def _faults_in_words(answer: Answer) -> str:
    what = answer.what
    kind = {
        "seu": "single-event upsets",
        "mbu": "multi-bit upsets",
        "set": "single-event transients",
        "stuck": "stuck-at faults",
    }[what.question.model]
    if answer.sampled:
        return f"{kind} at random places and times"
    if what.question.model == "stuck":
        return f"{kind} from cycle {what.first} on, at {len(what.sites.names):,} places"
    return f"{kind}, {len(what.sites.names):,} places x {what.end - what.first:,} cycles"


def table(answer: Answer) -> Table:
    """Return the counts of all classes."""
    what = answer.what
    title = f"{what.design.label} {what.design.protect}: {_faults_in_words(answer)}"
    found = Table(title=title)
    for heading in ("class", "faults", "share", "meaning"):
        found.add_column(heading, justify="right" if heading in ("faults", "share") else "left")
    for kind, count in answer.summary.counts.items():
        share = f"{count / answer.injected:.4%}" if answer.injected else ""
        found.add_row(kind.name.replace("_", " "), f"{count:,}", share, MEANINGS[kind])
    found.add_section()
    found.add_row("injected", f"{answer.injected:,}", "", _speed(answer))
    return found


def _speed(answer: Answer) -> str:
    return f"{answer.seconds:,.1f} s, {answer.injected / max(answer.seconds, 1e-9):,.0f} faults/s"


def records(answer: Answer) -> list[Record]:
    """Return one record per class, the number of faults and the speed."""
    question, what = answer.what.question, answer.what
    params = {
        "design": what.design.name,
        "impl": what.design.variant,
        "protect": what.design.protect,
        "model": str(question.model),
        "mode": str(question.mode),
        "jobs": question.jobs,
        "bytes": question.size,
    }
    counts = {kind.name: count for kind, count in answer.summary.counts.items()}
    rate = answer.injected / max(answer.seconds, 1e-9)
    return [
        *(Record("faults", name, count, "faults", params) for name, count in counts.items()),
        Record("faults", "injected", answer.injected, "faults", params),
        Record("faults", "faults_per_second", round(rate), "faults/s", params),
    ]


def worst(answer: Answer) -> str:
    """Name the parts whose faults did harm, worst first."""
    bad = answer.summary.by_site[:, list(BAD)].sum(axis=1)
    totals: Counter[str] = Counter()
    for site in np.flatnonzero(bad):
        totals[part(answer.what.sites.names[site])] += int(bad[site])
    shown = totals.most_common(_NAMED)
    text = ", ".join(f"{name} {count:,}" for name, count in shown)
    others = totals.total() - sum(count for _, count in shown)
    return f"{text}; {len(totals) - _NAMED:,} more {others:,}" if others else text


def page(answer: Answer) -> str:
    """Return the report as one page that needs nothing else."""
    what, summary = answer.what, answer.summary
    facts = [
        ("verdict", verdict(answer)),
        (
            "design",
            f"{what.design.source.top}: {len(what.machine.order):,} flip-flops, "
            f"{len(what.machine.netlist.gates):,} gates",
        ),
        ("what runs", _workload(answer)),
        ("synthesis", synthesis(answer)),
        ("speed", _speed(answer)),
        ("repeat it", answer.command),
    ]
    facts += [("beside", line) for line in published_beside(answer) if answer.sampled]
    head = "".join(f"<tr><th>{name}</th><td>{_escape(text)}</td></tr>" for name, text in facts)
    classes = "".join(
        f'<tr><td><span class="k {kind.name}"></span>{kind.name.replace("_", " ")}</td>'
        f"<td class=n>{count:,}</td><td class=n>{count / max(answer.injected, 1):.4%}</td>"
        f"<td>{MEANINGS[kind]}</td></tr>"
        for kind, count in summary.counts.items()
    )
    color = "bad" if answer.failed else "good"
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8">
<title>Faults in {_escape(what.design.name)}</title>
<style>{_STYLE}</style>
<h1 class="{color}">{_escape(verdict(answer))}</h1>
<table>{head}</table>
<h2>Classes</h2>
<table><tr><th>class</th><th>faults</th><th>share</th><th>meaning</th></tr>{classes}
<tr><td>injected</td><td class=n>{answer.injected:,}</td></tr></table>
<h2>Where and when</h2>
<p>Share of the faults in each register (row) and span of {what.bin_cycles:,} cycles (column) that
led to silent corruption, a hang or a wrong later job (red), a correction (green), an alarm (blue),
or stayed in the state (yellow).</p>
{heatmap.svg(answer.what, answer.summary, part)}
<h2>Worst registers</h2>
{_worst(answer)}
<h2>Time to the verdict</h2>
{_latency(answer)}
<h2>Examples</h2>
{_examples(answer)}
</html>
"""


def _workload(answer: Answer) -> str:
    question = answer.what.question
    jobs = f"{question.jobs} random jobs of at most" if question.jobs > 1 else "one message of"
    return (
        f"{jobs} {question.size:,} bytes: {answer.what.golden.complete:,} cycles; "
        f"stalls {question.stalls} %, aborts {question.aborts} %, seed {question.seed}"
    )


def _worst(answer: Answer) -> str:
    totals: dict[str, list[int]] = {}
    for name, row in zip(answer.what.sites.names, answer.summary.by_site.tolist(), strict=True):
        total = totals.setdefault(part(name), [0] * CLASSES)
        for index, count in enumerate(row):
            total[index] += count
    bad = sorted(totals.items(), key=lambda item: -sum(item[1][kind] for kind in BAD))
    rows = "".join(
        f"<tr><td>{_escape(name)}</td>"
        + "".join(f"<td class=n>{count:,}</td>" for count in row)
        + "</tr>"
        for name, row in bad[:_WORST]
    )
    heads = "".join(f"<th>{kind.name.replace('_', ' ')}</th>" for kind in Verdict)
    return f"<table><tr><th>register</th>{heads}</tr>{rows}</table>"


def _latency(answer: Answer) -> str:
    shown = [
        kind
        for kind in (Verdict.corrected, Verdict.detected, *BAD)
        if answer.summary.latencies[kind].any()
    ]
    if not shown:
        return "<p>No fault was corrected or detected, nor led to anything wrong.</p>"
    used = [b for b in range(LATENCIES) if answer.summary.latencies[list(shown), b].any()]
    heads = "".join(f"<th>{kind.name}</th>" for kind in shown)
    rows = "".join(
        f"<tr><td>below {1 << bucket:,} cycles</td>"
        + "".join(f"<td class=n>{answer.summary.latencies[kind, bucket]:,}</td>" for kind in shown)
        + "</tr>"
        for bucket in used
    )
    return f"<table><tr><th>cycles from fault to verdict</th>{heads}</tr>{rows}</table>"


def _examples(answer: Answer) -> str:
    names = answer.what.sites.names
    rows = "".join(
        f"<tr><td>{kind.name.replace('_', ' ')}</td><td>{_escape(names[site])}</td>"
        f"<td class=n>{cycle}</td></tr>"
        for kind, found in answer.summary.examples.items()
        if kind is not Verdict.masked
        for site, cycle in found[:_WORST]
    )
    return f"""<p>Each can be looked at as a waveform: <code>cryptile faults replay</code> with the
options of this campaign, <code>--place NAME --cycle N</code>.</p>
<table><tr><th>class</th><th>place</th><th>first cycle</th></tr>{rows}</table>"""


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#222}
h1{font-size:1.3rem;padding:.8rem;border-radius:.4rem}.bad{background:#fbe3e0}.good{background:#e1f3e4}
table{border-collapse:collapse;margin:.5rem 0}td,th{border:1px solid #ccc;padding:.15rem .6rem;
text-align:left;vertical-align:top}.n{text-align:right;font-variant-numeric:tabular-nums}
code,td:first-child{font-family:ui-monospace,monospace;font-size:.9em}
.k{display:inline-block;width:.8em;height:.8em;margin-right:.4em;background:#ddd}
.silent,.hang,.unrecovered{background:#c0392b}.corrected{background:#2e8b57}.detected,.false_alarm{background:#2f6fb0}
.latent{background:#e0b040}
"""
