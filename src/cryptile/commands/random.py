"""The ``cryptile random`` command."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

from cryptile.commands.shown import Shown
from cryptile.crypt import destination
from cryptile.entropy import cutoffs as computing
from cryptile.entropy import estimate as estimates
from cryptile.entropy import samples as reading
from cryptile.entropy.samples import Stage
from cryptile.errors import FindingError, UsageError
from cryptile.systems.harness import memory_file

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Samples of the entropy source, as a validation by NIST SP 800-90B reads them, and the "
    "parameters of its RTL that follow from their min-entropy.",
)

_PLACE = "{lane}"
_CLOCK = 100e6
_MODEL = (
    "Made by a model of ring oscillators: they show what the RTL does with its samples, and say "
    "nothing about the entropy of a chip."
)


@app.command()
def samples(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help=f"File to make; with {_PLACE} in its name, one for each lane."
        ),
    ],
    stage: Annotated[
        Stage, typer.Option(help="Raw samples, the restart matrix, behind the tests, or words.")
    ] = Stage.raw,
    lane: Annotated[
        int | None, typer.Option(min=0, help="This lane alone, or this bit of combined samples.")
    ] = None,
    combined: Annotated[
        bool,
        typer.Option(
            "--combined", help="Of raw samples and restarts the combined bits, six at once."
        ),
    ] = False,
    count: Annotated[
        int, typer.Option(min=1, help="Symbols; SP 800-90B asks for as many as the default.")
    ] = reading.STANDARD,
    seed: Annotated[int, typer.Option(min=0, help="Of the oscillators' model.")] = 1,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
) -> None:
    """Read samples out of the simulated entropy source into files that NIST's programs read.

    Made by a model of ring oscillators: they show what the RTL does with its samples, and say
    nothing about the entropy of a chip. A chip's are read by sw/hal/rbg_read.h.

    A byte holds a symbol in its lowest bits: a bit of a lane; of tested samples, and with
    --combined, the combined bits, six at once without --lane; of conditioned ones eight bits of a
    word. The restart matrix has rows of 1,000 samples, each behind a start of the oscillators. A
    million samples take minutes.

    Exit codes: 1 a health test failed; 2 bad use.
    """
    reading.check(stage, count)
    files = _files(output, stage, lane, combined=combined)
    for path in files.values():
        destination.check(path, force=force)
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with Shown(*columns) as progress:
        task = progress.add_task(f"{stage} samples", total=1.0)
        found = reading.collect(
            stage,
            count,
            seed=seed,
            on_progress=lambda share: progress.update(task, completed=share),
        )
    told = Console(stderr=True)
    for one, path in files.items():
        symbols = (found.symbols() if one is None else found.lane(one))[:count]
        with memory_file(symbols) as content:
            destination.write(path, content.path, mode=destination.OTHER, force=force)
        name = destination.name(path)
        _say(told, f"{name}: {_look(symbols, reading.bits(stage, one))}")
    _say(told, f"{found.cycles:,} cycles of the source. {_MODEL}")


@app.command()
def estimate(
    file: Annotated[Path, typer.Argument(help="A byte for each symbol.")],
    bits: Annotated[int, typer.Option(min=1, max=8, help="Bits of a symbol.")] = 1,
    restart: Annotated[
        bool, typer.Option("--restart", help="The file is a restart matrix: check it.")
    ] = False,
    entropy: Annotated[
        float,
        typer.Option(
            "--min-entropy", min=0.0, max=8.0, help="Of a symbol, as claimed: for --restart."
        ),
    ] = 0.5,
) -> None:
    """Take a first look at samples: two of the ten estimates of min-entropy of SP 800-90B.

    They find what is grossly wrong. An assessment takes all ten, on rows and columns, and a chip.
    With --restart also the sanity check of section 3.1.4.3; 0.5 is what the source's RTL assumes
    of a bit, and so 3 of the six of a combined sample.

    Exit codes: 1 the sanity check failed; 2 bad use, such as a symbol of more bits.
    """
    symbols = file.read_bytes()
    if len(symbols) < 2:
        raise UsageError(f"{file} has {len(symbols)} symbols: two are needed")
    if max(symbols) >> bits:
        raise UsageError(f"{file} has a symbol of more than {bits} bit{'s' * (bits > 1)}")
    typer.echo(_look(symbols, bits))
    if not restart:
        return
    if len(symbols) != estimates.SIDE**2:
        raise UsageError(f"a restart matrix has {estimates.SIDE**2} symbols")
    if entropy > bits:
        raise UsageError(f"{bits} bits have no {entropy} bits of min-entropy")
    found, most = estimates.restart_extreme(symbols), estimates.restart_cutoff(entropy)
    text = f"a value comes {found} times of {estimates.SIDE} in a row or column, {most} may be"
    if found > most:
        raise FindingError(f"{file}: {text}")
    typer.echo(text)


@app.command()
def cutoffs(
    entropy: Annotated[
        float,
        typer.Option(
            "--min-entropy",
            help="Bits of a sample of a lane, given its past and the other lanes, as measured.",
        ),
    ],
    window: Annotated[int, typer.Option(help="Samples of a window.")] = computing.Parameters.window,
    lanes: Annotated[int, typer.Option(help="Oscillators.")] = computing.Parameters.lanes,
    period: Annotated[
        int, typer.Option(help="Cycles from sample to sample, as they were measured.")
    ] = computing.Parameters.period,
    false_alarm: Annotated[
        int, typer.Option(help="N of the false-alarm rate 2^-N of a test of a window.")
    ] = computing.WINDOW_BITS,
    false_alarm_run: Annotated[
        int, typer.Option(help="The same of the repetition count, by sample.")
    ] = computing.RUN_BITS,
) -> None:
    """Compute the entropy source's parameters of the min-entropy that was measured.

    Cut-offs by SP 800-90B, 4.4.1 and 4.4.2; blocks of samples for words of full entropy. They are
    parameters of cry_entropy, cry_entropy_source and cry_rbg. Cycles are those of its clock.
    What must be set elsewhere, too, is told on standard error.

    Exit codes: 2 what the RTL does not take.
    """
    found = computing.parameters(
        entropy,
        window=window,
        lanes=lanes,
        period=period,
        window_bits=false_alarm,
        run_bits=false_alarm_run,
    )
    hours = 1 / found.false_alarms / _CLOCK / 3600
    for name, value, meaning in (
        ("Lanes", found.lanes, "oscillators, in pairs"),
        ("Period", found.period, "cycles from sample to sample"),
        ("Window", found.window, "samples of a window"),
        ("Entropy", found.entropy, "min-entropy of a sample, thousandths of a bit"),
        ("Blocks", found.blocks, "of 16 combined samples, for 128 bits; follows from the others"),
        ("RctCutoff", found.rct_cutoff, "equal samples in a row that fail"),
        ("Cutoff", found.cutoff, "right guesses in a window that fail"),
        ("start", found.start_cycles, "cycles from off to a seed"),
        ("reseed", found.reseed_cycles, "cycles"),
        ("job's wait", found.wait_cycles, "cycles at most, in a reseed"),
        ("driver's", found.limit_cycles, "cycles at least, of its limit for a start"),
    ):
        typer.echo(f"{name:<10} {value:>11,}  {meaning}")
    typer.echo(
        f"At most one false alarm in {hours:,.1f} hours at 100 MHz, of a source that is as bad as "
        "its min-entropy allows."
    )
    told = Console(stderr=True)
    for line in found.warnings():
        _say(told, f"warning: {line}")


def _files(
    output: Path, stage: Stage, lane: int | None, *, combined: bool
) -> dict[int | None, Path]:
    """Return the file of each lane; None stands for whole symbols.

    Raises:
        UsageError: no such lane, or samples that have no room in a byte.
    """
    known = reading.lanes(stage)
    if combined:
        if known != reading.LANES or lane is not None or _PLACE in output.name:
            raise UsageError("--combined is all lanes of raw samples or restarts, in one file")
        return {None: output}
    if lane is not None and lane >= known:
        most = f"0 to {known - 1}" if known else "not for words"
        raise UsageError(f"--lane is {most} with --stage {stage}")
    if lane is not None:
        return {lane: output}
    if _PLACE in output.name:
        if not known:
            raise UsageError(f"{stage} has no lanes: leave {_PLACE} out of the name")
        return {
            one: output.with_name(output.name.replace(_PLACE, str(one))) for one in range(known)
        }
    if known == reading.LANES:
        raise UsageError(
            f"a sample of {known} lanes has no room in a byte: choose one with --lane, or have "
            f"{_PLACE} in the output's name for a file of each, or --combined"
        )
    return {None: output}


def _look(symbols: bytes, bits: int) -> str:
    """Return what a first look at symbols finds."""
    text = f"{len(symbols):,} symbols of {bits} bit{'s' * (bits > 1)}"
    if len(symbols) < 2:
        return text
    text += f", min-entropy {estimates.most_common_value(symbols):.4f} by the most common value"
    return text + (f", {estimates.markov(symbols):.4f} by Markov's estimate" if bits == 1 else "")


def _say(console: Console, line: str) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True)
