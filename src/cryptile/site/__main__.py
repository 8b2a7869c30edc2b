"""Builds the site: ``python -m cryptile.site``."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from peakrdl_markdown import MarkdownExporter

from cryptile import regs
from cryptile.project import BUILD, ROOT
from cryptile.site import headers
from cryptile.site.pages import Pages

FOLDER = BUILD / "site"
_IMAGES = Path("docs", "images")
_INCLUDE = ROOT / "sw" / "include"


def stage(folder: Path) -> None:
    """Write the pages that MkDocs makes a site of."""
    shutil.rmtree(folder, ignore_errors=True)
    start = [
        ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
    ]
    documents = [*start, *sorted((ROOT / "docs").glob("*.md"))]
    for path, text in Pages([path.relative_to(ROOT) for path in documents]).texts.items():
        _write(folder / path, text)
    shutil.copytree(ROOT / _IMAGES, folder / _IMAGES)
    for asset in ("iframe-worker.js", "site.css"):
        shutil.copy(ROOT / "docs" / asset, folder)
    for header in sorted(_INCLUDE.rglob("*.h")):
        name = header.relative_to(_INCLUDE)
        _write(folder / "api" / name.with_suffix(".md"), headers.page(header, str(name)))
    for item in regs.MAPS:
        target = folder / "registers" / f"{item.name}.md"
        target.parent.mkdir(exist_ok=True)
        MarkdownExporter().export(regs.compile_file(item.source), str(target))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main() -> int:
    """Make the site; return the exit code of MkDocs, which takes a warning for an error."""
    stage(FOLDER / "pages")
    shutil.copy(ROOT / "docs" / "mkdocs.yml", FOLDER)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    ended = subprocess.run([*command, "-f", FOLDER / "mkdocs.yml"], check=False, env=quiet)
    if ended.returncode == 0:
        print(FOLDER / "html" / "index.html")
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main())
