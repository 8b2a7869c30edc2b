"""Builds cached by content: the same inputs give the same folder, and a finished one is reused."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from cryptile.project import BUILD


def digest(files: Iterable[Path], *settings: object) -> str:
    """Hash file contents, file names and settings (anything with a stable ``repr``)."""
    sha = hashlib.sha256()
    for path in files:
        sha.update(path.name.encode() + b"\0")
        sha.update(hashlib.sha256(path.read_bytes()).digest())
    sha.update(repr(settings).encode())
    return sha.hexdigest()[:20]


def build(name: str, key: str, make: Callable[[Path], None]) -> Path:
    """Return the folder ``build/<name>/<key>``, calling ``make(folder)`` first if it is not there.

    The folder appears only when ``make`` has finished, so an interrupted build leaves nothing
    behind and two processes that build the same thing do not disturb each other.
    """
    final = BUILD / name / key
    if final.is_dir():
        return final
    final.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{key}-", dir=final.parent))
    try:
        make(work)
        try:
            os.rename(work, final)  # noqa: PTH104 -- Path.rename would hide the race handled here
        except OSError:
            if not final.is_dir():
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return final
