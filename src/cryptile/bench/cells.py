"""What the tables of all suites need: records by their parameters, and figures for people."""

from collections.abc import Iterable

from cryptile.records import Record


def find(records: Iterable[Record], metric: str, **params: object) -> Record | None:
    """Return the first record of a metric with these parameters."""
    for record in records:
        if record.metric == metric and params.items() <= record.params.items():
            return record
    return None


def number(value: float | None) -> str:
    """Show a figure: whole if it is, or large; a dash for none."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if value == round(value) or value >= 1000 else f"{value:,.2f}"


def size_name(length: int) -> str:
    """Show a length in bytes."""
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if length % unit == 0:
            return f"{length // unit} {name}"
    return f"{length} B"
