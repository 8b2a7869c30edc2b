"""The ``cryptile run`` command."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from cryptile.commands.places import RecordsBeside
from cryptile.errors import FindingError
from cryptile.records import Record, write_json
from cryptile.sim.iss import Fault, Machine, ProgramResult
from cryptile.sim.program import isa_of
from cryptile.sim.timing import MODELS


class By(StrEnum):
    """What cycles are counted for."""

    symbol = "symbol"
    line = "line"


def run(
    program: Annotated[Path, typer.Argument(help="A bare RISC-V program (ELF).")],
    isa: Annotated[
        str | None, typer.Option(help="Instructions that there are; what the program says if none.")
    ] = None,
    core: Annotated[
        str, typer.Option(help=f"Timing model: {', '.join(MODELS)}, or one's own in FILE.yaml.")
    ] = "loaduse2",
    profile: Annotated[
        By | None, typer.Option(help="Say where the cycles go, by function or line.")
    ] = None,
    taint: Annotated[
        list[str] | None,
        typer.Option(help="A variable whose bytes are secret; repeatable."),
    ] = None,
    most: Annotated[
        int, typer.Option("--max-instructions", min=1, help="A program may execute so many.")
    ] = 1_000_000_000,
    misaligned: Annotated[
        bool, typer.Option("--misaligned", help="Misaligned accesses work.")
    ] = False,
    json: RecordsBeside = None,
) -> None:
    """Run a program on the instruction-set simulator: cycles, profile, and what depends on secrets.

    The program is linked at any address, begins at its entry with gp set and 64 KiB of stack, and
    makes Linux's system calls 64 (write, to 1 or 2) and 93 (exit). An access to memory that it has
    not ends it, and is told with its line. sim/iss/README.md has all that is checked.

    Exit codes: 0 the program ended with 0 and nothing depended on secrets; 1 not so; 2 bad use.
    """
    chosen = isa or isa_of(program)
    machine = Machine(
        program, chosen, core, allow_misaligned=misaligned, profile=profile is not None
    )
    for name in taint or []:
        machine.taint_symbol(name)
    try:
        result = machine.run(max_instructions=most)
    except Fault as fault:
        sys.stdout.buffer.write(fault.output)
        raise FindingError(str(fault)) from fault
    sys.stdout.buffer.write(result.output)
    sys.stdout.flush()
    told = Console(stderr=True)
    told.print(
        f"{chosen} on {machine.timing.name}: {result.cycles:,} cycles, {result.instructions:,} "
        f"instructions, {result.stack_bytes:,} bytes of stack",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    if profile:
        told.print(_profile(machine.profile(profile), profile))
    for violation in result.violations:
        told.print(
            f"depends on a secret: {violation}", markup=False, highlight=False, soft_wrap=True
        )
    if json:
        write_json(_records(program, chosen, machine.timing.name, result), json)
    if result.violations:
        raise FindingError(f"{len(result.violations)} instructions depend on secrets")
    if result.exit_code:
        raise FindingError(f"the program ended with {result.exit_code}")


def _profile(cycles: dict[str, int], by: By) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("cycles", "%", by.value):
        table.add_column(heading, justify="left" if heading == by else "right", no_wrap=True)
    whole = sum(cycles.values())
    for name, spent in cycles.items():
        table.add_row(f"{spent:,}", f"{100 * spent / whole:.1f}", name or "?")
    return table


def _records(program: Path, isa: str, core: str, result: ProgramResult) -> list[Record]:
    params = {"program": program.name, "isa": isa, "core": f"model:{core}"}
    figures = {
        "cycles": result.cycles,
        "instructions": result.instructions,
        "stack_bytes": result.stack_bytes,
    }
    return [
        Record("run", name, value, name.removeprefix("stack_"), params)
        for name, value in figures.items()
    ]
