"""Whatever protects is removed or weakened; proof and campaign are held against each other."""

import dataclasses
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from cryptile import records
from cryptile.commands import prove as command
from cryptile.designs import load as designs
from cryptile.designs.load import Use
from cryptile.errors import CryptileError, UsageError
from cryptile.faults.shard import Verdict
from cryptile.netlist.make import netlist
from cryptile.prove import mutate, trial
from cryptile.prove.level import Level
from cryptile.prove.memories import without_memories
from cryptile.prove.mutate import Mutant, of_netlist, of_rtl
from cryptile.prove.primitives import primitives
from cryptile.prove.search import UndecidedError
from cryptile.prove.trial import Fate
from cryptile.toolchain import tools

TOY = str(Path(__file__).parents[1] / "faults" / "toy.yaml")
MUTE = "StatusFaultDetected: StatusOk"
SAYS_MORE = {"dropped: control.full"}
"""An alarm about a register that holds nothing keeps the promise: it ends jobs without need."""


def primitive(name, level):
    return next(p.design for p in primitives() if (p.top, p.level) == (name, level))


def small(name, level):
    return designs.load(name, "small" if name == "tile_guard" else None, level)


def test_no_mutant_of_the_toy_survives():
    design = designs.load(TOY, None, "detect")
    fates = {}
    for mutant, tried in trial.trials(design, trial.mutants(design)):
        fates.setdefault(tried.fate, set()).add(mutant.mutation)
    assert len(fates[Fate.killed]) >= 17
    assert fates.keys().isdisjoint(trial.BAD_FATES)
    assert fates[Fate.more] == SAYS_MORE


def test_a_mutant_that_does_harm_is_never_called_equal():
    """With a proof that finds nothing the campaign must tell."""
    design = designs.load(TOY, None, "detect")
    plain = netlist(design.source)
    assert not trial.outcomes(design, plain).harm
    (deaf,) = (m for m in of_netlist(plain) if m.site == "gen_detect.u_data.detected_o")
    (mute,) = (m for m in of_rtl(design.source, "detect") if m.mutation == MUTE)
    for mutant in (deaf, mute):
        assert trial.outcomes(design, mutant.make()).harm[Verdict.silent]


def test_a_proof_that_stops_kills_nothing(monkeypatch):
    """Were it called killed, a prover that cannot read a netlist would pass for one that can."""
    design = designs.load(TOY, None, "detect")
    plain = netlist(design.source)
    renamed = dataclasses.replace(plain, names={})
    silent = dataclasses.replace(plain, outputs={**plain.outputs, "fault_corrected_o": (0,)})

    def stops(changed, *_):
        if changed is plain:
            return real(changed, *_)
        raise KeyError(0)

    real = trial.proof
    monkeypatch.setattr(trial, "netlist", lambda source: plain)
    monkeypatch.setattr(trial, "proof", stops)
    todo = [Mutant("", text, lambda m=m: m) for text, m in (("names", renamed), ("mute", silent))]
    (_, same), (_, mute) = trial.trials(design, todo)
    assert same.fate is Fate.same
    # Outputs are part of a netlist: this one has the same gates.
    assert (mute.fate, mute.proof) == (Fate.stopped, "no proof: KeyError 0")
    assert Fate.stopped in trial.BAD_FATES


@pytest.mark.parametrize(
    ("error", "fate"), [(UndecidedError("long"), Fate.harmed), (KeyError(0), Fate.stopped)]
)
def test_the_campaign_kills_what_the_proof_leaves_undecided(monkeypatch, error, fate):
    """And nothing of which the prover fails."""
    design = designs.load(TOY, None, "detect")
    plain = netlist(design.source)
    real = trial.proof
    (deaf,) = (m for m in of_netlist(plain) if m.site == "gen_detect.u_data.detected_o")

    def stops(changed, *_):
        if changed is plain:
            return real(changed, *_)
        raise error

    monkeypatch.setattr(trial, "netlist", lambda source: plain)
    monkeypatch.setattr(trial, "proof", stops)
    ((_, found),) = trial.trials(design, [dataclasses.replace(deaf, key="")])
    assert found.fate is fate
    assert "silent" in found.other


def test_a_proof_that_misses_its_registers_is_told_what_stands_alone(monkeypatch):
    """A proof of one engine names registers, and stops if they are held without protection."""
    design = designs.load(TOY, None, "detect")
    bare = next(
        m for m in of_rtl(design.source, "detect") if m.mutation == "level of an instance: None"
    )
    real, plain = trial.proof, netlist(design.source)

    def stops(changed, *_):
        if len(changed.flip_flops) == len(plain.flip_flops):
            return real(changed, *_)
        raise KeyError(0)

    monkeypatch.setattr(trial, "proof", stops)
    ((_, found),) = trial.trials(design, [dataclasses.replace(bare, key="", edit=None)])
    assert found.fate is Fate.killed
    assert found.proof.endswith(": stands alone")


def test_tools_that_fail_are_no_verdict():
    """Were it called broken, a table made where Yosys cannot run would have nothing to say."""

    def fails(text):
        def make():
            raise CryptileError(text)

        return [Mutant("", "", make)]

    design = designs.load(TOY, None, "detect")
    ((_, found),) = trial.trials(design, fails("failed (1):\na.sv:3: ERROR: no such name"))
    assert (found.other, found.fate) == ("no such name", Fate.broken)
    with pytest.raises(CryptileError, match="out of memory"):
        list(trial.trials(design, fails("failed (1):\nERROR: out of memory")))


def test_outcomes_are_compared_upset_by_upset():
    """Two that change places leave the sums as they are."""
    design = designs.load(TOY, None, "detect")
    found = trial.outcomes(design, netlist(design.source))
    names = list(found.names)
    swapped = {kind: found.classes.copy() for kind in ("places", "times")}
    row = next(row for row in found.classes if (row != row[0]).any())
    place = next(i for i, other in enumerate(found.classes) if (other == row).all())
    swapped["times"][place] = row[::-1]
    other = next(i for i, one in enumerate(found.classes) if (one != row).any())
    swapped["places"][[place, other]] = found.classes[[other, place]]
    assert found.same(trial.Outcomes(tuple(names), found.classes.copy()))
    for classes in swapped.values():
        changed = trial.Outcomes(tuple(names), classes)
        assert changed.counts == found.counts
        assert not changed.same(found)


def test_upsets_of_some_flip_flops_are_not_compared():
    classes = np.arange(3 * len(Verdict), dtype=np.uint64).reshape(3, 1, -1)
    whole = trial.Outcomes(("u_a.q", "u_still.q", "u_b.q"), classes)
    left = trial.Outcomes(("u_a.q", "u_b.q"), classes[[0, 2]])
    assert whole.without({"u_still.q"}).same(left)
    assert not whole.without({"u_b.q"}).same(left)
    assert whole.without(set()).same(whole)


def backwards(design, name):
    """The netlist of a design in which the bits of an output stand in the other order."""
    plain = netlist(design.source)
    return dataclasses.replace(plain, outputs={**plain.outputs, name: plain.outputs[name][::-1]})


def tried(design, other):
    ((_, found),) = trial.trials(design, [Mutant("", "", lambda: other)])
    return found


def test_without_an_engine_port_netlists_are_compared(monkeypatch):
    """What is the same in sound states with one upset is equal; what parts with none is broken."""
    queue = designs.load("tile_fetch", "small", "correct", Use.prove)
    plain = netlist(queue.source)
    deaf = dataclasses.replace(plain, outputs={**plain.outputs, "detected_o": (0,)})
    found = tried(queue, deaf)
    assert (found.proof, found.fate) == ("", Fate.equivalent)
    assert found.other.startswith("the same while no alarm is up")
    monkeypatch.setattr(trial, "ALARMS", ())
    found = tried(queue, deaf)
    assert (found.proof, found.fate) == ("holds", Fate.equivalent)
    found = tried(queue, backwards(queue, "req_o"))
    assert (found.proof, found.fate) == ("holds", Fate.broken)
    assert found.other.startswith("req_o differs")


@pytest.mark.parametrize("level", ["correct", "detect"])
def test_what_an_alarm_would_change_is_no_equal_where_it_can_be_up(monkeypatch, level):
    """So it is at Detect; and in what does not begin in a sound state."""
    fetch = designs.load("tile_fetch", "small", level, Use.prove)
    plain = netlist(fetch.source)
    deaf = dataclasses.replace(plain, outputs={**plain.outputs, "detected_o": (0,)})
    known = trial._Original(plain, fetch)
    assert bool(known.same(deaf)) == (level == "correct")
    unsound = trial.Proven("is not sound behind reset", stopped=False)
    monkeypatch.setattr(trial, "proved", lambda *_, **__: unsound)
    assert not known.same(deaf)


def test_a_memory_that_is_written_otherwise_is_no_equal():
    """Memories are not evaluated: what is left of both netlists is the same."""
    part = designs.load("tile_complete", "small", "correct", Use.prove)
    plain = netlist(part.source)
    memory = without_memories(plain).memories[0]
    data = {flop.d for flop in plain.flip_flops if flop.q in memory.words[0]}

    def changed(gate):
        if gate.output not in data:
            return gate
        first, second, select = gate.inputs
        return dataclasses.replace(gate, inputs=(second, first, select))

    other = dataclasses.replace(plain, gates=tuple(map(changed, plain.gates)))
    around = [without_memories(one) for one in (plain, other)]
    assert around[0].netlist == around[1].netlist
    assert around[1].findings == ()
    known = trial._Original(plain, part)
    assert known.same(plain) == "the same function"
    assert not known.same(other)


def test_an_engine_that_gives_something_else_without_an_upset_is_broken():
    """The campaign holds faulty runs against the mutant's own: it would call all of them equal."""
    design = designs.load(TOY, None, "detect")
    found = tried(design, backwards(design, "dst_o"))
    assert (found.proof, found.fate) == ("holds", Fate.broken)
    assert found.other == "gives something else without any fault"


def permit_mutants(text):
    design = designs.load("tile_permit", "small", "detect", Use.prove)
    todo = [mutant for mutant in of_rtl(design.source, "detect") if text in mutant.mutation]
    assert todo
    return [(mutant, found) for mutant, found in trial.trials(design, todo)]


def test_a_rule_of_access_that_is_dropped_is_broken():
    """No upset is needed to see it, but a request that random ones hardly meet."""
    for mutant, found in permit_mutants("dropped: owner"):
        assert (found.proof, found.fate) == ("holds", Fate.broken), mutant.site
        assert found.other.startswith("allowed_o differs")


def test_a_broken_slot_that_can_be_written_is_killed():
    """The lock may be what is broken."""
    fates = [found for _, found in permit_mutants("dropped: (|slot_detected[s])")]
    assert [found.fate for found in fates] == [Fate.killed]
    assert fates[0].proof.endswith("no longer refuses under the alarm what it refused")


def test_what_a_proof_cannot_look_at_is_refused():
    """A misspelt net that refuses, or one where the proof would not look, is no proof."""
    design = designs.load("tile_permit", "small", "detect", Use.prove)
    plain = netlist(design.source)
    hints = dataclasses.replace(design.hints, stops=(re.compile("gen_slot.*fixd"),))
    with pytest.raises(UsageError, match="nothing is named like 'gen_slot"):
        trial.proof(plain, design.protect, (), hints)
    some = re.compile("gen_slot")
    for declared, refusal in (
        ({"clears": {"wipe": some}}, "'wipe' clears registers, but is no input"),
        ({"clears": {"wipe_i": re.compile("slt")}}, "no register is named so"),
        ({"told": {"detected_o": re.compile("slt")}}, "no register is named like 'slt'"),
        ({"told": {"detected": some}}, "'detected' in a lemma is no register"),
    ):
        hints = dataclasses.replace(design.hints, **declared)
        with pytest.raises(UsageError, match=refusal):
            trial.proof(plain, design.protect, (), hints)
    queue = designs.load("tile_fetch", "small", "detect", Use.prove)
    with pytest.raises(UsageError, match="makes no use of stops"):
        trial.proof(netlist(queue.source), queue.protect, (), design.hints)
    silent = dataclasses.replace(queue.hints, silent=("detected_o",))
    with pytest.raises(UsageError, match="makes no use of silent"):
        trial.proof(netlist(queue.source), queue.protect, (), silent)


def test_what_is_told_less_is_no_equal(monkeypatch):
    """A prover that forgot reports would let it pass: the comparison must tell by itself."""
    design = primitive("cry_reg_tmr", "correct")
    plain = netlist(design.source)
    monkeypatch.setattr(trial, "proved", lambda *_: trial.Proven("", stopped=False))
    mute = dataclasses.replace(plain, outputs={**plain.outputs, "corrected_o": (0,)})
    found = tried(design, mute)
    assert (found.fate, found.other.split(" behind")[0]) == (
        Fate.survives,
        "proof only; differs: corrected_o",
    )
    loud = dataclasses.replace(plain, outputs={**plain.outputs, "corrected_o": (1,)})
    assert tried(design, loud).fate is Fate.more


def test_only_upsets_that_do_no_harm_may_be_told_of_more():
    def outcomes(**counts):
        return trial.Outcomes(
            ("u_a.q",),
            np.array([[[counts.get(kind.name, 0) for kind in Verdict]]], np.uint64),
        )

    def more(level, was, now):
        return outcomes(**now).only_tells_more(outcomes(**was), level)

    for level in (Level.correct, Level.detect):
        assert more(level, {"masked": 2}, {"corrected": 1, "masked": 1})
        assert more(level, {"latent": 2}, {"corrected": 2})
        assert not more(level, {"corrected": 2}, {"masked": 1, "corrected": 1})
        assert not more(level, {"detected": 2}, {"corrected": 2})
        assert not more(level, {"corrected": 2}, {"silent": 1, "corrected": 1})
        assert not more(level, {"silent": 2}, {"silent": 1, "corrected": 1})
    for told in ({"detected": 2}, {"false_alarm": 1, "corrected": 1}):
        assert more(Level.detect, {"corrected": 1, "masked": 1}, told)
        assert not more(Level.correct, {"corrected": 1, "masked": 1}, told)


def test_a_part_of_the_tile_is_tried_in_the_design_with_an_engine_port(monkeypatch):
    design = designs.load("tile_guard", "small", "correct", Use.prove)
    monkeypatch.setattr(trial, "proved", lambda *_: trial.Proven("", stopped=False))
    name = "gen_queue[0].gen_window[0].u_flags.gen_correct.u_vote.q_o"
    (one,) = (m for m in of_netlist(netlist(design.source)) if m.site == name)
    deaf = dataclasses.replace(one, key="")
    ((_, seen),) = trial.trials(design, [deaf])
    assert seen.fate is Fate.hole
    assert "silent" in seen.other
    # A port may hide what differs: if every upset does the same there, that speaks for nothing.
    nothing = trial.Outcomes((), np.zeros((0, 0, len(Verdict)), np.uint64))
    monkeypatch.setattr(trial, "outcomes", lambda *_: nothing)
    ((_, hidden),) = trial.trials(design, [deaf])
    assert hidden.other.startswith("every upset does the same; differs: cfg_rdata_o")
    assert hidden.fate is Fate.survives


def test_no_mutant_of_a_primitive_survives():
    for name in ("cry_reg_tmr", "cry_reg_ecc"):
        for level in ("correct", "detect"):
            design = primitive(name, level)
            fates = [found.fate for _, found in trial.trials(design, trial.mutants(design))]
            assert Fate.killed in fates
            assert not set(fates) & set(trial.BAD_FATES), (name, level)


def test_a_verdict_is_looked_up_only_for_the_same_mutant(monkeypatch):
    design = primitive("cry_reg_tmr", "correct")
    mutant, *_ = trial.mutants(design)
    ((_, first),) = trial.trials(design, [mutant])
    monkeypatch.setattr(trial, "proved", lambda *_: trial.Proven("", stopped=False))
    ((_, again),) = trial.trials(design, [mutant])
    assert again == first
    ((_, anew),) = trial.trials(design, [dataclasses.replace(mutant, key="other")])
    assert anew.proof != first.proof


@pytest.mark.parametrize("what", ["log", "kind", "jobs", "solver"])
def test_a_verdict_is_looked_up_only_for_all_that_it_rests_on(monkeypatch, what):
    """Patterns to their ends, what the campaign asks for, and who searches."""
    long = "a" * 255
    bare = primitive("cry_reg_tmr", "correct")
    design = dataclasses.replace(bare, log=(re.compile(long),), jobs="copy")
    mutant, *_ = trial.mutants(design)
    ((_, first),) = trial.trials(design, [mutant])
    monkeypatch.setattr(trial, "proved", lambda *_: trial.Proven("", stopped=False))
    if what == "log":
        design = dataclasses.replace(design, log=(re.compile(f"{long}b"),))
    elif what == "kind":
        design = dataclasses.replace(design, jobs="plain")
    elif what == "jobs":
        monkeypatch.setattr(trial, "_BYTES", 47)
    else:
        monkeypatch.setattr(trial, "version", lambda _: "0")
    ((_, anew),) = trial.trials(design, [mutant])
    assert anew.proof != first.proof


def test_a_mutant_that_was_written_in_part_is_written_again(monkeypatch, tmp_path):
    """By a process that was killed: it would be called broken for good."""
    monkeypatch.setattr(mutate, "BUILD", tmp_path)
    design = designs.load(TOY, None, "detect")
    one = next(mutant for mutant in of_rtl(design.source, "detect") if mutant.edit)
    written = []
    monkeypatch.setattr(mutate, "netlist", lambda source: written.append(source))
    one.make()
    (file,) = tmp_path.rglob("*.sv")
    whole = file.read_text()
    file.write_text(whole[:100])
    one.make()
    assert file.read_text() == whole
    assert len(written) == 2


def test_a_table_that_goes_on_does_not_prove_the_design_again(monkeypatch):
    design = designs.load(TOY, None, "detect")
    assert list(trial.trials(design, [])) == []

    def proved(*_):
        raise AssertionError

    monkeypatch.setattr(trial, "proved", proved)
    assert list(trial.trials(design, [])) == []


def test_a_design_that_is_not_proven_has_no_table():
    design = designs.load(TOY, None, "correct")
    with pytest.raises(CryptileError, match="not proven itself: data_q"):
        list(trial.trials(design, []))


def test_sites_are_found_by_pattern():
    design = small("aes", "detect")
    found = {mutant.mutation for mutant in of_rtl(design.source, "detect")}
    assert {
        "never: if (Detect & fault_now)",
        "StatusFaultDetected: StatusOk",
        "dropped: fault_now",
        "dropped: !fault_now",
        "dropped: core_detected",
        "wipe does not clear a part",
        "level of an instance: None",
        "copies may be merged",
        "zero: detected_o",
    } <= found
    assert not any("serial" in mutant.site for mutant in of_rtl(design.source, "detect"))


def test_votes_of_engines_in_step_are_sites():
    design = designs.load("aes", "iterative", "tmr", Use.prove)
    found = {mutant.mutation for mutant in of_rtl(design.source, "tmr")}
    assert {
        "majority(done_q): done_q[0]",
        "unequal(lane_src_ready_i): 1'b0",
        "dropped: differ",
        "never: if ((l == 0) && repair)",
    } <= found
    assert not any("logic" in text for text in found)


def test_a_table_that_is_cut_off_says_how_many_were_tried(monkeypatch, tmp_path, capsys):
    def two(design, todo):
        for mutant in todo[:2]:
            yield mutant, trial.Tried("finding", "", Fate.killed, 1.5)
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "trials", two)
    with pytest.raises(KeyboardInterrupt):
        command.prove(TOY, protect=["detect"], mutants=True, json=str(tmp_path / "cut.json"))
    (run,) = records.read_runs(tmp_path / "cut.json")
    found = {record.metric: record.value for record in run.records}
    assert (found["mutants_tried"], found["mutants_killed"]) == (2, 2)
    assert found["mutants_known"] > 10
    assert found["mutants_seconds"] == 3
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_command_prints_a_row_for_every_mutant():
    command = [
        tools.find("cryptile"),
        "prove",
        TOY,
        "--protect",
        "detect",
        "--mutants",
        "--sample",
        "4",
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    *rows, total = result.stdout.splitlines()
    assert len([row for row in rows if row.count(" | ") == 4]) == 4
    assert re.match(r"toy sound detect: 4 of \d\d mutants in \d+ s: ", total)
    assert result.returncode == ("SURVIVES" in result.stdout or "HOLE" in result.stdout)
