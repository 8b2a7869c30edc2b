"""The algorithms of the crypto tile and the lengths that ``cryptile crypt`` takes."""

from collections.abc import Container
from dataclasses import dataclass

from cryptile import catalog
from cryptile.catalog import Kind


@dataclass(frozen=True)
class Algorithm:
    """One algorithm.

    Attributes:
        name: the word for ``--alg``.
        kind: what it makes.
        keys: lengths of key in bytes; a key of 0 is none.
        ivs: lengths of IV.
        tags: lengths of tag, digest, code or output; none of a cipher.
        tag: the length unless told otherwise.
        aad: the longest associated data or customization string.
        block: messages are multiples of it; 1 for any.
        least: the shortest message.
        most: the longest one.
    """

    name: str
    kind: Kind
    keys: Container[int] = (0,)
    ivs: Container[int] = (0,)
    tags: Container[int] = (0,)
    tag: int = 0
    aad: int = 0
    block: int = 1
    least: int = 0
    most: int = 0


MAX_BYTES = 64 << 20
"""The longest message: it lies in memory as a whole until a tag is checked."""

MAX_AAD, MAX_KEY, MAX_OUTPUT = 4096, 1024, 1 << 20

MAX_VERIFIED = 255
"""The longest code that verify takes."""

_AAD = {None: 0, "data": MAX_AAD, "custom": catalog.MAX_CUSTOM}


def _lengths(
    found: tuple[int, ...] | catalog.Lengths | None, most: int, full: int = 0
) -> tuple[int, ...] | range:
    """Return lengths, none of them above ``most``."""
    if found is None:
        return (full,)
    if isinstance(found, tuple):
        return found
    end = found.most or most
    return range(found.least, (full if end == "full" else end) + 1, found.step)


def _algorithm(alg: catalog.Algorithm) -> Algorithm:
    family, full = alg.family, alg.mode.tag or 0
    return Algorithm(
        alg.name,
        family.kind,
        _lengths(family.key, MAX_KEY, alg.key or 0),
        _lengths(family.iv, 0),
        _lengths(family.tag, MAX_OUTPUT, full),
        full,
        _AAD[family.aad],
        family.whole,
        family.least,
        min(family.most or MAX_BYTES, MAX_BYTES),
    )


ALGORITHMS = {name: _algorithm(alg) for name, alg in catalog.algorithms_on("tile").items()}
"""The algorithms of the tile SoC's engines by name."""
