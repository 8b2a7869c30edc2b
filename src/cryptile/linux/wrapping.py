"""Plays firmware's part for sealed keys: a wrapping key is in the tile before the driver is."""

from collections.abc import Mapping

from cryptile import catalog, layout
from cryptile.errors import UsageError
from cryptile.linux.machine import TILE_BASE

KEY_BYTES = (16, 24, 32)
"""How long a wrapping key may be."""

_SLOT = 3
_SLOTS, _STRIDE, _SEAL = 0x1000, 0x80, 0x1800  # regs/tile.rdl
_WORDS = 16


def script(key: bytes) -> str:
    """Return lines for the guest's shell that write the key into its slot, and seal.

    The kernel's queue alone may use it, to unwrap others.

    Raises:
        UsageError: no wrapping key is as long.
    """
    if len(key) not in KEY_BYTES:
        raise UsageError(f"a wrapping key of {len(key)} bytes: it has 16, 24 or 32")
    block = layout.blocks()["tile_slot"]
    opcode, mode = next(
        (engine.opcode.number, mode.number)
        for engine in catalog.engines().values()
        if engine.opcode
        for mode in engine.modes.values()
        if mode.unwraps
    )
    attributes = block.registers["ATTRIBUTES"].pack(
        valid=1, owners=1, opcode=opcode, decrypt=1, unwrap=1
    )
    policy = block.registers["POLICY"].pack(modes=1 << mode, key_bytes=len(key), tag_bytes=0)
    padded = key.ljust(4 * _WORDS, b"\0")
    first = _SLOTS + _SLOT * _STRIDE
    writes = [
        *(
            (first + block.offsets["KEY"] + at, int.from_bytes(padded[at : at + 4], "little"))
            for at in range(0, len(padded), 4)
        ),
        (first + block.offsets["POLICY"], policy),
        (first + block.offsets["USES"], 0),
        (first + block.offsets["ATTRIBUTES"], attributes),
        (_SEAL, 1),
    ]
    return "".join(f"busybox devmem {TILE_BASE + at:#x} 32 {value:#x}\n" for at, value in writes)


def properties(key: bytes) -> Mapping[str, int]:
    """Return what firmware then tells the kernel: properties of the tile's node."""
    return {"cryptile,wrapping-slot": _SLOT, "cryptile,wrapping-key-bytes": len(key)}
