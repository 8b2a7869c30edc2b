"""The syntax of Liberty files: groups within groups, and the functions of pins."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

_TOKEN = re.compile(r'/\*.*?\*/|"[^"]*"|[^\s(){}:;,"\\]+|[(){}:;,]', re.DOTALL)
_FUNCTION = re.compile(r"[\w\[\]]+|[!'^*&+|()]")


@dataclass
class Group:
    """A group: ``name (arguments) { attribute : value; list (a, b); other groups }``."""

    name: str
    arguments: list[str]
    attributes: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    groups: list["Group"] = field(default_factory=list)

    def all(self, *names: str) -> list["Group"]:
        """Return the groups inside that have one of these names."""
        return [group for group in self.groups if group.name in names]


def parse(text: str) -> Group:
    """Return the first group of a text, with all that is in it."""
    tokens = [token for token in _TOKEN.findall(text) if not token.startswith("/*")]
    top = Group("", [])
    stack = [top]
    place = 0
    while place < len(tokens) - 1:
        token, after = tokens[place], tokens[place + 1]
        if after == ":":
            end = tokens.index(";", place)
            value = " ".join(word.strip('"') for word in tokens[place + 2 : end])
            stack[-1].attributes[token] = value
            place = end + 1
        elif after == "(":
            end = tokens.index(")", place)
            words = [word.strip('"') for word in tokens[place + 2 : end] if word != ","]
            place = end + 1
            if tokens[place : place + 1] == ["{"]:
                stack[-1].groups.append(Group(token, words))
                stack.append(stack[-1].groups[-1])
                place += 1
            else:
                stack[-1].lists[token] = words
        else:
            if token == "}":
                stack.pop()
            place += 1
    return top.groups[0]


def function(text: str) -> str:
    """Return a pin's function as Python over ``{pin}``, with ``M`` for all bits set.

    Inversion binds closest, then exclusive or, then and (also a blank), then or.
    """
    words = _FUNCTION.findall(text)

    def either() -> str:
        return chain(both, ("+", "|"), "|")

    def both() -> str:
        terms = [exclusive()]
        while words and words[0] not in ("+", "|", ")"):
            if words[0] in ("*", "&"):
                words.pop(0)
            terms.append(exclusive())
        return terms[0] if len(terms) == 1 else f"({'&'.join(terms)})"

    def exclusive() -> str:
        return chain(single, ("^",), "^")

    def single() -> str:
        word = words.pop(0)
        if word == "!":
            return f"(M^{single()})"
        if word == "(":
            value = either()
            words.pop(0)
        else:
            value = {"0": "0", "1": "M"}.get(word, f"{{{word}}}")
        while words and words[0] == "'":
            words.pop(0)
            value = f"(M^{value})"
        return value

    def chain(part: Callable[[], str], signs: tuple[str, ...], python: str) -> str:
        terms = [part()]
        while words and words[0] in signs:
            words.pop(0)
            terms.append(part())
        return terms[0] if len(terms) == 1 else f"({python.join(terms)})"

    return either()
