"""Upsets while the public-key engine signs: what comes out is judged by somebody else, and the
quick way of following an upset says what the RTL says."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.errors import CryptileError
from cryptile.faults.pka import report
from cryptile.faults.pka.campaign import SIGNERS, Campaign, Outcome, Task, outcome_of, signing
from cryptile.jobs.oracle.nist_curve import P256

each = pytest.mark.parametrize("by", SIGNERS.values(), ids=SIGNERS)
"""Runs a test for each engine that signs."""

ROWS = Task("rows", 0, 1)
MADE = signing(3)
SIGNATURE = P256.signed(MADE.key, MADE.digest, 77)


def printed(*others: bytes, same: int = 5) -> dict[str, list[str]]:
    return {
        "other": [f"{other.hex()} row 1/{n} 3 4" for n, other in enumerate(others)],
        "end": [f"same {same}", f"other {len(others)}"] if others else [f"same {same}"],
        "total": [str(same + len(others))],
        "covered": ["9"],
    }


def test_other_signatures_are_verified():
    wrong = bytes([SIGNATURE[0] ^ 1]) + SIGNATURE[1:]
    found = outcome_of(ROWS, MADE, printed(SIGNATURE, wrong, b"", SIGNATURE[:48], bytes(64)))
    assert found.ends == {"rows": {"same": 5, "valid": 1, "wrong": 4}}
    assert found.wrong[0] == f"row 1/1 3 4: {wrong.hex()}"
    assert "4 of 10 upsets" in report.verdict(found)
    other = signing(4)
    assert outcome_of(ROWS, other, printed(SIGNATURE)).ends["rows"]["wrong"] == 1


def test_upsets_that_are_lost_are_told():
    with pytest.raises(CryptileError, match="5 upsets ended, of 6"):
        outcome_of(ROWS, MADE, printed() | {"total": ["6"]})


def test_outcomes_add_up():
    whole = Outcome()
    for made in (MADE, signing(4)):
        whole.add(outcome_of(ROWS, made, printed(SIGNATURE)))
        whole.add(outcome_of(Task("registers", 0, 1), made, printed()))
    assert whole.ends == {
        "rows": {"same": 10, "valid": 1, "wrong": 1},
        "registers": {"same": 10},
    }
    assert (whole.total, whole.covered, len(whole.wrong)) == (22, 36, 1)
    values = {(r.metric, r.params.get("place")): r.value for r in report.records(whole, 2.0)}
    assert values["wrong", None] == 1
    assert values["same", "registers"] == 10
    assert values["faults_per_second", None] == 11


@pytest.mark.parametrize(("runs", "each"), [(10_000_000, 1), (60_000, 2)])
def test_parts_take_each_upset_of_rows_once(runs, each, tmp_path):
    """Of so many reads of 256 bits, all or every second one."""
    reads = 300
    parts = Campaign(runs, 1, tmp_path, program=Path("none")).parts(reads)
    tasks = [task for part in parts for task in part.tasks]
    taken = [n for t in tasks if t.name == "rows" for n in range(t.seed, 256 * reads, t.count)]
    assert len(taken) == len(set(taken))
    assert len(taken) == 256 * reads // each
    drawn = sum(task.count for task in tasks if task.name == "registers")
    assert len(taken) + drawn == runs
    assert len({part.seed for part in parts}) == len(parts)


def test_an_interrupt_ends_it(tmp_path):
    """What has not begun does not begin any more, and what is finished is kept."""
    program = tmp_path / "program"
    program.write_text(
        "#!/bin/sh\necho $2 >> $0.calls\necho total 0\necho covered 0\necho size 1 1 30000\n"
    )
    program.chmod(0o755)
    what = Campaign(2_000_000, 1, tmp_path, program=program)

    def interrupted(parts: int, whole: Outcome) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        what.run(False, interrupted)
    calls = len((tmp_path / "program.calls").read_text().splitlines())
    parts = len(list(tmp_path.glob("*.json")))
    assert 1 <= parts < 10
    assert calls < 30
    what.run(True, lambda *_: None)
    assert len(list(tmp_path.glob("*.json"))) == len(what.parts(30000)) == 40


@pytest.mark.parametrize("option", [["--jobs", "3"], ["--protect", "correct"], ["--target", "k"]])
def test_options_of_other_campaigns_are_refused(option):
    result = CliRunner().invoke(app, ["faults", "pka", *option])
    assert result.exit_code == 2 or "not for pka" in str(result.exception)


@pytest.mark.soak
@each
def test_the_rtl_says_the_same(by, tmp_path):
    outcome = Campaign(1000, 5, tmp_path, by=by).check(400)
    ends = outcome.ends["check"]
    assert ends["same"] > 100
    assert ends["status-7"] > 100


@pytest.mark.soak
@each
def test_no_signature_is_wrong(by, tmp_path):
    what = Campaign(200_000, 6, tmp_path, by=by)
    told = []
    first = what.run(False, lambda parts, whole: told.append((parts, whole.total)))
    assert first.wrong == []
    assert first.ends["registers"]["status-4"] > 100
    assert first.total >= 200_000
    assert told[-1] == (len(told), first.total)
    # All parts are there: nothing is run again.
    again = Campaign(200_000, 6, tmp_path, by=by, program=what.program).run(True, lambda *_: None)
    assert again == first
