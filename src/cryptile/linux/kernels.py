"""Kernels of the functional system: Debian's own, and others that are built for it."""

from enum import StrEnum
from pathlib import Path

from cryptile.linux import kbuild, lean, packages, source
from cryptile.project import ROOT

_BOARD = ROOT / "sw/linux/qemu/kernel.config"
"""What QEMU's board needs beside ``lean.CONFIG``."""

_CHECKS = ROOT / "sw/linux/qemu/checks.config"
"""What looks at the kernel while it runs."""

_BUILD_SECONDS = {"newest": 300, "checked": 420}


class Kernel(StrEnum):
    """A kernel of the functional system."""

    debian = "debian"
    """As Debian builds it."""
    newest = "newest"
    """Of the newest source that Debian has, with all tests of the crypto API."""
    checked = "checked"
    """Of the source of Debian's own, with KASAN, lockdep, kmemleak and all tests."""

    @property
    def image(self) -> Path:
        """The file to boot; what is built is built the first time: errors of ``tree``."""
        if self is Kernel.debian:
            (image,) = _package().glob("boot/vmlinux-*")
            return image
        return self.tree / "boot/Image"

    @property
    def ns_log2(self) -> int:
        """Logarithm of the nanoseconds of the guest's time that an instruction takes.

        The checks take most of the instructions: with the same time for each, the kernel's and the
        tests' limits would be of a slower system.
        """
        return 1 if self is Kernel.checked else 3

    @property
    def package(self) -> Path | None:
        """The unpacked package with its modules; None: it has all in it."""
        return _package() if self is Kernel.debian else None

    @property
    def tree(self) -> Path:
        """The folder that modules are built against.

        Raises:
            CryptileError: a package cannot be had, or does not build.
            MissingToolError: a program that builds it is not there.
        """
        if self is Kernel.debian:
            return kbuild.headers()
        (of,) = packages.unpacked_set("newest" if self is Kernel.newest else "source")
        configs = [lean.CONFIG, _BOARD, *([_CHECKS] if self is Kernel.checked else [])]
        what = f"the {self} kernel of the functional system"
        return source.built(of, configs, what, _BUILD_SECONDS[self])


def _package() -> Path:
    (package,) = packages.unpacked_set("kernel")
    return package
