"""Window check and key permissions: proven on the netlist, for all windows and all requests."""

import dataclasses

import pytest
from pysat.solvers import Solver
from support.netlists import driven, fails, put_for

from cryptile.designs import load as designs
from cryptile.designs.load import Use
from cryptile.jobs.accesses import REQUEST
from cryptile.netlist.gates import TABLES, ZERO
from cryptile.netlist.make import Source, netlist
from cryptile.prove.mutate import of_netlist, of_rtl
from cryptile.prove.upset import Proof
from cryptile.toolchain import rtl

CORE = "cryptile:shell:tile_queues"


def source(top, protect, **parameters):
    values = {"Protect": f"cry_protect_pkg::Protect{protect}", **parameters}
    return Source(top, rtl.resolve(CORE), {name: str(value) for name, value in values.items()})


class Logic:
    """A netlist as clauses, with state and inputs free; and words of literals beside it."""

    def __init__(self, design):
        self.design = design
        self.solver = Solver(name="cadical153")
        self.true = self.fresh = 1
        self.solver.add_clause([self.true])
        self.nets = {0: -self.true, 1: self.true}
        for gate in design.gates:
            self.gate(TABLES[gate.kind], [self.net(net) for net in gate.inputs], gate.output)

    def new(self):
        self.fresh += 1
        return self.fresh

    def net(self, net):
        if net not in self.nets:
            self.nets[net] = self.new()
        return self.nets[net]

    def gate(self, table, inputs, output):
        out = self.net(output)
        for row in range(1 << len(inputs)):
            differs = [-lit if row >> k & 1 else lit for k, lit in enumerate(inputs)]
            self.solver.add_clause([*differs, out if table >> row & 1 else -out])

    def all(self, *literals):
        out = self.new()
        for literal in literals:
            self.solver.add_clause([-out, literal])
        self.solver.add_clause([out, *(-literal for literal in literals)])
        return out

    def any(self, *literals):
        return -self.all(*(-literal for literal in literals))

    def is_number(self, word, number):
        return self.all(*(bit if number >> k & 1 else -bit for k, bit in enumerate(word)))

    def xor(self, a, b):
        return self.any(self.all(a, -b), self.all(-a, b))

    def same(self, a, b):
        """Two words are equal."""
        return self.all(*(-self.xor(x, y) for x, y in zip(a, b, strict=True)))

    def not_above(self, a, b):
        """``a <= b``, from the lowest bit up."""
        result = self.true
        for x, y in zip(a, b, strict=True):
            result = self.any(self.all(-x, y), self.all(self.any(-x, y), result))
        return result

    def sum(self, a, b):
        """``a + b`` from the lowest bit up, with the carry as its last bit."""
        bits, carry = [], -self.true
        for x, y in zip(a, b, strict=True):
            half = self.xor(x, y)
            bits.append(self.xor(half, carry))
            carry = self.any(self.all(x, y), self.all(half, carry))
        return [*bits, carry]

    def word(self, name):
        """Nets of a register, whatever is constant in it."""
        return [self.net(net) for net in self.design.aliases[name]]

    def port(self, ports, name):
        return [self.net(net) for net in ports[name]]

    def equal(self, a, b, *given):
        """No state and no input in which they differ, though what is given holds."""
        return not any(self.solver.solve([*pair, *given]) for pair in ([a, -b], [-a, b]))


def window(logic, queue, number):
    scope = f"gen_queue[{queue}].gen_window[{number}]"
    part = {
        name: logic.word(f"{scope}.u_{name}.q_o")
        for name in ("base_lo", "base_hi", "limit_lo", "limit_hi", "flags")
    }
    return (
        part["base_lo"] + part["base_hi"],
        part["limit_lo"] + part["limit_hi"],
        dict(zip(("enable", "read", "write"), part["flags"][:3], strict=True)),
        part["flags"][3:],
    )


PAGE_BITS, USER_BITS, MARK_BITS = 44, 23, 7
"""Of pages, of AxUSER, and of AxCACHE and AxPROT together."""


class Ask:
    """A request to the window check, and what must become of it."""

    def __init__(self, logic, direction):
        self.logic, self.direction = logic, direction
        ask = logic.port(logic.design.inputs, f"{direction}_i")
        self.page, self.ring, self.owner = ask[:44], ask[44], ask[45:]

    def is_relative(self, queue):
        """The address is one of a window of the queue."""
        relative = self.logic.port(self.logic.design.inputs, "relative_i")
        return self.logic.all(relative[queue], -self.ring)

    def names(self, number):
        """Bits 55:54 of the address name this window."""
        return self.logic.is_number(self.page[42:], number)

    def place(self, base):
        """The page of a relative address, with the carry."""
        return self.logic.sum(base, [*self.page[:42], -self.logic.true, -self.logic.true])

    def holds(self, queue, number):
        """A window of the queue is open in this direction and holds the page."""
        logic = self.logic
        base, limit, flags, _ = window(logic, queue, number)
        *place, carry = self.place(base)
        relative = self.is_relative(queue)
        absolute = logic.all(logic.not_above(base, self.page), logic.not_above(self.page, limit))
        counted = logic.all(self.names(number), -carry, logic.not_above(place, limit))
        return logic.all(
            flags["enable"],
            flags[self.direction],
            logic.any(logic.all(-relative, absolute), logic.all(relative, counted)),
        )


@pytest.mark.parametrize(("queues", "windows"), [(4, 4), (3, 1)])
@pytest.mark.parametrize("direction", ["read", "write"])
def test_a_page_is_allowed_if_and_only_if_a_window_holds_it(direction, queues, windows):
    """The queue's that asks; and the burst goes there, marked as that window says."""
    logic = Logic(netlist(source("cry_tile_guard", "None", NumQueues=queues, NumWindows=windows)))
    ask = Ask(logic, direction)
    (allowed,) = logic.port(logic.design.outputs, f"{direction}_allowed_o")
    route = logic.port(logic.design.outputs, f"{direction}_route_o")
    marks, user, page = route[:MARK_BITS], route[MARK_BITS:-PAGE_BITS], route[-PAGE_BITS:]
    processes = logic.port(logic.design.inputs, "process_i")
    for queue in range(8):
        asks = logic.is_number(ask.owner, queue)
        if queue >= queues:
            assert not logic.solver.solve([asks, allowed])
            continue
        assert len(user) == USER_BITS
        process = processes[20 * queue : 20 * queue + 20]
        assert logic.equal(logic.same(user, [*ask.owner, *process]), logic.true, asks)
        holds = [ask.holds(queue, number) for number in range(windows)]
        relative = ask.is_relative(queue)
        absolute = [asks, -relative]
        assert logic.equal(allowed, logic.any(*holds), *absolute)
        assert logic.equal(logic.same(page, ask.page), logic.true, *absolute)
        for number in range(4):
            given = [asks, relative, ask.names(number)]
            if number >= windows:
                assert not logic.solver.solve([*given, allowed])
                continue
            base, *_ = window(logic, queue, number)
            assert logic.equal(allowed, holds[number], *given)
            *place, _ = ask.place(base)
            assert logic.equal(logic.same(page, place), logic.true, *given)
        for number in range(windows):
            *_, mark = window(logic, queue, number)
            first = logic.all(holds[number], *(-other for other in holds[:number]))
            said = logic.same(marks, [*mark[4:], *mark[:4]])
            assert logic.equal(said, logic.true, asks, first)


def test_the_specification_is_not_empty():
    """Without the limit of one window the proof fails: it depends on every part."""
    design = netlist(source("cry_tile_guard", "None"))
    logic = Logic(design)
    (allowed,) = logic.port(design.outputs, "read_allowed_o")
    ask = Ask(logic, "read")
    base, _, flags, _ = window(logic, 2, 3)
    above = logic.all(
        logic.is_number(ask.owner, 2),
        -ask.is_relative(2),
        flags["enable"],
        flags["read"],
        logic.not_above(base, ask.page),
    )
    assert logic.solver.solve([above, -allowed])


def request(logic, name, number=0):
    """The fields of a request, of those of a port; those of one bit are literals."""
    bits = sum(REQUEST.values())
    nets, fields = logic.port(logic.design.inputs, name)[bits * number :][:bits], {}
    for field, bits in REQUEST.items():
        fields[field], nets = nets[:bits] if bits > 1 else nets[0], nets[bits:]
    assert not nets
    return fields


def slot_fields(logic, slot):
    """What is stored of a slot, by name."""
    stored = {
        name: logic.word(f"gen_slot[{slot}].u_{name}.q_o")
        for name in ("attr", "policy", "uses", "generation")
    }
    flags = ("valid", "encrypt", "decrypt", "unwrap", "lock", "contexts", "counted", "nonce")
    return {
        **dict(zip(flags, stored["attr"][:8], strict=True)),
        "owners": stored["attr"][8:16],
        "opcode": stored["attr"][16:20],
        "modes": stored["policy"][:16],
        "key_bytes": stored["policy"][16:23],
        "tag_bytes": stored["policy"][24:31],
        "uses": stored["uses"],
        "generation": stored["generation"],
    }


def permitted(logic, queues, slots, ask, counted=True):
    """The specification of the use of key slots, as in the README of the tile: of the slot and of
    the one that a key goes to, and of that one alone."""
    every, some = logic.all, logic.any
    encrypts = -ask["decrypt"]
    uses, takes = [], []
    for s in range(slots):
        slot = slot_fields(logic, s)
        mine = some(
            *(every(logic.is_number(ask["owner"], q), slot["owners"][q]) for q in range(queues))
        )
        masked = some(
            *(
                every(logic.is_number(ask["owner"], q), logic.word(f"gen_queue[{q}].u_mask.q_o")[s])
                for q in range(queues)
            )
        )
        mode = some(*(every(logic.is_number(ask["mode"], m), slot["modes"][m]) for m in range(16)))
        no_tag = logic.is_number(ask["tag_bytes"], 0)
        tag = some(
            no_tag,
            logic.is_number(slot["tag_bytes"], 127),
            every(logic.is_number(slot["tag_bytes"], 0), ask["tag_full"]),
            every(
                -logic.is_number(slot["tag_bytes"], 0),
                logic.same(slot["tag_bytes"], ask["tag_bytes"]),
            ),
        )
        both = every(slot["encrypt"], slot["decrypt"])
        chosen = every(ask["keystream"], both, -slot["nonce"])
        opens = every(-ask["keystream"], ask["decrypt"], slot["decrypt"])
        tile = every(-ask["keystream"], encrypts, slot["nonce"], ask["tile_nonce"], slot["encrypt"])
        own = every(
            -ask["keystream"],
            encrypts,
            -slot["nonce"],
            slot["encrypt"],
            some(-ask["sealing"], slot["decrypt"]),
        )
        counts = some(slot["counted"], every(slot["nonce"], encrypts))
        uses.append(every(
            logic.is_number(ask["slot"], s), slot["valid"], mine, masked, mode, tag,
            logic.same(slot["opcode"], ask["opcode"]),
            logic.same(slot["key_bytes"], ask["key_bytes"]),
            -logic.xor(slot["unwrap"], ask["unwrap"]),
            some(chosen, opens, tile, own),
            some(-ask["in_parts"],
                 every(slot["contexts"], -slot["nonce"], some(both, -ask["output_made"]))),
            some(logic.is_number(ask["generation"], 0),
                 logic.same(slot["generation"], ask["generation"])),
            some(-counts, -logic.is_number(slot["uses"], 0)) if counted else logic.true,
        ))  # fmt: skip
        owned = [
            every(logic.is_number(ask["owner"], q), logic.is_number(slot["owners"], 1 << q))
            for q in range(queues)
        ]
        taken = some(-slot["valid"], every(mine, -ask["made"]), *owned)
        takes.append(every(logic.is_number(ask["target"], s), masked, -slot["lock"], taken))
    target = some(-ask["unwrap"], ask["token"], *takes)
    return every(some(*uses), target), target


@pytest.mark.parametrize(("queues", "slots"), [(4, 8), (2, 3)])
def test_a_slot_can_be_used_if_and_only_if_its_policy_says_so(queues, slots):
    """For every mode, length, part, direction, owner and generation, and every policy."""
    logic = Logic(netlist(source("cry_tile_permit", "None", NumQueues=queues, NumSlots=slots)))
    said = permitted(logic, queues, slots, request(logic, "req_i"))
    for output, meant in zip(("allowed_o", "target_ok_o"), said, strict=True):
        (found,) = logic.port(logic.design.outputs, output)
        assert logic.equal(found, meant), output
    # A key that was unwrapped, or made, is committed under the same rules.
    for number in range(2):
        said = permitted(logic, queues, slots, request(logic, "again_i", number), counted=False)
        for output, meant in zip(("again_allowed_o", "again_target_ok_o"), said, strict=True):
            found = logic.port(logic.design.outputs, output)[number]
            assert logic.equal(found, meant), (output, number)


@pytest.mark.parametrize("part", ["guard", "permit"])
@pytest.mark.parametrize("level", ["correct", "detect"])
def test_an_upset_opens_nothing(part, level):
    """Of every flip-flop, in every state, for every request."""
    design = designs.load(f"tile_{part}", "small", level, Use.prove)
    verdict = Proof(netlist(design.source), level).run()
    assert verdict.findings == []
    assert verdict.unprotected == []


@pytest.mark.parametrize("part", ["lock", "reset"])
@pytest.mark.parametrize("level", ["correct", "detect"])
def test_an_upset_unlocks_and_resets_nothing(part, level):
    verdict = Proof(netlist(source(f"cry_tile_{part}", level.title())), level).run()
    assert verdict.findings == []
    assert verdict.unprotected == []


def test_a_lock_that_is_broken_is_told_of():
    design = netlist(source("cry_tile_lock", "Detect"))
    names = [mutant.site for mutant in of_netlist(design) if mutant.site.endswith("detected_o")]
    assert len(names) == 4
    for mutant in of_netlist(design):
        if mutant.site in names:
            assert fails(Proof(mutant.make(), "detect"), design), mutant.site


def test_an_upset_opens_what_is_not_protected():
    design = designs.load("tile_guard", "small", "none", Use.prove)
    verdict = Proof(netlist(design.source), "correct").run()
    assert len(verdict.unprotected) == 2 * 2 * (2 * 44 + 10)
    assert verdict.findings


@pytest.mark.parametrize("level", ["correct", "detect"])
def test_an_upset_changes_no_common_register(level):
    design = netlist(designs.load("tile_control", "full", level, Use.prove).source)
    verdict = Proof(design, level).run()
    assert verdict.findings == []
    assert verdict.unprotected == []
    # At Correct an alarm is of two upsets, at Detect those that correct tell nothing more.
    untold = "detected_o" if level == "correct" else "corrected_o"
    mutants = [
        mutant
        for mutant in of_netlist(design)
        if not mutant.site.endswith((untold, "wrong_o", "double_o"))
    ]
    assert sum(mutant.site.startswith("u_regs.u_") for mutant in mutants) >= 9
    for mutant in mutants:
        assert fails(Proof(mutant.make(), level), design), mutant.site


@pytest.mark.parametrize(
    ("register", "changed", "instead"),
    [
        ("gen_slot[0].gen_word[0].u_key", "inject_i", ZERO),
        pytest.param("u_number", "en_i", "commit_i", marks=pytest.mark.soak),
    ],
)
def test_what_is_wrong_is_told_of_until_it_is_right(register, changed, instead):
    """It is not written once more as if it were right."""
    known = designs.load("tile_key_slots", "small", "detect", Use.prove)
    mutant = put_for(netlist(known.source), f"{register}.{changed}", instead)
    unasked = dataclasses.replace(known.hints, lasts=())
    assert Proof(mutant, "detect", known.log, unasked).run().findings == []
    findings = Proof(mutant, "detect", known.log, known.hints).run().findings
    told = f"of which {register}.detected_o tells no longer"
    assert findings == [f"{register}: wrong data leaves something wrong {told}"]


UNNOTICED = [
    (
        "(commit_i && new_wrong)",
        "told",
        "leaves something wrong of which new_wrong or gen_missed.missed_q tells no longer",
    ),
    ("!seal_detected", "behind", "makes false behind the alarm: not (seal_detected and"),
    ("seal_detected", "stops", "no longer refuses under the alarm"),
    (
        "!number_detected",
        "behind",
        "makes false behind the alarm: not (number_detected and new_ok)",
    ),
    ("!missed", "behind", "makes false behind the alarm: not (missed and"),
]
"""A term that is dropped, the hint that asks for it, and what is found then."""


def without(known, term):
    """Yield the key slots without a term, for each place where it stands."""
    for mutant in of_rtl(known.source, known.protect):
        if "cry_tile_key_slots.sv" in mutant.site and mutant.mutation == f"dropped: {term}":
            yield mutant.make()


@pytest.mark.parametrize(
    ("term", "hint", "finding"),
    [pytest.param(*row, marks=[pytest.mark.soak] * (at > 0)) for at, row in enumerate(UNNOTICED)],
)
def test_a_broken_seal_or_key_changes_no_slot_unnoticed(term, hint, finding):
    """A key that is not committed is told of; behind a broken seal nothing is written."""
    known = designs.load("tile_key_slots", "small", "detect", Use.prove)
    mutant = next(without(known, term))
    unasked = dataclasses.replace(known.hints, **{hint: type(getattr(known.hints, hint))()})
    assert Proof(mutant, "detect", known.log, unasked).run().findings == []
    findings = Proof(mutant, "detect", known.log, known.hints).run().findings
    assert findings
    assert all(finding in text for text in findings)


@pytest.mark.parametrize("level", ["detect", pytest.param("correct", marks=pytest.mark.soak)])
def test_tampering_clears_keys_whatever_is_held(level):
    """Nothing outside tells whether a key is still there whose slot is not valid any more."""
    known = designs.load("tile_key_slots", "small", level, Use.prove)
    designed, *kept = (
        Proof(made, level, known.log, known.hints).run("clears").findings
        for made in (netlist(known.source), *without(known, "tamper_i"))
    )
    assert designed == []
    for register in ("gen_slot[0].gen_word[0].u_key", "u_unwrapped.u_aad"):
        assert any(f"{register}: is not zero" in text for texts in kept for text in texts), register


@pytest.mark.parametrize(
    ("part", "output"),
    [
        ("tile_guard", "read_allowed_o"),
        ("tile_guard", "write_allowed_o"),
        ("tile_permit", "allowed_o"),
    ],
)
def test_nothing_more_is_allowed_under_the_alarm(part, output):
    """Where a window or a permission is wrong, an access that it would allow is refused."""
    design = netlist(designs.load(part, "small", "detect", Use.prove).source)
    assert Proof(design, "detect").run().findings == []
    (net,), (alarm,) = design.outputs[output], design.outputs["detected_o"]
    gate = design.drivers[net]
    (allowed,) = (read for read in gate.inputs if alarm not in design.drivers[read].inputs)
    findings = Proof(driven(design, {net: allowed}), "detect").run().findings
    assert any("lets through under the alarm" in text for text in findings)
