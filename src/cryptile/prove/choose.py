"""Which proof fits a netlist."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol

from cryptile.designs.hints import Hints
from cryptile.errors import UsageError
from cryptile.netlist.gates import Netlist
from cryptile.prove import engines, lockstep
from cryptile.prove.level import Level
from cryptile.prove.memories import without_memories
from cryptile.prove.memory_proof import MemoryProof
from cryptile.prove.upset import NO_HINTS, Proof, Verdict


class Provable(Protocol):
    """What a proof is to its users."""

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, or only some parts of it, which alone prove nothing."""


Fitting = Callable[[Netlist, str, Iterable[re.Pattern[str]], Hints], Provable | None]
"""Returns the proof of a netlist that it knows, and of no other."""


def proof(
    netlist: Netlist,
    level: str,
    log: Iterable[re.Pattern[str]] = (),
    hints: Hints = NO_HINTS,
) -> Provable:
    """Return the proof that fits a netlist; the arguments are those of ``Proof``.

    Raises:
        UsageError: the netlist holds its words in a way that is not known here, or its proof has no
            use for what is declared.
    """
    found = _fitting(netlist, level, log, hints)
    general = type(found) is Proof
    if hints.lemmas and not (general or getattr(found, "heeds_lemmas", False)):
        raise UsageError(f"{netlist.top}: its proof makes no use of lemmas, but some are declared")
    for name in ("stops", "silent", "behind", "wiped", "lasts", "told", "clears"):
        if getattr(hints, name) and not general:
            text = f"its proof makes no use of {name}, but some are declared"
            raise UsageError(f"{netlist.top}: {text}")
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
        return MemoryProof(design, level, log, hints)
    special = (fitting(netlist, level, log, hints) for fitting in _of_engines())
    return next(filter(None, special), None) or Proof(netlist, level, log, hints)


@cache
def _of_engines() -> list[Fitting]:
    """Return what the modules of ``engines`` have under the name ``proof``."""
    names = sorted(module.name for module in iter_modules(engines.__path__))
    modules = (import_module(f"{engines.__name__}.{name}") for name in names)
    return [module.proof for module in modules if hasattr(module, "proof")]
