"""The proof of ChaCha20-Poly1305, whose wrong words are made again."""

import re
from collections.abc import Iterable

from cryptile.designs.hints import Hints
from cryptile.errors import UsageError
from cryptile.netlist.gates import Netlist
from cryptile.prove.engines.chacha20poly1305.cores import STREAM
from cryptile.prove.engines.chacha20poly1305.correct import CorrectProof
from cryptile.prove.engines.chacha20poly1305.detect import DetectProof
from cryptile.prove.engines.chacha20poly1305.registers import without_arithmetic
from cryptile.prove.level import Level
from cryptile.prove.upset import Proof


def proof(
    netlist: Netlist, level: str, log: Iterable[re.Pattern[str]], hints: Hints
) -> Proof | None:
    """Return the proof of a netlist, none if it is another design; arguments as of ``Proof``.

    Raises:
        UsageError: its words are made again in a way that is not known here.
    """
    if f"{STREAM}fault" not in netlist.aliases:
        return None
    if f"{STREAM}gen_buffer.full_q" not in netlist.aliases:
        raise UsageError(f"{netlist.top}: no proof yet of a key stream without a buffer")
    if Level(level) is Level.correct:
        return CorrectProof(without_arithmetic(netlist), level, log)
    return DetectProof(without_arithmetic(netlist), hints, log)
