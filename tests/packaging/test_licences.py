"""What Linux's module is compiled from may be taken under the kernel's licence."""

import re
from collections.abc import Iterator
from pathlib import Path

from cryptile.project import ROOT

DRIVER = ROOT / "sw/linux/driver"
CHOICE = "SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only"


def folders():
    """Where the module's compiler looks for headers."""
    flags = (DRIVER / "Kbuild").read_text().replace("\\\n", " ")
    found = re.findall(r"-I\$\(src\)/(\S+)", flags)
    assert len(found) == 4
    return [(DRIVER / name).resolve() for name in found]


def included(path: Path, seen: set[Path]) -> Iterator[Path]:
    """A file and, in their turn, those of the project that it includes."""
    if path in seen:
        return
    seen.add(path)
    yield path
    for name in re.findall(r'^#include [<"](.+)[>"]', path.read_text(), re.MULTILINE):
        for folder in (path.parent, *folders()):
            if (folder / name).is_file():
                yield from included((folder / name).resolve(), seen)
                break
        else:
            assert not name.startswith(("tile", "gen/", "cryptile")), f"{path}: {name}"


def test_module_can_be_handed_on():
    seen: set[Path] = set()
    files = [
        path for source in sorted(DRIVER.glob("*.c")) for path in included(source.resolve(), seen)
    ]
    others = [path for path in files if not path.is_relative_to(DRIVER)]
    assert {path.name for path in others} >= {"tile_alg.c", "tile_layout.h", "tile_regs.h"}
    for path in files:
        text = " ".join(path.read_text().replace("//", " ").split())
        own = "SPDX-License-Identifier: GPL-2.0-only"
        assert (CHOICE if path in others else own) in text, path
