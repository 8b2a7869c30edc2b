"""The kernel's own tests of cryptographic algorithms, from Debian's package of its source."""

import tarfile
from pathlib import Path

from cryptile.linux import packages
from cryptile.toolchain import cache

_WANTED = ("crypto/testmgr.c", "crypto/testmgr.h", "crypto/internal.h")


def sources() -> dict[str, Path]:
    """Return the files that the tests are made of, by their names."""
    (source,) = packages.unpacked_set("source")
    (archive,) = source.glob("usr/src/linux-source-*.tar.xz")

    def make(folder: Path) -> None:
        left = {*_WANTED}
        with tarfile.open(archive, mode="r|xz") as files:
            for member in files:
                _, _, name = member.name.partition("/")
                if name in left:
                    data = files.extractfile(member)
                    assert data is not None
                    (folder / Path(name).name).write_bytes(data.read())
                    left.remove(name)
                if not left:
                    return
        raise AssertionError(f"{archive} has no {left}")

    key = cache.digest([Path(__file__)], str(source))
    made = cache.build("linux/testmgr", key, make, what="the kernel's tests of algorithms")
    return {Path(name).name: made / Path(name).name for name in _WANTED}
