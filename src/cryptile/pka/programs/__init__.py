"""Microprograms: each file writes its own into a builder."""

from cryptile.pka.builder import Builder, Image
from cryptile.pka.programs import ecdsa, ed25519, order, p256, p256_base, x25519


def image() -> Image:
    """Return all programs, as one instruction memory holds them."""
    b = Builder()
    b.row("k", "result", "result1", "result2", "e", "sig_r", "sig_s", "t", "path")
    b.constant("Zero", 0)
    b.constant("One", 1)
    b.constant("N256", p256.N)
    parts = (x25519, p256, order, p256_base, ecdsa, ed25519)
    for part in parts:
        part.rows(b)
    for part in parts:
        part.write(b)
    return b.image()
