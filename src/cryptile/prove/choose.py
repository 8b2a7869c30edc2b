"""Which proof fits a netlist."""

import re
from collections.abc import Iterable
from typing import Protocol

from cryptile.designs.hints import Hints
from cryptile.errors import UsageError
from cryptile.netlist.gates import Netlist
from cryptile.prove import lockstep
from cryptile.prove.engines import ascon, chacha20poly1305, keccak, sha2
from cryptile.prove.engines.moving import MovingProof
from cryptile.prove.level import Level
from cryptile.prove.memories import without_memories
from cryptile.prove.memory_proof import MemoryProof
from cryptile.prove.upset import NO_HINTS, Proof, Verdict


class Provable(Protocol):
    """What a proof is to its users."""

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, or only some parts of it, which alone prove nothing."""


def proof(
    netlist: Netlist,
    level: str,
    log: Iterable[re.Pattern[str]] = (),
    hints: Hints = NO_HINTS,
) -> Provable:
    """Return the proof that fits a netlist; the arguments are those of ``Proof``.

    Raises:
        UsageError: the netlist holds its words in a way that is not known here, or its proof has no
            use for the lemmas or stops.
    """
    found = _fitting(netlist, level, log, hints)
    heeds = type(found) is Proof or isinstance(found, MovingProof | ascon.DetectProof)
    if hints.lemmas and not heeds:
        raise UsageError(f"{netlist.top}: its proof makes no use of lemmas, but some are declared")
    if hints.stops and type(found) is not Proof:
        raise UsageError(f"{netlist.top}: its proof makes no use of stops, but some are declared")
    return found


def _fitting(
    netlist: Netlist, level: str, log: Iterable[re.Pattern[str]], hints: Hints
) -> Provable:
    if Level(level) is Level.tmr:
        if not lockstep.is_lockstep(netlist):
            raise UsageError(f"{netlist.top}: no three engines in step")
        return lockstep.LockstepProof(netlist)
    design = without_memories(netlist)
    if design.memories or design.findings:
        return MemoryProof(design, level, log)
    special = (
        sha2.proof(netlist, level, log, hints)
        or keccak.proof(netlist, level, log, hints)
        or chacha20poly1305.proof(netlist, level, log, hints)
        or ascon.proof(netlist, level, log, hints)
    )
    return special or Proof(netlist, level, log, hints)
