"""RSA on the public-key engine's simulator, as its tests see it."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from cryptography.hazmat.primitives.asymmetric import rsa

from cryptile.jobs.oracle.rsa import Rsa
from cryptile.pka.isa import WIDTH512
from cryptile.pka.machine import Machine
from support import pka

B = WIDTH512.bits
LENGTHS = (2048, 3072, 4096)
OF_PRIME = ("prime_p", "prime_q", "exponent_p", "exponent_q", "coefficient")
"""Numbers of a private key that are half as long as its modulus, in their order."""

E = 65537


@dataclass(frozen=True)
class Key:
    """A private key, with the numbers of the Chinese remainder theorem."""

    modulus: int
    prime_p: int
    prime_q: int
    exponent_p: int
    exponent_q: int
    coefficient: int
    d: int

    @property
    def bits(self) -> int:
        """Bits of the modulus."""
        return self.modulus.bit_length()

    def inputs(self, message: int) -> dict[str, int]:
        """Return what a private operation takes, by name."""
        names = ("modulus", *OF_PRIME)
        return {name: getattr(self, name) for name in names} | {"message": message}

    @property
    def text(self) -> bytes:
        """Return it as it stands in a message of the engine port; its exponent is 65537."""
        return Rsa(self.bits // 8).key(self.prime_p, self.prime_q)

    def private(self, message: int) -> int:
        """Return what it makes of that."""
        return pow(message, self.d, self.modulus)


def of_primes(p: int, q: int, e: int = E) -> Key:
    """Return the key of two numbers, which ought to be primes."""
    d = pow(e, -1, (p - 1) * (q - 1))
    return Key(p * q, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p), d)


@cache
def some_key(bits: int) -> Key:
    """Return a key of OpenSSL's."""
    numbers = rsa.generate_private_key(E, bits).private_numbers()
    key = of_primes(numbers.p, numbers.q)
    assert (key.modulus, key.exponent_p) == (numbers.public_numbers.n, numbers.dmp1)
    return key


def rows(numbers: Mapping[str, int], bits: int) -> dict[str, int]:
    """Return the rows of a program's inputs by name: of primes half as many as of the modulus."""
    count = bits // B
    found = {}
    for name, number in numbers.items():
        size = 1 if name == "exponent" else count // 2 if name in OF_PRIME else count
        assert number < 1 << B * size
        for n in range(size):
            found[f"{name}{n or ''}"] = number >> B * n & (1 << B) - 1
    return found


def text_in(memory: Sequence[int], bits: int) -> bytes:
    """Return the private key that stands in the rows of the engine, as in a message of its port."""
    names, text = pka.image(WIDTH512).names, b""
    for name, count in (("modulus", bits // B), *((part, bits // B // 2) for part in OF_PRIME)):
        rows = reversed(memory[names[name] : names[name] + count])
        text += b"".join(row.to_bytes(B // 8, "big") for row in rows)
    return text


def number(machine: Machine, count: int) -> int:
    """Return the result, of a number of rows."""
    first = pka.image(WIDTH512).names["result"]
    return joined([machine.rows.get(first + n, 0) for n in range(count)])


def joined(results: Sequence[int]) -> int:
    """Return the number of a result's rows, of which the highest comes first."""
    return sum(row << B * n for n, row in enumerate(reversed(results)))


def program(bits: int, name: str) -> str:
    """Return the name of a program in the image."""
    return f"rsa{bits}_{name}"


def run(
    name: str, bits: int, inputs: Mapping[str, int], draws: Iterator[int] | None = None
) -> int | None:
    """Run a program in its cycles; None: it refused, and then the result is zero."""
    entry = program(bits, name)
    draws = draws or seeded(0)
    results, outcome = pka.run_all(entry, rows(inputs, bits), draws, WIDTH512)
    value = joined(results)
    if outcome.flag:
        assert value == 0
        return None
    return value


def public(modulus: int, message: int, exponent: int = E, bits: int | None = None) -> int | None:
    """Compute message^exponent modulo the modulus."""
    inputs = {"modulus": modulus, "message": message}
    length = bits or modulus.bit_length()
    if exponent == E:
        return run("public", length, inputs)
    return run("public64", length, inputs | {"exponent": exponent})


def private(key: Key, message: int, draws: Iterator[int] | None = None) -> int | None:
    """Compute the private operation."""
    return run("private", key.bits, key.inputs(message), draws)


def seeded(seed: int) -> Iterator[int]:
    """Return random rows."""
    rng = random.Random(seed)
    return iter(lambda: rng.getrandbits(B), -1)
