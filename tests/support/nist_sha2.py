"""Vectors of NIST's CAVP for SHA-2 and SHA-3: ``sha512_256``, ``sha3_256`` and so on."""

from functools import cache
from pathlib import Path

import cryptography_vectors

HASHES = Path(cryptography_vectors.__file__).parent / "hashes"


@cache
def messages(name, kind):
    """Return (message, digest) of the ``Short`` or ``Long`` messages."""
    cases, length, message = [], 0, b""
    folder = HASHES / ("SHA3" if name.startswith("sha3_") else "SHA2")
    for line in (folder / f"{name.upper()}{kind}Msg.rsp").read_text().splitlines():
        field, _, value = (part.strip() for part in line.partition("="))
        if field == "Len":
            length = int(value)
        elif field == "Msg":
            message = bytes.fromhex(value)[: length // 8]
        elif field == "MD":
            cases.append((message, bytes.fromhex(value)))
    assert len(cases) > 50
    return cases


def monte_carlo(name):
    """Return the seed and the checkpoints of the Monte Carlo test, of 1000 digests each."""
    seed, expected = b"", []
    for line in (HASHES / f"SHA2/{name.upper()}Monte.rsp").read_text().splitlines():
        field, _, value = (part.strip() for part in line.partition("="))
        if field == "Seed":
            seed = bytes.fromhex(value)
        elif field == "MD":
            expected.append(bytes.fromhex(value))
    assert len(expected) == 100
    return seed, expected


def checkpoint(digest, seed):
    """Return the digest after 1000 steps from a seed, each of the last three (SHAVS 6.4)."""
    last = [seed] * 3
    for _ in range(1000):
        last = [*last[1:], digest(b"".join(last))]
    return last[-1]
