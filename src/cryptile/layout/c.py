"""Layouts as C knows them: a structure of the fields of each word, and its codec."""

from collections.abc import Iterable

from cryptile.layout.read import Block, Field, Layout


def header(blocks: Iterable[Block]) -> str:
    """Return the text of the C header behind its licence."""
    parts = "".join(_block(block) for block in blocks)
    return f"""
// What software and the tile share: which word is which, and for each a structure of its fields,
// and functions between the two. A value must fit into its field: the next one gets what is above.
#ifndef CRYPTILE_DRIVER_GEN_TILE_LAYOUT_H
#define CRYPTILE_DRIVER_GEN_TILE_LAYOUT_H

#include "tile_types.h"
{parts}
#endif  // CRYPTILE_DRIVER_GEN_TILE_LAYOUT_H
"""


def _block(block: Block) -> str:
    """Return the numbers of its words, and all that have fields."""
    sizes = {layout.bits for layout in block.registers.values()}
    size = min(64, *sizes)
    places = "".join(
        f"  {_camel(f'{block.name}_{name}')} = {8 * at // size},\n"
        for name, at in block.offsets.items()
    )
    words = "".join(_word(word) for word in block.registers.values() if word.bits == size)
    return f"""
// {block.about}, in words of {size} bits.
enum {{
{places}  {_camel(block.name)}Words = {8 * block.size // size}
}};
{words}"""


def _word(word: Layout) -> str:
    """Return a structure, and its functions."""
    name, kind = word.name, f"uint{word.bits}_t"
    members = [
        (f"{_type(field.width)} {field.name};", field.about) for field in word.fields.values()
    ]
    width = max(len(member) for member, _ in members)
    fields = "".join(f"  {member:{width}}  // {about}\n" for member, about in members)
    encoded = " |\n         ".join(_encoded(field, word.bits) for field in word.fields.values())
    decoded = ",\n".join(f"      {_decoded(field, word.bits)}" for field in word.fields.values())
    return f"""
typedef struct {{
{fields}}} {name}_t;

static inline {kind} {name}_encode({name}_t fields) {{
  return {encoded};
}}

static inline {name}_t {name}_decode({kind} word) {{
  return ({name}_t){{
{decoded},
  }};
}}
"""


def _type(width: int) -> str:
    if width == 1:
        return "bool"
    return f"uint{next(size for size in (8, 16, 32, 64) if width <= size)}_t"


def _encoded(field: Field, size: int) -> str:
    """Return a field in its place."""
    kind, value = f"uint{size}_t", f"fields.{field.name}"
    if _type(field.width) != kind:
        value = f"({kind}){value}"
    return f"{value} << {field.low}" if field.low else value


def _decoded(field: Field, size: int) -> str:
    """Return the initializer of a field."""
    value = f"word >> {field.low}" if field.low else "word"
    if field.low + field.width < size:
        value = f"{value} & {(1 << field.width) - 1:#x}"
    kind = _type(field.width)
    cast = value if kind == f"uint{size}_t" else f"({kind})({value})"
    return f".{field.name} = {cast}"


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
