"""NIST's CAVP vectors of CTR_DRBG (drbgtestvectors.zip), from a Go module that carries them.

The module is had over HTTPS once and kept in the build cache; its hash is checked.
"""

import io
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from cryptile.toolchain import cache
from cryptile.toolchain.download import checked, https

_MODULE = "github.com/canonical/go-sp800.90a-drbg"
_VERSION = "v0.0.0-20210314144037-6eeb1040d6c3"
_SHA256 = "390311ac06a2dcec4af8f0525b4a22a5a55b00eda4f924245918baea3ea124ae"
FILES = ("no_reseed", "pr_false", "pr_true")


@dataclass
class Vector:
    """One of a response file: its calls in order, each with what the file gives for it."""

    df: bool
    entropy: bytes  # with the nonce
    personalization: bytes
    reseed: tuple[bytes, bytes] | None = None  # entropy and additional input
    additional: list[bytes] = field(default_factory=list)  # of each of two requests
    predicted: list[bytes] = field(default_factory=list)  # entropy of each with resistance
    returned: bytes = b""  # by the second


def _fetch(folder: Path) -> None:
    url = f"https://proxy.golang.org/{_MODULE}/@v/{_VERSION}.zip"
    data = checked(https(url), _SHA256, url)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in FILES:
            text = archive.read(f"{_MODULE}@{_VERSION}/testdata/{name}/CTR_DRBG.rsp")
            (folder / f"{name}.rsp").write_bytes(text)


def vectors(name: str) -> list[Vector]:
    """Return all vectors of AES-256 of one of ``FILES``."""
    folder = cache.build("drbgtestvectors", _SHA256[:20], _fetch)
    found: list[Vector] = []
    section, reseed = "", b""
    for line in (folder / f"{name}.rsp").read_text().splitlines():
        if line.startswith("[AES") or line.startswith("[3Key"):
            section = line.strip("[]")
        if " = " not in line or not section.startswith("AES-256") or line.startswith("["):
            continue
        word, _, value = line.partition(" = ")
        if word == "COUNT":
            found.append(Vector(section.endswith("use df"), b"", b""))
            continue
        data, vector = bytes.fromhex(value.strip()), found[-1]
        if word in ("EntropyInput", "Nonce"):
            vector.entropy += data
        elif word == "PersonalizationString":
            vector.personalization = data
        elif word == "EntropyInputReseed":
            reseed = data
        elif word == "AdditionalInputReseed":
            vector.reseed = (reseed, data)
        elif word == "AdditionalInput":
            vector.additional.append(data)
        elif word == "EntropyInputPR":
            vector.predicted.append(data)
        elif word == "ReturnedBits":
            vector.returned = data
    return found
