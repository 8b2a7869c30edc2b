"""The C files of the software library, by folder of ``sw/lib``."""

from collections.abc import Iterable
from pathlib import Path

from cryptile.project import ROOT

LIB = ROOT / "sw" / "lib"
_EVERYWHERE = ("wipe",)
"""Folders that all others need."""


def c_files(parts: Iterable[str] | None = None) -> list[Path]:
    """Return the C files of some folders, with what every one needs; without a choice, of all."""
    wanted = None if parts is None else {*parts, *_EVERYWHERE}
    return [
        source
        for source in sorted(LIB.rglob("*.c"))
        if wanted is None or source.relative_to(LIB).parts[0] in wanted
    ]
