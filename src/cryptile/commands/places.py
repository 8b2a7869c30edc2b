"""Files that commands make beside their output, checked before any work."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from cryptile.crypt import destination
from cryptile.crypt.source import STDOUT, is_stream
from cryptile.errors import UsageError
from cryptile.records import check_writable
from cryptile.systems import view


def check_waves(trace: Path, *others: Path | None, force: bool) -> None:
    """Check that waves can go into a file, and their view beside it.

    Args:
        trace: the file for waves.
        others: what the command reads and makes besides, where given: none may be the same.
        force: whether files may be there already.

    Raises:
        UsageError: one line that says what is wrong.
    """
    named = [other for other in others if other is not None]
    if is_stream(trace, STDOUT) or _is_any(trace, named):
        raise UsageError("waves go into a file of their own")
    destination.check(trace, force=force)
    if trace.exists() and not trace.is_file():
        return  # a device has no view
    beside = view.beside(trace)
    if beside == trace:
        raise UsageError(f"{trace.suffix} is for the view of the waves: name them FILE.fst")
    if _is_any(beside, named):
        raise UsageError(f"{beside} is for the view of the waves")
    destination.check(beside, force=force)


def waves_told(trace: Path) -> str:
    """Name the waves for a reader, and how to look at them."""
    beside = view.beside(trace)
    return f"{trace}; to look at them: gtkwave {beside}" if beside.is_file() else str(trace)


def check_records(json: str | None, output: Path | None, *others: Path | None) -> None:
    """Check that the records of a run can be written, and take the place of nothing else of it.

    Args:
        json: where records go, if anywhere.
        output: what the command makes, if it does.
        others: what it reads and makes besides, where given.

    Raises:
        UsageError: one line that says what is wrong.
    """
    if json is None:
        return
    file = Path(json)
    if is_stream(file, STDOUT):
        if output is not None and is_stream(output, STDOUT):
            raise UsageError("standard output cannot be both the output and the records")
        return
    if file.exists() and not file.is_file() and not file.is_dir():
        return  # a device, such as /dev/null
    if file.is_dir():
        raise UsageError(f"a folder cannot hold the records: {file}")
    named = [one for one in (output, *others) if one is not None]
    if _is_any(file, named):
        raise UsageError("records go into a file of their own")
    check_writable(file)


def records_file(json: str | None) -> str | None:
    """Return the value of an option that names a file for records, as its callback.

    Raises:
        UsageError: records cannot be written there.
    """
    check_records(json, None)
    return json


Records = Annotated[
    str | None,
    typer.Option(
        help="Write records to FILE or '-'; no table with '-'.",
        metavar="FILE",
        callback=records_file,
    ),
]
"""The option ``--json`` of a command that prints its records as a table."""


def _records_beside(json: str | None) -> str | None:
    if json is not None and is_stream(Path(json), STDOUT):
        raise UsageError("standard output is the program's: name a file for the records")
    return records_file(json)


RecordsBeside = Annotated[
    str | None,
    typer.Option(help="Write records to FILE.", metavar="FILE", callback=_records_beside),
]
"""The option ``--json`` of a command whose standard output is that of a program."""


def _is_any(file: Path, named: Iterable[Path]) -> bool:
    return any(destination.is_same(file, one) for one in named)
