"""Campaigns over the AES engine of all modes: its jobs are what they should be, and it detects."""

from cryptile.faults import campaign, run, store
from cryptile.faults.campaign import Mode, Question
from cryptile.faults.shard import BAD, Model, Verdict
from cryptile.jobs import kinds as jobs
from cryptile.jobs.aes_modes import CBC, CCM, CMAC, GCM, XTS


def test_every_upset_is_detected_or_does_no_harm(tmp_path):
    asked = Question(
        "aes_modes", None, "detect", Mode.exhaustive, Model.seu, 0, 0, None, None, 7, 20, 20, 0, 19
    )
    what = campaign.prepare(asked)
    todo = jobs.make("aes_modes", asked.seed, asked.jobs, asked.size)
    assert {job.mode for job in todo if not job.refused} >= {CBC, GCM, CCM, CMAC, XTS}
    run.run(what, tmp_path, run.Where(), False, lambda index, cost: None)
    counts = store.summarise(tmp_path, len(what.parts), len(what.sites.targets)).counts
    assert sum(counts.values()) == what.injected
    assert not any(counts[verdict] for verdict in (*BAD, Verdict.latent))
    assert counts[Verdict.detected] > what.injected // 2
    assert counts[Verdict.corrected] > what.injected // 5
    assert counts[Verdict.false_alarm] < what.injected // 500


def test_jobs_are_of_every_kind():
    todo = jobs.make("aes_modes", 1, 300, 60)
    assert {job.mode for job in todo if not job.refused} == set(range(7))
    for mode in (GCM, CCM, CMAC):
        some = [job for job in todo if job.mode == mode]
        assert any(job.tag for job in some) and any(job.context for job in some)
        assert any(not job.is_final for job in some)
    assert {len(job.transfers()) for job in todo if job.mode == XTS} == {2}
    assert any(job.word() >> 240 & 0x3FF for job in todo)


def test_the_length_of_long_ccm_messages_fits_its_field():
    todo = [job for job in jobs.make("aes_modes", 1, 60, 1 << 18) if job.mode == CCM]
    assert any(len(job.message) >> 16 for job in todo)
    for job in todo:
        width = job.iv[0] + 1
        assert int.from_bytes(job.iv[16 - width :], "big") == len(job.message)
