"""Microprograms: each file writes its own into a builder."""

from cryptile.pka.builder import Builder, Image
from cryptile.pka.programs import p256, x25519


def image() -> Image:
    """Return all programs, as one instruction memory holds them."""
    b = Builder()
    b.row("k", "result", "t")
    b.constant("Zero", 0)
    b.constant("One", 1)
    x25519.write(b)
    p256.write(b)
    return b.image()
