# Copyright Cryptile contributors.
# Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
# (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Cryptile's engines as LiteX modules.

``CryptileDma`` goes from memory to memory, ``CryptileStream`` sits between two AXI4-Streams,
``CryptileTile`` has queues. Each gives its AXI interfaces as attributes; ``add_to`` of those that
reach memory connects them to a LiteX SoC.
"""

import re
from pathlib import Path

from litex.build.generic_platform import GenericPlatform
from litex.gen import LiteXModule
from litex.soc.integration.soc import SoC, SoCRegion
from litex.soc.interconnect import axi
from migen import ClockSignal, Constant, Instance, ResetSignal, Signal

ROOT = Path(__file__).resolve().parents[2]
"""The checkout that the RTL is taken from."""

_NAMES = {
    "engine": ("rtl/engine/port/gen/cry_engine_select_pkg.sv", "engine_e"),
    "protect": ("rtl/common/cry_protect_pkg.sv", "protect_e"),
}


def names(kind: str) -> dict[str, int]:
    """Return the numbers of all engines (``engine``) or levels of protection (``protect``)."""
    path, enum = _NAMES[kind]
    body = re.search(r"typedef enum [^{]*{([^}]*)} " + enum, (ROOT / path).read_text())
    assert body, path
    return {name: int(value) for name, value in re.findall(r"(\w+)\s*=\s*\d+'d(\d+)", body[1])}


def number(kind: str, name: str) -> int:
    """Return the number of an engine or level of protection.

    Raises:
        ValueError: there is none of this name.
    """
    known = names(kind)
    if name not in known:
        raise ValueError(f"no {kind} {name!r}: there are {', '.join(known)}")
    return known[name]


def add_sources(platform: GenericPlatform) -> None:
    """Add all of the RTL, in the order of Bender.yml; what is not instantiated costs nothing."""
    text = (ROOT / "Bender.yml").read_text()
    folders, files = text.split("\nsources:\n")
    for folder in re.findall(r"^  - (rtl/\S+)$", folders, re.MULTILINE):
        platform.add_verilog_include_path(str(ROOT / folder))
    for file in re.findall(r"^ +- (rtl/\S+\.sv)$", files, re.MULTILINE):
        platform.add_source(str(ROOT / file), "systemverilog")


def _pins(
    prefix: str, bus: axi.AXIInterface | axi.AXILiteInterface, channels: dict[str, str]
) -> dict[str, Signal]:
    """Return the instance's pins of a bus; ``channels``: by channel, the signals beside valid.

    A channel ends in ``>`` if it leaves the instance, and in ``<`` if it enters it.
    """
    pins = {}
    for channel, signals in channels.items():
        name, out = channel[:-1], channel.endswith(">")
        source = getattr(bus, name)
        mine, theirs = ("o", "i") if out else ("i", "o")
        pins[f"{mine}_{prefix}_{name}valid_{mine}"] = source.valid
        pins[f"{theirs}_{prefix}_{name}ready_{theirs}"] = source.ready
        for signal in signals.split():
            pins[f"{mine}_{prefix}_{name}{signal}_{mine}"] = getattr(source, signal)
    return pins


def _no_random_bits() -> dict[str, object]:
    """Return the pins of random bits: no engine that is built in here takes any."""
    return {"i_rnd_valid_i": 0, "i_rnd_i": Constant(0, 128), "o_rnd_ready_o": Signal()}


def _registers(prefix: str, bus: axi.AXILiteInterface, bits: int) -> dict[str, Signal]:
    """Return the pins of a register port that takes so many bits of the address."""
    channels = {"aw<": "", "w<": "data strb", "b>": "resp", "ar<": "", "r>": "data resp"}
    addresses = {
        f"i_{prefix}_{name}addr_i": getattr(bus, name).addr[:bits] for name in ("aw", "ar")
    }
    return _pins(prefix, bus, channels) | addresses


def _bursts(bus: axi.AXIInterface) -> list:
    """Return what the RTL leaves out, as it never changes: bursts count up, by whole words."""
    size = (bus.data_width // 8).bit_length() - 1
    return [
        signal.eq(value)
        for channel in (bus.aw, bus.ar)
        for signal, value in ((channel.size, size), (channel.burst, axi.BURST_INCR))
    ]


class CryptileStream(LiteXModule):
    """Any engine between two AXI4-Streams (rtl/shell/axis): ``cry_axis_engine``.

    Attributes:
        registers: AXI4-Lite (regs/axis.rdl).
        sink, source: AXI4-Streams of 128 bits, the packets of rtl/shell/axis/README.md.
        irq: interrupt, a level.
    """

    def __init__(
        self,
        platform: GenericPlatform,
        engine: str = "ChaCha20Poly1305Opt",
        protect: str = "ProtectNone",
    ) -> None:
        """Add the RTL to ``platform`` and instantiate it."""
        add_sources(platform)
        self.registers = axi.AXILiteInterface()
        self.sink = axi.AXIStreamInterface(data_width=128, keep_width=16)
        self.source = axi.AXIStreamInterface(data_width=128, keep_width=16)
        self.irq = Signal()
        streams = {
            f"{way}_{prefix}_t{name}_{way}": getattr(bus, name)
            for prefix, bus, mine in (("s_axis", self.sink, "i"), ("m_axis", self.source, "o"))
            for name in ("valid", "ready", "data", "keep", "last")
            for way in ({"i": "o", "o": "i"}[mine] if name == "ready" else mine)
        }
        self.specials += Instance(
            "cry_axis_engine_flat",
            p_Engine=number("engine", engine),
            p_Protect=number("protect", protect),
            i_clk_i=ClockSignal(),
            i_rst_ni=~ResetSignal(),
            i_por_ni=~ResetSignal(),
            i_lock_i=0,
            **_no_random_bits(),
            o_irq_o=self.irq,
            **_registers("s_axil", self.registers, 8),
            **streams,
        )


class CryptileDma(LiteXModule):
    """Any engine with its scatter-gather DMA, from memory to memory: ``cry_dma_engine``.

    Attributes:
        dma, registers: AXI4-Lite of the DMA (regs/dma.rdl) and of the engine (regs/axis.rdl).
        memory: AXI4 manager.
        dma_irq, engine_irq: interrupts, levels.
    """

    def __init__(
        self,
        platform: GenericPlatform,
        engine: str = "ChaCha20Poly1305Opt",
        protect: str = "ProtectNone",
        data_width: int = 64,
    ) -> None:
        """Add the RTL to ``platform`` and instantiate it; ``data_width`` is 64 or 128."""
        add_sources(platform)
        self.dma, self.registers = axi.AXILiteInterface(), axi.AXILiteInterface()
        self.memory = axi.AXIInterface(data_width=data_width, address_width=32, id_width=2)
        self.dma_irq, self.engine_irq = Signal(), Signal()
        self.comb += _bursts(self.memory)
        bus = {"aw>": "addr len id", "w>": "data strb last", "b<": "resp id",
               "ar>": "addr len id", "r<": "data resp last id"}  # fmt: skip
        self.specials += Instance(
            "cry_dma_engine_flat",
            p_Engine=number("engine", engine),
            p_Protect=number("protect", protect),
            p_DataWidth=data_width,
            i_clk_i=ClockSignal(),
            i_rst_ni=~ResetSignal(),
            i_por_ni=~ResetSignal(),
            i_lock_i=0,
            **_no_random_bits(),
            o_dma_irq_o=self.dma_irq,
            o_engine_irq_o=self.engine_irq,
            **_registers("s_axil_dma", self.dma, 6),
            **_registers("s_axil_engine", self.registers, 8),
            **_pins("m_axi", self.memory, bus),
        )

    def add_to(self, soc: SoC, name: str = "cryptile") -> None:
        """Connect registers and memory; regions ``NAME_dma`` and ``NAME_engine``, not cached."""
        for part, bus in (("dma", self.dma), ("engine", self.registers)):
            soc.bus.add_slave(f"{name}_{part}", bus, SoCRegion(size=0x1000, cached=False))
        soc.bus.add_master(name, self.memory)


class CryptileTile(LiteXModule):
    """The crypto tile (rtl/shell/tile): ``cry_tile``.

    Attributes:
        registers: AXI4-Lite of 1 MiB (regs/tile.rdl).
        memory: AXI4 manager of 128 bits; the tile's addresses have 56 bits, LiteX' lower 32.
            Its users are process and queue of a burst.
        irqs, error_irq: interrupts of queues, and of errors; levels.
    """

    def __init__(
        self,
        platform: GenericPlatform,
        aes: str = "AesModesIterative",
        opcodes: int | None = None,
    ) -> None:
        """Add the RTL to ``platform`` and instantiate it.

        Args:
            platform: of the SoC.
            aes: the engine of AES.
            opcodes: a bit for each opcode that is built in; without, all that need no random bits.
        """
        add_sources(platform)
        self.registers = axi.AXILiteInterface()
        self.memory = axi.AXIInterface(
            data_width=128, address_width=32, id_width=1, aw_user_width=23, ar_user_width=23
        )
        self.irqs, self.error_irq = Signal(4), Signal()
        self.comb += _bursts(self.memory)
        bus = {"aw>": "len user cache prot", "w>": "data strb last", "b<": "resp",
               "ar>": "len user cache prot", "r<": "data resp last"}  # fmt: skip
        wide = {"aw": Signal(56), "ar": Signal(56)}
        self.comb += [getattr(self.memory, name).addr.eq(wide[name]) for name in wide]
        self.specials += Instance(
            "cry_tile_flat",
            **({} if opcodes is None else {"p_Opcodes": opcodes}),
            p_AesEngine=number("engine", aes),
            p_ClockGates=0,
            i_clk_i=ClockSignal(),
            i_rst_ni=~ResetSignal(),
            i_tamper_i=0,
            **_no_random_bits(),
            i_rnd_forget_i=0,
            i_rnd_alarm_i=0,
            o_irq_o=self.irqs,
            o_error_irq_o=self.error_irq,
            **_registers("s_axil", self.registers, 20),
            **_pins("m_axi", self.memory, bus),
            **{f"o_m_axi_{name}addr_o": address for name, address in wide.items()},
        )

    def add_to(self, soc: SoC, name: str = "cryptile") -> None:
        """Connect registers and memory; the region is ``NAME_tile``, not cached."""
        soc.bus.add_slave(f"{name}_tile", self.registers, SoCRegion(size=0x100000, cached=False))
        soc.bus.add_master(name, self.memory)
