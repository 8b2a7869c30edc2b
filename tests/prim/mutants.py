"""Netlists with one voter, decoder or check deleted."""

import dataclasses
import re

from cryptile.netlist.gates import ZERO, Gate, Netlist

VOTER = re.compile(r"(.*)u_vote\.q_o")
CHECKS = ("u_enc.check", "u_enc.gen_detect.parity", "u_vote.mismatch_o", "u_dec.single_o")
COPY = "gen_copy[0].u_copy.copy_q"


def _deleted(netlist: Netlist, nets: dict[int, int]) -> Netlist:
    """Drive some nets by another net instead of by their gate."""
    gates = tuple(
        Gate("buf", (nets[gate.output],), gate.output) if gate.output in nets else gate
        for gate in netlist.gates
    )
    return dataclasses.replace(netlist, gates=gates)


def mutants(netlist: Netlist, only_detects: bool):
    """Yield a name and a netlist for everything that can be deleted.

    A voter then gives the first copy, a decoder what is stored, an encoder and a check zero.
    """
    aliases = netlist.aliases
    # A queue reports a corrected word only as it leaves, of which the proof says nothing.
    checks = CHECKS[:-1] if netlist.top == "prim_fifo_protected" else CHECKS
    driven = {gate.output for gate in netlist.gates}
    for name, nets in aliases.items():
        replaced: dict[int, int] = {}
        if match := VOTER.fullmatch(name):
            replaced = dict(zip(nets, aliases[match[1] + COPY], strict=True))
        elif name.endswith("u_dec.codeword_o"):
            stored = aliases[name.removesuffix("o") + "i"]
            replaced = {a: b for a, b in zip(nets, stored, strict=True) if a != b}
        elif name.endswith(checks) or (name == "detected_o" and only_detects):
            replaced = dict.fromkeys(nets, ZERO)
        replaced = {net: other for net, other in replaced.items() if net in driven}
        if replaced:
            yield name, _deleted(netlist, replaced)
