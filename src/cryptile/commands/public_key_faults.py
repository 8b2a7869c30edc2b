"""``cryptile faults`` of public-key engines (``pka`` and others): upsets while one works."""

import time
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import TextColumn

from cryptile.commands.shown import Shown, timed
from cryptile.faults.pka import report
from cryptile.faults.pka.campaign import WIDTHS, Campaign, Operation, Outcome
from cryptile.project import BUILD
from cryptile.records import write_json
from cryptile.toolchain import tools

DESIGNS = tuple(WIDTHS)
INTERRUPTED = 130
_NAMED = 20


def run(
    of: Operation,
    runs: int,
    seed: int,
    workers: int | None,
    resume: bool,
    verify: int,
    output: Path | None,
    json: str | None,
) -> None:
    """Inject so many upsets, print what became of them, exit with 1 if a result was wrong."""
    console = Console(stderr=True)
    name = f"{of.design}-{of.program}-{runs}-{seed}"
    folder = output or BUILD / "faults" / "campaigns" / name
    with console.status("building the model"):
        what = Campaign(runs, seed, folder, workers or 1, of)
    if verify:
        with console.status(f"following {verify} upsets by the RTL alone, too"):
            what.check(verify)
        console.print(f"{verify} random upsets end in the same way in the RTL alone")
    started = time.monotonic()
    try:
        outcome = _shown(what, resume, console)
    except KeyboardInterrupt:
        console.print(f"stopped; finished parts are in {folder}: go on with --resume")
        raise typer.Exit(INTERRUPTED) from None
    seconds = time.monotonic() - started
    if json != "-":
        plain = Console()
        plain.print(report.table(outcome, seconds, what.of))
        plain.print(report.verdict(outcome), markup=False, highlight=False)
        for line in outcome.wrong[:_NAMED]:
            plain.print(line, markup=False, highlight=False, soft_wrap=True)
    if json:
        versions = {"verilator": tools.version("verilator"), "g++": tools.version("g++")}
        write_json(report.records(outcome, seconds, what.of), json, tools=versions, seed=seed)
    if outcome.wrong:
        raise typer.Exit(1)


def _shown(what: Campaign, resume: bool, console: Console) -> Outcome:
    columns = timed(TextColumn("{task.fields[live]}"))
    with Shown(*columns, console=console) as progress:
        task = progress.add_task("upsets", total=1, live="")

        def on_part(count: int, outcome: Outcome) -> None:
            live = f"{outcome.total:,} upsets, {len(outcome.wrong):,} wrong"
            progress.update(task, advance=1, total=count, live=live)

        return what.run(resume, on_part)
