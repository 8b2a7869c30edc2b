"""The DRBG's ready ports: fairness, order, a block once, reseeding, and alarms."""

from pathlib import Path

import pytest
from support import cocotb_runner

HERE = Path(__file__).parent
SEEN = [*cocotb_runner.STORED, ("cry_drbg", "*_i"), ("cry_drbg", "*_o")]
BROKEN = {
    "fixed-priority": ("cry_drbg_ports.sv", ".take_i     (out_valid_i)", ".take_i     (1'b0)"),
    "given-twice": ("cry_drbg_ports.sv", "& any & !stop & (next == ClientWidth'(i))", "& room[i]"),
    "not-wiped": ("cry_drbg_ports.sv", "pop ? block_q >> 128", "1'b0 ? block_q >> 128"),
}


def simulate(change: tuple[str, str, str] | None = None) -> None:
    cocotb_runner.run(
        "cryptile:engine:drbg",
        "cry_random",
        "tb_random",
        test_dir=HERE,
        parameters={"Clients": 3, "Bulk": "3'b001", "EntropyCycles": 1000},
        see=SEEN,
        light=change is not None,
        change=change,
    )


def test_ports():
    simulate()


@pytest.mark.soak
@pytest.mark.parametrize("name", BROKEN)
def test_broken(name):
    """An assertion or a comparison sees each way to break the ports."""
    simulate(BROKEN[name])
