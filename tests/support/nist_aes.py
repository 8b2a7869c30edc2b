"""Reader of NIST's response files for AES."""

from collections.abc import Iterator
from pathlib import Path

import cryptography_vectors

FOLDER = Path(cryptography_vectors.__file__).parent / "ciphers" / "AES"
_FIELDS = {"KEY", "IV", "PLAINTEXT", "CIPHERTEXT"}


def vectors(path: Path) -> Iterator[tuple[bool, dict[str, bytes]]]:
    """Yield (decrypt, fields) for each vector of a response file."""
    decrypt = False
    fields: dict[str, bytes] = {}
    for line in [*path.read_text().splitlines(), ""]:
        if line.startswith("["):
            decrypt = "DECRYPT" in line
        name, equals, value = (part.strip() for part in line.partition("="))
        if equals and name in _FIELDS:
            fields[name] = bytes.fromhex(value)
        elif not line.strip() and fields:
            yield decrypt, fields
            fields = {}
