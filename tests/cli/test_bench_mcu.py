"""``cryptile bench mcu`` is exact: every cycle is pinned, and the targets hold."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BLOCKS = (1, 4, 32, 1024)
ENGINE = {
    ("serial", "ecb"): (273, 1047, 8271, 264207),
    ("serial", "cbc"): (274, 1048, 8272, 264208),
    ("serial", "ctr"): (274, 1048, 8272, 264208),
    ("iterative", "ecb"): (26, 56, 336, 10256),
    ("iterative", "cbc"): (27, 57, 337, 10257),
    ("iterative", "ctr"): (27, 57, 337, 10257),
    ("pipelined", "ecb"): (26, 29, 76, 2060),
    ("pipelined", "cbc"): (27, 57, 337, 10257),
    ("pipelined", "ctr"): (27, 30, 86, 2070),
}
"""Cycles from the first register write to the event, by N."""

BEFORE_SLEEP = {("pipelined", "ecb", blocks): 2 for blocks in (32, 1024)}
"""Cycles on top when the core sleeps: what it still writes to its stack meets the engine in a bank.
Where data and stack lie in the banks decides, so that a change of the firmware may move them."""

SOFTWARE = {
    ("compact", "ecb"): (8240, 21536, 145632, 4542176),
    ("compact", "cbc"): (8503, 22414, 152250, 4752154),
    ("compact", "ctr"): (8473, 22276, 151105, 4715337),
    ("table", "ecb"): (3236, 5903, 30795, 912683),
    ("table", "cbc"): (3599, 6908, 37792, 1131968),
    ("table", "ctr"): (3364, 5860, 29157, 854533),
    ("bitsliced", "ecb"): (7575, 10017, 48321, 1405377),
    ("bitsliced", "cbc"): (7638, 16455, 98747, 3014235),
    ("bitsliced", "ctr"): (7808, 10069, 42277, 1043605),
}
"""Cycles of the whole call, with the compiler of Debian 12."""


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    command = [Path(sys.executable).parent / "cryptile", "bench", "mcu"]
    command += ["--json", folder / "records.json", "--plot", folder / "plot"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "published figures and ours" in result.stdout
    assert {path.name for path in folder.iterdir()} == {"records.json", "plot.png", "plot.svg"}
    return json.loads((folder / "records.json").read_text())


def values(records, metric, **params):
    return [
        record["value"]
        for record in records
        if record["metric"] == metric and params.items() <= record["params"].items()
    ]


@pytest.mark.parametrize("wait", ["poll", "sleep"])
@pytest.mark.parametrize(("impl", "mode"), ENGINE)
def test_engine_cycles(records, impl, mode, wait):
    alg = f"aes-128-{mode}"
    seen = [
        values(records, "cycles", impl=impl, alg=alg, wait=wait, blocks=blocks) for blocks in BLOCKS
    ]
    more = [BEFORE_SLEEP.get((impl, mode, n), 0) if wait == "sleep" else 0 for n in BLOCKS]
    assert seen == [[cycles + n] for cycles, n in zip(ENGINE[impl, mode], more, strict=True)]


@pytest.mark.parametrize(("impl", "mode"), SOFTWARE)
def test_software_cycles(records, impl, mode):
    seen = [
        values(records, "cycles", impl=impl, alg=f"aes-128-{mode}", blocks=blocks)
        for blocks in BLOCKS
    ]
    assert seen == [[cycles] for cycles in SOFTWARE[impl, mode]]


def test_targets(records):
    assert set(values(records, "further_block", impl="pipelined", alg="aes-128-ecb")) == {2.0}
    assert set(values(records, "further_block", impl="pipelined", alg="aes-128-ctr")) == {2.0}
    speedups = values(
        records, "speedup", impl="pipelined", alg="aes-128-ecb", of="further_block", wait="sleep"
    )
    assert len(speedups) == 1
    assert speedups[0] >= 1500


def test_provenance(records):
    for record in records:
        assert record["suite"] == "mcu"
        assert {"commit", "tools", "command", "seed"} <= record["provenance"].keys()
        assert "gcc" in record["provenance"]["tools"]["compiler"]


def test_code_size(records):
    sizes = {
        (record["params"]["impl"], record["params"]["part"]): record["value"]
        for record in records
        if record["metric"] == "code_bytes"
    }
    paths = ("pipelined", "compact", "table", "bitsliced")
    small_to_large = [sizes[impl, "crypto"] for impl in paths]
    assert small_to_large == sorted(small_to_large)
    assert sizes["pipelined", "image"] < 9140
