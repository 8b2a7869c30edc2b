"""Upsets while the public-key engine signs: what comes out is judged by somebody else, and the
quick way of following an upset says what the RTL says."""

import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.errors import CryptileError
from cryptile.faults.pka import report
from cryptile.faults.pka.campaign import (
    WIDTHS,
    Campaign,
    Outcome,
    Task,
    case,
    operation,
    outcome_of,
)
from cryptile.jobs.oracle.curve25519 import ed25519_commit, ed25519_public, x25519
from cryptile.jobs.oracle.nist_curve import P256
from cryptile.jobs.pka import ENGINES

each = pytest.mark.parametrize("design", WIDTHS)
"""Runs a test for each engine that signs."""

ROWS = Task("rows", 0, 1)
MADE = case(3)
SIGNATURE = P256.signed(MADE.job.key, MADE.job.message, 77)

_OF_256 = (
    *("p256_sign", "ed25519_sign", "ed25519_sign_once"),
    *("p256_keygen", "p256_public", "ed25519_keygen", "ed25519_public", "x25519_keygen"),
)

LOOKED_AT = {
    "pka": _OF_256,
    "pka_fast": _OF_256,
    "pka384": ("p384_sign", "p384_keygen", "p384_public"),
    "pka521": ("p521_sign", "p521_keygen", "p521_public"),
}
"""Operations that find upsets by themselves. Others are computed once."""


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
    other = case(4)
    assert outcome_of(ROWS, other, printed(SIGNATURE)).ends["rows"]["wrong"] == 1


def test_upsets_that_are_lost_are_told():
    with pytest.raises(CryptileError, match="5 upsets ended, of 6"):
        outcome_of(ROWS, MADE, printed() | {"total": ["6"]})


def test_outcomes_add_up():
    whole = Outcome()
    for made in (MADE, case(4)):
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


@pytest.mark.parametrize("design", WIDTHS)
def test_a_result_is_judged_by_the_reference(design):
    """What each operation gives, of a job that is accepted; random ones by their own relation."""
    engine = ENGINES[design]
    for name in engine.names:
        job = engine.valid(random.Random(1), name)
        tag = engine.modes[job.mode].tag
        assert not engine.gives(job, bytes(tag)) and not engine.gives(job, bytes(tag - 1))
        if not name.endswith(("_sign", "keygen", "nonce")) or name == "ed25519_sign":
            assert engine.gives(job, engine.outcome(job).tag)


def test_keys_and_signatures_are_right_by_relation():
    engine, rng = ENGINES["pka"], random.Random(2)
    key = P256.text(rng.randrange(1, P256.n))
    made = {
        "p256_keygen": key + P256.public(key),
        "ed25519_keygen": bytes(31) + b"A" + ed25519_public(bytes(31) + b"A"),
        "x25519_keygen": key + x25519(key, (9).to_bytes(32, "little")),
    }
    for name, result in made.items():
        job = engine.valid(rng, name)
        assert engine.gives(job, result)
        assert not engine.gives(job, bytes([result[0] ^ 0x10]) + result[1:])
    job = engine.valid(rng, "ed25519_nonce")
    nonce = rng.randbytes(31) + b"\0"
    assert engine.gives(job, job.key[:32] + nonce + ed25519_commit(nonce + bytes(32)))
    assert not engine.gives(job, key + nonce + ed25519_commit(nonce + bytes(32)))


def test_an_operation_that_is_none_is_refused():
    result = CliRunner().invoke(app, ["faults", "pka", "--operation", "p384_sign"])
    assert result.exit_code == 2 or "it has ed25519_commit" in str(result.exception)
    other = CliRunner().invoke(app, ["faults", "aes", "--operation", "p256_sign"])
    assert other.exit_code == 2 or "for public-key engines" in str(other.exception)


@pytest.mark.soak
@each
def test_the_rtl_says_the_same(design, tmp_path):
    outcome = Campaign(1000, 5, tmp_path, of=operation(design)).check(400)
    ends = outcome.ends["check"]
    assert ends["same"] > 100
    assert ends["status-7"] > 100


@pytest.mark.soak
@each
def test_no_signature_is_wrong(design, tmp_path):
    of = operation(design)
    what = Campaign(200_000, 6, tmp_path, of=of)
    told = []
    first = what.run(False, lambda parts, whole: told.append((parts, whole.total)))
    assert first.wrong == []
    assert first.ends["registers"]["status-4"] > 100
    assert first.total >= 200_000
    assert told[-1] == (len(told), first.total)
    # All parts are there: nothing is run again.
    again = Campaign(200_000, 6, tmp_path, of=of, program=what.program).run(True, lambda *_: None)
    assert again == first


@pytest.mark.soak
@pytest.mark.parametrize(
    ("design", "name"),
    [(design, name) for design, names in LOOKED_AT.items() for name in names],
)
def test_no_result_is_wrong(design, name, tmp_path):
    found = Campaign(100_000, 7, tmp_path, of=operation(design, name)).run(False, lambda *_: None)
    assert found.wrong == []
    assert {"rows", "registers", "result", "words"} == set(found.ends)
