"""Whatever protects is removed or weakened; proof and campaign are held against each other."""

import subprocess
from pathlib import Path

import pytest

from cryptile import tools
from cryptile.errors import CryptileError
from cryptile.faults import designs
from cryptile.faults.shard import BAD, Verdict
from cryptile.netlist.make import netlist
from cryptile.prove import trial
from cryptile.prove.mutate import of_netlist, of_rtl
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
    reference = trial.campaign(design, plain)
    assert not any(reference[kind] for kind in BAD)
    (deaf,) = (m for m in of_netlist(plain) if m.site == "gen_detect.u_data.detected_o")
    (mute,) = (m for m in of_rtl(design.source, "detect") if m.mutation == MUTE)
    for mutant in (deaf, mute):
        assert trial.campaign(design, mutant.make())[Verdict.silent]


@pytest.mark.parametrize(
    ("name", "level"),
    [(TOY, "detect"), ("tile_guard", "correct")],
    ids=["toy-detect", "tile_guard-correct"],
)
def test_what_is_proved_does_no_harm_in_a_campaign(name, level):
    """For AES see test_proof.py and, every upset, test_faults_campaign.py."""
    design = small(name, level)
    plain = netlist(design.source)
    assert trial.proved(plain, design) == ""
    counts = trial.campaign(design, plain, UPSETS)
    assert counts.total() == UPSETS
    assert not any(counts[kind] for kind in BAD)
    assert counts[Verdict.detected if level == "detect" else Verdict.corrected] > UPSETS // 4


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
