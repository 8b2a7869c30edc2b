"""``cryptile build``: every model that other commands would build, ahead."""

import pytest
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.systems import SYSTEMS, System


@pytest.fixture
def built(monkeypatch):
    found = []

    def build(self, **chosen):
        found.append((self.name, chosen))
        return f"/models/{self.name}"

    monkeypatch.setattr(System, "build", build)
    return found


def test_all_are_built_and_named(built):
    ended = CliRunner().invoke(app, ["build"])
    assert ended.exit_code == 0, ended.output
    assert {name for name, _ in built} == set(SYSTEMS) == {"mcu", "stream", "tile"}
    for variant in SYSTEMS["mcu"].words("variant"):
        assert ("mcu", variant) in {(name, chosen.get("variant")) for name, chosen in built}
    assert len(ended.output.splitlines()) == len(built)


def test_only_what_is_named_is_built(built):
    assert CliRunner().invoke(app, ["build", "tile"]).exit_code == 0
    assert [name for name, _ in built] == ["tile"]
    assert CliRunner().invoke(app, ["build", "nosuch"]).exit_code == 2
