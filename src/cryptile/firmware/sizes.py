"""What is in a firmware image, by the byte."""

import re
from collections.abc import Iterable
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from cryptile import catalog
from cryptile.asm import routines
from cryptile.firmware.images import library_sources

_ENGINE_PATH = {"hwpe", "engine", "timer"}
"""The objects outside the library that are the crypto path of the engine."""


def code_size(elf: Path, impl: str | None = None) -> dict[str, int]:
    """Return bytes of text and read-only data: of the crypto path and of the whole image.

    The crypto path is what the link map shows from the library's objects and, for the engine, from
    its driver. The image also counts initialised data.
    """
    with elf.open("rb") as stream:
        image = sum(
            section["sh_size"]
            for section in ELFFile(stream).iter_sections()
            if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_type"] != "SHT_NOBITS"
        )
    sizes = _object_sizes(elf.with_name("firmware.map").read_text().splitlines())
    path = {source.stem for source in library_sources("size")}
    library = catalog.firmware().programs["size"].library
    path |= {routine.symbol for part in library for routine in routines.of(part)}
    path |= _ENGINE_PATH if impl == "engine" else set()
    crypto = sum(sizes.get(name, 0) for name in path) if impl else 0
    return {"crypto": crypto, "image": image}


def _object_sizes(link_map: Iterable[str]) -> dict[str, int]:
    """Add up the text and read-only data that each object has in the image, from a link map."""
    sizes: dict[str, int] = {}
    linked = False
    section = ""
    for line in link_map:
        linked = linked or line.startswith("Linker script and memory map")
        if not linked:
            continue
        if name := re.match(r" (\.[\w.]+)", line):
            section = name[1]
        placed = re.search(r"\s0x[0-9a-f]+\s+0x([0-9a-f]+) (\S+)\.o$", line)
        if placed and section.startswith((".text", ".rodata", ".srodata", ".vectors")):
            sizes[placed[2]] = sizes.get(placed[2], 0) + int(placed[1], 16)
    return sizes
