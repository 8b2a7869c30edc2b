"""Holds what a run measured against the figures that the documents state."""

from typing import Any

import pytest

from cryptile.figures import store


def compare(records: list[dict[str, Any]], metric: str, **tolerance: float) -> int:
    """Check all records of a metric that were kept, and return how many there were.

    Args:
        records: of one suite, as ``--json`` writes them.
        metric: what is compared.
        tolerance: of ``pytest.approx``; none: figures are exact.
    """
    (suite,) = {record["suite"] for record in records}
    known = [record for record in store.records(suite) if record.metric == metric]
    kept = {_key(record.params): record.value for record in known}
    seen = {_key(item["params"]): item["value"] for item in records if item["metric"] == metric}
    both = kept.keys() & seen.keys()
    wanted = {key: pytest.approx(kept[key], **tolerance) for key in both}
    assert {key: seen[key] for key in both} == (wanted if tolerance else {k: kept[k] for k in both})
    return len(both)


def _key(params: dict[str, Any]) -> tuple[str, ...]:
    return tuple(sorted(f"{name}: {value}" for name, value in params.items()))
