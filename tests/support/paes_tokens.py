"""Sealed keys for the kernel's ``paes`` and ``phmac``: tokens, under a wrapping key."""

import os

from cryptile import catalog
from cryptile.jobs.oracle import aes
from support.key_slots import ANY_SLOT, Use, wrapped
from support.tile_model import AES, OPCODES

MODES = {"ecb": aes.ECB, "cbc": aes.CBC, "ctr": aes.CTR, "xts": aes.XTS}
HMACS = {
    name.removeprefix("hmac-"): (OPCODES[alg.engine], alg.mode.number)
    for name, alg in catalog.algorithms_on("tile").items()
    if alg.form == "hmac" and name.count("-") == 1
}
"""The kernel's by their hash functions, which Python has too: engine and mode."""


def token(mode: str, key: bytes, *, under: bytes, slot: int = ANY_SLOT, **rights: bool) -> bytes:
    """Return a sealed key for a mode of AES, or for HMAC with a hash function."""
    said = {"encrypt": True, "decrypt": True} | rights
    place = HMACS[mode] if mode in HMACS else (AES, MODES[mode])
    use = Use(place[0], (place[1],), len(key), owners=(), **said)
    iv, aad = os.urandom(16), use.wrapped_for(slot)
    return aad + iv + wrapped(under, iv, key.ljust(-(-len(key) // 16) * 16, b"\0"), aad)
