"""Designs that faults can be injected into: those of the project by name, and a user's own."""

import re
import tempfile
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from cryptile.designs.hints import Hints
from cryptile.errors import UsageError
from cryptile.netlist.make import Source
from cryptile.project import ROOT
from cryptile.toolchain import rtl

_WORDS = {
    "core", "files", "include_dirs", "top", "clock", "reset", "parameters", "variants", "protect",
    "around", "jobs", "log", "check", "lasting", "prove",
}  # fmt: skip


@dataclass(frozen=True)
class Design:
    """One design, as it is to be built.

    Attributes:
        name: its word, for tables and records.
        impl: its variant.
        protect: its protection.
        source: top module, files and parameters.
        clock: name of the clock port.
        reset: name of the active-low reset port.
        jobs: which kind of jobs it takes.
        log: patterns of registers that only tell what happened, such as counters of faults.
        check: patterns of registers that only check others, such as parity bits.
        lasting: an alarm stays until what is wrong is written anew, so later jobs report it, too.
        hints: what is said of the registers for the proof.
    """

    name: str
    impl: str
    protect: str
    source: Source
    clock: str
    reset: str
    jobs: str
    log: tuple[re.Pattern[str], ...] = field(default=())
    check: tuple[re.Pattern[str], ...] = field(default=())
    lasting: bool = False
    hints: Hints = field(default=Hints())

    def rank(self, flop: str) -> int:
        """Return 0 for a register of the function, 1 for one that checks, 2 for one that logs."""
        for rank, patterns in ((2, self.log), (1, self.check)):
            if any(pattern.search(flop) for pattern in patterns):
                return rank
        return 0


_TABLE = "fault_designs.yaml"
_WORD = re.compile(r"[\w.\[\]]+")


def load(name: str, impl: str | None, protect: str, tables: tuple[str, ...] = (_TABLE,)) -> Design:
    """Return a design by name, in one of some tables of ``cryptile/data``, or from a design file.

    Raises:
        UsageError: there is none, or it has not that variant or protection.
    """
    return _entry(*_found(name, tables), impl, protect)


def protections(name: str, tables: tuple[str, ...] = (_TABLE,)) -> list[str]:
    """List the words of ``protect`` of a design; name, tables and errors as of ``load``."""
    _, entry, _ = _found(name, tables)
    return list(entry.get("protect") or {"none": {}})


def _found(name: str, tables: tuple[str, ...]) -> tuple[str, dict[str, Any], Path]:
    """Return a design's name, its entry and the folder that it names files from."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        return path.stem, _parse_file(path), path.parent
    known = names(*tables)
    if name not in known:
        raise UsageError(
            f"unknown design {name!r}: choose from {', '.join(known)}, or a .yaml file"
        )
    return name, known[name], ROOT


def names(*tables: str) -> dict[str, Any]:
    """Return the designs that some tables hold, those for faults if none is named."""
    found: dict[str, Any] = {}
    for table in tables or (_TABLE,):
        found |= yaml.safe_load(resources.files("cryptile").joinpath(f"data/{table}").read_text())
    return found


def _parse_file(path: Path) -> dict[str, Any]:
    try:
        entry = yaml.safe_load(path.read_text())
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except yaml.YAMLError as error:
        raise UsageError(f"{path} is not YAML: {error}") from error
    if not isinstance(entry, dict):
        raise UsageError(f"{path} must hold words and values; see docs/faults.md")
    return entry


def _entry(
    name: str, entry: dict[str, Any], folder: Path, impl: str | None, protect: str
) -> Design:
    if unknown := set(entry) - _WORDS:
        raise UsageError(f"{name}: unknown word {min(unknown)!r}; see docs/faults.md")
    if "top" not in entry or not ("core" in entry or "files" in entry):
        raise UsageError(f"{name}: 'top', and 'core' or 'files' or both are needed")
    variants = entry.get("variants") or {"default": {}}
    levels = entry.get("protect") or {"none": {}}
    chosen = impl or next(iter(variants))
    entry = {**entry, **entry.get("around", {}).get(protect, {})}
    if chosen not in variants:
        raise UsageError(f"{name} has no variant {chosen!r}: choose from {', '.join(variants)}")
    if protect not in levels:
        raise UsageError(f"{name} has no protection {protect!r}: choose from {', '.join(levels)}")
    parameters = {**entry.get("parameters", {}), **variants[chosen], **levels[protect]}
    files = rtl.resolve(*([entry["core"]] if "core" in entry else []))
    files.include_dirs += [(folder / item).resolve() for item in entry.get("include_dirs", [])]
    for item in entry.get("files", []):
        file = (folder / item).resolve()
        if not file.is_file():
            raise UsageError(f"{name}: there is no file {file}")
        if file.is_relative_to(tempfile.gettempdir()):
            raise UsageError(f"{name}: Yosys cannot read {file}: it sees no temporary folder")
        files.files.append(file)
    return Design(
        name,
        chosen,
        protect,
        Source(entry["top"], files, {key: str(value) for key, value in parameters.items()}),
        entry.get("clock", "clk_i"),
        entry.get("reset", "rst_ni"),
        entry.get("jobs", "aes"),
        _patterns(name, entry.get("log", [])),
        _patterns(name, entry.get("check", [])),
        bool(entry.get("lasting", False)),
        _hints(name, entry.get("prove", {}).get(protect, {})),
    )


def _hints(name: str, entry: dict[str, Any]) -> Hints:
    if unknown := set(entry) - {"names", "lemmas", "kept"}:
        raise UsageError(f"{name}: unknown word {min(unknown)!r} below 'prove'; see docs/faults.md")
    kept = entry.get("kept", {})
    names = entry.get("names", {})
    return Hints(
        tuple(
            _WORD.sub(lambda match: names.get(match[0], match[0]), lemma)
            for lemma in entry.get("lemmas", [])
        ),
        dict(zip(_patterns(name, list(kept)), kept.values(), strict=True)),
    )


def _patterns(name: str, texts: list[str]) -> tuple[re.Pattern[str], ...]:
    try:
        return tuple(re.compile(text) for text in texts)
    except re.error as error:
        raise UsageError(f"{name}: {error.pattern!r} is no regular expression: {error}") from error
