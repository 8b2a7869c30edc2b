"""What a product in the making is a function of."""

from typing import TYPE_CHECKING

from cryptile.prove.engines import words
from cryptile.prove.engines.chacha20poly1305.registers import (
    MAC,
    STATE_ONE_TIME,
    STATE_TAG,
    SUM,
)
from cryptile.prove.forms import ONE, ZERO

if TYPE_CHECKING:
    from cryptile.prove.engines.chacha20poly1305.engine import Engine
    from cryptile.prove.engines.chacha20poly1305.registers import Mac


def product(proof: "Engine", mac: "Mac") -> None:
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
    _rests(proof, mac, STATE_ONE_TIME)
    _rests(proof, mac, STATE_TAG)


def _rests(proof: "Engine", mac: "Mac", state: int) -> None:
    """There is no multiplication in a state: a lemma for all sound states that are reached."""
    forms = proof.forms
    here, next_here = (
        words.equals(forms, word, state)
        for word in (proof.held(proof.state), proof.coming(proof.state))
    )
    before = forms.gate("nand", [here, *proof.held((mac.pending,))])
    if proof.search.possible(before, forms.product(next_here, *proof.coming((mac.pending,)))):
        proof._find(mac.pending, f"multiplies in state {state}")
