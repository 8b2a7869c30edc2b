"""``cryptile bench mcu`` is exact: every cycle is pinned, and the targets hold.

The longest messages, which take minutes on RTL, are for ``make soak``.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support import held

QUICK = (1, 4, 32, 64)
WHOLE = (1, 4, 32, 1024)
BLOCKS = (1, 4, 32, 64, 1024)
ENGINE = {
    ("serial", "ecb"): (273, 1047, 8271, 16527, 264207),
    ("serial", "cbc"): (274, 1048, 8272, 16528, 264208),
    ("serial", "ctr"): (274, 1048, 8272, 16528, 264208),
    ("iterative", "ecb"): (26, 56, 336, 656, 10256),
    ("iterative", "cbc"): (27, 57, 337, 657, 10257),
    ("iterative", "ctr"): (27, 57, 337, 657, 10257),
    ("pipelined", "ecb"): (26, 29, 76, 140, 2060),
    ("pipelined", "cbc"): (27, 57, 337, 657, 10257),
    ("pipelined", "ctr"): (27, 30, 86, 150, 2070),
}
"""Cycles from the first register write to the event, by the number of BLOCKS."""

BEFORE_SLEEP = {
    ("iterative", "ecb", 1): 1,
    ("pipelined", "ecb", 1): 1,
    ("pipelined", "ecb", 4): 1,
    ("pipelined", "ecb", 32): 3,
    ("pipelined", "ecb", 64): 3,
    ("pipelined", "ecb", 1024): 3,
}
"""Cycles on top when the core sleeps: what it still writes to its stack meets the engine in a bank.
Where data and stack lie in the banks decides, so that a change of the firmware may move them."""

SOFTWARE = {
    ("compact", "ecb"): (8240, 21536, 145632, 287456, 4542176),
    ("compact", "cbc"): (8503, 22414, 152250, 300634, 4752154),
    ("compact", "ctr"): (8473, 22276, 151105, 298337, 4715337),
    ("table", "ecb"): (3236, 5903, 30795, 59243, 912683),
    ("table", "cbc"): (3599, 6908, 37792, 73088, 1131968),
    ("table", "ctr"): (3364, 5860, 29157, 55781, 854533),
    ("bitsliced", "ecb"): (7575, 10017, 48321, 92097, 1405377),
    ("bitsliced", "cbc"): (7638, 16455, 98747, 192795, 3014235),
    ("bitsliced", "ctr"): (7808, 10069, 42277, 74465, 1043605),
}
"""Cycles of the whole call, with the compiler of Debian 12."""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(QUICK, id="quick"),
        pytest.param(WHOLE, id="whole", marks=pytest.mark.soak),
    ],
)
def sizes(request):
    return request.param


@pytest.fixture(scope="module")
def records(sizes, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    command = [Path(sys.executable).parent / "cryptile", "bench", "mcu"]
    if sizes != WHOLE:  # as the command does without being told
        command += [word for blocks in sizes for word in ("--blocks", str(blocks))]
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


def pinned(cycles, sizes):
    """The cycles of some numbers of BLOCKS, each as a list of what was found."""
    return [[cycles[BLOCKS.index(blocks)]] for blocks in sizes]


@pytest.mark.parametrize("wait", ["poll", "sleep"])
@pytest.mark.parametrize(("impl", "mode"), ENGINE)
def test_engine_cycles(records, sizes, impl, mode, wait):
    alg = f"aes-128-{mode}"
    asleep = wait == "sleep"
    seen = [
        [
            cycles - (BEFORE_SLEEP.get((impl, mode, blocks), 0) if asleep else 0)
            for cycles in values(records, "cycles", impl=impl, alg=alg, wait=wait, blocks=blocks)
        ]
        for blocks in sizes
    ]
    assert seen == pinned(ENGINE[impl, mode], sizes)


@pytest.mark.parametrize(("impl", "mode"), SOFTWARE)
def test_software_cycles(records, sizes, impl, mode):
    seen = [
        values(records, "cycles", impl=impl, alg=f"aes-128-{mode}", blocks=blocks)
        for blocks in sizes
    ]
    assert seen == pinned(SOFTWARE[impl, mode], sizes)


def test_documents_state_these_figures(records):
    assert held.compare(records, "cycles", "further_block") == 12


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


@pytest.mark.parametrize(
    ("numbers", "complaint"), [((0, 4), "1 to 2048"), ((4,), "2 to 8"), ((4, 4), "2 to 8")]
)
def test_other_numbers_of_blocks_are_refused(numbers, complaint):
    command = [Path(sys.executable).parent / "cryptile", "bench", "mcu"]
    command += [word for blocks in numbers for word in ("--blocks", str(blocks))]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert complaint in result.stderr
