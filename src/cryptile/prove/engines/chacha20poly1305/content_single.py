"""What the blocks of a core that makes one block are a function of."""

from typing import TYPE_CHECKING

from cryptile.prove.engines import words
from cryptile.prove.engines.chacha20poly1305.cores import STREAM, Single
from cryptile.prove.forms import ONE, ZERO

if TYPE_CHECKING:
    from cryptile.prove.engines.chacha20poly1305.engine import Engine

Fact = tuple[tuple[int, ...], list[int], list[int], str]
"""While the first forms are one, two words are equal; what is wrong otherwise."""


def facts(proof: "Engine", core: Single) -> list[Fact]:
    """List what is to be shown: it loads, steps or holds, and gives the block behind its last step.

    The number of its block is counter + begun - 1.
    """
    forms, stream = proof.forms, proof.stream
    load, step, hold, out_valid = (
        proof.values(f"{core.scope}{name}")[0] for name in ("load", "step", "hold", "out_valid_o")
    )
    first, stepped, given, out = (
        proof.values(name)
        for name in (
            f"{STREAM}in_block",
            f"{core.scope}stepped",
            f"{core.scope}{core.given}",
            f"{core.scope}out_block_o",
        )
    )
    count, count_next = proof.held(core.count), proof.coming(core.count)
    (busy,), (busy_next,) = proof.held((core.busy,)), proof.coming((core.busy,))
    state, state_next = proof.data(core.places[0].group)
    now = words.add(forms, proof.held(stream.counter), proof.held(stream.ahead))
    later = words.add(forms, proof.coming(stream.counter), proof.coming(stream.ahead))
    one, zero, last = (words.number(value, len(count)) for value in (1, 0, core.last))
    return [
        ((busy_next, words.none(forms, load, step, hold)), [ONE], [ZERO], "is not empty"),
        ((load,), state_next, first, "does not begin with the first state"),
        ((load,), count_next, zero, "does not begin with no step"),
        ((load,), later, words.add(forms, now, [ONE]), "a block is not counted"),
        ((step,), [busy, load], [ONE, ZERO], "steps when it is empty"),
        ((step,), state_next, stepped, "does not step"),
        ((step,), count_next, words.add(forms, count, one), "a step is not counted"),
        ((step,), later, now, "blocks are lost in a step"),
        ((hold,), [busy, load, step], [ONE, ZERO, ZERO], "holds nothing"),
        ((hold,), state_next, state, "does not hold"),
        ((hold,), count_next, count, "steps are counted in a hold"),
        ((hold,), later, now, "blocks are lost in a hold"),
        ((out_valid,), [busy, *count], [ONE, *last], "a block leaves before its last step"),
        ((out_valid,), out, given, "another block leaves"),
    ]
