"""Results of parts as Parquet files, and the whole campaign as tables, queried by DuckDB.

Every file is written under another name first, so a file that is there is whole.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import ArrayLike, NDArray

from cryptile.faults.shard import CLASSES, Outcome, Part, Verdict

_COLUMNS = ("site", "bin", "class", "count", "cycle", "latency")
_EXAMPLES = 400
"""Exemplars that one part keeps of each class."""


def path(folder: Path, index: int) -> Path:
    """Return the file of a part."""
    return folder / f"part-{index:05d}.parquet"


def table(got: Outcome, part: Part, first_bin: int) -> pa.Table:
    """Return the results of a part as rows of several kinds.

    ``count``: faults by site, time bin and class. ``rest``: the same for faults whose class is that
    of a single upset of flip-flop ``class`` - 8 in the next part's first cycle. ``probe``: what a
    single upset of flip-flop ``site`` in this part's first cycle becomes. ``event``: a sampled
    fault. ``example``: first fault of a site and class. ``latency``: faults by class and latency
    below 2^bin cycles. The cost is in the metadata.
    """
    rows = _Rows()
    site, time, verdict = np.nonzero(got.counts)
    rows.add("count", site, time + first_bin, verdict, count=got.counts[site, time, verdict])
    if len(got.rest):
        some, times = np.unique(got.rest, axis=0, return_counts=True)
        rows.add("rest", some[:, 0], some[:, 1] + first_bin, some[:, 2] + CLASSES, count=times)
    known = np.nonzero(got.probe != np.uint32(0xFFFF_FFFF))[0]
    rows.add("probe", known, 0, got.probe[known])
    for number in range(CLASSES):
        places = np.nonzero(got.example[:, number] != np.uint32(0xFFFF_FFFF))[0][:_EXAMPLES]
        rows.add("example", places, 0, number, cycle=got.example[places, number])
    if part.events is not None:
        cycles, sites = part.events
        bins = (cycles - part.first) // part.bin_cycles + first_bin
        rows.add("event", sites, bins, got.outcome, 1, cycles, got.latency)
    verdict, bucket = np.nonzero(got.latencies)
    rows.add("latency", 0, bucket, verdict, count=got.latencies[verdict, bucket])
    whole = rows.table()
    cost = {
        "faults": got.faults,
        "seconds": got.seconds,
        "cycles": got.cycles,
        "lane_cycles": got.lane_cycles,
        "group_cycles": got.group_cycles,
    }
    return whole.replace_schema_metadata({"cost": json.dumps(cost)})


class _Rows:
    def __init__(self) -> None:
        self._parts: list[pa.Table] = []

    def add(
        self,
        kind: str,
        site: ArrayLike,
        bin_: ArrayLike,
        verdict: ArrayLike,
        count: ArrayLike = 1,
        cycle: ArrayLike = 0,
        latency: ArrayLike = 0,
    ) -> None:
        columns = np.broadcast_arrays(
            *(np.asarray(item, np.int64) for item in (site, bin_, verdict, count, cycle, latency))
        )
        if columns[0].ndim == 0 or not len(columns[0]):
            return
        kinds = pa.array([kind] * len(columns[0])).dictionary_encode()
        arrays = [kinds, *(pa.array(np.ascontiguousarray(column)) for column in columns)]
        self._parts.append(pa.table(arrays, names=["kind", *_COLUMNS]))

    def table(self) -> pa.Table:
        if not self._parts:
            self.add("none", [0], 0, 0)
        return pa.concat_tables(self._parts).unify_dictionaries()


def write(result: pa.Table, folder: Path, index: int) -> None:
    """Write the results of a part."""
    folder.mkdir(parents=True, exist_ok=True)
    final = path(folder, index)
    temporary = final.with_suffix(".tmp")
    pq.write_table(result, temporary)
    temporary.rename(final)


def cost(file: Path) -> dict[str, float]:
    """Return what a part cost."""
    metadata = pq.read_schema(file).metadata or {}
    figures: dict[str, float] = json.loads(metadata[b"cost"])
    return figures


@dataclass(frozen=True)
class Summary:
    """A whole campaign.

    Attributes:
        counts: faults by class.
        by_site: faults by site and class.
        by_bin: faults by site, time bin and class, as rows.
        latencies: faults by class and bucket of latency.
        examples: of each class: site, cycle.
        seconds: of computing, summed over processes.
    """

    counts: dict[Verdict, int]
    by_site: NDArray[np.int64]
    by_bin: NDArray[np.int64]
    latencies: NDArray[np.int64]
    examples: dict[Verdict, list[tuple[int, int]]]
    seconds: float


def summarise(folder: Path, parts: int, sites: int) -> Summary:
    """Put the results of all parts together."""
    files = [str(path(folder, index)) for index in range(parts)]
    database = duckdb.connect()
    database.execute(
        "create table classes(part integer, site bigint, bin bigint, class bigint, count bigint)"
    )
    final = np.zeros(0, np.int64)
    # From the last part to the first: what is left at the end of one has its class in the next.
    for index in reversed(range(parts)):
        rows = database.execute(
            "select kind, site, bin, class, count from read_parquet(?) "
            "where kind in ('count', 'rest', 'probe', 'event')",
            [files[index]],
        ).fetchnumpy()
        verdict = np.asarray(rows["class"])
        open_ = verdict >= CLASSES
        verdict = verdict.copy()
        verdict[open_] = final[verdict[open_] - CLASSES]
        kind = np.asarray(rows["kind"]).astype(str)
        probe = kind == "probe"
        counted = pa.table(
            {
                "site": rows["site"][~probe],
                "bin": rows["bin"][~probe],
                "class": verdict[~probe],
                "count": rows["count"][~probe],
            }
        )
        database.register("counted", counted)
        database.execute("insert into classes select ?, * from counted", [index])
        database.unregister("counted")
        final = np.zeros(int(rows["site"][probe].max(initial=-1)) + 1, np.int64)
        final[rows["site"][probe]] = verdict[probe]
    return _gather(database, files, sites)


def _gather(database: duckdb.DuckDBPyConnection, files: list[str], sites: int) -> Summary:
    def ask(query: str, *values: object) -> list[tuple[Any, ...]]:
        return database.execute(query, list(values)).fetchall()

    counts = dict.fromkeys(Verdict, 0)
    for number, count in ask("select class, sum(count)::bigint from classes group by class"):
        counts[Verdict(number)] = count
    by_site = np.zeros((sites, CLASSES), np.int64)
    for site, number, count in ask(
        "select site, class, sum(count)::bigint from classes group by site, class"
    ):
        by_site[site, number] = count
    by_bin = ask(
        "select site, bin, class, sum(count)::bigint from classes "
        "group by site, bin, class order by all"
    )
    latencies = np.zeros((CLASSES, 33), np.int64)
    for number, bucket, count in ask(
        "select class, bin, sum(count)::bigint from read_parquet(?) where kind = 'latency' "
        "group by class, bin",
        files,
    ):
        latencies[number, bucket] = count
    examples: dict[Verdict, list[tuple[int, int]]] = {verdict: [] for verdict in Verdict}
    for number, site, cycle in ask(
        "select class, site, min(cycle)::bigint from read_parquet(?) "
        f"where kind = 'example' or (kind = 'event' and class < {CLASSES}) "
        "group by class, site order by class, site",
        files,
    ):
        examples[Verdict(number)].append((site, cycle))
    seconds = sum(cost(Path(file))["seconds"] for file in files)
    table_ = np.array(by_bin, np.int64).reshape(-1, 4)
    return Summary(counts, by_site, table_, latencies, examples, seconds)
