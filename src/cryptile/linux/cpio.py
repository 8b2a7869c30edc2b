"""Writes the archive that Linux unpacks as its first file system: cpio, format newc.

The format is that of the kernel's Documentation/driver-api/early-userspace/buffer-format.rst.
"""

import stat
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A file, folder or symbolic link: its mode with the type, and its bytes or its target."""

    mode: int
    data: bytes = b""


FOLDER = Entry(stat.S_IFDIR | 0o755)


def program(data: bytes) -> Entry:
    """Return a file that can be executed."""
    return Entry(stat.S_IFREG | 0o755, data)


def link(target: str) -> Entry:
    """Return a symbolic link."""
    return Entry(stat.S_IFLNK | 0o777, target.encode())


def archive(entries: Mapping[str, Entry]) -> bytes:
    """Return an archive; folders that entries are in need no entry of their own."""
    folders = {
        parent: FOLDER for name in entries for parent in _parents(name) if parent not in entries
    }
    records = [
        _record(number, name, entry)
        for number, (name, entry) in enumerate(sorted({**folders, **entries}.items()), 1)
    ]
    return b"".join([*records, _record(0, "TRAILER!!!", Entry(0))])


def _parents(name: str) -> list[str]:
    words = name.split("/")
    return ["/".join(words[:count]) for count in range(1, len(words))]


def _record(number: int, name: str, entry: Entry) -> bytes:
    encoded = name.encode() + b"\0"
    links = 2 if stat.S_ISDIR(entry.mode) else 1
    fields = (number, entry.mode, 0, 0, links, 0, len(entry.data), 0, 0, 0, 0, len(encoded), 0)
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
    return _padded(head) + _padded(entry.data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
