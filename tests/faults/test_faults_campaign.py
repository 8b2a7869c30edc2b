"""Campaigns: every fault is counted once, shortcuts change nothing, and the RTL says the same."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cryptile.designs import load as designs
from cryptile.faults import campaign, report, rtl_check, run, shard, store
from cryptile.faults.campaign import Mode, Question
from cryptile.faults.golden import NEVER
from cryptile.faults.scenario import SRC
from cryptile.faults.shard import BAD, Model, Part, Verdict
from cryptile.netlist import make

TOY = str(Path(__file__).parent / "toy.yaml")
PLAIN = {Verdict.silent, Verdict.hang, Verdict.masked, Verdict.latent}
BROKEN = ("item", "status", "hang", "surplus")
"""Toys that wreck a later job, each in a way of its own."""


def question(design=TOY, protect="none", mode=Mode.exhaustive, model=Model.seu, **others):
    values = {
        "variant": None,
        "runs": 200,
        "pairs": 0,
        "target": None,
        "cycles": None,
        "jobs": 12,
        "size": 60,
        "stalls": 20,
        "aborts": 0,
        "seed": 1,
    }
    return Question(design=design, protect=protect, mode=mode, model=model, **{**values, **others})


def answer(asked, folder):
    what = campaign.prepare(asked)
    run.run(what, folder, run.Where(), False, lambda index, cost: None)
    return what, store.summarise(folder, len(what.parts), len(what.sites.targets))


@pytest.mark.parametrize(
    "asked",
    [
        question(),
        question(protect="correct", aborts=60),
        question(model=Model.mbu),
        question(model=Model.set),
        question(model=Model.stuck),
        question(mode=Mode.paper),
        question(mode=Mode.paper, model=Model.mbu, pairs=50),
        question(mode=Mode.targeted, target="data_q", cycles=(20, 50)),
    ],
    ids=lambda asked: f"{asked.mode}-{asked.model}-{asked.protect}",
)
def test_every_fault_has_one_class(asked, tmp_path):
    what, summary = answer(asked, tmp_path)
    assert sum(summary.counts.values()) == what.injected > 0
    assert summary.by_site.sum() == what.injected
    assert summary.by_bin[:, 3].sum() == what.injected


@pytest.mark.parametrize(
    ("model", "level", "variant", "kinds"),
    [
        (Model.seu, "none", None, PLAIN),
        (Model.mbu, "none", None, PLAIN),
        (Model.set, "none", None, PLAIN),
        (Model.seu, "detect", "sound", {Verdict.detected}),
        (Model.set, "detect", "sound", {Verdict.detected}),
        (Model.seu, "detect", "item", {Verdict.unrecovered}),
        *(
            pytest.param(
                Model.seu, "detect", variant, {Verdict.unrecovered}, marks=pytest.mark.soak
            )
            for variant in BROKEN[1:]
        ),
        (Model.mbu, "detect", "item", {Verdict.unrecovered}),
    ],
)
def test_shortcuts_change_no_class(model, level, variant, kinds, tmp_path, monkeypatch):
    """Many short parts with merging give the same as every fault alone, to its very end."""
    monkeypatch.setattr(campaign, "_FAULTS_PER_PART", 3000)
    campaign.prepare.cache_clear()
    asked = question(model=model, aborts=30, protect=level, variant=variant)
    what, summary = answer(asked, tmp_path)
    campaign.prepare.cache_clear()
    assert len(what.parts) >= 10
    places = np.arange(len(what.sites.names), dtype=np.uint32)
    alone, together = Counter(), Counter()
    for bin_ in range(0, int(summary.by_bin[:, 1].max()) + 1, 9):
        first = what.first + bin_ * what.bin_cycles
        for cycle in range(first, min(first + what.bin_cycles, what.end)):
            times = np.full(len(places), cycle, np.uint32)
            part = Part(cycle, cycle + 1, True, (times, places), 1, NEVER, is_first=True)
            outcome = shard.run(what.machine, what.golden, what.sites, part, merge=False).outcome
            alone.update((site, bin_, number) for site, number in enumerate(outcome.tolist()))
        rows = summary.by_bin[summary.by_bin[:, 1] == bin_].tolist()
        together.update({(site, bin_, number): count for site, _, number, count in rows})
    assert together == alone
    assert all(summary.counts[verdict] for verdict in kinds)


@pytest.mark.parametrize("variant", BROKEN)
def test_an_engine_that_wrecks_a_later_job_is_told_from_one_that_recovers(variant, tmp_path):
    asked = question(protect="detect", variant=variant, target="u_data")
    what, summary = answer(asked, tmp_path)
    sound = replace(asked, variant="sound")
    assert answer(sound, tmp_path / "sound")[1].counts[Verdict.detected] > 0
    assert answer(sound, tmp_path / "sound")[1].counts[Verdict.unrecovered] == 0
    assert summary.counts[Verdict.unrecovered] > 10 * summary.counts[Verdict.detected]
    assert report.Answer(what, summary, 1.0, "").failed


def test_an_engine_that_promises_to_drain_is_not_drained(tmp_path, monkeypatch):
    """The toy leaves the beats of a failed job to their sender: it must not say it takes them."""
    asked = question(protect="detect", variant="sound", target="u_data", aborts=30)
    leaves = answer(asked, tmp_path / "leaves")[1].counts
    load = designs.load
    monkeypatch.setattr(designs, "load", lambda *words: replace(load(*words), drains=True))
    campaign.prepare.cache_clear()
    try:
        what, summary = answer(asked, tmp_path / "drains")
        assert rtl_check.check(what, 60, tmp_path / "rtl") == []
    finally:
        campaign.prepare.cache_clear()
    assert not any(leaves[verdict] for verdict in BAD)
    assert summary.counts[Verdict.unrecovered] > 0


def test_protected_control_corrects_every_upset(tmp_path):
    what, summary = answer(question(protect="correct", target="u_control"), tmp_path)
    bad = summary.by_site[:, list(BAD)].sum(axis=1)
    assert bad.sum() == 0
    assert summary.counts[Verdict.corrected] > 0.9 * what.injected


def test_no_upset_of_aes_that_was_detected_touches_a_later_job(tmp_path):
    """Also not in jobs without data, which end in the cycle behind the one that takes them."""
    what, summary = answer(question("aes", "detect", jobs=20, size=100), tmp_path)
    assert (np.diff(what.golden.scenario.ends[:, SRC].astype(int)) == 0).any()
    assert not summary.by_site[:, list(BAD)].any()
    assert summary.counts[Verdict.detected] > 0.5 * what.injected


def test_protection_that_synthesis_removes_is_found(tmp_path):
    naive = designs.load(TOY, "naive", "none").source
    correct = designs.load(TOY, None, "correct").source
    assert not make.registers(correct).merged
    assert len(make.registers(naive).merged) == 2 * 4
    _, summary = answer(question(variant="naive"), tmp_path)
    assert summary.counts[Verdict.hang] > 0


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        (question(protect="correct", aborts=30), 150),
        (question(model=Model.mbu, stalls=50), 150),
        (question(protect="detect", variant="sound", aborts=30), 150),
        (question(protect="detect", variant="item", aborts=20), 150),
        # A model of the RTL for each; that they wreck a job is looked at above.
        *(
            pytest.param(
                question(protect="detect", variant=variant, aborts=20), 150, marks=pytest.mark.soak
            )
            for variant in BROKEN[1:]
        ),
        (question("aes", stalls=20, jobs=6), 60),
    ],
    ids=["protected", "multi-bit", "detecting", *BROKEN, "aes"],
)
def test_the_rtl_agrees(asked, count, tmp_path):
    assert rtl_check.check(campaign.prepare(asked), count, tmp_path) == []


def test_a_fault_at_another_place_is_seen_by_the_check(tmp_path, monkeypatch):
    """The check can fail: with two registers exchanged in the netlist it does."""
    what = campaign.prepare(question())
    right = rtl_check.register_bits(what.machine.netlist)
    names = [name for name in right if name.startswith("data_q")]
    control = [name for name in right if not name.startswith("data_q")]
    wrong = {**right, **{name: right[control[0]] for name in names}}
    monkeypatch.setattr(rtl_check, "register_bits", lambda netlist: wrong)
    assert rtl_check.check(what, 100, tmp_path)
