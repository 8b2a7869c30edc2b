"""Writes the report: one HTML file that asks for nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

import cryptile
from cryptile import published
from cryptile.records import Record, Run
from cryptile.report.charts import charts
from cryptile.report.content import SUITES, Change, Pair, Sheet, changes, pairs, sheets, words

_WIDEST = 100
"""Percent of the width that the longer of two bars takes."""


@dataclass(frozen=True)
class _Suite:
    name: str
    about: str
    origins: list[dict[str, Any]]
    pairs: list[Pair]
    charts: list[Markup]
    sheets: list[Sheet]
    changes: list[Change]
    same: int


def page(runs: Iterable[Run], against: Iterable[Run] = ()) -> str:
    """Return the page over runs, with what changed since other runs."""
    known, before = list(runs), [record for run in against for record in run.records]
    suites = [_suite(name, about, known, before) for name, about in _named(known).items()]
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"number": _number, "words": words, "times": _times}
    environment.globals |= {"bars": _bars}
    source = resources.files("cryptile").joinpath("data/report.html").read_text()
    return environment.from_string(source).render(
        suites=suites,
        version=cryptile.__version__,
        written=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        compared=bool(before),
    )


def _named(runs: Iterable[Run]) -> dict[str, str]:
    """Return the suites that have figures, in the order of the page."""
    there = {record.suite for run in runs for record in run.records}
    return {name: SUITES.get(name, name) for name in [*SUITES, *sorted(there)] if name in there}


def _suite(name: str, about: str, runs: Iterable[Run], before: Iterable[Record]) -> _Suite:
    mine = [run.of(name) for run in runs]
    records = [record for run in mine for record in run.records]
    origins = list({str(run.provenance): run.provenance for run in mine if run.records}.values())
    old = [record for record in before if record.suite == name]
    changed = changes(records, old)
    same = len({item.name for item in old} & {item.name for item in records}) - len(changed)
    return _Suite(
        name, about, origins, pairs(records, published.records(name)),
        [Markup(chart) for chart in charts(records)], sheets(records), changed, same,
    )  # fmt: skip


def _number(value: object) -> str:
    """Show a figure for people; what is no number stays as it is."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    if value == round(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:,.2f}" if abs(value) >= 1 else f"{value:.3g}"


def _times(value: float) -> str:
    """Show how many times better something is."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _bars(pair: Pair) -> tuple[float, float]:
    """Return the widths of the bars of ours and of the public figure, in percent."""
    longest = max(pair.ours.value, pair.public.value)
    return _WIDEST * pair.ours.value / longest, _WIDEST * pair.public.value / longest
