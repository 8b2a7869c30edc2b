"""Builds cached by content: the same inputs give the same folder, and a finished one is reused."""

import fcntl
import hashlib
import logging
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TextIO

from cryptile.project import BUILD

_log = logging.getLogger(__name__)


def digest(files: Iterable[Path], *settings: object) -> str:
    """Hash file contents, file names and settings (anything with a stable ``repr``)."""
    sha = hashlib.sha256()
    for path in files:
        sha.update(path.name.encode() + b"\0")
        sha.update(hashlib.sha256(path.read_bytes()).digest())
    sha.update(repr(settings).encode())
    return sha.hexdigest()[:20]


def build(
    name: str, key: str, make: Callable[[Path], None], *, what: str = "", seconds: int = 0
) -> Path:
    """Return the folder ``build/<name>/<key>``, calling ``make(folder)`` first if it is not there.

    ``what`` is logged before it is made, which takes about ``seconds``, and how long it took after.

    The folder appears only when ``make`` has finished, so an interrupted build leaves nothing
    behind. When two processes want the same build, one makes it and the other says that it waits;
    the file that they lock tells how long it took (``built_since``).
    """
    final = BUILD / name / key
    if final.is_dir():
        return final
    final.parent.mkdir(parents=True, exist_ok=True)
    with (final.parent / f".{key}.lock").open("a") as lock:
        _take(lock, what or name)
        if final.is_dir():
            return final
        if what:
            about = f", about {_duration(seconds)} on two idle cores" if seconds else ""
            _log.info("building %s (once%s)", what, about)
        work = Path(tempfile.mkdtemp(prefix=f".{key}-", dir=final.parent))
        start = time.monotonic()
        try:
            make(work)
            work.rename(final)
            took = time.monotonic() - start
            lock.truncate(0)
            lock.write(f"{took:.1f}")
            if what:
                _log.info("built %s in %s", what, _duration(took))
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return final


def _take(lock: TextIO, what: str) -> None:
    """Lock a file; say once if another process has it, which may be for minutes."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _log.info("waiting for %s, which another process builds", what)
        fcntl.flock(lock, fcntl.LOCK_EX)


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def built_since(start: float) -> list[tuple[str, float]]:
    """Return the name and the seconds of every build that ended after a time since the epoch."""
    return [
        (str(lock.parent.relative_to(BUILD)), float(seconds))
        for lock in sorted(BUILD.rglob(".*.lock"))
        if lock.stat().st_mtime >= start and (seconds := lock.read_text())
    ]
