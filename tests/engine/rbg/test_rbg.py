"""The random bit generator: entropy source, DRBG, registers."""

from pathlib import Path

import pytest
from support import cocotb_runner

HERE = Path(__file__).parent
SHORT = {
    "Lanes": 16,
    "Period": 256,
    "Window": 64,
    "RctCutoff": 21,
    "Cutoff": 51,
    "Entropy": 1000,
    "Blocks": 2,
    "SettleCycles": 918,
    "PauseCycles": 40,
    "ReseedInterval": 24,
}
SEEN = [
    *cocotb_runner.STORED,
    *(("cry_random", name) for name in ("*_i", "*_o", "cmd*", "done*", "out*")),
    ("cry_entropy", "osc_enable_o"),
    ("cry_entropy_sampler", "valid_o"),
]
BROKEN = {
    "old-words": ("cry_entropy.sv", "(running && ent_begin_i && (read_q == ReadNone))", "1'b0"),
    "alarm-ignored": (
        "cry_rbg.sv",
        "assign stop = ent_fail || wipe_i;",
        "assign stop = (ent_fail && !source_alarm) || wipe_i;",
    ),
    "still-given": (
        "cry_drbg_ports.sv",
        "if (stop || !begun_q) begin",
        "if (wipe_i || !begun_q) begin",
    ),
    "wipe-forgets-none": (
        "cry_drbg_ports.sv",
        "if (rnd_valid_o[i] && !rnd_ready_i[i] && !wipe_i) begin",
        "if (rnd_valid_o[i] && !rnd_ready_i[i]) begin",
    ),
    "reseed-ends-alarm": ("cry_rbg.sv", ".restart_i     (restart)", ".restart_i     (reseed)"),
    "life-cycle": ("cry_rbg.sv", "(read_allowed_i && !wipe_i)", "(!wipe_i)"),
    "read-again": ("cry_rbg.sv", "(hw_out.READ_LO.value.swacc)", "(1'b0)"),
}


def simulate(
    change: tuple[str, str, str] | None = None,
    testcase: str | None = None,
    env: dict[str, str] | None = None,
) -> None:
    cocotb_runner.run(
        "cryptile:engine:rbg",
        "cry_rbg",
        "tb_rbg",
        test_dir=HERE,
        parameters=dict(SHORT),
        env={name: str(size) for name, size in SHORT.items()} | (env or {}),
        testcase=testcase,
        see=SEEN,
        light=change is not None,
        change=change,
    )


def test_bits():
    simulate()


@pytest.mark.soak
def test_statistics_of_a_million_bits():
    simulate(testcase="statistics", env={"CRYPTILE_SMOKE": "8192"})


@pytest.mark.soak
@pytest.mark.parametrize("name", BROKEN)
def test_broken(name):
    """The tests see each way to break it."""
    simulate(BROKEN[name])
