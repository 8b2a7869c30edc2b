"""Content: what is made again is a function of registers that are corrected.

By induction: it begins from corrected registers, then only goes on by the same steps. The blocks in
the core are in the order in which they were begun, so the number of each follows from the counter.
"""

from typing import TYPE_CHECKING

from cryptile.prove.engines import words
from cryptile.prove.engines.chacha20poly1305 import content_ring, content_single
from cryptile.prove.engines.chacha20poly1305.content_product import product
from cryptile.prove.engines.chacha20poly1305.cores import STREAM, Ring
from cryptile.prove.engines.chacha20poly1305.registers import COUNTER, KEY, NONCE
from cryptile.prove.forms import ONE, ZERO

if TYPE_CHECKING:
    from cryptile.prove.engines.chacha20poly1305.engine import Engine


def shown(proof: "Engine") -> None:
    """Show it of key stream and product."""
    proof.case({})
    _steps(proof)
    _stream(proof)
    core = proof.stream.core
    facts = (
        content_ring.facts(proof, core)
        if isinstance(core, Ring)
        else (content_single.facts(proof, core))
    )
    for when, first, second, text in facts:
        proof.agree(when, first, second, f"{core.scope[:-1]}: {text}")
    if proof.mac:
        product(proof, proof.mac)


def _steps(proof: "Engine") -> None:
    """Show that a step is a function of the block and of how far it is."""
    core = proof.stream.core
    stepped = proof.netlist.aliases[f"{core.scope}stepped"]
    for number, (place, progress) in enumerate(zip(core.places, core.progress, strict=True)):
        data = place.group.flops[: place.group.width]
        known = {*data, *(flop for group in progress for flop in group.flops)}
        width = len(data)
        if not proof.flops_behind(stepped[width * number :][:width]) <= known:
            proof.verdict.findings.append(f"{place.name}: a step reads more than the block")


def _stream(proof: "Engine") -> None:
    """Show how a block begins, and what becomes of one that is finished."""
    forms, stream = proof.forms, proof.stream
    (fired,), (out_valid,) = (
        proof.values(name) for name in (f"{STREAM}last_fire", f"{stream.core.scope}out_valid_o")
    )
    first = proof.values(f"{STREAM}in_block")
    (full,), (full_next,) = proof.held((stream.full,)), proof.coming((stream.full,))
    block, block_next = proof.data(stream.block.group)
    (key, key_next), (nonce, nonce_next) = _key(proof), _nonce(proof)
    counter, counter_next = proof.held(stream.counter), proof.coming(stream.counter)
    now = words.add(forms, counter, proof.held(stream.ahead))
    making = words.none(forms, *proof.coming(stream.core.occupied)) ^ ONE
    kept = forms.product(full, fired ^ ONE)
    more, held = forms.product(full_next, kept ^ ONE), forms.product(full_next, kept)
    given = proof.values(f"{stream.core.scope}out_block_o")
    for when, first_word, second_word, text in (
        ((), first[KEY], key, "the first state has not the key"),
        ((), first[NONCE], nonce, "the first state has not the nonce"),
        ((), first[COUNTER], now, "the first state has not the counter"),
        ((making,), key_next, key, "the key changes below the core"),
        ((making,), nonce_next, nonce, "the nonce changes below the core"),
        ((full_next,), key_next, key, "the key changes below the block"),
        ((full_next,), nonce_next, nonce, "the nonce changes below the block"),
        ((held,), block_next, block, "the block does not hold"),
        ((held,), counter_next, counter, "the counter leaves its block"),
        ((more,), [out_valid], [ONE], "the block is full of nothing"),
        ((more,), block_next, given, "the block is not what the core gives"),
        (
            (more,),
            counter_next,
            words.add(forms, counter, [full]),
            "the counter is not that of its block",
        ),
    ):
        proof.agree(when, first_word, second_word, f"{STREAM[:-1]}: {text}")
    if not set(first[: KEY.start]) <= {ZERO, ONE}:
        proof.verdict.findings.append(f"{STREAM[:-1]}: the first row is not constant")


def _key(proof: "Engine") -> tuple[list[int], list[int]]:
    low, high = (
        proof.data(group)
        for half in range(2)
        for group in proof.groups
        if group.scope == f"gen_key[{half}].u_key."
    )
    return low[0] + high[0], low[1] + high[1]


def _nonce(proof: "Engine") -> tuple[list[int], list[int]]:
    (group,) = (group for group in proof.groups if group.scope == "u_params.")
    now, later = proof.data(group)
    return now[:96], later[:96]
