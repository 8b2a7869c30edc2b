"""``cryptile faults`` of a module of a user's own: ``init``, and ``run`` of the file it writes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from cryptile.commands.shown import Shown, timed
from cryptile.errors import CryptileError, UsageError
from cryptile.modules import campaign, description, init, report, verify
from cryptile.modules.campaign import Question
from cryptile.modules.rate import Environment
from cryptile.project import BUILD
from cryptile.records import provenance, write_json
from cryptile.toolchain import tools, yosys

_WIDTH = 110


def init_(
    files: Annotated[list[Path], typer.Argument(help="The RTL, packages first.")],
    top: Annotated[
        str | None, typer.Option(help="The module, if several of the files' can be it.")
    ] = None,
    parameter: Annotated[
        list[str] | None, typer.Option("-G", help="NAME=VALUE, a parameter of it; repeatable.")
    ] = None,
    include: Annotated[
        list[Path] | None, typer.Option("-I", help="Folder of headers; repeatable.")
    ] = None,
    stimuli: Annotated[
        Path | None, typer.Option(help="CSV or VCD; if not given, random vectors are written.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file.")] = None,
    force: Annotated[bool, typer.Option("-f", help="Write over files that are there.")] = False,
) -> None:
    """Write the file that describes a module of your own: clock, reset, outputs, vectors."""
    pairs = [text.partition("=") for text in parameter or []]
    if bad := [name for name, equals, value in pairs if not (name and equals and value)]:
        raise UsageError(f"-G: {bad[0]!r} is not NAME=VALUE")
    parameters = {name: value for name, _, value in pairs}
    path, vectors = init.write(files, top, parameters, include or [], stimuli, output, force)
    made = "drives it" if stimuli else "has random vectors: put your own in their place"
    typer.echo(f"{path} describes the module; {vectors} {made}")
    typer.echo(f"next: cryptile faults run {path}")


def run(
    path: Path,
    question: Question,
    environment: Environment,
    count: int,
    output: Path | None,
    json: str | None,
) -> None:
    """Inject faults into a module, print what became of them, and exit with 1 if some do harm."""
    if environment.is_given and question.model.value != "seu":
        raise UsageError("rates are of single upsets of flip-flops: --model seu")
    console = Console(stderr=True)
    what = description.load(path)
    with console.status("synthesising the module, running it without faults"):
        prepared = campaign.prepare(what, question.model)
    found = _shown(prepared, question, console)
    if count:
        with console.status(f"repeating {count} faults in the RTL"):
            differing = verify.check(found, count)
        if differing:
            raise CryptileError(
                f"{len(differing)} of {count} faults end otherwise in the RTL: {differing[0]}"
            )
        console.print(f"{count} random faults end in the same way in the RTL")
    versions = {"yosys": yosys.version(), "gcc": tools.version("gcc")}
    if count:
        versions["verilator"] = tools.version("verilator")
    origin = report.provenance(found, provenance(tools=versions, seed=question.seed))
    folder = output or BUILD / "faults" / "modules" / path.stem
    answer = report.Answer(found, environment, origin, folder)
    page = report.write(answer)
    if json != "-":
        plain = Console()
        plain.width = max(plain.width, _WIDTH)
        plain.print(report.table(answer))
        for line in report.lines(answer):
            plain.print(line, markup=False, highlight=False, soft_wrap=True)
        plain.print(f"report: {page}", markup=False, highlight=False, soft_wrap=True)
    if json:
        write_json(report.records(answer), json, tools=versions, seed=question.seed)
    if found.bad:
        raise typer.Exit(1)


def refuse(options: Mapping[str, bool], whose: str) -> None:
    """Refuse options that mean nothing for a kind of design."""
    if given := [name for name, is_given in options.items() if is_given]:
        raise UsageError(f"{given[0]} is {whose}")


def _shown(prepared: campaign.Prepared, question: Question, console: Console) -> campaign.Campaign:
    columns = timed()
    with Shown(*columns, console=console) as progress:
        task = progress.add_task("faults", total=1)
        return campaign.run(
            prepared,
            question,
            lambda done, total: progress.update(task, completed=done, total=total),
        )
