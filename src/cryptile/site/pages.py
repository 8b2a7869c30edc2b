"""The repository's Markdown as pages of a site; what links lead to becomes pages, too."""

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from cryptile.project import ROOT

_PARTS = re.compile(
    r"```.*?```|<!--.*?-->"  # code and comments, in which no link stands
    r"|(?<!!)\[(?P<words>(?:`[^`\n]*`|[^\]`])*)\]\((?P<target>[^)\s]+)\)"  # words may be code
    r"|`[^`\n]*`",
    re.DOTALL,
)
_LANGUAGES = {
    ".S": "gas",
    ".c": "c",
    ".core": "yaml",
    ".h": "c",
    ".py": "python",
    ".rdl": "systemverilog",
    ".sv": "systemverilog",
    ".sh": "bash",
    ".yaml": "yaml",
    ".yml": "yaml",
}


class Pages:
    """Pages by their path below the checkout; a link's target is added when it is met."""

    def __init__(self, documents: list[Path]) -> None:
        """Take the Markdown files that the site begins with, as paths below the checkout."""
        self.texts: dict[Path, str] = {}
        self._waiting: list[Callable[[], None]] = []
        for path in documents:
            self._add(path)
        while self._waiting:
            self._waiting.pop()()

    def _add(self, path: Path) -> None:
        if path not in self.texts:
            self.texts[path] = ""
            self._waiting.append(lambda: self._read(path))

    def _read(self, path: Path) -> None:
        text = (ROOT / path).read_text()
        self.texts[path] = _PARTS.sub(lambda match: self._part(path, match), text)

    def _part(self, page: Path, match: re.Match[str]) -> str:
        """Return what stands in the page for code, a comment or a link."""
        if match["target"] is not None:
            return self._link(page, match)
        return "" if match[0].startswith("<!--") else match[0]

    def _link(self, page: Path, match: re.Match[str]) -> str:
        words, link = match["words"], match["target"]
        target, mark, anchor = link.partition("#")
        if not target or "://" in target:
            return match.group(0)
        path = (ROOT / page.parent / target).resolve().relative_to(ROOT)
        shown = self._shown(path)
        up = len(page.parent.parts)
        return f"[{words}]({PurePosixPath(*['..'] * up, *shown.parts)}{mark}{anchor})"

    def _shown(self, path: Path) -> Path:
        """Return the page that shows a file or folder, and add it."""
        if (ROOT / path).is_dir():
            readme = path / "README.md"
            if (ROOT / readme).is_file():
                self._add(readme)
            elif readme not in self.texts:
                self.texts[readme] = ""
                self._waiting.append(lambda: self._list(path))
            return readme
        if path.suffix == ".md":
            self._add(path)
            return path
        page = path.with_name(path.name + ".md")
        if page not in self.texts:
            text = (ROOT / path).read_text()
            language = _LANGUAGES.get(path.suffix, "text")
            self.texts[page] = f"# {path}\n\n``````{language}\n{text}``````\n"
        return page

    def _list(self, folder: Path) -> None:
        """Make a page of a folder that has none."""
        files = sorted(path for path in (ROOT / folder).iterdir() if path.is_file())
        shown = [(path.name, self._shown(folder / path.name)) for path in files]
        lines = [f"- [{name}]({page.name})" for name, page in shown]
        self.texts[folder / "README.md"] = f"# {folder}\n\n" + "\n".join(lines) + "\n"
