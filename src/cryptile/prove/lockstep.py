"""The proof of three engines in step (``cry_engine_lockstep``).

Nothing in a lane corrects an upset: the lane goes wrong and is outvoted. So the claim is made for
a lane that may hold and do *anything in every cycle*: the two others agree, and the port shows what
they say. An upset is the least of what that covers.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cryptile.errors import UsageError
from cryptile.netlist.gates import Netlist
from cryptile.prove import clock
from cryptile.prove.forms import ONE, ZERO, Forms
from cryptile.prove.search import Search
from cryptile.prove.upset import Verdict

ARGUMENT = (
    "Lanes: each of the three is the same gates on flip-flops of its own, on the port's inputs and "
    "on four signals from its own registers behind it; no flip-flop of one is read in another.",
    "Vote: with one lane holding and giving anything in every cycle, all handshakes, beats and the "
    "status are those of the two others, and the alarm stays down. A beat that is offered is "
    "theirs; if lane 0 is the wrong one, a beat that is not offered is offered one clock after the "
    "register of lane 0 stops changing.",
    "Agreement: in the next cycle the two others agree again. They go on as three equal lanes do "
    "whose dst and jobs pause: dst until then, jobs while a lane is apart.",
    "Status: it is changed from ok to corrected, and only while a lane is apart.",
    "Resynchronisation: when all jobs are done all three lanes are cleared in one cycle; when "
    "their engines agree, three cycles without a job bring any registers behind them to rest.",
)
"""What is shown, for the reader."""

ASSUMPTIONS = (
    "L1: further upsets hit the same lane until it has been brought to rest.",
    "L2: the port's contract: one done for each job; pauses change no values and no order; clear "
    "does nothing to an engine without a job. Shown by simulation, not proven.",
    "L3: what clear leaves in a lane that was wrong is written before it is used, or outvoted.",
    "L4: the lanes begin equal: what registers without a reset hold behind power-up is the same in "
    "all three, or is written before it is used. Nothing is shown of the first cycle.",
)
"""What the argument rests on."""

_BEHIND = "gen_tmr.u_lockstep."
_ENGINE = re.compile(r"gen_lane\[(\d)\]\.gen_engine\.u_engine\.(.*)")
_LANES = range(3)
_FROM_ENGINE = (
    "lane_job_ready_i",
    "lane_key_ready_i",
    "lane_src_ready_i",
    "lane_dst_valid_i",
    "lane_dst_i",
    "lane_done_valid_i",
    "lane_done_status_i",
)
_TO_ENGINE = ("lane_clear_o", "lane_job_valid_o", "lane_dst_ready_o", "lane_done_ready_o")
_REGISTERS = ("hold_q", "full_q", "done_q", "status_q", "beat_q")

_GATHERED = 64
"""Operands of one conjunction or disjunction that are compared without their order."""

_QUIET = 3
"""Cycles without a job in which lanes whose engines agree come together."""


def is_lockstep(netlist: Netlist) -> bool:
    """Say whether a netlist is that of three engines in step."""
    return f"{_BEHIND}lane_dst_ready_o" in netlist.aliases


@dataclass(frozen=True)
class _Lane:
    """Nets of one lane, by name and bit."""

    flops: Mapping[str, int]
    registers: Mapping[str, int]
    gives: Mapping[str, int]
    takes: Mapping[str, int]


class LockstepProof:
    """The proof of one netlist."""

    def __init__(self, netlist: Netlist) -> None:
        """Find the lanes.

        Raises:
            UsageError: there is a flip-flop in none of them.
        """
        self.netlist = netlist
        self.next = {flop.q: flop.d for flop in netlist.flip_flops}
        self.lanes = [self._lane(number) for number in _LANES]
        known = {
            net
            for lane in self.lanes
            for part in (lane.flops, lane.registers)
            for net in part.values()
        }
        for flop in netlist.flip_flops:
            if flop.q not in known:
                raise UsageError(f"{netlist.top}: {flop.name} is in none of three lanes")

    def _lane(self, number: int) -> _Lane:
        flops = {}
        for flop in self.netlist.flip_flops:
            match = _ENGINE.fullmatch(flop.name)
            if match and int(match[1]) == number:
                flops[match[2]] = flop.q
        registers = self._parts(_REGISTERS, number)
        control = self.netlist.aliases[f"{_BEHIND}gen_lane[{number}].count_q"]
        registers |= {f"count_q[{bit}]": net for bit, net in enumerate(control)}
        registers = {name: net for name, net in registers.items() if net in self.next}
        return _Lane(
            flops, registers, self._parts(_FROM_ENGINE, number), self._parts(_TO_ENGINE, number)
        )

    def _parts(self, names: Iterable[str], number: int) -> dict[str, int]:
        """Return the nets of a lane in words that hold one part for each lane."""
        found = {}
        for name in names:
            nets = self.netlist.aliases[f"{_BEHIND}{name}"]
            width = len(nets) // len(_LANES)
            for bit in range(width):
                found[f"{name}[{bit}]"] = nets[width * number + bit]
        return found

    def run(self, *only: str) -> Verdict:
        """Carry the proof out; ``only`` are names of parts, which alone prove nothing."""
        started = clock.seconds()
        self.verdict = Verdict(
            self.netlist.top,
            argument=ARGUMENT,
            assumptions=ASSUMPTIONS,
            claim="changes nothing outside but time",
        )
        self.verdict.groups["in one of three lanes"] = len(self.netlist.flip_flops)
        parts = {
            "lanes": self._lanes_are_equal,
            "vote": self._all_votes,
            "undisturbed": self._undisturbed,
            "rest": self._come_to_rest,
        }
        for name, part in parts.items():
            if not only or name in only:
                part()
            if self.verdict.findings:
                break
        self.verdict.seconds = clock.seconds() - started
        return self.verdict

    def _find(self, text: str) -> None:
        self.verdict.findings.append(text)

    # --- The lanes -------------------------------------------------------------------------------

    def _lanes_are_equal(self) -> None:
        """Each lane is the same function, of its own flip-flops and signals and of inputs."""
        if len({frozenset(lane.flops) for lane in self.lanes}) != 1:
            self._find("lanes have different flip-flops")
            return
        numbers: dict[object, int] = {}
        gathered: dict[tuple[str, int], set[int]] = {}

        def number(key: object) -> int:
            return numbers.setdefault(key, len(numbers))

        inputs = {
            net: number(("input", net)) for nets in self.netlist.inputs.values() for net in nets
        }
        inputs |= {ZERO: number("zero"), ONE: number("one")}
        results = []
        for lane in self.lanes:
            values = dict(inputs)
            for part in (lane.flops, lane.takes):
                values |= {net: number(name) for name, net in part.items()}
            given = set(lane.takes.values())
            for gate in self.netlist.gates:
                if gate.output in given or any(net not in values for net in gate.inputs):
                    continue
                read = [values[net] for net in gate.inputs]
                if gate.kind in ("and", "or"):
                    # Synthesis orders what is equal in all lanes by the numbers of nets.
                    parts = set().union(*(gathered.get((gate.kind, v), {v}) for v in read))
                    parts = parts if len(parts) <= _GATHERED else set(read)
                    values[gate.output] = number((gate.kind, *sorted(parts)))
                    gathered[gate.kind, values[gate.output]] = parts
                    continue
                order = sorted(read) if gate.kind in ("xor", "nand", "nor", "xnor") else read
                values[gate.output] = number((gate.kind, *order))
            ends = {name: self.next[net] for name, net in lane.flops.items()} | dict(lane.gives)
            results.append({name: values.get(net) for name, net in ends.items()})
        for name, value in results[0].items():
            if value is None or any(result.get(name) is None for result in results):
                self._find(f"{name}: depends on more than its own lane")
                return
            if any(result[name] != value for result in results):
                self._find(f"{name}: is made in another way in another lane")
                return

    # --- The vote --------------------------------------------------------------------------------

    def _begin(self) -> None:
        self.forms = Forms()
        self.search = Search(self.forms)
        self.inputs = {
            net: self.forms.variable() for nets in self.netlist.inputs.values() for net in nets
        }
        for name, value in (("rst_ni", ONE), ("fault_inject_i", ZERO)):
            self.inputs[self.netlist.inputs[name][0]] = value

    def _input(self, name: str) -> int:
        return self.inputs[self.netlist.inputs[name][0]]

    def _fresh(self, names: Iterable[str]) -> dict[str, int]:
        return {name: self.forms.variable() for name in names}

    def _evaluate(
        self,
        states: Sequence[Mapping[str, int]],
        given: Sequence[Mapping[str, int]],
        fixed: Mapping[str, int],
    ) -> dict[int, int]:
        """Return the values of the nets behind the lanes, from registers and what engines give."""
        values = {ZERO: ZERO, ONE: ONE} | self.inputs
        values |= {self.netlist.inputs[name][0]: value for name, value in fixed.items()}
        for lane, state, out in zip(self.lanes, states, given, strict=True):
            values |= {net: state[name] for name, net in lane.registers.items()}
            values |= {net: out[name] for name, net in lane.gives.items() if net not in (ZERO, ONE)}
        stops = {net for lane in self.lanes for net in lane.gives.values()}
        for gate in self.netlist.gates:
            if gate.output not in stops and all(net in values for net in gate.inputs):
                values[gate.output] = self.forms.gate(
                    gate.kind, [values[net] for net in gate.inputs]
                )
        return values

    def _state(self, lane: _Lane, values: Mapping[int, int]) -> dict[str, int]:
        return {name: values[self.next[net]] for name, net in lane.registers.items()}

    def _beat(self, state: Mapping[str, int]) -> list[int]:
        return [value for name, value in state.items() if name.startswith("beat_q")]

    def _equal(self, first: Iterable[int], second: Iterable[int]) -> int:
        result = ONE
        for a, b in zip(first, second, strict=True):
            result = self.forms.product(result, self.forms.sum(a, b) ^ ONE)
        return result

    def _same(self, first: int, second: int, text: str, *when: int) -> None:
        """Find it if two values can differ while some are one."""
        if first != second and self.search.possible(self.forms.sum(first, second), *when):
            self._find(text)

    def _all_votes(self) -> None:
        for wrong in _LANES:
            if not self.verdict.findings:
                self._begin()
                self._vote(wrong)

    def _vote(self, wrong: int) -> None:
        """With one lane holding and giving anything."""
        a, b = (lane for lane in _LANES if lane != wrong)
        right, bad = (self._fresh(self.lanes[0].registers) for _ in range(2))
        gives, noise = (self._fresh(self.lanes[0].gives) for _ in range(2))
        states = [bad if lane == wrong else right for lane in _LANES]
        given = [noise if lane == wrong else gives for lane in _LANES]
        values = self._evaluate(states, given, {})
        out = {name: values[nets[0]] for name, nets in self.netlist.outputs.items()}
        which = f"lane {wrong} wrong"
        shown = {
            "job_ready_o": self.forms.gate(
                "andnot", [gives["lane_job_ready_i[0]"], right["hold_q[0]"]]
            ),
            "key_ready_o": gives["lane_key_ready_i[0]"],
            "src_ready_o": gives["lane_src_ready_i[0]"],
            "done_valid_o": right["done_q[0]"],
        }
        for name, value in shown.items():
            self._same(out[name], value, f"{which}: changes {name}")
        for bit, net in enumerate(self.netlist.outputs["done_status_o"]):
            if f"status_q[{bit}]" in right:
                self._same(values[net], right[f"status_q[{bit}]"], f"{which}: changes the status")
        if self.search.possible(out["fault_detected_o"]):
            self._find(f"{which}: raises the alarm")
        # A beat.
        full, offered = right["full_q[0]"], out["dst_valid_o"]
        for net, value in zip(self.netlist.outputs["dst_o"], self._beats(right), strict=True):
            self._same(values[net], value, f"{which}: changes a beat", offered)
        if self.search.possible(offered, full ^ ONE):
            self._find(f"{which}: makes a beat up")
        agrees = self._equal(self._beat(states[0]), self._beat(right))
        self._same(offered, full, f"{which}: withholds a beat", agrees)
        later = [self._state(self.lanes[lane], values) for lane in _LANES]
        if wrong == 0:
            waits = self.forms.product(full, agrees ^ ONE)
            repaired = self._equal(self._beat(later[0]), self._beat(right))
            clear = values[self.lanes[a].takes["lane_clear_o[0]"]]
            if self.search.possible(waits, repaired ^ ONE, clear ^ ONE):
                self._find(f"{which}: its beat is not repaired")
        # The two others agree in what they hold next and in what their engines are told.
        for name in right:
            self._same(later[a][name], later[b][name], f"{which}: {name} of the others differ")
        for name in self.lanes[0].takes:
            first, second = (values[self.lanes[lane].takes[name]] for lane in (a, b))
            self._same(first, second, f"{which}: {name} of the others differ")
        if self.verdict.findings:
            return
        # As three equal lanes, but for pauses.
        ready = self.forms.product(
            self._input("dst_ready_i"), self.forms.gate("ornot", [offered, full])
        )
        calm = self._evaluate([right] * 3, [gives] * 3, {"dst_ready_i": ready})
        calmly = self._state(self.lanes[a], calm)
        for name in right:
            if name != "hold_q[0]":
                self._same(later[a][name], calmly[name], f"{which}: {name} is not as undisturbed")
        for name in self.lanes[0].takes:
            net = self.lanes[a].takes[name]
            self._same(values[net], calm[net], f"{which}: {name} is not as undisturbed")
        if self.search.possible(calmly["hold_q[0]"], later[a]["hold_q[0]"] ^ ONE):
            self._find(f"{which}: ends the hold")
        # What is seen to differ is reported, and no job comes until it is settled.
        seen, cleared = out["fault_corrected_o"], values[self.lanes[a].takes["lane_clear_o[0]"]]
        if self.search.possible(later[a]["hold_q[0]"], right["hold_q[0]"] ^ ONE, seen ^ ONE):
            self._find(f"{which}: is not reported")
        visible = [
            self.forms.sum(noise[name], gives[name])
            for name in ("lane_key_ready_i[0]", "lane_src_ready_i[0]")
        ]
        for difference in visible:
            if self.search.possible(difference, cleared ^ ONE, later[a]["hold_q[0]"] ^ ONE):
                self._find(f"{which}: what differs makes no hold")

    def _beats(self, state: Mapping[str, int]) -> list[int]:
        """Return a lane's beat by the bits of ``dst_o``."""
        nets = self.netlist.aliases[f"{_BEHIND}beat_q"]
        return [state.get(f"beat_q[{bit}]", ZERO) for bit in range(len(nets) // len(_LANES))]

    # --- Three equal lanes -----------------------------------------------------------------------

    def _undisturbed(self) -> None:
        """Without upsets no lane is ever apart; in a hold jobs pause and the status may change."""
        self._begin()
        state, gives = self._fresh(self.lanes[0].registers), self._fresh(self.lanes[0].gives)
        state["hold_q[0]"] = ZERO
        values = self._evaluate([state] * 3, [gives] * 3, {})
        if any(
            self.search.possible(value)
            for value in (
                self._state(self.lanes[0], values)["hold_q[0]"],
                values[self.netlist.outputs["fault_corrected_o"][0]],
            )
        ):
            self._find("lanes that are equal hold")
        # A hold is a pause of jobs, until there are none inside.
        paused = self._evaluate([state] * 3, [gives] * 3, {"job_valid_i": ZERO})
        holding = state | {"hold_q[0]": ONE}
        held = self._evaluate([holding] * 3, [gives] * 3, {})
        inside = self.forms.any(
            value for name, value in state.items() if name.startswith("count_q")
        )
        calm, later = (self._state(self.lanes[0], which) for which in (paused, held))
        for name in state:
            if not name.startswith(("hold_q", "status_q")):
                self._same(calm[name], later[name], f"a hold changes {name}", inside)
        for name, net in self.lanes[0].takes.items():
            self._same(paused[net], held[net], f"a hold changes {name}", inside)
        status, corrected = (
            [result[name] for name in calm if name.startswith("status_q")]
            for result in (calm, later)
        )
        ok = self._equal(status, [ZERO] * len(status))
        for place, (before, after) in enumerate(zip(status, corrected, strict=True)):
            self._same(before, after, f"a hold changes bit {place} of an error", ok ^ ONE, inside)
        # At its end all three lanes are cleared.
        for lane in self.lanes:
            cleared = held[lane.takes["lane_clear_o[0]"]]
            if self.search.possible(cleared ^ ONE, inside ^ ONE):
                self._find("a hold does not end in clear")
            if self.search.possible(cleared, inside, self._input("clear_i") ^ ONE):
                self._find("a hold ends while there are jobs")

    def _come_to_rest(self) -> None:
        """Without a job, and with engines that agree, any registers of one lane come to rest."""
        for wrong in _LANES:
            self._begin()
            rest = dict.fromkeys(self.lanes[0].registers, ZERO)
            rest["hold_q[0]"] = self.forms.variable()
            bad = self._fresh(self.lanes[0].registers)
            states: list[Mapping[str, int]] = [bad if lane == wrong else rest for lane in _LANES]
            for _ in range(_QUIET):
                gives = self._fresh(self.lanes[0].gives)
                gives |= {"lane_dst_valid_i[0]": ZERO, "lane_done_valid_i[0]": ZERO}
                values = self._evaluate(states, [gives] * 3, {"job_valid_i": ZERO})
                states = [self._state(lane, values) for lane in self.lanes]
            for state in states:
                for name in ("hold_q[0]", "full_q[0]", "done_q[0]"):
                    if self.search.possible(state[name]):
                        self._find(f"lane {wrong} wrong: {name} does not come to rest")
                        return
