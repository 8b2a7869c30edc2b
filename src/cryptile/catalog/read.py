"""Reads a file of the catalogue; what is wrong is told with its place."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from cryptile.errors import UsageError
from cryptile.project import require_checkout

T = TypeVar("T")


class UniqueLoader(yaml.SafeLoader):  # type: ignore[misc]
    """YAML in which no word stands twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Refuse what has a key twice."""
        keys = [key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        words = [self.construct_object(key, deep=True) for key in keys]
        for word in words:
            if words.count(word) > 1:
                raise yaml.YAMLError(f"{word!r} stands twice {str(node.start_mark).strip()}")
        made: dict[Any, Any] = super().construct_mapping(node, deep)
        return made


def sections(path: Path, *names: str) -> list[dict[str, Any]]:
    """Return the mappings of a file that have these names; of none, the whole file.

    Raises:
        UsageError: it cannot be read, is not YAML, or holds other words.
    """
    require_checkout()
    try:
        found = yaml.load(path.read_bytes(), UniqueLoader)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except yaml.YAMLError as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error
    parts = [found]
    if names:
        if not isinstance(found, dict) or set(found) != set(names):
            raise UsageError(f"{path}: holds {' and '.join(names)}, and nothing else")
        parts = [found[name] for name in names]
    if not all(isinstance(part, dict) for part in parts):
        raise UsageError(f"{path}: words with values are needed")
    return parts


def convert(value: object, kind: type[T], where: str) -> T:
    """Return a value as what it is to be; a ``CryptileError`` says where it is not."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"{where}: {error}") from error


def convert_all(values: Mapping[str, object], kind: type[T], where: str) -> dict[str, T]:
    """Return all values of a mapping, each told by its word."""
    return {word: convert(value, kind, f"{where}: {word}") for word, value in values.items()}


def get(known: Mapping[str, T], name: str, what: str) -> T:
    """Return what a name stands for, or tell the names that there are."""
    if name not in known:
        raise UsageError(f"{what} {name!r}: choose from {', '.join(known)}")
    return known[name]


def unique(where: str, values: Iterable[object]) -> None:
    """Refuse a value that stands twice."""
    seen = set()
    for value in values:
        if value in seen:
            raise UsageError(f"{where}: {value} stands twice")
        seen.add(value)
