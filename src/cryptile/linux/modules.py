"""Modules of the guest's kernel, in the order in which they are loaded."""

import lzma
import re
from functools import cache
from pathlib import Path

from cryptile.errors import UsageError

_DEPENDS = re.compile(rb"(?<=\0)depends=([^\0]*)\0")
"""In a module's section .modinfo: the modules that it needs, with commas between."""

_BEFORE = re.compile(rb"(?<=\0)softdep=pre: ([^\0]*)\0")
"""Those that it has loaded before it, if there are any."""


@cache
def _paths(kernel: Path) -> dict[str, Path]:
    """Return the files of an unpacked kernel package by the modules' names."""
    return {_name(path): path for path in kernel.rglob("usr/lib/modules/*/kernel/**/*.ko.xz")}


def _name(path: Path) -> str:
    return path.name.partition(".")[0].replace("-", "_")


def closure(kernel: Path | None, names: list[str]) -> dict[str, bytes]:
    """Return modules with what they need, which comes first; what the kernel has in it is skipped.

    Args:
        kernel: the unpacked package of the kernel; None: it has all in it, and no modules.
        names: of modules of the package, or paths of others that were built for this kernel.

    Raises:
        UsageError: there is no such module.
    """
    known, found = _paths(kernel) if kernel else {}, dict[str, bytes]()

    def visit(name: str, data: bytes) -> None:
        for before in _BEFORE.findall(data):
            for other in before.decode().replace("-", "_").split():
                if other in known:
                    visit_known(other)
        needed = _DEPENDS.search(data)
        for other in needed[1].decode().split(",") if needed and needed[1] else ():
            visit_known(other)
        found[name] = data

    def visit_known(name: str) -> None:
        name = name.replace("-", "_")
        if name in found:
            return
        if name not in known:
            raise UsageError(f"the guest's kernel has no module {name}")
        visit(name, lzma.decompress(known[name].read_bytes()))

    for name in names:
        if name.endswith(".ko"):
            if not Path(name).is_file():
                raise UsageError(f"there is no module {name}")
            visit(_name(Path(name)), Path(name).read_bytes())
        else:
            visit_known(name)
    return found
