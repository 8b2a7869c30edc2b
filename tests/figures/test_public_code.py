"""Figures of others say where they come from, and the page on public code has each of its rows."""

import json
from importlib import resources

import pytest

from cryptile import published
from cryptile.project import ROOT

ITEMS = json.loads((resources.files("cryptile") / "data/published.json").read_text())
MEASURED = [item for item in ITEMS if "measured" in item]
SOFTWARE = [item for item in MEASURED if item["suite"] == "software"]


def test_every_figure_has_one_origin():
    for item in ITEMS:
        assert ("printed" in item) != ("measured" in item), item
        assert item.get("printed") or all(item["measured"][word] for word in ("code", "compiler"))


def test_what_was_measured_here_is_not_called_published():
    suites = {item["suite"] for item in ITEMS}
    records = [record for suite in suites for record in published.records(suite)]
    for origin, word in ((published.PUBLISHED, "printed"), (published.PUBLIC_CODE, "measured")):
        expected = [item["value"] for item in ITEMS if word in item]
        assert sorted(record.value for record in published.of(records, origin)) == sorted(expected)


def test_what_was_measured_can_be_measured_again():
    for item in MEASURED:
        if item["suite"] == "software":
            assert item["params"]["core"] == "model:loaduse2"
            assert item["measured"]["files"] and item["measured"]["call"]
        else:
            assert "commit" in item["measured"]["code"] and item["measured"]["flags"]


@pytest.mark.parametrize("item", SOFTWARE, ids=lambda item: item["params"]["alg"])
def test_the_page_has_the_row(item):
    how = item["measured"]
    value = item["value"]
    shown = f"{value:,.2f} cycles/byte" if item["unit"] == "cycles/byte" else f"{value:,} cycles"
    cells = [shown, how["code"], how["files"], how["call"], f"`{how['flags']}`"]
    assert f"| {' | '.join(cells)} |" in (ROOT / "docs/public-code.md").read_text()
