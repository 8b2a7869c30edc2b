"""The public-key functions of the tile's driver, natively, on the tile in Python; what they sign
OpenSSL verifies, and the other way round."""

import copy
import hashlib
import random
import struct

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils, x25519
from support import host_tile
from support.key_slots import Slot
from support.tile_model import OPCODES, Descriptor

from cryptile.jobs.oracle.nist_curve import P256
from cryptile.jobs.pka import P256_ECDH, P256_KEYGEN, P256_SIGN, X25519

NAMES = (
    "x25519",
    "ecdh",
    "public",
    "generate",
    "sign",
    "verify",
    "ed_public",
    "ed_sign",
    "ed_verify",
    "x25519_to_slot",
    "ecdh_to_slot",
    "generate_in_slot",
)
OK, AUTH, KEY, PARAM = 0, -10, -11, -1
TARGET = 2
"""The slot of a key that is made."""
PREHASHED = ec.ECDSA(utils.Prehashed(hashes.SHA256()))
RAW = serialization.Encoding.Raw, serialization.PublicFormat.Raw
RNG = random.Random(5)


class Host(host_tile.Host):
    """The tile, with an engine that draws nonces and keys."""

    def __init__(self) -> None:
        super().__init__(host_tile.build(["public_key", "tile_app"], ("status",)))
        run = self._tile.run

        def drawn(job: Descriptor) -> tuple[int, int]:
            if job.opcode != OPCODES["pka"] or job.mode not in (P256_SIGN, P256_KEYGEN):
                return run(job)
            secret = RNG.randrange(1, P256.n)
            if job.mode == P256_SIGN:
                key, digest = (self._read_memory(job[at], 32) for at in ("key_addr", "src_addr"))
                tag = P256.signed(key, digest, secret)
            else:
                key = secret.to_bytes(32, "big")
                tag = key + (P256.public(key) or b"")
            self._write_memory(job["tag_addr"], tag)
            return OK, len(tag)

        self._tile.run = drawn

    def slot(self, number: int) -> Slot:
        """Return what a key slot holds now."""
        return copy.deepcopy(self._slots.slots[number])

    def call(
        self,
        name: str,
        size: int,
        *,
        slot: int = -1,
        may: bool = True,
        made: tuple[int, int, bool] = (0, 0, False),
        message: bytes = b"",
        **given: bytes,
    ) -> tuple[int, bytes]:
        """Return a function's status, and what it wrote; nothing else is left anywhere.

        ``may``: the queue may make keys, in slots; ``made``: opcode and modes of such a key, and
        whether it agrees on others.
        """
        parts = {"key": 32, "point": 65, "digest": 32, "signature": 64}
        values = (given.get(part, b"").ljust(length, b"\0") for part, length in parts.items())
        head = struct.pack("<Ii5I", NAMES.index(name), slot, may, *made, len(message))
        code, made, _ = self.main(head + b"".join(values) + message.ljust(256, b"\0"))
        assert code == 0
        (status,), out, left = struct.unpack("<i", made[:4]), made[4:101], made[101:]
        assert out[size:] == b"\xa5" * (97 - size)
        assert not any(left)
        assert status == OK or not any(out[:size])
        return status, out[:size]


@pytest.fixture(scope="module")
def host() -> Host:
    return Host()


def p256_key() -> tuple[bytes, bytes, ec.EllipticCurvePrivateKey]:
    """Return a private key, its public key, and it for OpenSSL."""
    number = RNG.randrange(1, P256.n)
    key = ec.derive_private_key(number, ec.SECP256R1())
    return number.to_bytes(32, "big"), point(key.public_key()), key


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def encoded(signature: bytes) -> bytes:
    return utils.encode_dss_signature(
        *(int.from_bytes(part, "big") for part in (signature[:32], signature[32:]))
    )


def test_x25519(host):
    one, other = (x25519.X25519PrivateKey.generate() for _ in range(2))
    key, peer = one.private_bytes_raw(), other.public_key().public_bytes(*RAW)
    assert host.call("x25519", 32, key=key, point=peer) == (OK, one.exchange(other.public_key()))
    assert host.call("x25519", 32, key=key, point=bytes(32)) == (KEY, bytes(32))


@pytest.mark.parametrize("slot", [-1, P256_ECDH])
def test_p256_ecdh(host, slot):
    (key, _, one), (_, peer, other) = p256_key(), p256_key()
    shared = one.exchange(ec.ECDH(), other.public_key())
    assert host.call("ecdh", 32, slot=slot, key=key, point=peer) == (OK, shared)
    for wrong in (peer[:64] + bytes([peer[64] ^ 1]), b"\2" + peer[1:]):
        assert host.call("ecdh", 32, slot=slot, key=key, point=wrong) == (KEY, bytes(32))
    # A slot is for what it is for.
    assert host.call("public", 65, slot=slot, key=key)[0] == (OK if slot < 0 else KEY)


def test_p256_keys(host):
    key, public, _ = p256_key()
    assert host.call("public", 65, key=key) == (OK, public)
    for bad in (bytes(32), P256.n.to_bytes(32, "big")):
        assert host.call("public", 65, key=bad) == (KEY, bytes(65))
    status, made = host.call("generate", 97)
    assert status == OK
    secret = int.from_bytes(made[:32], "big")
    assert made[32:] == point(ec.derive_private_key(secret, ec.SECP256R1()).public_key())
    assert host.call("generate", 97)[1] != made


HMAC, SIGNER = (OPCODES["sha2"], 1 << 9, False), (OPCODES["pka"], 1 << P256_SIGN, False)


def test_secrets_in_slots(host):
    """The secret is the slot's, for what the caller says, and for nobody else."""
    one, other = (x25519.X25519PrivateKey.generate() for _ in range(2))
    (scalar, _, ours), (_, peer, theirs) = p256_key(), p256_key()
    for name, mode, key, public, secret in (
        (
            "x25519_to_slot",
            X25519,
            one.private_bytes_raw(),
            other.public_key().public_bytes(*RAW),
            one.exchange(other.public_key()),
        ),
        ("ecdh_to_slot", P256_ECDH, scalar, peer, ours.exchange(ec.ECDH(), theirs.public_key())),
    ):
        target, given = host.slot(TARGET), {"key": key, "point": public}
        for wrong, status in (
            ({"made": SIGNER}, PARAM),
            ({"made": (*HMAC[:2], True)}, PARAM),
            ({"slot": -1}, PARAM),
            ({"may": False}, KEY),
            ({"slot": P256_SIGN}, KEY),
            ({"point": bytes(65)}, KEY),
        ):
            call = {"slot": mode, "made": HMAC} | given | wrong
            assert host.call(name, 0, **call) == (status, b""), wrong
            assert host.slot(TARGET) == target, wrong
        assert host.call(name, 0, slot=mode, made=HMAC, **given) == (OK, b"")
        held = host.slot(TARGET)
        assert bytes(held.key) == secret.ljust(64, b"\0")
        use = held.use()
        assert (use["opcode"], use["modes"], use["owners"]) == (*HMAC[:2], 1)


def test_keys_that_nobody_has_seen(host):
    for made in (SIGNER, (OPCODES["pka"], 1 << P256_ECDH, True)):
        status, public = host.call("generate_in_slot", 65, made=made)
        held = host.slot(TARGET)
        secret = int.from_bytes(held.key[:32], "big")
        assert status == OK
        assert public == point(ec.derive_private_key(secret, ec.SECP256R1()).public_key())
        assert held.use()["unwrap"] == made[2]
    held = host.slot(TARGET)
    for wrong, status in (
        ({"made": HMAC}, PARAM),
        ({"made": (OPCODES["pka"], 1 << X25519, False)}, PARAM),
        ({"made": SIGNER, "may": False}, KEY),
    ):
        assert host.call("generate_in_slot", 65, **wrong) == (status, bytes(65))
        assert host.slot(TARGET) == held
    host.fault = host_tile.Fault(4, (40,))
    assert host.call("generate_in_slot", 65, made=SIGNER) == (-8, bytes(65))


@pytest.mark.parametrize("slot", [-1, P256_SIGN])
def test_p256_signatures(host, slot):
    key, public, other = p256_key()
    digest = hashlib.sha256(b"signed").digest()
    status, signature = host.call("sign", 64, slot=slot, key=key, digest=digest)
    assert status == OK
    other.public_key().verify(encoded(signature), digest, PREHASHED)
    wrong = bytes([digest[0] ^ 1]) + digest[1:]
    with pytest.raises(InvalidSignature):
        other.public_key().verify(encoded(signature), wrong, PREHASHED)
    r, s = utils.decode_dss_signature(other.sign(digest, PREHASHED))
    made = r.to_bytes(32, "big") + s.to_bytes(32, "big")
    for signed in (signature, made):
        given = {"point": public, "digest": digest, "signature": signed}
        assert host.call("verify", 0, **given) == (OK, b"")
        for change in (
            {"digest": wrong},
            {"signature": signed[32:] + signed[:32]},
            {"point": b"\3" + public[1:]},
        ):
            assert host.call("verify", 0, **given | change) == (AUTH, b"")


@pytest.mark.parametrize("length", [0, 1, 200])
def test_ed25519(host, length):
    one = ed25519.Ed25519PrivateKey.generate()
    seed, message = one.private_bytes_raw(), RNG.randbytes(length)
    public = one.public_key().public_bytes(*RAW)
    assert host.call("ed_public", 32, key=seed) == (OK, public)
    signature = one.sign(message)
    assert host.call("ed_sign", 64, key=seed, message=message) == (OK, signature)
    given = {"point": public, "signature": signature, "message": message}
    assert host.call("ed_verify", 0, **given) == (OK, b"")
    for wrong in (
        {"signature": signature[:32] + bytes([signature[32] ^ 1]) + signature[33:]},
        {"message": message + b"+"},
        {"point": signature[:32]},
    ):
        assert host.call("ed_verify", 0, **given | wrong) == (AUTH, b"")


@pytest.mark.parametrize("name", ["sign", "ed_sign", "generate", "verify", "ed_verify"])
def test_a_fault_gives_nothing(host, name):
    """Of the first job of a function."""
    key, public, _ = p256_key()
    host.fault = host_tile.Fault(4, (40,))
    size = {"sign": 64, "ed_sign": 64, "generate": 97}.get(name, 0)
    assert host.call(name, size, key=key, point=public) == (-8, bytes(size))
