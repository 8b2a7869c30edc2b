"""Writes ``Bender.yml``: for users of Bender, what the FuseSoC ``.core`` files list."""

from itertools import groupby
from pathlib import Path

from cryptile.notice import licence
from cryptile.project import ROOT
from cryptile.toolchain import rtl

MANIFEST = Path("Bender.yml")

_HEAD = f"""\
{licence("#")}
# Generated from the .core files in rtl/ by `cryptile generate`: edit those files, not this one.
package:
  name: cryptile

export_include_dirs:
"""


def manifest() -> str:
    """Return the text of the file: all of ``rtl/``, what others need first."""
    listed = rtl.resolve(*sorted(name for name in rtl.cores() if "cryptile:soc:" not in name))
    folders = dict.fromkeys(_path(folder) for folder in listed.include_dirs)
    lines = [*(f"  - {folder}" for folder in folders), "", "sources:"]
    for folder, files in groupby(map(_path, listed.files), lambda path: path.parent):
        lines += [f"  # {folder}", "  - files:", *(f"      - {file}" for file in files)]
    return _HEAD + "\n".join(lines) + "\n"


def _path(path: Path) -> Path:
    return path.relative_to(ROOT)
