"""``cryptile bench stream`` is exact: what it derives from pinned cycles, and the targets."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support import held

from cryptile.bench.series import extrapolate

CRYPTILE = Path(sys.executable).parent / "cryptile"

# The worker that has built the model of the stream SoC.
pytestmark = pytest.mark.xdist_group("stream-model")


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    command = [CRYPTILE, "bench", "stream", "--variant", "opt", "--json", folder / "records.json"]
    for size in (64, 1024, 1 << 20):
        command += ["--bytes", str(size)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "1 MB: ours at 50 MHz, and the published figures" in result.stdout
    return json.loads((folder / "records.json").read_text())


def values(records, metric, **params):
    return [
        record["value"]
        for record in records
        if record["metric"] == metric and params.items() <= record["params"].items()
    ]


def value(records, metric, **params):
    (found,) = values(records, metric, **params)
    return found


ENGINE = {
    "chacha20": {64: 407, 1024: 567, 1 << 20: 164247},
    "chacha20-poly1305": {64: 464, 1024: 624, 1 << 20: 164304},
}
SOFTWARE = {
    ("chacha20", "asm"): {64: 2208, 1024: 29943},
    ("chacha20", "c"): {64: 3350, 1024: 49730},
    ("chacha20-poly1305", "asm"): {64: 6761, 1024: 48651},
}


def test_cycles(records):
    for alg, cycles in ENGINE.items():
        for size, wanted in cycles.items():
            assert value(records, "cycles", path="engine", alg=alg, bytes=size) == wanted
    for (alg, impl), cycles in SOFTWARE.items():
        for size, wanted in cycles.items():
            assert value(records, "cycles", impl=impl, alg=alg, bytes=size) == wanted


def test_derived_figures(records):
    one = {"path": "engine", "impl": "opt", "alg": "chacha20", "bytes": 1024}
    assert value(records, "cycles_per_block", **one) == pytest.approx(567 / 16)
    assert value(records, "bytes_per_cycle", **one) == pytest.approx(1024 / 567)
    assert value(records, "time", **one, mhz=50.0) == pytest.approx(567 / 50000)
    assert value(records, "speedup", **one, baseline="asm") == pytest.approx(29943 / 567)
    assert value(records, "speedup", **one, baseline="c") == pytest.approx(49730 / 567)
    for record in records:
        assert record["suite"] == "stream"
        assert {"commit", "tools", "command", "seed"} <= record["provenance"].keys()


def test_documents_state_these_figures(records):
    assert held.compare(records) > 20


@pytest.mark.soak
def test_all_figures_of_the_documents(tmp_path):
    command = [CRYPTILE, "bench", "stream", "--json", tmp_path / "records.json"]
    subprocess.run(command, capture_output=True, check=True)
    found = json.loads((tmp_path / "records.json").read_text())
    command += ["--variant", "opt", "--protect", "correct"]
    for size in (64, 1 << 16, 1 << 20):
        command += ["--bytes", str(size)]
    subprocess.run(command, capture_output=True, check=True)
    found += json.loads((tmp_path / "records.json").read_text())
    held.compare(found, whole=True)


@pytest.mark.parametrize("alg", ENGINE)
def test_targets(records, alg):
    megabyte = {"path": "engine", "alg": alg, "bytes": 1 << 20}
    assert value(records, "stream_cycles_per_block", **megabyte) == pytest.approx(10, rel=0.001)
    assert 10 / value(records, "cycles_per_block", **megabyte) >= 0.95
    assert value(records, "dma_efficiency", **megabyte) >= 0.95
    assert value(records, "speedup", **megabyte, baseline="asm") >= 100


def test_long_messages_of_software_are_marked(records):
    marked = [
        record
        for record in records
        if record["params"].get("extrapolated") and record["metric"] == "cycles"
    ]
    assert {record["params"]["bytes"] for record in marked} == {1 << 20}
    assert {record["params"]["path"] for record in marked} == {"software"}
    assert extrapolate({1: 5, 10: 20, 20: 40}, 120) == 240


def test_bad_calls():
    for words, message in (
        (["--bytes", "63"], "multiple of 64"),
        (["--variant", "quick"], "no variant named quick"),
    ):
        result = subprocess.run(
            [CRYPTILE, "bench", "stream", *words], capture_output=True, text=True, check=False
        )
        assert result.returncode != 0
        assert message in " ".join((result.stdout + result.stderr).split())
