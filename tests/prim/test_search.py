"""Questions that take a search."""

import ast
import dataclasses
import re
from functools import reduce
from pathlib import Path

import pytest

import cryptile
from cryptile.netlist.gates import FlipFlop, Gate, Netlist
from cryptile.netlist.make import netlist
from cryptile.prove import search
from cryptile.prove.equal import Reference
from cryptile.prove.forms import ONE, ZERO, Forms
from cryptile.prove.primitives import primitives
from cryptile.prove.search import Search, UndecidedError

SOURCES = Path(cryptile.__file__).parent


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


def test_netlists_are_compared_where_a_net_is_known_to_be_zero():
    """It is so where both of its factors are not one: more is not known of either."""
    q, data, reset = 3, 4, 5
    flop = FlipFlop("q", data, q)

    def made(*gates):
        inputs = {"d": (data,), "rst_ni": (reset,)}
        return Netlist("top", inputs, {"alarm": (6,), "o": (7,)}, (flop,), gates, {}, {})

    alarm = Gate("and", (q, data), 6)
    plain = made(alarm, Gate("or", (6, reset), 7))
    without = made(alarm, Gate("buf", (reset,), 7))
    rarer = made(Gate("and", (8, data), 6), Gate("or", (6, reset), 7))
    rarer = dataclasses.replace(rarer, gates=(Gate("and", (q, reset), 8), *rarer.gates))
    other = made(alarm, Gate("or", (q, reset), 7))
    more = made(Gate("buf", (q,), 6), Gate("or", (6, reset), 7))
    assert Reference(plain, [6]).same(plain)
    assert Reference(plain, [6]).same(without)
    assert Reference(plain, [6]).same(rarer)
    assert not Reference(plain, [6]).same(other)
    assert not Reference(plain, [6]).same(more)
    assert not any(Reference(plain).same(one) for one in (without, rarer, other, more))


def test_the_parity_of_a_word_behind_multiplexers_takes_no_search():
    """A check bit that is chosen like its word, and the parity of what is chosen."""
    forms = Forms()
    asked = Search(forms)
    width = 24
    words = [[forms.variable() for _ in range(width)] for _ in range(4)]
    choices = [forms.variable() for _ in range(3)]
    word, check = words[0], forms.total(words[0])
    for other, choice in zip(words[1:], choices, strict=True):
        word = [forms.gate("mux", [a, b, choice]) for a, b in zip(word, other, strict=True)]
        check = forms.gate("mux", [check, forms.total(other), choice])
    assert asked.equal(check, forms.total(word))
    assert asked.calls == 0
    assert not asked.equal(check, forms.total(word[1:]))
    assert asked.calls == 1


def test_a_sum_is_never_made_of_itself():
    """A search that follows what a form is made of would not end."""
    forms = Forms()
    word = forms.total(forms.variable() for _ in range(3))
    assert forms.sum(word, ZERO) == word
    assert word not in forms.summands.get(word, ())
    assert Search(forms).possible(word)


def test_what_is_forgotten_leaves_what_was_there():
    """Older sums stay, and are not made of what is gone: their numbers will mean something else."""
    forms = Forms()
    a, b, c = (forms.variable() for _ in range(3))
    kept = forms.product(a, forms.sum(b, c))
    factors, summands = dict(forms.factors), dict(forms.summands)
    mark = forms.mark()
    late = forms.product(a, b)
    forms.unknown("?", [late])
    assert forms.sum(forms.sum(a, late), forms.sum(b, late)) == forms.sum(a, b)
    forms.forget(mark)
    assert forms.factors == factors
    assert forms.summands == summands
    assert forms.product(a, forms.sum(b, c)) == kept
    assert forms.variable() == late
    assert forms.product(a, b) != late
    assert forms.unknown("?", [late]) != forms.product(a, b)


def test_forms_are_added_by_forms_alone():
    """As numbers they can only be inverted: another ``^`` gives the number of any other form."""
    others = {"apart.py", "code.py", "forms.py", "near.py", "walk.py"}  # of no forms
    files = [file for file in (SOURCES / "prove").rglob("*.py") if file.name not in others]
    sums = [
        ast.unparse(node)
        for file in files
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.BitXor)
    ]
    inverted = re.compile(r".* \^ (ONE|value|\w+ >> place & 1)")
    assert len(sums) > 100
    assert [text for text in sums if not inverted.fullmatch(text)] == []


def _gives_up(*_):
    raise UndecidedError("long")
