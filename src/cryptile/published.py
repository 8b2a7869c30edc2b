"""Figures that others published, as records with their source, to stand beside ours."""

import json
from functools import cache
from importlib import resources

from cryptile.records import Record


@cache
def records(suite: str) -> list[Record]:
    """Return the published records of a suite; ``params["source"]`` says where they stand."""
    text = resources.files("cryptile").joinpath("data/published.json").read_text()
    return [
        Record(
            item["suite"],
            item["metric"],
            item["value"],
            item["unit"],
            {**item["params"], "source": item["source"]},
        )
        for item in json.loads(text)
        if item["suite"] == suite
    ]
