"""Writes what C knows of the families of algorithms: their names, and the lengths they take."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from cryptile.catalog.blobs import camel
from cryptile.catalog.schema import MAX_CUSTOM, Family, Kind, Lengths

HEADER = Path("sw/driver/core/gen/tile_families.h")

_AAD = {None: "len == 0", "data": "len <= TILE_MAX_BYTES", "custom": "len <= TileMaxCustom"}
_KEEPS = (Kind.cipher, Kind.aead)
"""What makes the message again."""


def header(families: Mapping[str, Family]) -> str:
    """Return the text of the C header behind its licence."""
    guard = "CRYPTILE_DRIVER_GEN_TILE_FAMILIES_H"
    told = {f"  Tile{camel(name)}": family for name, family in families.items()}
    width = max(len(name) for name in told) + 1
    last = next(reversed(told))
    names = "\n".join(
        f"{name + ('' if name == last else ','):{width}}  // {_about(family)}"
        for name, family in told.items()
    )
    parts = (
        _function(
            families,
            "Whether a message comes out again, not a tag or digest alone.",
            "family_makes_output(tile_family_t family)",
            lambda family: "true" if family.kind in _KEEPS else "false",
            "false",
        ),
        _function(
            families,
            "Whether there are IVs, nonces or counter blocks of so many bytes.",
            "takes_iv(tile_family_t family, uint64_t len)",
            lambda family: _condition(family.iv, "len == 0"),
            "len == 0",
        ),
        _function(
            families,
            "Whether there are tags, digests, codes or outputs of so many bytes; `full`: the\n"
            "// longest, or the only one.",
            "takes_tag(tile_family_t family, uint64_t len, uint64_t full)",
            lambda family: _condition(family.tag, "len == full"),
            "len == full",
        ),
        _function(
            families,
            "Whether there may be so many bytes of associated data, or of a customization string.",
            "takes_aad(tile_family_t family, uint64_t len)",
            lambda family: _AAD[family.aad],
            _AAD[None],
        ),
        _function(
            families,
            "Whether there are messages of so many bytes.",
            "takes_message(tile_family_t family, uint64_t len)",
            _message,
            "len <= TILE_MAX_BYTES",
        ),
    )
    body = "\n".join(parts)
    return f"""
// How the tile's algorithms take their parameters.
#ifndef {guard}
#define {guard}

#include "tile_types.h"

typedef enum {{
  TilePlain,{"":{width - len("  TilePlain,")}}  // NOP, COPY: no key, no IV
{names}
}} tile_family_t;

// The longest customization string, in bytes, and the most that a descriptor can say of others.
enum {{ TileMaxCustom = {MAX_CUSTOM} }};
#define TILE_MAX_BYTES 0xffffffffu

{body}
#endif  // {guard}
"""


def _about(family: Family) -> str:
    return f"{family.kind}; {family.about}" if family.about else str(family.kind)


def _function(
    families: Mapping[str, Family],
    comment: str,
    head: str,
    condition: Callable[[Family], str],
    otherwise: str,
) -> str:
    """Return a function of a family; ``otherwise`` is what holds of most, TilePlain among them."""
    labels: dict[str, list[str]] = {}
    for name, family in families.items():
        labels.setdefault(condition(family), []).append(f"    case Tile{camel(name)}:\n")
    cases = "".join(
        f"{''.join(names)}      return {text};\n"
        for text, names in labels.items()
        if text != otherwise
    )
    return f"""// {comment}
static inline bool cry_tile_{head} {{
  switch (family) {{
{cases}    default:
      return {otherwise};
  }}
}}
"""


def _message(family: Family) -> str:
    rules = [f"len >= {family.least}"] if family.least else []
    rules += [f"len % {family.whole} == 0"] if family.whole > 1 else []
    return " && ".join([*rules, f"len <= {family.most or 'TILE_MAX_BYTES'}"])


def _condition(lengths: tuple[int, ...] | Lengths | None, absent: str) -> str:
    """Return a condition on ``len``."""
    if lengths is None:
        return absent
    if isinstance(lengths, tuple):
        return " || ".join(_runs(lengths))
    most = "TILE_MAX_BYTES" if lengths.most is None else lengths.most
    steps = f" && (len - {lengths.least}) % {lengths.step} == 0" if lengths.step > 1 else ""
    return f"len >= {lengths.least} && len <= {most}{steps}"


def _runs(lengths: tuple[int, ...]) -> Iterator[str]:
    """Yield a condition for each run of lengths that follow one another."""
    left = sorted(lengths)
    while left:
        run = [size for index, size in enumerate(left) if size == left[0] + index]
        yield f"len == {run[0]}" if len(run) == 1 else f"(len >= {run[0]} && len <= {run[-1]})"
        left = left[len(run) :]
