"""``cryptile synth`` from the outside: bad input, a missing tool, and one real synthesis."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import held

from cryptile import published
from cryptile.figures.store import Store
from cryptile.synth import flow

SAME_AREA = 0.02
"""Renaming alone moves what Yosys makes by some tenths of a per cent."""

STATED = sorted(
    {
        tuple(record.params[word] for word in ("design", "impl", "config", "protect"))
        for record in Store().records("synth")
        if record.metric == "kge" and record.params["tech"] == "osu018"
    }
)
"""What documents state the area of, in the cells of the tests."""

SMALL = ["--design", "aes_core", "--variant", "serial", "--config", "aes-128-enc"]


def synth(*words, **environment):
    command = [Path(sys.executable).parent / "cryptile", "synth", *map(str, words)]
    environment = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--liberty", "{dir}/missing.lib"], "cannot read liberty file"),
        (["--liberty", "{dir}/bad.lib"], "is not a liberty file"),
        (["--design", "rsa"], "rsa"),
        (["--seeds", "-1"], "--seeds"),
        (["--energy", "--tech", "xc7"], "--energy needs standard cells"),
    ],
)
def test_bad_input_gives_one_clear_line(tmp_path, words, message):
    (tmp_path / "bad.lib").write_text("nothing")
    result = synth(*(word.format(dir=tmp_path) for word in words))
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_a_missing_tool_is_named(tmp_path):
    result = synth(*SMALL, "--tech", "osu018", PATH=str(tmp_path))
    assert result.returncode == 3
    assert "sta is missing: run 'apt-get install opensta'" in result.stderr


def run(*words):
    result = synth(*words, "--tech", "osu018", "--json", "-")
    assert result.returncode == 0, result.stderr
    records = json.loads(result.stdout)
    assert all(record["params"]["tech"] == "osu018" for record in records)
    assert "opensta" in records[0]["provenance"]["tools"]
    return records


def metrics(records):
    return {record["metric"]: record["value"] for record in records}


def test_core_in_standard_cells():
    records = run(*SMALL)
    figures = metrics(records)
    assert figures.keys() == {"kge", "fmax_mhz"}
    assert 1 < figures["kge"] <= 2.8
    assert figures["fmax_mhz"] > 150
    assert held.compare(records, "kge", rel=SAME_AREA) == 1


@pytest.mark.soak
@pytest.mark.parametrize("words", STATED, ids=" ".join)
def test_documents_state_the_area(words):
    options = zip(("--design", "--variant", "--config", "--protect"), words, strict=True)
    records = run(*(word for pair in options for word in pair))
    assert held.compare(records, "kge", rel=SAME_AREA) == 1


def test_engine_at_work_in_standard_cells():
    words = ["--design", "aes", "--variant", "iterative", "--config", "aes-128-enc"]
    figures = metrics(run(*words, "--energy"))
    assert 7 < figures["kge"] <= 11.5
    assert figures["fmax_mhz"] > 165
    assert figures["cycles_per_block"] == 40
    assert figures["mb_per_s"] == pytest.approx(figures["fmax_mhz"] * 1.6, rel=1e-3)
    assert 0.1 < figures["mj_per_mb_settled"] < figures["mj_per_mb"] < 3
    power = figures["mj_per_mb"] * figures["mb_per_s"]
    assert figures["power_mw"] == pytest.approx(power, rel=1e-3)


def test_designs_are_listed():
    result = synth("--list")
    assert result.returncode == 0
    assert "chacha20poly1305" in result.stdout


def test_published_figures_have_sources():
    records = published.records("synth")
    assert {record.metric for record in records} <= set(flow.UNITS)
    assert all(record.params["source"] for record in records)
