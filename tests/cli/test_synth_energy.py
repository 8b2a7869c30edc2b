"""Energy of a netlist: the library's syntax, toggles with and without glitches, and their cost."""

import json

import pytest

from cryptile.errors import CryptileError, UsageError
from cryptile.jobs import measured as jobs
from cryptile.synth import activity, cells, electrical, energy, liberty_syntax
from cryptile.synth.points import Point, table

LIBRARY = """
/* units */
library (tiny) {
  time_unit : "1ns"; voltage_unit : "1V"; leakage_power_unit : "1nW";
  capacitive_load_unit (1,pf);
  nom_voltage : 2;
  power_lut_template(by_load) { variable_1 : total_output_net_capacitance;
    variable_2 : input_transition_time; }
  cell (INV) { area : 1; cell_leakage_power : 3;
    pin(A) { direction : input; capacitance : 0.5; }
    pin(Y) { direction : output; function : "(!A)";
      timing() { related_pin : "A"; cell_rise(scalar) { values ("1.0"); } }
      internal_power() { related_pin : "A";
        rise_power(by_load) { index_1 ("0, 2"); index_2 ("0, 1"); values ("1, 1", "5, 5"); }
        fall_power(by_load) { index_1 ("0, 2"); index_2 ("0, 1"); values ("3, 3", "7, 7"); } } } }
  cell (XOR) { area : 3;
    pin(A) { direction : input; capacitance : 0.25; }
    pin(B) { direction : input; capacitance : 0.25; }
    pin(Y) { direction : output; function : "A ^ B";
      timing() { related_pin : "A"; cell_rise(scalar) { values ("XOR_DELAY"); } }
      timing() { related_pin : "B"; cell_rise(scalar) { values ("XOR_DELAY"); } } } }
  cell (DFF) { area : 5;
    ff (IQ,IQN) { next_state : "D"; clocked_on : "CK"; clear : "(!R)"; }
    pin(CK) { direction : input; capacitance : 1; clock : true;
      internal_power() { rise_power(scalar) { values ("4"); }
        fall_power(scalar) { values ("6"); } } }
    pin(D) { direction : input; capacitance : 0.125; }
    pin(R) { direction : input; capacitance : 0; }
    pin(Q) { direction : output; function : "IQ"; }
    pin(QN) { direction : output; function : "IQN"; } }
}
"""


def library(xor_delay="1.0"):
    return cells.parse(LIBRARY.replace("XOR_DELAY", xor_delay))


def netlist(tmp_path, known):
    """A flip-flop that takes a_i, and a hazard behind it: the exclusive or of q and not q."""

    def cell(kind, **pins):
        return {"type": kind, "connections": {pin: [net] for pin, net in pins.items()}}

    def ports(direction, **nets):
        return {name: {"direction": direction, "bits": [net]} for name, net in nets.items()}

    module = {
        "ports": {
            **ports("input", clk_i=2, rst_ni=3, **{"a_i[0]": 4}),
            **ports("output", **{"y_o[1]": 7, "y_o[0]": 6}),
        },
        "cells": {
            "x": cell("XOR", A=5, B=6, Y=7),
            "i": cell("INV", A=5, Y=6),
            "f": cell("DFF", CK=2, D=4, R=3, Q=5),
        },
    }
    path = tmp_path / "netlist.json"
    path.write_text(json.dumps({"modules": {"top": module}}))
    return activity.read(path, "top", known.cells)


def simulate(design, known, steps, delays):
    simulator = activity.Simulator(design, known.cells)
    sources, outputs = [], []
    for reset, bit in steps:
        simulator.set("rst_ni", reset)
        simulator.set("a_i", bit)
        simulator.settle()
        sources.append(simulator.sources())
        outputs.append(simulator.get("y_o"))
        simulator.clock()
    return outputs, simulator.toggles(sources, delays)


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("(!((A B)+C))", "(M^(({A}&{B})|{C}))"),
        ("A' * B^C + D", "(((M^{A})&({B}^{C}))|{D})"),
        ("!(A&B|1)", "(M^(({A}&{B})|M))"),
    ],
)
def test_functions_of_liberty(text, python):
    assert liberty_syntax.function(text) == python


def test_cells_are_read():
    known = library()
    assert (known.volts, known.farads) == (2, 1e-12)
    inverter = known.cells["INV"].pins["Y"].energies["A"]
    assert cells.mean(inverter, 0.5, 0) == 2  # of rise and fall
    assert cells.mean(inverter, 0.5, 1) == 4  # half way
    assert cells.mean(inverter, 0.5, 9) == 6  # the edge
    flop = known.cells["DFF"]
    assert (flop.state, flop.clock) == (("IQ", "IQN"), "CK")
    assert flop.next_state == "({D}&(M^(M^{R})))"
    assert known.cells["INV"].leakage == pytest.approx(3e-9)


def test_a_library_in_other_units_is_refused():
    with pytest.raises(UsageError, match="energy needs a library with units"):
        cells.parse(LIBRARY.replace('"1ns"', '"1ps"'))


def test_glitches_are_counted_where_they_pass(tmp_path):
    known = library()
    design = netlist(tmp_path, known)
    steps = [(0, 0), (1, 1), (1, 0), (1, 0), (1, 1), (1, 1)]
    # The state follows a_i by a cycle: 0, 0, 1, 0, 0, 1; bit 1 of y_o is always 1.
    outputs, quick = simulate(design, known, steps, {6: 2, 7: 1})
    assert outputs == [3, 3, 2, 3, 3, 2]
    assert quick.cycles == 5
    assert [quick.settled[net] for net in (5, 6, 7)] == [3, 3, 0]
    # While the inverter is late, both inputs of the exclusive or are equal: two toggles each time.
    assert [quick.total[net] for net in (5, 6, 7)] == [3, 3, 6]
    _, slow = simulate(design, known, steps, {6: 2, 7: 3})
    assert slow.total[7] == 0  # a pulse of two steps does not pass a gate of three


def test_energy_follows_from_loads_and_tables(tmp_path):
    known = library(xor_delay="0.5")
    design = netlist(tmp_path, known)
    model = electrical.analyse(design, known, "INV", 1e-12)
    # Half C V^2 of the exclusive or's input and the output, and the inverter's own at that load.
    load = 0.25 + 1
    assert model.joules[6] == pytest.approx(1e-12 * (2 * load + 2 + 2 * load))
    assert model.joules[7] == pytest.approx(1e-12 * 2 * 1)
    assert model.clock_joules == pytest.approx(1e-12 * (1 * 2**2 + 4 + 6))
    assert model.leakage == pytest.approx(3e-9)
    assert model.delays[6] == 2 * model.delays[7]
    assert model.energy([0] * 7 + [3], 2) == pytest.approx(3 * model.joules[7] + 2 * 14e-12)


def test_unknown_cells_and_loops_are_found(tmp_path):
    known = library()
    netlist(tmp_path, known)
    path = tmp_path / "netlist.json"
    good = path.read_text()
    path.write_text(good.replace('"type": "INV"', '"type": "AOI"'))
    with pytest.raises(CryptileError, match="holds a cell AOI"):
        activity.read(path, "top", known.cells)
    path.write_text(good.replace('{"A": [5], "Y": [6]}', '{"A": [7], "Y": [6]}'))
    with pytest.raises(CryptileError, match="form a loop"):
        activity.read(path, "top", known.cells)


def test_figures_at_a_clock():
    measured = {
        "cycles_per_block": 10,
        "joules_per_byte": 2e-9,
        "settled_joules_per_byte": 1e-9,
        "leakage_watts": 0.064,
    }
    assert energy.figures(measured, 100) == {
        "cycles_per_block": 10,
        "mb_per_s": 640,
        "power_mw": 1344,
        "mj_per_mb": 2.1,
        "mj_per_mb_settled": 1.1,
    }


def test_windows_are_whole_periods():
    assert energy.window(64, 4) == (12, 60)
    assert energy.window(64, 17) == (17, 51)


def test_every_kind_of_job_is_known():
    for name, design in table().items():
        for config, kind in design.synth.energy.items():
            job, output, period = jobs.make(kind)
            assert Point(name, design.default, config).jobs == kind
            assert len(job.message) == jobs.SIZE
            assert len(output) >= 16
            assert energy.window(jobs.SIZE // 16, period)[1] < jobs.SIZE // 16
