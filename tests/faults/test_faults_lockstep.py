"""Three engines in step: transients and upsets are outvoted, but where the outputs are made."""

from pathlib import Path

import pytest

from cryptile.faults import campaign, run, shard, statistics, store
from cryptile.faults.campaign import Mode, Question
from cryptile.faults.golden import NEVER
from cryptile.faults.shard import BAD, Model, Part, Verdict
from cryptile.faults.sites import part, sites
from cryptile.netlist import make

DESIGN = str(Path(__file__).parent / "lockstep.yaml")
OUTPUTS = {
    "job_ready_o",
    "key_ready_o",
    "src_ready_o",
    "dst_valid_o",
    "done_valid_o",
    "done_status_o",
}


@pytest.fixture(scope="module")
def transients():
    return campaign.prepare(
        Question(
            DESIGN, None, "none", Mode.paper, Model.set, 20_000, 0, None, None, 1, 90, 30, 0, 1
        )
    )


@pytest.mark.soak
def test_less_than_a_thousandth_of_all_transients_does_harm(transients, tmp_path):
    run.run(transients, tmp_path, run.Where(), False, lambda index, cost: None)
    summary = store.summarise(tmp_path, len(transients.parts), len(transients.sites.targets))
    bad = summary.by_site[:, list(BAD)].sum(axis=1)
    _, most = statistics.interval(int(bad.sum()), transients.injected)
    assert most < 0.001
    harmful = {part(transients.sites.names[site]) for site in bad.nonzero()[0]}
    assert harmful <= OUTPUTS
    assert summary.counts[Verdict.corrected] > 0.2 * transients.injected


@pytest.mark.soak
def test_no_upset_does_harm(transients):
    """Every flip-flop in every cycle, on the machine that is there."""
    assert not make.registers(transients.design.source).merged
    places = sites(transients.machine, Model.seu, None, 0, 0)
    whole = Part(transients.first, transients.end, True, None, 1, NEVER, is_first=True)
    found = shard.run(transients.machine, transients.golden, places, whole).counts.sum(axis=(0, 1))
    assert found.sum() == len(places.names) * (transients.end - transients.first)
    assert not found[list(BAD)].any()
    assert found[Verdict.corrected] > 0.2 * found.sum()
