"""The tables of ``cryptile bench linux``."""

from collections.abc import Sequence

from rich import box
from rich.table import Table

from cryptile.bench.cells import find, number, size_name
from cryptile.bench.linux.measure import LONG, PATHS
from cryptile.records import Record

WIDTH = 124
"""Columns that the tables need."""


def tables(records: list[Record], sizes: Sequence[int]) -> list[Table]:
    """Return cycles and instructions of a message, each way."""
    return [_cycles(records, sizes), _instructions(records, sizes)]


def _cycles(records: list[Record], sizes: Sequence[int]) -> Table:
    lengths = [*sizes, *([LONG] if find(records, "cycles", bytes=LONG) else [])]
    table = _table(
        "One message under Linux: cycles, and times faster than software",
        "RTL of CVA6 and the tile in Verilator; medians of the core's own counter.\n"
        "openssl, provider: EVP calls, data in ordinary memory, key set before; ring: a process\n"
        "with a queue of its own, data in its memory, polled; used: it reads each result; batch:\n"
        "one of 32 told together; stream: of 128 so, the next batch written meanwhile;\n"
        "kernel: a request of the crypto API, polled, or with an interrupt at its end;\n"
        "af-alg: two system calls, and all of the kernel behind.\n"
        "Faster than OpenSSL; kernel: than its own software. *: by the slope of shorter messages",
        lengths,
    )
    for alg, path in _series(records):
        cells = []
        for size in lengths:
            params = {"alg": alg, "path": path, "bytes": size}
            cycles = find(records, "cycles", **params)
            speedup = find(records, "speedup", **params)
            mark = "*" if cycles and cycles.params.get("extrapolated") else ""
            text = "-" if cycles is None else f"{cycles.value:,.0f}{mark}"
            cells.append(text + (f"\n{speedup.value:,.1f} x" if speedup else ""))
        table.add_row(alg, path, *cells)
    return table


def _instructions(records: list[Record], sizes: Sequence[int]) -> Table:
    table = _table(
        "The same: instructions of the core", "Those of the kernel, too; polling counts.", sizes
    )
    for alg, path in _series(records):
        found = [find(records, "instructions", alg=alg, path=path, bytes=size) for size in sizes]
        table.add_row(alg, path, *(number(item.value if item else None) for item in found))
    return table


def _table(title: str, caption: str, sizes: Sequence[int]) -> Table:
    table = Table(title=title, caption=caption, box=box.SIMPLE_HEAD)
    table.add_column("algorithm", no_wrap=True)
    table.add_column("way", no_wrap=True)
    for size in sizes:
        table.add_column(size_name(size), justify="right", no_wrap=True)
    return table


def _series(records: list[Record]) -> list[tuple[str, str]]:
    found = dict.fromkeys((item.params["alg"], item.params["path"]) for item in records)
    return sorted(found, key=lambda item: (item[0], PATHS.index(item[1])))
