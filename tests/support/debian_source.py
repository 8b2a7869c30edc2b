"""Files of Debian's source packages, had over HTTPS."""

import io
import tarfile
from pathlib import Path

from cryptile.toolchain.download import checked, https


def unpack(url: str, digest: str, wanted: tuple[str, ...], folder: Path) -> None:
    """Write an archive's files whose paths begin as wanted; its outermost folder is left out."""
    archive = io.BytesIO(checked(https(url), digest, url))
    with tarfile.open(fileobj=archive) as files:
        for member in files:
            _, _, name = member.name.partition("/")
            if member.isfile() and name.startswith(wanted):
                data = files.extractfile(member)
                assert data is not None
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data.read())
