"""Where the seconds of a test session went: files of tests, their fixtures, and what was built."""

import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from _pytest.terminal import TerminalReporter

from cryptile.toolchain import cache

LINES = 40


class Meter:
    """Seconds of the processor that this process, and what it ran and waited for, have used."""

    def __init__(self) -> None:
        self._last = sum(os.times()[:4])

    def since(self) -> float:
        """Return those since the last call."""
        last, self._last = self._last, sum(os.times()[:4])
        return self._last - last


@dataclass(eq=False)
class Spent:
    """Seconds of the processor, of all workers together; builds are seconds of the clock.

    ``keep`` is given those of each file at the end, if all passed.
    """

    keep: Callable[[dict[str, float]], None] = lambda measured: None
    start: float = field(default_factory=time.time)
    phases: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a phase of a test, of any worker: fixtures are made in ``setup``.

        What pytest-xdist reports itself, of a test whose worker died, took nobody knows how long.
        """
        path = report.nodeid.partition("::")[0]
        processor: float = getattr(report, "processor", 0.0)
        self.phases[path][report.when] += processor
        self.phases[path]["all"] += processor

    def pytest_terminal_summary(
        self, terminalreporter: TerminalReporter, exitstatus: pytest.ExitCode
    ) -> None:
        """Print the files that took longest, and what was built by kind."""
        terminal = terminalreporter
        files = {path: spent["all"] for path, spent in self.phases.items()}
        if exitstatus == pytest.ExitCode.OK:
            self.keep(files)
        total = sum(files.values())
        terminal.section(f"{total:.0f} seconds of the processor by file of tests: fixtures, tests")
        for path, spent in _most(files):
            setup, call = self.phases[path]["setup"], self.phases[path]["call"]
            terminal.write_line(f"{spent:7.1f} {setup:7.1f} {call:7.1f} {path}")
        builds = cache.built_since(self.start)
        if not builds:
            return
        seconds, number = Counter[str](), Counter[str]()
        for name, spent in builds:
            seconds[name] += spent
            number[name] += 1
        terminal.section(f"seconds of what was built, {sum(seconds.values()):.0f} in all: number")
        for name, spent in _most(seconds):
            terminal.write_line(f"{spent:7.1f} {number[name]:7} {name}")


def _most(seconds: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda item: -item[1])[:LINES]
