"""Finds the one figure that some words name, and writes it as a document shows it."""

from collections.abc import Iterable, Mapping
from typing import Any

from cryptile import published
from cryptile.errors import UsageError
from cryptile.figures.store import Store
from cryptile.records import Record

PLAIN = "{:,.0f}"
_WORDS = ("from", "as", "mark", "bold", "over")


class Figures:
    """The figures of all suites, read when they are asked for."""

    def __init__(self, store: Store) -> None:
        """Take the measured ones from a store; none is used yet."""
        self._store = store
        self._known: dict[tuple[str, str], list[Record]] = {}
        self.used: list[Record] = []

    def of(self, origin: str, suite: str) -> list[Record]:
        """Return a suite's records: ``measured`` here, ``published``, or of ``public code``."""
        if (origin, suite) not in self._known:
            if origin == "measured":
                found = self._store.records(suite)
            elif origin in (published.PUBLISHED, published.PUBLIC_CODE):
                found = published.records(suite, origin)
            else:
                raise UsageError(f"from: {origin}; a figure is measured, published or public code")
            self._known[origin, suite] = found
        return self._known[origin, suite]


def text(figures: Figures, suite: str, words: Mapping[str, Any]) -> str:
    """Return the figure, as ``as`` formats it; several with " / " where a word has several values.

    Raises:
        UsageError: no figure has these words, or several with different values do.
    """
    for name, value in words.items():
        if isinstance(value, list) and name not in _WORDS:
            return " / ".join(text(figures, suite, {**words, name: one}) for one in value)
    value, extrapolated = _figure(figures, suite, words)
    if "over" in words:
        value /= _figure(figures, suite, {**words, **words["over"]})[0]
    mark = words.get("mark", "") if extrapolated else ""
    shown = str(words.get("as", PLAIN)).format(value) + mark
    return f"**{shown}**" if words.get("bold") else shown


def _figure(figures: Figures, suite: str, words: Mapping[str, Any]) -> tuple[float, bool]:
    """Return a figure, and whether it was extrapolated."""
    wanted = {
        name: value for name, value in words.items() if name not in _WORDS and value is not None
    }
    found = list(_matching(figures.of(words.get("from", "measured"), suite), wanted))
    told = ", ".join(f"{name}: {value}" for name, value in wanted.items())
    if not found:
        raise UsageError(f"no figure of {suite} has {told}")
    if len({record.value for record in found}) > 1:
        differ = sorted(
            {
                name
                for record in found
                for name, value in record.params.items()
                if any(other.params.get(name) != value for other in found)
            }
        )
        raise UsageError(f"several figures of {suite} have {told}: say {' or '.join(differ)}")
    figures.used += found
    return found[0].value, bool(found[0].params.get("extrapolated"))


def _matching(records: Iterable[Record], wanted: Mapping[str, Any]) -> Iterable[Record]:
    """Yield the records with these words; where a record has several, one of them is enough."""
    for record in records:
        words = {"metric": record.metric, **record.params}
        if all(_is(words.get(name), value) for name, value in wanted.items()):
            yield record


def _is(found: object, value: object) -> bool:
    return value in found if isinstance(found, list) else found == value
