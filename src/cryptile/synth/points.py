"""What can be synthesised: the catalogue's designs for it, and users', by variant and so on."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import structs

from cryptile import catalog
from cryptile.catalog import Design, Level, Rtl, Synth
from cryptile.designs.renamed import unknown
from cryptile.designs.source import source
from cryptile.errors import CryptileError, UsageError
from cryptile.netlist.make import Source
from cryptile.project import ROOT
from cryptile.toolchain import rtl, yosys


@dataclass(frozen=True)
class Point:
    """One thing to synthesise.

    Attributes:
        design: its name.
        variant: one of its variants.
        config: one of its configurations.
        protect: the level.
        own: the design, if it is a user's; else it is the catalogue's of that name.
        folder: what it names files from.
    """

    design: str
    variant: str
    config: str
    protect: str = Level.none
    own: Design | None = field(default=None, compare=False, repr=False)
    folder: Path = field(default=ROOT, compare=False, repr=False)

    @property
    def label(self) -> str:
        """Name for progress lines."""
        words = (self.design, self.variant, self.config, self.protect)
        return " ".join(words if self.protect != Level.none else words[:-1])

    @property
    def top(self) -> str:
        """Name of the top module."""
        return self._source.top

    @property
    def parameters(self) -> dict[str, str]:
        """Parameters of the top module, as SystemVerilog expressions."""
        return self._source.parameters

    @property
    def reading(self) -> tuple[str, ...]:
        """Options of reading its RTL."""
        return (yosys.NO_DELAYS,) if self.own else ()

    @property
    def clock(self) -> str:
        """Name of the clock port."""
        return self._rtl.clock

    @property
    def reset(self) -> str:
        """Name of the reset port, which the top need not have."""
        return self._rtl.reset

    @property
    def sources(self) -> rtl.FileList:
        """The RTL files it is made of."""
        return self._source.sources

    @property
    def is_routed(self) -> bool:
        """Whether it is small enough to be placed and routed in the default set."""
        return self.config in self._synth.routed

    @property
    def jobs(self) -> str | None:
        """Kind of jobs that show what it consumes, or ``None`` if it has no engine port."""
        return self._synth.energy.get(self.config)

    @property
    def _source(self) -> Source:
        return source(self._item, self.variant, self.protect, self.config, folder=self.folder)

    @property
    def _item(self) -> Design:
        return self.own or table()[self.design]

    @property
    def _rtl(self) -> Rtl:
        item = self._item
        made = item.tmr if self.protect == Level.tmr else item.rtl
        assert made is not None
        return made

    @property
    def _synth(self) -> Synth:
        return self._item.synth or Synth()


def table() -> dict[str, Design]:
    """Return every design by name."""
    return {name: item for name, item in catalog.designs().items() if item.synth is not None}


def points(
    designs: Iterable[str] | None,
    variants: Iterable[str] | None,
    configs: Iterable[str] | None,
    protect: Iterable[str] | None = None,
) -> Iterator[Point]:
    """List the wanted points in a stable order; ``None`` stands for all, of levels for none."""
    for word in designs or table():
        own, name = is_file(word), Path(word).stem if is_file(word) else word
        design = _of_file(Path(word)) if own else table()[word]
        user, folder = (design, Path(word).parent) if own else (None, ROOT)
        wanted = [word for word in variants or design.variants if word in design.variants]
        for config in (word for word in configs or design.configs if word in design.configs):
            for variant in wanted:
                for level in protect or [Level.none]:
                    if level in design.levels(variant):
                        yield Point(name, variant, config, level, user, folder)


def select(
    designs: list[str] | None,
    variants: list[str] | None,
    configs: list[str] | None,
    protect: list[str] | None,
) -> list[Point]:
    """Return the points selected by options, or the default set if there are none.

    Raises:
        UsageError: a word is not known, or no design has all that is asked for.
    """
    if not (designs or variants or configs or protect):
        return default_points()
    files = [Path(word) for word in designs or () if is_file(word)]
    known = [*table().values(), *map(_of_file, files)]
    _check("design", [word for word in designs or () if not is_file(word)], table())
    _check("variant", variants, (word for design in known for word in design.variants))
    _check("config", configs, (word for design in known for word in design.configs))
    _check("protect", protect, Level)
    chosen = list(points(designs, variants, configs, protect))
    if not chosen:
        raise UsageError("no design has all of this: see 'cryptile synth --list'")
    return chosen


def is_file(word: str) -> bool:
    """Tell whether a design is named by a user's file."""
    return Path(word).suffix in (".yaml", ".yml")


def _of_file(path: Path) -> Design:
    """Return a user's design; without configurations there is one.

    Raises:
        UsageError: the file is none.
    """
    try:
        item = catalog.design_file(path)
    except CryptileError as error:
        raise UsageError(f"{error}; see docs/synthesis.md") from error
    return structs.replace(item, configs=item.configs or {"all": {}})


def _check(option: str, given: list[str] | None, known: Iterable[str]) -> None:
    words = list(dict.fromkeys(known))
    for word in given or ():
        if word not in words:
            raise unknown(f"unknown --{option}", word, words)


def default_points() -> list[Point]:
    """List the default set."""
    found = []
    for name, design in table().items():
        for text in (design.synth or Synth()).default:
            variant, config, *level = text.split()
            found.append(Point(name, variant, config, level[0] if level else Level.none))
    return found
