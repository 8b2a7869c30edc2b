"""Random rows as numbers."""

from cryptile.pka.builder import Builder


def number(b: Builder, row: str) -> str:
    """Return of a random row as many bits as the prime has, or the row if it has no more.

    Where it has, the prime is all ones, and so the mask. No bit of what is returned is more often
    one than zero.
    """
    return b.land(row, "P") if b.width.spare else row
