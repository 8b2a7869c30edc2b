"""NIST's response files for SHA-3 and SHAKE, byte-oriented, as jobs."""

from collections.abc import Iterator
from pathlib import Path

import cryptography_vectors
from keccak_port import Job

FOLDER = Path(cryptography_vectors.__file__).parent / "hashes"


def records(name: str) -> Iterator[dict[str, str]]:
    """Yield the records of a file in SHA3 or SHAKE; settings in brackets hold for what follows."""
    settings: dict[str, str] = {}
    fields: dict[str, str] = {}
    path = FOLDER / name[: name.index("_") if "_" in name else 5] / f"{name}.rsp"
    for line in [*path.read_text().splitlines(), ""]:
        key, equals, value = (part.strip(" []\t") for part in line.partition("="))
        if line.startswith("[") and equals:
            settings[key] = value
        elif equals:
            fields[key] = value
        elif not line.strip() and fields:
            yield settings | fields
            fields = {}


def jobs(name: str, mode: int) -> Iterator[tuple[Job, bytes]]:
    """Yield jobs and their digests."""
    for record in records(name):
        digest = record.get("MD", record.get("Output"))
        if digest is None:
            continue
        message = bytes.fromhex(record["Msg"])
        if record.get("Len") == "0":  # the file has a byte even then
            message = b""
        yield Job(mode, message, len(digest) // 2), bytes.fromhex(digest)
