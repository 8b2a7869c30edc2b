"""What can be synthesised: the designs of the catalogue that are for it, by variant and so on."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cryptile import catalog
from cryptile.catalog import Design, Level, Rtl, Synth
from cryptile.designs.renamed import unknown
from cryptile.designs.source import source
from cryptile.errors import UsageError
from cryptile.netlist.make import Source
from cryptile.toolchain import rtl


@dataclass(frozen=True)
class Point:
    """One thing to synthesise."""

    design: str
    variant: str
    config: str
    protect: str = Level.none

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
        return source(table()[self.design], self.variant, self.protect, self.config)

    @property
    def _rtl(self) -> Rtl:
        item = table()[self.design]
        made = item.tmr if self.protect == Level.tmr else item.rtl
        assert made is not None
        return made

    @property
    def _synth(self) -> Synth:
        return table()[self.design].synth or Synth()


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
    for name in designs or table():
        design = table()[name]
        wanted = [word for word in variants or design.variants if word in design.variants]
        for config in (word for word in configs or design.configs if word in design.configs):
            for variant in wanted:
                for level in protect or [Level.none]:
                    if level in design.levels(variant):
                        yield Point(name, variant, config, level)


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
    known = table().values()
    _check("design", designs, table())
    _check("variant", variants, (word for design in known for word in design.variants))
    _check("config", configs, (word for design in known for word in design.configs))
    _check("protect", protect, Level)
    chosen = list(points(designs, variants, configs, protect))
    if not chosen:
        raise UsageError("no design has all of this: see 'cryptile synth --list'")
    return chosen


def _check(option: str, given: list[str] | None, known: Iterable[str]) -> None:
    words = list(dict.fromkeys(known))
    for word in given or ():
        if word not in words:
            raise unknown(f"unknown --{option}", word, words)


def default_points() -> list[Point]:
    """List the default set."""
    return [
        Point(name, *text.split())
        for name, design in table().items()
        for text in (design.synth or Synth()).default
    ]
