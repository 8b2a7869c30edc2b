"""The list of generated routines: what there is, for which instruction sets, under which name."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from cryptile.asm import lib
from cryptile.asm.isa import Isa
from cryptile.asm.schedule import Tuning


@dataclass(frozen=True)
class Routine:
    """One generated routine.

    Attributes:
        symbol: the C symbol.
        impl: the word for it in tables and records (``asm``, ``looped``, ``unrolled``, ...).
        supports: whether it can be generated for an instruction set.
        generate: returns the text of the assembly file.
        constant_time: run time and addresses do not depend on the data it works on.
    """

    symbol: str
    impl: str
    supports: Callable[[Isa], bool]
    generate: Callable[[Isa, Tuning], str]
    constant_time: bool = True


def parts_with_routines() -> list[str]:
    """Return the folders of ``sw/lib`` for which there are generators."""
    return sorted(module.name for module in iter_modules(lib.__path__))


@cache
def of(part: str) -> tuple[Routine, ...]:
    """Return the routines that belong to a folder of ``sw/lib``."""
    return tuple(import_module(f"{lib.__name__}.{part}").ROUTINES)


def every() -> dict[str, tuple[Routine, ...]]:
    """Return every routine, by the folder of ``sw/lib`` that it belongs to."""
    return {part: of(part) for part in parts_with_routines()}


def supported(isa: Isa, parts: Iterable[str] | None = None) -> list[Routine]:
    """Return the routines that there are for an instruction set.

    ``parts`` restricts them to some folders of ``sw/lib``.
    """
    return [
        routine
        for part in parts_with_routines()
        if parts is None or part in parts
        for routine in of(part)
        if routine.supports(isa)
    ]
