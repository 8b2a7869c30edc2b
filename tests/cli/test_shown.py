"""Long work is not silent, with a terminal or without."""

import io
import logging
import subprocess
import sys
import threading

import pytest
from rich.console import Console
from rich.progress import TextColumn

from cryptile.commands import shown
from cryptile.toolchain import cache


@pytest.fixture
def log(caplog):
    caplog.set_level(logging.INFO, "cryptile")
    return caplog


@pytest.fixture
def cache_here(monkeypatch, tmp_path):
    monkeypatch.setattr(cache, "BUILD", tmp_path)


def bar(*, terminal):
    return shown.Shown(
        TextColumn("{task.description}"),
        console=Console(file=io.StringIO(), force_terminal=terminal),
    )


def test_a_build_says_what_it_makes_how_long_it_will_take_and_took(log, cache_here):
    cache.build("x", "key", lambda folder: folder.touch(), what="a model", seconds=200)
    assert log.messages == [
        "building a model (once, about 3 min on two idle cores)",
        "built a model in 0 s",
    ]


def test_what_is_there_is_not_announced(log, cache_here):
    cache.build("x", "key", lambda folder: folder.touch())
    cache.build("x", "key", lambda folder: folder.touch(), what="a model")
    assert log.messages == []


def test_a_build_that_fails_was_announced_and_is_not_told_as_built(log, cache_here):
    with pytest.raises(ZeroDivisionError):
        cache.build("x", "key", lambda folder: 1 / 0, what="a model")
    assert log.messages == ["building a model (once)"]


def test_a_wait_for_another_build_is_said_once(log, cache_here):
    begun, told = threading.Event(), threading.Event()

    def slow(folder):
        begun.set()
        assert told.wait(60)

    class Telling(logging.Handler):
        def emit(self, record):
            if "waiting" in record.getMessage():
                told.set()

    handler = Telling()
    logging.getLogger("cryptile").addHandler(handler)
    try:
        first = threading.Thread(target=cache.build, args=("x", "key", slow))
        first.start()
        assert begun.wait(60)
        cache.build("x", "key", lambda folder: pytest.fail("made twice"), what="a model")
        first.join()
    finally:
        logging.getLogger("cryptile").removeHandler(handler)
    assert log.messages == ["waiting for a model, which another process builds"]


@pytest.mark.parametrize(("terminal", "said"), [(True, []), (False, ["first", "second"])])
def test_each_part_has_a_line_where_there_is_no_bar(log, terminal, said):
    with bar(terminal=terminal) as progress:
        task = progress.add_task("", total=2)
        progress.begin(task, "first")
        progress.advance(task)
        progress.begin(task, "second")
    assert log.messages == said


def test_nothing_is_left_where_there_is_no_terminal():
    """An error is one line, then: rich would put an empty one in front of it."""
    written = io.StringIO()
    console = Console(file=written, force_terminal=False)
    with shown.Shown(TextColumn("{task.description}"), console=console) as progress:
        progress.add_task("work")
    assert written.getvalue() == ""


def test_a_long_part_says_how_far_it_is(log, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(shown.time, "monotonic", lambda: now[0])
    with bar(terminal=False) as progress:
        task = progress.add_task("faults", total=100)
        for done in range(100):
            now[0] += 1.0
            progress.update(task, completed=done)
    assert len(log.messages) == 3
    assert log.messages[0].startswith("faults: 29 %")


def test_what_the_package_logs_goes_to_standard_error():
    program = (
        "import logging, sys; from cryptile import cli; sys.argv = ['cryptile', '--version']\n"
        "try: cli.main()\n"
        "finally: logging.getLogger('cryptile.toolchain').info('building a model')"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ended.stderr == "cryptile: building a model\n"
