"""What can be synthesised: designs, engine variants and named parameter sets."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from cryptile import rtl


class Design(StrEnum):
    """A top level by what it holds."""

    aes = "aes"
    aes_engine = "aes-engine"
    hwpe_aes = "hwpe-aes"


class Impl(StrEnum):
    """The datapath of the AES engine."""

    serial = "serial"
    iterative = "iterative"
    pipelined = "pipelined"


class Config(StrEnum):
    """What is built in."""

    full = "full"
    aes_128_enc = "aes-128-enc"


DESCRIPTIONS = {
    Design.aes: "cipher core, key presented with every block, no modes",
    Design.aes_engine: "cipher with modes on the engine port",
    Design.hwpe_aes: "whole HWPE: engine, registers, four memory ports",
}

CONFIG_DESCRIPTIONS = {
    Config.full: "128/192/256 bits, both directions, ECB/CBC/CTR",
    Config.aes_128_enc: "AES-128 encryption only (with modes: ECB/CBC)",
}

_CORES = {
    Design.aes: "cryptile:engine:aes",
    Design.aes_engine: "cryptile:engine:aes",
    Design.hwpe_aes: "cryptile:shell:hwpe_aes",
}
_CIPHER_SWITCHES = ("EnDecrypt", "EnKey192", "EnKey256")


@dataclass(frozen=True)
class Point:
    """One thing to synthesise."""

    design: Design
    impl: Impl
    config: Config

    @property
    def label(self) -> str:
        """Name for progress lines."""
        return f"{self.design} {self.impl} {self.config}"

    @property
    def top(self) -> str:
        """Name of the top module."""
        if self.design is Design.aes:
            return f"aes_core_{self.impl}"
        return {Design.aes_engine: "aes_engine", Design.hwpe_aes: "hwpe_aes"}[self.design]

    @property
    def parameters(self) -> dict[str, str]:
        """Parameters of the top module, as SystemVerilog expressions."""
        full = self.config is Config.full
        values = {name: f"1'b{int(full)}" for name in _CIPHER_SWITCHES}
        if self.design is not Design.aes:
            values["Impl"] = f"aes_pkg::Impl{self.impl.capitalize()}"
            values["EnCtr"] = f"1'b{int(full)}"
        return values

    @property
    def sources(self) -> rtl.FileList:
        """The RTL files it is made of."""
        return rtl.resolve(_CORES[self.design])


def points(
    designs: list[Design] | None, impls: list[Impl] | None, configs: list[Config] | None
) -> Iterator[Point]:
    """List the wanted points in a stable order; ``None`` stands for all."""
    for design in designs or list(Design):
        for config in configs or list(Config):
            for impl in impls or list(Impl):
                yield Point(design, impl, config)


def default_points() -> list[Point]:
    """List the default set: cores by variant, and the whole HWPE with the iterative core."""
    small, full = Config.aes_128_enc, Config.full
    return [
        Point(Design.aes, Impl.serial, small),
        Point(Design.aes, Impl.iterative, small),
        Point(Design.aes, Impl.iterative, full),
        Point(Design.hwpe_aes, Impl.iterative, small),
        Point(Design.hwpe_aes, Impl.iterative, full),
    ]
