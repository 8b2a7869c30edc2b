"""The software benchmark's tables for the terminal."""

from collections.abc import Iterable

from rich import box
from rich.table import Table

from cryptile.bench.cells import number
from cryptile.bench.software.subject import BULK
from cryptile.published import PUBLIC_CODE, PUBLISHED, answers, of
from cryptile.records import Record

WIDTH = 128

CONDITIONS = (
    "model:loaduse2: one instruction a cycle, one stall when the next instruction uses a loaded "
    "word, one-cycle multiply; RTL cores: code and data in one-cycle memories"
)


def tables(records: list[Record], published: list[Record]) -> list[Table]:
    """Return the comparison with figures of others, and all of ours."""
    return [_comparison(records, published), _all(records)]


def _comparison(records: list[Record], published: list[Record]) -> Table:
    table = Table(
        title="Figures of others and ours", caption=CONDITIONS, box=box.SIMPLE_HEAD, expand=False
    )
    cores = sorted({record.params["core"] for record in records if "core" in record.params})
    for heading in ("algorithm", "instruction set", "unit"):
        table.add_column(heading, no_wrap=True)
    for origin in (PUBLISHED, PUBLIC_CODE):
        table.add_column(origin.replace(" ", "\n"), justify="right", no_wrap=True)
    for core in cores:
        table.add_column(core.replace("model:", "model\n"), justify="right", no_wrap=True)
    table.add_column("ours", no_wrap=True)
    for other in published:
        best = {core: _best(records, other, core) for core in cores}
        found = [record for record in best.values() if record is not None]
        if not found:
            continue
        limbs = other.params.get("limbs")
        table.add_row(
            other.params["alg"] + (f", {limbs} limbs" if limbs else ""),
            other.params["isa"],
            other.unit,
            *(
                number(other.value) if other.params["origin"] == origin else ""
                for origin in (PUBLISHED, PUBLIC_CODE)
            ),
            *(number(record.value if record else None) for record in best.values()),
            ", ".join(sorted({record.params["impl"] for record in found})),
        )
    papers = sorted({item.params["source"] for item in of(published, PUBLISHED)})
    table.caption = "\n".join(
        [
            CONDITIONS,
            f"published: on the core E31, as printed in {'; '.join(papers)}",
            "public code: measured here on model:loaduse2; docs/public-code.md has code and flags",
        ]
    )
    return table


def _best(records: Iterable[Record], other: Record, core: str) -> Record | None:
    fitting = [
        record for record in records if record.params.get("core") == core and answers(record, other)
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
