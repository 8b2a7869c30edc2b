"""The proof of designs with memories of codewords; it fails if what protects them is deleted."""

import dataclasses

import pytest
from support.netlists import fails

from cryptile.designs import load as designs
from cryptile.designs.hints import Hints
from cryptile.designs.load import Use
from cryptile.errors import UsageError
from cryptile.netlist.gates import Gate
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof
from cryptile.prove.mutate import of_netlist

PARTS = [
    "tile_queue",
    "tile_fetch",
    "tile_dispatch",
    "tile_complete",
    "tile_bus",
    pytest.param("tile_lane", marks=pytest.mark.soak),
]
OWNERS = "u_owners.u_ram."
RECORDS = "u_records.u_ram."


def part(name, level="correct"):
    return netlist(designs.load(name, "small", level, Use.prove).source)


def replaced(design, change):
    """Put other gates in the place of some; ``change`` gives what stands for a gate."""
    gates = tuple(change(gate) for gate in design.gates)
    assert gates != design.gates
    return dataclasses.replace(design, gates=gates)


@pytest.mark.parametrize("level", ["correct", "detect"])
@pytest.mark.parametrize("name", PARTS)
def test_part_of_the_tile(name, level):
    design = part(name, level)
    verdict = proof(design, level).run()
    assert verdict.findings == []
    assert verdict.unprotected == []
    assert verdict.groups.total() == len(design.flip_flops)


def test_nothing_can_be_deleted():
    # A correction in a word that is read is reported, or not, by the part as a whole; a double
    # error is none of a single upset.
    untold = ("u_dec.single_o", "u_ram.corrected_o", "detected_o", "wrong_o", "double_o")
    names, sound = [], part("tile_complete")
    for mutant in of_netlist(sound):
        deleted = mutant.site
        if deleted.endswith(untold):
            continue
        names.append(deleted)
        assert fails(proof(mutant.make(), "correct"), sound), deleted
    assert any("u_dec.codeword_o" in deleted for deleted in names)
    assert any("u_enc.check" in deleted for deleted in names)
    assert any("u_vote.q_o" in deleted for deleted in names)


def test_no_check_can_be_deleted_at_detect():
    names, sound = [], part("tile_complete", "detect")
    for mutant in of_netlist(sound):
        if mutant.site.endswith(("corrected_o", "single_o")):
            continue
        names.append(mutant.site)
        assert fails(proof(mutant.make(), "detect"), sound), mutant.site
    print(names)
    assert any("u_enc" in name for name in names)
    assert any(name.endswith("detected_o") for name in names)


def test_a_flip_flop_is_one_bit_of_a_codeword():
    """Two queues: the code of the owner is one bit four times, which was one flip-flop once."""
    design = part("tile_fetch")
    words = [
        design.aliases[f"{OWNERS}gen_kept.gen_word[0].gen_bit[{bit}].u_bit.copy_q"][0]
        for bit in range(4)
    ]
    assert len(set(words)) == 4
    other = f"{OWNERS}gen_kept.gen_word[0].gen_bit[1].u_bit.copy_q"
    aliases = {**design.aliases, other: (words[0],)}
    findings = proof(dataclasses.replace(design, aliases=aliases), "correct").run().findings
    assert any("one flip-flop is two bits of a codeword" in text for text in findings)


def test_a_wrong_address_is_found():
    """Words are read in another order than the address says."""
    design = part("tile_complete")
    low, high = design.aliases[f"{RECORDS}raddr_i"]
    aliases = {**design.aliases, f"{RECORDS}raddr_i": (high, low)}
    findings = proof(dataclasses.replace(design, aliases=aliases), "correct").run().findings
    assert any("does not read word" in text for text in findings)


def test_a_bit_that_is_written_by_itself_is_found():
    design = part("tile_complete")
    word = design.aliases[f"{RECORDS}gen_memory.mem[0]"]
    (d,) = (flop.d for flop in design.flip_flops if flop.q == word[3])
    other = design.inputs["b_valid_i"][0]

    def change(gate):
        if gate.output != d:
            return gate
        return Gate(gate.kind, (*gate.inputs[:2], other), d)

    findings = proof(replaced(design, change), "correct").run().findings
    assert any("bits of a word are written apart" in text for text in findings)


def test_a_word_that_is_read_past_its_port_is_found():
    design = part("tile_complete")
    word = design.aliases[f"{RECORDS}gen_memory.mem[0]"]
    target = design.outputs["req_valid_o"][0]
    extra = max(gate.output for gate in design.gates) + 1
    spied = dataclasses.replace(
        design,
        gates=(*design.gates, Gate("xor", (target, word[0]), extra)),
        outputs={**design.outputs, "spy_o": (extra,)},
    )
    findings = proof(spied, "correct").run().findings
    assert any("a word is read past its port" in text for text in findings)


def test_what_is_on_the_way_to_a_port_is_read_nowhere_else():
    """A gate between words and port goes with the memory: what reads it would be left without."""
    design = part("tile_complete")
    word = design.aliases[f"{RECORDS}gen_memory.mem[0]"]
    (d,) = (flop.d for flop in design.flip_flops if flop.q == word[3])
    extra = max(gate.output for gate in design.gates) + 1
    target = design.outputs["req_valid_o"][0]
    read = dataclasses.replace(
        design,
        gates=(*design.gates, Gate("xor", (target, d), extra)),
        outputs={**design.outputs, "spy_o": (extra,)},
    )
    shown = dataclasses.replace(design, outputs={**design.outputs, "spy_o": (d,)})
    for spied in (read, shown):
        findings = proof(spied, "correct").run().findings
        assert any("between its words and its ports is read elsewhere" in text for text in findings)


def test_words_are_read_in_a_state_of_its_own():
    """The part that looks at what is read needs no other part before it."""
    assert proof(part("tile_complete"), "correct").run("read").findings == []


def test_lemmas_are_proven():
    """One that is true in every state holds; one that is not is a finding."""
    for text, holds in (("req_valid_o or not req_valid_o", True), ("not req_valid_o", False)):
        findings = proof(part("tile_complete"), "correct", (), Hints((text,))).run("step").findings
        assert any(text in finding for finding in findings) != holds


def test_what_would_be_ignored_is_refused():
    with pytest.raises(UsageError, match="its proof makes no use of silent"):
        proof(part("tile_complete"), "correct", (), Hints(silent=("req_valid_o",)))
