"""The DRBG: an upset is corrected, or ends in a status; it repeats no output and gives no other."""

import pytest

from cryptile.faults import campaign, run, store
from cryptile.faults.campaign import Mode, Question
from cryptile.faults.shard import BAD, Model, Verdict


@pytest.mark.soak
@pytest.mark.parametrize(
    ("level", "verdict"), [("detect", Verdict.detected), ("correct", Verdict.corrected)]
)
def test_no_upset_is_silent(level, verdict, tmp_path):
    what = campaign.prepare(
        Question(
            "drbg",
            "iterative",
            level,
            Mode.paper,
            Model.seu,
            runs=50_000,
            pairs=0,
            target=None,
            cycles=None,
            jobs=30,
            size=100,
            stalls=10,
            aborts=0,
            seed=1,
        )
    )
    run.run(what, tmp_path, run.Where(), False, lambda index, cost: None)
    summary = store.summarise(tmp_path, len(what.parts), len(what.sites.targets))
    assert not any(summary.counts[bad] for bad in BAD)
    assert summary.counts[verdict] > 0.1 * what.injected
