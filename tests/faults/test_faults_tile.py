"""The control path of the tile: an upset opens no window and no slot that is protected."""

from collections import Counter

import pytest

from cryptile.faults import campaign, run, store
from cryptile.faults.campaign import Mode, Question
from cryptile.faults.scenario import DONE
from cryptile.faults.shard import Model, Verdict

OK, DENIED = 0, 1
KEYS = {
    "u_slots",
    "u_slots.u_new_aad",
    "u_slots.u_permit.gen_slot[0].u_attr.gen_detect.gen_copy[0].u_copy",
    *(f"u_slots.gen_new[{word}].u_key" for word in range(4)),
}
LEVELS = {"none": Verdict.silent, "detect": Verdict.detected, "correct": Verdict.corrected}


def prepared(part, level):
    return campaign.prepare(
        Question(
            f"tile_{part}", "small", level, Mode.exhaustive, Model.seu,
            runs=0, pairs=0, target=None, cycles=None,
            jobs=400, size=0, stalls=10, aborts=0, seed=1,
        )
    )  # fmt: skip


def scope(name):
    return name.rpartition(".")[0]


@pytest.mark.parametrize(
    ("part", "level"),
    [("guard", "none"), ("guard", "detect"), ("guard", "correct"), ("key_slots", "detect")],
)
def test_every_upset_of_every_cycle(part, level, tmp_path):
    what = prepared(part, level)
    decisions = Counter(int(row[0]) for row in what.golden.scenario.items[DONE])
    assert min(decisions[OK], decisions[DENIED]) >= 50
    run.run(what, tmp_path, run.Where(), False, lambda index, cost: None)
    summary = store.summarise(tmp_path, len(what.parts), len(what.sites.targets))
    names = what.sites.names
    if level == "none":
        register = [scope(name) for name in names]
        silent = summary.by_site[:, Verdict.silent]
        opened = {name for name, count in zip(register, silent, strict=True) if count}
        assert opened == set(register)
        assert summary.counts[Verdict.detected] == summary.counts[Verdict.corrected] == 0
    else:
        assert summary.counts[Verdict.silent] == summary.counts[Verdict.hang] == 0
        # Where a write or a commit of a key was reported, that key is not there afterwards.
        unrecovered = summary.by_site[:, Verdict.unrecovered]
        wrecked = {scope(name) for name, count in zip(names, unrecovered, strict=True) if count}
        assert wrecked <= (KEYS if part == "key_slots" else set())
        assert unrecovered.sum() < what.injected // 100
        assert summary.counts[LEVELS[level]] > 0.9 * what.injected
