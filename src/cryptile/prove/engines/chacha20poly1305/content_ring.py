"""What the blocks in a ring of stages are a function of."""

from typing import TYPE_CHECKING

from cryptile.prove.engines import words
from cryptile.prove.engines.chacha20poly1305.content_single import Fact
from cryptile.prove.engines.chacha20poly1305.cores import BLOCK, STREAM, Ring
from cryptile.prove.forms import ONE, ZERO

if TYPE_CHECKING:
    from cryptile.prove.engines.chacha20poly1305.engine import Engine


def facts(proof: "Engine", ring: Ring) -> list[Fact]:
    """List what is to be shown: the ring is dropped, stands, or all blocks move on by one stage.

    A block is behind another if it has gone fewer rounds: passes, then stages. Blocks begin with no
    round, and the one that leaves has gone all, so that order is the one in which they were begun:
    the number of a block is counter + begun - 1 less the blocks behind it.
    """
    forms, stream = proof.forms, proof.stream
    load, again, advance, out_valid, flush = (
        proof.values(f"{ring.scope}{name}")[0]
        for name in ("load", "again", "advance", "out_valid_o", "flush_i")
    )
    moves, stands = (forms.product(flush ^ ONE, when) for when in (advance, advance ^ ONE))
    first, stepped, out = (
        proof.values(name)
        for name in (f"{STREAM}in_block", f"{ring.scope}stepped", f"{ring.scope}out_block_o")
    )
    steps = [stepped[BLOCK * s : BLOCK * (s + 1)] for s in range(len(ring.places))]
    valid, valid_next = proof.held(ring.valid), proof.coming(ring.valid)
    passes, passes_next = (
        [look(word) for word in ring.passes] for look in (proof.held, proof.coming)
    )
    data = [proof.data(place.group) for place in ring.places]
    now = words.add(forms, proof.held(stream.counter), proof.held(stream.ahead))
    later = words.add(forms, proof.coming(stream.counter), proof.coming(stream.ahead))
    (full_next,) = proof.coming((stream.full,))
    last = words.equals(forms, passes[-1], ring.last)
    leaves = forms.product(valid[-1], last)
    enters = words.none(forms, load, again) ^ ONE
    found: list[Fact] = [
        ((flush,), valid_next, [ZERO] * len(valid), "blocks are not dropped"),
        ((stands,), valid_next, valid, "blocks come or go in a hold"),
        ((stands,), later, now, "blocks are lost in a hold"),
        ((moves,), valid_next, [enters, *valid[:-1]], "blocks come or go"),
        ((moves,), later, words.add(forms, now, [load]), "a block is not counted"),
        ((), [out_valid], [leaves], "a block leaves before its last round"),
        ((), [again], [forms.product(valid[-1], last ^ ONE)], "a block does not go round"),
        ((load,), [again, advance], [ZERO, ONE], "two blocks begin in one place"),
        (
            (moves, again),
            passes_next[0],
            words.add(forms, passes[-1], [ONE]),
            "a pass is not counted",
        ),
        ((moves, again), data[0][1], steps[-1], "a block does not go round"),
        ((moves, load), passes_next[0], [ZERO] * len(passes[0]), "does not begin with no pass"),
        ((moves, load), data[0][1], first, "does not begin with the first state"),
        ((moves, out_valid), [full_next], [ONE], "a block that leaves is lost"),
        ((out_valid,), out, steps[-1], "another block leaves"),
    ]
    for s, (state, state_next) in enumerate(data):
        found += [
            ((stands, valid[s]), state_next, state, f"stage {s} does not hold"),
            ((stands, valid[s]), passes_next[s], passes[s], f"passes of stage {s} do not hold"),
        ]
        if s:
            found += [
                ((moves, valid[s - 1]), state_next, steps[s - 1], f"stage {s} is no step"),
                ((moves, valid[s - 1]), passes_next[s], passes[s - 1], f"stage {s} loses passes"),
            ]
    return found
