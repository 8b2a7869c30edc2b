"""The ``cryptile figures`` command."""

from pathlib import Path
from typing import Annotated

import typer

from cryptile.errors import UsageError
from cryptile.figures import document
from cryptile.figures.select import Figures
from cryptile.figures.store import Store
from cryptile.project import ROOT


def figures(
    records: Annotated[
        list[Path] | None, typer.Argument(help="What commands wrote with --json.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Only say what is not fresh.")] = False,
) -> None:
    """Write measured figures into the documents.

    Of the records, docs/figures keeps what a document states.
    """
    if check and records:
        raise UsageError("--check keeps no records: give one or the other")
    store = Store()
    for measured in records or []:
        store.add(measured)
    known = Figures(store)
    stale = document.stale(document.documents(), known)
    store.write(known.used)
    for path, text in stale.items():
        if check:
            typer.echo(f"not fresh: {path.relative_to(ROOT)}")
        else:
            path.write_text(text)
            typer.echo(path.relative_to(ROOT))
    raise typer.Exit(1 if check and stale else 0)
