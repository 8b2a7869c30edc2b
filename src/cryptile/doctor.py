"""``cryptile doctor``: what is missing on this machine, and how to get it."""

import re
import shutil
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from cryptile.project import ROOT
from cryptile.toolchain.tools import environment


@dataclass(frozen=True)
class Check:
    """One thing that Cryptile needs.

    Attributes:
        name: the program or package.
        purpose: what does not work without it.
        found: where it is or its version; ``None`` when it is missing.
        remedy: the command that gets it.
    """

    name: str
    purpose: str
    found: str | None
    remedy: str


PROGRAMS = [
    ("riscv64-unknown-elf-gcc", "firmware", "gcc-riscv64-unknown-elf"),
    ("g++", "simulators", "build-essential"),
    ("make", "simulators", "build-essential"),
    ("git", "provenance of measurements", "git"),
    ("openssl", "the demo's comparison", "openssl"),
    ("qemu-riscv64", "tests of the instruction-set simulator", "qemu-user"),
    ("qemu-system-riscv64", "the functional Linux system (cryptile linux)", "qemu-system-misc"),
    ("fdtput", "its device tree", "device-tree-compiler"),
    ("dtc", "device tree of the cycle-true Linux system", "device-tree-compiler"),
    ("flex", "its kernel", "flex"),
    ("bison", "its kernel", "bison"),
    ("bc", "its kernel", "bc"),
    ("riscv64-linux-gnu-gcc", "programs for Linux", "gcc-riscv64-linux-gnu"),
    ("sta", "standard-cell clock frequency (cryptile synth)", "opensta"),
    ("clang-format", "make lint", "clang-format"),
    ("shellcheck", "make lint", "shellcheck"),
    ("sparse", "tests of the Linux driver's source (make soak)", "sparse"),
]
"""Program, what needs it, and the Debian package that holds it."""

FILES = [
    (
        Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib"),
        "default standard-cell library (cryptile synth)",
        "qflow-tech-osu018",
    ),
]


def checks() -> list[Check]:
    """Look for every program, file and Python package that the project uses."""
    path = environment()["PATH"]
    found = [
        Check(program, purpose, shutil.which(program, path=path), f"apt-get install {package}")
        for program, purpose, package in PROGRAMS
    ]
    found += [
        Check(
            file.name, purpose, str(file) if file.exists() else None, f"apt-get install {package}"
        )
        for file, purpose, package in FILES
    ]
    found += [_package(line) for line in _pinned()]
    return found


def _pinned() -> list[str]:
    text = (ROOT / "constraints.txt").read_text()
    return re.findall(r"^[\w.-]+==[\w.]+", text, re.MULTILINE)


def _package(requirement: str) -> Check:
    name, wanted = requirement.split("==")
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        version = None
    right = version == wanted
    note = version if right else None
    return Check(requirement, "Python package", note, "make bootstrap")
