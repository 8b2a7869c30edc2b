"""Builds programs on ``libcryptile-ring`` for the guest."""

from pathlib import Path

from cryptile.project import ROOT
from cryptile.toolchain import cache, tools

FOLDER = ROOT / "sw/linux/ring"

_USES = tuple(
    ROOT / "sw" / name
    for name in ("linux/ring", "hal", "driver/core", "include", "linux/driver/uapi")
)

FLAGS = tuple(tools.words("-O2 -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror"))
"""How the guest's programs are compiled."""


def library() -> Path:
    """Build the library, if it is not in the cache; return its folder, which has ``ring_digest``.

    Raises:
        CryptileError: it does not build.
    """
    riscv_gcc = compiler()

    def make(target: Path) -> None:
        log = target / "build.log"
        tools.run(["make", "-C", FOLDER, f"BUILD={target}", f"CC={riscv_gcc}"], log=log)

    key = cache.digest(sources(), tools.version(riscv_gcc))
    return cache.build("linux/ring", key, make)


def program(source: Path, *includes: Path) -> Path:
    """Build a program of one file, with the library, if it is not in the cache; return it.

    Args:
        source: the file; headers beside it are its own.
        includes: folders of further headers.

    Raises:
        CryptileError: it does not build.
    """
    riscv_gcc, folder = compiler(), library()

    def make(target: Path) -> None:
        tools.run(
            [
                riscv_gcc,
                *FLAGS,
                "-static",
                *(f"-I{path}" for path in (*_USES, *includes)),
                source,
                folder / "libcryptile-ring.a",
                "-o",
                target / source.stem,
            ],
            log=target / "build.log",
        )

    headers = (path for folder in (source.parent, *includes) for path in folder.glob("*.h"))
    inputs = [source, *sorted(headers)]
    key = cache.digest(inputs, str(folder), tools.version(riscv_gcc))
    return cache.build(f"linux/programs/{source.stem}", key, make) / source.stem


def alone(source: Path, target: Path, *includes: Path) -> Path:
    """Build a program of one file, without the library, as ``target``; return it.

    Raises:
        CryptileError: it does not build.
    """
    folders = [f"-I{path}" for path in includes]
    tools.run([compiler(), *FLAGS, "-static", *folders, source, "-o", target])
    return target


def sources(*more: Path) -> list[Path]:
    """List what the library is built from, and what is in further folders that use it."""
    return [
        path
        for folder in (*_USES, *more)
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".c", ".h") or path.name == "Makefile"
    ]


def compiler() -> str:
    """Return the compiler of the guest's programs."""
    return tools.find("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu")
