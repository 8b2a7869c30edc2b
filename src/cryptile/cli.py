"""The ``cryptile`` command."""

import sys
import traceback
from importlib import import_module
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from typer._click.core import Command, Context
from typer.core import TyperGroup

import cryptile
from cryptile.errors import CryptileError, UsageError

_COMMANDS = (
    "crypt", "bench", "synth", "whatif", "faults", "prove", "library", "doctor", "generate",
    "figures",
)  # fmt: skip
"""Modules of ``cryptile.commands``: each has an ``app``, or a function of its own name."""


class _Commands(TyperGroup):
    """Commands that are imported when they are used, as most need large libraries."""

    def list_commands(self, ctx: Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"cryptile.commands.{cmd_name}")
        found: typer.Typer | None = getattr(module, "app", None)
        if found is None:
            found = typer.Typer(add_completion=False)
            found.command(cmd_name)(getattr(module, cmd_name))
        command = typer.main.get_command(found)
        command.name = cmd_name
        return command


app = typer.Typer(
    name="cryptile",
    cls=_Commands,
    help="Cryptographic engines, software and systems-on-chip for RISC-V: run and measure them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


def main() -> None:
    """Run the command; a known failure prints one clear line and sets the exit code."""
    try:
        app()
    except CryptileError as error:
        _end(str(error), error.exit_code)
    except OSError as error:
        place = f" {error.filename}:" if error.filename else ""
        _end(f"{place} {error.strerror or error}".strip(), UsageError.exit_code)
    except Exception:
        traceback.print_exc()
        _end("a fault of this program: see above", CryptileError.exit_code)


def _end(line: str, code: int) -> NoReturn:
    console = Console(stderr=True)
    console.print(f"cryptile: {line}", style="red", markup=False, highlight=False, soft_wrap=True)
    sys.exit(code)
