"""The ``cryptile whatif`` command."""

from pathlib import Path
from typing import Annotated

import typer

from cryptile.bench.software import measure as software
from cryptile.commands.places import Records
from cryptile.commands.suite import Suite, run
from cryptile.errors import UsageError
from cryptile.project import BUILD
from cryptile.whatif import report
from cryptile.whatif.measure import measure
from cryptile.whatif.questions import QUESTIONS

_WIDTH = 120


def whatif(
    extension: Annotated[
        list[str] | None,
        typer.Option(help=f"One of {', '.join(q.extension for q in QUESTIONS)}; repeatable."),
    ] = None,
    core: Annotated[
        str, typer.Option(help="model:NAME, or ibex or cv32e40p where the RTL has the extension.")
    ] = "model:loaduse2",
    json: Records = None,
    plot: Annotated[Path, typer.Option(help="Name of the picture, without .png and .svg.")] = BUILD
    / "bench"
    / "whatif",
) -> None:
    """Measure what an instruction-set extension brings to each algorithm."""
    known = {question.extension: question for question in QUESTIONS}
    for name in extension or ():
        if name not in known:
            raise UsageError(f"unknown extension {name!r}: choose from {', '.join(known)}")
    chosen = [known[name] for name in extension or known]
    software.check([], [core], [])
    suite = Suite(
        "whatif",
        sum(len(item.families) for item in chosen),
        lambda on_step, on_done: measure(chosen, core, on_step, on_done),
        lambda records, _: [report.table(records, core)],
        _WIDTH,
        lambda records, _: report.draw(records, core, plot),
    )
    run(suite, json)
