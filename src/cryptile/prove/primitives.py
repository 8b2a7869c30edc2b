"""The protection primitives, each in a few sizes and at both levels."""

from dataclasses import dataclass

from cryptile.designs.load import Design
from cryptile.netlist.make import Source
from cryptile.toolchain import rtl

LEVELS = {"correct": "ProtectCorrect", "detect": "ProtectDetect"}
"""Level of protection by its word."""

_SIZES: dict[str, tuple[dict[str, int], ...]] = {
    "cry_reg_tmr": ({"Width": 1}, {"Width": 8}),
    "cry_reg_ecc": ({"Width": 8}, {"Width": 32}),
    "cry_fsm_protected": ({"Width": 3},),
    "cry_fifo": ({"Depth": 2}, {"Depth": 8}),
    "cry_arbiter": ({"Number": 4},),
}


@dataclass(frozen=True)
class Primitive:
    """One primitive in one size at one level."""

    top: str
    sizes: tuple[tuple[str, int], ...]
    level: str

    @property
    def label(self) -> str:
        """Name for tables."""
        return f"{self.top} {self.size}"

    @property
    def size(self) -> str:
        """Parameters in words."""
        return " ".join(f"{name}={value}" for name, value in self.sizes)

    @property
    def source(self) -> Source:
        """What to synthesise."""
        parameters = {name: str(value) for name, value in self.sizes}
        parameters["Protect"] = f"cry_protect_pkg::{LEVELS[self.level]}"
        return Source(self.top, rtl.resolve("cryptile:common:all"), parameters)

    @property
    def design(self) -> Design:
        """What mutants are made of; it takes no jobs."""
        return Design(self.top, self.size, self.level, self.source, "clk_i", "rst_ni", "")


def primitives() -> list[Primitive]:
    """List all that is proven."""
    return [
        Primitive(top, tuple(size.items()), level)
        for top, sizes in _SIZES.items()
        for size in sizes
        for level in LEVELS
    ]
