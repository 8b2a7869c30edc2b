"""Debian's packages: checked by their hashes, kept, and pinned anew from an index."""

import lzma
import re

import pytest
from msgspec import structs

from cryptile import catalog
from cryptile.catalog import load
from cryptile.errors import CryptileError
from cryptile.linux import packages, pin
from cryptile.toolchain import cache

KERNEL, NEWEST = "6.99.1+deb13", "7.10"
HASH = "ab" * 32


def refuse(url):
    raise CryptileError(f"cannot get {url}: no network")


def test_a_kept_package_needs_no_network(monkeypatch):
    packages.unpacked("busybox-static")
    monkeypatch.setattr(packages, "https", refuse)
    assert (packages.unpacked("busybox-static") / "usr/bin/busybox").is_file()


def test_a_package_that_is_gone_is_named(monkeypatch, tmp_path):
    """With the way to newer ones; and nothing half made is left."""
    monkeypatch.setattr(cache, "BUILD", tmp_path)
    monkeypatch.setattr(packages, "https", refuse)
    url = re.escape("https://deb.debian.org/debian/pool/main/b/busybox/busybox-static_")
    with pytest.raises(CryptileError, match=rf"{url}.*'cryptile linux pin'"):
        packages.unpacked("busybox-static")
    monkeypatch.setattr(packages, "https", lambda url: b"another file")
    with pytest.raises(CryptileError, match="has another hash than expected"):
        packages.unpacked("busybox-static")
    assert not [path for path in tmp_path.rglob("*") if path.suffix != ".lock" and path.is_file()]


def test_a_package_without_a_row_is_named():
    with pytest.raises(CryptileError, match="no-such has no row in catalog"):
        packages.unpacked("no-such")


@pytest.fixture
def mirror(monkeypatch, tmp_path):
    """A copy of the list to write to, and what the mirror answers, one after the other."""
    copy = tmp_path / "linux.yaml"
    copy.write_text(load.LINUX_FILE.read_text())
    monkeypatch.setattr(load, "LINUX_FILE", copy)
    monkeypatch.setattr(catalog, "LINUX_FILE", copy)
    monkeypatch.setattr(pin.time, "sleep", lambda seconds: None)
    answers = []
    monkeypatch.setattr(pin, "https", lambda url: answers.pop(0))
    return copy, answers


def index(leave_out=""):
    """An index in which all packages are newer, and one kernel's source that is not the newest."""
    said = structs.replace(catalog.linux(), kernel=KERNEL, newest=NEWEST)
    names = [*map(said.full_name, said.packages), "linux-source-7.9"]
    rows = [
        f"Package: {name}\nVersion: 9:9.9-9\nDescription: text\n continued: more\n"
        f"Filename: pool/main/{name}_9.9+9.deb\nSize: 4711\n{pin._FIELDS['hash']}: {HASH}"
        for name in names
        if name != leave_out
    ]
    meta = f"Package: linux-image-riscv64\nDepends: linux-image-{KERNEL}-riscv64 (= 9:9.9-9)"
    return lzma.compress("\n\n".join([*rows, meta, ""]).encode())


def test_pin(mirror):
    copy, answers = mirror
    before = copy.read_text()
    whole = index()
    answers += [whole[: len(whole) // 2], whole, whole]  # the first is being written
    changed = pin.pin()
    now = catalog.linux()
    assert len(changed) == len(now.packages)
    assert changed[0] == f"linux-image-{KERNEL}-riscv64: {_version(before)} -> 9:9.9-9"
    assert (now.kernel, now.newest) == (KERNEL, NEWEST)
    assert {(row.version, row.hash, row.bytes) for row in now.packages.values()} == {
        ("9:9.9-9", HASH, 4711)
    }
    assert now.packages["libc6"].file == "pool/main/libc6_9.9%2B9.deb"
    assert copy.read_text().partition("kernel:")[0] == before.partition("kernel:")[0]
    answers += [index()] * 2
    assert pin.pin() == []


def _version(text):
    return re.search(r"version: (\S+)", text)[1]


def test_pin_of_what_debian_has_not(mirror):
    copy, answers = mirror
    before = copy.read_text()
    answers += [index(leave_out="openssl")] * 2
    with pytest.raises(CryptileError, match="Debian's index has no openssl"):
        pin.pin()
    answers += [b"", b"x", b"y"]
    with pytest.raises(CryptileError, match="no index of packages"):
        pin.pin()
    assert copy.read_text() == before
