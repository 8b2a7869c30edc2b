"""The measured figures that documents state, a file for each suite.

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

_OUTPUTS = re.compile(r" (--json|--plot|--output|-o)[= ]\S+")
"""Options that say where a run wrote: of no use to who repeats it."""


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


class Store:
    """What is kept, and what is to be: nothing is written before ``write``."""

    def __init__(self, folder: Path = FOLDER) -> None:
        """Take a folder, which need not be there."""
        self._folder = folder
        self._runs: dict[str, list[Run]] = {}
        self._changed: set[str] = set()

    def runs(self, suite: str) -> list[Run]:
        """Return the runs of a suite; none if nothing was kept."""
        if suite not in self._runs:
            path = self._path(suite)
            kept = json.loads(path.read_text()) if path.exists() else []
            self._runs[suite] = [
                Run(run["provenance"], [Record(suite, **fields) for fields in run["records"]])
                for run in kept
            ]
        return self._runs[suite]

    def records(self, suite: str) -> list[Record]:
        """Return the figures of a suite, of all its runs."""
        return [record for run in self.runs(suite) for record in run.records]

    def add(self, measured: Path) -> None:
        """Add the records that a command wrote with ``--json``.

        Raises:
            UsageError: the file cannot be read, holds no records, or they come from a checkout
                with changes that were not committed, so that nobody could repeat the run.
        """
        try:
            found = msgspec.json.decode(measured.read_bytes(), type=list[_Measured])
        except OSError as error:
            raise UsageError(f"cannot read {measured}: {error.strerror}") from error
        except msgspec.DecodeError as error:
            raise UsageError(f"{measured} holds no records of a run: {error}") from error
        for suite in dict.fromkeys(item.suite for item in found):
            if not suite.isidentifier():
                raise UsageError(f"{measured}: no suite can be named {suite!r}")
            _add(self.runs(suite), [item for item in found if item.suite == suite], measured)
            self._changed.add(suite)

    def write(self, used: Iterable[Record]) -> None:
        """Write the suites that records were added to; only what is used of them stays."""
        kept = list(used)
        for suite in self._changed:
            runs = self.runs(suite)
            for run in runs:
                run.records = [record for record in run.records if record in kept]
            runs[:] = [run for run in runs if run.records]
            if runs:
                self._folder.mkdir(parents=True, exist_ok=True)
                self._path(suite).write_text(_text(runs))
            else:
                self._path(suite).unlink(missing_ok=True)
        self._changed.clear()

    def _path(self, suite: str) -> Path:
        return self._folder / f"{suite}.json"


def _add(runs: list[Run], items: list[_Measured], measured: Path) -> None:
    """Add what was measured to the runs, in the place of the same figures of earlier ones."""
    if any(str(item.provenance.get("commit", "-dirty")).endswith("-dirty") for item in items):
        raise UsageError(f"{measured}: measured with changes that are not committed")
    again = {_name(item.metric, item.params) for item in items}
    for run in runs:
        run.records = [
            record for record in run.records if _name(record.metric, record.params) not in again
        ]
    for item in items:
        command = _OUTPUTS.sub("", item.provenance.get("command", ""))
        origin = {**item.provenance, "command": command}
        if not runs or runs[-1].provenance != origin:
            runs.append(Run(origin))
        record = Record(item.suite, item.metric, item.value, item.unit, item.params)
        runs[-1].records.append(record)


def _name(metric: str, params: dict[str, Any]) -> str:
    return json.dumps([metric, params], sort_keys=True)


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
