"""Figures of others, as records with their source, to stand beside ours.

A figure is ``published`` if its authors printed it, and of ``public code`` if it was measured here
on the code that its authors made public; ``docs/public-code.md`` says how to do so again.
"""

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from cryptile.records import Record

PUBLISHED = "published"
PUBLIC_CODE = "public code"

_OF_THEIR_CODE = frozenset({"core", "impl", "origin", "source"})
"""What a figure of others says of their own code; ``impl`` is a list of ours where it says which
of them answer."""


@cache
def records(suite: str, origin: str | None = None) -> list[Record]:
    """Return a suite's figures of others, all or those of one origin.

    ``params["origin"]`` is ``PUBLISHED`` or ``PUBLIC_CODE``; ``params["source"]`` says where the
    figure is printed, or which code gave it, made by which compiler.
    """
    text = resources.files("cryptile").joinpath("data/published.json").read_text()
    found = [_record(item) for item in json.loads(text) if item["suite"] == suite]
    return [record for record in found if origin in (None, record.params["origin"])]


def of(records: Iterable[Record], origin: str) -> list[Record]:
    """Return those of some figures of others that have an origin."""
    return [record for record in records if record.params["origin"] == origin]


def answers(ours: Record, other: Record) -> bool:
    """Tell whether a figure of ours is for what one of others is for, on whatever core."""
    wanted = {name: value for name, value in other.params.items() if name not in _OF_THEIR_CODE}
    known = other.params.get("impl")
    return (
        (ours.metric, ours.unit) == (other.metric, other.unit)
        and wanted.items() <= ours.params.items()
        and (not isinstance(known, list) or ours.params.get("impl") in known)
    )


def _record(item: dict[str, Any]) -> Record:
    if "printed" in item:
        said = {"origin": PUBLISHED, "source": item["printed"]}
    else:
        how = item["measured"]
        again = f"; {how['note']}" if "note" in how else ""
        source = f"{how['code']}, {how['compiler']} {how['flags']}{again}"
        said = {"origin": PUBLIC_CODE, "source": source}
    return Record(
        item["suite"], item["metric"], item["value"], item["unit"], {**item["params"], **said}
    )
