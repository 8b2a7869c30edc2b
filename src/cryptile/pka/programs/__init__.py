"""Microprograms: each file writes its own into a builder."""

from cryptile.pka.builder import Builder, Image
from cryptile.pka.isa import FAST256, WIDTH256, WIDTH384, WIDTH512, WIDTH576, Kind, Width
from cryptile.pka.programs import base, ecdh, ecdsa, ed25519, euclid, joint, order, rsa, x25519
from cryptile.pka.programs.curve import P256, P384, P521

CURVES = {WIDTH256: P256, FAST256: P256, WIDTH384: P384, WIDTH576: P521}
"""The one that each machine has."""

WIDTHS = (*CURVES, WIDTH512)
"""All machines; that of RSA has no curve."""


def image(width: Width = WIDTH256) -> Image:
    """Return all programs of a machine, as one instruction memory holds them."""
    b = Builder(width=width)
    if width is WIDTH512:
        rsa.rows(b)
        rsa.write(b)
        return b.image()
    curve = CURVES[width]
    others = Kind.FOLD in width.kinds
    b.row("k", "result", "result1", "result2", "e", "sig_r", "sig_s", "t", "path")
    b.constant("Zero", 0)
    b.constant("One", 1)
    b.constant("N", curve.n)
    if width.spare:
        b.constant("Most", width.most)
    if others:
        x25519.rows(b)
    ecdh.rows(b, curve)
    order.rows(b)
    euclid.rows(b)
    base.rows(b)
    ecdsa.rows(b)
    joint.rows(b)
    if others:
        ed25519.rows(b)
        x25519.write(b)
    order.constants(b, curve)
    for part in (ecdh, base, ecdsa):
        part.write(b, curve)
    if others:
        ed25519.write(b)
    return b.image()
