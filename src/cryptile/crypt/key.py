"""Where a key comes from: an option, a file, the environment, standard input or a prompt."""

import getpass
import os
import sys
from pathlib import Path
from typing import TextIO

from cryptile.crypt.request import Sealed
from cryptile.crypt.source import STANDARD, standard_input
from cryptile.errors import UsageError

VARIABLE = "CRYPTILE_KEY"
"""Of the environment: the key in hexadecimal."""

MAX_FILE = 4096
"""Bytes of a key file: more is taken for a file that was named by mistake."""


def read(option: str | None, file: Path | None, *, stdin_free: bool, wanted: bool) -> str | None:
    """Return the key in hexadecimal, or None if there is none.

    Args:
        option: what ``--key`` says: digits, or ``-``: they are a line of standard input.
        file: what ``--key-file`` says: the file has the key itself, not its digits.
        stdin_free: whether nothing else is read from standard input.
        wanted: whether the algorithm takes a key: without any other source of one, somebody at a
            terminal is asked.

    Raises:
        UsageError: it cannot be read, or comes from two places.
    """
    if option is not None and file is not None:
        raise UsageError("--key and --key-file: say one of them")
    if file is not None:
        return _of_file(file)
    if option == str(STANDARD):
        if not stdin_free:
            raise UsageError("standard input cannot be both the file and the key")
        digits = standard_input()
        if digits.isatty():
            return _asked()
        return digits.readline(2 * MAX_FILE).decode(errors="replace").strip()
    if option is not None:
        return option
    if not wanted:
        return None
    if VARIABLE in os.environ:
        return os.environ[VARIABLE]
    if stdin_free and _is_terminal(sys.stdin) and _is_terminal(sys.stderr):
        return _asked()
    return None


def read_sealed(token: Path | None, wrapping_key: Path | None) -> Sealed | None:
    """Return a sealed key, or None if there is none.

    Args:
        token: what ``--key-token`` says: a file with the token itself.
        wrapping_key: what ``--wrapping-key-file`` says: a file with the bytes of that key.

    Raises:
        UsageError: a file cannot be read, or one of them is missing.
    """
    if token is None and wrapping_key is None:
        return None
    if token is None or wrapping_key is None:
        raise UsageError("--key-token and --wrapping-key-file: say both or none of them")
    return Sealed(token, _contents(token), _contents(wrapping_key))


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _asked() -> str:
    return getpass.getpass("Key in hexadecimal: ", sys.stderr).strip()


def _of_file(path: Path) -> str:
    return _contents(path).hex()


def _contents(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            key = file.read(MAX_FILE + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    if len(key) > MAX_FILE:
        raise UsageError(f"{path} has more than {MAX_FILE} bytes: no key is that long")
    return key
