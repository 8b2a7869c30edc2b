"""The proof of SHA-2, whose wrong words are repaired or end the job."""

import re
from collections.abc import Iterable

from cryptile.designs.hints import Hints
from cryptile.netlist.gates import Netlist
from cryptile.prove.engines.sha2.correct import RepairProof
from cryptile.prove.engines.sha2.detect import DetectProof
from cryptile.prove.engines.sha2.words import CHECKS, Sha2Proof
from cryptile.prove.level import Level


def proof(
    netlist: Netlist, level: str, log: Iterable[re.Pattern[str]], hints: Hints
) -> Sha2Proof | None:
    """Return the proof of a netlist, none if it is another design; arguments as of ``Proof``."""
    if CHECKS[0] not in netlist.aliases:
        return None
    fitting = RepairProof if Level(level) is Level.correct else DetectProof
    return fitting(netlist, level, log, hints)
