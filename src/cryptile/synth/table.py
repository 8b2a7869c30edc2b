"""The synthesis tables for the terminal."""

from collections.abc import Iterable

from rich.table import Table

from cryptile.catalog import Design, Level
from cryptile.published import PUBLIC_CODE, PUBLISHED, of
from cryptile.records import Record
from cryptile.synth import points

WIDTH = 120
"""Columns that the tables need."""

_HEADINGS = {
    "lut": "LUT",
    "ff": "FF",
    "bram": "BRAM",
    "kge": "kGE",
    "fmax_mhz": "Fmax\nMHz",
    "cycles_per_block": "cycles\n64 B",
    "mb_per_s": "MB/s",
    "power_mw": "mW",
    "mj_per_mb": "mJ/MB",
    "mj_per_mb_settled": "settled\nmJ/MB",
}
_DIGITS = {"kge": 2, "fmax_mhz": 1, "power_mw": 2, "mj_per_mb": 3, "mj_per_mb_settled": 3}


def tables(
    records: list[Record], published: list[Record], conditions: dict[str, str]
) -> list[Table]:
    """Return tables of our figures, of what protection costs, and of others' figures."""
    ours = _rows(records)
    found = [_table("Synthesis", ours)]
    found[0].caption = "\n".join(f"{tech}: {text}" for tech, text in conditions.items())
    if costs := _costs(ours):
        found.append(_table("Protected over unprotected", costs, digits=3))
    for origin, title in (
        (PUBLISHED, "Published, other tools and technologies: not the same conditions"),
        (PUBLIC_CODE, "Public code, measured here; another technology"),
    ):
        if others := of(published, origin):
            found.append(_table(title, _rows(others)))
            found[-1].caption = "\n".join(sorted({r.params["source"] for r in others}))
    for part in found:
        part.caption_justify = "left"
    return found


def designs() -> Table:
    """Return what can be synthesised."""
    table = Table(title="Designs")
    for heading in ("design", "what", "variants", "configurations", "protection"):
        table.add_column(heading)
    for name, design in points.table().items():
        table.add_row(
            name,
            design.about,
            ", ".join(design.variants),
            ", ".join(design.configs),
            _protection(design),
        )
    return table


def _protection(design: Design) -> str:
    """Name the levels of a design, and the variants that have them if it is not all of them."""
    found: dict[str, list[str]] = {}
    for level in list(Level)[1:]:
        if has := ", ".join(word for word in design.variants if level in design.levels(word)):
            found.setdefault(has, []).append(level)
    everywhere = ", ".join(design.variants)
    parts = (
        ", ".join(names) + (f" ({has})" if has != everywhere else "")
        for has, names in found.items()
    )
    return "; ".join(parts) or "-"


Rows = dict[tuple[str, ...], dict[str, float]]
"""Figures by metric, for each design, variant, configuration, protection and technology."""


def _rows(records: Iterable[Record]) -> Rows:
    rows: Rows = {}
    for record in records:
        words = ("design", "impl", "config", "protect", "tech")
        row = tuple(str(record.params.get(word, "-")) for word in words)
        rows.setdefault(row, {})[record.metric] = record.value
    return rows


def _costs(rows: Rows) -> Rows:
    """Return ratios of protected designs to the same ones without protection."""
    costs: Rows = {}
    for (*what, level, tech), figures in rows.items():
        plain = rows.get((*what, Level.none, tech), {})
        if level != Level.none and plain:
            ratios = {name: figures[name] / plain[name] for name in figures if plain.get(name)}
            costs[*what, level, tech] = ratios
    return costs


def _table(title: str, rows: Rows, digits: int | None = None) -> Table:
    metrics = [name for name in _HEADINGS if any(name in row for row in rows.values())]
    table = Table(title=title)
    for heading in ("design", "variant", "configuration", "protection", "technology"):
        table.add_column(heading)
    for metric in metrics:
        table.add_column(_HEADINGS[metric], justify="right")
    for names, figures in rows.items():
        table.add_row(*names, *(_number(figures.get(name), name, digits) for name in metrics))
    return table


def _number(value: float | None, metric: str, digits: int | None) -> str:
    if value is None:
        return "-"
    if digits is None:
        digits = _DIGITS.get(metric, 0 if value == round(value) else 1)
    return f"{value:,.{digits}f}"
