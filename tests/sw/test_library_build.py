"""How the library is built."""

from pathlib import Path

import pytest

from cryptile import library
from cryptile.toolchain import cache


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_a_build_is_the_same_wherever_it_is_made(
    isa: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte, what debuggers read too: no path of the computer is in it."""
    built = []
    for folder in ("here", "there"):
        monkeypatch.setattr(cache, "BUILD", tmp_path / folder)
        made = library.build(isa, parts=("bigint",))
        assert made.archive.is_relative_to(tmp_path / folder)
        built.append([made.archive.read_bytes(), made.image.read_bytes()])
    assert built[0] == built[1]
    assert all(str(tmp_path).encode() not in content for content in built[0])
