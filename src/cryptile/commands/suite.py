"""What every command that measures does: run, show, keep."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from cryptile import published
from cryptile.bench.provenance import tool_versions
from cryptile.commands.shown import Shown
from cryptile.records import Record, write_json


@dataclass(frozen=True)
class Suite:
    """One call of a benchmark, its options checked.

    Attributes:
        name: that of its records, and of the published ones beside them.
        steps: how often ``measure`` tells that a part is done.
        measure: returns the records; is given what to call with the name of what begins, and what
            to call when a part is done.
        tables: shows records, ours and published ones.
        width: columns that the tables need; a narrower terminal wraps lines rather than cutting
            figures.
        draw: writes pictures of both, and returns the files.
    """

    name: str
    steps: int
    measure: Callable[[Callable[[str], None], Callable[[], None]], list[Record]]
    tables: Callable[[list[Record], list[Record]], list[Table]]
    width: int
    draw: Callable[[list[Record], list[Record]], list[Path]] | None = None


def run(suite: Suite, json: str | None) -> None:
    """Measure, print tables unless records go to standard output (``-``), and write records."""
    with Shown(*Shown.get_default_columns()) as progress:
        task = progress.add_task("", total=suite.steps)
        records = suite.measure(
            lambda text: progress.begin(task, text),
            lambda: progress.advance(task),
        )
    others = published.records(suite.name)
    files = suite.draw(records, others) if suite.draw else []
    console = Console(stderr=json == "-")
    console.width = max(console.width, suite.width)
    if json != "-":
        for part in suite.tables(records, others):
            console.print(part)
    if files:
        console.print(
            f"plots: {' '.join(str(file) for file in files)}", markup=False, highlight=False
        )
    if json:
        write_json(records, json, tools=tool_versions())
