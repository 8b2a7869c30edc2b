"""Upsets of one copy of a row: first operands come from one memory, second ones from the other."""

import random
from dataclasses import dataclass, field

import pytest
from support import pka

from cryptile.jobs.oracle.pka import p256_public, p256_verify
from cryptile.pka.isa import Word
from cryptile.pka.machine import Machine
from cryptile.pka.programs.p256 import N


@dataclass
class Copies(Machine):
    """The machine, whose second operands may be others than the first."""

    second: dict[int, int] = field(default_factory=dict)
    reads: int = 0

    def _read(self, row: int) -> int:
        self.reads += 1
        return (
            self.second.get(row, 0)
            if self.reads == 2 and row in self.second
            else super()._read(row)
        )


def signed(seed: int, name: str, address: int) -> bool | None:
    """Sign with the lowest bit of a row's second copy upset in front of an instruction.

    Returns whether the signature is right; None: there is none.
    """
    rng, image = random.Random(seed), pka.image()
    key, digest = rng.randrange(1, N).to_bytes(32, "big"), rng.randbytes(32)
    rows = {"k": int.from_bytes(key, "big"), "e": int.from_bytes(digest, "big")}
    started = pka.started(rows, iter(lambda: rng.getrandbits(256), -1))
    machine = Copies(started.code, started.rows, started.random, started.extras)
    hit = False

    def watch(cycle: int, word: Word, clock: object) -> None:
        nonlocal hit
        machine.reads = 0
        for row in word.written:
            machine.second.pop(row, None)
        if machine.pc == address and not hit:
            hit = True
            machine.second[image.names[name]] = machine.rows[image.names[name]] ^ 1

    machine.watch = watch
    outcome = machine.run(image.entries["p256_sign"])
    assert hit
    if outcome.flag:
        return None
    first = image.names["result"]
    result = b"".join(machine.rows[first + n].to_bytes(32, "big") for n in range(2))
    return p256_verify((p256_public(key) or b"") + digest + result)


@pytest.mark.parametrize("name", ["nonce", "c2"])
def test_lowest_bit_of_a_scalar(name):
    """In the midst of making the nonce odd, or in front of where the second scalar is copied."""
    image = pka.image()
    row, copy = image.names[name], image.names["c"]
    begin = image.entries["p256_sign" if name == "nonce" else "p256_base_twice"]
    address = next(
        n + (name == "nonce")
        for n, word in enumerate(image.code[begin : begin + 80], begin)
        if (name, word.name, word.b) == ("nonce", "subx", row)
        or (name, word.name, word.a, word.d) == ("c2", "and", row, copy)
    )
    assert signed(1, name, address) is None
