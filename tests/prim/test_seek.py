"""A proof that looks for one finding says what the whole proof says, only sooner."""

import dataclasses

import pytest

from cryptile.designs import load as designs
from cryptile.designs.load import Use
from cryptile.netlist.gates import Gate
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof
from cryptile.prove.equal import Reference
from cryptile.prove.mutate import of_netlist
from cryptile.prove.near import distances
from cryptile.prove.primitives import primitives
from cryptile.prove.upset import Proof


@pytest.fixture(scope="module")
def register():
    (found,) = (p for p in primitives() if (p.label, p.level) == ("cry_reg_tmr Width=8", "correct"))
    return netlist(found.source)


def mutant(plain, end):
    """The netlist in which one part is deleted."""
    return next(m for m in of_netlist(plain) if m.site.endswith(end)).make()


def sought(changed, near, costs=()):
    found = proof(changed, "correct")
    found.seek(dict(costs), near)
    return found


def test_distance_is_counted_in_gates_from_what_differs(register):
    voted = register.aliases["gen_correct.u_vote.q_o"]
    gates = tuple(
        Gate("buf", (0,), gate.output) if gate.output == voted[3] else gate
        for gate in register.gates
    )
    near = distances(register, dataclasses.replace(register, gates=gates))
    assert [near.get(net) for net in voted[3:5]] == [0, None]
    for net in register.drivers[voted[3]].inputs:
        assert near[net] == 1
    copies = [register.aliases[f"gen_correct.gen_copy[{i}].u_copy.copy_q"] for i in range(3)]
    assert all(copy[3] in near and copy[4] not in near for copy in copies)


def test_what_shares_no_gates_is_near_nothing(register):
    strangers = [Gate(gate.kind, gate.inputs, gate.output + 10**6) for gate in register.gates]
    other = dataclasses.replace(register, gates=tuple(strangers))
    assert distances(register, other) == {}


def test_groups_near_what_differs_come_first(register):
    changed = mutant(register, "u_vote.q_o")
    last = register.aliases["gen_correct.gen_copy[1].u_copy.copy_q"][7]
    found = sought(changed, {last: 0})
    verdict = found.run()
    assert len(verdict.findings) == 1
    assert last in found.groups[0].flops
    assert "[7]" in verdict.findings[0]


def test_memories_near_what_differs_are_read_first():
    """The last one is without correction; the piece that reads two of five finds it."""
    design = designs.load("tile_queue", "small", "correct", Use.prove)
    plain = netlist(design.source)
    changed = mutant(plain, "gen_beat[3].u_ram.gen_part[0].u_dec.codeword_o")
    found = sought(changed, distances(plain, changed))
    findings = found.run("nearest read").findings
    assert [text.split(":")[0] for text in findings] == ["gen_beat[3].u_ram"]


QUICK = "tile_fetch", "small", "correct"


@pytest.mark.parametrize(
    ("name", "variant", "level"),
    [QUICK, *(pytest.param(*one, marks=pytest.mark.soak) for one in designs.protected())],
)
def test_of_what_is_sound_all_that_is_written_is_sound(monkeypatch, name, variant, level):
    """The piece that looks at the first registers is no stricter than the proof of the engine."""
    design = designs.load(name, variant, level, Use.prove)
    plain = netlist(design.source)
    found = proof(plain, level, design.log, design.hints)
    pieces = found.nearest() if isinstance(found, Proof) else {}
    if not {"step"} & pieces.keys() & found.parts().keys():
        pytest.skip("its proof looks at no such piece")
    monkeypatch.setattr(found, "first_groups", list)
    found.seek({}, dict.fromkeys(plain.names, 0))
    found.begin()
    pieces["step"][0]()
    assert found.verdict.findings == []


def test_what_is_written_behind_what_differs_is_looked_at_first(register):
    """The suspected net is what one copy is loaded with: that of another bit is not looked at."""
    copies = [register.aliases[f"gen_correct.gen_copy[{i}].u_copy.copy_q"] for i in range(2)]
    loaded = {flop.q: flop.d for flop in register.flip_flops}
    free = max(gate.output for gate in register.gates) + 1
    wrong = Gate("not", (loaded[copies[0][5]],), free)
    flops = tuple(
        dataclasses.replace(flop, d=free) if flop.q == copies[0][5] else flop
        for flop in register.flip_flops
    )
    changed = dataclasses.replace(register, gates=(*register.gates, wrong), flip_flops=flops)
    for suspected, findings in ((free, 1), (loaded[copies[0][4]], 0)):
        found = sought(changed, {suspected: 0})
        found.begin()
        found.first_groups = lambda groups: list(groups)[:1]
        found.nearest()["step"][0]()
        assert len(found.verdict.findings) == findings


def test_what_holds_holds_in_any_order(register):
    costs = {"upsets": 0.1, "step": 0.2, "start": 0.3, "count": 0.4}
    verdict = sought(register, {}, costs.items()).run()
    assert verdict.findings == []
    assert [name for name in verdict.spent if name in costs] == list(costs)


def stops():
    raise KeyError(0)


def with_a_part_that_stops(found):
    parts = found.parts()
    found.parts = lambda: {"stops": stops, **parts}
    return found


def test_a_part_that_stops_hides_no_finding(register):
    changed = mutant(register, "u_vote.q_o")
    verdict = with_a_part_that_stops(sought(changed, {}, {"count": 0.1}.items())).run()
    assert verdict.findings


def test_a_part_that_stops_is_no_proof(register):
    with pytest.raises(KeyError):
        with_a_part_that_stops(sought(register, {})).run()
    with pytest.raises(KeyError):
        with_a_part_that_stops(proof(mutant(register, "u_vote.q_o"), "correct")).run()


def test_a_reference_tells_every_time(register):
    reference = Reference(register)
    changed = mutant(register, "u_vote.q_o")
    assert reference.same(register)
    for _ in range(2):
        assert not reference.same(changed)
        assert {name for name, _, _ in reference.unequal(changed)} >= {"q_o"}
        assert reference.same(register)


def test_a_reference_compares_by_place_not_by_number(register):
    """Another synthesis gives other numbers, and may give one net the number of another."""
    inner = [gate.output for gate in register.gates]
    flops = [flop.q for flop in register.flip_flops]
    other = dict(zip([*inner, *flops], [*flops, *inner], strict=True))

    def now(nets):
        return tuple(other.get(net, net) for net in nets)

    renamed = dataclasses.replace(
        register,
        outputs={name: now(nets) for name, nets in register.outputs.items()},
        gates=tuple(Gate(g.kind, now(g.inputs), other[g.output]) for g in register.gates),
        flip_flops=tuple(
            dataclasses.replace(flop, d=now((flop.d,))[0], q=other[flop.q])
            for flop in register.flip_flops
        ),
    )
    reference = Reference(register)
    assert reference.same(renamed)
    swapped = dataclasses.replace(
        renamed, outputs={**renamed.outputs, "q_o": renamed.outputs["q_o"][::-1]}
    )
    assert not reference.same(swapped)
