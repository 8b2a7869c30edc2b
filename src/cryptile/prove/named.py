"""The proof of a module of a user's own, whose groups of flip-flops are named in its file.

That what is named is a group is never believed: the proof shows that copies are equal and codewords
are codewords behind reset and in every next state, and fails if they are not.
"""

import dataclasses
import re
from collections.abc import Iterator, Mapping

from cryptile.errors import UsageError
from cryptile.modules.copies import copies
from cryptile.modules.description import Code, Description, Protection
from cryptile.modules.elaborate import Ports
from cryptile.netlist.gates import Gate, Netlist
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group, Kind
from cryptile.prove.level import Level
from cryptile.prove.upset import Proof

_RESET, _ALARM, _REPORT = "rst_ni", "fault_detected_o", "fault_corrected_o"
"""Ports as the prover knows them."""


@dataclasses.dataclass(frozen=True)
class Listed(Group):
    """A code whose check bits were listed.

    Attributes:
        sums: the places of the data bits that each check bit sums.
    """

    sums: tuple[tuple[int, ...], ...] = ()

    def checks(self) -> list[tuple[int, list[int]]]:
        """List the check bits by place, with the places of the data bits they sum."""
        return [(self.width + row, list(members)) for row, members in enumerate(self.sums)]


class NamedProof(Proof):
    """The proof that a single upset of a module changes no output, or raises its alarm.

    A register need not heal at the next clock: what is wrong in one may stay until it is written.
    Which do is told, as a second upset of such a group is not covered.
    """

    def __init__(
        self, netlist: Netlist, what: Description, ports: Ports, groups: list[Group]
    ) -> None:
        """Take the module's netlist and its groups."""
        log = what.protection.log if what.protection else ()
        level = Level.detect if what.outputs.alarm else Level.correct
        try:
            patterns = [re.compile(text) for text in log]
        except re.error as error:
            raise UsageError(f"{what.path}: log: {error.pattern!r}: {error}") from error
        super().__init__(_as_known(netlist, what, ports), level, patterns, groups=groups)
        self._unseen = (*what.outputs.report, *what.outputs.ignore)

    def begin(self) -> None:
        """Begin anew, with nothing found."""
        super().begin()
        self._lasting: dict[str, None] = {}
        self._assumed()

    def _assumed(self) -> None:
        """Say what the verdict rests on."""
        texts = []
        if self._unseen:
            texts.append(
                "what is outside does not rely on these outputs, which were not compared: "
                f"{', '.join(self._unseen)}"
            )
        if self._lasting:
            texts.append(
                "the next upset of a register comes when it was written again, as these hold a "
                f"wrong bit until then: {', '.join(self._lasting)}"
            )
        self.verdict.assumptions = tuple(texts)

    def _start(self) -> None:
        """Show that a clock in reset makes a state sound: an upset may come in its first cycle.

        What follows it without a request is, too, whatever is in the registers without a reset:
        an asynchronous one may be shorter than a clock.
        """
        super()._start()
        if self.verdict.findings:
            return
        self._fresh()
        free = {flop: self.forms.variable() for flop in self.next}
        self.good = self._evaluate(free | self._inputs({_RESET: ZERO}))
        for group in self.groups:
            if not self._sound(group, self.good):
                self._find(group, "is not sound behind reset")

    def _unhealed(self, group: Group, flop: int, changed: Mapping[int, int]) -> Iterator[str]:
        """Note a register that is still wrong in the next cycle while no alarm is up: no finding.

        Of a code or a pair, too: its alarm may be up only while it is read.
        """
        d, quiet = self.next[flop], changed.get(self.alarm, self.good[self.alarm]) ^ ONE
        if (
            group not in self.logs
            and d in changed
            and self.search.possible(self.forms.sum(changed[d], self.good[d]), quiet)
        ):
            self._lasting[self.names[group.flops[0]]] = None
            self._assumed()
        yield from ()


def named_proof(netlist: Netlist, what: Description, ports: Ports) -> NamedProof:
    """Return the proof of a module.

    Raises:
        UsageError: a group names what is no register, or there is none.
    """
    protection = what.protection or Protection(copies=tuple(copies(ports.registers)))
    return NamedProof(netlist, what, ports, _groups(netlist, what, protection))


def _groups(netlist: Netlist, what: Description, protection: Protection) -> list[Group]:
    """Return the groups that a file names; all other flip-flops stand alone."""
    groups: list[Group] = []
    flops = {flop.q for flop in netlist.flip_flops}
    for names in protection.copies:
        if len(names) not in (2, 3):
            raise UsageError(f"{what.path}: copies are two or three: {', '.join(names)}")
        found = [_register(netlist, what, name) for name in names]
        if len({len(nets) for nets in found}) > 1:
            raise UsageError(f"{what.path}: {', '.join(names)} are not equally wide")
        for bits in zip(*found, strict=True):
            # Copies that synthesis merged are one flip-flop, and bits that never change are none.
            members = tuple(dict.fromkeys(bit for bit in bits if bit in flops))
            if members:
                groups.append(Group(Kind.copies, "", members, 1))
    groups += [_code(netlist, what, code) for code in protection.codes]
    taken = [flop for group in groups for flop in group.flops]
    if len(set(taken)) < len(taken):
        raise UsageError(f"{what.path}: a register is in two groups")
    groups += [
        Group(Kind.single, flop.name, (flop.q,), 1)
        for flop in netlist.flip_flops
        if flop.q not in set(taken)
    ]
    return groups


def _code(netlist: Netlist, what: Description, code: Code) -> Group:
    data, checks = (_register(netlist, what, name) for name in (code.data, code.checks))
    if len(code.sums) != len(checks):
        raise UsageError(f"{what.path}: {code.checks} has {len(checks)} bits: as many sums")
    for members in code.sums:
        if not members or len(set(members)) < len(members) or max(members) >= len(data):
            raise UsageError(f"{what.path}: a sum names bits of {code.data}, each once")
    flops = {flop.q for flop in netlist.flip_flops}
    if not flops.issuperset((*data, *checks)) or len({*data, *checks}) < len(data) + len(checks):
        raise UsageError(
            f"{what.path}: synthesis left not all bits of {code.data} and {code.checks} a "
            "flip-flop of their own: name them under `keep`"
        )
    kind = Kind.secded if code.corrects else Kind.parity
    return Listed(kind, "", (*data, *checks), len(data), sums=code.sums)


def _register(netlist: Netlist, what: Description, name: str) -> tuple[int, ...]:
    if name not in netlist.aliases:
        raise UsageError(f"{what.path}: there is no register {name}")
    return netlist.aliases[name]


def _as_known(netlist: Netlist, what: Description, ports: Ports) -> Netlist:
    """Return the netlist with ports called as the prover knows them, and no other one so."""
    reset, outputs = what.module.reset, what.outputs
    if reset is None:
        raise UsageError(f"{what.path}: a proof needs a reset: it shows what follows it")
    inputs = {f"{name} (input)": nets for name, nets in netlist.inputs.items()}
    nets = inputs.pop(f"{reset.port} (input)")
    gates = netlist.gates
    if reset.active == "high":
        used = [net for port in netlist.inputs.values() for net in port]
        used += [gate.output for gate in gates] + [flop.q for flop in netlist.flip_flops]
        fresh = max(used) + 1
        gates = (Gate("not", (fresh,), nets[0]), *gates)
        nets = (fresh,)
    inputs[_RESET] = nets
    shown = {f"output {name}": netlist.outputs[name] for name in outputs.compare}
    if outputs.alarm:
        shown[_ALARM] = netlist.outputs[outputs.alarm]
    return dataclasses.replace(netlist, inputs=inputs, outputs=shown, gates=gates)
