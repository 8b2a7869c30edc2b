"""Reading a waveform (VCD, IEEE 1364): the values just before each rise of a clock."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cryptile.errors import UsageError

Row = dict[str, str]
"""Bits of each port in one cycle, the highest first: 0, 1, or x for what is not known."""


@dataclass(frozen=True)
class _Variable:
    code: str
    width: int


def samples(
    path: Path, clock: str, ports: Iterable[str], others: Iterable[str], scope: str | None
) -> list[Row]:
    """Return what ports hold just before each rise of the clock.

    Args:
        path: the waveform.
        clock: the clock.
        ports: names that must be there.
        others: names that are read if they are there.
        scope: the hierarchical name of the instance; if not given, the only one with all ports.

    Raises:
        UsageError: it is no VCD, or has no such instance.
    """
    try:
        text = path.read_text(errors="replace")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    head, found, body = text.partition("$enddefinitions")
    if not found:
        raise UsageError(f"{path} is no VCD (an FST becomes one by fst2vcd)")
    variables = _chosen(path, _scopes(head), {clock, *ports}, scope)
    wanted = {name: variables[name] for name in (clock, *ports)}
    wanted |= {name: variables[name] for name in others if name in variables}
    del wanted[clock]
    rows = list(_rows(body, variables[clock].code, wanted))
    if not rows:
        raise UsageError(f"{path}: {clock} never rises")
    return rows


def _scopes(head: str) -> dict[str, dict[str, _Variable]]:
    scopes: dict[str, dict[str, _Variable]] = defaultdict(dict)
    inside: list[str] = []
    for kind, rest in re.findall(r"\$(scope|upscope|var)\s(.*?)\s*\$end", head + " $end", re.S):
        words = rest.split()
        if kind == "scope":
            inside.append(words[1])
        elif kind == "upscope":
            inside.pop()
        elif len(words) >= 4 and words[1].isdigit():
            name = words[3].split("[")[0].removeprefix("\\")
            scopes[".".join(inside)][name] = _Variable(words[2], int(words[1]))
    return scopes


def _chosen(
    path: Path, scopes: dict[str, dict[str, _Variable]], names: set[str], scope: str | None
) -> dict[str, _Variable]:
    if scope is not None:
        if scope not in scopes:
            raise UsageError(f"{path}: no scope {scope}: there are {', '.join(scopes)}")
        if missing := names - scopes[scope].keys():
            raise UsageError(f"{path}: {scope} has no {min(missing)}")
        return scopes[scope]
    fitting = {name: found for name, found in scopes.items() if names <= found.keys()}
    if not fitting:
        nearest = max(scopes, key=lambda name: len(names & scopes[name].keys()), default="")
        missing = names - scopes.get(nearest, {}).keys()
        raise UsageError(f"{path}: no scope has {', '.join(sorted(missing))} beside the rest")
    # An instance and what is around it often show the same signals.
    if len({tuple(found[name].code for name in sorted(names)) for found in fitting.values()}) > 1:
        raise UsageError(f"{path}: several scopes fit: {', '.join(fitting)}: name one by `scope`")
    return max(fitting.values(), key=len)


def _rows(body: str, clock: str, wanted: dict[str, _Variable]) -> Iterator[Row]:
    now: dict[str, str] = {}
    changes: dict[str, str] = {}
    code_of = {name: (found.code, found.width) for name, found in wanted.items()}

    def rises() -> bool:
        return now.get(clock) == "0" and changes.get(clock) == "1"

    def row() -> Row:
        return {name: _filled(now.get(code, "x"), width) for name, (code, width) in code_of.items()}

    tokens = iter(body.split())
    for token in tokens:
        first = token[0]
        if first == "#":
            if rises():
                yield row()
            now |= changes
            changes = {}
        elif token == "$comment":
            while next(tokens, "$end") != "$end":
                pass
        elif first in "bB":
            changes[next(tokens, "")] = token[1:].lower()
        elif first in "rR":
            next(tokens, "")
        elif first in "01xXzZ":
            changes[token[1:]] = first.lower()
    if rises():
        yield row()


def _filled(bits: str, width: int) -> str:
    known = bits.replace("z", "x")
    return known.rjust(width, "x" if known.startswith("x") else "0")[-width:]
