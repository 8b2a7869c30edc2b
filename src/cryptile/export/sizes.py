"""Bytes of an archive by topic, that is by folder of ``sw/lib``."""

import re
from dataclasses import dataclass
from pathlib import Path

from cryptile.library import topics
from cryptile.toolchain import tools

_CONSTANTS = (".rodata", ".srodata", ".data.rel.ro")


@dataclass
class Size:
    """Bytes of code, and of constants: tables, descriptors."""

    code: int = 0
    constants: int = 0

    def __add__(self, other: "Size") -> "Size":
        """Add up."""
        return Size(self.code + other.code, self.constants + other.constants)


def by_topic(archive: Path) -> dict[str, Size]:
    """Return what all objects of each topic have."""
    program = tools.find("riscv64-unknown-elf-size", "binutils-riscv64-unknown-elf")
    folder = topics()
    sizes: dict[str, Size] = {}
    size = Size()
    for line in tools.run([program, "-A", archive]).splitlines():
        if found := re.match(r"(\S+)\.o\s+\(ex ", line):
            size = sizes.setdefault(folder[found[1]], Size())
        elif found := re.match(r"(\.\S+)\s+(\d+)\s", line):
            section, count = found[1], int(found[2])
            if section.startswith(".text"):
                size.code += count
            elif section.startswith(_CONSTANTS):
                size.constants += count
    return dict(sorted(sizes.items()))
