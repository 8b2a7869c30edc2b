"""Which algorithms there are, and the system-on-chip that one runs on if none is named."""

from collections.abc import Iterable
from enum import StrEnum

from cryptile.crypt import linux_run, public_key, request, tile_algorithms
from cryptile.errors import UsageError


class Soc(StrEnum):
    """The systems-on-chip, the smallest first; linux is the tile beside a processor with Linux."""

    mcu = "mcu"
    stream = "stream"
    tile = "tile"
    linux = "linux"
    iss = "iss"
    """No system: the software library on the instruction-set simulator."""


ALGORITHMS = {
    Soc.mcu: request.ALGORITHMS["mcu"],
    Soc.stream: request.ALGORITHMS["stream"],
    Soc.tile: tuple(tile_algorithms.ALGORITHMS),
    Soc.linux: linux_run.ALGORITHMS,
    Soc.iss: tuple(public_key.DIRECTIONS),
}
"""The words for ``--alg`` by system."""


def systems(alg: str) -> tuple[Soc, ...]:
    """Return the systems that have an algorithm."""
    return tuple(soc for soc, names in ALGORITHMS.items() if alg in names)


def takes_key(alg: str) -> bool:
    """Tell whether an algorithm takes a key."""
    known = tile_algorithms.ALGORITHMS.get(alg)
    return known is None or known.keys != (0,)


def known() -> tuple[str, ...]:
    """Return the names of all algorithms, by kind."""
    return tuple(dict.fromkeys(name for names in ALGORITHMS.values() for name in names))


def choose(alg: str, soc: Soc | None, needs: Iterable[Soc] = tuple(Soc)) -> Soc:
    """Return the system to run on: the one that is named, or the first that can do it.

    Args:
        alg: the algorithm, in lower case.
        soc: the one that is named, if any.
        needs: those that know the other options.

    Raises:
        UsageError: there is no such algorithm, or the system has it not.
    """
    able = systems(alg)
    if not able:
        raise UsageError(f"unknown algorithm {alg!r}; 'cryptile crypt --list' names them")
    if soc is None:
        return next((one for one in able if one in needs), able[0])
    if soc not in able:
        raise UsageError(f"{alg} does not run on {soc}: leave --soc, or say {' or '.join(able)}")
    return soc
