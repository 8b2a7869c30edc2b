"""Jobs are found by folder: none may be missing, and none may hide another."""

import pytest

from cryptile import catalog
from cryptile.jobs import copy, found, keccak


def test_every_engine_has_jobs_and_says_what_they_give():
    engines = {name for name, engine in catalog.engines().items() if engine.rtl}
    assert engines <= found.kinds().keys()
    assert engines <= found.outcomes().keys()


def test_two_kinds_of_one_name_are_refused(monkeypatch):
    monkeypatch.setattr(copy, "KINDS", keccak.KINDS)
    with pytest.raises(ValueError, match="another module has keccak"):
        found.kinds.__wrapped__()
