"""The bill of materials names all that is pinned or fetched, and is fresh."""

import json
from importlib import metadata

import pytest
from packaging.specifiers import SpecifierSet

from cryptile import sbom
from cryptile.errors import CryptileError
from cryptile.project import ROOT


def components():
    return json.loads(sbom.FILE.read_text())["components"]


def test_it_is_fresh():
    assert sbom.FILE.read_text() == sbom.bill(), "run 'cryptile sbom'"


def test_every_pin_is_in_it_once():
    pinned = {
        f"pkg:pypi/{name}@{version}"
        for path in (ROOT / "constraints.txt", ROOT / "examples/litex/requirements.txt")
        for name, version in sbom.pins(path).items()
    }
    listed = [item["purl"] for item in components() if item["purl"].startswith("pkg:pypi/")]
    assert len(pinned) > 100
    assert sorted(listed) == sorted(pinned)


def test_every_pin_runs_on_the_python_of_debian_12():
    """Which has 3.11.2: a machine with a later one would not tell."""
    asks = {
        name: metadata.metadata(name).get("Requires-Python") or ""
        for name in sbom.pins(ROOT / "constraints.txt")
    }
    assert len(asks) > 100
    assert [name for name, said in asks.items() if not SpecifierSet(said).contains("3.11.2")] == []


def test_what_is_fetched_has_a_hash():
    fetched = [item for item in components() if item["type"] == "data"]
    assert len(fetched) >= 5
    assert all(len(item["hashes"][0]["content"]) == 64 for item in fetched)


def test_everything_has_a_licence():
    for item in components():
        (choice,) = item["licenses"]
        text = choice.get("expression") or next(iter(choice["license"].values()))
        assert text and text != "UNKNOWN", item["name"]


def test_a_licence_that_nobody_knows_is_told(monkeypatch):
    monkeypatch.setattr(sbom, "_DEBIAN", {})
    with pytest.raises(
        CryptileError, match="Debian packages are not known: bc, bison, build-essential"
    ):
        sbom.bill()


def test_references_are_unique():
    names = [item["bom-ref"] for item in components()]
    assert len(names) == len(set(names))
