"""The proof that an upset of the DRBG changes nothing, or lets nothing out; it fails if cut."""

import dataclasses
import itertools

import pytest
from support.netlists import first_of_each, gated, put_for

from cryptile.designs import load as designs
from cryptile.designs.load import Use
from cryptile.errors import UsageError
from cryptile.netlist.gates import ZERO
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof

LEVELS = ["correct", "detect"]


def first(*cases):
    """Give cases to ``parametrize``, of which all but the first are for ``make soak``."""
    return list(first_of_each(cases, others=pytest.mark.soak))


def design(level):
    return designs.load("drbg", None, level, Use.prove)


def findings(level, change=lambda plain: plain, **said):
    known = design(level)
    hints = dataclasses.replace(known.hints, **said)
    return proof(change(netlist(known.source)), level, known.log, hints).run().findings


@pytest.mark.parametrize("level", LEVELS)
def test_an_upset_is_harmless_or_told(level):
    assert findings(level) == []


def test_nothing_comes_out_under_the_alarm():
    """The block that an upset has reached would be given as random bits."""

    def loud(plain):
        return put_for(plain, "u_core.out_valid_o", "u_core.valid_q")

    found = findings("detect", loud)
    assert found
    assert all("lets a beat leave under the alarm" in text for text in found)
    assert findings("detect", loud, silent=()) == []


@pytest.mark.parametrize("net", first(("wipe",), ("u_aes.clear_i",), ("seeded_q",), ("valid_q",)))
def test_the_alarm_wipes_the_instance(net):
    """Key, V and what they go through; and it no longer offers a block, nor gives any."""

    def kept(plain):
        (fault,) = plain.aliases["u_core.fault"]
        (named,) = plain.aliases[f"u_core.{net}"]
        if named not in plain.aliases["u_core.control_q"]:
            return gated(plain, named, "andnot", fault)
        place = plain.aliases["u_core.control_q"].index(named)
        return gated(plain, plain.aliases["u_core.control_d"][place], "or", fault)

    found = findings("detect", kept, clears={})
    assert found
    assert all("leaves something in u_core." in text for text in found)
    assert findings("detect", kept, wiped=(), clears={}) == []


@pytest.mark.parametrize(
    ("net", "level"), first(*itertools.product(["wipe", "u_aes.clear_i"], LEVELS[::-1]))
)
def test_clear_wipes_the_instance(net, level):
    def kept(plain):
        (clear,), (named,) = plain.aliases["clear_i"], plain.aliases[f"u_core.{net}"]
        return gated(plain, named, "andnot", clear)

    alone = {"lemmas": design(level).hints.lemmas[:1], "wiped": ()}
    found = findings(level, kept, **alone)
    assert found
    assert all("is not zero behind clear_i" in text for text in found)
    assert findings(level, kept, **alone, clears={}) == []


@pytest.mark.parametrize(
    "name", first(("cmd_ready_o",), ("ent_ready_o",), ("add_ready_o",), ("done_valid_o",))
)
def test_nothing_is_taken_under_the_alarm(name):
    def loud(plain):
        (net,), (fault,) = (plain.aliases[f"u_core.{one}"] for one in (name, "fault"))
        return gated(plain, net, "or", fault)

    found = findings("detect", loud)
    assert found
    assert all("lets a beat leave under the alarm" in text for text in found)
    assert findings("detect", loud, silent=("out_valid_o",)) == []


@pytest.mark.parametrize("bit", first((0,), (1,)))
def test_behind_the_alarm_it_rests_or_tells_of_it(bit):
    """Bit 1 of the state is none of those two; bit 0 of the status would make another one."""
    word, kind = (("state_d", "or"), ("status_d", "andnot"))[1 - bit]

    def astray(plain):
        (fault,) = plain.aliases["u_core.fault"]
        return gated(plain, plain.aliases[f"u_core.{word}"][bit], kind, fault)

    found = findings("detect", astray)
    assert found
    assert all("makes false behind the alarm: u_core.state_q == 0" in text for text in found)
    assert findings("detect", astray, behind=()) == []


@pytest.mark.parametrize("level", LEVELS)
def test_an_upset_that_is_not_told_is_found(level):
    signal = {"correct": "corrected_o", "detect": "detected_o"}[level]
    assert findings(level, lambda plain: put_for(plain, f"u_core.{signal}", ZERO))


@pytest.mark.parametrize("level", LEVELS)
def test_before_the_first_clock_nothing_is_told(level):
    """Registers without a reset hold anything then: the proof says so, if the lemma is left out."""
    assert findings(level, lemmas=())


def test_what_is_not_there_cannot_be_silent():
    with pytest.raises(UsageError, match="nothing is named 'no_such_net'"):
        findings("detect", silent=("no_such_net",))
