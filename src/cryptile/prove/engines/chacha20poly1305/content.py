"""Content: what is made again is a function of registers that are corrected.

By induction: it begins from corrected registers, then only goes on by the same steps.
"""

from typing import TYPE_CHECKING

from cryptile.prove.engines import words
from cryptile.prove.engines.chacha20poly1305.registers import (
    CORE,
    COUNTER,
    KEY,
    LAST_ROUND,
    MAC,
    NONCE,
    STATE_ONE_TIME,
    STATE_TAG,
    STEPPED,
    STREAM,
    SUM,
)  # fmt: skip
from cryptile.prove.forms import ONE, ZERO

if TYPE_CHECKING:
    from cryptile.prove.engines.chacha20poly1305.proof import EngineProof
    from cryptile.prove.engines.chacha20poly1305.registers import Mac


def shown(proof: "EngineProof") -> None:
    """Show it of key stream and product."""
    proof.case({})
    _stream(proof)
    if proof.mac:
        _product(proof, proof.mac)
        _rests(proof, proof.mac, STATE_ONE_TIME)
        _rests(proof, proof.mac, STATE_TAG)


def _stream(proof: "EngineProof") -> None:
    """Show that key stream is a function of key, nonce, counter and the counts of steps."""
    forms, stream = proof.forms, proof.stream
    if not set(proof.abstract.inputs[STEPPED]) <= set(stream.core.flops[: stream.core.width]):
        proof.verdict.findings.append(f"{STEPPED}: reads more than the state of the core")
    load, step, hold, out_valid = (
        proof.values(f"{CORE}{name}")[0] for name in ("load", "step", "hold", "out_valid_o")
    )
    (fired,) = proof.values(f"{STREAM}last_fire")
    first, stepped = proof.values(f"{STREAM}in_block"), proof.values(STEPPED)
    count, count_next = proof.held(stream.count), proof.coming(stream.count)
    occupied = (stream.busy, stream.full)
    (busy, full), (busy_next, full_next) = proof.held(occupied), proof.coming(occupied)
    core, core_next = proof.data(stream.core)
    block, block_next = proof.data(stream.block)
    (key, key_next), (nonce, nonce_next) = _key(proof), _nonce(proof)
    counter, counter_next = proof.held(stream.counter), proof.coming(stream.counter)
    now = words.add(forms, counter, proof.held(stream.ahead))
    later = words.add(forms, counter_next, proof.coming(stream.ahead))
    one, zero = (words.number(value, len(count)) for value in (1, 0))
    kept = forms.product(full, fired ^ ONE)
    more, held = forms.product(full_next, kept ^ ONE), forms.product(full_next, kept)
    for when, first_word, second_word, text in (
        ((), first[KEY], key, "the first state has not the key"),
        ((), first[NONCE], nonce, "the first state has not the nonce"),
        ((), first[COUNTER], now, "the first state has not the counter"),
        ((busy_next,), key_next, key, "the key changes below the core"),
        ((busy_next,), nonce_next, nonce, "the nonce changes below the core"),
        ((full_next,), key_next, key, "the key changes below the block"),
        ((full_next,), nonce_next, nonce, "the nonce changes below the block"),
        ((busy_next, words.none(forms, load, step, hold)), [ONE], [ZERO], "the core is not empty"),
        ((load,), core_next, first, "the core does not begin with the first state"),
        ((load,), count_next, zero, "the core does not begin with no round"),
        ((load,), later, words.add(forms, now, [ONE]), "a block is not counted"),
        ((step,), [busy, load], [ONE, ZERO], "the core steps when it is empty"),
        ((step,), core_next, stepped, "the core does not step"),
        ((step,), count_next, words.add(forms, count, one), "a round is not counted"),
        ((step,), later, now, "blocks are lost in a step"),
        ((hold,), [busy, load, step], [ONE, ZERO, ZERO], "the core holds nothing"),
        ((hold,), core_next, core, "the core does not hold"),
        ((hold,), count_next, count, "rounds change in a hold"),
        ((hold,), later, now, "blocks are lost in a hold"),
        ((held,), block_next, block, "the block does not hold"),
        ((held,), counter_next, counter, "the counter leaves its block"),
        ((more,), [out_valid], [ONE], "the block is full of nothing"),
        ((more,), block_next, stepped, "the block is not the last step"),
        ((more,), words.add(forms, counter_next, [ONE]), now,
         "the counter is not that of its block"),
        ((out_valid,), [busy, *count], [ONE, *words.number(LAST_ROUND, len(count))],
         "a block leaves before its last round"),
    ):  # fmt: skip
        proof.agree(when, first_word, second_word, f"{STREAM[:-1]}: {text}")
    if not set(first[: KEY.start]) <= {ZERO, ONE}:
        proof.verdict.findings.append(f"{STREAM[:-1]}: the first row is not constant")


def _product(proof: "EngineProof", mac: "Mac") -> None:
    """Show that a product in the making is a function of x, r and the step alone."""
    forms = proof.forms
    pending, last, clear = (
        proof.values(f"{MAC}{name}")[0] for name in ("pending_q", "last", "clear_i")
    )
    goes_on = forms.product(forms.product(pending, last ^ ONE), clear ^ ONE)
    x = [group for group in proof.groups if group.scope == f"{MAC}u_x."]
    (r,) = (group for group in proof.groups if group.scope == "gen_poly1305.u_r.")
    (r_now, r_next), (partial, partial_next) = proof.data(r), proof.data(mac.partial)
    steps, steps_next = proof.held(mac.steps), proof.coming(mac.steps)
    (pending_next,) = proof.coming((mac.pending,))
    begins = forms.product(pending_next, goes_on ^ ONE)
    past = words.equals(forms, proof.held(proof.state), STATE_ONE_TIME) ^ ONE
    for when, first, second, text in (
        ((begins,), partial_next, [ZERO] * len(partial), "does not begin with zero"),
        ((begins,), steps_next, [ZERO] * len(steps), "does not begin with the first digit"),
        ((goes_on,), [pending_next], [ONE], "is lost"),
        ((goes_on,), partial_next, proof.values(SUM), "is not the sum"),
        ((goes_on,), steps_next, words.add(forms, steps, [ONE]), "is not counted"),
        ((goes_on,), proof.coming(x), proof.held(x), "x changes below it"),
        ((goes_on, past), r_next, r_now, "r changes below it"),
        ((goes_on,), proof.values(f"{MAC}in_fire"), [ZERO], "a block comes in between"),
    ):
        proof.agree(when, first, second, f"{MAC[:-1]}: the product in the making {text}")


def _rests(proof: "EngineProof", mac: "Mac", state: int) -> None:
    """There is no multiplication in a state: a lemma for all sound states that are reached."""
    forms = proof.forms
    here, next_here = (
        words.equals(forms, word, state) for word in (proof.held(proof.state),
                                                      proof.coming(proof.state))
    )  # fmt: skip
    before = forms.gate("nand", [here, *proof.held((mac.pending,))])
    if proof.search.possible(before, forms.product(next_here, *proof.coming((mac.pending,)))):
        proof._find(mac.pending, f"multiplies in state {state}")


def _key(proof: "EngineProof") -> tuple[list[int], list[int]]:
    low, high = (
        proof.data(group)
        for half in range(2)
        for group in proof.groups
        if group.scope == f"gen_key[{half}].u_key."
    )
    return low[0] + high[0], low[1] + high[1]


def _nonce(proof: "EngineProof") -> tuple[list[int], list[int]]:
    (group,) = (group for group in proof.groups if group.scope == "u_params.")
    now, later = proof.data(group)
    return now[:96], later[:96]
