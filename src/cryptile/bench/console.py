"""What benchmark firmware prints."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One line that benchmark firmware printed: ``R metric key=value ... value``."""

    metric: str
    params: dict[str, str]
    value: int


def parse(console: str) -> list[Line]:
    """Read the record lines of a console."""
    lines = []
    for text in console.splitlines():
        words = text.split()
        if len(words) >= 3 and words[0] == "R":
            params = dict(word.split("=", 1) for word in words[2:-1])
            lines.append(Line(words[1], params, int(words[-1])))
    return lines
