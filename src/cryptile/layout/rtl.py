"""Layouts as RTL knows them: packed structures, and the numbers of registers."""

from collections.abc import Iterable, Iterator, Mapping

from cryptile.layout.read import Block, Field, Layout

PACKAGE = "cry_tile_layout_pkg"


def package(layouts: Iterable[Layout], blocks: Mapping[str, Block]) -> str:
    """Return the package of what is in memory, and of registers."""
    memory = "".join(_struct(layout) for layout in layouts)
    registers = "".join(
        _struct(layout)
        for block in blocks.values()
        for layout in block.registers.values()
        if len(layout.fields) > 1
    )
    words = "".join(_words(block) for block in blocks.values())
    return f"""
// What software and the tile share: words in memory (catalog/descriptor.rdl) and registers
// (regs/tile.rdl). The bits without a name that a type has are those of its constant `Reserved`.
package {PACKAGE};

  // Not every bit and register has a user, and some have names that C++ uses, too.
  // verilator lint_off UNUSEDPARAM
  // verilator lint_off SYMRSVDWORD

  // --- Memory ------------------------------------------------------------------------------------
{memory}
  // --- Registers ---------------------------------------------------------------------------------
{registers}{words}
  // verilator lint_on SYMRSVDWORD
  // verilator lint_on UNUSEDPARAM

endpackage
"""


def _struct(layout: Layout) -> str:
    name = _plain(layout.name)
    rows = list(_rows(layout))
    width = max(len(kind) for kind, _, _ in rows)
    longest = max(len(member) for _, member, _ in rows) + 1
    lines = "".join(
        f"    {kind:{width}} {member + ';':{longest}}{about and f'  // {about}'}".rstrip() + "\n"
        for kind, member, about in rows
    )
    made = f"\n  // {layout.about}.\n  typedef struct packed {{\n{lines}  }} {name}_t;\n"
    if layout.reserved:
        made += f"  parameter {name}_t {_camel(name)}Reserved = {_constant(layout)};\n"
    return made


def _constant(layout: Layout) -> str:
    """Return the bits without a name, in words."""
    width = min(layout.bits, 64)
    words = [
        f"{width}'h{layout.reserved >> at & (1 << width) - 1:0{width // 4}x}"
        for at in reversed(range(0, layout.bits, width))
    ]
    if len(words) == 1:
        return words[0]
    lines = (f"    {', '.join(words[at : at + 4])}" for at in range(0, len(words), 4))
    return "{\n" + ",\n".join(lines) + "\n  }"


def _rows(layout: Layout) -> Iterator[tuple[str, str, str]]:
    """Yield type, name and meaning of all members, from the highest bit down."""
    end = layout.bits
    for field in [*reversed(layout.fields.values()), Field("", -1, 1, "")]:
        if (gap := end - field.high - 1) > 0:
            yield _type(gap), f"reserved_{end - 1}_{field.high + 1}", ""
        if field.name:
            yield _type(field.width), field.name, field.about if layout.bits > 32 else ""
        end = field.low


def _words(block: Block) -> str:
    """Return the numbers of a block's registers, in as many bits as tell them apart."""
    name = _plain(block.name)
    bits = (max(block.offsets.values()) // 4).bit_length()
    names = {f"{_camel(name)}{_camel(word)}Word": at // 4 for word, at in block.offsets.items()}
    width = max(map(len, names))
    rows = ",\n".join(f"    {word:{width}} = {bits}'d{number}" for word, number in names.items())
    return f"""
  // {block.about}: which word of 32 bits a register is.
  typedef enum logic [{bits - 1}:0] {{
{rows}
  }} {name}_word_e;
"""


def _type(width: int) -> str:
    return "logic" if width == 1 else f"logic [{width - 1}:0]"


def _plain(name: str) -> str:
    """Return a name without the tile's, which is the package's."""
    return name.removeprefix("tile_")


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
