"""Writes what RTL, C and a README know of the layouts."""

from pathlib import Path

from cryptile import catalog
from cryptile.layout import c, rtl, table
from cryptile.layout.read import DESCRIPTOR, REGISTERS, blocks, memory
from cryptile.notice import KERNEL_LICENCE, commented
from cryptile.project import ROOT

RTL_PACKAGE = Path("rtl/shell/tile/gen") / f"{rtl.PACKAGE}.sv"
C_HEADER = Path("sw/driver/core/gen/tile_layout.h")
README = Path("rtl/shell/tile/README.md")

_SOURCES = (
    f"\n// Generated from {DESCRIPTOR} and {REGISTERS} by `cryptile generate`: edit those files,\n"
    "// not this one.\n"
)


def files(root: Path = ROOT) -> dict[Path, str]:
    """Return the text of every generated file by its path below the checkout.

    Raises:
        CryptileError: a source has errors, or the README has no place for a table.
    """
    layouts, registers = memory(root / DESCRIPTOR), blocks(root / REGISTERS)
    shared = [*blocks(root / DESCRIPTOR).values(), registers["tile_slot"]]
    tables = table.tables(layouts.values(), catalog.engines(), catalog.statuses().jobs)
    return {
        RTL_PACKAGE: commented() + _SOURCES + rtl.package(layouts.values(), registers),
        C_HEADER: commented(KERNEL_LICENCE) + _SOURCES + c.header(shared),
        README: table.filled(root / README, tables),
    }
