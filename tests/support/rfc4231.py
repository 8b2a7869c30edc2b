"""HMAC vectors of RFC 4231, as the vectors of ``cryptography`` have them."""

from pathlib import Path

import cryptography_vectors

FOLDER = Path(cryptography_vectors.__file__).parent / "HMAC"


def vectors(name: str) -> list[tuple[bytes, bytes, bytes]]:
    """Return (key, message, tag) of each vector of HMAC over ``sha256`` and its like."""
    cases = []
    fields: dict[str, bytes] = {}
    for line in (FOLDER / f"rfc-4231-{name}.txt").read_text().splitlines():
        field, _, value = (part.strip() for part in line.partition("="))
        if field in ("Key", "Msg", "MD"):
            fields[field] = bytes.fromhex(value)
        if field == "MD":
            cases.append((fields["Key"], fields["Msg"], fields["MD"]))
    assert cases
    return cases
