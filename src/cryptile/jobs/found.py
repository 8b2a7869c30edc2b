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
    return _all("KINDS")


@cache
def outcomes() -> dict[str, Callable[[Job], Outcome]]:
    """Return what tells what a job gives, by its kind: every ``OUTCOMES`` of this folder."""
    return _all("OUTCOMES")


@cache
def measured() -> dict[str, tuple[MakeMeasured, int]]:
    """Return the kinds of measured jobs, each with its period in beats: every ``MEASURED``."""
    return _all("MEASURED")


def _all(name: str) -> dict[str, Any]:
    """Join what the modules of this folder have under a name; no key may stand twice."""
    joined: dict[str, Any] = {}
    for module in iter_modules(jobs.__path__):
        found = getattr(import_module(f"{jobs.__name__}.{module.name}"), name, {})
        if twice := joined.keys() & found.keys():
            raise ValueError(f"{module.name}.{name}: another module has {', '.join(sorted(twice))}")
        joined |= found
    return joined
