"""The driver's operations of RSA, natively, on the tile in Python; beside OpenSSL."""

import random
import struct

import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from support import host_tile, pka_rsa
from support.host_tile import Fault

from cryptile.jobs.port import NO_RANDOM
from cryptile.jobs.rsa import some_key

OK, LENGTH, FAULT, KEY = 0, -3, -8, -11
MOST = 512
"""Bytes of the longest modulus."""

APART, OVER_NUMBER, OVER_KEY = range(3)
PATTERN = b"\xa5"
RNG = random.Random(5)

lengths = pytest.mark.parametrize("bits", pka_rsa.LENGTHS)


class Host(host_tile.Host):
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
        """Return an operation's status, and what it wrote; nothing else is left anywhere."""
        length = len(number) if size is None else size
        head = struct.pack("<QII", exponent, length, where)
        code, result, _ = self.main(
            head + key.ljust(7 * MOST // 2, b"\0") + number.ljust(MOST, b"\0")
        )
        assert code == 0
        (status,) = struct.unpack("<i", result[:4])
        out, left = result[4 : 4 + MOST], result[4 + MOST :]
        assert not any(left)
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


def test_faults(host):
    """A job that fails for another reason leaves zeros, too."""
    number = bytes(255) + b"\5"
    host.fault = Fault(NO_RANDOM, (0,))
    assert host.call(some_key(2048), number) == (FAULT, bytes(256))
    host.fault = None
    assert host.call(some_key(2048), number)[0] == OK
