"""The proof of Keccak, whose wrong rounds are made again."""

import re
from collections.abc import Iterable

from cryptile.errors import UsageError
from cryptile.netlist.gates import Netlist
from cryptile.prove.engines.keccak.correct import CorrectProof
from cryptile.prove.engines.keccak.engine import Engine, is_keccak, without_rounds
from cryptile.prove.level import Level


def proof(netlist: Netlist, level: str, log: Iterable[re.Pattern[str]]) -> Engine | None:
    """Return the proof of a netlist, none if it is another design; arguments as of ``Proof``.

    Raises:
        UsageError: it only notices upsets.
    """
    if not is_keccak(netlist):
        return None
    if Level(level) is not Level.correct:
        raise UsageError(f"{netlist.top}: no proof yet at level {level!r}")
    return CorrectProof(without_rounds(netlist), level, log)
