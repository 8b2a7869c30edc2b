"""The ``cryptile`` command."""

import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

import cryptile
from cryptile import doctor, generate, regs
from cryptile.bench import command as bench
from cryptile.crypt import command as crypt
from cryptile.errors import CryptileError
from cryptile.export import command as export
from cryptile.faults import command as faults
from cryptile.prove import command as prove
from cryptile.synth import command as synth
from cryptile.whatif import command as whatif

app = typer.Typer(
    name="cryptile",
    help="Cryptographic engines, software and systems-on-chip for RISC-V: run and measure them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("crypt")(crypt.crypt)
app.add_typer(bench.app, name="bench")
app.command("synth")(synth.synth)
app.command("whatif")(whatif.whatif)
app.add_typer(faults.app, name="faults")
app.command("prove")(prove.prove)
app.command("library")(export.library)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"cryptile {cryptile.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Say which.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""


@app.command("doctor")
def doctor_command() -> None:
    """Say what is missing on this machine and how to get it; exit code 3 if anything is."""
    table = Table(title="What Cryptile needs")
    for heading in ("needed", "for", "found", "how to get it"):
        table.add_column(heading)
    missing = 0
    for check in doctor.checks():
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


@app.command("generate")
def generate_command(
    check: Annotated[bool, typer.Option("--check", help="Only say what is not fresh.")] = False,
) -> None:
    """Make RTL, C headers and HTML pages from catalog/ and from the SystemRDL in regs/."""
    if check:
        stale = generate.check()
        for path in stale:
            typer.echo(f"not fresh: {path}")
        raise typer.Exit(1 if stale else 0)
    for made in generate.generate():
        typer.echo(made)
    typer.echo(regs.pages())


def main() -> None:
    """Run the command; a known failure prints one clear line and sets the exit code."""
    try:
        app()
    except CryptileError as error:
        Console(stderr=True).print(f"cryptile: {error}", style="red", markup=False, highlight=False)
        sys.exit(error.exit_code)
