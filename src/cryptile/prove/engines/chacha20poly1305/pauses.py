"""Pauses of key stream and product, by the states in which the engine meets them."""

from typing import TYPE_CHECKING

from cryptile.prove.engines import words
from cryptile.prove.engines.chacha20poly1305.cores import STREAM
from cryptile.prove.engines.chacha20poly1305.registers import (
    FLAG_STREAM,
    FLAG_TAG,
    MAC,
    STATE_AAD,
    STATE_FINAL,
    STATE_LENGTHS,
    STATE_MESSAGE,
    STATE_ONE_TIME,
    STATE_TAG,
)
from cryptile.prove.engines.pause import is_pause_of_src, is_read_only, is_unread, stands_still
from cryptile.prove.forms import ONE, ZERO

if TYPE_CHECKING:
    from cryptile.prove.engines.chacha20poly1305.engine import Engine
    from cryptile.prove.engines.chacha20poly1305.registers import Mac

_MAKING = ("u_dst.", "u_status.", MAC, STREAM)
"""What goes on while the engine stands still: what waits at ``dst``, and what is made."""


def shown(proof: "Engine") -> None:
    """Show that a pause of key stream or product is one of ``src``, or nothing moves."""
    row_valid = proof.net(f"{STREAM}row_valid_o")
    proof.case({})
    offers, state = proof.good[row_valid], proof.held(proof.state)
    taken = (STATE_ONE_TIME, STATE_AAD, STATE_MESSAGE)
    here = [words.equals(proof.forms, state, number) for number in taken]
    if proof.search.possible(offers, words.none(proof.forms, *here)):
        proof.verdict.findings.append("key stream is offered where nothing takes it")
    _is_pause_of_src(proof, row_valid, STATE_MESSAGE, FLAG_STREAM)
    is_unread(proof, row_valid, proof.number_held(proof.state, STATE_AAD), f"state {STATE_AAD}")
    _stands_still(proof, row_valid, STATE_ONE_TIME)
    if proof.mac:
        _of_product(proof, proof.mac)


def _of_product(proof: "Engine", mac: "Mac") -> None:
    ready = proof.net(f"{MAC}in_ready_o")
    _is_pause_of_src(proof, ready, STATE_MESSAGE, FLAG_TAG)
    _is_pause_of_src(proof, ready, STATE_AAD, FLAG_TAG)
    _stands_still(proof, ready, STATE_LENGTHS)
    _stands_still(proof, ready, STATE_FINAL)
    # x is read by others as the tag alone; nothing is multiplied then.
    proof.case({})
    at_rest = words.equals(proof.forms, proof.held(proof.state), STATE_TAG)
    others = [group for group in proof.groups if not group.scope.startswith(MAC)]
    is_read_only(proof, f"{MAC}x_q", others, at_rest, "the tag is read where it is not ready")
    proof.case(dict.fromkeys(mac.pending.flops, ONE), {proof.net(f"{MAC}last"): ZERO})
    if proof.good[ready] != ZERO:
        proof.verdict.findings.append("a block is taken in the middle of a multiplication")


def _is_pause_of_src(proof: "Engine", net: int, state: int, flag: int) -> None:
    flags = dict.fromkeys(proof.copies("u_flags.")[flag].flops, ONE)
    is_pause_of_src(proof, net, proof.number_held(proof.state, state) | flags)


def _stands_still(proof: "Engine", net: int, state: int) -> None:
    rests = [
        group
        for group in proof.groups
        if not group.scope.startswith(_MAKING) or group in proof.stream.counter
    ]
    fixed = proof.number_held(proof.state, state)
    stands_still(proof, net, fixed, rests, f"state {state}")
