"""The control path of the tile: an upset changes no register that is protected."""

from collections import Counter

import pytest

from cryptile.faults import campaign, run, store
from cryptile.faults.campaign import Mode, Question
from cryptile.faults.scenario import DONE
from cryptile.faults.shard import BAD, Model, Verdict

OK, DENIED = 0, 1
SMALLEST = {"control": "small", "guard": "least", "key_slots": "small", "made_keys": "small"}
REPORTED = {"control": 0.85, "guard": 0.9, "key_slots": 0.9, "made_keys": 0.9}
"""The least share of upsets that is told: control is mostly what AXI4-Lite holds for a while."""
LEVELS = {"none": Verdict.silent, "detect": Verdict.detected, "correct": Verdict.corrected}


def prepared(part, level):
    return campaign.prepare(
        Question(
            f"tile_{part}",
            SMALLEST[part],
            level,
            Mode.exhaustive,
            Model.seu,
            runs=0,
            pairs=0,
            target=None,
            cycles=None,
            jobs=400,
            size=0,
            stalls=10,
            aborts=0,
            seed=1,
        )
    )


def scope(name):
    return name.rpartition(".")[0]


@pytest.mark.parametrize(
    ("part", "level"),
    [
        *(("control", level) for level in LEVELS),
        *(("guard", level) for level in LEVELS),
        ("key_slots", "detect"),
        *(
            pytest.param("made_keys", level, marks=pytest.mark.soak)
            for level in ("detect", "correct")
        ),
    ],
)
def test_every_upset_of_every_cycle(part, level, tmp_path):
    what = prepared(part, level)
    decisions = Counter(int(row[0]) for row in what.golden.scenario.items[DONE])
    assert min(decisions[OK], decisions[OK if part == "control" else DENIED]) >= 50
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
        assert not any(summary.counts[verdict] for verdict in BAD)
        assert summary.counts[LEVELS[level]] > REPORTED[part] * what.injected
