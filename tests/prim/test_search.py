"""Questions that take a search."""

from functools import reduce

import pytest

from cryptile.netlist.make import netlist
from cryptile.prove import search
from cryptile.prove.equal import Reference
from cryptile.prove.forms import ONE, Forms
from cryptile.prove.primitives import primitives
from cryptile.prove.search import Search, UndecidedError


def test_a_search_without_an_end_is_no_answer(monkeypatch):
    """Neither yes nor no: each would be a verdict that nothing stands behind."""
    monkeypatch.setattr(search, "MOST_CONFLICTS", 100)
    pigeons, holes = 9, 8
    forms = Forms()
    sits = [[forms.variable() for _ in range(holes)] for _ in range(pigeons)]
    rules = [reduce(lambda a, b: forms.gate("or", [a, b]), row) for row in sits]
    rules += [
        forms.product(first[hole], second[hole]) ^ ONE
        for place, first in enumerate(sits)
        for second in sits[:place]
        for hole in range(holes)
    ]
    asked = Search(forms)
    with pytest.raises(UndecidedError, match="undecided after 100 conflicts"):
        asked.possible(*rules)
    assert asked.possible(*rules[:1])
    monkeypatch.setattr(search, "MOST_CONFLICTS", 10_000_000)
    assert not asked.possible(*rules)


def test_what_is_undecided_is_not_called_the_same(monkeypatch):
    """Nor is it an error, which would end a table of mutants."""
    plain = netlist(primitives()[0].source)
    assert Reference(plain).same(plain)
    monkeypatch.setattr(Search, "equal", _gives_up)
    assert not Reference(plain).same(plain)


def _gives_up(*_):
    raise UndecidedError("long")
