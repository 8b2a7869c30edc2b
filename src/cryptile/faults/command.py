"""The ``cryptile faults`` command."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from cryptile import tools
from cryptile.errors import UsageError
from cryptile.faults import campaign, report, run, store
from cryptile.faults.campaign import Campaign, Mode, Question
from cryptile.faults.shard import Model
from cryptile.project import BUILD, require_checkout
from cryptile.records import write_json
from cryptile.synth import yosys

_INTERRUPTED = 130
_DEFAULT_JOBS, _DEFAULT_BYTES = 20, 100


def faults(
    design: Annotated[str, typer.Argument(help="aes, chacha20poly1305, or a design file .yaml.")],
    variant: Annotated[
        str | None, typer.Option(help="Datapath; the first one if not given.")
    ] = None,
    protect: Annotated[str, typer.Option(help="Protection: none, detect or correct.")] = "none",
    mode: Annotated[
        Mode,
        typer.Option(
            help="paper: random places and times; exhaustive: every place in every cycle; "
            "targeted: the same for --target and --cycles."
        ),
    ] = Mode.exhaustive,
    model: Annotated[
        Model,
        typer.Option(
            help="seu: one flip-flop; mbu: 2 to 4 neighbours; set: a gate's output for a cycle; "
            "stuck: a gate's output for ever."
        ),
    ] = Model.seu,
    runs: Annotated[int, typer.Option(min=1, help="Faults in paper mode.")] = 1000,
    pairs: Annotated[
        int, typer.Option(min=0, help="With --model mbu: so many random pairs of any flip-flops.")
    ] = 0,
    target: Annotated[str | None, typer.Option(help="Regular expression of places.")] = None,
    cycles: Annotated[str | None, typer.Option(help="FIRST:LAST cycle of faults.")] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="1: one long message; more: random jobs of all kinds.")
    ] = None,
    size: Annotated[
        int | None, typer.Option("--bytes", min=1, help="Of the message, or at most of each job.")
    ] = None,
    stalls: Annotated[int, typer.Option(min=0, max=100, help="Percent of items held up.")] = 0,
    aborts: Annotated[int, typer.Option(min=0, max=100, help="Percent of jobs aborted.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Of everything random.")] = 1,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Dask processes here, instead of threads.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler to compute instead.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Folder of results and report.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where a run stopped.")] = False,
    json: Annotated[
        str | None, typer.Option(help="Write records to FILE or '-'; no table with '-'.")
    ] = None,
) -> None:
    """Inject faults into a design's netlist and say what becomes of each of them.

    Exit code 0: none led to silent corruption or a hang; 1: some did; 2: bad input.
    """
    require_checkout()
    if pairs and model is not Model.mbu:
        raise UsageError("--pairs needs --model mbu")
    if mode is Mode.targeted and target is None and cycles is None:
        raise UsageError("--mode targeted needs --target or --cycles")
    one = mode is Mode.paper
    question = Question(
        design, variant, protect, mode, model, runs, pairs, target, _cycles(cycles),
        jobs or (1 if one else _DEFAULT_JOBS),
        size or (1 << 20 if one else _DEFAULT_BYTES),
        stalls, aborts, seed,
    )  # fmt: skip
    console = Console(stderr=True)
    with console.status("building the design, running it without faults"):
        what = campaign.prepare(question)
    folder = output or BUILD / "faults" / "campaigns" / what.key
    where = run.Where(workers, scheduler)
    seconds = _run(what, folder, where, resume, console)
    summary = store.summarise(folder, len(what.parts), len(what.sites.targets))
    command = " ".join(["cryptile", *sys.argv[1:]])
    answer = report.Answer(what, summary, seconds or summary.seconds, command)
    page = folder / "report.html"
    page.write_text(report.page(answer))
    if json != "-":
        plain = Console()
        plain.width = max(plain.width, report.WIDTH)
        plain.print(report.table(answer))
        plain.print(report.verdict(answer), markup=False, highlight=False)
        plain.print(f"report: {page}", markup=False, highlight=False, soft_wrap=True)
    if json:
        versions = {"yosys": yosys.version(), "gcc": tools.version("gcc")}
        write_json(report.records(answer), json, command=command, tools=versions, seed=seed)
    if answer.failed:
        raise typer.Exit(1)


def _cycles(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    first, colon, last = text.partition(":")
    if not (colon and first.isdigit() and last.isdigit()):
        raise UsageError(f"--cycles: {text!r} is not FIRST:LAST")
    return int(first), int(last)


def _run(what: Campaign, folder: Path, where: run.Where, resume: bool, console: Console) -> float:
    columns = (
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[live]}"),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("faults", total=what.injected, rate="", live="")
        live = report.Live()

        def on_part(index: int, cost: dict[str, float]) -> None:
            live.add(store.path(folder, index))
            count = len(what.sites.targets)
            part = what.parts[index]
            size = len(part.events[0]) if part.events else count * (part.end - part.first)
            elapsed = progress.tasks[0].elapsed or 1e-9
            rate = f"{progress.tasks[0].completed / elapsed:,.0f}/s" if cost else ""
            progress.update(task, advance=size, rate=rate, live=str(live))

        try:
            return run.run(what, folder, where, resume, on_part)
        except KeyboardInterrupt:
            progress.stop()
            console.print(f"stopped; finished parts are in {folder}: go on with --resume")
            raise typer.Exit(_INTERRUPTED) from None
