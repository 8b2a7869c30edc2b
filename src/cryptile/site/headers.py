"""The C interface as pages: each header's comments as text, its declarations as code."""

import re
from pathlib import Path

_LINKAGE = re.compile(r"#ifdef __cplusplus\n.*?#endif[^\n]*\n?", re.DOTALL)
_SKIPPED = re.compile(r"#(ifndef|define) \w+_H$|#include|#endif")
_NAME = re.compile(r"\b(\w+)\s*\(|}\s*(\w+);|#define (\w+)|\bstruct (\w+)|(\w+)\s*(?:\[\w*\])?;")


def page(header: Path, name: str) -> str:
    """Return a page for a header: what stands before each declaration, then the declaration.

    Args:
        header: the file.
        name: how a program includes it.
    """
    blocks = _LINKAGE.sub("", header.read_text()).split("\n\n")[1:]  # the first is the licence
    parts = [f"# `{name}`\n"]
    for block in blocks:
        lines = [line for line in block.split("\n") if not _SKIPPED.match(line)]
        parts += _parts(lines)
    return "\n".join(parts) + "\n"


def _parts(lines: list[str]) -> list[str]:
    """Return the pieces of a block: comments and the declarations behind each."""
    found: list[str] = []
    comment: list[str] = []
    code: list[str] = []
    for line in [*lines, "//"]:
        if line.startswith("//"):
            if code:
                found.append(_declaration(comment, code))
                comment, code = [], []
            comment.append(line[2:].removeprefix(" "))
        elif line.strip():
            code.append(line)
    return [*found, _text(comment) + "\n"] if any(comment) else found


def _declaration(comment: list[str], code: list[str]) -> str:
    match = _NAME.search("\n".join(line for line in code if not line.startswith("  ")))
    names = [name for name in match.groups() if name] if match else []
    title = f"## `{names[0]}`\n\n" if names else ""
    return f"{title}{_text(comment)}\n\n```c\n" + "\n".join(code) + "\n```\n"


def _text(comment: list[str]) -> str:
    """Return a comment as Markdown, whose lists need an empty line before them."""
    return re.sub(r"(?m)^(?!- |  )(.+)\n(?=- )", r"\1\n\n", "\n".join(comment).strip())
