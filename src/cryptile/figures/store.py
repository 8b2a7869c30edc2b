"""The measured figures that documents state, a file for each suite.

Each file holds runs: what their records have in common, the provenance, and the records without
it, one in a line. A new run takes the place of the figures that it measured again; the others stay.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from cryptile.errors import UsageError
from cryptile.project import ROOT
from cryptile.records import Record, Run, read_runs

FOLDER = ROOT / "docs/figures"


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
        found = read_runs(measured)
        if not all(run.is_repeatable for run in found):
            raise UsageError(f"{measured}: measured with changes that are not committed")
        for suite in dict.fromkeys(item.suite for run in found for item in run.records):
            if not suite.isidentifier():
                raise UsageError(f"{measured}: no suite can be named {suite!r}")
            merge(self.runs(suite), [run.of(suite) for run in found])
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


def merge(runs: list[Run], measured: list[Run]) -> None:
    """Add what was measured to the runs, in the place of the same figures of earlier ones."""
    again = {item.name for run in measured for item in run.records}
    for run in runs:
        run.records = [record for record in run.records if record.name not in again]
    for run in measured:
        if runs and runs[-1].provenance == run.provenance:
            runs[-1].records += run.records
        elif run.records:
            runs.append(run)


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
