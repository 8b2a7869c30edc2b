"""``cryptile random cutoffs``: parameters of the entropy source, and what they make others wait."""

import re

import pytest
from typer.testing import CliRunner, Result

from cryptile.commands import random as command
from cryptile.entropy import cutoffs
from cryptile.errors import UsageError
from cryptile.project import ROOT


def call(*arguments: object) -> Result:
    return CliRunner().invoke(command.app, ["cutoffs", *map(str, arguments)])


def printed(*arguments: object) -> dict[str, int]:
    """Return the numbers by name."""
    found = re.findall(r"^(\S+) .*? ([\d,]+)  ", call(*arguments).stdout, re.M)
    return {name: int(number.replace(",", "")) for name, number in found}


def test_what_the_source_has_by_itself():
    made = call("--min-entropy", 0.5)
    assert made.exit_code == 0 and not made.stderr
    assert printed("--min-entropy", 0.5) == {
        "Lanes": 12,
        "Period": 256,
        "Window": 1024,
        "Entropy": 500,
        "Blocks": 4,
        "RctCutoff": 81,
        "Cutoff": 810,
        "start": 312_536,
        "reseed": 32_768,
        "job's": 35_288,
        "driver's": 560_640,
    }
    assert "one false alarm in 5.6 hours" in made.stdout


def test_options():
    """Less entropy, other sizes and rates; what is measured is rounded down."""
    sizes = "--min-entropy 0.28599 --lanes 4 --window 512 --period 300"
    found = printed(*sizes.split(), "--false-alarm", 20, "--false-alarm-run", 30)
    assert found["Entropy"] == 285 and found["Blocks"] == 22  # 22 x 16 x 2 x 0.285 = 200.6
    assert found["RctCutoff"] == 1 + 106
    least = cutoffs.proportion(0.285, 20, 512)
    assert found["Cutoff"] == least > cutoffs.proportion(0.285, 10, 512)
    assert found["reseed"] == 2 * 22 * 16 * 300


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--period", 768), ["101,336 cycles for a reseed", "1,674,752 cycles to start"]),
        (("--lanes", 4), ["100,824 cycles for a reseed"]),
        (("--window", 4096), ["2,133,504 cycles to start"]),
        (("--false-alarm", 40), ["four fifths of Window"]),
        (("--period", 200), ["samples are dropped"]),
    ],
)
def test_warnings(words: tuple[object, ...], told: list[str]):
    """Of what must be set elsewhere, each in a line."""
    made = call("--min-entropy", 0.5, *words)
    lines = made.stderr.splitlines()
    assert made.exit_code == 0 and len(lines) == len(told)
    for line, text in zip(lines, told, strict=True):
        assert line.startswith("warning: ") and text in line


def test_what_others_wait():
    """The warnings are about what stands in the RTL and in the driver."""
    engines = [
        (path.name, int(value.replace("1 <<", "")))
        for path in (ROOT / "rtl/engine").rglob("*.sv")
        for value in re.findall(r"RandomCycles += +(1 << \d+)", path.read_text())
    ]
    assert "cry_random_engine.sv" in dict(engines)
    assert {1 << shift for _, shift in engines} == {cutoffs.RANDOM_CYCLES}
    driver = (ROOT / "sw/hal/rbg.h").read_text()
    assert f"RbgStartLimit = {cutoffs.START_LIMIT} " in driver


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--min-entropy", 0), "0.001 to 1 bits"),
        (("--min-entropy", 1.1), "0.001 to 1 bits"),
        (("--min-entropy", 0.5, "--lanes", 3), "lanes are pairs"),
        (("--min-entropy", 0.5, "--lanes", 18), "lanes are pairs"),
        (("--min-entropy", 0.5, "--period", 14), "over 14 cycles"),
        (("--min-entropy", 0.5, "--window", 1), "two samples at least"),
        (("--min-entropy", 0.5, "--false-alarm", 0), "two samples at least"),
        (("--min-entropy", 0.1, "--window", 64), "as rare as 2^-30"),
    ],
)
def test_bad_use(words: tuple[object, ...], message: str):
    refused = call(*words).exception
    assert isinstance(refused, UsageError) and message in str(refused)
