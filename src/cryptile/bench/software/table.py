"""The software benchmark's tables for the terminal."""

from collections.abc import Iterable

from rich import box
from rich.table import Table

from cryptile.bench.cells import number
from cryptile.bench.software.subject import BULK
from cryptile.records import Record

WIDTH = 128

CONDITIONS = (
    "model:loaduse2: one instruction a cycle, one stall when the next instruction uses a loaded "
    "word, one-cycle multiply; RTL cores: code and data in one-cycle memories"
)


def tables(records: list[Record], published: list[Record]) -> list[Table]:
    """Return the comparison with published figures, and all of ours."""
    return [_comparison(records, published), _all(records)]


def matches(ours: Record, other: Record) -> bool:
    """Tell whether one of our figures answers a published one."""
    wanted = {
        key: value for key, value in other.params.items() if key not in ("impl", "source", "core")
    }
    return (
        ours.metric == other.metric
        and wanted.items() <= ours.params.items()
        and ours.params["impl"] in other.params["impl"]
    )


def _comparison(records: list[Record], published: list[Record]) -> Table:
    table = Table(
        title="Published figures and ours", caption=CONDITIONS, box=box.SIMPLE_HEAD, expand=False
    )
    cores = sorted({record.params["core"] for record in records if "core" in record.params})
    for heading in ("algorithm", "instruction set", "unit"):
        table.add_column(heading, no_wrap=True)
    table.add_column("published", justify="right", no_wrap=True)
    for core in cores:
        table.add_column(core.replace("model:", "model\n"), justify="right", no_wrap=True)
    table.add_column("ours", no_wrap=True)
    for other in published:
        best = {core: _best(records, other, core) for core in cores}
        found = [record for record in best.values() if record is not None]
        if not found:
            continue
        limbs = other.params.get("limbs")
        who = "*" if "Stoffelen" in other.params["source"] else ""
        table.add_row(
            other.params["alg"] + (f", {limbs} limbs" if limbs else ""),
            other.params["isa"],
            other.unit,
            number(other.value) + who,
            *(number(record.value if record else None) for record in best.values()),
            ", ".join(sorted({record.params["impl"] for record in found})),
        )
    table.caption = f"{CONDITIONS}; * on the E31 core: {_paper(published)}"
    return table


def _paper(published: list[Record]) -> str:
    return next(
        (item.params["source"] for item in published if "Stoffelen" in item.params["source"]), ""
    )


def _best(records: Iterable[Record], other: Record, core: str) -> Record | None:
    fitting = [
        record for record in records if record.params.get("core") == core and matches(record, other)
    ]
    return min(fitting, key=lambda record: record.value, default=None)


def _all(records: list[Record]) -> Table:
    table = Table(
        title=f"All figures: cycles, or cycles per byte for {BULK} bytes", box=box.SIMPLE_HEAD
    )
    cores = sorted({record.params["core"] for record in records if "core" in record.params})
    for heading in ("algorithm", "implementation", "instruction set"):
        table.add_column(heading, no_wrap=True)
    for heading in (*cores, "code", "tables", "stack"):
        table.add_column(heading.replace("model:", "model\n"), justify="right", no_wrap=True)
    rows: dict[tuple[str, str, str, int], dict[str, float]] = {}
    for record in records:
        params = record.params
        if params.get("bytes", BULK) != BULK:
            continue
        limbs = params.get("limbs", 0)
        row = rows.setdefault((params["alg"], params["impl"], params["isa"], limbs), {})
        if record.metric in ("cycles", "cycles_per_byte"):
            row[params["core"]] = record.value
        elif record.metric == "code_bytes":
            row[params["part"]] = record.value
        elif record.metric == "stack_bytes":
            row["stack"] = record.value
    for (alg, impl, isa, limbs), row in rows.items():
        name = f"{alg}, {limbs} limbs" if limbs else alg
        cells = (number(row.get(key)) for key in (*cores, "code", "tables", "stack"))
        table.add_row(name, impl, isa, *cells)
    return table
