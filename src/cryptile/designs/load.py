"""Designs for campaigns and proofs: those of the project by name, and a user's own."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from cryptile import catalog
from cryptile.catalog import Faults, Level, Proof
from cryptile.designs.hints import Hints
from cryptile.designs.renamed import unknown
from cryptile.designs.source import source
from cryptile.errors import CryptileError, UsageError
from cryptile.netlist.make import Source
from cryptile.project import ROOT


class Use(StrEnum):
    """What a design is for. A proof is of the design itself, without what only campaigns need."""

    faults = "faults"
    prove = "prove"


@dataclass(frozen=True)
class Design:
    """One design, as it is to be built.

    Attributes:
        name: its word, for tables and records.
        variant: its variant.
        protect: its protection.
        source: top module, files and parameters.
        clock: name of the clock port.
        reset: name of the active-low reset port.
        jobs: which kind of jobs it takes.
        log: patterns of registers that only tell what happened, such as counters of faults.
        check: patterns of registers that only check others, such as parity bits.
        lasting: an alarm stays until what is wrong is written anew, so later jobs report it, too.
        drains: it takes itself what a job that a fault ended had still to take.
        hints: what is said of the registers for the proof.
        config: its configuration, if it is not the defaults of the parameters.
    """

    name: str
    variant: str
    protect: str
    source: Source
    clock: str
    reset: str
    jobs: str
    log: tuple[re.Pattern[str], ...] = field(default=())
    check: tuple[re.Pattern[str], ...] = field(default=())
    lasting: bool = False
    drains: bool = False
    hints: Hints = field(default=Hints())
    config: str | None = None

    @property
    def label(self) -> str:
        """Name for tables."""
        return " ".join(filter(None, (self.name, self.variant, self.config)))

    def rank(self, flop: str) -> int:
        """Return 0 for a register of the function, 1 for one that checks, 2 for one that logs."""
        for rank, patterns in ((2, self.log), (1, self.check)):
            if any(pattern.search(flop) for pattern in patterns):
                return rank
        return 0


_OWN = Faults("plain")
"""What a campaign does with a user's design that says nothing of it."""

_WORD = re.compile(r"[\w.\[\]]+")


def load(
    name: str,
    variant: str | None,
    protect: str,
    use: Use = Use.faults,
    *,
    config: str | None = None,
) -> Design:
    """Return a design by name, or from a design file.

    Raises:
        UsageError: there is none, or it has not that variant, protection or configuration.
    """
    name, item, folder = _found(name, use)
    chosen = variant or item.default or ""
    for what, word, known in (
        ("variant", chosen, item.variants),
        ("configuration", config, item.configs),
    ):
        if word and word not in known:
            raise unknown(f"{name} has no {what}", word, known)
    if protect not in (has := item.levels(chosen)):
        raise unknown(f"{name} {chosen} has no protection", protect, has)
    faults, rtl = item.faults or _OWN, item.rtl
    assert rtl is not None
    alone = use is Use.prove or not faults.top
    try:
        made = source(
            item,
            chosen,
            protect,
            config,
            faults=faults if use is Use.faults else None,
            folder=folder,
        )
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error
    return Design(
        name,
        chosen,
        protect,
        made,
        rtl.clock,
        rtl.reset,
        faults.jobs,
        _patterns(name, faults.log),
        _patterns(name, faults.check),
        faults.lasting and use is Use.faults,
        faults.drains,
        _hints(name, (item.prove or {}).get(Level(protect), Proof()) if alone else Proof()),
        config,
    )


def names(use: Use) -> dict[str, catalog.Design]:
    """Return the designs of the project that are for some use."""
    known = catalog.designs()
    return {name: item for name, item in known.items() if getattr(item, use) is not None}


def levels(name: str, variant: str | None = None) -> list[str]:
    """List the levels at which a design, by name or from a file, can be proven.

    Args:
        name: of the design.
        variant: the usual one if None.

    Raises:
        UsageError: there is no such design, or it is not protected.
    """
    _, item, _ = _found(name, Use.prove)
    chosen = variant or item.default or ""
    found = item.levels(chosen)
    if found == [Level.none]:
        raise UsageError(
            f"{name} {chosen}".rstrip() + " is not protected: there is nothing to prove"
        )
    return [level for level in (Level.correct, Level.detect, Level.tmr) if level in found]


def protected() -> list[tuple[str, str, str]]:
    """List every design of the project that is to be proven: its name, variant and level."""
    return [
        (name, variant, level)
        for name, item in names(Use.prove).items()
        for variant in item.variants
        for level in levels(name)
        if level in item.levels(variant)
    ]


def _found(name: str, use: Use) -> tuple[str, catalog.Design, Path]:
    """Return a design's name, what is known of it, and the folder that it names files from."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        try:
            return path.stem, catalog.design_file(path), path.parent
        except CryptileError as error:
            raise UsageError(f"{error}; see docs/faults.md") from error
    known = names(use)
    if name not in known:
        raise unknown("unknown design", name, [*known, "a .yaml file"])
    return name, known[name], ROOT


def _hints(name: str, said: Proof) -> Hints:
    def spelled(sentences: Iterable[str]) -> tuple[str, ...]:
        """Put long names for short ones."""
        return tuple(
            _WORD.sub(lambda match: said.names.get(match[0], match[0]), text) for text in sentences
        )

    return Hints(
        spelled(said.lemmas),
        dict(zip(_patterns(name, said.kept), said.kept.values(), strict=True)),
        said.public,
        _patterns(name, said.stops),
        said.silent,
        spelled(said.behind),
        _patterns(name, said.wiped),
        _patterns(name, said.lasts),
        dict(zip(spelled(said.told), _patterns(name, said.told.values()), strict=True)),
        dict(zip(said.clears, _patterns(name, said.clears.values()), strict=True)),
    )


def _patterns(name: str, texts: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    try:
        return tuple(re.compile(text) for text in texts)
    except re.error as error:
        raise UsageError(f"{name}: {error.pattern!r} is no regular expression: {error}") from error
