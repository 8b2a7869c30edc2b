"""Builds modules for the guest's kernel, from Debian's packages of its headers.

The packages are for a riscv64 machine: the two of their programs that a module's build runs are run
by QEMU's user emulation.
"""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from cryptile import catalog
from cryptile.errors import CryptileError
from cryptile.linux.packages import unpacked
from cryptile.project import BUILD, ROOT
from cryptile.toolchain import cache, tools

_PROGRAMS = {"basic/fixdep": "basic/fixdep.riscv64", "mod/modpost": "mod/modpost.real-lsb-64"}
"""What the build runs, and the program behind it: Debian's modpost starts one for the target."""


def headers() -> Path:
    """Return the folder that modules are built against (``make -C``), making it the first time.

    Raises:
        CryptileError: a package cannot be had.
    """
    kernel = catalog.linux().kernel
    own, common, scripts, libc = (
        unpacked(name)
        for name in (
            "linux-headers-{kernel}-riscv64",
            "linux-headers-{kernel}-common",
            "linux-kbuild-{kernel}",
            "libc6",
        )
    )
    emulator = tools.find("qemu-riscv64", "qemu-user")

    def make(folder: Path) -> None:
        final = cache_folder / key
        sources, kbuild = folder / "usr/src", folder / f"usr/lib/linux-kbuild-{kernel}"
        shutil.copytree(own / "usr/src", sources, symlinks=True)
        shutil.copytree(scripts / f"usr/lib/linux-kbuild-{kernel}", kbuild, symlinks=True)
        (shared,) = (common / "usr/src").iterdir()
        (sources / shared.name).mkdir()
        for entry in shared.iterdir():
            target = entry.readlink() if entry.is_symlink() else entry
            (sources / shared.name / entry.name).symlink_to(target)
        (folder / "lib").symlink_to(libc / "usr/lib")
        makefile = sources / f"linux-headers-{kernel}-riscv64/Makefile"
        makefile.write_text(makefile.read_text().replace("/usr/src/", f"{final}/usr/src/"))
        for name, program in _PROGRAMS.items():
            path = kbuild / "scripts" / name
            if not path.with_name(Path(program).name).exists():
                path.rename(path.with_name(Path(program).name))
            path.unlink(missing_ok=True)
            path.write_text(
                f"#!/bin/sh\nexec {emulator} -L {final} {final / path.relative_to(folder).parent}/"
                f'{Path(program).name} "$@"\n'
            )
            path.chmod(0o755)

    cache_folder = BUILD / "linux/headers"
    key = cache.digest([Path(__file__)], str(own), str(common), str(scripts), str(libc), emulator)
    made = cache.build("linux/headers", key, make, what="headers of the guest's kernel")
    return made / f"usr/src/linux-headers-{kernel}-riscv64"


def module(
    folder: str,
    *uses: str,
    kernel: Path | None = None,
    files: Mapping[str, Path] | None = None,
) -> Path:
    """Build the module of a folder of the checkout, if it is not in the cache; return its file.

    Args:
        folder: with a ``Kbuild`` that names one module.
        uses: other folders from which it takes files, by paths relative to its own.
        kernel: the folder that it is built against; None: ``headers()``.
        files: others that lie in the folder when it is built, by their names.

    Raises:
        CryptileError: it does not build.
    """
    tree = kernel or headers()
    compiler = tools.find("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu")
    sources = sorted(
        path
        for name in (folder, *uses)
        for path in (ROOT / name).rglob("*")
        if path.is_file() and (path.suffix in (".c", ".h", ".S") or path.name == "Kbuild")
    )
    names = [str(path.relative_to(ROOT)) for path in sources]
    for name, path in (files or {}).items():
        sources.append(path)
        names.append(f"{folder}/{name}")

    def make(target: Path) -> None:
        for path, name in zip(sources, names, strict=True):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target / name)
        # Debian's makefile names a newer compiler; pahole, for types of BPF, is not needed.
        tools.run(
            ["make", "-C", tree, f"M={target / folder}", f"CC={compiler}", "W=1",
             "ARCH=riscv", "CROSS_COMPILE=riscv64-linux-gnu-",
             "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules"],
            log=target / "build.log",
        )  # fmt: skip

    key = cache.digest(sources, names, str(tree), tools.version(compiler))
    made = cache.build(f"linux/modules/{Path(folder).name}", key, make, what=f"module {folder}")
    found = list((made / folder).glob("*.ko"))
    if len(found) != 1:
        raise CryptileError(f"{folder} makes {len(found)} modules, not one")
    return found[0]


PLAIN = ROOT / "sw/linux/plain"
"""The driver to compare with."""

_CORE = ("sw/driver/core", "sw/hal/gen", "sw/include")


def driver(kernel: Path | None = None) -> Path:
    """Build the tile's driver, ``cryptile.ko``; kernel and errors as of ``module``."""
    return module("sw/linux/driver", *_CORE, kernel=kernel)


def plain(kernel: Path | None = None) -> Path:
    """Build the driver to compare with, ``cryptile_plain.ko``, as ``driver``."""
    return module("sw/linux/plain", "sw/linux/driver", *_CORE, kernel=kernel)


def registers(kernel: Path | None = None) -> Path:
    """Build the driver of the engine without DMA, ``cryptile_registers.ko``, as ``driver``."""
    uses = ("sw/linux/plain", "sw/linux/driver", "sw/driver/core", "sw/hal", "sw/include")
    return module("sw/linux/registers", *uses, kernel=kernel)


def software_of(module_file: Path) -> list[str]:
    """Return the modules that must be loaded before a module: ``softdep`` and ``depends``."""
    data = module_file.read_bytes()
    found = re.search(rb"\0softdep=pre: ([^\0]+)", data)
    needed = re.search(rb"\0depends=([^\0]*)", data)
    names = (found[1] if found else b"") + b" " + (needed[1].replace(b",", b" ") if needed else b"")
    return names.decode().split()
