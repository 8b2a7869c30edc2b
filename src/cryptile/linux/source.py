"""Kernels that are built from Debian's packages of their source."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from cryptile.toolchain import cache, tools

_KEPT = {"Kbuild", "Makefile", "Module.symvers", ".config", "arch", "boot", "include", "scripts"}
"""What of the source's folder a module's build needs, and the kernel itself."""

_CROSS = {"ARCH": "riscv", "CROSS_COMPILE": "riscv64-linux-gnu-", "KBUILD_BUILD_TIMESTAMP": "0",
          "KBUILD_BUILD_USER": "cryptile", "KBUILD_BUILD_HOST": "cryptile"}  # fmt: skip
"""What the kernel's makefiles are told; with it the same source gives the same kernel."""


def built(source: Path, configs: Sequence[Path], what: str, seconds: int) -> Path:
    """Return the folder that modules are built against; ``boot/Image`` in it is the kernel.

    It is built the first time.

    Args:
        source: the unpacked package of the source.
        configs: what is merged on ``tinyconfig``, in this order.
        what: for people: what is built.
        seconds: that it takes, about.

    Raises:
        CryptileError: the package cannot be had, or does not build.
        MissingToolError: a program that builds it is not there.
    """
    (archive,) = source.glob("usr/src/linux-source-*.tar.xz")
    compiler = tools.find("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu")
    for program in ("flex", "bison", "bc"):
        tools.find(program, program)

    def make(folder: Path) -> None:
        def run(*words: str | Path) -> None:
            tools.run(words, cwd=folder, env=_CROSS, log=folder / "build.log")

        run("tar", "--strip-components=1", "-xf", archive)
        run("make", "tinyconfig")
        run("scripts/kconfig/merge_config.sh", "-m", ".config", *configs)
        run("make", "olddefconfig")
        run("make", "-j2", "Image", "modules")
        (folder / "boot").mkdir()
        (folder / "arch/riscv/boot/Image").rename(folder / "boot/Image")
        _leave(folder, _KEPT)
        _leave(folder / "arch", {"riscv"})

    key = cache.digest([*configs], str(source), sorted(_KEPT), _CROSS, tools.version(compiler))
    return cache.build("linux/kernels", key, make, what=what, seconds=seconds)


def _leave(folder: Path, names: set[str]) -> None:
    for entry in folder.iterdir():
        if entry.name in names:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
