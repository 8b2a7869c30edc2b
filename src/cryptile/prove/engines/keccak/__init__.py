"""The proof of Keccak, whose wrong rounds are made again or end the job."""

import re
from collections.abc import Iterable

from cryptile.designs.hints import Hints
from cryptile.netlist.gates import Netlist
from cryptile.prove.engines.keccak.correct import CorrectProof
from cryptile.prove.engines.keccak.detect import DetectProof
from cryptile.prove.engines.keccak.engine import Engine, is_keccak, without_rounds
from cryptile.prove.level import Level


def proof(
    netlist: Netlist, level: str, log: Iterable[re.Pattern[str]], hints: Hints
) -> Engine | None:
    """Return the proof of a netlist, none if it is another design; arguments as of ``Proof``."""
    if not is_keccak(netlist):
        return None
    if Level(level) is Level.correct:
        return CorrectProof(without_rounds(netlist), level, log)
    return DetectProof(without_rounds(netlist), hints, log)
