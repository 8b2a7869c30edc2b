"""The ``cryptile faults`` command."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import TextColumn
from typer.core import TyperGroup

from cryptile.commands import module_faults, public_key_faults
from cryptile.commands.places import Records
from cryptile.commands.shown import Shown, timed
from cryptile.errors import CryptileError, UsageError
from cryptile.faults import campaign, replay, report, rtl_check, run, store
from cryptile.faults.campaign import Campaign, Mode, Question
from cryptile.faults.pka import campaign as public_key
from cryptile.faults.shard import Model
from cryptile.modules import campaign as modules
from cryptile.modules.description import is_module
from cryptile.modules.rate import Environment
from cryptile.project import BUILD
from cryptile.records import command_line, write_json
from cryptile.toolchain import tools, yosys

if TYPE_CHECKING:  # Typer has no public names for these
    from typer._click.core import Command, Context

_INTERRUPTED = 130
_DEFAULT_JOBS, _DEFAULT_BYTES, _LONG = 20, 100, 1 << 20


class _Group(TyperGroup):
    """A command with a default: ``faults aes`` is ``faults run aes``."""

    def resolve_command(
        self, ctx: "Context", args: list[str]
    ) -> "tuple[str | None, Command | None, list[str]]":
        if args and args[0] not in self.commands:
            args = ["run", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Group,
    add_completion=False,
    no_args_is_help=True,
    help="Inject faults into a design and say what they do.",
)

DesignName = Annotated[
    str, typer.Argument(help="aes, chacha20poly1305, sha2, ..., or a design file .yaml.")
]
Variant = Annotated[str | None, typer.Option(help="Datapath; the design's usual one if not given.")]
Protect = Annotated[str, typer.Option(help="Protection: none, detect, correct or tmr.")]
ModelName = Annotated[
    Model,
    typer.Option(
        help="seu: one flip-flop; mbu: 2 to 4 neighbours; set: a gate's output for a cycle; "
        "stuck: a gate's output for ever."
    ),
]
Jobs = Annotated[
    int | None, typer.Option(min=1, help="1: one long message; more: random jobs of all kinds.")
]
Size = Annotated[
    int | None, typer.Option("--bytes", min=1, help="Of the message, or at most of each job.")
]
Stalls = Annotated[int, typer.Option(min=0, max=100, help="Percent of items held up.")]
Aborts = Annotated[int, typer.Option(min=0, max=100, help="Percent of jobs aborted.")]
Seed = Annotated[int, typer.Option(min=0, help="Of everything random.")]


@app.command("run")
def run_(
    design: DesignName,
    variant: Variant = None,
    protect: Protect = "none",
    mode: Annotated[
        Mode,
        typer.Option(
            help="paper: random places and times; exhaustive: every place in every cycle; "
            "targeted: the same for --target and --cycles."
        ),
    ] = Mode.exhaustive,
    model: ModelName = Model.seu,
    runs: Annotated[int, typer.Option(min=1, help="Faults in paper mode.")] = 1000,
    pairs: Annotated[
        int, typer.Option(min=0, help="With --model mbu: so many random pairs of any flip-flops.")
    ] = 0,
    target: Annotated[str | None, typer.Option(help="Regular expression of places.")] = None,
    cycles: Annotated[str | None, typer.Option(help="FIRST:LAST cycle of faults.")] = None,
    jobs: Jobs = None,
    size: Size = None,
    stalls: Stalls = 0,
    aborts: Aborts = 0,
    seed: Seed = 1,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Dask processes here, instead of threads.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler to compute instead.")
    ] = None,
    verify: Annotated[
        int, typer.Option(min=0, help="Repeat so many random faults in the RTL, by Verilator.")
    ] = 0,
    flux: Annotated[
        float | None, typer.Option(help="Of a module: particles per cm2 and hour.")
    ] = None,
    bit_cross_section: Annotated[
        float | None, typer.Option(help="Of a module: of one flip-flop, in cm2.")
    ] = None,
    bit_fit: Annotated[
        float | None, typer.Option(help="Of a module: upsets in 10^9 hours of 2^20 flip-flops.")
    ] = None,
    operation: Annotated[
        str | None, typer.Option(help="Of a public-key engine: its mode, such as ed25519_sign.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Folder of results and report.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where a run stopped.")] = False,
    json: Records = None,
) -> None:
    """Inject faults into a design's netlist and say what becomes of each of them.

    A file that `cryptile faults init` wrote is of a module without the engine port: it takes
    --model, --mode paper with --runs, --target, --cycles, --seed, --verify and the rates.
    Of pka, pka_fast, pka384 and pka521, the public-key engines, it is --runs upsets while they
    make signatures with ECDSA, or do another --operation.

    Exit code 0: none led to silent corruption or a hang; 1: some did; 2: bad input.
    """
    if pairs and model is not Model.mbu:
        raise UsageError("--pairs needs --model mbu")
    if mode is Mode.targeted and target is None and cycles is None:
        raise UsageError("--mode targeted needs --target or --cycles")
    one = mode is Mode.paper
    count = jobs or (1 if one else _DEFAULT_JOBS)
    environment = Environment(flux, bit_cross_section, bit_fit)
    if is_module(design):
        module_faults.refuse(
            {
                "--variant": variant is not None,
                "--protect": protect != "none",
                "--pairs": bool(pairs),
                "--jobs": jobs is not None,
                "--bytes": size is not None,
                "--stalls": bool(stalls),
                "--aborts": bool(aborts),
                "--resume": resume,
                "--workers": workers is not None,
                "--scheduler": scheduler is not None,
                "--operation": operation is not None,
            },
            "for designs with the engine port",
        )
        asked = modules.Question(model, runs if one else None, target, _cycles(cycles), seed)
        module_faults.run(Path(design), asked, environment, verify, output, json)
        return
    module_faults.refuse(
        {"--flux, --bit-cross-section, --bit-fit": environment.is_given},
        "for modules: see `cryptile faults init`",
    )
    if design in public_key_faults.DESIGNS:
        module_faults.refuse(
            {
                "--variant": variant is not None, "--protect": protect != "none",
                "--model": model is not Model.seu, "--target": target is not None,
                "--cycles": cycles is not None, "--jobs": jobs is not None,
                "--bytes": size is not None, "--stalls": bool(stalls), "--aborts": bool(aborts),
                "--scheduler": scheduler is not None, "--pairs": bool(pairs),
            },
            f"not for {design}: see --operation, --runs, --seed, --workers, --verify, --resume",
        )  # fmt: skip
        of = public_key.operation(design, operation)
        public_key_faults.run(of, runs, seed, workers, resume, verify, output, json)
        return
    module_faults.refuse({"--operation": operation is not None}, "for public-key engines")
    question = Question(
        design,
        variant,
        protect,
        mode,
        model,
        runs,
        pairs,
        target,
        _cycles(cycles),
        count,
        size or (_LONG if one and count == 1 else _DEFAULT_BYTES),
        stalls,
        aborts,
        seed,
    )
    console = Console(stderr=True)
    with console.status("building the design, running it without faults"):
        what = campaign.prepare(question)
    folder = output or BUILD / "faults" / "campaigns" / what.key
    where = run.Where(workers, scheduler)
    seconds = _run(what, folder, where, resume, console)
    if verify:
        _verify(what, verify, folder, console)
    summary = store.summarise(folder, len(what.parts), len(what.sites.targets))
    answer = report.Answer(what, summary, seconds, command_line())
    page = folder / "report.html"
    page.write_text(report.page(answer))
    if json != "-":
        plain = Console()
        plain.width = max(plain.width, report.WIDTH)
        plain.print(report.table(answer))
        plain.print(report.verdict(answer), markup=False, highlight=False)
        if answer.failed:
            plain.print(f"where: {report.worst(answer)}", markup=False, highlight=False)
        for line in report.published_beside(answer) if answer.sampled else ():
            plain.print(line, markup=False, highlight=False)
        if "MERGED" in (text := report.synthesis(answer)):
            plain.print(f"synthesis: {text}", markup=False, highlight=False)
        plain.print(f"report: {page}", markup=False, highlight=False, soft_wrap=True)
    if json:
        versions = {"yosys": yosys.version(), "gcc": tools.version("gcc")}
        write_json(report.records(answer), json, tools=versions, seed=seed)
    if answer.failed:
        raise typer.Exit(1)


app.command("init")(module_faults.init_)


@app.command("replay")
def replay_(
    design: DesignName,
    place: Annotated[str, typer.Option(help="Name of the place, as reports have it.")],
    cycle: Annotated[int, typer.Option(min=0, help="Cycle of the fault.")],
    variant: Variant = None,
    protect: Protect = "none",
    model: ModelName = Model.seu,
    jobs: Jobs = None,
    size: Size = None,
    stalls: Stalls = 0,
    aborts: Aborts = 0,
    seed: Seed = 1,
    output: Annotated[Path, typer.Option(help="The waveform.")] = Path("fault.vcd"),
) -> None:
    """Write the waveform (VCD) of one fault of a campaign beside that of no fault."""
    if is_module(design):
        raise UsageError("of a module, the first failures are waveforms beside the report of run")
    question = Question(
        design,
        variant,
        protect,
        Mode.exhaustive,
        model,
        0,
        0,
        None,
        None,
        jobs or _DEFAULT_JOBS,
        size or _DEFAULT_BYTES,
        stalls,
        aborts,
        seed,
    )
    what = campaign.prepare(question)
    found = replay.replay(what, place, cycle, output)
    word = found.verdict.name.replace("_", " ")
    typer.echo(f"{word} after {found.latency} cycles; {output} begins at cycle {found.start}")


def _verify(what: Campaign, count: int, folder: Path, console: Console) -> None:
    with console.status(f"repeating {count} faults in the RTL"):
        differing = rtl_check.check(what, count, folder / "verify")
    if differing:
        first = differing[0]
        raise CryptileError(
            f"{len(differing)} of {count} faults end otherwise in the RTL, such as {first.site} "
            f"in cycle {first.cycle}: {first.netlist}, but {first.rtl} in the RTL"
        )
    console.print(f"{count} random faults end in the same way in the RTL")


def _cycles(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    first, colon, last = text.partition(":")
    if not (colon and first.isdigit() and last.isdigit()):
        raise UsageError(f"--cycles: {text!r} is not FIRST:LAST")
    return int(first), int(last)


def _run(what: Campaign, folder: Path, where: run.Where, resume: bool, console: Console) -> float:
    columns = timed(TextColumn("{task.fields[rate]}"), TextColumn("{task.fields[live]}"))
    with Shown(*columns, console=console) as progress:
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
