"""The ``cryptile generate`` command."""

from typing import Annotated

import typer

from cryptile import generate as files
from cryptile import regs


def generate(
    check: Annotated[bool, typer.Option("--check", help="Only say what is not fresh.")] = False,
) -> None:
    """Make RTL, C headers and HTML pages from catalog/ and from the SystemRDL in regs/."""
    if check:
        stale = files.check()
        for path in stale:
            typer.echo(f"not fresh: {path}")
        raise typer.Exit(1 if stale else 0)
    for made in files.generate():
        typer.echo(made)
    typer.echo(regs.pages())
