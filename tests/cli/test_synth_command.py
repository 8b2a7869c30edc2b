"""``cryptile synth`` from the outside: bad input, a missing tool, and one real synthesis."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cryptile import published
from cryptile.synth import flow

SMALL = ["--design", "aes", "--impl", "serial", "--config", "aes-128-enc"]


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


@pytest.mark.parametrize(("impl", "most_kge", "least_mhz"),
                         [("serial", 2.8, 150), ("iterative", 8.2, 165)])  # fmt: skip
def test_core_in_standard_cells(impl, most_kge, least_mhz):
    config = ["--config", "aes-128-enc", "--tech", "osu018"]
    result = synth("--design", "aes", "--impl", impl, *config, "--json", "-")
    assert result.returncode == 0, result.stderr
    records = json.loads(result.stdout)
    figures = {record["metric"]: record["value"] for record in records}
    assert 1 < figures["kge"] <= most_kge
    assert figures["fmax_mhz"] > least_mhz
    assert all(record["params"]["tech"] == "osu018" for record in records)
    assert "opensta" in records[0]["provenance"]["tools"]


def test_published_figures_have_sources():
    records = published.records("synth")
    assert {record.metric for record in records} <= set(flow.UNITS)
    assert all(record.params["source"] for record in records)
