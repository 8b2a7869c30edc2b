"""The ``cryptile report`` command."""

from pathlib import Path
from typing import Annotated

import typer

from cryptile.errors import UsageError
from cryptile.figures.store import FOLDER, Store, merge
from cryptile.project import BUILD
from cryptile.records import read_runs, write_file
from cryptile.report.page import page


def report(
    records: Annotated[
        list[Path] | None,
        typer.Argument(help="What commands wrote with --json: more, or newer, figures."),
    ] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="Leave out the figures that the documents state.")
    ] = False,
    against: Annotated[
        list[Path] | None,
        typer.Option(help="Earlier records, to say what changed since; repeatable."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page.")] = BUILD
    / "report.html",
) -> None:
    """Write one offline HTML page: all figures, beside public ones, and where they come from."""
    store = Store()
    suites = [] if alone else [file.stem for file in sorted(FOLDER.glob("*.json"))]
    runs = [run for suite in suites for run in store.runs(suite)]
    merge(runs, [run for path in records or [] for run in read_runs(path)])
    earlier = [run for path in against or [] for run in read_runs(path)]
    if not runs:
        raise UsageError("no figures: name records that a command wrote with --json")
    write_file(output, page(runs, earlier))
    typer.echo(output)
