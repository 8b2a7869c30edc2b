"""Every public function of the library, called with secrets; what each leaves behind is gathered.

``SCENES`` are small programs over the interface. Between them they call each function that a header
declares at least once: ``declared()`` has the list.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    SECP384R1,
    SECP521R1,
    derive_private_key,
)
from cryptography.hazmat.primitives.asymmetric.padding import MGF1, PSS, PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import (
    RSAPrivateKey,
    RSAPrivateNumbers,
    RSAPublicNumbers,
)
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from cryptile import library
from cryptile.sim import iss
from support import returned

NULL = 0
KEY = bytes(range(1, 33))
NONCE = bytes(range(50, 62))
TEXT = bytes(range(7, 7 + 200))
LONG = bytes(i * 29 & 0xFF for i in range(1100))
TOP = iss._STACK_TOP - iss._FRAME
"""The stack pointer of the caller."""
PAINT = b"\xa5" * iss.STACK_SIZE
ROOM = 2048
"""Bytes of any context or operation."""
SOURCE, RANDOM = 0x5800_0000, 0x5800_1000
SOURCE_CODE = (
    RANDOM | 0x7B7, 0x00058E63, 0x0007C703, 0x00E50023, 0x00178793, 0x00150513, 0xFFF58593,
    0xFE9FF06F, 0x00000713, 0x00100513, 0x00008067,
)  # fmt: skip
"""bool source(uint8_t *out, size_t len): copies what lies at RANDOM, and keeps none of it."""


def declared() -> set[str]:
    """Return the names of all functions that a header declares."""
    names: set[str] = set()
    for header in sorted(library.INCLUDE.rglob("*.h")):
        names |= set(re.findall(r"^(?!static)\w[\w ]*?[ *\n](\w+)\(", header.read_text(), re.M))
    return names


def with_status() -> set[str]:
    """Return the names of those that return a status."""
    text = "".join(header.read_text() for header in library.INCLUDE.rglob("*.h"))
    return set(
        re.findall(r"^(?:CRYPTILE_MUST_CHECK )?(?:cryptile|psa)_status_t\s(\w+)\(", text, re.M)
    )


class Left:
    """A machine with the library; ``call`` notes what a function leaves behind."""

    def __init__(self, machine: Any) -> None:
        self.m = machine
        self.word = machine.xlen // 8
        self.called: set[str] = set()
        self.succeeded: set[str] = set()
        self.left: dict[str, int] = {}
        """Secret bytes on the dead stack and in registers: the most of any call, by function."""
        self.dirty: dict[str, int] = {}
        """Bytes of the dead stack that a function has written and not zeroed again."""
        self.stack: dict[str, int] = {}
        segments = [part for part in machine._image.segments if part.writable]
        self.static = [(part.address, len(part.data)) for part in segments if part.data]
        machine.map(SOURCE, 0x2000, "rwx")
        machine.write(SOURCE, b"".join(word.to_bytes(4, "little") for word in SOURCE_CODE))
        machine.write(RANDOM, LONG)
        machine.taint(RANDOM, len(LONG), secret=True)

    def secret(self, data: bytes) -> int:
        return int(self.m.alloc(data, secret=True))

    def public(self, data: bytes) -> int:
        return int(self.m.alloc(data))

    def room(self, size: int = ROOM) -> int:
        return int(self.m.alloc(bytes(size)))

    def words(self, *values: int) -> int:
        return self.public(b"".join(value.to_bytes(self.word, "little") for value in values))

    def symbol(self, name: str) -> int:
        return int(self.m.symbols[name])

    def number(self, address: int, size: int = 0) -> int:
        return int.from_bytes(self.m.read(address, size or self.word), "little")

    def call(self, name: str, *arguments: int, status: int | None = 0) -> int:
        """Call a function, expect a status, and note what is left."""
        m = self.m
        m.write(m._stack, PAINT)
        m.taint(m._stack, iss.STACK_SIZE, secret=False)
        result = m.call(name, *arguments, max_instructions=400_000_000)
        found = returned.status(result.value)
        assert status is None or found == status, (name, found)
        self.called.add(name)
        self.succeeded |= {name} if found == 0 else set()
        self._note(self.left, name, self._secrets(result))
        end = m.read(TOP - result.stack_bytes, result.stack_bytes)
        above = 64 if self.word == 4 else 128  # of the public function itself: no secrets
        dead = end[:-above] if result.stack_bytes > above else b""
        self._note(self.dirty, name, sum(byte not in (0, 0xA5) for byte in dead))
        self._note(self.stack, name, result.stack_bytes)
        return found

    @staticmethod
    def _note(notes: dict[str, int], name: str, count: int) -> None:
        notes[name] = max(notes.get(name, 0), count)

    def _secrets(self, result: Any) -> int:
        m = self.m
        count = 0
        if m.is_tainted(m._stack, iss.STACK_SIZE):
            first = TOP - result.stack_bytes - 64
            count += sum(m.is_tainted(at, 1) for at in range(first, iss._STACK_TOP))
        for mask in m._taints[1:32]:
            count += sum(bool(mask >> 8 * byte & 0xFF) for byte in range(self.word))
        return count

    def in_static(self) -> int:
        """Return how many secret bytes lie in the library's own memory."""
        return sum(
            self.m.is_tainted(at, 1)
            for address, size in self.static
            if self.m.is_tainted(address, size)
            for at in range(address, address + size)
        )

    def holds_secret(self, context: int, size: int = ROOM) -> bool:
        return bool(self.m.is_tainted(context, size))

    def gone(self, name: str, context: int) -> None:
        """A function that ends a message leaves nothing in its context."""
        if self.holds_secret(context):
            count = sum(self.m.is_tainted(at, 1) for at in range(context, context + ROOM))
            self._note(self.left, f"{name}: context", count)


Scene = Callable[[Left], None]
HASHES = ("sha256", "sha512", "sha512_224", "sha3_256", "ascon_hash256")
CHUNKS = (1, 3, 60, 136, 200, 1, 16, 683)
"""Sizes that fill, hit and pass the blocks of every algorithm."""


def pieces(at: int, count: int = len(CHUNKS)) -> list[tuple[int, int]]:
    """Return addresses and lengths of chunks that lie one behind the other."""
    found = []
    for size in CHUNKS[:count]:
        found.append((at, size))
        at += size
    return found


# --- hash.h, hmac.h, hkdf.h ---


def hashes(k: Left) -> None:
    data, out = k.secret(LONG), k.room(64)
    for name in HASHES:
        alg = k.symbol(f"cryptile_{name}")
        ctx = k.room()
        k.call("cryptile_hash_init", ctx, alg)
        for at, size in pieces(data):
            k.call("cryptile_hash_update", ctx, at, size)
        k.call("cryptile_hash_final", ctx, out)
        k.gone("cryptile_hash_final", ctx)
        k.call("cryptile_hash", alg, data, len(LONG), out)
        k.call("cryptile_hash_init", ctx, alg)
        k.call("cryptile_hash_update", ctx, data, 100)
        k.call("cryptile_hash_wipe", ctx, status=None)
        k.gone("cryptile_hash_wipe", ctx)
        k.call("cryptile_hash_final", ctx, out, status=-2)


def hmacs(k: Left) -> None:
    key, data, out = k.secret(KEY), k.secret(LONG), k.room(64)
    long_key = k.secret(LONG[:300])
    for name in HASHES[:4]:
        alg = k.symbol(f"cryptile_{name}")
        ctx = k.room()
        for at, size in ((key, 32), (long_key, 300)):
            k.call("cryptile_hmac_init", ctx, alg, at, size)
            for start, count in pieces(data):
                k.call("cryptile_hmac_update", ctx, start, count)
            k.call("cryptile_hmac_final", ctx, out, 28)
            k.gone("cryptile_hmac_final", ctx)
        k.call("cryptile_hmac", alg, key, 32, data, len(LONG), out, 28)
        code = k.public(k.m.read(out, 28))
        k.call("cryptile_hmac_check", alg, key, 32, data, len(LONG), code, 28)
        k.call("cryptile_hmac_check", alg, key, 32, data, 7, code, 28, status=-10)
        k.call("cryptile_hmac_init", ctx, alg, key, 32)
        k.call("cryptile_hmac_update", ctx, data, len(LONG))
        k.call("cryptile_hmac_verify", ctx, code, 28)
        k.gone("cryptile_hmac_verify", ctx)
        k.call("cryptile_hmac_init", ctx, alg, key, 32)
        k.call("cryptile_hmac_verify", ctx, code, 28, status=-10)
        k.call("cryptile_hmac_init", ctx, alg, key, 32)
        k.call("cryptile_hmac_wipe", ctx, status=None)
        k.gone("cryptile_hmac_wipe", ctx)


def hkdfs(k: Left) -> None:
    ikm, salt, info, okm = k.secret(KEY), k.public(TEXT[:20]), k.public(TEXT[:10]), k.room(200)
    for name in HASHES[:4]:
        alg = k.symbol(f"cryptile_{name}")
        prk = k.room(64)
        k.call("cryptile_hkdf_extract", alg, salt, 20, ikm, 32, prk)
        k.call("cryptile_hkdf_expand", alg, prk, 64, info, 10, okm, 200)
        k.call("cryptile_hkdf", alg, salt, 20, ikm, 32, info, 10, okm, 200)


# --- ascon.h, xof.h ---


def ascon(k: Left) -> None:
    data, out, custom = k.secret(LONG), k.room(300), k.secret(TEXT)
    for start in ("xof128", "cxof128"):
        ctx = k.room()
        more = (custom, 100) if start == "cxof128" else ()
        k.call(f"cryptile_ascon_{start}_init", ctx, *more)
        for at, size in pieces(data):
            k.call("cryptile_ascon_xof_absorb", ctx, at, size)
        for size in (1, 7, 100):
            k.call("cryptile_ascon_xof_squeeze", ctx, out, size)
        k.call("cryptile_ascon_xof_wipe", ctx, status=None)
        k.gone("cryptile_ascon_xof_wipe", ctx)


def xofs(k: Left) -> None:
    data, out, custom = k.secret(LONG), k.room(1200), k.secret(TEXT)
    for strength in (168, 136):
        for start in ("shake", "cshake"):
            ctx = k.room()
            more = (custom, 10, custom, len(TEXT)) if start == "cshake" else ()
            k.call(f"cryptile_{start}_init", ctx, strength, *more)
            for at, size in pieces(data):
                k.call("cryptile_xof_absorb", ctx, at, size)
            for size in (1, 300):
                k.call("cryptile_xof_squeeze", ctx, out, size)
            k.call("cryptile_xof_wipe", ctx, status=None)
            k.gone("cryptile_xof_wipe", ctx)
        k.call("cryptile_shake", strength, data, len(LONG), out, 500)
        k.call("cryptile_shake", strength, NULL, 5, out, 500, status=-1)


def kmacs(k: Left) -> None:
    key, data, out = k.secret(KEY), k.secret(LONG), k.room(300)
    custom = k.public(TEXT)

    def start(ctx: int, strength: int) -> None:
        k.call("cryptile_kmac_init", ctx, strength, key, 32, custom, 30)
        for at, size in pieces(data):
            k.call("cryptile_kmac_update", ctx, at, size)

    for strength in (168, 136):
        ctx = k.room()
        start(ctx, strength)
        k.call("cryptile_kmac_final", ctx, out, 40)
        k.gone("cryptile_kmac_final", ctx)
        code = k.public(k.m.read(out, 40))
        for wrong in (0, 1):
            start(ctx, strength)
            k.call("cryptile_kmac_verify", ctx, code + wrong, 40 - wrong, status=-10 * wrong)
            k.gone("cryptile_kmac_verify", ctx)
        start(ctx, strength)
        k.call("cryptile_kmac_squeeze", ctx, out, 300)
        k.call("cryptile_kmac_squeeze", ctx, out, 5)
        k.call("cryptile_kmac_wipe", ctx, status=None)
        k.gone("cryptile_kmac_wipe", ctx)


# --- cipher.h ---


def aes_impls(k: Left) -> list[str]:
    return [
        n for n in ("compact", "table", "bitsliced", "zkn") if f"cryptile_aes_{n}" in k.m.symbols
    ]


def cipher_params(k: Left, mode: int, decrypt: int, padding: int, key_len: int) -> int:
    head = b"".join(n.to_bytes(4, "little") for n in (mode, decrypt, padding))
    fill = bytes(4 if k.word == 8 else 0)
    words = (k.secret(KEY[:key_len]), key_len, k.public(KEY[:16]))
    return k.public(head + fill + b"".join(n.to_bytes(k.word, "little") for n in words))


def ciphers(k: Left) -> None:
    source, target, count = k.secret(LONG), k.room(1200), k.room(8)
    for name in aes_impls(k):
        impl = k.symbol(f"cryptile_aes_{name}")
        for mode, decrypt, padding, key_len in (
            (0, 0, 0, 16),
            (0, 1, 0, 32),
            (1, 0, 1, 16),
            (1, 0, 0, 24),
            (1, 1, 0, 16),
            (2, 0, 0, 32),
        ):
            params = cipher_params(k, mode, decrypt, padding, key_len)
            ctx = k.room()
            k.call("cryptile_cipher_init", ctx, impl, params)
            for at, size in (*pieces(source, 5), (source, 1100)):
                k.call("cryptile_cipher_update", ctx, at, size, target, 1200, count)
            k.call("cryptile_cipher_held", ctx, status=None)
            whole = mode == 2 or padding
            k.call("cryptile_cipher_final", ctx, target, 16, count, status=0 if whole else -3)
            k.gone("cryptile_cipher_final", ctx)
            for size in (16, 1040):
                k.call("cryptile_cipher_crypt", impl, params, source, size, target, 1200, count)
            k.call("cryptile_cipher_crypt", impl, params, source, 32, target, 1, count, status=-3)
            k.call("cryptile_cipher_init", ctx, impl, params)
            k.call("cryptile_cipher_wipe", ctx, status=None)
            k.gone("cryptile_cipher_wipe", ctx)
        padded = k.secret(_cbc_padded(TEXT[:20]))
        params = cipher_params(k, 1, 1, 1, 16)
        k.call("cryptile_cipher_crypt", impl, params, padded, 32, target, 40, count)
        k.call("cryptile_cipher_crypt", impl, params, source, 32, target, 40, count, status=-4)


def _cbc_padded(text: bytes) -> bytes:
    pad = 16 - len(text) % 16
    encryptor = Cipher(algorithms.AES(KEY[:16]), modes.CBC(KEY[:16])).encryptor()
    return encryptor.update(text + bytes([pad]) * pad)


def chacha20(k: Left) -> None:
    key, nonce, source, target = k.secret(KEY), k.public(NONCE), k.secret(LONG), k.room(1200)
    ctx = k.room()
    k.call("cryptile_chacha20_init", ctx, key, nonce, 1)
    for at, size in pieces(source):
        k.call("cryptile_chacha20_update", ctx, at, target, size)
    k.call("cryptile_chacha20_wipe", ctx, status=None)
    k.gone("cryptile_chacha20_wipe", ctx)
    for size in (5, 64, 1100):
        k.call("cryptile_chacha20", key, nonce, 1, source, target, size)
    k.call("cryptile_chacha20", key, nonce, 0xFFFFFFFF, source, target, 65, status=-3)


# --- drbg.h ---


def drbgs(k: Left) -> None:
    entropy, extra = k.secret(KEY + KEY[:16]), k.secret(TEXT)
    out, ctx = k.room(1200), k.room()
    k.call("cryptile_drbg_init", ctx, entropy, 47, NULL, 0, status=-3)
    k.call("cryptile_drbg_generate", ctx, out, 5, NULL, 0, status=-2)
    k.call("cryptile_drbg_init", ctx, entropy, 48, extra, 33)
    k.call("cryptile_drbg_reseed", ctx, entropy, 32, extra, 20)
    for size in (0, 5, 64, 1100):
        k.call("cryptile_drbg_generate", ctx, out, size, extra, 40 if size else 0)
    k.call("cryptile_drbg_wipe", ctx, status=None)
    k.gone("cryptile_drbg_wipe", ctx)


# --- cmac.h, xts.h ---


def cmacs(k: Left) -> None:
    data, out, ctx = k.secret(LONG), k.room(16), k.room()
    for key_len in (16, 32):
        key = k.secret(KEY[:key_len])

        def start(key: int = key, key_len: int = key_len) -> None:
            k.call("cryptile_cmac_init", ctx, key, key_len)
            for at, size in pieces(data):
                k.call("cryptile_cmac_update", ctx, at, size)

        start()
        k.call("cryptile_cmac_final", ctx, out, 16)
        k.gone("cryptile_cmac_final", ctx)
        code = k.public(k.m.read(out, 16))
        for wrong in (0, 1):
            start()
            k.call("cryptile_cmac_verify", ctx, code + wrong, 16 - wrong, status=-10 * wrong)
            k.gone("cryptile_cmac_verify", ctx)
        start()
        k.call("cryptile_cmac_wipe", ctx, status=None)
        k.gone("cryptile_cmac_wipe", ctx)
        k.call("cryptile_cmac", key, key_len, data, 300, out, 16)
        code = k.public(k.m.read(out, 16))
        k.call("cryptile_cmac_check", key, key_len, data, 300, code, 16)
        k.call("cryptile_cmac_check", key, key_len, data, 299, code, 16, status=-10)


def xts(k: Left) -> None:
    source, target, tweak = k.secret(LONG), k.room(1200), k.public(NONCE + bytes(4))
    for key_len in (32, 64):
        key = k.secret(LONG[:key_len])
        for direction in (0, 1):
            ctx = k.room(2048)
            k.call("cryptile_xts_init", ctx, direction, key, key_len)
            for size in (16, 17, 160, 1100):
                k.call("cryptile_xts_crypt", ctx, tweak, source, target, size)
                k.call("cryptile_xts", direction, key, key_len, tweak, source, target, size)
            k.call("cryptile_xts_wipe", ctx, status=None)
            k.gone("cryptile_xts_wipe", ctx)
    k.call("cryptile_xts_init", ctx, 0, k.secret(KEY[:16] * 2), 32, status=-11)


# --- aead.h ---

AEADS = {
    "aes_gcm": (16, 12),
    "aes_ccm": (32, 13),
    "chacha20_poly1305": (32, 12),
    "ascon_aead128": (16, 16),
}


def aeads(k: Left) -> None:
    aad, source, target, tag = k.public(TEXT), k.secret(LONG), k.room(1200), k.room(16)
    for name, (key_len, nonce_len) in AEADS.items():
        alg = k.symbol(f"cryptile_{name}")
        nonce_lens = (nonce_len, 40) if name == "aes_gcm" else (nonce_len,)
        for nonces in nonce_lens:
            params = k.words(k.secret(KEY[:key_len]), key_len, k.public(TEXT[:nonces]), nonces, 16)
            stated = name == "aes_ccm"
            _aead_in_parts(k, alg, params, aad, source, target, tag, stated=stated)
            for size in (0, 5, 100, 1100):
                k.call("cryptile_aead_encrypt", alg, params, aad, 20, source, size, target, tag)
                sent = k.public(k.m.read(target, size)), k.public(k.m.read(tag, 16))
                plain = k.room(1200)
                for length, status in ((20, 0), (21, -10)):
                    k.call(
                        "cryptile_aead_decrypt",
                        alg,
                        params,
                        aad,
                        length,
                        sent[0],
                        size,
                        sent[1],
                        plain,
                        status=status,
                    )


def _aead_in_parts(
    k: Left, alg: int, params: int, aad: int, source: int, target: int, tag: int, *, stated: bool
) -> None:
    ctx = k.room()
    sizes = [size for _, size in pieces(source)]
    for direction, last, status in (
        (0, "finish", 0),
        (1, "verify", 0),
        (1, "verify", -10),
        (1, "wipe", None),
    ):
        k.call("cryptile_aead_init", ctx, alg, direction, params)
        if stated or last == "wipe":
            some = sizes[:7] if status == -10 else sizes
            lengths = (sum(size for _, size in pieces(aad, 3)), sum(some))
            words = lengths if k.word == 8 else (lengths[0], 0, lengths[1], 0)
            k.call("cryptile_aead_set_lengths", ctx, *words)
        for at, size in pieces(aad, 3):
            k.call("cryptile_aead_aad", ctx, at, size)
        done = 0
        for size in sizes[: 7 if status == -10 else None]:
            k.call("cryptile_aead_update", ctx, source + done, target + done, size)
            done += size
        k.call(f"cryptile_aead_{last}", ctx, *([tag] if last != "wipe" else []), status=status)
        k.gone(f"cryptile_aead_{last}", ctx)
        if last == "finish":  # what is sent is public
            source, target = k.public(k.m.read(target, done)), k.room(1200)
            tag = k.public(k.m.read(tag, 16))


# --- curve25519.h, p256.h, p384.h, p521.h ---

P256_BASE = bytes.fromhex(
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)


def curve25519(k: Left) -> None:
    key, out, peer = k.secret(KEY), k.room(64), k.public(b"\x09" + bytes(31))
    k.call("cryptile_x25519_public", out, key)
    k.call("cryptile_x25519", out, key, peer)
    k.call("cryptile_x25519", out, key, k.public(bytes(32)), status=-11)
    public, signature = k.room(32), k.room(64)
    k.call("cryptile_ed25519_public", public, key)
    k.call("cryptile_ed25519_sign", signature, k.secret(LONG), 300, key, public)
    message = k.public(LONG)
    k.call("cryptile_ed25519_verify", signature, message, 300, public)
    k.call("cryptile_ed25519_verify", signature, message, 299, public, status=-10)


def _nist(name: str, size: int) -> Scene:
    """Return the scene of a curve, with numbers of so many bytes."""

    def scene(k: Left) -> None:
        key, out, digest = (
            k.secret(KEY.rjust(size, b"\0")),
            k.room(2 * size + 1),
            k.public(TEXT[:32]),
        )
        alg = k.symbol("cryptile_sha256")
        k.call(f"cryptile_{name}_public_key", out, key)
        k.call(
            f"cryptile_{name}_public_key", k.room(2 * size + 1), k.secret(bytes(size)), status=-11
        )
        k.call(f"cryptile_{name}_ecdh", k.room(size), key, out)
        signature = k.room(2 * size)
        k.call(f"cryptile_{name}_sign", signature, key, alg, digest)
        none, room = k.secret(b"\xff" * size), k.room(2 * size)
        k.call(f"cryptile_{name}_sign", room, none, alg, digest, status=-11)
        k.call(f"cryptile_{name}_verify", out, digest, 32, signature)

    return scene


p256, p384, p521 = _nist("p256", 32), _nist("p384", 48), _nist("p521", 66)


# --- rsa.h ---


def _rsa_key() -> RSAPrivateKey:
    """Return a key whose primes are known by heart."""
    p, q, e = 2**1279 - 1, 2**2203 - 1, 65537
    d = pow(e, -1, (p - 1) * (q - 1))
    public = RSAPublicNumbers(e, p * q)
    numbers = RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), public)
    return numbers.private_key(unsafe_skip_rsa_key_validation=True)


def rsa(k: Left) -> None:
    """All of it is public."""
    private, text = _rsa_key(), TEXT[:32]
    digest, alg = k.public(text), k.symbol("cryptile_sha256")
    modulus = private.public_key().public_numbers().n.to_bytes(436, "big")
    key = k.words(k.public(modulus), 436, 65537)
    function, prehashed = SHA256(), Prehashed(SHA256())
    pkcs1 = k.public(private.sign(text, PKCS1v15(), prehashed))
    pss = k.public(private.sign(text, PSS(MGF1(function), 32), prehashed))
    k.call("cryptile_rsa_pkcs1_verify", key, alg, digest, pkcs1, 436)
    k.call("cryptile_rsa_pkcs1_verify", key, alg, digest, pss, 436, status=-10)
    k.call("cryptile_rsa_pss_verify", key, alg, digest, 32, pss, 436)
    k.call("cryptile_rsa_pss_verify", key, alg, digest, 32, pkcs1, 436, status=-10)


# --- psa/crypto.h ---

RAW, HMAC, DERIVE, CHACHA20, ASCON, AES = 0x1001, 0x1100, 0x1200, 0x2004, 0x2008, 0x2400
PAIR_NIST, PAIR_X25519, PAIR_ED25519, PUBLIC_RSA = 0x7112, 0x7141, 0x7142, 0x4001
ALL_USES = 0x7F03
SHA_256, ASCON_HASH256 = 0x02000009, 0x02000019
HMAC_SHA_256, CMAC = 0x03800009, 0x03C00200
SHAKE128, ASCON_XOF128, ASCON_CXOF128 = 0x0D000100, 0x0D000300, 0x0D008300
STREAM, CTR, ECB, CBC, CBC_PKCS7 = 0x04800100, 0x04C01000, 0x04404400, 0x04404000, 0x04404100
XTS, CCM = 0x0440FF00, 0x05500100 | 16 << 16
GCM, CHACHAPOLY, ASCON_AEAD128 = 0x05500200 | 16 << 16, 0x05100500 | 16 << 16, 0x05100700
EDDSA, ECDSA, ECDH = 0x06000800, 0x06000609, 0x09020000
PKCS1_SIGN, PSS_SIGN = 0x06000209, 0x06000309
CURVE_KEYS = {
    256: KEY,
    384: KEY + KEY[:16],
    521: b"\0" + KEY + KEY + KEY[:1],
}
"""Private keys of NIST's curves by their bits."""


class Psa:
    """Keys of the PSA layer."""

    def __init__(self, k: Left) -> None:
        self.k = k
        self.count = k.room(8)
        k.call("psa_crypto_init")
        k.call("cryptile_psa_set_engine", NULL, status=None)
        for status in self.sources():
            k.call("psa_generate_random", k.room(16), 16, status=status)

    def sources(self) -> Iterator[int]:
        """Set no source of random numbers, then one; give the status that then is expected."""
        for source, status in ((NULL, -148), (SOURCE, 0)):
            self.k.call("cryptile_psa_set_random", source, status=None)
            yield status

    def attributes(self, kind: int, alg: int, bits: int = 0) -> int:
        parts = (kind, ALL_USES, alg)
        data = b"".join(part.to_bytes(4, "little") for part in parts)
        if self.k.word == 8:
            data += bytes(4)
        return self.k.public(data + bits.to_bytes(self.k.word, "little") + bytes(self.k.word))

    def key(self, kind: int, alg: int, data: bytes = KEY) -> int:
        out = self.k.room(8)
        given = self.k.secret(data)
        self.k.call("psa_import_key", self.attributes(kind, alg), given, len(data), out)
        return self.k.number(out, 4)

    def destroy(self, key: int) -> None:
        self.k.call("psa_destroy_key", key)
        assert self.k.in_static() == 0, "a destroyed key is still there"


def psa_keys(k: Left) -> None:
    psa = Psa(k)
    key = psa.key(AES, CTR)
    k.call("psa_get_key_attributes", key, k.room(32))
    k.call("psa_export_key", key, k.room(64), 64, psa.count)
    copy = k.room(8)
    k.call("psa_copy_key", key, psa.attributes(AES, CTR), copy)
    k.call("psa_destroy_key", key)
    psa.destroy(k.number(copy, 4))
    for kind, bits in ((AES, 128), *((PAIR_NIST, bits) for bits in CURVE_KEYS)):
        for status in psa.sources():
            made = k.room(8)
            k.call("psa_generate_key", psa.attributes(kind, CTR, bits), made, status=status)
        psa.destroy(k.number(made, 4))
    pairs = [(PAIR_NIST, secret) for secret in CURVE_KEYS.values()]
    for kind, secret in (*pairs, (PAIR_X25519, KEY), (PAIR_ED25519, KEY)):
        key = psa.key(kind, ECDH, secret)
        k.call("psa_export_public_key", key, k.room(133), 133, psa.count)
        psa.destroy(key)


def psa_hashes(k: Left) -> None:
    data, out, count = k.secret(LONG), k.room(64), k.room(8)
    for alg in (SHA_256, ASCON_HASH256):
        k.call("psa_hash_compute", alg, data, 300, out, 64, count)
        digest = k.public(k.m.read(out, 32))
        k.call("psa_hash_compare", alg, data, 300, digest, 32)
        k.call("psa_hash_compare", alg, data, 299, digest, 32, status=-149)
        for last in ("finish", "verify", "abort"):
            operation, copy = k.room(), k.room()
            k.call("psa_hash_setup", operation, alg)
            k.call("psa_hash_update", operation, data, 300)
            k.call("psa_hash_clone", operation, copy)
            arguments = {"finish": (out, 64, count), "verify": (digest, 32), "abort": ()}[last]
            for item in (operation, copy):
                k.call(f"psa_hash_{last}", item, *arguments)
                k.gone(f"psa_hash_{last}", item)


def psa_xofs(k: Left) -> None:
    data, context, out = k.secret(LONG), k.public(TEXT), k.room(300)
    for alg in (SHAKE128, ASCON_XOF128, ASCON_CXOF128):
        operation = k.room()
        k.call("psa_xof_setup", operation, alg)
        if alg == ASCON_CXOF128:
            k.call("psa_xof_set_context", operation, context, 100)
        for at, size in ((0, 5), (5, 295)):
            k.call("psa_xof_update", operation, data + at, size)
        for size in (5, 295):
            k.call("psa_xof_output", operation, out, size)
        k.call("psa_xof_abort", operation)
        k.gone("psa_xof_abort", operation)


def psa_macs(k: Left) -> None:
    psa = Psa(k)
    data, out, count = k.secret(LONG), k.room(64), k.room(8)
    for kind, alg, size in ((HMAC, HMAC_SHA_256, 32), (AES, CMAC, 16)):
        key = psa.key(kind, alg)
        k.call("psa_mac_compute", key, alg, data, 300, out, 64, count)
        code = k.public(k.m.read(out, size))
        k.call("psa_mac_verify", key, alg, data, 300, code, size)
        k.call("psa_mac_verify", key, alg, data, 299, code, size, status=-149)
        for start, last, arguments in (
            ("sign", "sign_finish", (out, 64, count)),
            ("verify", "verify_finish", (code, size)),
            ("sign", "abort", ()),
        ):
            operation = k.room()
            k.call(f"psa_mac_{start}_setup", operation, key, alg)
            k.call("psa_mac_update", operation, data, 300)
            k.call(f"psa_mac_{last}", operation, *arguments)
            k.gone(f"psa_mac_{last}", operation)
        psa.destroy(key)


def psa_ciphers(k: Left) -> None:
    psa = Psa(k)
    data, out, count, iv = k.secret(LONG), k.room(1200), k.room(8), k.public(KEY)
    for kind, alg, iv_len in (
        (AES, ECB, 0),
        (AES, CBC, 16),
        (AES, CBC_PKCS7, 16),
        (AES, CTR, 16),
        (CHACHA20, STREAM, 12),
        (AES, XTS, 16),
    ):
        key = psa.key(kind, alg)
        whole = alg != CBC_PKCS7
        k.call("psa_cipher_encrypt", key, alg, data, 640, out, 1200, count)
        k.call(
            "psa_cipher_decrypt",
            key,
            alg,
            data,
            640 + iv_len,
            out,
            1200,
            count,
            status=0 if whole else None,
        )
        for direction in ("encrypt", "decrypt"):
            for last in ("finish", "abort"):
                operation = k.room()
                k.call(f"psa_cipher_{direction}_setup", operation, key, alg)
                if iv_len:
                    k.call("psa_cipher_set_iv", operation, iv, iv_len)
                for size in (5, 640 - 5, *((9,) if alg == XTS else ())):
                    k.call("psa_cipher_update", operation, data, size, out, 1200, count)
                arguments = (out, 1200, count) if last == "finish" else ()
                wanted = None if direction == "decrypt" and not whole else 0
                k.call(f"psa_cipher_{last}", operation, *arguments, status=wanted)
                k.gone(f"psa_cipher_{last}", operation)
        for status in psa.sources() if iv_len else ():
            operation = k.room()
            k.call("psa_cipher_encrypt_setup", operation, key, alg)
            k.call("psa_cipher_generate_iv", operation, out, 16, count, status=status)
            if status == 0:
                k.call("psa_cipher_abort", operation)
            k.gone("psa_cipher_generate_iv", operation)
        psa.destroy(key)


def psa_aeads(k: Left) -> None:
    psa = Psa(k)
    data, out, count = k.secret(LONG), k.room(1200), k.room(8)
    aad, nonce, back = k.public(TEXT), k.public(TEXT[:16]), k.room(1200)
    for kind, alg, size, nonce_len in (
        (AES, CCM, 32, 13),
        (AES, GCM, 32, 12),
        (CHACHA20, CHACHAPOLY, 32, 12),
        (ASCON, ASCON_AEAD128, 16, 16),
    ):
        key = psa.key(kind, alg, KEY[:size])
        k.call("psa_aead_encrypt", key, alg, nonce, nonce_len, aad, 20, data, 640, out, 1200, count)
        sent = k.public(k.m.read(out, 656))
        for length, status in ((20, 0), (21, -149)):
            k.call(
                "psa_aead_decrypt",
                key,
                alg,
                nonce,
                nonce_len,
                aad,
                length,
                sent,
                656,
                back,
                1200,
                count,
                status=status,
            )
        for direction, last in (
            ("encrypt", "finish"),
            ("decrypt", "verify"),
            ("decrypt", "abort"),
        ):
            operation = k.room()
            k.call(f"psa_aead_{direction}_setup", operation, key, alg)
            k.call("psa_aead_set_lengths", operation, 20, 640)
            k.call("psa_aead_set_nonce", operation, nonce, nonce_len)
            k.call("psa_aead_update_ad", operation, aad, 20)
            source = data if direction == "encrypt" else sent
            for at, size in ((0, 5), (5, 635)):
                k.call("psa_aead_update", operation, source + at, size, out, 1200, count)
            arguments = {
                "finish": (NULL, 0, count, back, 16, k.room(8)),
                "verify": (NULL, 0, count, sent + 640, 16),
                "abort": (),
            }[last]
            k.call(f"psa_aead_{last}", operation, *arguments)
            k.gone(f"psa_aead_{last}", operation)
        for status in psa.sources():
            operation = k.room()
            k.call("psa_aead_encrypt_setup", operation, key, alg)
            k.call("psa_aead_set_lengths", operation, 20, 640)
            k.call("psa_aead_generate_nonce", operation, out, 16, count, status=status)
            if status == 0:
                k.call("psa_aead_abort", operation)
            k.gone("psa_aead_generate_nonce", operation)
        psa.destroy(key)


def psa_signatures(k: Left) -> None:
    psa = Psa(k)
    count, out, message, digest = psa.count, k.room(132), k.public(LONG), k.public(TEXT[:32])
    secret, secret_digest = k.secret(LONG), k.secret(TEXT[:32])
    pairs = [(PAIR_NIST, ECDSA, private) for private in CURVE_KEYS.values()]
    for kind, alg, private in (*pairs, (PAIR_ED25519, EDDSA, KEY)):
        key, size = psa.key(kind, alg, private), 2 * len(private)
        k.call("psa_sign_message", key, alg, secret, 300, out, 132, count)
        out = k.public(k.m.read(out, 132))
        k.call("psa_verify_message", key, alg, message, 300, out, size)
        if kind == PAIR_NIST:
            k.call("psa_sign_hash", key, alg, secret_digest, 32, out, 132, count)
            out = k.public(k.m.read(out, 132))
            k.call("psa_verify_hash", key, alg, digest, 32, out, size)
        psa.destroy(key)


def psa_rsa(k: Left) -> None:
    """All of it is public."""
    psa, private, text = Psa(k), _rsa_key(), TEXT[:32]
    der = private.public_key().public_bytes(Encoding.DER, PublicFormat.PKCS1)
    for alg, padding in ((PKCS1_SIGN, PKCS1v15()), (PSS_SIGN, PSS(MGF1(SHA256()), 32))):
        made, given = k.room(8), k.public(der)
        k.call("psa_import_key", psa.attributes(PUBLIC_RSA, alg), given, len(der), made)
        key, signature = k.number(made, 4), k.public(private.sign(text, padding, SHA256()))
        k.call("psa_export_public_key", key, k.room(528), 528, psa.count)
        k.call("psa_verify_message", key, alg, k.public(text), 32, signature, 436)
        k.call(
            "psa_verify_message", key, alg, k.public(TEXT[1:33]), 32, signature, 436, status=-149
        )
        psa.destroy(key)


def peers() -> Iterator[tuple[int, bytes, bytes]]:
    """Yield the type and a private key of each kind of agreement, and the base as a peer."""
    for bits, curve in ((256, SECP256R1()), (384, SECP384R1()), (521, SECP521R1())):
        base = derive_private_key(1, curve).public_key()
        point = base.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        yield PAIR_NIST, CURVE_KEYS[bits], point
    yield PAIR_X25519, KEY, b"\x09" + bytes(31)


def psa_agreements(k: Left) -> None:
    psa = Psa(k)
    for kind, private, peer in peers():
        key = psa.key(kind, ECDH, private)
        given = k.public(peer)
        k.call("psa_raw_key_agreement", ECDH, key, given, len(peer), k.room(66), 66, psa.count)
        made = k.room(8)
        attributes = psa.attributes(DERIVE, HMAC_SHA_256)
        k.call("psa_key_agreement", key, given, len(peer), ECDH, attributes, made)
        k.call("psa_destroy_key", k.number(made, 4))
        psa.destroy(key)


HKDF, HKDF_EXTRACT, HKDF_EXPAND, TLS12_PRF = 0x08000109, 0x08000409, 0x08000509, 0x08000209
INPUTS = {
    HKDF: (0x202, 0x101, 0x203),
    HKDF_EXTRACT: (0x202, 0x101),
    HKDF_EXPAND: (0x101, 0x203),
    TLS12_PRF: (0x204, 0x101, 0x201),
}
"""Steps of key derivation, in an order that each takes: the secret's is 0x101."""


def psa_derivations(k: Left) -> None:
    psa = Psa(k)
    data, out, secret = k.public(TEXT), k.room(200), k.secret(KEY)
    for alg, steps in INPUTS.items():
        key = psa.key(DERIVE, alg)
        for by_key in (False, True):
            operation = k.room()
            k.call("psa_key_derivation_setup", operation, alg)
            for step in steps:
                if step == 0x101 and by_key:
                    k.call("psa_key_derivation_input_key", operation, step, key)
                else:
                    source = (secret, 32) if step == 0x101 else (data, 20)
                    k.call("psa_key_derivation_input_bytes", operation, step, *source)
            k.call("psa_key_derivation_get_capacity", operation, psa.count)
            k.call("psa_key_derivation_set_capacity", operation, 32)
            for size in (5, 11):
                k.call("psa_key_derivation_output_bytes", operation, out, size)
            made = k.room(8)
            attributes = psa.attributes(AES, CTR, 128)
            k.call(
                "psa_key_derivation_output_key",
                attributes,
                operation,
                made,
                status=0 if by_key else -133,
            )
            k.call("psa_destroy_key", k.number(made, 4))
            k.call("psa_key_derivation_abort", operation)
            k.gone("psa_key_derivation_abort", operation)
        psa.destroy(key)


def psa_derivations_from_agreements(k: Left) -> None:
    psa = Psa(k)
    for kind, private, peer in peers():
        alg, operation, made = ECDH | HKDF, k.room(), k.room(8)
        key, given = psa.key(kind, alg, private), k.public(peer)
        k.call("psa_key_derivation_setup", operation, alg)
        k.call("psa_key_derivation_key_agreement", operation, 0x101, key, given, len(peer))
        k.call("psa_key_derivation_input_bytes", operation, 0x203, NULL, 0)
        k.call("psa_key_derivation_output_bytes", operation, k.room(100), 100)
        bits = 255 if kind == PAIR_X25519 else {32: 256, 48: 384, 66: 521}[len(private)]
        attributes = psa.attributes(kind, ECDH, bits)
        k.call("psa_key_derivation_output_key", attributes, operation, made)
        k.call("psa_destroy_key", k.number(made, 4))
        k.call("psa_key_derivation_abort", operation)
        k.gone("psa_key_derivation_abort", operation)
        psa.destroy(key)


# --- status.h, version.h, self_test.h ---


def words(k: Left) -> None:
    """What the library says of itself, of a status and of a number that is none."""
    for status in (0, -3, -11, -12, 1):
        k.call("cryptile_strerror", status, status=None)
    k.call("cryptile_version", status=None)


def self_tests(k: Left) -> None:
    """Without NIST's curves, which take nearly all of its time and have scenes of their own."""
    k.call("cryptile_self_test_name", 3, status=None)
    topic = k.m.symbols["cry_self_test_nistp"]
    before = k.m.read(topic, 8)
    k.m.write(topic, bytes(8))
    k.call("cryptile_self_test", k.room(8))
    k.m.write(topic, before)


SYMMETRIC: tuple[Scene, ...] = (
    words, hashes, hmacs, hkdfs, ascon, xofs, kmacs, ciphers, chacha20, cmacs, xts, aeads, drbgs,
    psa_hashes, psa_xofs, psa_macs, psa_ciphers, psa_aeads, psa_derivations,
)  # fmt: skip
ASYMMETRIC: tuple[Scene, ...] = (
    curve25519, p256, p384, p521, rsa, psa_keys, psa_signatures, psa_rsa, psa_agreements,
    psa_derivations_from_agreements, self_tests,
)  # fmt: skip
SCENES = SYMMETRIC + ASYMMETRIC


def run(machine: Any, scenes: tuple[Scene, ...] = SCENES) -> Left:
    """Play scenes on a machine."""
    found = Left(machine)
    for scene in scenes:
        machine.reload()
        scene(found)
        assert found.in_static() == 0, scene.__name__
    machine.reload()
    return found
