"""The functions of ``psa/crypto.h`` that derive keys: by the PSA Crypto API 1.4, section 10.7."""

from dataclasses import dataclass
from functools import cache

import reference
from model import number
from model_lib import data_of, missing
from model_psa import (
    ARGUMENT,
    BAD_STATE,
    DERIVE,
    DERIVE_KEY,
    EDWARDS,
    FUNCTIONS,
    HANDLE,
    HASHES,
    MEMORY,
    MONTGOMERY,
    NOT_PERMITTED,
    NOT_SUPPORTED,
    OK,
    PAIR,
    R1,
    RAW_DATA,
    function,
    import_errors,
    key_errors,
    new_key,
    no_key,
    shared,
    usable,
)

__all__ = ["FUNCTIONS"]
"""Those of ``model_psa``, with these among them."""

TOO_LITTLE = -143
HKDF, PRF, EXTRACT, EXPAND = 0x08000100, 0x08000200, 0x08000400, 0x08000500
KINDS = (HKDF, PRF, EXTRACT, EXPAND)
AGREES = 0x01020000
"""What the algorithm has besides if the secret comes from an agreement."""
SECRET, LABEL, SALT, INFO, SEED = 0x101, 0x201, 0x202, 0x203, 0x204
ORDERS = {
    HKDF: (SALT, SECRET, INFO),
    EXTRACT: (SALT, SECRET),
    EXPAND: (SECRET, INFO),
    PRF: (SEED, SECRET, LABEL),
}
"""The inputs of each kind, in an order that is allowed."""
KEPT = {INFO, LABEL, SEED}
MOST_KEPT = 128
UNLIMITED = (1 << 32) - 1, (1 << 64) - 1
"""The capacity of the PRF of TLS 1.2, by the bits of a size_t."""


@dataclass
class Derivation:
    """A derivation that was set up."""

    alg: int
    inputs: dict
    at: int = 0
    """Bytes of output that are out."""
    capacity: int | None = None
    """None if there is no limit."""
    has_output: bool = False
    may_give_key: bool = False

    @property
    def kind(self):
        return self.alg & ~AGREES & ~0xFF

    @property
    def size(self):
        return reference.HASHES[HASHES[self.alg & 0xFF]][0]

    @property
    def is_ready(self):
        """Whether no input is missing that output needs."""
        return set(ORDERS[self.kind]) - {SALT} <= self.inputs.keys()

    def lacks(self):
        """Return the next input in the usual order, or nothing."""
        return next((step for step in ORDERS[self.kind] if step not in self.inputs), None)

    def output(self, size):
        """Return the next bytes."""
        inputs = tuple(self.inputs.get(step, b"") for step in ORDERS[self.kind])
        blocks = -(-(self.at + size) // self.size)
        stream = b"".join(_blocks(self.kind, HASHES[self.alg & 0xFF], inputs, blocks))
        return stream[self.at : self.at + size]


@cache
def _blocks(kind, name, inputs, count):
    """Return blocks of output: RFC 5869, sections 2.2 and 2.3; RFC 5246, section 5."""

    def mac(key, data):
        return reference.hmac_digest(name, key, data)

    if kind in (HKDF, EXTRACT):
        salt, secret, *info = inputs
        key = mac(salt, secret)
        if kind == EXTRACT:
            return (key,)
    else:
        key, *info = inputs
    if kind == PRF:
        seed, key, label = inputs
        info, found = [label + seed], []
        chain = info[0]
        for _ in range(count):
            chain = mac(key, chain)
            found.append(mac(key, chain + info[0]))
        return tuple(found)
    found, last = [], b""
    for index in range(count):
        last = mac(key, last + info[0] + bytes([index + 1]))
        found.append(last)
    return tuple(found)


def known(alg):
    """Tell whether an algorithm is a derivation, with or without an agreement."""
    kind, name = alg & ~0xFF, HASHES.get(alg & 0xFF)
    return name is not None and kind in (*KINDS, *(kind | AGREES for kind in KINDS))


@function
def psa_key_derivation_setup(_world, operation, alg):
    alg = number(alg)
    errors = set() if operation.inactive() else {BAD_STATE}
    if not known(alg):
        errors |= {ARGUMENT, NOT_SUPPORTED}
    if errors:
        return errors
    state = Derivation(alg, {})
    if state.kind != PRF:
        state.capacity = state.size * (1 if state.kind == EXTRACT else 255)
    operation.set(state)
    return OK


@function
def psa_key_derivation_get_capacity(_world, operation, cell):
    cell.set(0)
    state = operation.state
    if state is None:
        return BAD_STATE
    cell.set(*(UNLIMITED if state.capacity is None else (state.capacity,)))
    return OK


@function
def psa_key_derivation_set_capacity(_world, operation, capacity):
    state, capacity = operation.state, number(capacity)
    if state is None:
        return BAD_STATE
    if state.capacity is not None and capacity > state.capacity:
        return ARGUMENT  # and it goes on
    state.capacity = capacity
    return OK


@function
def psa_key_derivation_abort(_world, operation):
    operation.wipe()
    return OK


def input_errors(state, step, length):
    """Return what speaks against an input."""
    if state is None:
        return {BAD_STATE}
    order = ORDERS[state.kind]
    if step not in order:
        return {ARGUMENT, BAD_STATE} if state.has_output else {ARGUMENT}
    errors = {BAD_STATE} if state.has_output or step in state.inputs else set()
    before = {
        EXTRACT: {SECRET: {SALT}},
        PRF: {SECRET: {SEED}, LABEL: {SECRET}},
    }.get(state.kind, {}).get(step, set())
    if not before <= state.inputs.keys() or (step == SALT and SECRET in state.inputs):
        errors.add(BAD_STATE)
    if step == SECRET and state.kind == EXPAND and length < state.size:
        errors.add(ARGUMENT)
    kept = sum(len(data) for name, data in state.inputs.items() if name in KEPT)
    if step in KEPT and kept + length > MOST_KEPT:
        errors.add(MEMORY)
    return errors


def take_input(operation, step, data, errors):
    if errors:
        operation.fail()
        return errors
    operation.state.inputs[step] = data
    return OK


@function
def psa_key_derivation_input_bytes(_world, operation, step, data, length):
    step, length = number(step), number(length)
    errors = input_errors(operation.state, step, length)
    if missing(data, length):
        errors.add(ARGUMENT)
    return take_input(operation, step, b"" if errors else data_of(data, length), errors)


@function
def psa_key_derivation_input_key(_world, operation, step, key):
    step, state = number(step), operation.state
    if state is None:
        return BAD_STATE
    found, errors = usable(key, DERIVE, state.alg)
    errors |= input_errors(state, step, len(found.data) if found else 0)
    if found and found.type != (DERIVE_KEY if step == SECRET else RAW_DATA):
        errors.add(ARGUMENT)
    status = take_input(operation, step, found.data if found else b"", errors)
    if status == OK and step == SECRET:
        state.may_give_key = True
    return status


@function
def psa_key_derivation_key_agreement(_world, operation, step, key, peer, peer_length):
    step, state = number(step), operation.state
    if state is None:
        return BAD_STATE
    errors = set() if state.alg & AGREES and step == SECRET else {ARGUMENT}
    found, more = usable(key, DERIVE, state.alg)
    secret = None
    if HANDLE not in more:
        wrong, secret = shared(found, peer, peer_length)
        more |= wrong
    errors |= more | input_errors(state, step, len(secret or b"") or state.size)
    status = take_input(operation, step, secret, errors)
    if status == OK:
        state.may_give_key = True
    return status


def draw_errors(state, size):
    """Return what speaks against output; too little capacity takes the rest of it."""
    if not state.is_ready:
        return {BAD_STATE}
    if state.capacity is not None and size > state.capacity:
        state.capacity = 0
        return {TOO_LITTLE}
    return set()


def drawn(state, size):
    data = state.output(size)
    if size:
        state.has_output = True
    state.at += size
    if state.capacity is not None:
        state.capacity -= size
    return data


@function
def psa_key_derivation_output_bytes(_world, operation, out, size):
    state, size = operation.state, number(size)
    if state is None:
        return BAD_STATE
    if missing(out, size):
        errors = {ARGUMENT} if state.is_ready else {ARGUMENT, BAD_STATE}
        operation.fail()
        return errors
    errors = draw_errors(state, size)
    if size:
        out.write(bytes(size) if errors else drawn(state, size))
    if errors - {TOO_LITTLE}:
        operation.fail()
    return errors or OK


def shaped(attributes, data):
    """Make a private key of drawn bytes."""
    if attributes.type == PAIR | MONTGOMERY:
        return bytes([data[0] & 248, *data[1:31], data[31] & 127 | 64])
    if attributes.type == PAIR | R1:
        drawn_number = int.from_bytes(data, "big") & (1 << attributes.bits) - 1
        return (drawn_number + 1 & (1 << 8 * len(data)) - 1).to_bytes(len(data), "big")
    assert attributes.type != PAIR | EDWARDS or len(data) == 32
    return data


@function
def psa_key_derivation_output_key(world, attributes, operation, cell):
    no_key(cell)
    state, size = operation.state, (attributes.bits + 7) // 8
    if state is None:
        return BAD_STATE
    errors = set() if SECRET in state.inputs else {BAD_STATE}
    errors |= set() if state.may_give_key else {NOT_PERMITTED}
    errors |= import_errors(world, attributes, size)
    if attributes.type & 0x7000 == 0x4000 or not attributes.bits:
        errors.add(ARGUMENT)
    if not state.is_ready:
        errors.add(BAD_STATE)
    if errors - {MEMORY}:
        operation.fail()
        return errors
    while True:
        wrong = draw_errors(state, size)
        if wrong:
            return wrong
        data = shaped(attributes, drawn(state, size))
        if not (attributes.type == PAIR | R1 and key_errors(attributes.type, data)):
            break
    if errors:  # that there is no room shows when there is a key
        operation.fail()
        return errors
    new_key(world, attributes, data, cell)
    return OK
