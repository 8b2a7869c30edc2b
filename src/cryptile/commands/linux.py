"""The ``cryptile linux`` command."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from cryptile.errors import UsageError
from cryptile.linux import boot as booting
from cryptile.linux import kbuild, lean, rtl, selftests
from cryptile.linux import pin as pinning
from cryptile.linux.kernels import Kernel

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Linux with the tile: Debian's kernel in QEMU with the tile's RTL, or a lean one on RTL.",
)


class System(StrEnum):
    """What Linux runs on."""

    qemu = "qemu"
    rtl = "rtl"


@app.command()
def boot(
    script: Annotated[
        str | None, typer.Argument(help="What the guest's shell runs; without it, a shell here.")
    ] = None,
    packages: Annotated[
        list[str] | None,
        typer.Option("--with", help="Set of packages of catalog/linux.yaml; repeatable."),
    ] = None,
    driver: Annotated[
        bool,
        typer.Option("--driver", help="Build the tile's driver for the kernel, and load it first."),
    ] = False,
    module: Annotated[
        list[str] | None,
        typer.Option(help="To be loaded: a name of the kernel's, or FILE.ko; repeatable."),
    ] = None,
    file: Annotated[
        list[str] | None, typer.Option(help="FILE:PLACE, for the guest to have; repeatable.")
    ] = None,
    tile: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME=NUMBER for QEMU's plugin (sw/linux/qemu/README.md), or latency=CYCLES of "
            "the RTL's memory; repeatable."
        ),
    ] = None,
    kernel: Annotated[
        Kernel,
        typer.Option(
            help="QEMU: Debian's; or the newest that it has in source, or one with KASAN, lockdep "
            "and kmemleak, which are built first, with all modules in them."
        ),
    ] = Kernel.debian,
    system: Annotated[
        System, typer.Option(help="QEMU with the tile's RTL, or CVA6 and the tile, cycle by cycle.")
    ] = System.qemu,
    seconds: Annotated[int, typer.Option(min=1, help="QEMU is stopped after so many.")] = 300,
    cycles: Annotated[
        int, typer.Option(min=1, help="RTL: the guest is stopped so many after its boot.")
    ] = 500_000_000,
    console: Annotated[
        bool, typer.Option("--console", help="Also show the guest's console, on standard error.")
    ] = False,
) -> None:
    """Boot, run a script in the guest, and switch off; or give a shell.

    Standard output is the script's. Without a script Ctrl-A X ends QEMU, exit the guest. On RTL the
    first boot takes long; scripts then start from its saved state.

    Exit codes: with a script its own; else 0. 2 bad use, 3 a program is missing, 70 the guest did
    not come to the end of the script.
    """
    files = [_split(word, ":", "FILE:PLACE") for word in file or []]
    numbers = {
        name: _number(value)
        for name, value in (_split(word, "=", "NAME=NUMBER") for word in tile or [])
    }
    places = {place: Path(path) for path, place in files}
    modules = module or []
    if system is System.rtl:
        if script is None:
            raise UsageError("the cycle-true system runs scripts alone")
        if kernel is not Kernel.debian:
            raise UsageError("the cycle-true system has one kernel: --kernel is for QEMU")
        if others := numbers.keys() - {"latency"}:
            raise UsageError(f"{min(others)} is no word of the RTL: latency is")
        if driver:
            modules = [str(kbuild.driver(lean.kernel())), *modules]
        left, took = rtl.run(
            script,
            sets=packages or [],
            own_modules=modules,
            files=places,
            cycles=cycles,
            latency=numbers.get("latency"),
            tell=_say if console else None,
        )
        _say(f"{took} cycles since the boot")
        _end(left)
    if driver:
        modules = [str(kbuild.driver(kernel.tree)), *modules]
    if script is None:
        booting.shell(
            sets=packages or [], modules=modules, files=places, tile=numbers, kernel=kernel
        )
        return
    result = booting.boot(
        script,
        sets=packages or [],
        modules=modules,
        files=places,
        tile=numbers,
        kernel=kernel,
        seconds=seconds,
    )
    if console:
        sys.stderr.write(result.console)
    _end(result)


@app.command()
def test(
    kernel: Annotated[
        Kernel, typer.Option(help="As of boot: Debian's own has no random messages.")
    ] = Kernel.newest,
    iterations: Annotated[
        int, typer.Option(min=0, help="Random messages of each kind, for each algorithm.")
    ] = 10,
    seconds: Annotated[int, typer.Option(min=1, help="QEMU is stopped after so many.")] = 6000,
    console: Annotated[
        bool, typer.Option("--console", help="Also show the guest's console, on standard error.")
    ] = False,
) -> None:
    """Build the driver for a kernel, load it there, and have the kernel test each algorithm.

    A line for each: its driver's name, and passed or what the kernel says in place of it. Then what
    the kernel complained of.

    Exit codes: 0 all passed and there was no complaint; 1 if not; 2 bad use, 3 a program is
    missing, 70 the guest did not come to the end.
    """
    found = selftests.run(kernel, iterations, seconds)
    if console:
        sys.stderr.write(found.console)
    for driver, result in found.results.items():
        typer.echo(f"{driver:40}{result}")
    typer.echo(f"{len(found.results)} algorithms on Linux {found.release}")
    for line in found.complaints:
        typer.echo(line)
    if not found.ended:
        typer.echo("the driver was not loaded, or not unloaded: --console shows why")
    raise typer.Exit(0 if found.is_good else 1)


@app.command()
def pin() -> None:
    """Write today's versions of the guest's packages into catalog/linux.yaml; say what changed."""
    for line in pinning.pin():
        typer.echo(line)


def _say(line: str) -> None:
    typer.echo(line, err=True)


def _end(result: booting.Result) -> NoReturn:
    sys.stdout.buffer.write(result.output)
    sys.stdout.flush()
    raise typer.Exit(result.status)


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
