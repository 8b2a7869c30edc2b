"""RTL file lists, read from the FuseSoC ``.core`` files: the one place where they are written.

A top module with the engine port is put into ``cry_engine_flat`` (rtl/engine/port), whose pins are
the port's signals, for whatever cannot read structs.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml

from cryptile.errors import CryptileError
from cryptile.project import ROOT


@dataclass(frozen=True)
class Core:
    """One ``.core`` file: its name without version, its source files and what it depends on."""

    name: str
    files: tuple[Path, ...]
    include_dirs: tuple[Path, ...]
    depends: tuple[str, ...]


@dataclass
class FileList:
    """Sources in compile order with the include folders they need."""

    files: list[Path] = field(default_factory=list)
    include_dirs: list[Path] = field(default_factory=list)

    @property
    def inputs(self) -> list[Path]:
        """All that a tool may read, headers too: what the key of a build is made of."""
        headers = {file for folder in self.include_dirs for file in folder.glob("*.*h")}
        return [*self.files, *sorted(headers)]


_ENGINE_PORT = re.compile(r"\bengine_req_t\s+req_i\b")


@dataclass(frozen=True)
class Top:
    """A top module as tools are told of it.

    Attributes:
        module: its name.
        parameters: of the module, as SystemVerilog expressions.
        defines: macros, as ``NAME=VALUE``.
        scope: where the design proper is in it: empty, or an instance with a dot behind it.
    """

    module: str
    parameters: Mapping[str, str]
    defines: tuple[str, ...] = ()
    scope: str = ""


def top(module: str, files: FileList, parameters: Mapping[str, str]) -> Top:
    """Return how to build a module: as it is, or in ``cry_engine_flat`` if it is an engine."""
    header = re.compile(rf"^module {module}\b.*?^\);", re.M | re.S)
    headers = (header.search(file.read_text()) for file in files.files)
    if not any(found and _ENGINE_PORT.search(found[0]) for found in headers):
        return Top(module, parameters)
    values = ",".join(f".{name}({value})" for name, value in sorted(parameters.items()))
    return Top("cry_engine_flat", {}, (f"CRYPTILE_ENGINE={module}#({values})",), "u_engine.")


@cache
def cores() -> dict[str, Core]:
    """Every core below ``rtl`` and ``soc``, by name such as ``cryptile:engine:copy``."""
    found = {}
    for path in sorted([*ROOT.glob("rtl/**/*.core"), *ROOT.glob("soc/**/*.core")]):
        text = path.read_text().removeprefix("CAPI=2:")
        core = _parse(path.parent, yaml.safe_load(text))
        found[core.name] = core
    return found


def resolve(*names: str) -> FileList:
    """List the files of the named cores and of all they depend on, dependencies first.

    Raises:
        CryptileError: no core has that name.
    """
    result = FileList()
    seen: set[str] = set()

    def visit(name: str) -> None:
        if name in seen:
            return
        seen.add(name)
        if name not in cores():
            raise CryptileError(f"no core named {name}; known: {', '.join(sorted(cores()))}")
        core = cores()[name]
        for dependency in core.depends:
            visit(dependency)
        result.files.extend(core.files)
        result.include_dirs.extend(core.include_dirs)

    for name in names:
        visit(name)
    return result


def literal(value: str, sources: FileList) -> str:
    """Return a parameter as Verilator's command line takes it: without names of enumerators.

    Raises:
        CryptileError: the package's file gives the enumerator no number.
    """
    package, _, name = value.rpartition("::")
    if not package:
        return value
    pattern = re.compile(rf"\b{re.escape(name)}\s*=\s*((?:\d+'d)?\d+)")
    for file in (file for file in sources.files if file.stem == package):
        if match := pattern.search(file.read_text()):
            return match[1]
    raise CryptileError(f"no file gives {value} a number")


def _parse(folder: Path, document: dict) -> Core:  # type: ignore[type-arg]
    files: list[Path] = []
    include_dirs: list[Path] = []
    depends: list[str] = []
    fileset = document["filesets"]["rtl"]
    depends.extend(_without_version(name) for name in fileset.get("depend", []))
    for entry in fileset.get("files", []):
        if isinstance(entry, dict):
            ((name, attributes),) = entry.items()
            if attributes.get("is_include_file"):
                include_dirs.append((folder / name).parent)
                continue
            entry = name
        files.append(folder / entry)
    return Core(
        _without_version(document["name"]), tuple(files), tuple(include_dirs), tuple(depends)
    )


def _without_version(name: str) -> str:
    return ":".join(name.lstrip(">=<~^").split(":")[:3])
