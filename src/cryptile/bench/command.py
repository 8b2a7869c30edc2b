"""The ``cryptile bench`` commands."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from cryptile import published
from cryptile.bench import mcu as mcu_bench
from cryptile.bench import plot as picture
from cryptile.bench import table
from cryptile.crypt.run import Core
from cryptile.project import BUILD
from cryptile.records import write_json

app = typer.Typer(no_args_is_help=True, help="Measure the systems-on-chip, exactly.")


@app.callback()
def _group() -> None:
    """Measure the systems-on-chip, exactly."""


@app.command()
def mcu(
    core: Annotated[Core, typer.Option(help="The RISC-V core.")] = Core.cv32e40p,
    json: Annotated[
        str | None, typer.Option(help="Write records to FILE or '-'; no table with '-'.")
    ] = None,
    plot: Annotated[Path, typer.Option(help="Name of the picture, without .png and .svg.")] = BUILD
    / "bench"
    / "mcu",
) -> None:
    """AES on the microcontroller: engine and software, beside the published figures.

    Cycles from RTL: two runs give the same numbers.
    """
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(mcu_bench.STEPS))
        records = mcu_bench.measure(
            core,
            on_step=lambda text: progress.update(task, description=text),
            on_done=lambda: progress.advance(task),
        )
    others = published.records("mcu")
    files = picture.draw(records, others, plot, core)
    console = Console(stderr=json == "-")
    console.width = max(console.width, table.WIDTH)
    if json != "-":
        for part in table.tables(records, others, core):
            console.print(part)
    console.print(f"plots: {' '.join(str(file) for file in files)}", highlight=False)
    if json:
        write_json(records, json, tools=mcu_bench.tool_versions())
