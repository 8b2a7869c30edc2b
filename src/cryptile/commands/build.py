"""The ``cryptile build`` command."""

import os
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from typing import Annotated

import typer

from cryptile.systems import SYSTEMS

Name = StrEnum("Name", list(SYSTEMS))  # type: ignore[misc]


def build(
    systems: Annotated[
        list[Name] | None, typer.Argument(help="Which systems; all if none is named.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Models that are built at once. [default: one a processor]"),
    ] = None,
) -> None:
    """Build the simulation models of the systems ahead, one for each variant of each engine.

    Other commands build what they need when they need it, which takes minutes the first time.
    """
    wanted = [
        (SYSTEMS[name], chosen)
        for name in systems or list(Name)
        for chosen in SYSTEMS[name].engines()
    ]
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        made = [pool.submit(system.build, **chosen) for system, chosen in wanted]
        try:
            for (system, chosen), model in zip(wanted, made, strict=True):
                words = " ".join([system.name, *map(str, chosen.values())])
                typer.echo(f"{words}: {model.result()}")
        finally:
            pool.shutdown(cancel_futures=True)
