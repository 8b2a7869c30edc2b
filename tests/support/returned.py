"""What functions of the library return on the instruction-set simulator."""


def status(value: int) -> int:
    """Return the 32 bits of a status as the signed number that they are."""
    low = value & 0xFFFFFFFF
    return low - (low >> 31 << 32)
