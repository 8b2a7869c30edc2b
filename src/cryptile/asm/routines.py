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


def parts() -> list[str]:
    """Return the folders of ``sw/lib`` that have generated routines, in a stable order."""
    return sorted(module.name for module in iter_modules(lib.__path__))


@cache
def of(part: str) -> tuple[Routine, ...]:
    """Return the routines of one folder of ``sw/lib``; none if nothing of it is generated."""
    if part not in parts():
        return ()
    return tuple(import_module(f"{lib.__name__}.{part}").ROUTINES)


def supported(isa: Isa, among: Iterable[str] | None = None) -> list[Routine]:
    """Return the routines that there are for an instruction set.

    ``among`` restricts them to some folders of ``sw/lib``.
    """
    wanted = [part for part in parts() if among is None or part in among]
    return [routine for part in wanted for routine in of(part) if routine.supports(isa)]
