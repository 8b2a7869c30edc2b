"""The whole tile, with all engines: one model, several benches."""

from pathlib import Path

import pytest
from support import cocotb_runner
from support.tile_ports import around
from support.waves import compare

from cryptile import catalog
from cryptile.toolchain import rtl

LEVELS = {str(level): number for number, level in enumerate(catalog.Level)}
"""Numbers of levels of protection in RTL."""


COVERED = (
    "cry_tile",
    "cry_tile_aes_lanes",
    "cry_tile_refused",
    "cry_aes_core_catch",
    "cry_aes_core_share",
    "cry_aes_modes_lanes",
)
"""Modules whose coverage is measured here; no smaller model has them as the tile does."""


def whole(bench, **env):
    """Run a bench on the tile with all engines."""
    cocotb_runner.run(
        "cryptile:shell:tile",
        "cry_tile",
        f"tb_{bench}",
        test_dir=Path(__file__).parent,
        env=env,
        light=True,
        cover=COVERED,
        see=[
            *cocotb_runner.registers("cryptile:shell:tile"),
            *(("cry_tile_lane_times", name) for name in ("report_i", "times")),
        ],
    )


@pytest.mark.parametrize(
    ("bench", "jobs"),
    [
        ("tile", 1),
        pytest.param("tile", 3, marks=pytest.mark.soak),
        ("tile_isolation", 4),
        ("tile_service", 0),
        ("tile_hostile", 2000),
        ("tile_speed", 0),
        ("tile_aes_lanes", 0),
        ("tile_rows", 12),
    ],
)
def test_tile(bench, jobs):
    whole(bench, CRYPTILE_JOBS=str(jobs))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 22))
def test_hostile(seed):
    """The fuzz of a hostile queue: 100,000 jobs in all; one that fails is repeated by its seed."""
    whole("tile_hostile", CRYPTILE_JOBS="5000", CRYPTILE_SEED=str(seed))


@pytest.mark.soak
def test_upsets():
    """Upsets change nothing: what a level promises is proven, part by part, beside this."""
    cocotb_runner.run(
        "cryptile:shell:tile",
        "cry_tile",
        "tb_tile_upsets",
        test_dir=Path(__file__).parent,
        parameters={
            "Protect": "2'd2",
            "NumQueues": 2,
            "NumSlots": 1,
            "NumWindows": 1,
            "Opcodes": "16'd3",
        },
        env={"CRYPTILE_ALGORITHMS": "nop,copy", "CRYPTILE_JOBS": "15"},
        light=True,
        short=True,
        upset=True,
    )


def small(bench, testcase=None, **env):
    """Run a bench on a small tile."""
    cocotb_runner.run(
        "cryptile:shell:tile",
        "cry_tile",
        f"tb_{bench}",
        test_dir=Path(__file__).parent,
        parameters={"NumQueues": 2, "NumSlots": 1, "Opcodes": "16'd3"},
        env={"CRYPTILE_ALGORITHMS": "nop,copy", "CRYPTILE_JOBS": "15", **env},
        testcase=testcase,
        see=[],
    )


@pytest.mark.parametrize(
    ("bench", "testcase"), [("tile_windows", None), ("tile_reset", None), ("tile", "engines")]
)
def test_one_lane(bench, testcase):
    """What queues may reach, how they end; engines that are not built in are refused."""
    small(bench, testcase)


def test_the_drawing_is_what_the_rtl_does():
    with compare("tile") as recorded:
        small("tile_timing", CRYPTILE_WAVES=str(recorded))


@pytest.mark.parametrize("jobs", [0, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    ("bench", "engine", "opcodes"),
    [
        ("random", "pka", 0x38B),
        ("nistp", "pka384", 0x38B),
        pytest.param("nistp", "pka521", 0x80F, marks=pytest.mark.soak),
        ("ed25519", "pka", 0x38B),
    ],
)
def test_random(bench, engine, opcodes, jobs):
    """The engines that take random bits, and those that take the keys they make, or wrap them."""
    cocotb_runner.run(
        "cryptile:shell:tile",
        "cry_tile",
        f"tb_tile_{bench}",
        test_dir=Path(__file__).parent,
        parameters={"NumQueues": 2, "NumSlots": 2, "AesLanes": 1, "Opcodes": f"16'h{opcodes:X}"},
        env={
            "CRYPTILE_JOBS": str(jobs),
            "CRYPTILE_ENGINE_NAME": engine,
            "CRYPTILE_WRAPPED": str(opcodes >> 2 & 1),
        },
        light=True,
    )


@pytest.mark.parametrize("jobs", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_rsa(jobs):
    """The engine for RSA, beside `copy` and `random`."""
    cocotb_runner.run(
        "cryptile:shell:tile",
        "cry_tile",
        "tb_tile_rsa",
        test_dir=Path(__file__).parent,
        parameters={"NumQueues": 2, "NumSlots": 3, "Opcodes": "16'h503"},
        env={"CRYPTILE_JOBS": str(jobs)},
        light=True,
    )


def test_bits():
    """A random bit generator beside the tile, from oscillators to memory."""
    folder = Path(__file__).parent
    own = set(rtl.resolve("cryptile:shell:tile").files)
    sizes = {"Lanes": 16, "Window": 64, "Blocks": 2, "SettleCycles": 918, "PauseCycles": 40}
    cocotb_runner.run(
        "cryptile:shell:tile",
        "tile_rbg_bench",
        "tb_tile_rbg",
        test_dir=folder,
        extra_sources=[
            *(file for file in rtl.resolve("cryptile:engine:rbg").files if file not in own),
            *around("tile_rbg_bench"),
        ],
        parameters=dict(sizes),
        env={name: str(size) for name, size in sizes.items()},
        light=True,
        see=[
            *(("cry_random", name) for name in ("*_i", "*_o", "cmd*", "done*", "out*")),
            ("cry_entropy", "osc_enable_o"),
            ("cry_entropy_sampler", "valid_o"),
        ],
    )


def test_words():
    """Random bits for several engines."""
    cocotb_runner.run(
        "cryptile:shell:tile",
        "cry_tile_random",
        "tb_tile_words",
        test_dir=Path(__file__).parent,
        parameters={"Clients": 3},
    )


def test_places():
    """Which lane of AES a job takes."""
    cocotb_runner.run(
        "cryptile:shell:tile_queues",
        "cry_tile_aes_lanes",
        "tb_tile_aes_places",
        test_dir=Path(__file__).parent,
        parameters={"NumQueues": 8, "Lanes": 4},
    )


@pytest.mark.parametrize(("write", "per_lane"), [(0, 4), (1, 1)])
def test_refused(write, per_lane):
    """What the kernel is told of a burst that was refused."""
    cocotb_runner.run(
        "cryptile:shell:tile_bus",
        "cry_tile_refused",
        "tb_tile_refused",
        test_dir=Path(__file__).parent,
        parameters={"Write": f"1'd{write}", "NumLanes": 9, "PerLane": per_lane},
        env={"CRYPTILE_WRITE": str(write), "CRYPTILE_PER_LANE": str(per_lane)},
    )


@pytest.mark.parametrize(
    ("opcode", "protect"),
    [
        (6, "none"),
        pytest.param(2, "none", marks=pytest.mark.soak),  # the lanes of a shared core
        pytest.param(6, "correct", marks=pytest.mark.soak),
    ],
)
def test_gates(opcode, protect):
    """With clock gates a tile does what it does without, in every cycle."""
    folder = Path(__file__).parent
    others = [name for name, alg in catalog.algorithms().items() if alg.opcode.number == opcode]
    cocotb_runner.run(
        "cryptile:shell:tile",
        "tile_gates_probe",
        "tb_tile_gates",
        test_dir=folder,
        extra_sources=around("tile_gates_probe"),
        parameters={
            "NumSlots": 4,
            "Opcodes": f"16'd{3 | 1 << opcode}",
            "Protect": f"2'd{LEVELS[protect]}",
        },
        env={
            "CRYPTILE_ALGORITHMS": ",".join(["nop", "copy", *others]),
            "CRYPTILE_PROTECT": protect,
        },
        light=True,
        see=[],
    )
