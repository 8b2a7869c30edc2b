"""The tables of ``cryptile bench stream``."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.table import Table

from cryptile.bench.cells import find, size_name
from cryptile.bench.stream.measure import MEGABYTE
from cryptile.records import Record

WIDTH = 124
"""Columns that the tables need."""


def tables(
    records: list[Record], published: list[Record], sizes: Sequence[int], mhz: float
) -> list[Table]:
    """Return our cycles by size, and the megabyte beside the published figures."""
    result = [_bysize_name(records, sizes)]
    if MEGABYTE in sizes:
        result.append(_megabyte(records, published, mhz))
    return result


def _bysize_name(records: list[Record], sizes: Sequence[int]) -> Table:
    table = Table(
        title="One message through the stream SoC: cycles, and cycles for 64 bytes",
        caption="RTL in Verilator; from the first instruction of the call to its return: key,\n"
        "nonce, descriptors, DMA from memory and back. Software: CV32E40P, the same memory.\n"
        "*: by the slope of shorter messages",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("algorithm", no_wrap=True)
    table.add_column("implementation", no_wrap=True)
    for size in sizes:
        table.add_column(size_name(size), justify="right", no_wrap=True)
    for alg, path, impl in _series(records):
        series = {"alg": alg, "path": path, "impl": impl}
        cells = []
        for size in sizes:
            cycles = find(records, "cycles", **series, bytes=size)
            block = find(records, "cycles_per_block", **series, bytes=size)
            if cycles is None or block is None:
                cells.append("-")
                continue
            mark = "*" if cycles.params.get("extrapolated") else ""
            cells.append(f"{cycles.value:,.0f}{mark}\n{block.value:,.1f}")
        table.add_row(alg, _label(records, series), *cells)
    return table


def _megabyte(records: list[Record], published: list[Record], mhz: float) -> Table:
    table = Table(
        title=f"1 MB: ours at {mhz:g} MHz, and the published figures",
        caption="stream: cycles for 64 bytes from the first beat in to the last beat out\n"
        "DMA: share of the call in which the stream moves\npublished: "
        + "; ".join(sorted({record.params["source"] for record in published}))
        + "\nsoftware of the published work: ARM at 667 MHz, engines at their own clock",
        box=box.SIMPLE_HEAD,
    )
    for heading, justify in (
        ("algorithm", "left"),
        ("implementation", "left"),
        ("ms", "right"),
        ("MB/s", "right"),
        ("stream", "right"),
        ("DMA", "right"),
        ("speed-up\nover asm", "right"),
        ("speed-up\nover C", "right"),
        ("published\nspeed-up", "right"),
    ):
        table.add_column(heading, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for alg, path, impl in _series(records):
        series = {"alg": alg, "path": path, "impl": impl}
        time = find(records, "time", **series, bytes=MEGABYTE)
        if time is None:
            continue
        table.add_row(
            alg,
            _label(records, series),
            f"{time.value:,.2f}" + ("*" if time.params.get("extrapolated") else ""),
            f"{MEGABYTE / 1000 / time.value:,.1f}",
            _number(find(records, "stream_cycles_per_block", **series, bytes=MEGABYTE)),
            _percent(find(records, "dma_efficiency", **series, bytes=MEGABYTE)),
            _number(find(records, "speedup", **series, bytes=MEGABYTE, baseline="asm")),
            _number(find(records, "speedup", **series, bytes=MEGABYTE, baseline="c")),
            "",
        )
    for record in published:
        if record.metric == "time":
            series = {key: record.params[key] for key in ("alg", "path", "impl")}
            table.add_row(
                record.params["alg"],
                f"published {record.params['path']} {record.params['impl']}",
                f"{record.value:,.2f}",
                f"{MEGABYTE / 1000 / record.value:,.1f}",
                "",
                "",
                "",
                "",
                _number(find(published, "speedup", **series)),
            )
    return table


def _series(records: Iterable[Record]) -> list[tuple[str, str, str]]:
    """Return (alg, path, impl) of all records, in their order, by algorithm."""
    found = dict.fromkeys(
        (record.params["alg"], record.params["path"], record.params["impl"]) for record in records
    )
    return sorted(found, key=lambda item: (item[0], item[1]))


def _label(records: Iterable[Record], series: dict[str, str]) -> str:
    """Name what computes, and how it is protected."""
    record = find(records, "cycles", **series)
    protect = record.params.get("protect", "none") if record else "none"
    name = f"{series['path']} {series['impl']}"
    return name if protect == "none" else f"{name}, {protect}"


def _number(record: Record | None) -> str:
    return "-" if record is None else f"{record.value:,.1f}"


def _percent(record: Record | None) -> str:
    return "-" if record is None else f"{record.value:.1%}"
