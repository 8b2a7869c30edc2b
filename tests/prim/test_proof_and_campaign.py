"""What is proved does no harm in a campaign: one knows nothing of the other."""

from pathlib import Path

import pytest

from cryptile.designs import load as designs
from cryptile.designs.load import Use
from cryptile.faults.shard import BAD, Verdict
from cryptile.netlist.make import netlist
from cryptile.prove import trial
from cryptile.prove.level import Level

TOY = str(Path(__file__).parents[1] / "faults" / "toy.yaml")
UPSETS = 400
"""Of a random sample: seconds for a design, once its machine is built."""
ALONE = {
    "tile_permit",
    "tile_lock",
    "tile_reset",
    "tile_queue",
    "tile_fetch",
    "tile_dispatch",
    "tile_complete",
    "tile_bus",
    "tile_lane",
}
"""Parts of the tile that are proven, and that no campaign takes out of it."""
QUICK = {
    "tile_control": ("detect", "correct"),
    "tile_guard": ("detect", "correct"),
    "tile_key_slots": ("detect",),
}
"""Of the others netlist, machine or proof take half a minute or more."""


def injected():
    """Every design that has a campaign, at every level of protection, in its smallest variant."""
    yield TOY, "sound", "detect"
    for name, entry in designs.names(Use.faults).items():
        small = next((word for word in ("least", "small") if word in entry.variants), entry.default)
        for level in entry.levels(small)[1:]:
            marks = () if level in QUICK.get(name, ()) else pytest.mark.soak
            yield pytest.param(name, small, level, marks=marks)


def harm(design):
    """What upsets of a sample do that no level allows."""
    counts = trial.campaign(design, netlist(design.source), UPSETS)
    assert counts.total() == UPSETS
    assert counts[Verdict.detected] + counts[Verdict.corrected] > 0
    kinds = BAD if design.protect == Level.detect else (*BAD, Verdict.detected)
    return {kind: counts[kind] for kind in kinds if counts[kind]}


def proved(design):
    """Whether the proof holds of the netlist that the campaign runs, and so of what it harms."""
    return not trial.proved(netlist(design.source), design).finding


@pytest.mark.parametrize(("name", "variant", "level"), list(injected()))
def test_what_is_proved_does_no_harm(name, variant, level):
    """For AES see also test_proof.py and, every upset, test_faults_campaign.py."""
    design = designs.load(name, variant, level)
    found = harm(design)
    assert not (found and proved(design)), found


def test_every_design_that_is_proved_has_a_campaign():
    """At every level; but for parts that have no port of an engine, and none around them."""
    proved = {(name, level) for name, _, level in designs.protected()}
    held = {(entry.values if hasattr(entry, "values") else entry)[::2] for entry in injected()}
    assert {name for name, _ in proved - held} == ALONE


def test_the_campaign_tells_of_harm_where_there_is_no_proof():
    """Were it blind, nothing above could fail."""
    design = designs.load(TOY, "sound", "correct")
    assert harm(design)
    assert not proved(design)


def test_the_toy_and_the_guard_are_among_what_is_proved():
    """Were nothing proved, nothing above could fail."""
    for name, variant, level in ((TOY, "sound", "detect"), ("tile_guard", "small", "correct")):
        assert proved(designs.load(name, variant, level))
