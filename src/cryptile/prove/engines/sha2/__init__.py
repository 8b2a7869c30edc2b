"""The proof of SHA-2, whose wrong words are repaired or end the job."""

import re
from collections.abc import Iterable

from cryptile.designs.hints import Hints
from cryptile.netlist.gates import Netlist
from cryptile.prove.engines.sha2.correct import RepairProof, UnbuiltProof, unbuilt
from cryptile.prove.engines.sha2.detect import DetectProof
from cryptile.prove.engines.sha2.words import CHECKS
from cryptile.prove.level import Level
from cryptile.prove.upset import Proof


def proof(
    netlist: Netlist, level: str, log: Iterable[re.Pattern[str]], hints: Hints
) -> Proof | None:
    """Return the proof of a netlist, none if it is another design; arguments as of ``Proof``."""
    if CHECKS[0] not in netlist.aliases:
        return None
    if Level(level) is Level.detect:
        return DetectProof(netlist, level, log, hints)
    fitting = UnbuiltProof if unbuilt(netlist) else RepairProof
    return fitting(netlist, level, log, hints)
