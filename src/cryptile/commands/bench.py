"""The ``cryptile bench`` commands."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from cryptile import published
from cryptile.bench import mcu as mcu_bench
from cryptile.bench import stream as stream_bench
from cryptile.bench import stream_table, table, tile_table
from cryptile.bench import tile as tile_bench
from cryptile.bench.provenance import tool_versions
from cryptile.bench.software import measure as software_bench
from cryptile.bench.software import table as software_table
from cryptile.bench.software.subjects import FAMILIES
from cryptile.crypt.run import Core
from cryptile.project import BUILD
from cryptile.records import write_json

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Measure the systems-on-chip, exactly."
)


@app.callback()
def _group() -> None:
    """Measure the systems-on-chip, exactly."""


@app.command()
def mcu(
    core: Annotated[Core, typer.Option(help="The RISC-V core.")] = Core.cv32e40p,
    blocks: Annotated[
        list[int] | None, typer.Option(help="Blocks of 16 bytes of a message; repeatable.")
    ] = None,
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
    sizes = blocks or list(mcu_bench.BLOCKS)
    mcu_bench.check(sizes)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(mcu_bench.STEPS))
        records = mcu_bench.measure(
            core,
            sizes,
            on_step=lambda text: progress.update(task, description=text),
            on_done=lambda: progress.advance(task),
        )
    others = published.records("mcu")
    from cryptile.bench import plot as picture  # matplotlib takes half a second to import

    files = picture.draw(records, others, plot, core)
    console = Console(stderr=json == "-")
    console.width = max(console.width, table.WIDTH)
    if json != "-":
        for part in table.tables(records, others, core):
            console.print(part)
    console.print(f"plots: {' '.join(str(file) for file in files)}", highlight=False)
    if json:
        write_json(records, json, tools=tool_versions())


ISAS = [
    "rv32i", "rv32im", "rv32imc", "rv32im_zba", "rv32im_zbb", "rv32im_zba_zbb_zbkb_zbkx",
    "rv32im_zkn", "rv64im", "rv64im_zba_zbb", "rv64im_zkn",
]  # fmt: skip
"""What ``cryptile bench software`` measures unless told otherwise."""


@app.command()
def software(
    isa: Annotated[
        list[str] | None, typer.Option(help="Instruction set, such as rv32im_zbb; repeatable.")
    ] = None,
    core: Annotated[
        list[str] | None,
        typer.Option(help="cv32e40p, ibex (RTL) or model:NAME (simulator); repeatable."),
    ] = None,
    family: Annotated[
        list[str] | None, typer.Option(help=f"One of {', '.join(FAMILIES)}; repeatable.")
    ] = None,
    json: Annotated[
        str | None, typer.Option(help="Write records to FILE or '-'; no table with '-'.")
    ] = None,
    plot: Annotated[Path, typer.Option(help="Name of the picture, without .png and .svg.")] = BUILD
    / "bench"
    / "software",
) -> None:
    """Measure the software library: cycles, code and stack, on RTL cores and timing models.

    Two runs give the same numbers.
    """
    isas, cores, families = (
        isa or ISAS,
        core or ["model:loaduse2", "cv32e40p", "ibex"],
        family or list(FAMILIES),
    )
    software_bench.check(isas, cores, families)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(isas) * len(cores) * len(families))

        def step(text: str) -> None:
            progress.update(task, description=text, advance=1)

        records = software_bench.run(isas, cores, families, step)
    others = published.records("software")
    from cryptile.bench.software import plot as picture

    files = picture.draw(records, others, plot)
    console = Console(stderr=json == "-")
    console.width = max(console.width, software_table.WIDTH)
    if json != "-":
        for part in software_table.tables(records, others):
            console.print(part)
    console.print(f"plots: {' '.join(str(file) for file in files)}", highlight=False)
    if json:
        write_json(records, json, tools=tool_versions())


class Protect(StrEnum):
    """Levels of protection against upsets."""

    none = "none"
    detect = "detect"
    correct = "correct"


@app.command()
def stream(
    variant: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Variant of ChaCha20-Poly1305: {', '.join(stream_bench.VARIANTS)}; repeatable."
        ),
    ] = None,
    size: Annotated[
        list[int] | None,
        typer.Option("--bytes", help="Bytes of a message, a multiple of 64; repeatable."),
    ] = None,
    protect: Annotated[
        Protect, typer.Option(help="Protection of ChaCha20-Poly1305 against upsets.")
    ] = Protect.none,
    aes: Annotated[bool, typer.Option("--aes", help="Measure pipelined AES-128-CTR too.")] = False,
    full: Annotated[
        bool,
        typer.Option("--full", help="Software on RTL for long messages too; takes minutes."),
    ] = False,
    mhz: Annotated[float, typer.Option(help="Clock at which times are stated.")] = (
        stream_bench.CLOCK_MHZ
    ),
    json: Annotated[
        str | None, typer.Option(help="Write records to FILE or '-'; no table with '-'.")
    ] = None,
) -> None:
    """ChaCha20-Poly1305 behind DMA against software, beside the published figures.

    Cycles from RTL: two runs give the same numbers. Software of messages above 4 KiB goes by the
    slope of shorter ones unless --full is given.
    """
    variants, sizes = variant or list(stream_bench.VARIANTS), size or list(stream_bench.SIZES)
    stream_bench.check(variants, sizes)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(stream_bench.steps(variants, aes=aes)))
        records = stream_bench.measure(
            variants,
            sizes,
            protect=protect,
            aes=aes,
            full=full,
            clock_mhz=mhz,
            on_step=lambda text: progress.update(task, description=text),
            on_done=lambda: progress.advance(task),
        )
    console = Console(stderr=json == "-")
    console.width = max(console.width, stream_table.WIDTH)
    if json != "-":
        for part in stream_table.tables(records, published.records("stream"), sizes, mhz):
            console.print(part)
    if json:
        write_json(records, json, tools=tool_versions())


@app.command()
def tile(
    alg: Annotated[
        list[str] | None,
        typer.Option(help="Algorithm, as in 'cryptile crypt', or nop, copy; repeatable."),
    ] = None,
    size: Annotated[
        list[int] | None, typer.Option("--bytes", help="Bytes of a message; repeatable.")
    ] = None,
    software: Annotated[
        bool, typer.Option(help="Measure the software library on the same core too.")
    ] = True,
    latency: Annotated[
        int, typer.Option(help="Latency of the memory in cycles.", min=0, max=255)
    ] = tile_bench.LATENCY,
    json: Annotated[
        str | None, typer.Option(help="Write records to FILE or '-'; no table with '-'.")
    ] = None,
) -> None:
    """Measure the crypto tile beside a CVA6: single and queued jobs, and where the time goes.

    Cycles from RTL: two runs give the same numbers. Software of messages above 4 KiB goes by the
    slope of shorter ones.
    """
    algs, sizes = alg or list(tile_bench.ALGS), size or list(tile_bench.SIZES)
    tile_bench.check(algs, sizes)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=tile_bench.steps(algs))
        records = tile_bench.measure(
            algs,
            sizes,
            software=software,
            latency=latency,
            on_step=lambda text: progress.update(task, description=text),
            on_done=lambda: progress.advance(task),
        )
    console = Console(stderr=json == "-")
    console.width = max(console.width, tile_table.WIDTH)
    if json != "-":
        for part in tile_table.tables(records, sizes):
            console.print(part)
    if json:
        write_json(records, json, tools=tool_versions())
