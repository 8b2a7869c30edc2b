"""CTR_DRBG with AES-256 (NIST SP 800-90A Rev. 1, section 10.2.1), with derivation function.

The construction stands here; every encryption is the software library's on the simulator. Its
seed is the caller's to bring: nothing here makes entropy.
"""

import struct

from cryptile.crypt.simulated import Library

KEY_BYTES, BLOCK_BYTES = 32, 16
SEED_BYTES = KEY_BYTES + BLOCK_BYTES
ENTROPY_BYTES = 48
"""What ``cryptile crypt`` seeds with: 256 bits of entropy and 128 of nonce (section 8.6.7)."""

MAX_REQUEST = 1 << 16
"""Bytes of a request (table 3: 2^19 bits)."""

_ECB, _CBC = 0, 1


class Drbg:
    """An instantiation; without prediction resistance, for fewer requests than 2^48."""

    def __init__(self, core: Library, entropy: bytes, personalization: bytes = b"") -> None:
        """Instantiate (section 10.2.1.3.2).

        Args:
            core: where the library runs.
            entropy: the entropy input and behind it the nonce.
            personalization: any bytes.
        """
        self._core = core
        self._key, self._v = bytes(KEY_BYTES), bytes(BLOCK_BYTES)
        self._update(self._derive(entropy + personalization))

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None:
        """Mix new entropy in (section 10.2.1.4.2)."""
        self._update(self._derive(entropy + additional))

    def generate(self, size: int, additional: bytes = b"") -> bytes:
        """Return ``size`` bytes, at most ``MAX_REQUEST`` (section 10.2.1.5.2)."""
        if size > MAX_REQUEST:
            raise ValueError(f"{size} bytes are more than a request may ask for")
        data = self._derive(additional) if additional else bytes(SEED_BYTES)
        if additional:
            self._update(data)
        made = self._stream(size)
        self._update(data)
        return made

    def _stream(self, size: int) -> bytes:
        """Encrypt V + 1, V + 2 and so on; V is the last of them then.

        The library's CTR is not for this: whether its counter wraps may show in its time.
        """
        value, count = int.from_bytes(self._v, "big"), -(-size // BLOCK_BYTES)
        blocks = [
            ((value + step) % (1 << 8 * BLOCK_BYTES)).to_bytes(BLOCK_BYTES, "big")
            for step in range(1, count + 1)
        ]
        self._v = blocks[-1]
        return self._encrypt(_ECB, self._key, bytes(BLOCK_BYTES), b"".join(blocks))[:size]

    def _update(self, data: bytes) -> None:
        """CTR_DRBG_Update (section 10.2.1.2)."""
        made = bytes(a ^ b for a, b in zip(self._stream(SEED_BYTES), data, strict=True))
        self._key, self._v = made[:KEY_BYTES], made[KEY_BYTES:]

    def _derive(self, data: bytes) -> bytes:
        """Block_Cipher_df for a seed (section 10.3.2), with BCC by CBC (section 10.3.3)."""
        text = struct.pack(">II", len(data), SEED_BYTES) + data + b"\x80"
        text += bytes(-len(text) % BLOCK_BYTES)
        key, zeros = bytes(range(KEY_BYTES)), bytes(BLOCK_BYTES)
        made = b"".join(
            self._encrypt(_CBC, key, zeros, struct.pack(">I12x", number) + text)[-BLOCK_BYTES:]
            for number in range(SEED_BYTES // BLOCK_BYTES)
        )
        key, first = made[:KEY_BYTES], made[KEY_BYTES:]
        # Each block is the encryption of the one before: CBC of zeros.
        return self._encrypt(_CBC, key, first, bytes(SEED_BYTES))

    def _encrypt(self, mode: int, key: bytes, iv: bytes, text: bytes) -> bytes:
        core = self._core
        params = struct.pack("<III4xQQQ", mode, 0, 0, core.secret(key), len(key), core.secret(iv))
        out, length = core.room(len(text)), core.room(8)
        core.call(
            "cryptile_cipher_crypt", core.address("cryptile_aes_bitsliced"), core.public(params),
            core.secret(text), len(text), out, len(text), length,
        )  # fmt: skip
        made = core.read(out, len(text))
        core.forget()
        return made
