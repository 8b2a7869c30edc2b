"""One shape for every measurement: flat records with their provenance."""

import itertools
import json
import os
import platform
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import cryptile
from cryptile.errors import UsageError
from cryptile.project import ROOT


@dataclass(frozen=True)
class Record:
    """One measured figure.

    Attributes:
        suite: the command's word: mcu, synth, ...
        metric: what was measured: cycles, lut, ...
        value: the figure.
        unit: its unit, such as ``cycles/block``.
        params: what it was measured on; see ``docs/measurements.md`` for the words.
    """

    suite: str
    metric: str
    value: float
    unit: str
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What tells the figure from all others, whatever its value."""
        return json.dumps([self.suite, self.metric, self.params], sort_keys=True)


@dataclass
class Run:
    """What one run of a command measured.

    Attributes:
        provenance: commit, tools and command, as ``provenance`` gives them.
        records: its figures.
    """

    provenance: dict[str, Any]
    records: list[Record] = field(default_factory=list)

    def of(self, suite: str) -> "Run":
        """Return what it measured of a suite."""
        return Run(self.provenance, [item for item in self.records if item.suite == suite])

    @property
    def is_repeatable(self) -> bool:
        """Whether it ran on a commit, with nothing changed."""
        return not str(self.provenance.get("commit", "-dirty")).endswith("-dirty")


_OUTPUTS = re.compile(r" (--json|--plot|--output|-o)[= ]\S+")
"""Options that say where a run wrote: of no use to who repeats it."""

SECRET_OPTIONS = frozenset({"--key", "--key-file", "--key-token", "--wrapping-key-file", "--tag"})
"""Options, of any command, whose values are never recorded."""

REDACTED = "REDACTED"


def command_line() -> str:
    """Return the command that is running, as a shell takes it, without the values of secrets."""
    words = ["cryptile"]
    for before, word in itertools.pairwise(sys.argv):
        option, joined, _ = word.partition("=")
        if before in SECRET_OPTIONS:
            words.append(REDACTED)
        elif joined and option in SECRET_OPTIONS:
            words.append(f"{option}={REDACTED}")
        else:
            words.append(word)
    return shlex.join(words)


def provenance(*, tools: dict[str, str] | None = None, seed: int | None = None) -> dict[str, Any]:
    """Describe what a figure comes from, so that a reader can repeat the run."""
    return {
        "commit": commit(),
        "tools": {
            "cryptile": cryptile.__version__,
            "python": platform.python_version(),
            **(tools or {}),
        },
        "command": command_line(),
        "seed": seed,
    }


@cache
def commit() -> str:
    """Return the checkout's commit, marked ``-dirty`` when files differ, or ``unknown``."""
    result = subprocess.run(
        ["git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],
        capture_output=True,
        text=True,
        check=False,
    )
    return result.stdout.strip() or "unknown"


def write_json(
    records: Iterable[Record],
    destination: str,
    *,
    tools: dict[str, str] | None = None,
    seed: int | None = None,
) -> None:
    """Write records as a JSON list to a file, or to standard output for ``-``.

    Raises:
        UsageError: the file cannot be written.
    """
    text = _text([Run(provenance(tools=tools, seed=seed), list(records))])
    if destination == "-":
        sys.stdout.write(text)
    else:
        write_file(Path(destination), text)


def _text(runs: Iterable[Run]) -> str:
    items = [
        {**asdict(record), "provenance": run.provenance} for run in runs for record in run.records
    ]
    return json.dumps(items, indent=1) + "\n"


class GrowingFile:
    """A file of records that is whole after each addition, and goes on when a run starts again."""

    def __init__(self, path: Path, *, tools: dict[str, str] | None = None) -> None:
        """Read what is there.

        Raises:
            UsageError: it cannot be read, or was measured on another state of the project, or on
                one that no commit names.
        """
        self._path = path
        self._run = Run(provenance(tools=tools))
        self._runs: list[Run] = []
        if path.exists():
            if not path.is_file():
                raise UsageError(f"{path} is no file that records could be added to")
            self._runs = read_runs(path)
        for run in self._runs:
            then, now = run.provenance.get("commit"), self._run.provenance["commit"]
            if then != now or not run.is_repeatable:
                raise UsageError(
                    f"{path} holds records of commit {then}, this is {now}: name another file"
                )

    @property
    def records(self) -> list[Record]:
        """All that is in the file."""
        return [record for run in [*self._runs, self._run] for record in run.records]

    def add(self, records: Iterable[Record]) -> None:
        """Write records, in the place of the same figures of earlier runs.

        Raises:
            UsageError: the file cannot be written.
        """
        new = list(records)
        names = {record.name for record in new}
        for run in [*self._runs, self._run]:
            run.records = [record for record in run.records if record.name not in names]
        self._run.records += new
        beside = self._path.with_name(f".{self._path.name}.new")
        write_file(beside, _text([*self._runs, self._run]))
        beside.replace(self._path)


def write_file(path: Path, text: str) -> None:
    """Write a file that a user named, and the folders that it is in.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def check_writable(path: Path) -> None:
    """Check, before any work, that :func:`write_file` could; nothing changes.

    Raises:
        UsageError: it could not.
    """
    try:
        if path.exists():
            path.open("ab").close()
        elif path.is_symlink():
            tempfile.TemporaryFile(dir=Path(os.path.realpath(path)).parent).close()
        else:
            folder = next(one for one in path.absolute().parents if os.path.lexists(one))
            tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


class _Measured(msgspec.Struct, forbid_unknown_fields=True):
    suite: str
    metric: str
    value: float
    unit: str
    params: dict[str, Any]
    provenance: dict[str, Any]


def read_runs(measured: Path) -> list[Run]:
    """Read what a command wrote with ``--json``.

    Raises:
        UsageError: the file cannot be read, or holds no records.
    """
    try:
        found = msgspec.json.decode(measured.read_bytes(), type=list[_Measured])
    except OSError as error:
        raise UsageError(f"cannot read {measured}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise UsageError(f"{measured} holds no records of a run: {error}") from error
    runs: list[Run] = []
    for item in found:
        command = _OUTPUTS.sub("", item.provenance.get("command", ""))
        origin = {**item.provenance, "command": command}
        if not runs or runs[-1].provenance != origin:
            runs.append(Run(origin))
        record = Record(item.suite, item.metric, item.value, item.unit, item.params)
        runs[-1].records.append(record)
    return runs
