"""Where the output goes: a file, which appears whole or not at all, or a device or FIFO."""

import errno
import os
import secrets
import shutil
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from cryptile.crypt.source import STANDARD
from cryptile.errors import UsageError

PLAINTEXT, OTHER = 0o600, 0o666
"""Permissions of a file of plaintext, and of ciphertext, tags and digests, before the umask."""

_NO_NAMELESS = (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL)
"""What file systems and kernels without ``O_TMPFILE`` answer to it."""

_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP)
"""What file systems without hard links answer to one."""


def name(output: Path) -> str:
    """Return what a reader calls it."""
    return "standard output" if output == STANDARD else str(output)


def check(output: Path, *read: Path, force: bool) -> None:
    """Check, before any work, that the output can be made.

    Args:
        output: where to write.
        read: the files that are read, keys among them: none must be the same.
        force: whether something may be there already.

    Raises:
        UsageError: one line that says what is wrong.
    """
    if output == STANDARD:
        if sys.stdout is None:
            raise UsageError("standard output is closed")
        if sys.stdout.isatty() and not force:
            raise UsageError("standard output is a terminal: redirect it, or add --force")
        return
    try:
        if output.is_dir():
            raise UsageError(f"the output is a folder: {output}")
        if not output.parent.is_dir():
            raise UsageError(f"no such folder: {output.parent}")
        if any(is_same(output, one) for one in read):
            raise UsageError("input and output are the same file")
        if os.path.lexists(output) and not force:
            raise _exists(output)
        if output.is_socket():
            raise UsageError(f"the output is a socket: {output}")
        place = output if _is_written_to(output) else _target(output).parent
        if not os.access(place, os.W_OK):
            raise UsageError(f"cannot write {place}: no such folder, or no permission")
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror}") from error


def is_same(one: Path, other: Path) -> bool:
    """Tell whether two names are of one file, also of one that is still to be made."""
    if STANDARD in (one, other):
        return one == other
    if one.exists() and other.exists():
        return one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)


def write(output: Path, content: Path, *, mode: int, force: bool) -> None:
    """Put the output into its place.

    A device or FIFO is written to. A regular file, or that behind a symbolic link, is replaced at
    once by a new one: its permissions are ``mode`` under the umask, whatever those of the old are.

    Args:
        output: where to write.
        content: the file that is copied there.
        mode: permissions of a new file: ``PLAINTEXT`` or ``OTHER``.
        force: whether something may be there already.

    Raises:
        UsageError: it cannot be written, or something else has come there meanwhile.
    """
    try:
        if output == STANDARD:
            _copy(content, sys.stdout.buffer)
        elif force and _is_written_to(output):
            _write_to(output, content)
        else:
            target = _target(output) if force else output
            _make(target, content, mode & ~_umask(), replace=force)
    except FileExistsError:
        raise _exists(output) from None
    except OSError as error:
        raise UsageError(f"cannot write {name(output)}: {error.strerror}") from error


def _exists(output: Path) -> UsageError:
    return UsageError(f"{output} exists already: choose another name or add --force")


def _is_written_to(output: Path) -> bool:
    """Tell whether the output is a device or FIFO, and not to be replaced."""
    return output.exists() and not output.is_file()


def _target(output: Path) -> Path:
    """Return the file behind symbolic links.

    Raises:
        UsageError: there is none by a name: links in a circle, or a file that is open but deleted.
    """
    target = Path(os.path.realpath(output))
    if target.is_symlink() or output.exists() != target.exists():
        raise UsageError(f"{output} is a link to nothing that could be replaced")
    return target


def _write_to(output: Path, content: Path) -> None:
    """Copy a file into a device or FIFO, unless something else has its name by now."""
    with os.fdopen(os.open(output, os.O_WRONLY | os.O_NOCTTY), "wb") as sink:
        mode = os.fstat(sink.fileno()).st_mode
        if not (stat.S_ISCHR(mode) or stat.S_ISBLK(mode) or stat.S_ISFIFO(mode)):
            raise UsageError(f"{output} is no longer the device or FIFO that it was")
        _copy(content, sink)


def _make(target: Path, content: Path, mode: int, *, replace: bool) -> None:
    """Make a copy of a file that appears under its name at once, as a whole.

    The copy has no name until it is complete, so nothing of it stays however the work ends. Then it
    gets its name by a link, which fails if something has that name. A link replaces nothing: with
    ``replace`` the copy gets a temporary name, and is renamed in the next moment. To be killed in
    this moment leaves the temporary name. On a file system without nameless files the copy has
    the temporary name from the start.

    Raises:
        FileExistsError: something has the name, and is not to be replaced.
    """
    folder = os.open(target.parent, os.O_PATH | os.O_DIRECTORY)
    temporary = f".cryptile.{secrets.token_hex(8)}"
    try:
        with _open_new(folder, temporary) as copy:
            os.fchmod(copy.fileno(), mode)
            _copy(content, copy)
            if not replace:
                _link(copy, folder, target.name)
            else:
                if not os.fstat(copy.fileno()).st_nlink:
                    _link(copy, folder, temporary)
                os.rename(temporary, target.name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)
        os.close(folder)


def _open_new(folder: int, temporary: str) -> BinaryIO:
    """Open a new file without a name, or with a temporary one if the folder knows no others."""
    try:
        descriptor = os.open(".", os.O_TMPFILE | os.O_WRONLY, PLAINTEXT, dir_fd=folder)
    except OSError as error:
        if error.errno not in _NO_NAMELESS:
            raise
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
        descriptor = os.open(temporary, flags, PLAINTEXT, dir_fd=folder)
    return os.fdopen(descriptor, "wb")


def _link(file: BinaryIO, folder: int, name: str) -> None:
    """Give an open file a name, if nothing has it."""
    here = f"/proc/self/fd/{file.fileno()}"
    try:
        os.link(here, name, dst_dir_fd=folder, follow_symlinks=True)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        raise UsageError(
            f"cannot name {name} safely: the file system has no hard links: add --force"
        ) from None


def _copy(content: Path, sink: BinaryIO) -> None:
    """Copy a file into an open one, to the last byte."""
    with content.open("rb") as source:
        shutil.copyfileobj(source, sink)
    sink.flush()


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
