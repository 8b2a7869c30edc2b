"""The driver's operations of RSA, natively, on the tile in Python; beside OpenSSL."""

import random
import struct

import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from support import host_tile, pka_rsa
from support.drawing_tile import DrawingHost
from support.host_tile import Fault

from cryptile.jobs.oracle.rsa import SEAL, Rsa
from cryptile.jobs.port import NO_RANDOM
from cryptile.jobs.rsa import number as mode
from cryptile.jobs.rsa import some_key

OK, PARAM, LENGTH, FAULT, AUTH, KEY = 0, -1, -3, -8, -10, -11
MOST = 7 * 512 // 2 + 2 * SEAL
"""Bytes of the longest sealed key."""

PRIVATE, PUBLIC, SEALED, SEALS, MAKES = range(5)
"""Functions of the driver."""

SLOT = 1
"""In which the sealing key is."""

APART, OVER_NUMBER, OVER_KEY = range(3)
PATTERN = b"\xa5"
RNG = random.Random(5)

lengths = pytest.mark.parametrize("bits", pka_rsa.LENGTHS)


class Host(DrawingHost):
    """The tile, and the driver's operations on it."""

    def __init__(self) -> None:
        super().__init__(host_tile.build(["rsa", "tile_app"], ("status",)))

    def call(
        self,
        key: bytes,
        number: bytes,
        exponent: int = 0,
        where: int = APART,
        size: int | None = None,
    ) -> tuple[int, bytes]:
        """Return the status of an operation with a key in the clear, and what it wrote."""
        length = len(number) if size is None else size
        function = PUBLIC if exponent else PRIVATE
        return self.does(function, key, number, length, exponent=exponent, where=where)

    def does(
        self,
        function: int,
        key: bytes = b"",
        number: bytes = b"",
        size: int = 0,
        *,
        exponent: int = 0,
        where: int = APART,
        slot: int = SLOT,
        under: bytes = bytes(SEAL),
        modes: tuple[int, ...] = (),
        may: bool = True,
    ) -> tuple[int, bytes]:
        """Return a function's status, and what it wrote; nothing else is left anywhere.

        With ``modes`` the key ``under`` is in slot 1, for these, or one that is made is for them.
        """
        bits = sum(1 << number for number in modes)
        head = struct.pack("<Q6I", exponent, function, size, where, slot, bits, may)
        code, result, _ = self.main(
            head + under + key.ljust(MOST, b"\0") + number.ljust(MOST, b"\0")
        )
        assert code == 0
        (status,) = struct.unpack("<i", result[:4])
        out, left = result[4 : 4 + MOST], result[4 + MOST :]
        assert not any(left)
        length = {SEALS: 7 * size // 2 + 2 * SEAL, MAKES: 0}.get(function, size)
        written = 0 if status == LENGTH else length
        if where == APART:
            assert out[written:] == PATTERN * (MOST - written)
        assert status == OK or not any(out[:written])
        return status, out[:written]


@pytest.fixture(scope="module")
def host() -> Host:
    return Host()


@lengths
def test_private(host, bits):
    """What OpenSSL encrypts for a key of its own, the driver decrypts, and by no other key."""
    made = rsa.generate_private_key(pka_rsa.E, bits)
    numbers = made.private_numbers()
    text = pka_rsa.of_primes(numbers.p, numbers.q).text
    number = made.public_key().encrypt(b"text", padding.PKCS1v15())
    for where in (APART, OVER_NUMBER, OVER_KEY):
        status, found = host.call(text, number, where=where)
        assert status == OK
        assert found[:2] == b"\0\2" and found[2:].partition(b"\0")[2] == b"text"
    wrong = text[:-1] + bytes([text[-1] ^ 1])
    assert host.call(wrong, number) == (KEY, bytes(bits // 8))
    assert host.call(text, text[: bits // 8]) == (KEY, bytes(bits // 8))


@lengths
@pytest.mark.parametrize("exponent", [3, 65537, (1 << 64) - 1])
def test_public(host, bits, exponent):
    size, modulus = bits // 8, int.from_bytes(some_key(bits)[: bits // 8], "big")
    message = RNG.randrange(modulus)
    number = message.to_bytes(size, "big")
    expected = pow(message, exponent, modulus).to_bytes(size, "big")
    for where in (APART, OVER_NUMBER, OVER_KEY):
        assert host.call(some_key(bits)[:size], number, exponent, where) == (OK, expected)
    even = (modulus - 1).to_bytes(size, "big")
    assert host.call(even, number, exponent) == (KEY, bytes(size))
    assert host.call(some_key(bits)[:size], b"\xff" * size, exponent) == (KEY, bytes(size))


@pytest.mark.parametrize("exponent", [1, 2, 65536])
def test_exponents_that_are_none(host, exponent):
    assert host.call(some_key(2048)[:256], bytes(255) + b"\5", exponent) == (KEY, bytes(256))


def test_lengths(host):
    for size in (0, 1, 128, 255, 257, 320, 511, 513, 1024, 1 << 31):
        for exponent in (0, 3, 65537):
            assert host.call(some_key(2048), bytes(256), exponent, size=size) == (LENGTH, b"")


@pytest.mark.parametrize("written", [(0,), (40, 8)])
def test_faults(host, written):
    """Zeros are left, also if a job has written more than its record says."""
    number = bytes(255) + b"\5"
    host.fault = Fault(NO_RANDOM, written)
    assert host.call(some_key(2048), number) == (FAULT, bytes(256))
    host.fault = None
    assert host.call(some_key(2048), number)[0] == OK


@lengths
def test_sealed(host, bits):
    """What the driver seals it opens, and so does software; what software seals, too."""
    made = rsa.generate_private_key(pka_rsa.E, bits)
    numbers, under, size = made.private_numbers(), RNG.randbytes(SEAL), bits // 8
    text = pka_rsa.of_primes(numbers.p, numbers.q).text
    seals, opens = (mode(bits, "seal"),), (mode(bits, "sealed"),)
    number = made.public_key().encrypt(b"text", padding.PKCS1v15())
    found = []
    for where in (APART, OVER_NUMBER, OVER_KEY):
        status, sealed = host.does(SEALS, text, size=size, under=under, modes=seals, where=where)
        assert (status, Rsa(size).opened(sealed, under)) == (OK, text)
        found.append(sealed)
    assert len({sealed[:SEAL] for sealed in found}) == len(found)
    found[1:] = [Rsa(size).sealed(text, under, RNG.randbytes(SEAL))]
    for sealed in found:
        for where in (APART, OVER_NUMBER, OVER_KEY):
            status, plain = host.does(
                SEALED, sealed, number, size, under=under, modes=opens, where=where
            )
            assert status == OK
            assert plain[:2] == b"\0\2" and plain[2:].partition(b"\0")[2] == b"text"
    zeros = bytes(size)
    for at in (0, SEAL, SEAL + size, len(sealed) - 1):
        wrong = sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]
        said = host.does(SEALED, wrong, number, size, under=under, modes=opens)
        assert said == (AUTH, zeros)
    said = host.does(SEALED, sealed, number, size, under=bytes(SEAL), modes=opens)
    assert said == (AUTH, zeros)
    # The number is not below the modulus.
    said = host.does(SEALED, sealed, b"\xff" * size, size, under=under, modes=opens)
    assert said == (KEY, zeros)


def test_sealed_by_policy(host):
    """A slot seals or opens as its policy says; there are others, and none."""
    under, text, number = RNG.randbytes(SEAL), some_key(2048), bytes(255) + b"\5"
    sealed = Rsa(256).sealed(text, under, bytes(SEAL))
    seals, opens = (mode(2048, "seal"),), (mode(2048, "sealed"),)
    assert host.does(SEALED, sealed, number, 256, under=under, modes=seals) == (KEY, bytes(256))
    assert host.does(SEALS, text, size=256, under=under, modes=opens) == (KEY, bytes(928))
    for slot, status in ((SLOT + 1, KEY), (1 << 16, PARAM)):
        said = host.does(SEALED, sealed, number, 256, under=under, modes=opens, slot=slot)
        # The tile in Python refuses a slot that cannot be as one of another queue.
        assert said[0] in (status, KEY) and said[1] == bytes(256)
    for size in (0, 255, 257, 1024):
        for function in (SEALED, SEALS):
            assert host.does(function, sealed, number, size, modes=opens) == (LENGTH, b"")


def test_sealing_keys(host):
    """A key is made in a slot and seals there; another one opens nothing of it."""
    text, number = some_key(2048), bytes(255) + b"\5"
    both = (mode(2048, "seal"), mode(2048, "sealed"))
    assert host.does(MAKES, modes=both, slot=2, may=False) == (KEY, b"")
    assert host.does(MAKES, modes=both, slot=2) == (OK, b"")
    status, sealed = host.does(SEALS, text, size=256, slot=2)
    assert status == OK and sealed[SEAL : SEAL + 256] == text[:256]
    expected = Rsa(256).private(text + number)
    assert host.does(SEALED, sealed, number, 256, slot=2) == (OK, expected)
    assert host.does(MAKES, modes=both, slot=2) == (OK, b"")
    assert host.does(SEALED, sealed, number, 256, slot=2) == (AUTH, bytes(256))
    # Not for modes without such a key, nor where no slot can be.
    assert host.does(MAKES, modes=(mode(2048, "private"),), slot=2) == (PARAM, b"")
    assert host.does(MAKES, modes=both, slot=1 << 16)[0] in (PARAM, KEY)
    assert host.does(SEALED, sealed, number, 256, slot=2) == (AUTH, bytes(256))
    host.fault = Fault(NO_RANDOM, (0,))
    assert host.does(SEALS, text, size=256, slot=2) == (FAULT, bytes(928))
