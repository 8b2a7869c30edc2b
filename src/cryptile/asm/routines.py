"""The list of generated routines: what there is, for which instruction sets, under which name."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from cryptile.asm import lib
from cryptile.asm.isa import Isa
from cryptile.asm.schedule import Tuning
from cryptile.toolchain import cache as builds


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


@cache
def assembly(isa: Isa, tuning: Tuning, among: tuple[str, ...] | None = None) -> dict[str, str]:
    """Return the text of each routine that there is for an instruction set, by symbol.

    ``among`` is as for ``supported``. Texts are generated once per content of the generators, which
    is this package: for the longest it takes a second.
    """
    texts: dict[str, str] = {}
    for part in parts():
        if among is None or part in among:
            texts |= _assembly(isa, tuning, part)
    return texts


@cache
def _assembly(isa: Isa, tuning: Tuning, part: str) -> dict[str, str]:
    def make(folder: Path) -> None:
        for routine in supported(isa, [part]):
            (folder / f"{routine.symbol}.S").write_text(routine.generate(isa, tuning))

    symbols = [routine.symbol for routine in supported(isa, [part])]
    key = builds.digest(_generators(), isa.name, tuning, part)
    folder = builds.build(f"assembly/{isa.name}", key, make)
    return {symbol: (folder / f"{symbol}.S").read_text() for symbol in symbols}


@cache
def _generators() -> tuple[Path, ...]:
    return tuple(sorted(Path(__file__).parent.rglob("*.py")))
