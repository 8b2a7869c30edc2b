"""Address maps of systems, as RTL, C and the linker know them."""

from cryptile.catalog.schema import Region, System


def package(system: System, opcodes: int) -> str:
    """Return the SystemVerilog package.

    Args:
        system: the system.
        opcodes: a bit for each that its tile has; 0: it has no tile.
    """
    name = f"{system.names.rtl}_map_pkg"
    rows = "".join(
        f"  parameter logic [31:0] {(word.capitalize() + part):{_width(system)}} = {_hex(value)};\n"
        for word, region in system.map.items()
        if not region.software
        for part, value in (("Base", region.base), ("Size", region.size))
    )
    tile = (
        f"\n  // A bit for each opcode that its tile has.\n"
        f"  parameter logic [15:0] TileOpcodes = 16'h{opcodes:04x};\n"
        if opcodes
        else ""
    )
    return f"""
// What is where in the {system.about}. Sizes are powers of two that divide the bases.
package {name};

  // Not every size is asked for: some devices decode their upper bits alone.
  // verilator lint_off UNUSEDPARAM
{rows}  // verilator lint_on UNUSEDPARAM
{tile}
  function automatic logic is_in(logic [31:0] addr, logic [31:0] base, logic [31:0] size);
    return (addr & ~(size - 32'd1)) == base;
  endfunction

endpackage
"""


def header(name: str, system: System) -> str:
    """Return the C header of a system by its name."""
    guard = f"CRYPTILE_GEN_{name.upper()}_MAP_H"
    suffix = "ul" if system.xlen == 64 else "u"
    words = [f"{system.names.c}_{word.upper()}" for word in system.map]
    width = max(map(len, words)) + len("_BASE")
    rows = "".join(
        f"#define {word + part:{width}} 0x{value:08x}{suffix}\n"
        for word, region in zip(words, system.map.values(), strict=True)
        for part, value in (("_BASE", region.base), ("_SIZE", region.size))
    )
    return f"""
// What is where in the {system.about}.
#ifndef {guard}
#define {guard}

{rows}
#endif  // {guard}
"""


def memories(system: System) -> str:
    """Return what the linker is told of the memories that programs are linked to."""
    rows = "".join(
        f"  {word} ({region.link}) : ORIGIN = 0x{region.base:08x}, LENGTH = 0x{region.size:x}\n"
        for word, region in linked(system).items()
    )
    return f"MEMORY {{\n{rows}}}\n"


def linked(system: System) -> dict[str, Region]:
    """Return the memories that programs are linked to."""
    return {word: region for word, region in system.map.items() if region.link}


def _width(system: System) -> int:
    return max(len(word) for word in system.map) + len("Base")


def _hex(value: int) -> str:
    text = f"{value:08X}"
    return f"32'h{text[:4]}_{text[4:]}"
