"""Random jobs for the public-key engines, with rows of 256, 384 and 576 bits.

Those whose results are random, signatures and new keys, are asked for with what is refused alone.
"""

import random
from dataclasses import dataclass

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
from cryptile.jobs.port import INVALID

X25519, P256_ECDH = mode("pka", "x25519"), mode("pka", "p256_ecdh")
P256_SIGN, P256_VERIFY = mode("pka", "p256_sign"), mode("pka", "p256_verify")
P256_PUBLIC, P256_KEYGEN = mode("pka", "p256_public"), mode("pka", "p256_keygen")
ED_PUBLIC, ED_COMMIT = mode("pka", "ed25519_public"), mode("pka", "ed25519_commit")
ED_SIGN, ED_VERIFY = mode("pka", "ed25519_sign"), mode("pka", "ed25519_verify")

CURVES = {
    "pka": ("p256", P256),
    "pka_fast": ("p256", P256),
    "pka384": ("p384", P384),
    "pka521": ("p521", P521),
}
"""The curve of NIST that each engine has, and how the names of its modes begin."""


def _of_curves(name: str) -> set[int]:
    """Return the numbers of a mode of the curves: engines with wider rows have the same one."""
    return {mode(engine, f"{begin}_{name}") for engine, (begin, _) in CURVES.items()}


ECDH, SIGN, VERIFY = _of_curves("ecdh"), _of_curves("sign"), _of_curves("verify")
PUBLIC, KEYGEN = _of_curves("public"), _of_curves("keygen")

_NUMBERS = (*((ECDH, 2), (SIGN, 1), (VERIFY, 5), (PUBLIC, 0), (KEYGEN, 0)),)
"""Numbers of a message."""

_BYTES = {X25519: 32, ED_PUBLIC: 0, ED_COMMIT: 64, ED_SIGN: 192, ED_VERIFY: 160}
"""Bytes of the messages of others."""


@dataclass(frozen=True)
class Engine:
    """An engine, by its name in the catalogue, and its curve."""

    name: str
    on: NistCurve

    @property
    def modes(self) -> dict[int, Mode]:
        """Its modes by number."""
        return {item.number: item for item in engines()[self.name].modes.values()}

    @property
    def sizes(self) -> dict[int, int]:
        """Bytes of a message, by mode."""
        sizes = {number: count * self.on.size for of, count in _NUMBERS for number in of}
        return {number: (_BYTES | sizes)[number] for number in self.modes}

    def key_bytes(self, number: int) -> int:
        """Return ``key_bytes`` of a mode's jobs: what a key of its own length has, else 0."""
        return self.on.size if self.modes[number].key == Key.bytes else 0

    def jobs(self, rng: random.Random, count: int, size: int) -> list[Job]:
        """Jobs of every kind; messages are what modes take, ``size`` bounds those that are not."""
        numbers = list(self.modes)
        return [self._random(rng, rng.choice(numbers), size) for _ in range(count)]

    def _random(self, rng: random.Random, number: int, size: int) -> Job:
        if number in KEYGEN or rng.random() < 0.2:
            message = rng.randbytes(rng.choice([1, 31, 33, 63, 65, 159, rng.randint(0, size)]))
            message = message if len(message) != self.sizes[number] else message + b"+"
            return Job(number, rng.random() < 0.3, 0, b"", message, None, refused=True)
        length = self.key_bytes(number)
        key = (
            self.on.leftmost(rng.randbytes(length or 32))
            if self.modes[number].key != Key.none
            else None
        )
        bad = number in SIGN or rng.random() < 0.15
        key, message = self._invalid(rng, number, key) if bad else (key, self._message(rng, number))
        tag, iv = self.modes[number].tag or 0, rng.randbytes(16)
        out_len = rng.choice([0, tag])
        return Job(number, False, 0, iv, message, key, key_bytes=length, out_len=out_len)

    def _message(self, rng: random.Random, number: int) -> bytes:
        """Return a message that a mode accepts."""
        on = self.on
        if number in ECDH:
            return point(rng, on)
        if number in VERIFY:
            key, digest = on.text(rng.randrange(1, on.n)), on.leftmost(rng.randbytes(on.size))
            return (on.public(key) or b"") + digest + on.signed(key, digest, rng.randrange(1, on.n))
        if number in (ED_SIGN, ED_VERIFY):
            key, nonce, digest = rng.randbytes(32), rng.randbytes(64), rng.randbytes(64)
            said = key + nonce + digest + ed25519_commit(nonce)
            if number == ED_SIGN:
                return said
            return ed25519_public(key) + digest + (ed25519_sign(said) or b"")
        if number in SIGN:
            return on.leftmost(rng.randbytes(on.size))
        return rng.randbytes(self.sizes[number])

    def _invalid(
        self, rng: random.Random, number: int, key: bytes | None
    ) -> tuple[bytes | None, bytes]:
        """Return a key and a message that are refused: small order, off the curve, out of range."""
        message, on = self._message(rng, number), self.on
        if number in (ED_PUBLIC, ED_COMMIT):
            return key, message  # they refuse nothing
        if number == ED_SIGN:
            return key, message[:160] + bytes([message[160] ^ 1]) + message[161:]
        if number == X25519:
            return key, rng.choice([0, 1, 2**255 - 20, 2**255 - 19]).to_bytes(32, "little")
        if number in VERIFY or number == ED_VERIFY:
            at = rng.choice([0, *(on.size * n - 1 for n in (2, 3, 4, 5))])
            return key, message[:at] + bytes([message[at] ^ 1]) + message[at + 1 :]
        if number in SIGN and on.longer and rng.random() < 0.3:
            return key, b"\xff" * on.size  # more bits than n has
        bad_key = on.text(rng.choice([0, on.n, 256**on.size - 1]))
        if number not in ECDH:
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

    def _result(self, job: Job) -> bytes | None:
        on = self.on
        if job.mode in VERIFY:
            return job.message[3 * on.size : 4 * on.size] if on.verify(job.message) else None
        if job.mode == ED_VERIFY:
            return job.message[96:128] if ed25519_verify(job.message) else None
        if job.mode == ED_COMMIT:
            return ed25519_commit(job.message)
        if job.mode == ED_SIGN:
            return ed25519_sign(job.message)
        assert job.key
        if job.mode == ED_PUBLIC:
            return ed25519_public(job.key)
        if job.mode == X25519:
            secret = x25519(job.key, job.message)
            return secret if any(secret) else None
        if job.mode in ECDH:
            return on.ecdh(job.key, job.message)
        if job.mode in SIGN and on.numbers(job.message)[0] >> on.n.bit_length():
            return None  # a hash with more bits than n
        public = on.public(job.key)
        assert not public or job.mode in PUBLIC
        return public


def point(rng: random.Random, on: NistCurve) -> bytes:
    """Return a point of a curve."""
    return on.text(*on.multiple(rng.randrange(1, on.n)))


ENGINES = {name: Engine(name, on) for name, (_, on) in CURVES.items()}
PKA = ENGINES["pka"]

KINDS = {name: engine.jobs for name, engine in ENGINES.items()}
OUTCOMES = {name: engine.outcome for name, engine in ENGINES.items()}
