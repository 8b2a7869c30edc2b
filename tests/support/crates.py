"""Files of test vectors from the Rust crates that carry them.

A crate file is had over HTTPS once and kept in the build cache; a machine that reaches crates.io
only through a mirror configured for cargo is served by cargo. Either way its hash is checked.
"""

import os
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from cryptile.errors import CryptileError
from cryptile.toolchain import cache as builds
from cryptile.toolchain import tools
from cryptile.toolchain.download import checked, https

_MANIFEST = """\
[package]
name = "vectors"
version = "0.0.0"
edition = "2021"
[lib]
path = "lib.rs"
[dependencies]
{name} = "={version}"
"""


@dataclass(frozen=True)
class Crate:
    """A crate, and which of its files are wanted."""

    name: str
    version: str
    sha256: str
    files: str

    def folder(self) -> Path:
        """Return the folder with the wanted files, fetching them the first time."""
        return builds.build(self.name, self.sha256[:20], self._make)

    def _make(self, target: Path) -> None:
        crate = target / "crate"
        crate.write_bytes(self._download())
        with tarfile.open(crate) as archive:
            for member in archive:
                path = Path(member.name)
                data = archive.extractfile(member) if path.match(self.files) else None
                if data is not None:
                    (target / path.name).write_bytes(data.read())
        crate.unlink()

    def _download(self) -> bytes:
        reasons = []
        for method in (self._from_crates_io, self._from_cargo):
            try:
                return checked(method(), self.sha256, "the file")
            except (OSError, CryptileError) as error:
                reasons.append(str(error))
        raise CryptileError(f"cannot get the crate {self._file}: {'; '.join(reasons)}")

    @property
    def _file(self) -> str:
        return f"{self.name}-{self.version}.crate"

    def _from_crates_io(self) -> bytes:
        url = f"https://static.crates.io/crates/{self.name}/{self._file}"
        return https(url)

    def _from_cargo(self) -> bytes:
        cargo = tools.find("cargo", "cargo")
        with tempfile.TemporaryDirectory() as name:
            manifest = _MANIFEST.format(name=self.name, version=self.version)
            Path(name, "Cargo.toml").write_text(manifest)
            Path(name, "lib.rs").touch()
            tools.run([cargo, "fetch"], cwd=Path(name))
        home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
        crate = next(home.glob(f"registry/cache/*/{self._file}"), None)
        if crate is None:
            raise CryptileError("cargo did not leave the crate in its cache")
        return crate.read_bytes()
