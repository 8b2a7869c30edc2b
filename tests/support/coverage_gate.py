"""At the end of a whole run of the tests: the coverage of the RTL, which has its say in the result.

It is looked at when tests have failed, too. What is below its floor stands at the very end of the
output, where nobody can miss it.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from _pytest.terminal import TerminalReporter

from support import coverage


class Gate:
    """The plugin; for a session that runs all tests."""

    def __init__(
        self, folder: Path = coverage.FOLDER, floors: Mapping[str, int] | None = None
    ) -> None:
        self.folder = folder
        self.floors = coverage.floors() if floors is None else floors
        self.unreachable = coverage.unreachable()
        self.tallies: Mapping[str, coverage.Tally] = {}
        self.complaints: list[str] = []
        self.failed = 0

    def pytest_sessionstart(self) -> None:
        """Forget what former sessions have reached."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Judge, unless tests were left out because one failed or someone stopped the session."""
        ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        if not ended or session.shouldfail or session.shouldstop:
            return
        self.failed = session.testsfailed
        reached = coverage.points(self.folder)
        self.tallies = coverage.summarise(reached, self.unreachable)
        self.complaints = coverage.complaints(self.tallies, self.floors)
        if reached:
            self.complaints += coverage.contradictions(reached, self.unreachable)
        if self.complaints:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Print what was reached of each file."""
        if not self.tallies:
            return
        terminalreporter.section("line and toggle coverage of the RTL (Verilator)")
        for line in coverage.report(self.tallies):
            terminalreporter.write_line(line)
        for line in coverage.risen(self.tallies, self.floors):
            terminalreporter.write_line(line, yellow=True)

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Print what is below its floor, after all else."""
        if not self.complaints:
            return
        writer = config.get_terminal_writer()
        reason = f"; {self.failed} failed tests may be why" if self.failed else ""
        writer.sep("=", f"files below their floors of coverage{reason}", red=True)
        for complaint in self.complaints:
            writer.line(complaint, red=True)
