"""RSA signatures by RFC 8017, on integers, for the model; and keys to sign with."""

import random
from functools import cache

import reference

ANY_SALT = -1
"""CRYPTILE_RSA_ANY_SALT, which is SIZE_MAX."""


def valid(modulus, exponent):
    """Whether the library takes such a key."""
    n = int.from_bytes(modulus, "big")
    return (
        2048 <= n.bit_length() <= 4096
        and modulus[0] != 0
        and n % 2 == 1
        and exponent >= 3
        and exponent % 2 == 1
    )


def _integer(number):
    data = number.to_bytes(number.bit_length() // 8 + 1, "big")
    return b"\2" + _length(len(data)) + data


def _length(length):
    """Encode a length in its shortest form (X.690, 10.1)."""
    data = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([length]) if length < 128 else bytes([128 | len(data)]) + data


def der(modulus, exponent):
    """Encode an RSAPublicKey (RFC 8017, A.1.1)."""
    inner = _integer(modulus) + _integer(exponent)
    return b"\x30" + _length(len(inner)) + inner


def parse(data):
    """Return modulus and exponent of an RSAPublicKey, or nothing if it is not as ``der`` encodes.

    The places of the two numbers are guessed, and what they give is encoded again.
    """
    for split in range(len(data)):
        if data[split] != 2:
            continue
        for head in (2, 3, 4):
            exponent = int.from_bytes(data[split + head :], "big")
            rest = len(_integer(exponent))
            if split + rest != len(data):
                continue
            for start in range(3, 10):
                modulus = int.from_bytes(data[start:split], "big")
                if modulus and exponent and der(modulus, exponent) == data:
                    return modulus, exponent
    return None


def _message(modulus, exponent, signature):
    """Return what a signature stands for, or nothing."""
    n, s = int.from_bytes(modulus, "big"), int.from_bytes(signature, "big")
    if len(signature) != len(modulus) or s >= n:
        return None
    return pow(s, exponent, n)


def pkcs1_encode(name, digest, length):
    info = bytes.fromhex("06096086480165030402") + bytes([reference.HASHES[name][2]])
    inner = b"\x30" + bytes([len(info) + 2]) + info + b"\x05\x00"
    inner += b"\x04" + bytes([len(digest)]) + digest
    whole = b"\x30" + bytes([len(inner)]) + inner
    return b"\0\1" + b"\xff" * (length - len(whole) - 3) + b"\0" + whole


def pkcs1_verify(modulus, exponent, name, digest, signature):
    message = _message(modulus, exponent, signature)
    return message == int.from_bytes(pkcs1_encode(name, digest, len(modulus)), "big")


def _mask(name, seed, length):
    blocks, counter = b"", 0
    while len(blocks) < length:
        blocks += reference.digest(name, seed + counter.to_bytes(4, "big"))
        counter += 1
    return int.from_bytes(blocks[:length], "big")


def pss_encode(name, digest, salt, bits):
    length = (bits + 7) // 8
    seed = reference.digest(name, bytes(8) + digest + salt)
    block = b"\1" + salt
    masked = int.from_bytes(block, "big") ^ _mask(name, seed, length - len(seed) - 1)
    masked &= (1 << bits - 8 * len(seed) - 8) - 1
    return masked << 8 * len(seed) + 8 | int.from_bytes(seed, "big") << 8 | 0xBC


def pss_verify(modulus, exponent, name, digest, salt_len, signature):
    message = _message(modulus, exponent, signature)
    bits = int.from_bytes(modulus, "big").bit_length() - 1
    if message is None or message.bit_length() > bits or message & 0xFF != 0xBC:
        return False
    size, length = len(digest), (bits + 7) // 8
    seed = (message >> 8 & (1 << 8 * size) - 1).to_bytes(size, "big")
    block = message >> 8 * size + 8 ^ _mask(name, seed, length - size - 1)
    block &= (1 << bits - 8 * size - 8) - 1
    data = block.to_bytes((block.bit_length() + 7) // 8, "big")
    if not data or data[0] != 1:
        return False
    salt = data[1:]
    if salt_len is not None and len(salt) != salt_len:
        return False
    return pss_encode(name, digest, salt, bits) == message


def _prime(rng, bits):
    while True:
        number = rng.getrandbits(bits) | 3 << bits - 2 | 1
        if all(number % small for small in range(3, 2000, 2)) and all(
            pow(base, number - 1, number) == 1 for base in (2, 3)
        ):
            return number


@cache
def key(bits):
    """Return modulus and private exponent of a key, the same in each run; e is 65537."""
    rng = random.Random(bits)
    p, q = _prime(rng, (bits + 1) // 2), _prime(rng, bits // 2)
    n = p * q
    return n.to_bytes((n.bit_length() + 7) // 8, "big"), pow(65537, -1, (p - 1) * (q - 1))


def sign(bits, message):
    modulus, exponent = key(bits)
    number = pow(message, exponent, int.from_bytes(modulus, "big"))
    return number.to_bytes(len(modulus), "big")
