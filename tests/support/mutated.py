"""RTL with one text changed, for tests that must see the change, and how they may see it."""

from collections.abc import Sequence
from pathlib import Path

Change = tuple[str, str, str]
"""The name of a file, a text that occurs once in it, and what replaces it."""

ASSERTION = r"%Error: \S+\.sv:\d+: Assertion failed in "
"""What Verilator's models print, before they end, when an assertion of the RTL fails."""


class ChangeError(Exception):
    """A change that is none: no failure of a test, which a test of mutants may wait for."""


def mutated(files: Sequence[Path], change: Change | None, folder: Path) -> list[Path]:
    """Return the files, one of them changed and written into ``folder``.

    Args:
        files: of the design.
        change: see ``changed``; None: none.
        folder: where the changed file goes.
    """
    if change is None:
        return list(files)
    text = changed(files, change)
    path = folder / change[0]
    path.write_text(text)
    return [path if file.name == path.name else file for file in files]


def changed(files: Sequence[Path], change: Change) -> str:
    """Return the changed text of the one of the files that a change is made in."""
    name, old, new = change
    places = [file for file in files if file.name == name]
    if len(places) != 1:
        raise ChangeError(f"{len(places)} files are named {name}")
    text = places[0].read_text()
    if text.count(old) != 1:
        raise ChangeError(f"{name} has {old!r} {text.count(old)} times, not once")
    if new == old:
        raise ChangeError(f"{name}: {old!r} stays as it is")
    return text.replace(old, new)
