"""Everything that is generated and committed: from ``catalog/``, ``regs/`` and lists of files.

The generated files are committed, so that integrators of RTL and drivers need no Python; ``check``
tells whether they are what ``generate`` would write today.
"""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from cryptile import bender, blocks, flat, regs, waves
from cryptile.catalog import generate as catalog
from cryptile.layout import generate as layout
from cryptile.pka import rtl as pka
from cryptile.project import ROOT


def generate(root: Path = ROOT) -> list[Path]:
    """Write every generated file below ``root``; return their paths from there."""
    parts = (
        catalog.files(),
        layout.files(),
        flat.files(),
        pka.files(),
        waves.files(),
        blocks.files(),
    )
    texts = {path: text for part in parts for path, text in part.items()}
    texts[bender.MANIFEST] = bender.manifest()
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return [*texts, *regs.generate(root)]  # registers include what the catalogue makes


def check() -> list[str]:
    """Return the committed files that are not fresh; none is right."""
    with tempfile.TemporaryDirectory() as folder:
        return differing(ROOT, Path(folder), generate(Path(folder)))


def differing(root: Path, fresh: Path, paths: Iterable[Path]) -> list[str]:
    """Return those of some paths below two folders that the first has not as the second has."""
    return [
        str(path)
        for path in paths
        if not (root / path).is_file() or (root / path).read_bytes() != (fresh / path).read_bytes()
    ]
