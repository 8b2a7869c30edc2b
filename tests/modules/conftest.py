"""A place for modules that are written by tests."""

import re

import pytest

from cryptile.project import BUILD


@pytest.fixture
def folder(request):
    """Where Yosys sees files: it sees none in a temporary folder."""
    path = BUILD / "tests" / re.sub(r"\W+", "-", request.node.name)
    path.mkdir(parents=True, exist_ok=True)
    for old in path.iterdir():
        if old.is_file():
            old.unlink()
    return path
