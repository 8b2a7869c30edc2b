"""The AEAD interface of the library, called on a simulated core."""

from dataclasses import dataclass
from pathlib import Path

import cryptography_vectors
from support import returned

OK, PARAM, STATE, LENGTH, AUTH = 0, -1, -2, -3, -10
PARTS = ("aead", "aes", "ascon", "chacha20", "ghash", "poly1305")
GCM, CHACHA = "cryptile_aes_gcm", "cryptile_chacha20_poly1305"
CCM = "cryptile_aes_ccm"
ASCON = "cryptile_ascon_aead128"
ENCRYPT, DECRYPT = 0, 1
STATE_BYTES = {32: 608, 64: 1120}
CONTEXT_BYTES = {32: 648, 64: 1168}
GCM_VECTORS = Path(cryptography_vectors.__file__).parent / "ciphers" / "AES" / "GCM"


@dataclass
class Case:
    """A message with its expected result; ``valid`` is about decryption."""

    key: bytes
    nonce: bytes
    aad: bytes
    text: bytes
    ciphertext: bytes
    tag: bytes
    valid: bool = True


def status(result) -> int:
    """Return a status as a signed number, having checked that no secret showed."""
    assert result.violations == []
    return returned.status(result.value)


class Aead:
    """Calls that place every buffer just as large as it must be."""

    def __init__(self, machine, alg: str) -> None:
        self.m = machine
        self.alg = machine.symbols[alg]

    def params(self, key: bytes, nonce: bytes, tag_len: int) -> int:
        m, word = self.m, self.m.xlen // 8
        fields = [
            m.alloc(key, secret=True),
            len(key),
            m.alloc(nonce, offset=1),
            len(nonce),
            tag_len,
        ]
        return m.alloc(b"".join(field.to_bytes(word, "little") for field in fields))

    def encrypt(self, key, nonce, aad, text, *, tag_len=16, offsets=(0, 0, 0), in_place=False):
        """Return the status, the ciphertext and the tag."""
        m, (a, b, c) = self.m, offsets
        source = m.alloc(text, offset=b, secret=True)
        target = source if in_place else m.alloc(b"\xa5" * len(text), offset=c)
        tag = m.alloc(b"\xa5" * tag_len, offset=a)
        result = m.call(
            "cryptile_aead_encrypt",
            self.alg,
            self.params(key, nonce, tag_len),
            m.alloc(aad, offset=a),
            len(aad),
            source,
            len(text),
            target,
            tag,
        )
        return status(result), m.read(target, len(text)), m.read(tag, tag_len)

    def decrypt(self, key, nonce, aad, data, tag, *, offsets=(0, 0, 0), in_place=False):
        """Return the status and the plaintext."""
        m, (a, b, c) = self.m, offsets
        source = m.alloc(data, offset=b)
        target = source if in_place else m.alloc(b"\xa5" * len(data), offset=c)
        result = m.call(
            "cryptile_aead_decrypt",
            self.alg,
            self.params(key, nonce, len(tag)),
            m.alloc(aad, offset=a),
            len(aad),
            source,
            len(data),
            m.alloc(tag, offset=c),
            target,
        )
        return status(result), m.read(target, len(data))

    def stream(self, direction: int, key: bytes, nonce: bytes, tag_len: int = 16) -> "Stream":
        """Start a message."""
        return Stream(self, direction, self.params(key, nonce, tag_len))


class Stream:
    """A message in chunks."""

    def __init__(self, aead: Aead, direction: int, params: int) -> None:
        self.m = aead.m
        self.context = self.m.alloc(CONTEXT_BYTES[self.m.xlen])
        self.status = self.call("init", aead.alg, direction, params)

    def call(self, name: str, *arguments: int) -> int:
        return status(self.m.call(f"cryptile_aead_{name}", self.context, *arguments))

    def set_lengths(self, aad: int, text: int) -> int:
        """State the lengths of the message."""
        if self.m.xlen == 64:
            return self.call("set_lengths", aad, text)
        words = [part for n in (aad, text) for part in (n & 0xFFFFFFFF, n >> 32)]
        return self.call("set_lengths", *words)

    def wiped(self) -> bool:
        """Tell whether the context is all zeros."""
        return not any(self.m.read(self.context, CONTEXT_BYTES[self.m.xlen]))

    def pretend(self, aad: int, text: int) -> None:
        """Pretend that so many bytes were processed."""
        lengths = aad.to_bytes(8, "little") + text.to_bytes(8, "little")
        self.m.write(self.context + STATE_BYTES[self.m.xlen], lengths)
