"""What ``cryptile random`` reads out of the simulated entropy source, and the files it makes."""

import re
import sys
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from cryptile.commands import random as command
from cryptile.entropy import samples
from cryptile.entropy.cutoffs import Parameters
from cryptile.entropy.samples import LANES, ROW, Samples, Stage
from cryptile.errors import FindingError, UsageError
from cryptile.project import ROOT

sys.path.append(str(Path(__file__).parents[1] / "engine/entropy"))
from source_model import combine, words

SOURCE = Parameters()
START = SOURCE.window
"""Samples of the start-up test."""

# One worker builds the model.
pytestmark = pytest.mark.xdist_group("entropy-model")


@cache
def read(stage: Stage, count: int, seed: int = 1) -> Samples:
    return samples.collect(stage, count, seed=seed)


def lanes(found: Samples) -> np.ndarray:
    return np.array([list(found.lane(lane)) for lane in range(LANES)], dtype=np.bool_)


def test_later_stages_are_made_of_raw_samples():
    """The oscillators do the same in each run; what comes of them a model says, not the RTL."""
    behind = lanes(read(Stage.raw, START + 128))[:, START:]
    assert read(Stage.tested, 128).symbols() == combine(behind).tobytes()
    wanted = b"".join(word.to_bytes(8, "little") for word in islice(words(behind, 4), 4))
    assert read(Stage.conditioned, 32).symbols() == wanted
    raw = read(Stage.raw, START + 128)
    assert raw.symbols() == combine(lanes(raw)).tobytes()
    one = read(Stage.tested, 128)
    assert one.lane(2) == bytes(symbol >> 2 & 1 for symbol in one.symbols())


def test_runs_repeat_by_their_seed():
    assert samples.collect(Stage.raw, 50).beats == read(Stage.raw, START + 128).beats[:50]
    assert read(Stage.raw, 50, 2).beats != read(Stage.raw, START + 128).beats[:50]


def test_rows_of_restarts():
    """The first row is that of raw samples; each begins anew, with other samples."""
    found = read(Stage.restart, 2 * ROW)
    assert found.beats[:50] == read(Stage.raw, START + 128).beats[:50]
    assert found.beats[ROW : ROW + 50] != found.beats[:50]
    between = found.cycles - 2 * ROW * SOURCE.period
    wait = SOURCE.settle + SOURCE.pause + SOURCE.settle
    assert wait <= between < wait + 1000


def test_sizes_are_those_of_the_source():
    """What is said of the RTL here is what stands in it, and so of its driver."""
    rtl = (ROOT / "rtl/engine/entropy/cry_entropy.sv").read_text()
    said = dict(re.findall(r"parameter int unsigned (\w+) += (\d+),", rtl))
    assert {
        "Lanes": LANES,
        "Period": SOURCE.period,
        "Window": SOURCE.window,
        "RctCutoff": SOURCE.rct_cutoff,
        "Cutoff": SOURCE.cutoff,
        "Lags": SOURCE.lags,
        "StartWindows": SOURCE.start_windows,
        "Entropy": SOURCE.entropy,
        "SettleCycles": SOURCE.settle,
        "PauseCycles": SOURCE.pause,
        "RestartSamples": ROW,
    } == {name: int(value) for name, value in said.items()}
    assert f"RbgRowSamples = {ROW} " in (ROOT / "sw/hal/rbg_read.h").read_text()


def test_broken_oscillators_are_told():
    with pytest.raises(FindingError, match=r"lane 5 failed: repetition count$"):
        samples.collect(Stage.tested, 1, failed=1 << 5)
    # Raw samples are not tested: they are there to be looked at.
    found = samples.collect(Stage.raw, 90, failed=1 << 5)
    assert len(set(found.lane(5))) == 1 and len(set(found.lane(6))) == 2


def call(*arguments: object) -> Result:
    return CliRunner().invoke(command.app, [*map(str, arguments)])


def test_files(tmp_path: Path):
    made = call("samples", "--count", 200, "-o", tmp_path / "raw-{lane}.bin")
    assert made.exit_code == 0, made.output
    found = read(Stage.raw, START + 128)
    for lane in range(LANES):
        assert (tmp_path / f"raw-{lane}.bin").read_bytes() == found.lane(lane)[:200]
    assert "raw-11.bin: 200 symbols of 1 bit, min-entropy" in made.stderr
    assert "nothing about the entropy of a chip" in made.stderr
    assert call("samples", "--stage", "conditioned", "--count", 13, "-o", tmp_path / "words")
    assert (tmp_path / "words").read_bytes() == read(Stage.conditioned, 32).symbols()[:13]

    whole = call("samples", "--combined", "--count", 200, "-o", tmp_path / "combined")
    assert "200 symbols of 6 bits, min-entropy" in whole.stderr
    assert (tmp_path / "combined").read_bytes() == found.symbols()[:200]

    again = call("samples", "--count", 9, "--lane", 3, "-o", tmp_path / "raw-3.bin")
    assert isinstance(again.exception, UsageError) and "exists already" in str(again.exception)
    again = call("samples", "--count", 9, "--lane", 3, "-o", tmp_path / "raw-3.bin", "--force")
    assert again.exit_code == 0 and (tmp_path / "raw-3.bin").read_bytes() == found.lane(3)[:9]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-o", "x"), "a sample of 12 lanes has no room in a byte"),
        (("-o", "x", "--lane", 12), "--lane is 0 to 11"),
        (("-o", "x", "--lane", 6, "--stage", "tested"), "--lane is 0 to 5"),
        (("-o", "x", "--lane", 0, "--stage", "conditioned"), "not for words"),
        (("-o", "{lane}", "--stage", "conditioned"), "has no lanes"),
        (("-o", "{lane}", "--combined"), "in one file"),
        (("-o", "x", "--combined", "--lane", 1), "all lanes"),
        (("-o", "x", "--combined", "--stage", "tested"), "raw samples or restarts"),
        (("-o", "x", "--lane", 0, "--count", samples.MOST + 1), "--count is 1 to"),
        (("-o", "x", "--lane", 0, "--count", 1500, "--stage", "restart"), "whole rows of 1000"),
    ],
)
def test_bad_use(words: tuple[object, ...], message: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused = call("samples", *words).exception
    assert isinstance(refused, UsageError) and message in str(refused)
    assert not list(tmp_path.iterdir())


def test_a_first_look_at_a_file(tmp_path: Path):
    file = tmp_path / "samples"
    file.write_bytes(bytes([0, 1, 1, 2, 0, 1, 2, 2, 0, 1, 0, 1, 1, 0, 2, 2, 1, 0, 2, 1]))
    looked = call("estimate", file, "--bits", 2)
    assert looked.stdout == ("20 symbols of 2 bits, min-entropy 0.5364 by the most common value\n")
    assert "more than 1 bit" in str(call("estimate", file).exception)
    file.write_bytes(bytes([0, 1]) * 500_000)
    assert isinstance(call("estimate", file, "--restart").exception, FindingError)
    assert "1 bits have no 1.5" in str(
        call("estimate", file, "--restart", "--min-entropy", 1.5).exception
    )
    looked = call("estimate", file, "--bits", 6, "--restart", "--min-entropy", 3)
    assert "1000 times of 1000" in str(looked.exception)
    rows = bytes([0, 1]) * 500 + bytes([1, 0]) * 500
    file.write_bytes(rows * 500)
    looked = call("estimate", file, "--restart")
    text = "a value comes 500 times of 1000 in a row or column, 769 may be\n"
    assert looked.stdout.endswith(text)
    file.write_bytes(bytes((row + at) % 64 for row in range(ROW) for at in range(ROW)))
    looked = call("estimate", file, "--bits", 6, "--restart", "--min-entropy", 5.9)
    assert looked.exit_code == 0, looked.exception
    file.write_bytes(bytes(9))
    assert "1000000 symbols" in str(call("estimate", file, "--restart").exception)
    file.write_bytes(b"\0")
    assert "two are needed" in str(call("estimate", file).exception)
