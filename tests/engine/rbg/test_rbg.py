"""The random bit generator: entropy source, DRBG, registers."""

from pathlib import Path

import pytest
from support import cocotb_runner
from support.mutated import mutated

from cryptile.toolchain import rtl

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
    "still-given": ("cry_drbg_ports.sv", "if (stop || !begun_q) begin", "if (!begun_q) begin"),
    "reseed-ends-alarm": ("cry_rbg.sv", ".restart_i     (restart)", ".restart_i     (reseed)"),
    "life-cycle": ("cry_rbg.sv", "(read_allowed_i && !wipe_i)", "(!wipe_i)"),
    "read-again": ("cry_rbg.sv", "(hw_out.READ_LO.value.swacc)", "(1'b0)"),
}
STOPS = {
    "reseed-forgets-none": (
        "cry_drbg_ports.sv",
        "assign stop     = stop_i | restart_i | reseed_i | !serving;",
        "assign stop     = stop_i | restart_i;",
    ),
    "old-request": ("cry_drbg_ports.sv", "assign serving = !reseed_q & (", "assign serving = ("),
    "seeded-too-early": ("cry_drbg_ports.sv", " & (op_q == OpGenerate)", ""),
    "tampering-forgotten": ("cry_rbg.sv", ".enable.hwclr = wipe_i", ".enable.hwclr = 1'b0"),
    "tests-in-alarm-alone": (
        "cry_entropy.sv",
        "restart_i && (state_q != StateOff)",
        "restart_i && alarm_o",
    ),
}
ALARMS = {
    "off-ends-alarm": ("cry_drbg_ports.sv", "(state_q != StFailed) | restart_i", "1'b1"),
    "alarm-of-source-alone": ("cry_rbg.sv", "source_alarm || drbg_alarm;", "source_alarm;"),
    "restart-ends-none": ("cry_rbg.sv", ".restart_i  (restart)", ".restart_i  (1'b0)"),
    "never-late": ("cry_rbg.sv", ".EntropyCycles(EntropyCycles)", ".EntropyCycles(1 << 20)"),
}
CANNOT = {
    "answer": ("cry_drbg_pkg.sv", "3cd09a12_7be907eb", "3cd09a12_7be907ea"),
    "late": (
        "cry_entropy.sv",
        "assign ent_valid_o = word_valid &&",
        "assign ent_valid_o = 1'b0 &&",
    ),
}
"""Ways in which the DRBG cannot work."""
CONDITIONER = ("cry_entropy_conditioner.sv", "8818_a4ea", "8818_a4eb")
"""Its known answer is wrong."""
TOLD = {
    "no-alarm": ("cry_rbg.sv", "source_alarm || drbg_alarm;", "drbg_alarm;"),
    "another-test": (
        "cry_rbg.sv",
        "hw_in.STATUS.fails.next      = fails;",
        "hw_in.STATUS.fails.next      = '0;",
    ),
    "no-test": ("cry_entropy.sv", "!raw && !passed", "!raw && 1'b0"),
}


def simulate(
    change: tuple[str, str, str] | None = None,
    testcase: str | None = None,
    env: dict[str, str] | None = None,
    module: str = "tb_rbg",
    clients: int = 1,
) -> None:
    cocotb_runner.run(
        "cryptile:engine:rbg",
        "cry_rbg",
        module,
        test_dir=HERE,
        # The first of several takes many blocks in a row.
        parameters={**SHORT, "Clients": clients, "Bulk": f"{clients}'d{int(clients > 1)}"},
        env={name: str(size) for name, size in SHORT.items()}
        | {"CRYPTILE_CLIENTS": str(clients)}
        | (env or {}),
        testcase=testcase,
        see=SEEN,
        light=change is not None,
        change=change,
    )


def test_bits():
    simulate()


@pytest.mark.parametrize("clients", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_stops(clients):
    simulate(module="tb_rbg_stops", clients=clients)


def cannot(monkeypatch, folder, part, testcase, change=None, **env):
    """Simulate a part that cannot work, with one more change."""
    sources = rtl.resolve("cryptile:engine:rbg")
    sources.files[:] = mutated(sources.files, part, folder)
    monkeypatch.setattr(rtl, "resolve", lambda *names: sources)
    simulate(change, testcase, env, module="tb_rbg_alarm")


def cannot_drbg(monkeypatch, folder, way, change=None):
    cannot(monkeypatch, folder, CANNOT[way], "drbg_alarm", change, CRYPTILE_BROKEN=way)


@pytest.mark.parametrize("way", CANNOT)
def test_drbg_alarm(way, tmp_path, monkeypatch):
    cannot_drbg(monkeypatch, tmp_path, way)


def test_conditioner_alarm(tmp_path, monkeypatch):
    cannot(monkeypatch, tmp_path, CONDITIONER, "conditioner_alarm")


@pytest.mark.soak
def test_statistics_of_a_million_bits():
    simulate(testcase="statistics", env={"CRYPTILE_SMOKE": "8192"})


@pytest.mark.soak
@pytest.mark.parametrize("name", BROKEN)
def test_broken(name):
    """The tests see each way to break it."""
    simulate(BROKEN[name])


@pytest.mark.soak
@pytest.mark.parametrize("name", STOPS)
def test_broken_stops(name):
    """Likewise, what outlives a stop or a reseed: by an assertion of the RTL, or a test."""
    simulate(STOPS[name], module="tb_rbg_stops", clients=3)


@pytest.mark.soak
@pytest.mark.parametrize("name", ALARMS)
def test_broken_alarms(name, tmp_path, monkeypatch):
    """Likewise, an alarm of the DRBG that is not told, or does not stay."""
    cannot_drbg(monkeypatch, tmp_path, "late", ALARMS[name])


@pytest.mark.soak
@pytest.mark.parametrize("name", TOLD)
def test_broken_conditioner_alarm(name, tmp_path, monkeypatch):
    """Likewise, the conditioner's."""
    cannot(monkeypatch, tmp_path, CONDITIONER, "conditioner_alarm", TOLD[name])
