"""``cryptile faults`` from the outside: exit codes, records, resumed runs, replay, bad input."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cryptile import cli
from cryptile.errors import UsageError
from cryptile.project import BUILD

TOY = Path(__file__).parent / "toy.yaml"
SHORT = ("--jobs", 12, "--bytes", 60, "--stalls", 20)
COMMAND = [Path(sys.executable).parent / "cryptile", "faults"]


def faults(*words):
    command = [*COMMAND, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def figures(result):
    return {record["metric"]: record["value"] for record in json.loads(result.stdout)}


def test_records_report_and_exit_code(tmp_path):
    result = faults(TOY, *SHORT, "--output", tmp_path / "out", "--json", "-")
    assert result.returncode == 1, result.stderr
    found = figures(result)
    classes = {
        "masked",
        "latent",
        "corrected",
        "detected",
        "silent",
        "hang",
        "false_alarm",
        "unrecovered",
    }
    assert set(found) == classes | {"injected", "faults_per_second"}
    assert sum(found[name] for name in classes) == found["injected"]
    params = json.loads(result.stdout)[0]["params"]
    assert {"design", "impl", "protect", "model", "mode"} <= set(params)
    page = (tmp_path / "out" / "report.html").read_text()
    assert "NOT SAFE" in page
    assert "http" not in page.replace("http://www.w3.org", "")
    assert len(page) < 2_000_000


def test_a_safe_design_gives_zero(tmp_path):
    result = faults(
        TOY,
        "--protect",
        "correct",
        "--mode",
        "targeted",
        "--target",
        "u_control",
        *SHORT,
        "--output",
        tmp_path / "out",
    )
    assert result.returncode == 0, result.stderr
    assert "No silent corruption, no hang" in result.stdout


def test_paper_mode_gives_an_interval_and_repeats(tmp_path):
    words = (TOY, "--mode", "paper", "--runs", 300, "--bytes", 2000, "--seed", 5)
    first = faults(*words, "--output", tmp_path / "a", "--json", tmp_path / "a.json")
    assert "95 % interval of the rate" in " ".join(first.stdout.split())
    faults(*words, "--output", tmp_path / "b", "--json", tmp_path / "b.json")
    a, b = (json.loads((tmp_path / name).read_text())[:9] for name in ("a.json", "b.json"))
    assert [record["value"] for record in a] == [record["value"] for record in b]


@pytest.mark.soak
def test_a_killed_run_resumes_to_the_same_counts(tmp_path):
    words = ("aes", "--jobs", 200, "--bytes", 60, "--workers", 2, "--json", "-")
    folder = tmp_path / "out"
    command = [*COMMAND, *map(str, words), "--output", str(folder)]
    started = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    deadline = time.monotonic() + 120
    while not list(folder.glob("part-*.parquet")):
        assert started.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(started.pid, signal.SIGKILL)
    started.wait()
    kept = {path: path.stat().st_mtime_ns for path in folder.glob("part-*.parquet")}
    resumed = faults(*words, "--output", folder, "--resume")
    whole = faults("aes", "--jobs", 200, "--bytes", 60, "--json", "-", "--output", tmp_path / "w")
    assert kept
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    mine, other = figures(resumed), figures(whole)
    del mine["faults_per_second"], other["faults_per_second"]
    assert mine == other


def test_replay_writes_a_waveform_of_the_fault(tmp_path):
    file = tmp_path / "fault.vcd"
    words = (TOY, *SHORT, "--place", "data_q[40]", "--cycle", 30, "--output", file)
    result = faults("replay", *words)
    assert result.returncode == 0, result.stderr
    assert "begins at cycle 0" in result.stdout
    text = file.read_text()
    codes = {}
    for scope in text.split("$scope module ")[1:]:
        name, lines = scope.split(" ", 1)[0], scope.split("$end\n")
        codes[name] = next(line.split()[3] for line in lines if " data_q" in line)
    values = {}
    for moment in text.split("\n#")[1:]:
        time_, *changes = moment.splitlines()
        values[int(time_)] = dict(reversed(change.split()) for change in changes)

    def value(scope, until):
        seen = [values[t][codes[scope]] for t in range(until + 1) if codes[scope] in values[t]]
        return int(seen[-1][1:], 2)

    assert value("golden", 29) == value("faulty", 29)
    assert value("golden", 30) ^ value("faulty", 30) == 1 << 40


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rsa"], "unknown design 'rsa'"),
        (["{toy}", "--variant", "x"], "has no variant 'x'"),
        (["{toy}", "--protect", "lockstep"], "has no protection 'lockstep': it is tmr now"),
        (["{toy}", "--mode", "targeted"], "--target or --cycles"),
        (["{toy}", "--target", "nowhere"], "nothing is named like 'nowhere'"),
        (["{toy}", "--target", "("], "is no regular expression"),
        (["{toy}", "--cycles", "7"], "is not FIRST:LAST"),
        (["{toy}", "--cycles", "9000000:9000001"], "the run has the cycles"),
        (["{toy}", "--pairs", "5"], "--pairs needs --model mbu"),
        (["{dir}/none.yaml"], "cannot read"),
        (["{dir}/bad.yaml"], "unknown field `tip`"),
        (["{dir}/files.yaml"], "there is no file"),
        (["{dir}/temporary.yaml"], "Yosys cannot read"),
        (["{build}/port.yaml"], "has no input clear_i"),
        (["replay", "{toy}", "--place", "x", "--cycle", "9"], "there is no place 'x'"),
        (["{toy}", "--model", "set", "--verify", "3"], "have no place in the RTL"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_named(words, message, tmp_path):
    (tmp_path / "bad.yaml").write_text("tip: top\n")
    (tmp_path / "files.yaml").write_text("rtl: {top: top, files: [gone.sv]}\n")
    (tmp_path / "temporary.yaml").write_text("rtl: {top: top, files: [top.sv]}\n")
    (tmp_path / "top.sv").touch()
    build = BUILD / "faults" / "tests"
    build.mkdir(parents=True, exist_ok=True)
    (build / "port.yaml").write_text("rtl: {top: top, files: [top.sv]}\n")
    (build / "top.sv").write_text(
        "module top(input clk_i, rst_ni, d_i, output logic q_o);"
        " always_ff @(posedge clk_i) q_o <= d_i & rst_ni; endmodule\n"
    )
    words = [word.format(toy=TOY, dir=tmp_path, build=build) for word in words]
    result = CliRunner().invoke(cli.app, ["faults", *words])
    assert isinstance(result.exception, UsageError)
    assert message in str(result.exception)


def test_bad_input_ends_with_exit_code_2():
    result = faults("rsa")
    assert result.returncode == 2
    assert result.stderr.startswith("cryptile: unknown design")
    assert "Traceback" not in result.stderr
