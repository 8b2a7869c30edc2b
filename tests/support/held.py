"""Holds what a run measured against the figures that the documents state."""

from typing import Any

import pytest

from cryptile.figures.store import Store


def compare(
    records: list[dict[str, Any]], *metrics: str, whole: bool = False, rel: float = 1e-12
) -> int:
    """Check all records of some metrics that were kept, and return how many there were.

    Args:
        records: of one suite, as ``--json`` writes them.
        metrics: what is compared; none: all.
        whole: nothing that was kept may be missing.
        rel: how far a figure may be from what was kept, as a part of it.
    """
    (suite,) = {record["suite"] for record in records}
    known = [record for record in Store().records(suite) if not metrics or record.metric in metrics]
    kept = {_key(record.metric, record.params): record.value for record in known}
    seen = {_key(item["metric"], item["params"]): item["value"] for item in records}
    both = kept.keys() if whole else kept.keys() & seen.keys()
    assert {key: seen.get(key) for key in both} == {
        key: pytest.approx(kept[key], rel=rel) for key in both
    }
    return len(both)


def _key(metric: str, params: dict[str, Any]) -> tuple[str, ...]:
    return metric, *sorted(f"{name}: {value}" for name, value in params.items())
