"""The control side of the tile: queues, key slots, registers."""

from pathlib import Path

import pytest
from support import cocotb_runner
from support.tile_ports import around

FOLDER = Path(__file__).parent
STRIDES = (4096, 65536)
"""From one user page to the next."""


WITH_P521 = {"NumLanes": 11, "Opcodes": "16'h083F"}
"""A tile with an engine whose keys have 80 bytes."""


def controlled(bench, parameters=None, **env):
    """Run a bench on the control side, with lanes that are played."""
    cocotb_runner.run(
        "cryptile:shell:tile_queues",
        "tile_queues_probe",
        bench,
        test_dir=FOLDER,
        extra_sources=around("tile_queues_probe"),
        parameters=parameters or {},
        env=env,
        see=[],
    )


@pytest.mark.parametrize("bench", ["tb_tile_queues", "tb_tile_key_slots"])
def test_tile_queues(bench):
    controlled(bench)


@pytest.mark.parametrize(("parameters", "size"), [({}, 64), (WITH_P521, 80)])
def test_long_keys(parameters, size):
    """Keys of more than 64 bytes, and a tile whose slots have no room for them."""
    controlled("tb_tile_long_keys", parameters, CRYPTILE_SLOT_BYTES=str(size))


@pytest.mark.parametrize(
    ("engine", "parameters"), [("pka", {}), ("pka384", {}), ("pka521", WITH_P521)]
)
def test_made_keys(engine, parameters):
    controlled("tb_tile_made_keys", parameters, CRYPTILE_ENGINE_NAME=engine)


@pytest.mark.parametrize("stride", STRIDES)
def test_pages(stride):
    cocotb_runner.run(
        "cryptile:shell:tile_queues",
        "cry_tile_control",
        "tb_tile_control",
        test_dir=FOLDER,
        parameters={"PageStride": stride},
        env={"CRYPTILE_PAGE_STRIDE": str(stride)},
    )
