"""What is read: a file, or what comes through a pipe, held in memory."""

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from cryptile.errors import UsageError
from cryptile.systems.harness import MemoryFile, memory_file

STANDARD = Path("-")
"""In place of a file or key: standard input or output."""

STDIN, STDOUT = 0, 1
"""Their descriptors."""

_HELD = Path("/dev/fd")


def standard_input() -> BinaryIO:
    """Return what is read for ``-``.

    Raises:
        UsageError: the caller has closed it.
    """
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    return sys.stdin.buffer


def is_stream(file: Path, descriptor: int) -> bool:
    """Tell whether a name, as ``-`` or ``/dev/stdin``, is of an open descriptor.

    ``/dev/null`` never is: to write there twice does no harm.
    """
    if file == STANDARD:
        return True
    try:
        named, opened = file.stat(), os.fstat(descriptor)
    except OSError:
        return False
    is_sink = stat.S_ISCHR(opened.st_mode) and not os.isatty(descriptor)
    return os.path.samestat(named, opened) and not is_sink


@contextmanager
def held(file: Path, most: int | None = None) -> Iterator[Path]:
    """Give the file to read: standard input, or a FIFO, as one in memory.

    Args:
        file: what is named.
        most: bytes that can be used: of what comes through a pipe one more is read, and no others.
    """
    standard = file == STANDARD
    if not standard and not file.is_fifo():
        yield file
        return
    with memory_file() as memory:
        with memory.path.open("wb") as copy:
            if standard:
                _copy(standard_input(), copy, most)
            else:
                with file.open("rb") as fifo:
                    _copy(fifo, copy, most)
        yield memory.path


def _copy(source: BinaryIO, copy: BinaryIO, most: int | None) -> None:
    if most is None:
        shutil.copyfileobj(source, copy)
    else:
        copy.write(source.read(most + 1))


def inherited(source: Path) -> Path | MemoryFile:
    """Return a source as the simulator opens it."""
    return MemoryFile(int(source.name)) if source.parent == _HELD else source


def named(source: Path) -> str:
    """Return what a reader calls a source."""
    return "the input" if source.parent == _HELD else str(source)


def check_readable(source: Path) -> None:
    """Check that a source is a file that can be read.

    Raises:
        UsageError: one line that says what is wrong.
    """
    if not source.exists():
        raise UsageError(f"no such file: {source}")
    if not source.is_file():
        raise UsageError(f"not a regular file: {source}")
    try:
        source.open("rb").close()
    except OSError as error:
        raise UsageError(f"cannot read {source}: {error.strerror}") from error
