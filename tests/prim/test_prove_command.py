"""The command ``cryptile prove``: what it proves by itself, and that nothing unproven passes."""

import gc
import mmap
import os
import signal
import subprocess
from concurrent.futures.process import BrokenProcessPool

import pytest

from cryptile import records
from cryptile.commands import prove as command
from cryptile.designs import load as designs
from cryptile.designs.load import Use
from cryptile.errors import UsageError
from cryptile.project import ROOT
from cryptile.prove.upset import Verdict
from cryptile.toolchain import tools


def cryptile_prove(*words: str) -> subprocess.CompletedProcess[str]:
    line = [tools.find("cryptile"), "prove", *words]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def test_a_design_is_proven_at_its_own_levels():
    assert designs.levels("tile_guard") == ["correct", "detect"]
    assert designs.levels("aes") == ["correct", "detect", "tmr"]
    assert designs.levels("aes", "pipelined") == ["tmr"]
    result = cryptile_prove("tile_guard", "--variant", "small")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "flagged" in result.stdout


def test_what_is_not_protected_is_refused(tmp_path):
    plain = tmp_path / "plain.yaml"
    plain.write_text("rtl: {core: 'cryptile:common:all', top: cry_reg_tmr}\n")
    with pytest.raises(UsageError, match="is not protected: there is nothing to prove"):
        designs.levels(str(plain))


def test_a_level_that_a_variant_has_not_is_named_by_its_word():
    result = cryptile_prove("aes", "--variant", "pipelined", "--protect", "correct")
    assert result.returncode == 2
    assert "aes pipelined has no protection 'correct': choose from none, tmr" in result.stderr


def test_of_a_public_key_engine_it_is_the_programs():
    result = cryptile_prove("pka384")
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("no sum or product leaves its range") == 5
    result = cryptile_prove("pka384", "--protect", "correct")
    assert result.returncode == 2
    assert "of pka384 it is the programs" in result.stderr


def test_nothing_proven_is_no_success():
    result = cryptile_prove("--protect", "tmr")
    assert result.returncode == 2
    assert "no primitive has level tmr: name a design" in " ".join(result.stderr.split())


@pytest.mark.parametrize("error", [KeyError(0), UsageError("no proof of this")])
def test_of_all_designs_one_that_stops_fails_and_the_others_are_proven(monkeypatch, capsys, error):
    def proven(name, variant, level):
        # Whatever came before is printed by now.
        printed.append(capsys.readouterr().out)
        if name == "two":
            raise error
        return f"{name} {variant}", level, Verdict(name, claim=f"claim of {name}")

    printed = []
    monkeypatch.setattr(command, "_primitives", lambda levels: [])
    monkeypatch.setattr(command, "apart", lambda prove_it: (prove_it(), 1))
    monkeypatch.setattr(command, "_design", proven)
    todo = [(name, "v", "detect") for name in ("one", "two", "three")]
    monkeypatch.setattr(designs, "protected", lambda: todo)
    with pytest.raises(SystemExit) as stopped:
        command.prove(everything=True)
    assert stopped.value.code == 1
    assert "claim of one" in printed[1]
    assert "two v detect: no proof: " in printed[2]
    assert "claim of three" in capsys.readouterr().out


def prove_all_of(monkeypatch, names, prove_it, json):
    monkeypatch.setattr(command, "_primitives", lambda levels: [])
    monkeypatch.setattr(command, "apart", lambda prove_it: (prove_it(), 1))
    monkeypatch.setattr(command, "_design", prove_it)
    monkeypatch.setattr(designs, "protected", lambda: [(name, "v", "detect") for name in names])
    command.prove(everything=True, json=str(json))


def test_what_takes_least_is_proven_first(monkeypatch, tmp_path):
    """As far as it is known; so a run that is cut off has proven most."""

    def proven(name, variant, level):
        tried.append(name)
        return f"{name} {variant}", level, Verdict(name)

    def took(name, seconds):
        params = {"design": f"{name} v", "protect": "detect"}
        return records.Record("prove", "seconds", seconds, "s", params)

    tried = []
    kept = [took("two", 30.0), took("three", 4.0)]
    monkeypatch.setattr(command.Store, "records", lambda self, suite: kept)
    monkeypatch.setattr(records, "commit", lambda: "c0ffee")
    prove_all_of(monkeypatch, ["one", "two", "three"], proven, tmp_path / "all.json")
    assert tried == ["three", "two", "one"]


def test_what_was_proven_before_a_cut_is_kept_and_not_proven_again(monkeypatch, tmp_path, capsys):
    def proven(name, variant, level):
        if name == cut:
            raise KeyboardInterrupt
        tried.append(name)
        findings = ["bad"] if name == bad else []
        return f"{name} {variant}", level, Verdict(name, findings=findings)

    monkeypatch.setattr(records, "commit", lambda: "c0ffee")
    file, names, tried = tmp_path / "all.json", ["one", "two", "three"], []
    others = [
        records.Record("mcu", "findings", 1, "findings"),
        records.Record("prove", "mutants_known", 1, "mutants", {"design": "one v"}),
    ]
    records.GrowingFile(file).add(others)
    bad, cut = "one", "three"
    with pytest.raises(KeyboardInterrupt):
        prove_all_of(monkeypatch, names, proven, file)
    assert tried == ["one", "two"]
    bad = cut = ""
    prove_all_of(monkeypatch, names, proven, file)
    # What failed is tried again, in the place of its records.
    assert tried == ["one", "two", "one", "three"]
    assert "3 proofs" in capsys.readouterr().out
    found = [record for run in records.read_runs(file) for record in run.records]
    assert len(found) == len({record.name for record in found}) == 15 + len(others)
    monkeypatch.setattr(records, "commit", lambda: "decade")
    with pytest.raises(UsageError, match="holds records of commit c0ffee, this is decade"):
        prove_all_of(monkeypatch, names, proven, file)


def test_records_of_a_changed_checkout_are_not_gone_on_with(monkeypatch, tmp_path):
    monkeypatch.setattr(records, "commit", lambda: "c0ffee-dirty")
    file = tmp_path / "all.json"
    records.GrowingFile(file).add([records.Record("prove", "seconds", 1, "s")])
    with pytest.raises(UsageError, match="name another file"):
        records.GrowingFile(file)


@pytest.mark.parametrize("name", ["tile_guard", "tile_key_slots"])
def test_parts_of_the_tile_are_proven_without_the_port_of_a_campaign(name):
    assert designs.load(name, "small", "detect", Use.prove).source.top == f"cry_{name}"


LEVELS = {"correct": "Correct", "detect": "Detect", "tmr": "three in step"}


@pytest.mark.parametrize("design", designs.protected(), ids=" ".join)
def test_the_document_has_the_proof_of_every_protected_design(design):
    """Or says that it has not: a design of which nothing is said passes for proven."""
    text = " ".join((ROOT / "docs/protection.md").read_text().split())
    said = text[text.index("## What it takes") : text.index(" ## Mutants ")]
    name, variant, level = design
    row = f"{{design: {name} {variant}, protect: {level}}}" in said
    assert row != (f"`{name} {variant}` {LEVELS[level]}" in said)


def take(size):
    """Take pages anew: the heap may have as much free that earlier tests have touched."""
    with mmap.mmap(-1, size) as memory:
        for page in range(0, size, mmap.PAGESIZE):
            memory[page] = 1


def test_memory_is_that_of_each_proof_alone():
    def proofs():
        for size in (1, 200_000_000, 1):
            take(size)
            yield str(size), "correct", Verdict("")

    gc.collect()  # what earlier tests left would go meanwhile
    before, large, after = (megabytes for _, megabytes in command.with_memory(proofs()))
    assert before + 190 < large
    assert after + 190 < large


def small():
    return "small", "correct", Verdict("")


def large():
    take(200_000_000)
    return "large", "correct", Verdict("")


def killed():
    os.kill(os.getpid(), signal.SIGKILL)


def test_each_of_all_proofs_has_a_process_of_its_own():
    (_, much), (proven, little) = command.apart(large), command.apart(small)
    assert proven == small()
    assert little + 190 < much
    with pytest.raises(BrokenProcessPool):
        command.apart(killed)
