"""The ``cryptile crypt`` command."""

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn

from cryptile.commands import places, public_key
from cryptile.commands.shown import Shown
from cryptile.crypt import choice, destination, linux_run, pem, run, tile_request
from cryptile.crypt import key as keys
from cryptile.crypt.choice import Soc
from cryptile.crypt.public_key import Given as PublicKeyGiven
from cryptile.crypt.request import Direction, Given, Padding, Request, check
from cryptile.crypt.source import STDIN, STDOUT, held, is_stream
from cryptile.errors import UsageError
from cryptile.records import write_json

_ONLY_ISS = {"signature", "form"}
"""Options of public keys alone."""


def _list(wanted: bool) -> None:
    """Print every algorithm and the systems that have it."""
    if wanted:
        for name in choice.known():
            typer.echo(f"{name:20} {' '.join(choice.systems(name))}")
        raise typer.Exit


def crypt(
    context: typer.Context,
    direction: Annotated[Direction, typer.Argument(help="Which way.", show_default=False)],
    file: Annotated[
        Path | None,
        typer.Argument(
            help="The file; '-' is standard input; to agree: the peer's public key; not of keygen "
            "and random.",
            show_default=False,
        ),
    ] = None,
    alg: Annotated[
        str | None,
        typer.Option(
            help="aes-128-ctr, chacha20-poly1305, sha256, ecdsa-sha256 ...: see --list. "
            "[default: of random: ctr-drbg]"
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            help="The key in hexadecimal; of XTS both. '-': a line of standard input. Other users "
            f"may see it here: --key-file, or {keys.VARIABLE} in the environment, hide it.",
            metavar="HEX",
        ),
    ] = None,
    key_file: Annotated[
        Path | None,
        typer.Option(
            help="A file with the bytes of the key; to sign, verify and agree with a key in PEM or "
            "DER, or '-'.",
            metavar="FILE",
        ),
    ] = None,
    key_token: Annotated[
        Path | None,
        typer.Option(
            help="A file with a sealed key (a token, which only the tile can open); on linux, of "
            "ECB, CBC, CTR and XTS.",
            metavar="FILE",
        ),
    ] = None,
    wrapping_key_file: Annotated[
        Path | None,
        typer.Option(
            help="With --key-token: a file with the bytes of the wrapping key that firmware leaves "
            "in the simulated tile.",
            metavar="FILE",
        ),
    ] = None,
    signature: Annotated[
        Path | None, typer.Option(help="The signature that verify checks.", metavar="FILE")
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
    form: Annotated[pem.Form, typer.Option(help="Of a key that keygen makes.")] = pem.Form.pem,
    length: Annotated[
        int | None,
        typer.Option(
            help="Bytes of tag, code (4 at least) or output; on tile, and of random. "
            "[default: the full length]"
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
    clock: Annotated[
        float, typer.Option(help="MHz at which to state the rate.", min=0.001, max=1e6)
    ] = 50.0,
    force: Annotated[bool, typer.Option("--force", "-f", help="Overwrite the output.")] = False,
    json: Annotated[
        str | None,
        typer.Option(
            help="Write records to FILE or '-'; a file that is there is written over.",
            metavar="FILE",
            callback=places.records_file,
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            help="Write waves into a file, which hold key and message, and beside it a view of "
            "them for GTKWave (FILE.gtkw).",
            metavar="FILE.fst",
        ),
    ] = None,
    _list_them: Annotated[
        bool,
        typer.Option(
            "--list", callback=_list, is_eager=True, help="Name algorithms and their systems."
        ),
    ] = False,
) -> None:
    """Encrypt, decrypt, sign or verify a real FILE; the output equals OpenSSL's.

    The tile also makes digests and authentication codes (digest) and checks codes (verify). On
    linux OpenSSL does the work in a booted system, with the tile as its provider. The key comes
    into no file and no record; with none given, a terminal is asked. Figures go to standard error.
    The tag of authenticated encryption stands behind the ciphertext.

    Exit codes: 0 done, 1 wrong tag or padding, 2 bad input, 3 a tool is missing, 70 a fault of this
    program; all but 0 with one line of why and no output file.

    sign, verify and agree: keys and signatures are those of openssl (keys in PEM or DER, ECDSA's
    signatures in DER); the software library computes, on the simulator. Keys are not encrypted.
    Know whose a public key is: with one of Ed25519 that has a small order, any message verifies.
    keygen and random: from CTR_DRBG, seeded by the operating system of this computer.

    The output appears whole or not at all; plaintext and secrets are for their owner alone
    (mode 0600). With --force it takes the place of a file, also behind a link, and goes into a
    device or FIFO.
    """
    makes = direction in (Direction.keygen, Direction.random)
    alg = "ctr-drbg" if alg is None and direction is Direction.random else (alg or "").lower()
    if not alg:
        raise UsageError("say --alg; 'cryptile crypt --list' names the algorithms")
    if makes is not (file is None):
        raise UsageError(f"{direction} {'reads no' if makes else 'needs a'} file")
    places.check_records(
        json, output, file, key_file, key_token, wrapping_key_file, signature, trace
    )
    given_options = _given(context)
    only_tile = not makes and (tag is not None or length is not None)
    sealed = keys.read_sealed(key_token, wrapping_key_file)
    if sealed and (key is not None or key_file is not None):
        raise UsageError("--key-token is the key: leave --key and --key-file")
    needs = (Soc.linux,) if sealed else (Soc.tile,) if only_tile else tuple(Soc)
    chosen = choice.choose(alg, soc, needs)
    if sealed and chosen is not Soc.linux:
        raise UsageError(f"no sealed keys on {chosen}: they are on linux")
    if chosen is Soc.iss:
        public_key.refuse_others(given_options, context.params, direction)
        asked = PublicKeyGiven(
            direction, alg, file or Path(os.devnull), key_file, signature, output, force
        )
        if makes:
            public_key.make(asked, length, form, json=json, clock=clock)
        else:
            public_key.run(asked, json=json, clock=clock)
        return
    if not _ONLY_ISS.isdisjoint(given_options) or direction not in Direction.of_ciphers():
        raise UsageError(f"{alg} is no algorithm of public keys or random numbers")
    assert file is not None, "checked"
    if chosen is Soc.tile and (core is not None or variant is not None):
        raise UsageError("the tile SoC has one core and one variant: leave --core, --variant")
    if chosen is Soc.linux and (core or variant or trace or path is run.ComputePath.software):
        raise UsageError("OpenSSL on Linux has the tile: leave --core, --variant, --path, --trace")
    for read in (key_file, key_token, wrapping_key_file):
        if output is not None and read is not None:
            destination.check(output, read, force=force)
    stdin_free = not is_stream(file, STDIN)
    wanted = not sealed and choice.takes_key(alg)
    secret = keys.read(key, key_file, stdin_free=stdin_free, wanted=wanted)
    with held(file) as source:
        given = Given(
            direction, alg, source, secret, output, iv, aad, tag, length, padding, force, sealed
        )
        of_tile = chosen in (Soc.tile, Soc.linux)
        request = tile_request.check(given) if of_tile else check(given, chosen)
        if chosen is Soc.linux:
            _on_linux(request, file, json)
            return
        platform = run.Platform(
            chosen,
            "cva6" if chosen is Soc.tile else core or run.Core.cv32e40p,
            path,
            variant or run.default_variant(chosen, request.alg),
            impl,
            trace,
        )
        if trace is not None:
            places.check_waves(trace, source, file, key_file, output, force=force)
        outcome = _with_progress(request, platform)
    _print_digest(request, outcome.output, file, json)
    told = Console(stderr=True)
    told.print(
        _told(request, platform, outcome, clock), markup=False, highlight=False, soft_wrap=True
    )
    if trace:
        told.print(
            f"waves, the key in them: {places.waves_told(trace)}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    if json:
        write_json(run.records(request, platform, outcome), json)


def _print_digest(request: Request, digest: bytes, file: Path, json: str | None) -> None:
    if request.direction is Direction.digest and request.output is None:
        console = Console(stderr=json is not None and is_stream(Path(json), STDOUT))
        console.print(f"{digest.hex()}  {file}", markup=False, highlight=False, soft_wrap=True)


def _on_linux(request: Request, file: Path, json: str | None) -> None:
    linux_run.check(request)
    with Shown(TextColumn("{task.description}")) as progress:
        task = progress.add_task("", total=None)
        outcome = linux_run.run(
            request,
            on_built=lambda: progress.update(task, description=f"{request.alg} on Linux"),
        )
    _print_digest(request, outcome.output, file, json)
    Console(stderr=True).print(
        outcome.describe(request), markup=False, highlight=False, soft_wrap=True
    )
    if json:
        write_json(outcome.records(request), json)


def _given(context: typer.Context) -> set[str]:
    """Return the options that stand on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name for name, source in sources.items() if source and source.name == "COMMANDLINE"}


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
