"""Builds cached by content: the same inputs give the same folder, and a finished one is reused."""

import fcntl
import hashlib
import shutil
import tempfile
import time
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
    behind. When two processes want the same build, one makes it and the other waits; the file that
    they lock tells how long it took (``built_since``).
    """
    final = BUILD / name / key
    if final.is_dir():
        return final
    final.parent.mkdir(parents=True, exist_ok=True)
    with (final.parent / f".{key}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if final.is_dir():
            return final
        work = Path(tempfile.mkdtemp(prefix=f".{key}-", dir=final.parent))
        start = time.monotonic()
        try:
            make(work)
            work.rename(final)
            lock.truncate(0)
            lock.write(f"{time.monotonic() - start:.1f}")
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return final


def built_since(start: float) -> list[tuple[str, float]]:
    """Return the name and the seconds of every build that ended after a time since the epoch."""
    return [
        (str(lock.parent.relative_to(BUILD)), float(seconds))
        for lock in sorted(BUILD.rglob(".*.lock"))
        if lock.stat().st_mtime >= start and (seconds := lock.read_text())
    ]
