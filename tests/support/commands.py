"""All commands of ``cryptile``."""

from collections.abc import Iterator
from typing import Any

import typer

from cryptile.cli import app


def commands() -> dict[tuple[str, ...], Any]:
    """Return each command by its words, such as ``("bench", "mcu")``.

    All are imported for it: parametrized by them, every start of pytest would wait.
    """
    return dict(_below(typer.main.get_command(app), ()))


def _below(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if hasattr(command, "list_commands"):
        for name in command.list_commands(None):
            yield from _below(command.get_command(None, name), (*words, name))
    else:
        yield words, command
