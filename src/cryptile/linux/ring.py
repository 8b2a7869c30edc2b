"""Builds programs on ``libcryptile-ring`` for the guest."""

from pathlib import Path

from cryptile.project import ROOT
from cryptile.toolchain import cache, tools

FOLDER = ROOT / "sw/linux/ring"

_USES = tuple(
    ROOT / "sw" / name
    for name in ("linux/ring", "hal", "driver/core", "include", "linux/driver/uapi")
)


def program(source: Path) -> Path:
    """Build a program of one file, with the library, if it is not in the cache; return it.

    Raises:
        CryptileError: it does not build.
    """
    compiler = tools.find("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu")
    inputs = [
        path
        for folder in (*_USES, source.parent)
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".c", ".h") or path.name == "Makefile"
    ]

    def make(target: Path) -> None:
        log = target / "build.log"
        tools.run(["make", "-C", FOLDER, f"BUILD={target}", f"CC={compiler}"], log=log)
        tools.run([
            compiler, "-O2", "-static", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror",
            *(f"-I{path}" for path in _USES), source, target / "libcryptile-ring.a",
            "-o", target / source.stem,
        ], log=log)  # fmt: skip

    key = cache.digest(inputs, str(source), tools.version(compiler))
    return cache.build(f"linux/ring/{source.stem}", key, make) / source.stem
