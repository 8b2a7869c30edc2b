"""The guest's machine: QEMU's ``virt`` board, with the tile beside its devices."""

from collections.abc import Mapping
from pathlib import Path

from cryptile.toolchain import tools

TILE_BASE = 0x1100_0000
TILE_BYTES = 0x10_0000
RBG_BYTES = 0x1000
TILE_QUEUES = 8
TILE_IRQ = 40
"""PLIC source of queue 0; those of the other queues follow, then that of errors. The board's own
sources are 1 to 11 and 32 to 35, and from 64 on."""

FIRMWARE: Mapping[str, int] = {"cryptile,key-slots": 0xFF}
"""What firmware tells of the tile: that the kernel may write all key slots."""

MEMORY_BASE = 0x8000_0000
MEMORY_MIB = 256

_PLIC = "/soc/plic@c000000"
_TILE = f"/soc/crypto@{TILE_BASE:x}"


def qemu() -> str:
    """Return the path of the emulator."""
    return tools.find("qemu-system-riscv64", "qemu-system-misc")


def board() -> list[str]:
    """Return QEMU's options of the board, which its device tree depends on."""
    return ["-M", "virt", "-smp", "1", "-m", f"{MEMORY_MIB}M", "-nic", "none", "-display", "none"]


def value(path: Path) -> str:
    """Return a path as a value in one of QEMU's lists."""
    return str(path).replace(",", ",,")


def make_device_tree(path: Path, firmware: Mapping[str, int] = FIRMWARE, rbg_base: int = 0) -> None:
    """Write the board's device tree, with a node for the tile.

    Args:
        path: of the file.
        firmware: further properties of the node, cells that firmware would add.
        rbg_base: where the registers of the random bit generator are; 0: there is none.
    """
    get, put = (tools.find(name, "device-tree-compiler") for name in ("fdtget", "fdtput"))
    options = board()
    options[1] += f",dumpdtb={value(path)}"
    tools.run([qemu(), *options])
    plic = tools.run([get, path, _PLIC, "phandle"]).strip()
    interrupts = [str(TILE_IRQ + number) for number in range(TILE_QUEUES + 1)]
    names = [*(f"queue{number}" for number in range(TILE_QUEUES)), "error"]
    places = {"tile": (TILE_BASE, TILE_BYTES)}
    if rbg_base:
        places["rbg"] = (rbg_base, RBG_BYTES)
    cells = [f"{half:x}" for at in places.values() for word in at for half in divmod(word, 1 << 32)]
    tools.run([put, "-c", path, _TILE])
    for kind, name, values in (
        ("s", "compatible", ["cryptile,tile"]),
        ("x", "reg", cells),
        ("s", "reg-names", [*places]),
        ("u", "interrupt-parent", [plic]),
        ("u", "interrupts", interrupts),
        ("s", "interrupt-names", names),
        ("s", "dma-coherent", []),
        *(("u", name, [str(cell)]) for name, cell in firmware.items()),
    ):
        tools.run([put, "-t", kind, path, _TILE, name, *values])
