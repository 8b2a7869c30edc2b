"""The memory that a segment of an ELF program is loaded into."""

from elftools.common.exceptions import ELFError
from elftools.elf.segments import Segment

_MOST = 1 << 30
"""Bytes, as no system here has them: nobody waits for a file that asks for more."""


def contents(segment: Segment) -> bytes:
    """Return what a segment has in memory: its bytes of the file, and zeros behind them.

    Raises:
        ELFError: it is too large, or the file ends before it does.
    """
    length, size = segment["p_filesz"], segment["p_memsz"]
    if not length <= size <= _MOST:
        raise ELFError(f"a segment of {size:,} bytes, {length:,} of them in the file")
    data: bytes = segment.data()
    if len(data) != length:
        raise ELFError("it is cut off inside a segment")
    return data.ljust(size, b"\0")
