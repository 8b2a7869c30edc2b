"""The ``cryptile crypt`` command."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from cryptile.crypt import run
from cryptile.crypt.request import Direction, Padding, check
from cryptile.records import write_json


class Soc(StrEnum):
    """The systems-on-chip that can run it."""

    mcu = "mcu"
    stream = "stream"


def crypt(
    direction: Annotated[Direction, typer.Argument(help="Which way.", show_default=False)],
    file: Annotated[Path, typer.Argument(help="The file, of any size.", show_default=False)],
    alg: Annotated[
        str,
        typer.Option(help="aes-128-ctr, aes-256-cbc ...; on stream: chacha20, chacha20-poly1305."),
    ],
    key: Annotated[str, typer.Option(help="The key in hexadecimal.", metavar="HEX")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to make.")],
    iv: Annotated[
        str | None,
        typer.Option(
            help="IV or first counter block: 16 bytes; chacha20-poly1305: 12.", metavar="HEX"
        ),
    ] = None,
    aad: Annotated[
        str | None,
        typer.Option(help="Associated data of chacha20-poly1305, up to 64 bytes.", metavar="HEX"),
    ] = None,
    padding: Annotated[Padding, typer.Option(help="Of ECB and CBC.")] = Padding.pkcs7,
    soc: Annotated[Soc, typer.Option(help="The system-on-chip.")] = Soc.mcu,
    core: Annotated[run.Core, typer.Option(help="Its RISC-V core.")] = run.Core.cv32e40p,
    path: Annotated[
        run.ComputePath, typer.Option(help="The engine, or software on the core.")
    ] = run.ComputePath.engine,
    variant: Annotated[
        run.Variant | None,
        typer.Option(
            help="The engine's datapath; serial, iterative, pipelined; on stream: "
            "std, opt, wide, pipelined. [default: iterative; on stream: opt]"
        ),
    ] = None,
    impl: Annotated[
        run.Software, typer.Option(help="The software implementation.")
    ] = run.Software.bitsliced,
    clock: Annotated[float, typer.Option(help="MHz at which to state the rate.", min=0.001)] = 50.0,
    force: Annotated[bool, typer.Option("--force", "-f", help="Overwrite the output.")] = False,
    json: Annotated[str | None, typer.Option(help="Write records to FILE or '-'.")] = None,
) -> None:
    """Encrypt or decrypt a real FILE on simulated RTL; the output equals OpenSSL's.

    The key stands on the command line, so this is a tool to measure with, not a vault. Bad input
    and bad padding or tag give one line, exit code 2 and no output file. The tag of
    chacha20-poly1305 stands behind the ciphertext.
    """
    request = check(direction, alg, key, iv, padding, file, output, force=force, soc=soc, aad=aad)
    platform = run.Platform(soc, core, path, variant or run.DEFAULT_VARIANT[soc], impl)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TextColumn("{task.fields[cycles]:,} cycles"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("building the simulator (once)", total=None, cycles=0)
        outcome = run.run(
            request,
            platform,
            on_built=lambda: progress.update(
                task, description=request.alg, total=request.source.stat().st_size
            ),
            on_progress=lambda now: progress.update(
                task, completed=now.bytes_in, cycles=now.cycles
            ),
        )
    Console(stderr=json == "-").print(
        f"{direction}ed {outcome.message_bytes:,} bytes into {output} "
        f"({request.alg}, {platform.describe()})\n"
        f"{outcome.cycles:,} cycles, {outcome.cycles_per_byte:.3f} cycles/byte, "
        f"{outcome.rate(clock):.3f} MB/s at {clock:g} MHz; core asleep {outcome.asleep_share:.0%}\n"
        f"(with start-up of the program: {outcome.program_cycles:,} cycles)",
        highlight=False,
    )
    if json:
        write_json(run.records(request, platform, outcome), json)
