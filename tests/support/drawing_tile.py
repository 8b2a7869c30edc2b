"""A tile in Python, natively driven, whose public-key engines draw nonces and keys."""

import random
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from cryptile.catalog import mode
from cryptile.jobs import pka, rsa
from cryptile.jobs.oracle.curve25519 import ed25519_commit, ed25519_public, x25519
from cryptile.jobs.oracle.nist_curve import NistCurve
from cryptile.jobs.oracle.rsa import SEAL, Rsa
from cryptile.jobs.pka import ED_KEYGEN, ED_NONCE, X_KEYGEN
from support import host_tile
from support.tile_model import BAD_PARAM, MODES, OK, OPCODES, Descriptor

RNG = random.Random(5)


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def encoded(signature: bytes) -> bytes:
    """Return a signature as OpenSSL takes it."""
    half = len(signature) // 2
    return utils.encode_dss_signature(
        *(int.from_bytes(part, "big") for part in (signature[:half], signature[half:]))
    )


@dataclass(frozen=True)
class Curve:
    """One of NIST's, and how the driver's functions of it are called here."""

    engine: str
    suffix: str
    begin: str
    other: ec.EllipticCurve
    hash: hashes.HashAlgorithm

    @property
    def on(self) -> NistCurve:
        return pka.ENGINES[self.engine].on

    @property
    def size(self) -> int:
        """Bytes of a number."""
        return -(-self.on.p.bit_length() // 8)

    @property
    def room(self) -> int:
        """Bytes of a number for the engine, with zeros in front."""
        return self.on.size

    @property
    def opcode(self) -> int:
        return OPCODES[self.engine]

    @property
    def prehashed(self) -> ec.ECDSA:
        return ec.ECDSA(utils.Prehashed(self.hash))

    def mode(self, name: str) -> int:
        return mode(self.engine, f"{self.begin}_{name}")

    def called(self, name: str) -> str:
        """The function of this curve: the number goes behind the verb."""
        verb, *rest = name.split("_")
        return "_".join((verb + self.suffix, *rest))

    def key(self) -> tuple[bytes, bytes, ec.EllipticCurvePrivateKey]:
        """Return a private key, its public key, and it for OpenSSL."""
        number = RNG.randrange(1, self.on.n)
        key = ec.derive_private_key(number, self.other)
        return number.to_bytes(self.size, "big"), point(key.public_key()), key


CURVES = (
    Curve("pka", "", "p256", ec.SECP256R1(), hashes.SHA256()),
    Curve("pka384", "384", "p384", ec.SECP384R1(), hashes.SHA384()),
    Curve("pka521", "521", "p521", ec.SECP521R1(), hashes.SHA512()),
)


_ENGINES = {OPCODES[curve.engine]: pka.ENGINES[curve.engine] for curve in CURVES}


class DrawingHost(host_tile.Host):
    """A loaded program, and the tile it talks to."""

    def __init__(self, library: Path) -> None:
        super().__init__(library)
        run = self._tile.run

        def drawn(job: Descriptor) -> tuple[int, int]:
            of_key = _ENGINES.get(job.opcode)
            if of_key is not None and job["msg_len"] != of_key.sizes[job.mode]:
                return BAD_PARAM, 0
            if job.opcode == OPCODES["pka"] and job.mode in (ED_KEYGEN, ED_NONCE, X_KEYGEN):
                return self._drawn25519(job)
            if job.opcode == OPCODES["pka_rsa"] and MODES[job.opcode, job.mode].fresh:
                return self._sealed(job)
            curve = {curve.opcode: curve for curve in CURVES}.get(job.opcode)
            if curve is None or job.mode not in map(curve.mode, ("sign", "keygen")):
                return run(job)
            on, secret = curve.on, RNG.randrange(1, curve.on.n)
            if job.mode == curve.mode("sign"):
                key, digest = (
                    self._read_memory(job[at], on.size) for at in ("key_addr", "src_addr")
                )
                tag = on.signed(key, digest, secret)
            else:
                key = secret.to_bytes(on.size, "big")
                tag = key + (on.public(key) or b"")
            self._write_memory(job["tag_addr"], tag)
            return OK, len(tag)

        self._tile.run = drawn

    def _sealed(self, job: Descriptor) -> tuple[int, int]:
        """Seal a private key, or make a key for that."""
        if job["msg_len"] != rsa.size(job.mode) or job["key_len"]:
            return BAD_PARAM, 0
        tag = RNG.randbytes(SEAL)
        if job.mode != rsa.SEALING_KEY:
            bits, *_ = rsa.modes()[job.mode]
            key = self._read_memory(job["src_addr"], job["msg_len"])
            tag = Rsa(bits // 8).sealed(key, self._read_memory(job["key_addr"], SEAL), tag)
        self._write_memory(job["tag_addr"], tag)
        return OK, len(tag)

    def _drawn25519(self, job: Descriptor) -> tuple[int, int]:
        key, nonce = RNG.randbytes(32), RNG.randbytes(32)
        tag = key + ed25519_public(key)
        if job.mode == X_KEYGEN:
            tag = key + x25519(key, (9).to_bytes(32, "little"))
        if job.mode == ED_NONCE:
            tag = self._read_memory(job["key_addr"], 32) + nonce + ed25519_commit(nonce)
        self._write_memory(job["tag_addr"], tag)
        return OK, len(tag)
