"""Files for waves, each with its saved view, checked before any work."""

from pathlib import Path

from cryptile.crypt import destination
from cryptile.crypt.source import STANDARD
from cryptile.errors import UsageError
from cryptile.systems import view


def check(trace: Path, *others: Path | None, force: bool) -> None:
    """Check that waves can go into a file, and their view beside it.

    Args:
        trace: the file for waves.
        others: what the command reads and makes besides, where given: none may be the same.
        force: whether files may be there already.

    Raises:
        UsageError: one line that says what is wrong.
    """
    named = [other for other in others if other is not None]
    if trace in (STANDARD, *named):
        raise UsageError("waves go into a file of their own")
    destination.check(trace, *named, force=force)
    if trace.exists() and not trace.is_file():
        return  # a device has no view
    beside = view.beside(trace)
    if beside == trace:
        raise UsageError(f"{trace.suffix} is for the view of the waves: name them FILE.fst")
    if beside in named:
        raise UsageError(f"{beside} is for the view of the waves")
    destination.check(beside, *named, force=force)


def told(trace: Path) -> str:
    """Name the waves for a reader, and how to look at them."""
    beside = view.beside(trace)
    return f"{trace}; to look at them: gtkwave {beside}" if beside.is_file() else str(trace)
