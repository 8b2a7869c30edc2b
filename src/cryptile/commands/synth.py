"""The ``cryptile synth`` command."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from cryptile import published
from cryptile.commands.places import Records
from cryptile.commands.shown import Shown
from cryptile.errors import MissingToolError, UsageError
from cryptile.records import write_json
from cryptile.synth import flow, liberty, points, table


class Tech(StrEnum):
    """Technologies known by name; any other comes by ``--liberty``."""

    xc7 = "xc7"
    ecp5 = "ecp5"
    osu018 = "osu018"


def synth(
    design: Annotated[
        list[str] | None, typer.Option(help="What, a name of --list, or a .yaml file; repeatable.")
    ] = None,
    variant: Annotated[list[str] | None, typer.Option(help="Datapath; repeatable.")] = None,
    impl: Annotated[str | None, typer.Option(hidden=True)] = None,
    config: Annotated[list[str] | None, typer.Option(help="Built in; repeatable.")] = None,
    protect: Annotated[
        list[str] | None,
        typer.Option(help="Against upsets: none (if not given), detect, correct, tmr; repeatable."),
    ] = None,
    tech: Annotated[list[Tech] | None, typer.Option(help="Technology; repeatable.")] = None,
    liberty_file: Annotated[
        list[Path] | None,
        typer.Option("--liberty", help="Standard cells, .lib or .lib.gz; alone or with --tech."),
    ] = None,
    nand2: Annotated[
        str | None, typer.Option(help="The 2-input NAND of --liberty, if not found by name.")
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=0, help="ECP5: place and route this often; 0 for never.")
    ] = 3,
    energy: Annotated[
        bool,
        typer.Option(
            "--energy", help="Simulate a job in the cells: cycles, MB/s, power, energy per MB."
        ),
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Tools at a time; all processors if not given.")
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="List the designs and end.")] = False,
    json: Records = None,
) -> None:
    """Area and clock of the hardware, in FPGAs and standard cells, by open tools.

    Without options: a default set in xc7, ecp5 and osu018. Of these only the AES-128 encryption
    cores are placed and routed; what is selected by option always is.
    """
    if impl is not None:
        raise UsageError("--impl: it is --variant now")
    console = Console()
    console.width = max(console.width, table.WIDTH)
    if show:
        console.print(table.designs())
        return
    wanted = points.select(design, variant, config, protect)
    chosen = bool(design or variant or config or protect)
    techs = tech or ([] if liberty_file else list(Tech))
    plan = flow.Plan(
        wanted,
        [flow.Fpga(name) for name in techs if name is not Tech.osu018],
        _libraries(Tech.osu018 in techs, liberty_file or [], nand2),
        seeds,
        [point for point in wanted if chosen or point.is_routed],
        energy,
    )
    if energy and not plan.libraries:
        raise UsageError("--energy needs standard cells: --tech osu018, or --liberty")
    versions = plan.tools()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    trouble: list[str] = []
    with Shown(*columns) as progress:
        task = progress.add_task("synthesis", total=plan.steps)
        records = flow.run(
            plan,
            lambda label: progress.update(task, advance=1, description=f"done: {label}"),
            trouble.append,
            workers,
        )
    for text in trouble:
        typer.echo(text, err=True)
    if json != "-":
        names = {point.design for point in wanted if not point.own}
        others = [r for r in published.records("synth") if r.params["design"] in names]
        for part in table.tables(records, others, plan.conditions()):
            console.print(part)
    if json:
        write_json(records, json, tools=versions)


def _libraries(default: bool, files: list[Path], nand2: str | None) -> list[liberty.Library]:
    libraries = [liberty.read(file, nand2) for file in files]
    if default:
        if not liberty.OSU018.is_file():
            raise MissingToolError(
                f"{liberty.OSU018} is missing: run 'apt-get install qflow-tech-osu018', "
                "or name another library by --liberty"
            )
        libraries.append(liberty.read(liberty.OSU018))
    return libraries
