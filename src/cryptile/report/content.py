"""What stands in the report: figures of each suite by metric, beside public ones, and changes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cryptile.published import answers
from cryptile.records import Record

SUITES = {
    "engine": "Engines by themselves",
    "mcu": "A microcontroller with an engine",
    "stream": "Engines behind AXI4-Stream and DMA",
    "tile": "The tile beside a 64-bit core",
    "linux": "The tile under Linux",
    "crypt": "Files through the systems",
    "software": "The software library",
    "whatif": "What instruction set extensions bring",
    "synth": "Area and clock",
    "faults": "Campaigns of faults",
    "prove": "Proofs of protection",
}
"""Suites in the order of the page, and what they are about."""

SIZES = ("bytes", "blocks", "limbs")
"""Parameters that say how long a message or a number is."""

_MORE_IS_BETTER = frozenset(
    {"core_utilisation", "faults_per_second", "fmax_mhz", "mb_per_s", "utilisation"}
)
_NOT_COMPARED = frozenset({"speedup"})
"""Ratios over something of one's own: a slower one of ours would make us look better."""


@dataclass(frozen=True)
class Pair:
    """A public figure and the best of ours that answers it.

    Attributes:
        public: the figure of others; ``params["origin"]`` and ``params["source"]`` say whose.
        ours: the best one measured with the same words; where ours has a variant of the name of
            the public one, of that variant.
        times: how many times better ours is; below 1 it is worse.
    """

    public: Record
    ours: Record
    times: float


@dataclass(frozen=True)
class Sheet:
    """The figures of one metric.

    Attributes:
        metric: its name.
        unit: of all values.
        common: parameters that are the same in all rows.
        columns: names of the others.
        rows: their values, and the figure.
    """

    metric: str
    unit: str
    common: dict[str, Any]
    columns: list[str]
    rows: list[tuple[list[Any], float]]


@dataclass(frozen=True)
class Change:
    """A figure that is not what it was."""

    now: Record
    before: Record

    @property
    def ratio(self) -> float | None:
        """How many times the old figure the new one is; None if that was zero."""
        return self.now.value / self.before.value if self.before.value else None


def pairs(ours: Iterable[Record], public: Iterable[Record]) -> list[Pair]:
    """Return each public figure that one of ours answers, with the best of them.

    Area and clock answer in the same technology alone, software on the same core.
    """
    known = list(ours)
    variants = {str(record.params.get("impl")) for record in known}
    found = []
    for other in public:
        fitting = [
            record for record in known if answers(record, other) and _on_same_core(record, other)
        ]
        if str(same := other.params.get("impl")) in variants:
            fitting = [record for record in fitting if record.params.get("impl") == same]
        if not fitting or not other.value or other.metric in _NOT_COMPARED:
            continue
        more = other.metric in _MORE_IS_BETTER
        best = (max if more else min)(fitting, key=lambda record: record.value)
        times = best.value / other.value if more else other.value / best.value
        found.append(Pair(other, best, times))
    return found


def _on_same_core(ours: Record, other: Record) -> bool:
    core = other.params.get("core")
    return core is None or ours.params.get("core") in (core, f"model:{core}")


def sheets(records: Iterable[Record]) -> list[Sheet]:
    """Return the figures by metric and unit, in the order in which they came."""
    kinds: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        kinds.setdefault((record.metric, record.unit), []).append(record)
    return [_sheet(metric, unit, found) for (metric, unit), found in kinds.items()]


def _sheet(metric: str, unit: str, records: list[Record]) -> Sheet:
    names = list(dict.fromkeys(name for record in records for name in record.params))
    common = {
        name: records[0].params[name]
        for name in names
        if all(record.params.get(name) == records[0].params.get(name) for record in records)
        and name in records[0].params
    }
    columns = [name for name in names if name not in common]
    rows = [([record.params.get(name, "") for name in columns], record.value) for record in records]
    return Sheet(metric, unit, common, columns, rows)


def changes(now: Iterable[Record], before: Iterable[Record]) -> list[Change]:
    """Return what was measured both times and differs, the largest change first."""
    old = {record.name: record for record in before}
    found = [
        Change(record, old[record.name])
        for record in now
        if record.name in old and record.value != old[record.name].value
    ]
    return sorted(found, key=lambda change: abs((change.ratio or 0) - 1), reverse=True)


def words(params: Mapping[str, Any], *without: str) -> str:
    """Return the values of parameters as one line."""
    shown = [
        f"{value} {name}" if name in SIZES else str(value)
        for name, value in params.items()
        if name not in without
    ]
    return " ".join(shown)
