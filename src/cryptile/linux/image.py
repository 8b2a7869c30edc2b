"""The guest's first file system: programs of Debian's packages, modules, and files of the host."""

import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from cryptile.errors import UsageError
from cryptile.linux import cpio, modules, packages

_LEFT_OUT = ("usr/share/", "usr/lib/riscv64-linux-gnu/gconv/")
"""Documents, and tables of character sets."""

_IN_USR = ("bin", "lib")
"""Folders that Debian has in /usr, with links to them."""

_INIT = Path(__file__).parents[1] / "data/guest_init.sh"


def make(
    kernel: Path | None,
    sets: Iterable[str],
    names_of_modules: list[str],
    files: Mapping[str, Path],
    script: str | None,
) -> bytes:
    """Return the archive.

    Args:
        kernel: the unpacked package of the kernel's modules; None: it has all in it.
        sets: of packages, of ``catalog/linux.yaml``; the shell is always there.
        names_of_modules: that the guest loads before the script: names, or paths of ``.ko`` files.
        files: of the host, by their places in the guest.
        script: what the guest's shell runs; without one, a shell on the console.

    Raises:
        UsageError: there is no such set, module or file.
        CryptileError: a package cannot be had.
    """
    loaded = modules.closure(kernel, names_of_modules)
    return cpio.archive(programs(sets, _INIT) | work(loaded, files, script))


def programs(sets: Iterable[str], init: Path) -> dict[str, cpio.Entry]:
    """Return what does not depend on the script: the first process, and programs; errors above."""
    entries: dict[str, cpio.Entry] = {name: cpio.link(f"usr/{name}") for name in _IN_USR}
    for name in ["shell", *sets]:
        for folder in packages.unpacked_set(name):
            entries |= _tree(folder)
    return entries | {"init": cpio.program(init.read_bytes())}


def work(
    loaded: Mapping[str, bytes], files: Mapping[str, Path], script: str | None
) -> dict[str, cpio.Entry]:
    """Return modules in the order in which they are loaded, files and script; errors above."""
    entries = {f"modules/{name}.ko": cpio.program(data) for name, data in loaded.items()}
    entries["modules/order"] = cpio.program("".join(f"{name}\n" for name in loaded).encode())
    for place, path in files.items():
        if not path.is_file():
            raise UsageError(f"there is no file {path}")
        name = place.strip("/")
        name = f"usr/{name}" if name.startswith(tuple(f"{top}/" for top in _IN_USR)) else name
        entries[name] = cpio.program(path.read_bytes())
    if script is not None:
        entries["run/script"] = cpio.program(script.encode())
    return entries


def _tree(folder: Path) -> dict[str, cpio.Entry]:
    """Return the files of an unpacked package that a guest needs."""
    found = {}
    for path in folder.rglob("*"):
        name, mode = str(path.relative_to(folder)), path.lstat().st_mode
        if name.startswith(_LEFT_OUT) or stat.S_ISDIR(mode):
            continue
        if stat.S_ISLNK(mode):
            found[name] = cpio.link(str(path.readlink()))
        elif stat.S_ISREG(mode):
            found[name] = cpio.Entry(mode, path.read_bytes())
    return found
