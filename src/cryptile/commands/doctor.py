"""The ``cryptile doctor`` command."""

import typer
from rich.console import Console
from rich.table import Table

from cryptile import doctor as needs


def doctor() -> None:
    """Say what is missing on this machine and how to get it; exit code 3 if anything is."""
    table = Table(title="What Cryptile needs")
    for heading in ("needed", "for", "found", "how to get it"):
        table.add_column(heading)
    missing = 0
    for check in needs.checks():
        missing += check.found is None
        table.add_row(
            check.name,
            check.purpose,
            check.found or "[red]missing[/red]",
            "" if check.found else check.remedy,
        )
    console = Console()
    console.print(table)
    if missing:
        console.print(f"{missing} missing: 'make bootstrap' installs everything")
        raise typer.Exit(3)
    console.print("nothing is missing")
