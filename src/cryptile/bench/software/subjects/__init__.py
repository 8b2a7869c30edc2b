"""What ``cryptile bench software`` measures: each module here is a family."""

from importlib import import_module
from pkgutil import iter_modules

from cryptile.bench.software.subject import Family


def _found() -> dict[str, Family]:
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    return {module.FAMILY.name: module.FAMILY for module in modules}


FAMILIES = _found()
"""The families, by the word for ``--family``."""
