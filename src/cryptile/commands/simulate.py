"""The ``cryptile simulate`` command."""

import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from cryptile.commands import places
from cryptile.commands.build import Name
from cryptile.crypt import destination
from cryptile.crypt.source import STDOUT, is_stream
from cryptile.errors import FindingError, UsageError
from cryptile.records import Record, write_json
from cryptile.systems import SYSTEMS
from cryptile.systems.harness import MemoryFile, Progress, memory_file
from cryptile.systems.monitors import Result
from cryptile.systems.system import System

_log = logging.getLogger(__name__)

_EVERY = 30.0
"""Seconds between two lines about a program that prints nothing."""


def simulate(
    system: Annotated[Name, typer.Argument(help="The system-on-chip.")],
    program: Annotated[
        Path, typer.Argument(help="A bare program for it (ELF), such as that of examples/tile.")
    ],
    chosen: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="An option of the model or of its run, from catalog/systems: public_key=1, "
            "core=ibex, latency=50; repeatable.",
        ),
    ] = None,
    given: Annotated[
        Path | None,
        typer.Option("--input", metavar="FILE", help="What the program reads from its host."),
    ] = None,
    made: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="What it writes to its host."),
    ] = None,
    most: Annotated[
        int, typer.Option("--max-cycles", min=1, help="It may take so many cycles.")
    ] = 100_000_000,
    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.fst",
            help="Write waves into a file, with all that the program has in them, and beside it "
            "a view of them for GTKWave (FILE.gtkw).",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", "-f", help="Overwrite the output and the waves.")
    ] = False,
    json: places.RecordsBeside = None,
) -> None:
    """Run a program on the RTL of a system-on-chip, cycle by cycle.

    Standard output is what the program prints, as it prints it. The first time a model is built,
    which takes minutes.

    Exit codes: 0 the program ended with 0; 1 with something else, or not in time; 2 bad use.
    """
    soc = SYSTEMS[system]
    options = _options(soc, chosen or [])
    if made is not None and is_stream(made, STDOUT):
        raise UsageError("standard output is the program's: name a file")
    for path in (program, given):
        if path is not None and not path.is_file():
            raise UsageError(f"no such file: {path}")
    read = [path for path in (program, given) if path is not None]
    if made is not None:
        destination.check(made, *read, force=force)
    if trace is not None:
        places.check_waves(trace, *read, made, force=force)
    places.check_records(json, made, *read, trace)
    of_run = {name: options.pop(name) for name in soc.run_options & options.keys()}
    soc.check_run(program, **of_run)
    model = soc.build(trace=trace is not None, **options)
    with memory_file() as console, memory_file() as output:
        spoken = _Spoken(console)
        try:
            result = soc.run(
                model,
                program,
                input=given,
                output=output,
                max_cycles=most,
                console=console,
                trace=trace,
                on_progress=spoken.tell,
                **of_run,
            )
        finally:
            spoken.pass_on()
        if made is not None:
            destination.write(made, output.path, mode=destination.PLAINTEXT, force=force)
    Console(stderr=True).print(
        f"{system}: {result.cycles:,} cycles, {result.sleep_cycles:,} of them asleep",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    if json:
        write_json(_records(system, program, {**options, **of_run}, result), json)
    if result.exit_code is None:
        raise FindingError(f"the program did not end in {most:,} cycles: --max-cycles")
    if result.exit_code:
        raise FindingError(f"the program ended with {result.exit_code}")


def _options(soc: System, words: Sequence[str]) -> dict[str, Any]:
    """Return options by name, of the model and of the run.

    Raises:
        UsageError: a word that is none, or an option that there is not.
    """
    found: dict[str, Any] = {}
    known = [*soc.build_options, *sorted(soc.run_options)]
    for word in words:
        name, _, value = word.partition("=")
        if name not in known or not value:
            raise UsageError(f"--set {word}: NAME=VALUE is needed, of {', '.join(known)}")
        if name in soc.run_options and not value.isdecimal():
            raise UsageError(f"--set {word}: a number is needed")
        found[name] = int(value) if value.isdecimal() else value
    return found


class _Spoken:
    """What a program prints, passed on while it runs; and that it runs, while it prints nothing."""

    def __init__(self, console: MemoryFile) -> None:
        self._console = console
        self._passed = 0
        self._told = time.monotonic()

    def pass_on(self) -> bool:
        """Pass on what is new; return whether there was anything."""
        new = self._console.path.read_bytes()[self._passed :]
        self._passed += len(new)
        sys.stdout.buffer.write(new)
        sys.stdout.flush()
        return bool(new)

    def tell(self, now: Progress) -> None:
        """Take how far it is."""
        if self.pass_on():
            self._told = time.monotonic()
        elif time.monotonic() > self._told + _EVERY:
            self._told = time.monotonic()
            _log.info("%s cycles", f"{now.cycles:,}")


def _records(system: str, program: Path, options: dict[str, Any], result: Result) -> list[Record]:
    params = {"system": system, "program": program.name, **options}
    figures = {"cycles": result.cycles, "sleep_cycles": result.sleep_cycles}
    return [Record("simulate", name, value, "cycles", params) for name, value in figures.items()]
