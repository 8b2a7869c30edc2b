"""Whatever protects is removed or weakened; proof and campaign are held against each other."""

import dataclasses
import subprocess
from pathlib import Path

import pytest

from cryptile import tools
from cryptile.errors import CryptileError
from cryptile.faults import designs
from cryptile.faults.shard import BAD, Verdict
from cryptile.netlist.make import netlist
from cryptile.prove import catalogue, trial
from cryptile.prove.mutate import Mutant, of_netlist, of_rtl
from cryptile.prove.trial import Fate

TOY = str(Path(__file__).parents[1] / "faults" / "toy.yaml")
UPSETS = 400
MUTE = "StatusFaultDetected: StatusOk"
SAYS_MORE = {"dropped: control.full"}
"""An alarm about a register that holds nothing keeps the promise: it ends jobs without need."""


def small(name, level):
    return designs.load(name, "small" if name == "tile_guard" else None, level)


def test_no_mutant_of_the_toy_survives():
    design = designs.load(TOY, None, "detect")
    fates = {}
    for tried in trial.trials(design, trial.mutants(design, None, 1)):
        fates.setdefault(tried.fate, []).append(tried)
    assert len(fates[Fate.killed]) >= 17
    assert Fate.hole not in fates
    assert {tried.mutant.mutation for tried in fates.get(Fate.survives, [])} == SAYS_MORE


def test_a_mutant_that_does_harm_is_never_called_equal():
    """With a proof that finds nothing the campaign must tell."""
    design = designs.load(TOY, None, "detect")
    plain = netlist(design.source)
    assert not trial.outcomes(design, plain).harm
    (deaf,) = (m for m in of_netlist(plain) if m.site == "gen_detect.u_data.detected_o")
    (mute,) = (m for m in of_rtl(design.source, "detect") if m.mutation == MUTE)
    for mutant in (deaf, mute):
        assert trial.outcomes(design, mutant.make()).harm[Verdict.silent]


@pytest.mark.parametrize(
    ("name", "level"),
    [(TOY, "detect"), ("tile_guard", "correct")],
    ids=["toy-detect", "tile_guard-correct"],
)
def test_what_is_proved_does_no_harm_in_a_campaign(name, level):
    """For AES see test_proof.py and, every upset, test_faults_campaign.py."""
    design = small(name, level)
    plain = netlist(design.source)
    assert trial.proved(plain, design) == (False, "")
    counts = trial.campaign(design, plain, UPSETS)
    assert counts.total() == UPSETS
    assert not any(counts[kind] for kind in BAD)
    assert counts[Verdict.detected if level == "detect" else Verdict.corrected] > UPSETS // 4


def test_a_proof_that_stops_kills_nothing(monkeypatch):
    """Were it called killed, a prover that cannot read a netlist would pass for one that can."""
    design = designs.load(TOY, None, "detect")
    plain = netlist(design.source)
    renamed = dataclasses.replace(plain, names={})
    silent = dataclasses.replace(plain, outputs={**plain.outputs, "fault_corrected_o": (0,)})

    def stops(changed, *_):
        if changed is plain:
            return real(changed, *_)
        raise KeyError(0)

    real = trial.proof
    monkeypatch.setattr(trial, "netlist", lambda source: plain)
    monkeypatch.setattr(trial, "proof", stops)
    todo = [Mutant("", text, lambda m=m: m) for text, m in (("names", renamed), ("mute", silent))]
    same, mute = trial.trials(design, todo)
    assert same.fate is Fate.same
    # Outputs are part of a netlist: this one has the same gates.
    assert (mute.fate, mute.proof) == (Fate.stopped, "no proof: KeyError 0")
    assert Fate.stopped in trial.BAD_FATES


def test_outcomes_are_compared_upset_by_upset():
    """Two that change places leave the sums as they are."""
    design = designs.load(TOY, None, "detect")
    found = trial.outcomes(design, netlist(design.source))
    names = list(found.names)
    swapped = {kind: found.classes.copy() for kind in ("places", "times")}
    row = next(row for row in found.classes if (row != row[0]).any())
    place = next(i for i, other in enumerate(found.classes) if (other == row).all())
    swapped["times"][place] = row[::-1]
    other = next(i for i, one in enumerate(found.classes) if (one != row).any())
    swapped["places"][[place, other]] = found.classes[[other, place]]
    assert found.same(trial.Outcomes(tuple(names), found.classes.copy()))
    for classes in swapped.values():
        changed = trial.Outcomes(tuple(names), classes)
        assert changed.counts == found.counts
        assert not changed.same(found)


def test_without_an_engine_port_there_is_no_campaign():
    design = catalogue.load("tile_guard", "small", "correct")
    plain = netlist(design.source)
    backwards = {**plain.outputs, "cfg_rdata_o": plain.outputs["cfg_rdata_o"][::-1]}
    other = dataclasses.replace(plain, outputs=backwards)
    (tried,) = trial.trials(design, [Mutant("", "", lambda: other)])
    assert (tried.proof, tried.campaign, tried.fate) == ("holds", "proof only", Fate.survives)


def test_a_design_that_is_not_proven_has_no_table():
    design = designs.load(TOY, None, "correct")
    with pytest.raises(CryptileError, match="not proven itself: data_q"):
        list(trial.trials(design, []))


def test_sites_are_found_by_pattern():
    design = small("aes", "detect")
    found = {mutant.mutation for mutant in of_rtl(design.source, "detect")}
    assert {
        "never: if (Detect & fault_now)",
        "StatusFaultDetected: StatusOk",
        "dropped: fault_now",
        "dropped: !fault_now",
        "dropped: core_detected",
        "wipe does not clear a part",
        "level of an instance: None",
    } <= found


def test_command_prints_a_row_for_every_mutant():
    command = [
        tools.find("cryptile"),
        "prove",
        TOY,
        "--protect",
        "detect",
        "--mutants",
        "--sample",
        "4",
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    *rows, total = result.stdout.splitlines()
    assert len([row for row in rows if row.count(" | ") == 4]) == 4
    assert "toy sound detect: 4 mutants:" in total
    assert result.returncode == ("SURVIVES" in result.stdout or "HOLE" in result.stdout)
