"""Plays firmware's part for sealed keys: a wrapping key is in the tile before the driver is."""

from collections.abc import Mapping

from cryptile import catalog, layout, regs
from cryptile.errors import UsageError
from cryptile.linux.machine import TILE_BASE

_SLOT = 3
_WORDS = 16


def check(key: bytes) -> None:
    """Check a wrapping key.

    Raises:
        UsageError: none is as long.
    """
    if len(key) not in (16, 24, 32):
        raise UsageError(f"a wrapping key of {len(key)} bytes: it has 16, 24 or 32")


def script(key: bytes) -> str:
    """Return lines for the guest's shell that write the key into its slot, and seal.

    The kernel's queue alone may use it, to unwrap others.

    Raises:
        UsageError: no wrapping key is as long.
    """
    check(key)
    block, at = layout.blocks()["tile_slot"], regs.offsets("tile")
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
    slot = f"SLOT[{_SLOT}]"
    writes = [
        *(
            (at[f"{slot}.KEY[{word}]"], int.from_bytes(padded[4 * word : 4 * word + 4], "little"))
            for word in range(_WORDS)
        ),
        (at[f"{slot}.POLICY"], policy),
        (at[f"{slot}.USES"], 0),
        (at[f"{slot}.ATTRIBUTES"], attributes),
        (at["SEAL"], 1),
    ]
    return "".join(
        f"busybox devmem {TILE_BASE + offset:#x} 32 {value:#x}\n" for offset, value in writes
    )


def properties(key: bytes) -> Mapping[str, int]:
    """Return what firmware then tells the kernel: properties of the tile's node."""
    return {"cryptile,wrapping-slot": _SLOT, "cryptile,wrapping-key-bytes": len(key)}
