"""What ``cry_entropy`` makes of samples: words of output behind the start-up tests."""

from collections.abc import Iterator

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from health_model import Bits

KEY = bytes.fromhex("243f6a8885a308d313198a2e03707344")  # of pi's fraction, as FIPS 197 has bytes


def combine(samples: Bits) -> np.ndarray:
    """Return the combined samples as bytes: bit i is lane 2 i XOR lane 2 i + 1."""
    pairs = samples[::2] ^ samples[1::2]
    return ((1 << np.arange(len(pairs))) @ pairs).astype(np.uint8)


def blocks(samples: bytes) -> bytes:
    """Return samples as blocks of 16 bytes: they fill each row by row (FIPS 197, 3.4)."""
    return np.frombuffer(samples, np.uint8).reshape(-1, 4, 4).transpose(0, 2, 1).tobytes()


def cbc_mac(message: bytes) -> bytes:
    """CBC-MAC with AES-128, the last block of CBC from a zero IV (SP 800-90B, 3.1.5.1.1)."""
    encryptor = Cipher(algorithms.AES(KEY), modes.CBC(bytes(16))).encryptor()
    return encryptor.update(message)[-16:]


def words(samples: Bits, count: int) -> Iterator[int]:
    """Return the words of 64 bits that come of samples from the first behind the tests on.

    Two of them come of ``count`` blocks.
    """
    data, size = combine(samples).tobytes(), 16 * count
    for at in range(0, len(data) - size + 1, size):
        result = cbc_mac(blocks(data[at : at + size]))
        yield from (int.from_bytes(result[:8], "little"), int.from_bytes(result[8:], "little"))
