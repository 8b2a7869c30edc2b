"""The ``cryptile library`` command."""

from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from cryptile.asm.isa import Isa
from cryptile.asm.schedule import Tuning
from cryptile.export import cmake, sizes, zephyr
from cryptile.export import dispatch as dispatching
from cryptile.export.package import Exported, Floats, Wanted, export, write_common
from cryptile.library import ISAS


def library(
    isa: Annotated[list[str], typer.Option(help=f"Such as {', '.join(ISAS[4:8])}; repeatable.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write to.")],
    load_use: Annotated[
        int, typer.Option(min=1, max=8, help="Cycles from a load to the use of its result.")
    ] = Tuning().load_use,
    multiply: Annotated[
        int, typer.Option(min=1, max=8, help="The same for a multiplication.")
    ] = Tuning().multiply,
    floats: Annotated[
        Floats, typer.Option(help="Calling convention of the program for floating-point numbers.")
    ] = Floats.NONE,
    pie: Annotated[
        bool, typer.Option("--pie", help="For position-independent programs, as on Linux.")
    ] = False,
    dispatch: Annotated[
        bool,
        typer.Option(
            "--dispatch",
            help="Also one archive of all for 64-bit Linux, which chooses; with --pie.",
        ),
    ] = False,
) -> None:
    """Export the software library: archives, headers, assembly sources."""
    isa = list(dict.fromkeys(isa))
    for name in isa:
        Isa.parse(name)
    if dispatch:
        dispatching.check(isa)
    wanted = Wanted(Tuning(load_use, multiply), floats, pie or dispatch)
    console = Console(stderr=True)
    exported = []
    for name in isa:
        with console.status(f"building {name}"):
            exported.append(export(name, output, wanted))
    write_common(output, exported, wanted)
    cmake.write(output, exported)
    zephyr.write(output, exported)
    archives = [item.archive for item in exported]
    if dispatch:
        archives.append(dispatching.write(output, exported, wanted))
    Console().print(_table(exported))
    for archive in archives:
        Console().print(str(archive), markup=False, highlight=False, soft_wrap=True)


def _table(exported: list[Exported]) -> Table:
    found = {item.isa: sizes.by_topic(item.archive) for item in exported}
    table = Table(
        title="Bytes of code and, behind +, of constants",
        caption="all variants of a topic; a program gets what it calls",
        box=box.SIMPLE_HEAD,
    )
    for heading in ("topic", *found):
        table.add_column(heading, justify="right" if heading in found else "left", no_wrap=True)
    for topic in sorted({topic for size in found.values() for topic in size}):
        table.add_row(topic, *(_cell(size.get(topic, sizes.Size())) for size in found.values()))
    table.add_section()
    table.add_row("all", *(_cell(sum(size.values(), sizes.Size())) for size in found.values()))
    return table


def _cell(size: sizes.Size) -> str:
    return f"{size.code:,} + {size.constants:,}" if size.constants else f"{size.code:,}"
