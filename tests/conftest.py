"""Shared helpers for every test folder; at the end of a whole run, coverage and where time went."""

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from support import coverage, order, spent

METER = spent.Meter()


def _is_worker(config):
    return hasattr(config, "workerinput")


def _is_whole_run(config, expression="not soak"):
    everything = not config.option.keyword and config.option.markexpr == expression
    return config.args == ["tests"] and everything


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Before xdist, which reads the groups."""
    order.arrange(items)


def pytest_collection_finish(session):
    if getattr(session.config.option, "loadgroup", False):
        order.check(session.items)


def pytest_configure(config):
    whole = _is_whole_run(config) or _is_whole_run(config, "soak")
    if not _is_worker(config) and whole:
        config.spent = spent.Spent()
        config.pluginmanager.register(config.spent)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """In the worker, after each phase of a test."""
    report = yield
    report.processor = METER.since()
    return report


def pytest_sessionstart(session):
    if not _is_worker(session.config) and _is_whole_run(session.config):
        shutil.rmtree(coverage.FOLDER, ignore_errors=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    if _is_worker(session.config) or not _is_whole_run(session.config) or exitstatus != 0:
        return
    session.config.coverage = coverage.summarise()
    if coverage.complaints(session.config.coverage, coverage.floors()):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    if hasattr(config, "spent"):
        config.spent.print(terminalreporter)
    tallies = getattr(config, "coverage", None)
    if tallies is None:
        return
    terminalreporter.section("line and toggle coverage of the RTL (Verilator)")
    for line in coverage.report(tallies):
        terminalreporter.write_line(line)
    for line in coverage.risen(tallies, coverage.floors()):
        terminalreporter.write_line(line, yellow=True)
    for complaint in coverage.complaints(tallies, coverage.floors()):
        terminalreporter.write_line(complaint, red=True)
