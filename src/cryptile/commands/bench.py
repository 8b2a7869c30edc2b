"""The ``cryptile bench`` commands."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from cryptile.bench.linux import measure as linux_bench
from cryptile.bench.linux import table as linux_table
from cryptile.bench.mcu import measure as mcu_bench
from cryptile.bench.mcu import table as mcu_table
from cryptile.bench.software import measure as software_bench
from cryptile.bench.software import table as software_table
from cryptile.bench.software.subjects import FAMILIES
from cryptile.bench.stream import measure as stream_bench
from cryptile.bench.stream import table as stream_table
from cryptile.bench.tile import measure as tile_bench
from cryptile.bench.tile import table as tile_table
from cryptile.catalog import Level
from cryptile.commands.places import Records, check_waves
from cryptile.commands.suite import Suite, run
from cryptile.crypt.run import Core
from cryptile.crypt.source import STANDARD
from cryptile.errors import UsageError
from cryptile.project import BUILD
from cryptile.records import Record

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Measure the systems-on-chip, exactly."
)


@app.callback()
def _group() -> None:
    """Measure the systems-on-chip, exactly."""


Trace = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.fst",
        help="Write waves of each run of an engine, large ones, into FILE-RUN.fst, each with a "
        "view for GTKWave beside it: bound what is measured.",
    ),
]


def _traces(trace: Path | None, runs: Iterable[str]) -> dict[str, Path]:
    """Return a file for the waves of each run, none of which may be there.

    Raises:
        UsageError: one cannot be written.
    """
    if trace is None:
        return {}
    if trace == STANDARD:
        raise UsageError("waves go into files")
    files = {run: trace.with_name(f"{trace.stem}-{run}.fst") for run in runs}
    for file in files.values():
        check_waves(file, force=False)
    return files


@app.command()
def mcu(
    core: Annotated[Core, typer.Option(help="The RISC-V core.")] = Core.cv32e40p,
    blocks: Annotated[
        list[int] | None, typer.Option(help="Blocks of 16 bytes of a message; repeatable.")
    ] = None,
    json: Records = None,
    plot: Annotated[Path, typer.Option(help="Name of the picture, without .png and .svg.")] = BUILD
    / "bench"
    / "mcu",
    trace: Trace = None,
) -> None:
    """AES on the microcontroller: engine and software, beside the published figures.

    Cycles from RTL: two runs give the same numbers.
    """
    sizes = blocks or list(mcu_bench.BLOCKS)
    mcu_bench.check(sizes)
    traces = _traces(trace, mcu_bench.VARIANTS)

    def draw(records: list[Record], others: list[Record]) -> list[Path]:
        from cryptile.bench.mcu import plot as picture  # matplotlib takes half a second to import

        return picture.draw(records, others, plot, core)

    suite = Suite(
        "mcu",
        len(mcu_bench.STEPS),
        lambda on_step, on_done: mcu_bench.measure(
            core, sizes, on_step=on_step, on_done=on_done, traces=traces
        ),
        lambda records, others: mcu_table.tables(records, others, core),
        mcu_table.WIDTH,
        draw,
    )
    run(suite, json)


ISAS = [
    "rv32i",
    "rv32im",
    "rv32imc",
    "rv32im_zba",
    "rv32im_zbb",
    "rv32im_zba_zbb_zbkb_zbkx",
    "rv32im_zkn",
    "rv64im",
    "rv64im_zba_zbb",
    "rv64im_zkn",
]
"""What ``cryptile bench software`` measures unless told otherwise."""


@app.command()
def software(
    isa: Annotated[
        list[str] | None, typer.Option(help="Instruction set, such as rv32im_zbb; repeatable.")
    ] = None,
    core: Annotated[
        list[str] | None,
        typer.Option(help="cv32e40p, ibex (RTL), model:NAME or model:FILE.yaml (simulator)."),
    ] = None,
    family: Annotated[
        list[str] | None, typer.Option(help=f"One of {', '.join(FAMILIES)}; repeatable.")
    ] = None,
    routine: Annotated[
        list[Path] | None,
        typer.Option(
            help="A routine of one's own, named in a YAML file (docs/software.md), on timing "
            "models; repeatable. Families are measured beside it if named."
        ),
    ] = None,
    json: Records = None,
    plot: Annotated[Path, typer.Option(help="Name of the picture, without .png and .svg.")] = BUILD
    / "bench"
    / "software",
) -> None:
    """Measure the software library: cycles, code and stack, on RTL cores and timing models.

    Two runs give the same numbers.
    """
    routines = routine or []
    isas, cores, families = (
        isa or ISAS,
        core or ["model:loaduse2", *([] if routines else ["cv32e40p", "ibex"])],
        family or ([] if routines else list(FAMILIES)),
    )
    software_bench.check(isas, cores, families)

    def draw(records: list[Record], others: list[Record]) -> list[Path]:
        from cryptile.bench.software import plot as picture

        return picture.draw(records, others, plot)

    suite = Suite(
        "software",
        len(isas) * len(cores) * (len(families) + len(routines)),
        lambda on_step, on_done: software_bench.run(
            isas, cores, families, on_step, on_done, routines
        ),
        software_table.tables,
        software_table.WIDTH,
        draw if families else None,
    )
    run(suite, json)


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
        Level, typer.Option(help="Protection of ChaCha20-Poly1305 against upsets.")
    ] = Level.none,
    aes: Annotated[bool, typer.Option("--aes", help="Measure pipelined AES-128-CTR too.")] = False,
    full: Annotated[
        bool,
        typer.Option("--full", help="Software on RTL for long messages too; takes minutes."),
    ] = False,
    mhz: Annotated[float, typer.Option(help="Clock at which times are stated.")] = (
        stream_bench.CLOCK_MHZ
    ),
    json: Records = None,
    trace: Trace = None,
) -> None:
    """ChaCha20-Poly1305 behind DMA against software, beside the published figures.

    Cycles from RTL: two runs give the same numbers. Software of messages above 4 KiB goes by the
    slope of shorter ones unless --full is given.
    """
    variants, sizes = variant or list(stream_bench.VARIANTS), size or list(stream_bench.SIZES)
    stream_bench.check(variants, sizes)
    traces = _traces(trace, stream_bench.steps(variants, aes=aes)[:-1])
    suite = Suite(
        "stream",
        len(stream_bench.steps(variants, aes=aes)),
        lambda on_step, on_done: stream_bench.measure(
            variants,
            sizes,
            protect=protect,
            aes=aes,
            full=full,
            clock_mhz=mhz,
            traces=traces,
            on_step=on_step,
            on_done=on_done,
        ),
        lambda records, others: stream_table.tables(records, others, sizes, mhz),
        stream_table.WIDTH,
    )
    run(suite, json)


@app.command()
def tile(
    alg: Annotated[
        list[str] | None,
        typer.Option(
            help="Algorithm, as in 'cryptile crypt', or nop, copy, drbg-generate, or of public "
            f"keys: {', '.join((*tile_bench.PUBLIC_KEY, *tile_bench.RSA))}; repeatable."
        ),
    ] = None,
    size: Annotated[
        list[int] | None, typer.Option("--bytes", help="Bytes of a message; repeatable.")
    ] = None,
    impl: Annotated[
        tile_bench.Impl,
        typer.Option(help="Multiplier of the public-key engine; fast: name algorithms, too."),
    ] = tile_bench.Impl.compact,
    software: Annotated[
        bool, typer.Option(help="Measure the software library on the same core too.")
    ] = True,
    latency: Annotated[
        int, typer.Option(help="Latency of the memory in cycles.", min=0, max=255)
    ] = tile_bench.LATENCY,
    json: Records = None,
    trace: Trace = None,
) -> None:
    """Measure the crypto tile beside a CVA6: single and queued jobs, and where the time goes.

    Cycles from RTL: two runs give the same numbers. Software of messages above 4 KiB goes by the
    slope of shorter ones.
    """
    algs, sizes = alg or list(tile_bench.ALGS), size or list(tile_bench.SIZES)
    tile_bench.check(algs, sizes, impl)
    traces = _traces(trace, algs)
    suite = Suite(
        "tile",
        tile_bench.steps(algs),
        lambda on_step, on_done: tile_bench.measure(
            algs,
            sizes,
            impl=impl,
            software=software,
            latency=latency,
            traces=traces,
            on_step=on_step,
            on_done=on_done,
        ),
        lambda records, others: tile_table.tables(records, others, sizes),
        tile_table.WIDTH,
    )
    run(suite, json)


@app.command()
def linux(
    alg: Annotated[
        list[str] | None, typer.Option(help="Algorithm, as in 'cryptile crypt'; repeatable.")
    ] = None,
    size: Annotated[
        list[int] | None,
        typer.Option("--bytes", help="Bytes of a message, a multiple of 16; repeatable."),
    ] = None,
    way: Annotated[
        list[str] | None,
        typer.Option(help=f"One of {', '.join(linux_bench.WAYS)}; repeatable; else all."),
    ] = None,
    latency: Annotated[
        int | None,
        typer.Option(help="Latency of the memory in cycles; else the system's.", min=0, max=255),
    ] = None,
    json: Records = None,
) -> None:
    """Measure the tile under Linux on RTL: a ring, OpenSSL's provider and the kernel.

    Against OpenSSL and the kernel's own software. The first run builds a model and a kernel and
    boots (half an hour); later ones start from the saved state. Two runs give the same numbers.
    5 MB goes by the slope of shorter messages.
    """
    algs, sizes = alg or list(linux_bench.ALGS), size or list(linux_bench.SIZES)
    ways = way or list(linux_bench.WAYS)
    linux_bench.check(algs, sizes, ways)
    suite = Suite(
        "linux",
        linux_bench.steps(algs, ways),
        lambda on_step, on_done: linux_bench.measure(
            algs, sizes, ways, latency=latency, on_step=on_step, on_done=on_done
        ),
        lambda records, _: linux_table.tables(records, sizes),
        linux_table.WIDTH,
    )
    run(suite, json)
