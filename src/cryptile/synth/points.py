"""What can be synthesised: designs, their variants and what is built in, read from a table."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

from cryptile.errors import UsageError
from cryptile.toolchain import rtl

LEVELS = ("none", "detect", "correct")
"""Protection against upsets."""

_FILE = "data/synth_designs.yaml"


@dataclass(frozen=True)
class Design:
    """One entry of the table; its first comment explains the words."""

    name: str
    about: str
    core: str
    top: str
    impls: dict[str, dict[str, str]]
    configs: dict[str, dict[str, str]]
    protected: tuple[str, ...]
    jobs: dict[str, str]
    default: tuple[str, ...]
    routed: tuple[str, ...]

    def levels(self, impl: str) -> tuple[str, ...]:
        """Return the levels of protection that a variant has."""
        return LEVELS if impl in self.protected else LEVELS[:1]


@dataclass(frozen=True)
class Point:
    """One thing to synthesise."""

    design: str
    impl: str
    config: str
    protect: str = LEVELS[0]

    @property
    def label(self) -> str:
        """Name for progress lines."""
        words = (self.design, self.impl, self.config, self.protect)
        return " ".join(words if self.protect != LEVELS[0] else words[:-1])

    @property
    def top(self) -> str:
        """Name of the top module."""
        return table()[self.design].top.format(impl=self.impl)

    @property
    def parameters(self) -> dict[str, str]:
        """Parameters of the top module, as SystemVerilog expressions."""
        design = table()[self.design]
        values = {**design.impls[self.impl], **design.configs[self.config]}
        if self.impl in design.protected:
            values["Protect"] = f"prim_protect_pkg::Protect{self.protect.capitalize()}"
        return values

    @property
    def sources(self) -> rtl.FileList:
        """The RTL files it is made of."""
        return rtl.resolve(table()[self.design].core)

    @property
    def is_routed(self) -> bool:
        """Whether it is small enough to be placed and routed in the default set."""
        return self.config in table()[self.design].routed

    @property
    def jobs(self) -> str | None:
        """Kind of jobs that show what it consumes, or ``None`` if it has no engine port."""
        return table()[self.design].jobs.get(self.config)


@cache
def table() -> dict[str, Design]:
    """Return every design by name."""
    text = resources.files("cryptile").joinpath(_FILE).read_text()
    return {name: _design(name, entry) for name, entry in yaml.safe_load(text).items()}


def _design(name: str, entry: dict[str, Any]) -> Design:
    protected = entry.get("protected", [])
    return Design(
        name,
        entry["about"],
        entry["core"],
        entry["top"],
        entry["impls"],
        entry["configs"],
        tuple(entry["impls"] if protected is True else protected),
        entry.get("jobs", {}),
        tuple(entry.get("default", [])),
        tuple(entry.get("routed", [])),
    )


def points(
    designs: Iterable[str] | None,
    impls: Iterable[str] | None,
    configs: Iterable[str] | None,
    levels: Iterable[str] | None = None,
) -> Iterator[Point]:
    """List the wanted points in a stable order; ``None`` stands for all, of levels for none."""
    for design in (table()[name] for name in designs or table()):
        for config in (word for word in configs or design.configs if word in design.configs):
            for impl in (word for word in impls or design.impls if word in design.impls):
                for level in levels or LEVELS[:1]:
                    if level in design.levels(impl):
                        yield Point(design.name, impl, config, level)


def select(
    designs: list[str] | None,
    impls: list[str] | None,
    configs: list[str] | None,
    levels: list[str] | None,
) -> list[Point]:
    """Return the points selected by options, or the default set if there are none.

    Raises:
        UsageError: a word is not known, or no design has all that is asked for.
    """
    if not (designs or impls or configs or levels):
        return default_points()
    known = table().values()
    _check("design", designs, table())
    _check("impl", impls, (word for design in known for word in design.impls))
    _check("config", configs, (word for design in known for word in design.configs))
    _check("protect", levels, LEVELS)
    chosen = list(points(designs, impls, configs, levels))
    if not chosen:
        raise UsageError("no design has all of this: see 'cryptile synth --list'")
    return chosen


def _check(option: str, given: list[str] | None, known: Iterable[str]) -> None:
    words = list(dict.fromkeys(known))
    for word in given or ():
        if word not in words:
            raise UsageError(f"unknown --{option} {word!r}: choose from {', '.join(words)}")


def default_points() -> list[Point]:
    """List the default set."""
    return [
        Point(design.name, *text.split()) for design in table().values() for text in design.default
    ]
