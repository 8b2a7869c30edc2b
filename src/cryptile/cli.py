"""The ``cryptile`` command."""

import logging
import os
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console
from typer.core import TyperGroup

import cryptile
from cryptile.errors import CryptileError, UsageError
from cryptile.project import ROOT, other_checkout, require_checkout

if TYPE_CHECKING:  # Typer has no public names for these
    from typer._click.core import Command, Context
    from typer._click.formatting import HelpFormatter

_COMMANDS = (
    "crypt", "bench", "build", "synth", "whatif", "faults", "prove", "library", "doctor",
    "generate", "figures", "report", "run", "simulate", "linux", "random", "sbom",
)  # fmt: skip
"""Modules of ``cryptile.commands``: each has an ``app``, or a function of its own name."""


_STANDARD_ERROR = 2


class _Commands(TyperGroup):
    """Commands that are imported when they are used, as most need large libraries."""

    def list_commands(self, ctx: "Context") -> list[str]:
        return list(_COMMANDS)

    def format_help(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write nothing when the commands cannot be asked what they do."""
        require_checkout()
        super().format_help(ctx, formatter)

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":
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
    """Take the options that stand before a command, and say which checkout it works on."""
    require_checkout()
    if other := other_checkout():
        _say(f"works on {ROOT}, not on {other}: that checkout has a .venv/bin/cryptile of its own")


class _Told(logging.Handler):
    """Shows on standard error what the package logs: what takes long, and how long it took."""

    def emit(self, record: logging.LogRecord) -> None:
        _say(record.getMessage())


def main() -> None:
    """Run the command; a known failure prints one clear line and sets the exit code."""
    _open_standard_descriptors()
    log = logging.getLogger("cryptile")
    log.addHandler(_Told())
    log.setLevel(logging.INFO)
    try:
        app()
    except CryptileError as error:
        _end(str(error), error.exit_code)
    except OSError as error:
        place = f" {error.filename}:" if error.filename else ""
        _end(f"{place} {error.strerror or error}".strip(), UsageError.exit_code)
    except Exception:
        with suppress(OSError):
            traceback.print_exc()
        _end("a fault of this program: see above", CryptileError.exit_code)


def _open_standard_descriptors() -> None:
    """Give descriptors that the caller closed to the null device.

    Else what is opened next has such a number, and a tool would print into it: into a key, say.
    ``sys.stdout`` and its likes stay None.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def _say(line: str, style: str | None = None) -> None:
    console = Console(stderr=True)
    console.print(f"cryptile: {line}", style=style, markup=False, highlight=False, soft_wrap=True)


def _end(line: str, code: int) -> NoReturn:
    with suppress(OSError):  # standard error may be full
        _say(line, "red")
    sys.exit(code)
