"""The ``cryptile linux`` command."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cryptile.errors import UsageError
from cryptile.linux import boot as booting
from cryptile.linux import pin as pinning

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Linux with the tile: Debian's kernel in QEMU, and the tile's RTL as a device.",
)


@app.command()
def boot(
    script: Annotated[
        str | None, typer.Argument(help="What the guest's shell runs; without it, a shell here.")
    ] = None,
    packages: Annotated[
        list[str] | None,
        typer.Option("--with", help="Set of packages of catalog/linux.yaml; repeatable."),
    ] = None,
    module: Annotated[
        list[str] | None,
        typer.Option(help="To be loaded: a name of the kernel's, or FILE.ko; repeatable."),
    ] = None,
    file: Annotated[
        list[str] | None, typer.Option(help="FILE:PLACE, for the guest to have; repeatable.")
    ] = None,
    tile: Annotated[
        list[str] | None,
        typer.Option(help="NAME=NUMBER for the plugin (sw/linux/qemu/README.md); repeatable."),
    ] = None,
    seconds: Annotated[int, typer.Option(min=1, help="The guest is stopped after so many.")] = 300,
    console: Annotated[
        bool, typer.Option("--console", help="Also show the guest's console, on standard error.")
    ] = False,
) -> None:
    """Boot, run a script in the guest, and switch off; or give a shell.

    Standard output is the script's. Without a script Ctrl-A X ends QEMU, exit the guest.

    Exit codes: with a script its own; else 0. 2 bad use, 3 a program is missing, 70 the guest did
    not come to the end of the script.
    """
    files = [_split(word, ":", "FILE:PLACE") for word in file or []]
    numbers = {
        name: _number(value)
        for name, value in (_split(word, "=", "NAME=NUMBER") for word in tile or [])
    }
    places = {place: Path(path) for path, place in files}
    if script is None:
        booting.shell(sets=packages or [], modules=module or [], files=places, tile=numbers)
        return
    result = booting.boot(
        script,
        sets=packages or [],
        modules=module or [],
        files=places,
        tile=numbers,
        seconds=seconds,
    )
    if console:
        sys.stderr.write(result.console)
    sys.stdout.buffer.write(result.output)
    sys.stdout.flush()
    raise typer.Exit(result.status)


@app.command()
def pin() -> None:
    """Write today's versions of the guest's packages into catalog/linux.yaml; say what changed."""
    for line in pinning.pin():
        typer.echo(line)


def _split(word: str, at: str, form: str) -> tuple[str, str]:
    first, _, second = word.partition(at)
    if not first or not second:
        raise UsageError(f"{word!r}: {form} is needed")
    return first, second


def _number(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError as error:
        raise UsageError(f"{text!r} is no number") from error
