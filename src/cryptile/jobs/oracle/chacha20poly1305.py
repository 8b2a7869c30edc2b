"""ChaCha20, Poly1305 and ChaCha20-Poly1305 (RFC 8439)."""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.poly1305 import Poly1305

from cryptile.catalog import engines

CHACHA20, POLY1305, AEAD = (
    engines()["chacha20poly1305"].modes[name].number
    for name in ("chacha20", "poly1305", "chacha20_poly1305")
)
_CHACHA_BLOCK = 64


def crypt(
    mode: int, key: bytes, iv: bytes, data: bytes, aad: bytes = b"", *, decrypt: bool = False
) -> tuple[bytes, bytes]:
    """Return message and tag of a whole message; in decryption the tag that there should be.

    Args:
        mode: such as ``AEAD``.
        key: 32 bytes.
        iv: of ChaCha20 the block counter and the nonce; of the AEAD the nonce, and anything.
        data: the message: the ciphertext in decryption.
        aad: the associated data of the AEAD.
        decrypt: the direction.
    """
    if mode == POLY1305:
        return b"", Poly1305.generate_tag(key, data)
    if mode == CHACHA20:
        return chacha20(key, iv, data), b""
    nonce = iv[:12]
    out = chacha20(key, (1).to_bytes(4, "little") + nonce, data)
    return out, _tag(key, nonce, aad, data if decrypt else out)


def next_iv(iv: bytes, size: int) -> bytes:
    """Return counter and nonce by which a stream goes on behind whole blocks."""
    counter = int.from_bytes(iv[:4], "little") + size // _CHACHA_BLOCK
    return counter.to_bytes(4, "little") + iv[4:]


def chacha20(key: bytes, start: bytes, data: bytes) -> bytes:
    """Return data encrypted with ChaCha20; ``start`` is the block counter and the nonce."""
    return Cipher(algorithms.ChaCha20(key, start), None).encryptor().update(data)


def _tag(key: bytes, nonce: bytes, aad: bytes, ciphertext: bytes) -> bytes:
    """Return the tag of the AEAD: block 0 of the key stream gives Poly1305's key."""
    one_time = chacha20(key, bytes(4) + nonce, bytes(32))
    padded = b"".join(part + bytes(-len(part) % 16) for part in (aad, ciphertext))
    lengths = len(aad).to_bytes(8, "little") + len(ciphertext).to_bytes(8, "little")
    return Poly1305.generate_tag(one_time, padded + lengths)
