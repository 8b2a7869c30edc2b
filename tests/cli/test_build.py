"""``cryptile build``: every model that other commands would build, ahead."""

import threading

import pytest
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.errors import CryptileError
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


@pytest.mark.parametrize(("words", "at_once"), [(["--workers", "1"], 1), (["--workers", "2"], 2)])
def test_as_many_at_once_as_asked_for(monkeypatch, words, at_once):
    lock, now, most = threading.Lock(), [0], [0]
    together = threading.Event()

    def build(self, **chosen):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
            if now[0] == at_once:
                together.set()
        assert together.wait(60)
        with lock:
            now[0] -= 1
        return "a model"

    monkeypatch.setattr(System, "build", build)
    assert CliRunner().invoke(app, ["build", "mcu", *words]).exit_code == 0
    assert most == [at_once]


def test_a_build_that_fails_ends_the_command_and_those_that_wait(monkeypatch):
    begun = []

    def build(self, **chosen):
        begun.append(chosen)
        raise CryptileError("no compiler")

    monkeypatch.setattr(System, "build", build)
    ended = CliRunner().invoke(app, ["build", "--workers", "1"])
    assert str(ended.exception) == "no compiler"
    assert ended.exit_code != 0
    assert len(begun) < 5
