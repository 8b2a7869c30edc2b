"""What the modules of this folder give: each names its kinds of jobs itself."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from random import Random
from typing import Any

from cryptile import jobs
from cryptile.jobs.job import Job
from cryptile.jobs.outcome import Outcome

Make = Callable[[Random, int, int], list[Job]]
"""Makes jobs from a generator, a number of jobs and a number of bytes."""

MakeMeasured = Callable[[Random, int], tuple[Job, bytes]]
"""Makes a job of so many bytes and the output that must come of it."""


@cache
def kinds() -> dict[str, Make]:
    """Return the kinds of random jobs: every ``KINDS`` of this folder."""
    return {name: make for found in _all("KINDS") for name, make in found.items()}


@cache
def outcomes() -> dict[str, Callable[[Job], Outcome]]:
    """Return what tells what a job gives, by its kind: every ``OUTCOMES`` of this folder."""
    return {name: outcome for found in _all("OUTCOMES") for name, outcome in found.items()}


@cache
def measured() -> dict[str, tuple[MakeMeasured, int]]:
    """Return the kinds of measured jobs, each with its period in beats: every ``MEASURED``."""
    return {name: kind for found in _all("MEASURED") for name, kind in found.items()}


def _all(name: str) -> list[dict[str, Any]]:
    modules = [f"{jobs.__name__}.{module.name}" for module in iter_modules(jobs.__path__)]
    return [getattr(import_module(module), name, {}) for module in modules]
