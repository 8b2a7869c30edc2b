"""What follows an alarm, on the netlist: nothing leaves any more, all is wiped, the job ends.

A state behind an alarm is described by flip-flops that are constant; all others are arbitrary, but
for soundness and the lemmas. From the state behind the alarm's cycle (any sound state before,
anything in the registers that only notice an upset) the description is weakened until it holds in
the next cycle too, for all inputs, as long as the job has not ended: neither ``clear_i`` nor the
handshake of ``done``. In all of these states is shown what the level promises.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cryptile.netlist.gates import Netlist
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group
from cryptile.prove.informed import Informed, informed
from cryptile.prove.level import Level

if TYPE_CHECKING:
    from cryptile.prove.upset import Proof

DETECTED = 4
"""``cry_engine_pkg::StatusFaultDetected``"""

LAST = 2
"""Place of ``last`` in a beat of ``cry_engine_pkg``."""

MOST_CYCLES = 64
"""Looked at before a proof gives up to wait for the wipe, or for the end of the job."""

PORTS = ("dst_valid_o", "done_valid_o", "done_status_o", "job_ready_o")


@dataclass(frozen=True)
class States:
    """A set of states.

    Attributes:
        constants: values of flip-flops that are the same in all of them.
        loose: groups that need not be sound.
    """

    constants: Mapping[int, int]
    loose: frozenset[Group]


@dataclass
class Ending:
    """What was found.

    Attributes:
        findings: what speaks against the promise.
        wiped: cycles from the alarm until all is wiped.
        cycles: cycles from the alarm to the end of the job, if nothing that it takes is held back.
        kept: registers that are not wiped.
        reached: what something of the key or of the data may reach.
        believed: those of them that it may reach.
    """

    findings: list[str] = field(default_factory=list)
    wiped: int = 0
    cycles: int = 0
    kept: list[str] = field(default_factory=list)
    reached: Informed | None = None
    believed: list[str] = field(default_factory=list)

    @property
    def argument(self) -> tuple[str, ...]:
        """What was shown, a sentence each."""
        told = self.reached and self.reached.told(self.kept, self.believed)
        but = f", but for {told}" if self.kept else ""
        return (
            "In the cycle of the alarm nothing leaves dst and no job is done or taken, whatever "
            "the registers hold that only notice an upset.",
            "From then on, for all inputs, nothing leaves dst, no job is taken, and done says "
            "StatusFaultDetected.",
            f"All is wiped {self.wiped} clocks behind the alarm{but}.",
            "The end of the job, or clear_i at any time, leads to rest, sound and wiped.",
            f"The job ends {self.cycles} cycles behind the alarm at the latest, if key, the last "
            "beat of src and done_ready are offered.",
        )


def is_engine(netlist: Netlist) -> bool:
    """Say whether a netlist has the ports of an engine: only then jobs have an end."""
    return all(name in netlist.outputs for name in PORTS)


def ends_jobs(netlist: Netlist, level: str) -> bool:
    """Say whether it is an engine in which an alarm ends the job."""
    return level == Level.detect and is_engine(netlist)


def ending(proof: "Proof", alarming: Iterable[Group]) -> Ending:
    """Show what follows an alarm that the upset of some groups can raise."""
    return _Endings(proof, alarming).run()


class _Endings:
    """The steps of the proof, with what they have in common."""

    def __init__(self, proof: "Proof", alarming: Iterable[Group]) -> None:
        self.proof = proof
        self.netlist = proof.netlist
        self.alarming = list(alarming)
        self.result = Ending()
        kept = {flop for group in proof.logs for flop in group.flops}
        kept |= {
            flop
            for flop, name in proof.names.items()
            if any(pattern.search(name) for pattern in proof.hints.kept)
        }
        self.must_be_wiped = [flop for flop in proof.names if flop not in kept]

    def run(self) -> Ending:
        first = self.alarm_cycle()
        if self.result.findings:
            return self.result
        states = self.closure(first)
        self.promises(states)
        self.exits(states)
        self.ends(states)
        if not self.result.findings:
            self.wipe(first)
        return self.result

    def find(self, text: str) -> None:
        if text not in self.result.findings:
            self.result.findings.append(text)

    def registers(self, flops: Iterable[int]) -> list[str]:
        """Return the names of the registers that flip-flops belong to."""
        homes = (self.proof.home[flop] for flop in flops)
        return sorted({group.scope.removesuffix(".") for group in homes})

    def output(self, name: str) -> int:
        return self.proof.good[self.netlist.outputs[name][0]]

    # --- The cycle of the alarm -------------------------------------------------------------------

    def alarm_cycle(self) -> States:
        """Look at the alarm's cycle; return the states behind it."""
        self.alarmed(ZERO)
        self.nothing_happens("in the cycle of the alarm")
        first = self.coming({})
        self.alarmed(ONE)
        self.nothing_happens("when clear_i comes with the alarm")
        self.rests({}, "clear_i comes with the alarm")
        return first

    def nothing_happens(self, when: str) -> None:
        """Show that nothing leaves, and no job is done or taken."""
        for name, text in (
            ("dst_valid_o", "a beat leaves"),
            ("done_valid_o", "a job is done"),
            ("job_ready_o", "a job is taken"),
        ):
            if self.proof.search.possible(self.output(name)):
                self.find(f"{text} {when}")

    def alarmed(self, clear: int) -> None:
        """Look at all states in which the alarm is up, whatever raised it."""
        proof = self.proof
        proof._fresh()
        wrong = sorted({flop for group in self.alarming for flop in group.flops})
        sound = proof._sound_state()
        proof._assume(sound)
        sources = sound | {flop: proof.forms.variable() for flop in wrong}
        sources |= proof._inputs({"clear_i": clear})
        scopes = dict.fromkeys(f"{group.scope}detected_o" for group in self.alarming)
        checks = {self.netlist.aliases[name][0] for name in scopes if name in self.netlist.aliases}
        checks -= {proof.alarm, ZERO, ONE}
        known = {net: proof.forms.variable() for net in sorted(checks)}
        values = proof._evaluate(sources, known)
        proof.search.require(values[proof.alarm])
        proof.good = proof._evaluate(sources, known | {proof.alarm: ONE})

    # --- Behind it --------------------------------------------------------------------------------

    def enter(self, states: States, inputs: Mapping[str, int], last: bool = False) -> int:
        """Look at a set of states; return as a form whether the job ends."""
        proof = self.proof
        proof._fresh()
        sources = proof._sound_state(states.constants)
        for group in states.loose:
            for flop in group.flops:
                sources[flop] = states.constants.get(flop, proof.forms.variable())
        sources |= proof._inputs({"clear_i": ZERO, **inputs})
        if last:
            sources[self.netlist.inputs["src_i"][LAST]] = ONE
        # Without an upset there is no alarm, as was shown.
        proof.good = proof._evaluate(sources, {} if states.loose else {proof.alarm: ZERO})
        proof._assume(proof.good)
        (ready,) = self.netlist.inputs["done_ready_i"]
        return proof.forms.product(self.output("done_valid_o"), sources[ready])

    def coming(self, wanted: Mapping[int, int], *when: int) -> States:
        """Return the states that follow; the flip-flops of ``wanted`` are worth a search.

        Those with a voter always are: they are control.
        """
        proof, search = self.proof, self.proof.search
        constants: dict[int, int] = {}
        for group in proof.groups:
            for flop in group.flops:
                form = proof.good[proof.next[flop]]
                if form in (ZERO, ONE):
                    constants[flop] = form
                    continue
                values = [ZERO, ONE] if group.corrects else []
                if flop in wanted:
                    values = [wanted[flop]]
                for value in values:
                    if not search.possible(*when, form ^ value):
                        constants[flop] = value
                        break
        for lemma in proof.lemmas:
            if search.possible(*when, proof._following(lemma) ^ ONE):
                self.find(f"does not hold behind the alarm: {lemma.text}")
        loose = frozenset(group for group in proof.groups if not proof._sound(group, proof.good))
        # Every description of states takes these for constant, but in what is loose.
        for flop, value in proof.constants.items():
            changes = constants.get(flop) != value and proof.home[flop] not in loose
            if changes and search.possible(*when, proof.good[proof.next[flop]] ^ value):
                self.find(f"{proof.names[flop]}: is not constant behind the alarm")
        return States(constants, loose)

    def closure(self, states: States) -> States:
        """Add states until all that follow are among them, as long as the job does not end."""
        while True:
            end = self.enter(states, {})
            later = self.coming(states.constants, end ^ ONE)
            shared = states.constants.items() & later.constants.items()
            more = States(dict(shared), states.loose | later.loose)
            if more == states or self.result.findings:
                return states
            states = more

    def promises(self, states: States) -> None:
        """Show that nothing leaves, nothing is taken, and ``done`` tells of the fault.

        In the cycle of ``clear_i`` too, in which ``done`` may still be up: whoever clears drops it.
        """
        self.enter(states, {})
        self.promised("")
        self.enter(states, {"clear_i": ONE})
        self.promised(" when clear_i comes")

    def promised(self, when: str) -> None:
        search = self.proof.search
        done = self.output("done_valid_o")
        if search.possible(self.output("dst_valid_o")):
            self.find(f"a beat leaves behind the alarm{when}")
        if search.possible(self.output("job_ready_o")):
            self.find(f"a job is taken before the one that a fault ended is done{when}")
        for place, net in enumerate(self.netlist.outputs["done_status_o"]):
            if search.possible(done, self.proof.good[net] ^ (DETECTED >> place & 1)):
                self.find(f"a job that a fault ended is done with another status{when}")
                return

    def exits(self, states: States) -> None:
        """Show that the end of the job, and ``clear_i``, lead to a resting state, all wiped."""
        wiped = {flop: states.constants.get(flop, ZERO) for flop in self.must_be_wiped}
        self.rests(wiped, "a job that a fault ended is done", self.enter(states, {}))
        self.enter(states, {"clear_i": ONE})
        self.rests(wiped, "clear_i comes behind the alarm")

    def rests(self, wiped: Mapping[int, int], what: str, *when: int) -> None:
        """Show that what follows is sound and wiped, and takes a job."""
        later = self.coming(wiped, *when)
        left = [flop for flop in self.must_be_wiped if flop not in later.constants]
        for register in self.registers(left):
            self.find(f"{register}: is not wiped when {what}")
        for register in self.registers(group.flops[0] for group in later.loose):
            self.find(f"{register}: is not sound when {what}")
        self.enter(later, {})
        if self.proof.search.possible(self.output("job_ready_o") ^ ONE):
            self.find(f"no job is taken when {what}")

    def ends(self, states: States) -> None:
        """Count the cycles to the end of the job when all that it waits for is offered."""
        offered = {name: ONE for name in ("key_valid_i", "src_valid_i", "done_ready_i")}
        for cycle in range(1, MOST_CYCLES):
            end = self.enter(states, offered, last=True)
            if not self.proof.search.possible(end ^ ONE):
                self.result.cycles = cycle
                return
            later = self.coming({}, end ^ ONE)
            if later == states:
                break
            states = later
        self.find("a job that a fault ended may never be done")

    def wipe(self, states: States) -> None:
        """Count the cycles until all is wiped, and stays so."""
        for cycle in range(1, MOST_CYCLES):
            closed = self.closure(states)
            left = [flop for flop in self.must_be_wiped if flop not in closed.constants]
            if not left and not closed.loose:
                self.result.wiped = cycle
                kept = [
                    group.flops[0]
                    for group in self.proof.groups
                    if group not in self.proof.logs and group.flops[0] not in closed.constants
                ]
                self.result.kept = self.registers(kept)
                self.result.reached = informed(self.proof)
                self.result.believed = self.registers(self.result.reached.flops.intersection(kept))
                return
            end = self.enter(states, {})
            later = self.coming(dict.fromkeys(self.must_be_wiped, ZERO), end ^ ONE)
            if later == states:
                break
            states = later
        for register in self.registers(left):
            self.find(f"{register}: is not wiped behind the alarm")
        for register in self.registers(group.flops[0] for group in closed.loose):
            self.find(f"{register}: is not sound behind the alarm")
