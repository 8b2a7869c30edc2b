"""The tables of ``cryptile bench tile``."""

from collections.abc import Sequence

from rich import box
from rich.table import Table

from cryptile.bench.cells import find, number, size_name
from cryptile.bench.tile.measure import MEASURING, PUBLIC_KEY, RSA
from cryptile.records import Record

_PATHS = "engine", "software"

WIDTH = 124
"""Columns that the tables need."""


def tables(records: list[Record], others: list[Record], sizes: Sequence[int]) -> list[Table]:
    """Return single jobs, queued jobs, several queues, and where the time of a single job goes.

    Public-key algorithms have a table of their own, with the figures of ``others``.
    """
    keyed = (*PUBLIC_KEY, *RSA)
    of_keys = [record for record in records if record.params["alg"] in keyed]
    records = [record for record in records if record.params["alg"] not in keyed]
    found = []
    if records:
        found = [_single(records, sizes), _queued(records, sizes)]
        if find(records, "core_utilisation") is not None:
            found.append(_queues(records, sizes))
        found.append(_parts(records, sizes))
    return [*found, *([_public_key(of_keys, others)] if of_keys else [])]


def _algs(records: list[Record]) -> list[str]:
    return list(dict.fromkeys(record.params["alg"] for record in records))


def _public_key(records: list[Record], others: list[Record]) -> Table:
    table = Table(
        title="Public-key algorithms: cycles of a call of the tile's driver, and of the library",
        caption="RTL in Verilator; keys in memory, that of ed25519-sign in a slot. A call is one "
        "job, of Ed25519 some, with its hashes, of 64 bytes. Software: the library's assembly on "
        "the same CVA6. Published, of their programs alone: "
        + "; ".join(sorted({record.params["source"] for record in others}))
        + ".",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("algorithm", no_wrap=True)
    for name in ("tile", "software", "times faster", "published"):
        table.add_column(name, justify="right")
    for alg in _algs(records):
        tile, software = (find(records, "cycles", path=path, alg=alg) for path in _PATHS)
        faster = find(records, "speedup", alg=alg)
        known = [other for other in others if other.params["alg"] == alg]
        table.add_row(
            alg,
            *(number(found.value if found else None) for found in (tile, software, faster)),
            "\n".join(f"{other.params['impl']} {other.value:,.0f}" for other in known),
        )
    return table


def _single(records: list[Record], sizes: Sequence[int]) -> Table:
    table = Table(
        title="One job through the tile: cycles of the call, and times faster than software",
        caption="RTL in Verilator; from the first instruction of the call to its return.\n"
        "Software: the library's assembly on the same CVA6; * by the slope of shorter messages.",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("algorithm", no_wrap=True)
    for size in sizes:
        table.add_column(size_name(size), justify="right", no_wrap=True)
    for alg in _algs(records):
        cells = []
        for size in sizes:
            params = {"path": "engine", "alg": alg, "bytes": size, "queued": False}
            cycles = find(records, "cycles", **params)
            speedup = find(records, "speedup", **params)
            faster = ""
            if speedup is not None:
                mark = "*" if speedup.params.get("extrapolated") else ""
                faster = f"\n{speedup.value:,.1f} x{mark}"
            cells.append("-" if cycles is None else f"{cycles.value:,.0f}{faster}")
        table.add_row(alg, *cells)
    return table


def _queued(records: list[Record], sizes: Sequence[int]) -> Table:
    table = Table(
        title="Queued jobs: cycles of each, bytes per cycle, and share of the engine's best",
        caption="One doorbell for all; from the end of the first quarter of the jobs to the last.",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("algorithm", no_wrap=True)
    for size in sizes:
        table.add_column(size_name(size), justify="right", no_wrap=True)
    for alg in _algs(records):
        cells = []
        for size in sizes:
            params = {"path": "engine", "alg": alg, "bytes": size, "queued": True}
            cycles = find(records, "cycles", **params)
            rate = find(records, "bytes_per_cycle", **params)
            use = find(records, "utilisation", **params)
            if cycles is None:
                cells.append("-")
                continue
            text = f"{cycles.value:,.1f}"
            text += "" if rate is None else f"\n{rate.value:.2f}"
            text += "" if use is None else f" {use.value:.0%}"
            cells.append(text)
        table.add_row(alg, *cells)
    return table


def _queues(records: list[Record], sizes: Sequence[int]) -> Table:
    table = Table(
        title="Serial modes on several queues: cycles of each job, and share of the AES core",
        caption="The same jobs on each queue, from the first doorbell to the last completion.",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("algorithm", no_wrap=True)
    table.add_column("bytes", justify="right")
    for queues in (1, 2, 4):
        table.add_column(f"{queues} queue{'s' * (queues > 1)}", justify="right")
    for alg in _algs(records):
        for size in sizes:
            cells = []
            for queues in (1, 2, 4):
                params = {"path": "queues", "alg": alg, "bytes": size, "queues": queues}
                cycles = find(records, "cycles", **params)
                busy = find(records, "core_utilisation", **params)
                if cycles is not None and busy is not None:
                    cells.append(f"{cycles.value:,.1f} {busy.value:.0%}")
            if cells:
                table.add_row(alg, size_name(size), *cells)
    return table


def _parts(records: list[Record], sizes: Sequence[int]) -> Table:
    table = Table(
        title="Where the time of one job goes, in cycles",
        caption="set-up: preparing, describing and publishing by the core; queue: doorbell,\n"
        "descriptor and record (a NOP); move: reading and writing data (a COPY, over the NOP);\n"
        "compute: what the algorithm adds; collect: taking the result.\n"
        "Of a session: set-up, with the doorbell's store, and call of a job prepared beforehand;\n"
        "used, read: the call, if the caller reads every result, and reading it.",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("algorithm", no_wrap=True)
    table.add_column("bytes", justify="right")
    for name in ("set-up", "queue", "move", "compute", "collect", "call"):
        table.add_column(name, justify="right")
    for name in ("set-up", "call", "used", "read"):
        table.add_column(f"{name} of\na session", justify="right")
    shown = [size for size in sizes if size in (64, 4096, 65536)] or list(sizes)
    for alg in _algs(records):
        if alg in MEASURING:
            continue
        for size in shown:
            params = {"path": "engine", "alg": alg, "bytes": size, "queued": False}
            found = [
                find(records, metric, **params)
                for metric in (
                    "setup_cycles",
                    "queue_cycles",
                    "move_cycles",
                    "compute_cycles",
                    "collect_cycles",
                    "cycles",
                )
            ]
            of_session = {**params, "path": "session"}
            found += [find(records, metric, **of_session) for metric in ("setup_cycles", "cycles")]
            used = {**params, "path": "used"}
            found += [find(records, metric, **used) for metric in ("cycles", "read_cycles")]
            if found[5] is not None:
                cells = ["-" if item is None else f"{item.value:,.0f}" for item in found]
                table.add_row(alg, size_name(size), *cells)
    return table
