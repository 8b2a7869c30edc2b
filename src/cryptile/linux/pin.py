"""Pins the guest's packages to what Debian has today."""

import lzma
import re
import time
from collections.abc import Mapping
from urllib.parse import quote

import yaml
from msgspec import structs

from cryptile import catalog
from cryptile.errors import CryptileError
from cryptile.toolchain.download import https

_ARCHITECTURE = "riscv64"
_ATTEMPTS = 3
_PAUSE_SECONDS = 20
_NEWEST_KERNEL = f"linux-image-{_ARCHITECTURE}"
"""The package that depends on the newest kernel's."""

_SOURCE = re.compile(r"linux-source-(\d+)\.(\d+)")
"""Packages of source, one of them the newest."""

_FIELDS = {"version": "Version", "file": "Filename", "hash": "SHA256", "bytes": "Size"}


def pin() -> list[str]:
    """Write the rows of ``catalog/linux.yaml`` anew; return what changed, a line each.

    Raises:
        CryptileError: the index cannot be had, or a package is not in it.
    """
    said = catalog.linux()
    indexes = {
        release: _index(f"{said.mirror}/dists/{release}/main/binary-{_ARCHITECTURE}/Packages.xz")
        for release in (said.release, said.early)
    }
    found = re.search(
        r"linux-image-(\S+)-" + _ARCHITECTURE,
        _row(indexes[said.release], _NEWEST_KERNEL)["Depends"],
    )
    if not found:
        raise CryptileError(f"{_NEWEST_KERNEL} depends on no kernel")
    sources = [(int(m[1]), int(m[2])) for m in map(_SOURCE.fullmatch, indexes[said.early]) if m]
    if not sources:
        raise CryptileError(f"{said.early} has no source of a kernel")
    now = structs.replace(said, kernel=found[1], newest="{}.{}".format(*max(sources)))
    rows = {
        name: _pinned(_row(indexes[now.release_of(name)], now.full_name(name)))
        for name in dict.fromkeys(name for names in said.sets.values() for name in names)
    }
    path = catalog.LINUX_FILE
    head, _, _ = path.read_text().partition("\npackages:")
    for word, version in (("kernel", now.kernel), ("newest", f"'{now.newest}'")):
        head = re.sub(rf"^{word}: .*$", f"{word}: {version}", head, flags=re.MULTILINE)
    path.write_text(head + "\n" + yaml.safe_dump({"packages": rows}, sort_keys=False, width=200))
    before = {name: (package.version, package.hash) for name, package in said.packages.items()}
    return [
        f"{now.full_name(name)}: {before.get(name, ('new',))[0]} -> {row['version']}"
        for name, row in rows.items()
        if before.get(name) != (row["version"], row["hash"])
    ]


def _index(url: str) -> dict[str, dict[str, str]]:
    """Return the fields of all packages; an index that the mirror is writing is asked for again."""
    for attempt in range(_ATTEMPTS):
        if attempt:
            time.sleep(_PAUSE_SECONDS)
        try:
            text = lzma.decompress(https(url)).decode()
        except (CryptileError, lzma.LZMAError, UnicodeDecodeError) as error:
            last = error
            continue
        entries = (
            dict(re.findall(r"^(\S+): (.*)$", entry, re.MULTILINE)) for entry in text.split("\n\n")
        )
        return {fields["Package"]: fields for fields in entries if "Package" in fields}
    raise CryptileError(f"no index of packages: {last}")


def _row(index: Mapping[str, dict[str, str]], name: str) -> dict[str, str]:
    if name not in index:
        raise CryptileError(f"Debian's index has no {name}")
    return index[name]


def _pinned(fields: Mapping[str, str]) -> dict[str, str | int]:
    missing = [name for name in _FIELDS.values() if name not in fields]
    if missing:
        raise CryptileError(f"Debian's index has no {missing[0]} of {fields['Package']}")
    row = {word: fields[name] for word, name in _FIELDS.items()}
    return {**row, "file": quote(row["file"]), "bytes": int(row["bytes"])}
