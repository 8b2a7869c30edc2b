"""Jobs by kind of engine: one long message, or many short ones of every kind."""

import hmac
import random
from collections.abc import Callable

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from cryptile.catalog import Key, engines, mode
from cryptile.errors import UsageError
from cryptile.faults import accesses
from cryptile.faults.aes_modes import aes_modes
from cryptile.faults.job import BLOCK, Job

Make = Callable[[random.Random, int, int], list[Job]]
"""Makes jobs from a generator, a number of jobs and a number of bytes."""


def aes(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs for AES: one long message in CTR, or short ones in every mode and key length."""
    if count == 1:
        iv = rng.randbytes(16)
        return [Job(mode("aes", "ctr"), False, 0, iv, rng.randbytes(size), rng.randbytes(32))]
    return [_random_aes(rng, size) for _ in range(count)]


def _random_aes(rng: random.Random, size: int) -> Job:
    known = engines()["aes"].modes
    name, refused = rng.choice(list(known)), rng.random() < 0.03
    length = rng.randint(0, size) if name == "ctr" else BLOCK * rng.randint(0, size // BLOCK)
    number = known[name].number
    if refused:
        number = rng.choice([3, 9, 15])
    takes_key = not refused and length > 0
    return Job(
        number,
        rng.random() < 0.5,
        rng.choice([0, 1, 2]),
        rng.randbytes(16),
        rng.randbytes(length),
        rng.randbytes(32) if takes_key else None,
        ctx_save=rng.random() < 0.2,
        is_final=rng.random() < 0.5,
        refused=refused,
    )


_CHACHA = "chacha20poly1305"


def chacha20poly1305(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs for ChaCha20-Poly1305: one long stream, or short ones of every kind."""
    if count == 1:
        iv = (1).to_bytes(4, "little") + rng.randbytes(12)
        number = mode(_CHACHA, "chacha20")
        return [Job(number, False, 2, iv, rng.randbytes(size), rng.randbytes(32))]
    return [_random_chacha(rng, size) for _ in range(count)]


def _random_chacha(rng: random.Random, size: int) -> Job:
    kind = rng.choices(["stream", "mac", "aead", "refused"], [2, 1, 6, 0.3])[0]
    message, key = rng.randbytes(rng.randint(0, size)), rng.randbytes(32)
    chacha20, poly1305, both = (item.number for item in engines()[_CHACHA].modes.values())
    if kind == "refused":
        key_len = rng.choice([0, 1, 3])
        number = rng.choice([chacha20, poly1305, both])
        return Job(number, False, key_len, rng.randbytes(16), message, None, refused=True)
    if kind == "stream":
        iv = rng.randint(0, 1000).to_bytes(4, "little") + rng.randbytes(12)
        whole = len(message) % 64 == 0
        return Job(chacha20, rng.random() < 0.5, 2, iv, message, key if message else None,
                   ctx_save=whole and rng.random() < 0.5)  # fmt: skip
    if kind == "mac":
        return Job(poly1305, False, 2, bytes(16), message, key)
    nonce, aad = rng.randbytes(12), rng.randbytes(rng.choice([0, rng.randint(1, size)]))
    iv = nonce + bytes(4)
    if rng.random() < 0.4:
        return Job(both, False, 2, iv, message, key, aad)
    sealed = ChaCha20Poly1305(key).encrypt(nonce, message, aad)
    message, tag = sealed[:-BLOCK], bytearray(sealed[-BLOCK:])
    if rng.random() < 0.3:
        tag[rng.randrange(BLOCK)] ^= 1 << rng.randrange(8)
    return Job(both, True, 2, iv, message, key, aad, bytes(tag))


def sha2(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs for SHA-2: SHA-256 of one long message, or short ones of every kind."""
    if count == 1:
        number = mode("sha2", "sha256")
        return [Job(number, False, 0, bytes(16), rng.randbytes(size), None)]
    return [_random_sha2(rng, size) for _ in range(count)]


def _random_sha2(rng: random.Random, size: int) -> Job:
    known = engines()["sha2"].modes
    name = rng.choice([name for name, item in known.items() if item.key is Key.none])
    message, more = rng.randbytes(rng.randint(0, size)), rng.random() < 0.2
    if rng.random() < 0.03:
        return Job(6, False, 0, bytes(16), message, None, refused=True)
    if more:
        message = message[: len(message) // 128 * 128]
    context = rng.randbytes(BLOCK * known[name].context) if rng.random() < 0.2 else b""
    out_len = rng.choice([0, rng.randint(1, 28)])
    if rng.random() < 0.5:
        return Job(known[name].number, False, 0, bytes(16), message, None, ctx_save=more,
                   is_final=not more, out_len=out_len, context=context)  # fmt: skip
    key_bytes, key = rng.randint(0, 64), rng.randbytes(64)
    tag: bytes | None = None
    if not more and rng.random() < 0.5:
        right = hmac.digest(key[:key_bytes], message, name)
        tag = right[: out_len or len(right)]
        if rng.random() < 0.3:
            tag = tag[:-1] + bytes([tag[-1] ^ 1 << rng.randrange(8)])
    return Job(known[f"hmac_{name}"].number, tag is not None, 0, bytes(16), message, key, tag=tag,
               ctx_save=more, is_final=not more, key_bytes=key_bytes, out_len=out_len,
               context=context)  # fmt: skip


_KMAC_SAMPLE = "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"
"""KMAC128 of 00010203 with the key 40 .. 5f: sample 1 of NIST."""


def keccak(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs for SHA-3 and KMAC: SHA3-256 of one long message, or short ones of every kind."""
    if count == 1:
        number = mode("keccak", "sha3_256")
        return [Job(number, False, 0, bytes(16), rng.randbytes(size), None)]
    return [_random_keccak(rng, size) for _ in range(count)]


def _random_keccak(rng: random.Random, size: int) -> Job:
    known = engines()["keccak"].modes
    name = rng.choice(list(known))
    item, message, iv = known[name], rng.randbytes(rng.randint(0, size)), bytes(16)
    fixed, keyed = name.startswith("sha3"), item.key is not Key.none
    names = b"\x01\x20KMAC\x01\x00"
    if rng.random() < 0.03:
        return Job(12, False, 0, iv, message, None, refused=True)
    if rng.random() < 0.15:
        tag = bytearray.fromhex(_KMAC_SAMPLE)
        if rng.random() < 0.3:
            tag[rng.randrange(32)] ^= 1 << rng.randrange(8)
        number, key = known["kmac128"].number, bytes(range(0x40, 0x80))
        return Job(number, True, 0, iv, bytes(range(4)), key, names, bytes(tag), key_bytes=32)
    more, context = rng.random() < 0.2, b""
    if rng.random() < 0.2:
        names, context = b"", rng.randbytes(200) + bytes(8)
    if more:
        message = message[: len(message) // item.block * item.block]
    out_len = rng.choice([0, rng.randint(1, 28 if fixed else max(28, size))])
    key_bytes, secret = rng.randint(0, 64), rng.randbytes(64) if keyed else None
    customized = keyed or name.startswith("cshake")
    return Job(item.number, False, 0, iv, message, secret, names if customized else b"",
               ctx_save=more, is_final=not more, key_bytes=key_bytes, out_len=out_len,
               context=context)  # fmt: skip


def plain(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs that any engine with one mode takes: a key and a message of at least one byte."""
    lengths = [size] if count == 1 else [rng.randint(1, size) for _ in range(count)]
    return [
        Job(0, False, 2, rng.randbytes(16), rng.randbytes(length), rng.randbytes(32))
        for length in lengths
    ]


KINDS: dict[str, Make] = {
    "plain": plain,
    "aes": aes,
    "aes_modes": aes_modes,
    "chacha20poly1305": chacha20poly1305,
    "sha2": sha2,
    "keccak": keccak,
    "tile_guard": accesses.guard,
    "tile_key_slots": accesses.key_slots,
}


def make(kind: str, seed: int, count: int, size: int) -> list[Job]:
    """Return jobs of a kind, the same ones for the same seed.

    Raises:
        UsageError: there is no such kind.
    """
    if kind not in KINDS:
        raise UsageError(f"unknown kind of jobs {kind!r}: choose from {', '.join(KINDS)}")
    return KINDS[kind](random.Random(seed), count, size)
