"""What a program says of the instruction set that it was compiled for."""

import re
from pathlib import Path

from cryptile.errors import UsageError
from cryptile.sim import iss_image

_IMPLIED = frozenset({"zaamo", "zalrsc", "zca", "zcd", "zcf", "zmmul"})
"""Parts of A, C and M that newer compilers name beside them."""


def isa_of(elf: Path) -> str:
    """Return the instruction set of a program, as its compiler noted it, without versions.

    Raises:
        UsageError: it is no RISC-V program, or does not say.
    """
    arch = iss_image.read(elf).arch
    if not arch:
        raise UsageError(f"{elf} does not say for which instruction set it is: name it by --isa")
    base, *others = re.sub(r"\d+p\d+", "", arch).split("_")
    single = [word for word in others if len(word) == 1]
    long = [word for word in others if len(word) > 1 and word not in _IMPLIED]
    return "_".join([base + "".join(single), *long])
