"""The file that describes a module: what it is, what drives it, what is looked at."""

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import yaml
from msgspec import Meta, Struct

from cryptile.catalog.read import convert, sections
from cryptile.errors import UsageError
from cryptile.netlist.make import Source
from cryptile.toolchain import rtl, yosys

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]


_NAME = re.compile(r"[A-Za-z_][\w$]*", re.A)
_VALUE = re.compile(r"[\w$'.:+*/()<>,{}~&|^!?=%-]+", re.A)
_REGISTER = re.compile(r"[\w$.:*?\[\]]+", re.A)
_PATH = re.compile(r"(?![-+])[\w./+@=~-]+")
_POSSIBLE = {
    _NAME: "letters, digits, _ and $ are, without blanks",
    _VALUE: "it is an expression without blanks, quotes, ; # and backslashes",
    _REGISTER: "letters, digits, _ $ . : [ ] are, and * and ? for any",
    _PATH: "names of files have letters, digits and . _ + @ = ~ -, but no blanks",
}
"""What words of a user may be of which a script of Yosys is made, and how that is told."""


class _Words(Struct, frozen=True, forbid_unknown_fields=True):
    """Words and values of which unknown ones are refused."""


class Reset(_Words, frozen=True):
    """The reset: its port, its level when it resets, and for how many cycles it is given."""

    port: str
    active: Literal["low", "high"]
    cycles: Positive = 2


class Module(_Words, frozen=True):
    """The RTL."""

    top: str
    files: Annotated[tuple[str, ...], Meta(min_length=1)]
    clock: str
    reset: Reset | None = None
    include_dirs: tuple[str, ...] = ()
    parameters: dict[str, str | int] = {}
    keep: tuple[str, ...] = ()


class Stimuli(_Words, frozen=True):
    """The vectors."""

    file: str
    scope: str | None = None
    check: bool = True
    tail: Count = 0


class Outputs(_Words, frozen=True):
    """What becomes of each output."""

    compare: Annotated[tuple[str, ...], Meta(min_length=1)]
    alarm: str | None = None
    report: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    done: str | None = None


class Limits(_Words, frozen=True):
    """How much is done."""

    exhaustive: Positive = 10_000_000
    sample: Positive = 100_000


class Code(_Words, frozen=True):
    """A word with check bits: the places of the data bits that each check bit sums."""

    data: str
    checks: str
    sums: tuple[tuple[Count, ...], ...]
    corrects: bool = False


class Protection(_Words, frozen=True):
    """Which registers protect one another, for the proof."""

    copies: tuple[tuple[str, ...], ...] = ()
    codes: tuple[Code, ...] = ()
    log: tuple[str, ...] = ()


class _File(_Words, frozen=True):
    module: Module
    stimuli: Stimuli
    outputs: Outputs
    limits: Limits = Limits()
    protection: Protection | None = None


@dataclass(frozen=True)
class Description:
    """A module's file as it was read; paths in it are from its own folder.

    Attributes:
        path: the file.
        module, stimuli, outputs, limits, protection: its sections.
        source: what Yosys reads.
    """

    path: Path
    module: Module
    stimuli: Stimuli
    outputs: Outputs
    limits: Limits
    protection: Protection | None
    source: Source

    @property
    def vectors(self) -> Path:
        """The file of the stimuli."""
        return self.path.parent / self.stimuli.file


def is_module(name: str) -> bool:
    """Tell whether a word of the command line is a file that describes a module."""
    path = Path(name)
    if path.suffix not in (".yaml", ".yml") or not path.is_file():
        return False
    try:
        found = yaml.safe_load(path.read_bytes())
    except yaml.YAMLError:
        return False  # whoever reads it as a design tells what is wrong
    return isinstance(found, dict) and "module" in found


def load(path: Path) -> Description:
    """Read a module's file.

    Raises:
        UsageError: it is not as it has to be; the text says where.
    """
    (raw,) = sections(path)
    found = convert(raw, _File, str(path))
    module = found.module
    files = listed(
        [path.parent / name for name in module.files],
        [path.parent / name for name in module.include_dirs],
    )
    try:
        source = source_of(module.top, files, {n: str(v) for n, v in module.parameters.items()})
        for name in module.keep:
            _check("keep", name, _REGISTER)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return Description(
        path, module, found.stimuli, found.outputs, found.limits, found.protection, source
    )


def source_of(top: str, files: rtl.FileList, parameters: dict[str, str]) -> Source:
    """Return what Yosys reads; its script has lines, so that no word of a user may end one.

    Raises:
        UsageError: a name or a value is none.
    """
    _check("top", top, _NAME)
    for name, value in parameters.items():
        _check("parameter", name, _NAME)
        _check(f"value of {name}", value, _VALUE)
    return Source(top, files, parameters)


def _check(what: str, text: str, pattern: re.Pattern[str]) -> None:
    if not pattern.fullmatch(text):
        raise UsageError(f"{what}: {text!r} is not possible: {_POSSIBLE[pattern]}")


def listed(files: list[Path], include_dirs: list[Path]) -> rtl.FileList:
    """Return a list of files that Yosys can read.

    Raises:
        UsageError: there is no such file, or it is where Yosys does not see it.
    """
    for file in (*files, *include_dirs):
        if not file.exists():
            raise UsageError(f"there is no file {file}")
        if file.resolve().is_relative_to(tempfile.gettempdir()):
            raise UsageError(f"Yosys cannot read {file}: it sees no temporary folder")
        name = yosys.named(file)
        if not _PATH.fullmatch(name):
            raise UsageError(f"Yosys cannot read {str(file)!r}: {_POSSIBLE[_PATH]}")
    return rtl.FileList(
        [file.resolve() for file in files], [folder.resolve() for folder in include_dirs]
    )
