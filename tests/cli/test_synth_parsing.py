"""The synthesis flow without its tools: libraries, scripts, reports and counts."""

import gzip
import json

import pytest

from cryptile.catalog import Level
from cryptile.errors import CryptileError, UsageError
from cryptile.records import Record
from cryptile.synth import ecp5, flow, liberty, points, table, xc7
from cryptile.synth.points import Point
from cryptile.toolchain import nextpnr, opensta, yosys

LIBRARY = """library ("tiny_osu018") {
  cell (NAND2X1) {
    area : 24;
  }
  cell ("BUFX2") { area : 1 ;
  }
  cell (INVX1) {
    area : 16.5;
  }
  cell (LATCH) {
    area : 72;
  }
}
"""


def test_xilinx_cells_are_summed_up():
    cells = {"LUT2": 3, "LUT6": 4, "INV": 1, "RAM32M": 2, "SRL16E": 1, "CARRY4": 9, "FDRE": 5}
    cells |= {"FDCE": 6, "FDPE_1": 1, "RAMB36E1": 1, "RAMB18E1": 1, "MUXF7": 7}
    assert xc7.count(cells) == {"lut": 3 + 4 + 1 + 8 + 1, "ff": 12, "bram": 1.5}


def test_ecp5_cells_are_summed_up():
    cells = {"LUT4": 10, "CCU2C": 2, "TRELLIS_DPR16X4": 1, "TRELLIS_FF": 3, "DP16KD": 1}
    assert ecp5.count(cells) == {"lut": 18, "ff": 3, "bram": 1}


@pytest.mark.parametrize("packed", [False, True])
def test_library_is_read(tmp_path, packed):
    path = tmp_path / "cells.lib"
    path.write_bytes(gzip.compress(LIBRARY.encode()) if packed else LIBRARY.encode())
    library = liberty.read(path)
    assert library.tech == "osu018"
    assert library.areas == {"NAND2X1": 24, "BUFX2": 1, "INVX1": 16.5, "LATCH": 72}
    assert (library.nand2, library.buffer, library.dont_use) == ("NAND2X1", "BUFX2", ["LATCH"])
    assert liberty.read(path, "INVX1").nand2 == "INVX1"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"hello", "not a liberty file"),
        (b"\x1f\x8bbroken", "cannot read liberty file"),
        (LIBRARY.replace("NAND2X1", "ND2").encode(), "--nand2"),
        (LIBRARY.replace("BUFX2", "X").encode(), "no buffer cell"),
    ],
)
def test_bad_library_is_refused(tmp_path, content, message):
    path = tmp_path / "bad.lib"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=message):
        liberty.read(path)


def path(slack: float, launch: float = 0.0, capture: float = 1000.0, start: str = "a_q") -> str:
    """Return what OpenSTA reports of a path, as far as it is read."""
    return (
        f"Startpoint: {start} (rising edge-triggered flip-flop clocked by clk)\n"
        f"   0.0000    {launch:.4f}   clock clk (rise edge)\n"
        f"   {capture:.4f} {capture:.4f}   clock clk' (fall edge)\n"
        f"            {slack:.4f}   slack (MET)\n"
    )


def test_worst_slack_gives_the_frequency():
    assert opensta.parse(path(900.0) + path(990.0)) == 10.0
    # Half a cycle, from either edge, with the same delay as a whole one
    assert opensta.parse(path(900.0) + path(450.0, 0.0, 500.0)) == 10.0
    assert opensta.parse(path(490.0, 500.0, 1000.0)) == 50.0
    with pytest.raises(CryptileError, match=r"no path; Warning: a.tcl, 4 port 'x' not found"):
        opensta.parse("Warning: a.tcl, 4 port 'x' not found.\nNo paths found.\n")


def test_a_name_with_error_in_it_is_no_error():
    assert opensta.parse(path(990.0, start="ErrorCount_q")) == 100.0


def test_what_opensta_says_first_is_shown():
    report = "Error: a.tcl, 5 no valid objects.\n" + "  0.1 path\n" * 99 + "  900.0   slack (MET)\n"
    with pytest.raises(CryptileError, match=r"^OpenSTA: Error: a.tcl, 5 no valid objects\.$"):
        opensta.parse(report)


def design():
    ports = {
        "clk_i": {"direction": "input", "bits": [2]},
        "a_i": {"direction": "input", "bits": [3, 4]},
        "b_o": {"direction": "output", "bits": [5]},
    }
    gate = {"type": "LUT4", "connections": {"A": [3], "B": [4], "C": ["0"], "Z": [5]}}
    attributes = {"top": "00000000000000000000000000000001"}
    module = {"attributes": attributes, "ports": ports, "cells": {"gate": gate}}
    return {"modules": {"top": module}}


def test_every_port_bit_gets_a_register():
    wrapped = design()
    nextpnr.register_ports(wrapped, "clk_i")
    module = wrapped["modules"]["top"]
    registers = [cell for cell in module["cells"].values() if cell["type"] == "TRELLIS_FF"]
    ends = {(cell["connections"]["DI"][0], cell["connections"]["Q"][0]) for cell in registers}
    a, b = module["ports"]["a_i"]["bits"], module["ports"]["b_o"]["bits"]
    assert ends == {(a[0], 3), (a[1], 4), (5, b[0])}
    assert all(cell["connections"]["CLK"] == [2] for cell in registers)
    assert len({2, 3, 4, 5, *a, *b}) == 7


def test_nextpnr_report_has_one_clock(tmp_path):
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"fmax": {"clk_i": {"achieved": 70.5, "constraint": 100}}}))
    assert nextpnr.frequency(report) == 70.5
    report.write_text(json.dumps({"fmax": {}}))
    with pytest.raises(CryptileError, match="one clock expected"):
        nextpnr.frequency(report)


def test_parameters_follow_the_configuration():
    full = Point("hwpe_aes", "pipelined", "full")
    assert full.parameters["Engine"] == "cry_engine_select_pkg::AesPipelined"
    cut = Point("hwpe_aes", "pipelined", "aes-128-enc")
    assert cut.parameters["Engine"] == "cry_engine_select_pkg::AesPipelinedAes128Enc"
    three = Point("chacha20poly1305", "opt", "stream", "tmr")
    assert three.top == "cry_engine_select"
    assert three.parameters == {
        "Engine": "cry_engine_select_pkg::ChaCha20Poly1305OptStream",
        "Protect": "cry_protect_pkg::ProtectTmr",
    }
    small = Point("aes_core", "serial", "aes-128-enc")
    assert small.top == "cry_aes_core_serial"
    assert set(small.parameters.values()) == {"1'b0"}
    hard = Point("chacha20poly1305", "opt", "stream", "correct")
    assert hard.parameters["Protect"] == "cry_protect_pkg::ProtectCorrect"
    assert hard.label == "chacha20poly1305 opt stream correct"


def test_every_point_has_its_top():
    every = list(points.points(None, None, None, list(Level)))
    for point in every:
        assert any(file.stem == point.top for file in point.sources.files), point.label
    assert set(points.default_points()) <= set(every)
    assert points.select(None, None, None, None) == points.default_points()
    assert {name for name, item in points.table().items() if item.configs} == set(points.table())


def test_options_select_points():
    names = [point.label for point in points.select(["aes"], None, ["full"], None)]
    assert names == ["aes serial full", "aes iterative full", "aes pipelined full"]
    hardened = points.select(["aes"], ["serial", "iterative"], ["full"], ["none", "correct", "tmr"])
    assert [(point.variant, point.protect, point.top) for point in hardened] == [
        ("serial", "none", "cry_aes_engine"),
        ("serial", "tmr", "cry_engine_select"),
        ("iterative", "none", "cry_aes_engine"),
        ("iterative", "correct", "cry_aes_engine"),
        ("iterative", "tmr", "cry_engine_select"),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((["rsa"], None, None, None), "unknown --design 'rsa': choose from aes_core, "),
        ((["aes-engine"], None, None, None), "unknown --design 'aes-engine': it is aes now"),
        ((None, ["faster"], None, None), "unknown --variant 'faster'"),
        ((None, ["one-round"], None, None), "unknown --variant 'one-round': it is r1 now"),
        ((None, None, ["huge"], None), "unknown --config 'huge'"),
        ((None, None, None, ["full"]), "unknown --protect 'full': choose from none, "),
        ((["aes"], ["opt"], None, None), "no design has all of this"),
        ((["aes_core"], None, None, ["correct"]), "no design has all of this"),
    ],
)
def test_a_selection_that_cannot_be_is_refused(options, message):
    with pytest.raises(UsageError, match=message):
        points.select(*options)


def test_a_yosys_that_ends_early_is_found_out(tmp_path, monkeypatch):
    monkeypatch.setattr(yosys.tools, "run", lambda *_, **__: "")
    with pytest.raises(CryptileError, match="stopped before the end"):
        yosys.run(["stat"], tmp_path, tmp_path / "missing")


def fake_flow(monkeypatch, tmp_path, results):
    monkeypatch.setattr(flow.cache, "BUILD", tmp_path)
    monkeypatch.setattr(flow.yosys, "version", lambda: "Yosys 1")
    monkeypatch.setattr(flow.nextpnr, "version", lambda: "nextpnr 1")
    calls = []

    def synthesise(point, folder):
        calls.append(point)
        (folder / ecp5.NETLIST).write_text("{}")
        return {"lut": 5, "ff": 6, "bram": 0}

    def route(netlist, clock, seed, folder):
        assert netlist.is_file()
        calls.append(seed)
        return {"fmax_mhz": results[seed - 1]}

    monkeypatch.setattr(flow.ecp5, "synthesise", synthesise)
    monkeypatch.setattr(flow.nextpnr, "place_and_route", route)
    return calls


def test_the_median_of_the_seeds_counts_and_a_second_run_calls_no_tool(tmp_path, monkeypatch):
    calls = fake_flow(monkeypatch, tmp_path, [50.0, 90.0, 60.0])
    point = Point("aes_core", "iterative", "aes-128-enc")
    plan = flow.Plan([point], [flow.Fpga.ecp5], [], 3, [point])
    labels = []
    records = flow.run(plan, labels.append, labels.append)
    assert len(labels) == plan.steps == 4
    assert {record.metric: record.value for record in records} == {
        "lut": 5,
        "ff": 6,
        "bram": 0,
        "fmax_mhz": 60.0,
    }
    assert records[0].params == {
        "design": "aes_core",
        "impl": "iterative",
        "config": "aes-128-enc",
        "protect": "none",
        "tech": "ecp5",
    }
    calls.clear()
    assert flow.run(plan, labels.append, labels.append) == records
    assert calls == []


def test_table_shows_every_figure(tmp_path, monkeypatch):
    fake_flow(monkeypatch, tmp_path, [50.0])
    point = Point("aes_core", "serial", "full")
    plan = flow.Plan([point], [flow.Fpga.ecp5], [], 1, [point])
    (ours,) = table.tables(flow.run(plan, lambda _: None, lambda _: None), [], plan.conditions())
    shown = [next(iter(column.cells)) for column in ours.columns]
    assert shown == ["aes_core", "serial", "full", "none", "ecp5", "5", "6", "0", "50.0"]
    assert "LFE5U-85F" in ours.caption


def test_costs_of_protection_are_ratios():
    def record(protect, metric, value, tech="ecp5"):
        params = {"design": "a", "impl": "b", "config": "c", "protect": protect, "tech": tech}
        return Record("synth", metric, value, "", params)

    records = [
        record("none", "lut", 200),
        record("none", "bram", 0),
        record("correct", "lut", 250),
        record("correct", "bram", 0),
        record("correct", "lut", 300, "xc7"),
    ]
    _, costs = table.tables(records, [], {})
    shown = [list(column.cells) for column in costs.columns]
    assert shown == [["a"], ["b"], ["c"], ["correct"], ["ecp5"], ["1.250"]]
    assert len(table.tables(records[:2], records[:0], {})) == 1


def test_list_names_every_design():
    names = list(table.designs().columns[0].cells)
    assert names == list(points.table())


def test_speed_of_an_fpga_takes_its_cycles_from_the_simulation():
    point = Point("aes", "iterative", "full")
    figures = {
        (point, "osu018"): {"fmax_mhz": 100.0},
        (point, "ecp5"): {"fmax_mhz": 50.0},
        (point, "xc7"): {"lut": 1},
    }
    measured = {
        "cycles_per_block": 40.0,
        "joules_per_byte": 1e-9,
        "leakage_watts": 0.0,
        "settled_joules_per_byte": 1e-9,
    }
    flow._add_energy(figures, {(point, "osu018"): measured})
    assert figures[point, "ecp5"] == {"fmax_mhz": 50, "cycles_per_block": 40, "mb_per_s": 80}
    assert figures[point, "osu018"]["mb_per_s"] == 160
    assert figures[point, "xc7"] == {"lut": 1}
