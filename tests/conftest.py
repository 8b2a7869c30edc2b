"""Shared helpers for every test folder; at the end of a whole run, coverage and where time went."""

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from support import cocotb_runner, coverage, order, spent

MINIMUM_COVERAGE = 0.90


def _is_worker(config):
    return hasattr(config, "workerinput")


def _is_whole_run(config):
    everything = not config.option.keyword and config.option.markexpr == "not soak"
    return config.args == ["tests"] and everything


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Before xdist, which reads the groups."""
    order.arrange(items)


def pytest_collection_finish(session):
    if getattr(session.config.option, "loadgroup", False):
        order.check(session.items)


def pytest_configure(config):
    if not _is_worker(config) and _is_whole_run(config):
        config.spent = spent.Spent()
        config.pluginmanager.register(config.spent)


def pytest_sessionstart(session):
    if not _is_worker(session.config) and _is_whole_run(session.config):
        shutil.rmtree(cocotb_runner.COVERAGE, ignore_errors=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    if _is_worker(session.config) or not _is_whole_run(session.config) or exitstatus != 0:
        return
    session.config.coverage = coverage.summarise(cocotb_runner.COVERAGE)
    if coverage.total(session.config.coverage).share < MINIMUM_COVERAGE:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    if hasattr(config, "spent"):
        config.spent.print(terminalreporter)
    tallies = getattr(config, "coverage", None)
    if tallies is None:
        return
    terminalreporter.section("line and toggle coverage of the RTL (Verilator)")
    for name, tally in tallies.items():
        terminalreporter.write_line(f"{tally.share:7.1%} {tally.hit:7}/{tally.total:<7} {name}")
    whole = coverage.total(tallies)
    terminalreporter.write_line(
        f"{whole.share:7.1%} {whole.hit:7}/{whole.total:<7} all; "
        f"at least {MINIMUM_COVERAGE:.0%} wanted"
    )
