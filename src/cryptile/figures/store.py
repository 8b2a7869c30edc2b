"""The measured figures that documents state and tests compare, a file for each suite.

Each file holds runs: what their records have in common, the provenance, and the records without
it, one in a line. A new run takes the place of the figures that it measured again; the others stay.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from cryptile.errors import UsageError
from cryptile.project import ROOT
from cryptile.records import Record

FOLDER = ROOT / "docs/figures"


@dataclass
class Run:
    """What one run of a command measured.

    Attributes:
        provenance: commit, tools and command, as ``cryptile.records`` writes them.
        records: its figures.
    """

    provenance: dict[str, Any]
    records: list[Record] = field(default_factory=list)


class _Measured(msgspec.Struct, forbid_unknown_fields=True):
    suite: str
    metric: str
    value: float
    unit: str
    params: dict[str, Any]
    provenance: dict[str, Any]


def load(suite: str, folder: Path = FOLDER) -> list[Run]:
    """Return the runs of a suite; none if nothing was kept."""
    path = folder / f"{suite}.json"
    if not path.exists():
        return []
    return [
        Run(run["provenance"], [Record(suite, **fields) for fields in run["records"]])
        for run in json.loads(path.read_text())
    ]


def records(suite: str, folder: Path = FOLDER) -> list[Record]:
    """Return the figures of a suite, of all its runs."""
    return [record for run in load(suite, folder) for record in run.records]


def keep(measured: Path, folder: Path = FOLDER) -> list[Path]:
    """Keep the records that a command wrote with ``--json``, and return the files written.

    Raises:
        UsageError: the file cannot be read, holds no records, or they come from a checkout with
            changes that were not committed, so that nobody could repeat the run.
    """
    try:
        found = msgspec.json.decode(measured.read_bytes(), type=list[_Measured])
    except OSError as error:
        raise UsageError(f"cannot read {measured}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise UsageError(f"{measured} holds no records of a run: {error}") from error
    written = []
    for suite in dict.fromkeys(item.suite for item in found):
        if not suite.isidentifier():
            raise UsageError(f"{measured}: no suite can be named {suite!r}")
        runs = load(suite, folder)
        for item in found:
            if item.suite == suite:
                _add(runs, item, measured)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{suite}.json"
        path.write_text(_text(run for run in runs if run.records))
        written.append(path)
    return written


def _add(runs: list[Run], item: _Measured, measured: Path) -> None:
    if str(item.provenance.get("commit", "-dirty")).endswith("-dirty"):
        raise UsageError(f"{measured}: measured with changes that are not committed")
    command = re.sub(r" --(json|plot)[= ]\S+", "", item.provenance.get("command", ""))
    item.provenance["command"] = command  # where the records went says nothing
    for run in runs:
        run.records = [
            record
            for record in run.records
            if (record.metric, record.params) != (item.metric, item.params)
        ]
    if not any(run.provenance == item.provenance for run in runs):
        runs.append(Run(item.provenance))
    (run,) = (run for run in runs if run.provenance == item.provenance)
    run.records.append(Record(item.suite, item.metric, item.value, item.unit, item.params))


def _text(runs: Iterable[Run]) -> str:
    parts = []
    for run in runs:
        lines = [
            json.dumps(
                {
                    "metric": record.metric,
                    "value": record.value,
                    "unit": record.unit,
                    "params": record.params,
                }
            )
            for record in run.records
        ]
        provenance = json.dumps(run.provenance)
        body = ",\n ".join(lines)
        parts.append(f'{{"provenance": {provenance},\n "records": [\n {body}]}}')
    return "[\n" + ",\n".join(parts) + "\n]\n"
