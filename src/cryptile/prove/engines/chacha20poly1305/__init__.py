"""The proof of ChaCha20-Poly1305, whose wrong words are made again."""

import re
from collections.abc import Iterable

from cryptile.errors import UsageError
from cryptile.netlist.gates import Netlist
from cryptile.prove.engines.chacha20poly1305.cores import STREAM
from cryptile.prove.engines.chacha20poly1305.proof import EngineProof
from cryptile.prove.engines.chacha20poly1305.registers import without_arithmetic
from cryptile.prove.level import Level
from cryptile.prove.upset import Proof


def proof(netlist: Netlist, level: str, log: Iterable[re.Pattern[str]]) -> Proof | None:
    """Return the proof of a netlist, none if it is another design; arguments as of ``Proof``.

    Raises:
        UsageError: its words are made again in a way that is not known here.
    """
    if f"{STREAM}fault" not in netlist.aliases:
        return None
    known = f"{STREAM}gen_control.u_control.q_o" in netlist.aliases
    if known and Level(level) is Level.correct:
        if f"{STREAM}gen_buffer.full_q" not in netlist.aliases:
            raise UsageError(f"{netlist.top}: no proof yet of a key stream without a buffer")
        return EngineProof(without_arithmetic(netlist), level, log)
    raise UsageError(f"{netlist.top}: no proof yet at level {level!r}")
