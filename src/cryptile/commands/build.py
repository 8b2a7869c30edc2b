"""The ``cryptile build`` command."""

from enum import StrEnum
from typing import Annotated

import typer

from cryptile.systems import SYSTEMS

Name = StrEnum("Name", list(SYSTEMS))  # type: ignore[misc]


def build(
    systems: Annotated[
        list[Name] | None, typer.Argument(help="Which systems; all if none is named.")
    ] = None,
) -> None:
    """Build the simulation models of the systems ahead, one for each variant of each engine.

    Other commands build what they need when they need it, which takes minutes the first time.
    """
    for name in systems or list(Name):
        system = SYSTEMS[name]
        for chosen in system.engines():
            words = " ".join([system.name, *map(str, chosen.values())])
            typer.echo(f"{words}: {system.build(**chosen)}")
