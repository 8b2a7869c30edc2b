"""Random jobs for the public-key engines, with rows of 256, 384 and 576 bits.

Those whose results are random, signatures, new keys and nonces, are asked for with what is refused
alone.
"""

import random
from dataclasses import dataclass
from functools import cached_property

from cryptile.catalog import Key, Mode, engines, mode
from cryptile.jobs.job import Job
from cryptile.jobs.oracle.curve25519 import (
    ed25519_commit,
    ed25519_public,
    ed25519_sign,
    ed25519_verify,
    x25519,
)
from cryptile.jobs.oracle.nist_curve import P256, P384, P521, NistCurve
from cryptile.jobs.outcome import REFUSED, Outcome
from cryptile.jobs.port import INVALID, KEY

X25519, P256_ECDH = mode("pka", "x25519"), mode("pka", "p256_ecdh")
P256_SIGN, P256_VERIFY = mode("pka", "p256_sign"), mode("pka", "p256_verify")
P256_PUBLIC, P256_KEYGEN = mode("pka", "p256_public"), mode("pka", "p256_keygen")
ED_PUBLIC, ED_COMMIT = mode("pka", "ed25519_public"), mode("pka", "ed25519_commit")
ED_SIGN, ED_VERIFY = mode("pka", "ed25519_sign"), mode("pka", "ed25519_verify")
ED_KEYGEN, ED_NONCE = mode("pka", "ed25519_keygen"), mode("pka", "ed25519_nonce")
ED_ONCE, X_KEYGEN = mode("pka", "ed25519_sign_once"), mode("pka", "x25519_keygen")

CURVES = {
    "pka": ("p256", P256),
    "pka_fast": ("p256", P256),
    "pka384": ("p384", P384),
    "pka521": ("p521", P521),
}
"""The curve of NIST that each engine has, and how the names of its modes begin."""

_NUMBERS = {"ecdh": 2, "sign": 1, "verify": 5, "public": 0, "keygen": 0}
"""Numbers of a message, by mode of a curve of NIST."""

_BYTES = {
    "x25519": 32,
    "ed25519_public": 0,
    "ed25519_commit": 64,
    "ed25519_sign": 192,
    "ed25519_verify": 160,
    "ed25519_keygen": 0,
    "ed25519_nonce": 0,
    "ed25519_sign_once": 96,
    "x25519_keygen": 0,
}
"""Bytes of the messages of others."""

_KEYS = {"ed25519_nonce": 32, "ed25519_sign_once": 64}
"""Bytes of their keys, where a job says how many it has."""

X25519_BASE = (9).to_bytes(32, "little")

_MADE = ("keygen", "ed25519_keygen", "ed25519_nonce", "x25519_keygen")
"""What gives new keys and refuses nothing."""


@dataclass(frozen=True)
class Engine:
    """An engine, by its name in the catalogue, and its curve."""

    name: str
    on: NistCurve

    @property
    def modes(self) -> dict[int, Mode]:
        """Its modes by number."""
        return {item.number: item for item in engines()[self.name].modes.values()}

    @cached_property
    def words(self) -> dict[int, str]:
        """What its modes are called, without the name of the curve of NIST, by number."""
        begin = CURVES[self.name][0] + "_"
        found = engines()[self.name].modes
        return {item.number: word.removeprefix(begin) for word, item in found.items()}

    def number(self, word: str) -> int:
        """Return the mode that is called so."""
        return next(number for number, name in self.words.items() if name == word)

    @property
    def sizes(self) -> dict[int, int]:
        """Bytes of a message, by mode."""
        of_curve = {word: count * self.on.size for word, count in _NUMBERS.items()}
        return {number: (_BYTES | of_curve)[word] for number, word in self.words.items()}

    def key_bytes(self, number: int) -> int:
        """Return ``key_bytes`` of a mode's jobs: what a key of its own length has, else 0."""
        if self.modes[number].key != Key.bytes:
            return 0
        return _KEYS.get(self.words[number], self.on.size)

    @property
    def names(self) -> dict[str, int]:
        """Numbers of its modes by their names in the catalogue."""
        return {name: item.number for name, item in engines()[self.name].modes.items()}

    def is_big_endian(self, name: str) -> bool:
        """Return whether a mode, by its name, has big-endian numbers: those of a curve of NIST."""
        return name.startswith(CURVES[self.name][0])

    def valid(self, rng: random.Random, name: str) -> Job:
        """Draw a job of a mode, by its name, that is accepted."""
        number = self.names[name]
        key = self._key(rng, number) if self.modes[number].key != Key.none else None
        length, message = self.key_bytes(number), self._message(rng, number, key)
        if key and self.words[number] in _KEYS:
            key = key.ljust(2 * KEY, b"\0")  # always two transfers
        return Job(number, False, 0, b"", message, key, key_bytes=length)

    def jobs(self, rng: random.Random, count: int, size: int) -> list[Job]:
        """Jobs of every kind; messages are what modes take, ``size`` bounds those that are not."""
        numbers = list(self.modes)
        return [self._random(rng, rng.choice(numbers), size) for _ in range(count)]

    def _random(self, rng: random.Random, number: int, size: int) -> Job:
        if self.words[number] in _MADE or rng.random() < 0.2:
            message = rng.randbytes(rng.choice([1, 31, 33, 63, 65, 159, rng.randint(0, size)]))
            message = message if len(message) != self.sizes[number] else message + b"+"
            return Job(number, rng.random() < 0.3, 0, b"", message, None, refused=True)
        length = self.key_bytes(number)
        key = self._key(rng, number) if self.modes[number].key != Key.none else None
        bad = self.words[number] == "sign" or rng.random() < 0.15
        key, message = (
            self._invalid(rng, number, key) if bad else (key, self._message(rng, number, key))
        )
        tag, iv = self.modes[number].tag or 0, rng.randbytes(16)
        out_len = rng.choice([0, tag])
        return Job(number, False, 0, iv, message, key, key_bytes=length, out_len=out_len)

    def _key(self, rng: random.Random, number: int) -> bytes:
        length = self.key_bytes(number)
        if self.words[number] in _KEYS:
            return rng.randbytes(length)
        return self.on.leftmost(rng.randbytes(length or 32))

    def _message(self, rng: random.Random, number: int, key: bytes | None) -> bytes:
        """Return a message that a mode accepts."""
        on = self.on
        match self.words[number]:
            case "ecdh":
                return point(rng, on)
            case "verify":
                key, digest = on.text(rng.randrange(1, on.n)), on.leftmost(rng.randbytes(on.size))
                signed = on.signed(key, digest, rng.randrange(1, on.n))
                return (on.public(key) or b"") + digest + signed
            case "ed25519_sign" | "ed25519_verify" as word:
                key, nonce, digest = rng.randbytes(32), rng.randbytes(64), rng.randbytes(64)
                said = key + nonce + digest + ed25519_commit(nonce)
                if word == "ed25519_sign":
                    return said
                return ed25519_public(key) + digest + (ed25519_sign(said) or b"")
            case "ed25519_sign_once":
                assert key
                return rng.randbytes(64) + ed25519_commit(key[32:])
            case "sign":
                return on.leftmost(rng.randbytes(on.size))
        return rng.randbytes(self.sizes[number])

    def _invalid(
        self, rng: random.Random, number: int, key: bytes | None
    ) -> tuple[bytes | None, bytes]:
        """Return a key and a message that are refused: small order, off the curve, out of range."""
        message, on, word = self._message(rng, number, key), self.on, self.words[number]
        if word in ("ed25519_public", "ed25519_commit"):
            return key, message  # they refuse nothing
        if word in ("ed25519_sign", "ed25519_sign_once"):
            at = len(message) - 32
            return key, message[:at] + bytes([message[at] ^ 1]) + message[at + 1 :]
        if word == "x25519":
            return key, rng.choice([0, 1, 2**255 - 20, 2**255 - 19]).to_bytes(32, "little")
        if word in ("verify", "ed25519_verify"):
            at = rng.choice([0, *(on.size * n - 1 for n in (2, 3, 4, 5))])
            return key, message[:at] + bytes([message[at] ^ 1]) + message[at + 1 :]
        if word == "sign" and on.longer and rng.random() < 0.3:
            return key, b"\xff" * on.size  # more bits than n has
        bad_key = on.text(rng.choice([0, on.n, 256**on.size - 1]))
        if word != "ecdh":
            return bad_key, message
        return rng.choice(
            [
                (bad_key, message),
                (key, message[:-1] + bytes([message[-1] ^ 1])),
                (key, bytes(2 * on.size)),
                (key, b"\xff" * on.size + message[on.size :]),
            ]
        )

    def outcome(self, job: Job) -> Outcome:
        """Return what a job gives: a result, which is zero if key or message are refused."""
        if job.refused:
            return REFUSED
        result = self._result(job)
        none = bytes(self.modes[job.mode].tag or 0)
        return Outcome(tag=result) if result else Outcome(INVALID, tag=none)

    def gives(self, job: Job, result: bytes) -> bool:
        """Return whether a result is one of a job that is accepted, of random ones too."""
        on, word, key = self.on, self.words[job.mode], job.key or b""
        if len(result) != self.modes[job.mode].tag:
            return False
        match word:
            case "sign":
                return on.verify((on.public(key) or b"") + job.message + result)
            case "keygen":
                return on.public(result[: on.size]) == result[on.size :]
            case "ed25519_keygen":
                return ed25519_public(result[:32]) == result[32:]
            case "x25519_keygen":
                return x25519(result[:32], X25519_BASE) == result[32:]
            case "ed25519_nonce":
                nonce = result[32:64] + bytes(32)
                return result == key[:32] + nonce[:32] + ed25519_commit(nonce)
        return result == self._result(job)

    def _result(self, job: Job) -> bytes | None:
        on, word = self.on, self.words[job.mode]
        if word == "verify":
            return job.message[3 * on.size : 4 * on.size] if on.verify(job.message) else None
        if word == "ed25519_verify":
            return job.message[96:128] if ed25519_verify(job.message) else None
        if word == "ed25519_commit":
            return ed25519_commit(job.message)
        if word == "ed25519_sign":
            return ed25519_sign(job.message)
        assert job.key
        if word == "ed25519_sign_once":
            return ed25519_sign(job.key + bytes(32) + job.message)
        if word == "ed25519_public":
            return ed25519_public(job.key)
        if word == "x25519":
            secret = x25519(job.key, job.message)
            return secret if any(secret) else None
        if word == "ecdh":
            return on.ecdh(job.key, job.message)
        if word == "sign" and on.numbers(job.message)[0] >> on.n.bit_length():
            return None  # a hash with more bits than n
        public = on.public(job.key)
        assert not public or word == "public"
        return public


def point(rng: random.Random, on: NistCurve) -> bytes:
    """Return a point of a curve."""
    return on.text(*on.multiple(rng.randrange(1, on.n)))


ENGINES = {name: Engine(name, on) for name, (_, on) in CURVES.items()}
PKA = ENGINES["pka"]

KINDS = {name: engine.jobs for name, engine in ENGINES.items()}
OUTCOMES = {name: engine.outcome for name, engine in ENGINES.items()}
