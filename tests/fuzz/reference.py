"""Cryptography for the model: by ``cryptography`` and ``hashlib``, and own code where those end."""

import hashlib
import hmac
from copy import copy

import drbg_oracle
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.cmac import CMAC

from cryptile.jobs.oracle.ascon import aead128, cxof128, hash256, xof128
from cryptile.jobs.oracle.keccak import cshake, kmac

__all__ = ["aead128", "cshake", "cxof128", "hash256", "kmac", "xof128"]

HASHES = {
    "sha224": (28, 64, 4),
    "sha256": (32, 64, 1),
    "sha384": (48, 128, 2),
    "sha512": (64, 128, 3),
    "sha512_224": (28, 128, 5),
    "sha512_256": (32, 128, 6),
    "sha3_224": (28, 144, 7),
    "sha3_256": (32, 136, 8),
    "sha3_384": (48, 104, 9),
    "sha3_512": (64, 72, 10),
    "ascon_hash256": (32, 0, 0),
}
"""Bytes of the digest and of HMAC's block, 0 where there is no HMAC; the last number of the object
identifier 2.16.840.1.101.3.4.2.x, 0 where there is none."""


class Ascon256:
    """Ascon-Hash256 with the interface of hashlib."""

    def __init__(self, message=b""):
        self.message = message

    def update(self, data):
        self.message += data

    def digest(self):
        return hash256(self.message)

    def copy(self):
        return Ascon256(self.message)


def new_hash(name):
    if name == "ascon_hash256":
        return Ascon256()
    return hashlib.new(name)


def digest(name, data):
    state = new_hash(name)
    state.update(data)
    return state.digest()


def hmac_new(name, key):
    return hmac.new(key, digestmod=name)


def hmac_digest(name, key, data):
    return hmac.digest(key, data, name)


def hkdf_expand(name, prk, info, length):
    out, block, counter = b"", b"", 1
    while len(out) < length:
        block = hmac_digest(name, prk, block + info + bytes([counter]))
        out += block
        counter += 1
    return out[:length]


class Drbg(drbg_oracle.Drbg):
    """CTR_DRBG with derivation function, which can be copied."""

    def __init__(self, entropy, personal):
        super().__init__(True, entropy, personal)

    def copy(self):
        return copy(self)


class GcmStream:
    """The key stream of AES-GCM, and its tag, for a nonce of any length."""

    def __init__(self, key, nonce):
        self.key, self.nonce = key, nonce
        self._ecb = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
        if len(nonce) == 12:
            self._first = nonce + b"\0\0\0\1"
        else:
            padded = (
                nonce + bytes(-len(nonce) % 16) + bytes(8) + (8 * len(nonce)).to_bytes(8, "big")
            )
            self._first = self._ghash(padded)
        self._counter = int.from_bytes(self._first[12:], "big") + 1
        self._left = b""

    def xor(self, data):
        blocks = -(-max(0, len(data) - len(self._left)) // 16)
        head = self._first[:12]
        counters = b"".join(
            head + ((self._counter + i) & 0xFFFFFFFF).to_bytes(4, "big") for i in range(blocks)
        )
        self._counter += blocks
        stream = self._left + self._ecb.update(counters)
        self._left = stream[len(data) :]
        return xor(data, stream[: len(data)])

    def tag(self, aad, plaintext, ciphertext):
        if 8 <= len(self.nonce) <= 128:
            return AESGCM(self.key).encrypt(self.nonce, plaintext, aad)[-16:]
        lengths = (8 * len(aad)).to_bytes(8, "big") + (8 * len(ciphertext)).to_bytes(8, "big")
        text = aad + bytes(-len(aad) % 16) + ciphertext + bytes(-len(ciphertext) % 16) + lengths
        return xor(self._ghash(text), self._ecb.update(self._first))

    def _ghash(self, data):
        h = int.from_bytes(self._ecb.update(bytes(16)), "big")
        y = 0
        for start in range(0, len(data), 16):
            x, v, y = y ^ int.from_bytes(data[start : start + 16], "big"), h, 0
            for bit in range(127, -1, -1):
                if x >> bit & 1:
                    y ^= v
                v = v >> 1 ^ (0xE1 << 120 if v & 1 else 0)
        return y.to_bytes(16, "big")


class CcmStream:
    """The key stream of AES-CCM, and its tag."""

    def __init__(self, key, nonce, tag_len):
        self._aead, self._nonce, self._tag_len = AESCCM(key, tag_len), nonce, tag_len
        size = 15 - len(nonce)
        counter = bytes([size - 1]) + nonce + (1).to_bytes(size, "big")
        self.xor = Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor().update

    def tag(self, aad, plaintext, _ciphertext):
        return self._aead.encrypt(self._nonce, plaintext, aad)[-self._tag_len :]


class ChaChaStream:
    """The key stream of ChaCha20-Poly1305, and its tag."""

    def __init__(self, key, nonce):
        self._aead, self._nonce = ChaCha20Poly1305(key), nonce
        self.xor = chacha20(key, nonce, 1).update

    def tag(self, aad, plaintext, _ciphertext):
        return self._aead.encrypt(self._nonce, plaintext, aad)[-16:]


def chacha20(key, nonce, counter=0):
    return Cipher(algorithms.ChaCha20(key, counter.to_bytes(4, "little") + nonce), None).encryptor()


def cmac_new(key):
    return CMAC(algorithms.AES(key))


class Cmac:
    """AES-CMAC with the interface of hashlib."""

    def __init__(self, key, message=b""):
        self._running = cmac_new(key)
        self.update = self._running.update
        self.update(message)

    def digest(self):
        return self._running.copy().finalize()


def cmac(key, data):
    return Cmac(key, data).digest()


def xts(direction, key, tweak, data):
    cipher = Cipher(algorithms.AES(key), modes.XTS(tweak))
    return (cipher.decryptor() if direction else cipher.encryptor()).update(data)


def xor(a, b):
    return (int.from_bytes(a, "little") ^ int.from_bytes(b, "little")).to_bytes(len(a), "little")


def block_cipher(mode, key, iv, decrypt):
    """Return the context of a block cipher, to call ``update`` on."""
    chosen = {"ecb": modes.ECB, "cbc": lambda: modes.CBC(iv), "ctr": lambda: modes.CTR(iv)}[mode]()
    cipher = Cipher(algorithms.AES(key), chosen)
    return cipher.decryptor() if decrypt else cipher.encryptor()


def unpadded(block):
    """Return a last block without its PKCS#7 padding, or nothing if that is wrong."""
    pad = block[-1]
    return block[:-pad] if 1 <= pad <= 16 and block.endswith(bytes([pad]) * pad) else None
