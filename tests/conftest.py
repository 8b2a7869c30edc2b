"""Shared helpers for every test folder; at the end of a whole run, coverage and where time went."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from support import failures, order, soak, spent
from support.coverage_gate import Gate

METER = spent.Meter()


def _is_worker(config):
    return hasattr(config, "workerinput")


def _is_run(config, expression):
    option = config.option
    return not option.keyword and option.markexpr == expression and not option.collectonly


def _is_whole_run(config, expression="not soak"):
    return config.args == ["tests"] and _is_run(config, expression)


def _is_soak_of_files(config):
    return _is_run(config, "soak") and not any("::" in path for path in config.args)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Before xdist, which reads the groups."""
    order.arrange(items)


def pytest_collection_finish(session):
    if getattr(session.config.option, "loadgroup", False):
        order.check(session.items)


def pytest_configure(config):
    if _is_worker(config):
        return
    config.pluginmanager.register(failures.Named(config))
    if _is_whole_run(config):
        config.pluginmanager.register(Gate())
        config.pluginmanager.register(spent.Spent())
    elif _is_soak_of_files(config):
        config.pluginmanager.register(spent.Spent(soak.keep))


def pytest_report_header(config):
    return soak.forecast(soak.seconds()) if _is_whole_run(config, "soak") else []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """In the worker, after each phase of a test."""
    report = yield
    report.processor = METER.since()
    return report
