"""One shape for every measurement: flat records with their provenance."""

import itertools
import json
import platform
import shlex
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

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


SECRET_OPTIONS = frozenset({"--key", "--key-file", "--tag"})
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
    origin = provenance(tools=tools, seed=seed)
    text = json.dumps([{**asdict(record), "provenance": origin} for record in records], indent=1)
    if destination == "-":
        sys.stdout.write(text + "\n")
        return
    try:
        Path(destination).parent.mkdir(parents=True, exist_ok=True)
        Path(destination).write_text(text + "\n")
    except OSError as error:
        raise UsageError(f"cannot write {destination}: {error.strerror}") from error
