"""How a ring of stages is wiped: zeros push out what is left there."""

from typing import TYPE_CHECKING

from cryptile.netlist.gates import TABLES
from cryptile.prove.engines.chacha20poly1305.cores import Ring
from cryptile.prove.engines.chacha20poly1305.registers import STATE_DONE, STATE_IDLE
from cryptile.prove.forms import ONE, ZERO

if TYPE_CHECKING:
    from cryptile.prove.engines.chacha20poly1305.detect import DetectProof


def pushed_out(proof: "DetectProof", ring: Ring) -> None:
    """Show that a ring without blocks stays so and takes zero, and each stage the zero before it.

    In every state behind an alarm, and without a job, whatever only notices an upset holds.
    """
    stages = [place.group for place in ring.places]
    steps = [f"{ring.scope}{name}" for name in ring.arithmetic(proof.netlist)]
    for stage, step in zip(stages, steps, strict=True):
        if not set(proof.abstract.inputs[step]) <= set(stage.flops[: stage.width]):
            proof._find(stage, "a step reads more than the block")
        if not _keeps_zero(proof, step):
            proof._find(stage, "zero is not followed by zero")
    empty = {flop: ZERO for group in ring.valid for flop in group.flops}
    before = [(), *(proof.netlist.aliases[step] for step in steps)]
    for state in (STATE_IDLE, STATE_DONE):
        fixed = proof.number_held(proof.state, state) | empty
        for stage, made in zip(stages, before, strict=False):
            proof.entered(fixed, proof.unchecked, dict.fromkeys(made, ZERO))
            proof.agree((), proof.coming(ring.valid), [ZERO] * len(stages), "a block comes at rest")
            coming = [proof.good[proof.next[flop]] for flop in stage.flops]
            proof.agree((), coming, [ZERO] * len(coming), f"{stage.scope}: is not pushed out")
            if proof.verdict.findings:
                return


def _keeps_zero(proof: "DetectProof", step: str) -> bool:
    """Say whether a step makes zero of zero."""
    values = {ZERO: ZERO, ONE: ONE, **dict.fromkeys(proof.abstract.inputs[step], ZERO)}
    for gate in proof.abstract.inside[step]:
        row = sum(values[net] << place for place, net in enumerate(gate.inputs))
        values[gate.output] = TABLES[gate.kind] >> row & 1
    return not any(values[net] for net in proof.netlist.aliases[step])
