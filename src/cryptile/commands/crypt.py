"""The ``cryptile crypt`` command."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn

from cryptile.commands.shown import Shown
from cryptile.crypt import choice, destination, run, tile_request
from cryptile.crypt import key as keys
from cryptile.crypt.choice import Soc
from cryptile.crypt.request import Direction, Given, Padding, Request, check
from cryptile.crypt.source import STANDARD, held
from cryptile.errors import UsageError
from cryptile.records import write_json


def _list(wanted: bool) -> None:
    """Print every algorithm and the systems that have it."""
    if wanted:
        for name in choice.known():
            typer.echo(f"{name:20} {' '.join(choice.systems(name))}")
        raise typer.Exit


def crypt(
    direction: Annotated[Direction, typer.Argument(help="Which way.", show_default=False)],
    file: Annotated[
        Path, typer.Argument(help="The file; '-' is standard input.", show_default=False)
    ],
    alg: Annotated[
        str, typer.Option(help="aes-128-ctr, chacha20-poly1305, sha256 ...: see --list.")
    ],
    key: Annotated[
        str | None,
        typer.Option(
            help="The key in hexadecimal; of XTS both. '-': a line of standard input. Other users "
            f"may see it here: --key-file, or {keys.VARIABLE} in the environment, hide it.",
            metavar="HEX",
        ),
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option(help="A file with the bytes of the key.", metavar="FILE")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The file to make; '-' is standard output; a digest is printed without.",
        ),
    ] = None,
    iv: Annotated[
        str | None,
        typer.Option(
            help="IV, nonce, tweak or first counter block: 16 bytes; chacha20-poly1305: 12, "
            "GCM: any number, best 12, CCM: 7 to 13.",
            metavar="HEX",
        ),
    ] = None,
    aad: Annotated[
        str | None,
        typer.Option(
            help="Associated data of GCM, CCM and chacha20-poly1305 (on stream up to 64 bytes); "
            "customization string of cSHAKE and KMAC.",
            metavar="HEX",
        ),
    ] = None,
    tag: Annotated[
        str | None, typer.Option(help="The code that verify compares with.", metavar="HEX")
    ] = None,
    length: Annotated[
        int | None,
        typer.Option(
            help="Bytes of tag, code (4 at least) or output; on tile. [default: the full length]"
        ),
    ] = None,
    padding: Annotated[Padding, typer.Option(help="Of ECB and CBC.")] = Padding.pkcs7,
    soc: Annotated[
        Soc | None, typer.Option(help="The system-on-chip. [default: the first that can]")
    ] = None,
    core: Annotated[
        run.Core | None,
        typer.Option(help="Its RISC-V core; the tile's is CVA6. [default: cv32e40p]"),
    ] = None,
    path: Annotated[
        run.ComputePath, typer.Option(help="The engine, or software on the core.")
    ] = run.ComputePath.engine,
    variant: Annotated[
        str | None,
        typer.Option(
            help="The engine's datapath; serial, iterative, pipelined; on stream: "
            "std, opt, wide, pipelined, or r1, r2, r4. [default: iterative; on stream: the "
            "engine's own; not on tile]"
        ),
    ] = None,
    impl: Annotated[
        run.Software, typer.Option(help="The software implementation.")
    ] = run.Software.bitsliced,
    clock: Annotated[float, typer.Option(help="MHz at which to state the rate.", min=0.001)] = 50.0,
    force: Annotated[bool, typer.Option("--force", "-f", help="Overwrite the output.")] = False,
    json: Annotated[str | None, typer.Option(help="Write records to FILE or '-'.")] = None,
    trace: Annotated[
        Path | None, typer.Option(help="Write waves (FST) into a file; they hold key and message.")
    ] = None,
    _list_them: Annotated[
        bool,
        typer.Option(
            "--list", callback=_list, is_eager=True, help="Name algorithms and their systems."
        ),
    ] = False,
) -> None:
    """Encrypt or decrypt a real FILE on simulated RTL; the output equals OpenSSL's.

    The tile also makes digests and authentication codes (digest) and checks codes (verify). The key
    comes into no file and no record; with none given, a terminal is asked. Figures go to standard
    error. The tag of authenticated encryption stands behind the ciphertext.

    Exit codes: 0 done, 1 wrong tag or padding, 2 bad input, 3 a tool is missing, 70 a fault of this
    program; all but 0 with one line of why and no output file.

    The output appears whole or not at all; plaintext is for its owner alone (mode 0600). With
    --force it takes the place of a file, also behind a link, and goes into a device or FIFO.
    """
    alg = alg.lower()
    only_tile = tag is not None or length is not None
    chosen = choice.choose(alg, soc, (Soc.tile,) if only_tile else tuple(Soc))
    if chosen is Soc.tile and (core is not None or variant is not None):
        raise UsageError("the tile SoC has one core and one variant: leave --core, --variant")
    if json == str(STANDARD) and output == STANDARD:
        raise UsageError("standard output cannot be both the output and the records")
    stdin_free = file != STANDARD
    secret = keys.read(key, key_file, stdin_free=stdin_free, wanted=choice.takes_key(alg))
    with held(file) as source:
        given = Given(direction, alg, source, secret, output, iv, aad, tag, length, padding, force)
        request = tile_request.check(given) if chosen is Soc.tile else check(given, chosen)
        platform = run.Platform(
            chosen,
            "cva6" if chosen is Soc.tile else core or run.Core.cv32e40p,
            path,
            variant or run.default_variant(chosen, request.alg),
            impl,
            trace,
        )
        if trace is not None:
            if trace in (STANDARD, output):
                raise UsageError("waves go into a file of their own")
            destination.check(trace, source, force=force)
        outcome = _with_progress(request, platform)
    if direction is Direction.digest and output is None:
        console = Console(stderr=json == str(STANDARD))
        console.print(f"{outcome.output.hex()}  {file}", highlight=False, soft_wrap=True)
    told = Console(stderr=True)
    told.print(_told(request, platform, outcome, clock), highlight=False, soft_wrap=True)
    if trace:
        told.print(f"waves, the key in them: {trace}", highlight=False, soft_wrap=True)
    if json:
        write_json(run.records(request, platform, outcome), json)


def _with_progress(request: Request, platform: run.Platform) -> run.Outcome:
    """Run a request and show how far it is."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TextColumn("{task.fields[cycles]:,} cycles"),
        TimeRemainingColumn(),
    )
    with Shown(*columns) as progress:
        task = progress.add_task("", total=None, cycles=0)
        return run.run(
            request,
            platform,
            on_built=lambda: progress.update(
                task, description=request.alg, total=request.source.stat().st_size
            ),
            on_progress=lambda now: progress.update(
                task, completed=now.bytes_in, cycles=now.cycles
            ),
        )


def _told(request: Request, platform: run.Platform, outcome: run.Outcome, clock: float) -> str:
    """Return what a run took, in words."""
    direction = request.direction
    done = "verified" if direction is Direction.verify else f"{direction}ed"
    into = f" into {destination.name(request.output)}" if request.output else ""
    return (
        f"{done} {outcome.message_bytes:,} bytes{into} ({request.alg}, {platform.describe()})\n"
        f"{outcome.cycles:,} cycles, {outcome.cycles_per_byte:.3f} cycles/byte, "
        f"{outcome.rate(clock):.3f} MB/s at {clock:g} MHz; core asleep {outcome.asleep_share:.0%}\n"
        f"(with start-up of the program: {outcome.program_cycles:,} cycles)"
    )
