"""The places of faults and their names."""

from types import SimpleNamespace

from cryptile.faults.shard import Model
from cryptile.faults.sites import gate_names, part, sites
from cryptile.netlist.gates import FlipFlop, Gate, Netlist


def test_neighbours_are_bits_of_one_register():
    flops = ["a_q[1]", "gen[0].u.one_q", "a_q[0]", "gen[1].u.one_q", "single_q", "a_q[2]", "b_q[0]"]
    found = sites(SimpleNamespace(flops=flops), Model.mbu, None, 0, 0)
    assert found.names == ["a_q[0]+1", "a_q[0]+2", "a_q[1]+1"]
    assert [list(row) for row in found.targets[:, :2]] == [[2, 0], [2, 0], [0, 5]]
    assert found.targets[1, 2] == 5


def test_gates_are_named_by_what_they_lead_to():
    gates = (
        Gate("not", (2,), 10),  # two gates before the register, one before the port
        Gate("and", (10, 3), 11),
        Gate("or", (10, 3), 12),
        Gate("xor", (11, 2), 13),
    )
    flop = FlipFlop("u_a.b_q[3]", 13, 14)
    names = gate_names(Netlist("top", {}, {}, (flop,), gates, {12: "port_o[1]", 14: flop.name}, {}))
    assert names == [
        "gate0.not > port_o[1]",
        "gate1.and > u_a.b_q[3]",
        "gate2.or port_o[1]",
        "gate3.xor > u_a.b_q[3]",
    ]
    assert [part(name) for name in names] == ["port_o", "u_a.b_q", "port_o", "u_a.b_q"]
    assert [part(name) for name in ("a.b[2]+1", "gate4.and > x[1] = 0", "q")] == ["a.b", "x", "q"]
