"""Memory images: the loadable parts of an ELF program in the form that the simulator reads."""

import struct
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from cryptile.errors import UsageError
from cryptile.toolchain.elf import contents

_ADDRESSES = 1 << 32


def from_elf(elf: Path, xlen: int = 32) -> bytes:
    """Return the program's segments at their run-time addresses, zero-filled to their full size.

    The form is a sequence of records: address and length as 32-bit little-endian words, then the
    bytes. Data is placed where the program uses it, so start-up code needs no copy loop.

    Raises:
        UsageError: the file is not a RISC-V executable for registers of ``xlen`` bits, or not at
            addresses of 32 bits.
    """
    records = []
    try:
        with elf.open("rb") as stream:
            program = ELFFile(stream)
            if program.get_machine_arch() != "RISC-V" or program.elfclass != xlen:
                raise UsageError(f"{elf} is not a program for {xlen}-bit RISC-V")
            for segment in program.iter_segments("PT_LOAD"):
                data, address = contents(segment), segment["p_vaddr"]
                if address + len(data) > _ADDRESSES:
                    raise UsageError(f"{elf} is no bare program: it begins at {address:#x}")
                if data:
                    records.append(record(address, data))
    except FileNotFoundError:
        raise UsageError(f"no such program: {elf}") from None
    except ELFError as error:
        raise UsageError(f"{elf} is not an ELF file: {error}") from None
    return b"".join(records)


def record(address: int, data: bytes) -> bytes:
    """Return the part of an image that puts bytes to an address."""
    return struct.pack("<II", address, len(data)) + data
