"""What firmware and kernel of the cycle-true system are told of the tile SoC: a device tree."""

from pathlib import Path

from cryptile import catalog
from cryptile.toolchain import tools

TREE = 0x8200_0000
"""Where the boot ROM says that the device tree is."""

KERNEL = 0x8020_0000
"""Where Debian's build of OpenSBI (``fw_jump``) starts the kernel. It moves the device tree to
0x8220_0000."""

INITRAMFS = 0x8300_0000
MEMORY_BYTES = 0x0800_0000
"""Memory that the kernel is told of: half of what there is, as it has 64 bytes to set up a page."""

EXCHANGE, EXCHANGE_BYTES = 0x8600_0000, 0x0200_0000
"""Memory that the kernel keeps its hands off: files pass through it between guest and host."""

CYCLES_A_SECOND = 100_000_000
"""What the guest takes for a second: its clock steps every 10 cycles."""

CRASHED = 126
"""Exit code of a guest that wants to be reset: the kernel has panicked."""

_UART_IRQ, _TILE_IRQ, _TILE_QUEUES, _SOURCES = 1, 2, 8, 11
"""PLIC sources: the tile has one for each queue, then that of errors."""

KEY_SLOTS = 0xFF
"""Key slots that the kernel may write, one bit each: this firmware keeps none."""

_SOC_CONTROL = 0x4000
"""SOC_CTRL in ``regs/mcu.rdl``; its first register is EXIT."""

_TEXT = """\
/dts-v1/;
/ {{
  #address-cells = <2>;
  #size-cells = <2>;
  compatible = "cryptile,tile-soc";
  model = "Cryptile tile SoC";
  chosen {{
    bootargs = "{arguments}";
    stdout-path = &uart;
    linux,initrd-start = <0x0 {initramfs:#x}>;
    linux,initrd-end = <0x0 {initramfs_end:#x}>;
  }};
  cpus {{
    #address-cells = <1>;
    #size-cells = <0>;
    timebase-frequency = <{timebase}>;
    cpu@0 {{
      device_type = "cpu";
      reg = <0>;
      status = "okay";
      compatible = "openhwgroup,cva6", "riscv";
      riscv,isa = "rv64imafdc_zicntr_zicsr_zifencei";
      riscv,isa-base = "rv64i";
      riscv,isa-extensions = "i", "m", "a", "f", "d", "c", "zicntr", "zicsr", "zifencei";
      mmu-type = "riscv,sv39";
      intc: interrupt-controller {{
        #interrupt-cells = <1>;
        interrupt-controller;
        compatible = "riscv,cpu-intc";
      }};
    }};
  }};
  memory@{memory:x} {{
    device_type = "memory";
    reg = <0x0 {memory:#x} 0x0 {memory_bytes:#x}>;
  }};
  reserved-memory {{
    #address-cells = <2>;
    #size-cells = <2>;
    ranges;
    exchange@{exchange:x} {{
      reg = <0x0 {exchange:#x} 0x0 {exchange_bytes:#x}>;
    }};
  }};
  soc {{
    #address-cells = <2>;
    #size-cells = <2>;
    compatible = "simple-bus";
    ranges;
    clint@{clint:x} {{
      compatible = "riscv,clint0";
      interrupts-extended = <&intc 3 &intc 7>;
      reg = <0x0 {clint:#x} 0x0 {clint_bytes:#x}>;
    }};
    plic: interrupt-controller@{plic:x} {{
      compatible = "sifive,plic-1.0.0";
      #address-cells = <0>;
      #interrupt-cells = <1>;
      interrupt-controller;
      interrupts-extended = <&intc 11 &intc 9>;
      reg = <0x0 {plic:#x} 0x0 {plic_bytes:#x}>;
      riscv,ndev = <{sources}>;
    }};
    uart: serial@{uart:x} {{
      compatible = "ns16550a";
      reg = <0x0 {uart:#x} 0x0 {uart_bytes:#x}>;
      clock-frequency = <1843200>;
      reg-io-width = <1>;
      interrupt-parent = <&plic>;
      interrupts = <{uart_irq}>;
    }};
    control: syscon@{control:x} {{
      compatible = "syscon";
      reg = <0x0 {control:#x} 0x0 0x1000>;
    }};
    poweroff {{
      compatible = "syscon-poweroff";
      regmap = <&control>;
      offset = <0>;
      value = <0>;
    }};
    reboot {{
      compatible = "syscon-reboot";
      regmap = <&control>;
      offset = <0>;
      value = <{crashed}>;
    }};
    crypto@{tile:x} {{
      compatible = "cryptile,tile";
      reg = <0x0 {tile:#x} 0x0 {tile_bytes:#x}>, <0x0 {rbg:#x} 0x0 {rbg_bytes:#x}>;
      reg-names = "tile", "rbg";
      interrupt-parent = <&plic>;
      interrupts = {interrupts};
      interrupt-names = {names};
      dma-coherent;
      cryptile,key-slots = <{slots:#x}>;
    }};
{more}  }};
}};
"""

_REGISTER_IO = """\
    crypto@{axis:x} {{
      compatible = "cryptile,window-engine";
      reg = <0x0 {axis:#x} 0x0 {axis_bytes:#x}>, <0x0 {window:#x} 0x0 {window_bytes:#x}>;
      reg-names = "axis", "window";
    }};
"""
"""The engine that is fed by stores and loads, of a model with ``register_io``."""


def firmware() -> int:
    """Return where the boot ROM starts the firmware: memory's first byte."""
    return catalog.system("tile").map["memory"].base


def source(initramfs_bytes: int, arguments: str, *, register_io: bool = False) -> str:
    """Return the device tree's source.

    Args:
        initramfs_bytes: of the archive at ``INITRAMFS``.
        arguments: the kernel's command line.
        register_io: the SoC has an engine without DMA, too.
    """
    regions = catalog.system("tile").map
    places: dict[str, int] = {}
    for name in ("memory", "clint", "plic", "uart", "tile", "rbg", "axis", "window"):
        places |= {name: regions[name].base, f"{name}_bytes": regions[name].size}
    queues = [f"queue{number}" for number in range(_TILE_QUEUES)]
    return _TEXT.format(
        **places
        | {
            "arguments": arguments,
            "more": _REGISTER_IO.format(**places) if register_io else "",
            "initramfs": INITRAMFS,
            "initramfs_end": INITRAMFS + initramfs_bytes,
            "timebase": CYCLES_A_SECOND // 10,
            "memory_bytes": MEMORY_BYTES,
            "exchange": EXCHANGE,
            "exchange_bytes": EXCHANGE_BYTES,
            "sources": _SOURCES,
            "slots": KEY_SLOTS,
            "uart_irq": _UART_IRQ,
            "control": regions["periph"].base + _SOC_CONTROL,
            "crashed": CRASHED,
            "interrupts": ", ".join(f"<{_TILE_IRQ + number}>" for number in range(len(queues) + 1)),
            "names": ", ".join(f'"{name}"' for name in [*queues, "error"]),
        }
    )


def tree(path: Path, text: str) -> None:
    """Compile a device tree's source into a file."""
    written = path.with_suffix(".dts")
    written.write_text(text)
    tools.run([tools.find("dtc", "device-tree-compiler"), "-q", "-O", "dtb", "-o", path, written])
