"""Where the output goes: a file, which appears whole or not at all, or a device or FIFO."""

import os
import shutil
import tempfile
from pathlib import Path

from cryptile.errors import UsageError

PLAINTEXT, OTHER = 0o600, 0o666
"""Permissions of a file of plaintext, and of ciphertext, tags and digests, before the umask."""


def check(output: Path, source: Path, *, force: bool) -> None:
    """Check, before any work, that the output can be made.

    Args:
        output: where to write.
        source: the file that is read, which must not be the same.
        force: whether something may be there already.

    Raises:
        UsageError: one line that says what is wrong.
    """
    try:
        if output.is_dir():
            raise UsageError(f"the output is a folder: {output}")
        if not output.parent.is_dir():
            raise UsageError(f"no such folder: {output.parent}")
        if output.exists() and output.samefile(source):
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
        UsageError: it cannot be written, or something has come there meanwhile.
    """
    try:
        if force and _is_written_to(output):
            _copy(content, os.open(output, os.O_WRONLY | os.O_NOCTTY))
            return
        target = _target(output) if force else output
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".cryptile.")
        try:
            os.fchmod(descriptor, mode & ~_umask())
            _copy(content, descriptor)
            if not force:
                _reserve(target)
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except FileExistsError:
        raise _exists(output) from None
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror}") from error


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


def _copy(content: Path, descriptor: int) -> None:
    """Copy a file into an open one, and close that."""
    with open(descriptor, "wb") as sink, content.open("rb") as source:
        shutil.copyfileobj(source, sink)


def _reserve(target: Path) -> None:
    """Take a name if nothing has it; a link is something."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PLAINTEXT))


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
