"""The ``cryptile sbom`` command."""

from typing import Annotated

import typer

from cryptile import sbom as bom
from cryptile.project import ROOT


def sbom(
    check: Annotated[bool, typer.Option("--check", help="Only say if it is not fresh.")] = False,
) -> None:
    """Write the bill of materials, sbom.cdx.json: packages of others, and their licences."""
    text = bom.bill()
    if not check:
        bom.FILE.write_text(text)
        typer.echo(bom.FILE.relative_to(ROOT))
    elif not bom.FILE.is_file() or bom.FILE.read_text() != text:
        typer.echo(f"not fresh: {bom.FILE.relative_to(ROOT)}")
        raise typer.Exit(1)
