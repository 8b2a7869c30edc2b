"""The ``cryptile figures`` command."""

from pathlib import Path
from typing import Annotated

import typer

from cryptile.figures import document, store
from cryptile.figures.select import Figures
from cryptile.project import ROOT, require_checkout


def figures(
    records: Annotated[
        list[Path] | None, typer.Argument(help="What commands wrote with --json.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Only say what is not fresh.")] = False,
) -> None:
    """Keep measured records in docs/figures, and write their figures into the documents."""
    require_checkout()
    for measured in records or []:
        for path in store.keep(measured):
            typer.echo(path.relative_to(ROOT))
    stale = document.stale(document.documents())
    for path in stale:
        if check:
            typer.echo(f"not fresh: {path.relative_to(ROOT)}")
        else:
            path.write_text(document.write(path, Figures()))
            typer.echo(path.relative_to(ROOT))
    raise typer.Exit(1 if check and stale else 0)
