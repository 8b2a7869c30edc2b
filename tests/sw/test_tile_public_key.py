"""The public-key functions of the tile's driver, natively, on the tile in Python; what they sign
OpenSSL verifies, and the other way round."""

import copy
import hashlib
import struct

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils, x25519
from support import host_tile
from support.drawing_tile import CURVES, RNG, Curve, DrawingHost, encoded, point
from support.key_slots import Slot
from support.tile_model import BUS_ERROR, MODES, OPCODES, Descriptor

from cryptile.catalog import mode
from cryptile.jobs.oracle.curve25519 import ed25519_public
from cryptile.jobs.pka import ED_NONCE, ED_ONCE, ED_PUBLIC, ED_VERIFY, X25519

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
    "ed_generate_in_slot",
    "ed_sign_in_slot",
    "ed_sign_over_key",
    "x25519_to_slot",
    "x25519_generate",
    "x25519_generate_in_slot",
    "ecdh_to_slot",
    "generate_in_slot",
    "ecdh384",
    "public384",
    "generate384",
    "sign384",
    "verify384",
    "ecdh384_to_slot",
    "generate384_in_slot",
    "ecdh521",
    "public521",
    "generate521",
    "sign521",
    "verify521",
    "generate521_in_slot",
)
LONGEST = 199
"""Bytes of a function's result."""
OK, AUTH, KEY, PARAM, FAULT = 0, -10, -11, -1, -8
SHA512 = mode("sha2", "sha512")
TARGET = 2
"""The slot of a key that is made."""
RAW = serialization.Encoding.Raw, serialization.PublicFormat.Raw


class Host(DrawingHost):
    """The tile, and the driver's functions on it."""

    def __init__(self) -> None:
        super().__init__(host_tile.build(["public_key", "tile_app"], ("status",)))

    def slot(self, number: int) -> Slot:
        """Return what a key slot holds now."""
        return copy.deepcopy(self._slots.slots[number])

    def end_jobs(
        self, patch: pytest.MonkeyPatch, engine: str, mode: int, status: int, tag: bytes = b""
    ) -> None:
        """Have each job of a mode end so."""
        run = self._tile.run

        def ended(job: Descriptor) -> tuple[int, int]:
            if (job.opcode, job.mode) != (OPCODES[engine], mode):
                return run(job)
            self._write_memory(job["tag_addr"], tag)
            return status, len(tag)

        patch.setattr(self._tile, "run", ended)

    def call(
        self,
        name: str,
        size: int,
        *,
        curve: Curve = CURVES[0],
        slot: int = -1,
        may: bool = True,
        made: tuple[int, int, bool] = (0, 0, False),
        message: bytes = b"",
        **given: bytes,
    ) -> tuple[int, bytes]:
        """Return a function's status, and what it wrote; nothing else is left anywhere.

        ``slot``: the mode for which the key is in one. ``may``: the queue may make keys, in slots;
        ``made``: opcode and modes of such a key, and whether it agrees on others.
        """
        parts = {"key": 80, "point": 133, "digest": 66, "signature": 132}
        given["digest"] = given.get("digest", b"").rjust(curve.size, b"\0")
        if slot >= 0:
            given["key"] = given["key"].rjust(curve.room, b"\0")
        values = (given.get(part, b"").ljust(length, b"\0") for part, length in parts.items())
        kept = curve.opcode, name.endswith("_slot"), curve.room
        head = struct.pack(
            "<Ii8I", NAMES.index(curve.called(name)), slot, *kept, may, *made, len(message)
        )
        code, result, _ = self.main(head + b"".join(values) + message.ljust(256, b"\0"))
        assert code == 0
        (status,) = struct.unpack("<i", result[:4])
        out, left = result[4 : 4 + LONGEST], result[4 + LONGEST :]
        assert out[size:] == b"\xa5" * (LONGEST - size)
        assert not any(left)
        assert status == OK or not any(out[:size])
        return status, out[:size]


@pytest.fixture(scope="module")
def host() -> Host:
    return Host()


def test_x25519(host):
    one, other = (x25519.X25519PrivateKey.generate() for _ in range(2))
    key, peer = one.private_bytes_raw(), other.public_key().public_bytes(*RAW)
    assert host.call("x25519", 32, key=key, point=peer) == (OK, one.exchange(other.public_key()))
    assert host.call("x25519", 32, key=key, point=bytes(32)) == (KEY, bytes(32))


def test_x25519_keys(host):
    status, made = host.call("x25519_generate", 64)
    key, public = made[:32], made[32:]
    assert status == OK
    ours = x25519.X25519PrivateKey.from_private_bytes(key)
    assert ours.public_key().public_bytes_raw() == public
    base = (9).to_bytes(32, "little")
    assert host.call("x25519", 32, key=key, point=base) == (OK, public)
    assert host.call("x25519_generate", 64)[1] != made
    host.fault = host_tile.Fault(4, (40,))
    assert host.call("x25519_generate", 64) == (FAULT, bytes(64))


AGREEING = [curve for curve in CURVES if MODES[curve.opcode, curve.mode("ecdh")].agrees]
"""Those whose secrets can stay in slots."""
of_curves = pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.begin)


@of_curves
@pytest.mark.parametrize("in_slot", [False, True])
def test_ecdh(host, curve, in_slot):
    (key, _, one), (_, peer, other) = curve.key(), curve.key()
    slot, size = curve.mode("ecdh") if in_slot else -1, curve.size
    shared = one.exchange(ec.ECDH(), other.public_key())
    where = {"curve": curve, "slot": slot, "key": key}
    assert host.call("ecdh", size, point=peer, **where) == (OK, shared)
    for wrong in (peer[:-1] + bytes([peer[-1] ^ 1]), b"\2" + peer[1:]):
        assert host.call("ecdh", size, point=wrong, **where) == (KEY, bytes(size))
    # A slot is for what it is for.
    assert host.call("public", 2 * size + 1, **where)[0] == (KEY if in_slot else OK)


@of_curves
def test_keys(host, curve):
    key, public, _ = curve.key()
    whole, size = len(public), curve.size
    assert host.call("public", whole, curve=curve, key=key) == (OK, public)
    for bad in (bytes(size), curve.on.n.to_bytes(size, "big")):
        assert host.call("public", whole, curve=curve, key=bad) == (KEY, bytes(whole))
    status, made = host.call("generate", size + whole, curve=curve)
    assert status == OK
    secret = int.from_bytes(made[:size], "big")
    assert made[size:] == point(ec.derive_private_key(secret, curve.other).public_key())
    assert host.call("generate", size + whole, curve=curve)[1] != made


HMAC = OPCODES["sha2"], 1 << 9, False


def signer(curve: Curve) -> tuple[int, int, bool]:
    return curve.opcode, 1 << curve.mode("sign"), False


def check_secret(host, name, curve, number, secret, given):
    """The secret is the slot's, for what the caller says, and for nobody else."""
    target, given = host.slot(TARGET), given | {"curve": curve}
    for wrong, status in (
        ({"made": signer(curve)}, PARAM),
        ({"made": (*HMAC[:2], True)}, PARAM),
        ({"slot": -1}, PARAM),
        ({"may": False}, KEY),
        ({"slot": curve.mode("sign")}, KEY),
        ({"point": bytes(97)}, KEY),
    ):
        call = {"slot": number, "made": HMAC} | given | wrong
        assert host.call(name, 0, **call) == (status, b""), wrong
        assert host.slot(TARGET) == target, wrong
    assert host.call(name, 0, slot=number, made=HMAC, **given) == (OK, b"")
    held = host.slot(TARGET)
    assert bytes(held.key) == secret.ljust(len(held.key), b"\0")
    use = held.use()
    assert (use["opcode"], use["modes"], use["owners"]) == (*HMAC[:2], 1)


def test_x25519_to_slot(host):
    one, other = (x25519.X25519PrivateKey.generate() for _ in range(2))
    given = {"key": one.private_bytes_raw(), "point": other.public_key().public_bytes(*RAW)}
    secret = one.exchange(other.public_key())
    check_secret(host, "x25519_to_slot", CURVES[0], X25519, secret, given)


@pytest.mark.parametrize("curve", AGREEING, ids=lambda curve: curve.begin)
def test_ecdh_to_slot(host, curve):
    (scalar, _, ours), (_, peer, theirs) = curve.key(), curve.key()
    secret = ours.exchange(ec.ECDH(), theirs.public_key())
    given = {"key": scalar, "point": peer}
    check_secret(host, "ecdh_to_slot", curve, curve.mode("ecdh"), secret, given)


@of_curves
def test_keys_that_nobody_has_seen(host, curve):
    whole = 2 * curve.size + 1
    for made in (signer(curve), (curve.opcode, 1 << curve.mode("ecdh"), True)):
        status, public = host.call("generate_in_slot", whole, curve=curve, made=made)
        held = host.slot(TARGET)
        secret = int.from_bytes(held.key[: curve.room], "big")
        assert status == OK
        assert public == point(ec.derive_private_key(secret, curve.other).public_key())
        assert not any(held.key[curve.room :])
        assert held.use()["unwrap"] == made[2]
    held = host.slot(TARGET)
    for wrong, status in (
        ({"made": HMAC}, PARAM),
        ({"made": (curve.opcode, 1 << curve.mode("verify"), False)}, PARAM),
        ({"made": signer(curve), "may": False}, KEY),
    ):
        result = host.call("generate_in_slot", whole, curve=curve, **wrong)
        assert result == (status, bytes(whole))
        assert host.slot(TARGET) == held
    host.fault = host_tile.Fault(4, (40,))
    result = host.call("generate_in_slot", whole, curve=curve, made=signer(curve))
    assert result == (FAULT, bytes(whole))


ED_KEY = OPCODES["pka"], 1 << ED_NONCE, True
"""What an Ed25519 key in a slot is for."""


def test_ed25519_keys_that_nobody_has_seen(host):
    for made in (ED_KEY, (OPCODES["pka"], 1 << ED_PUBLIC, False)):
        status, public = host.call("ed_generate_in_slot", 32, made=made)
        held = host.slot(TARGET)
        assert (status, public) == (OK, ed25519_public(bytes(held.key[:32])))
        assert not any(held.key[32:])
        assert (held.use()["modes"], held.use()["unwrap"]) == made[1:]
    for wrong, status in (
        ({"made": HMAC}, PARAM),
        ({"made": (OPCODES["pka"], 1 << ED_ONCE, False)}, PARAM),
        ({"made": ED_KEY, "may": False}, KEY),
    ):
        assert host.call("ed_generate_in_slot", 32, **wrong) == (status, bytes(32))
        assert host.slot(TARGET) == held


def test_x25519_keys_that_nobody_has_seen(host):
    for unwrap in (False, True):
        made = OPCODES["pka"], 1 << X25519, unwrap
        status, public = host.call("x25519_generate_in_slot", 32, made=made)
        held = host.slot(TARGET)
        ours = x25519.X25519PrivateKey.from_private_bytes(bytes(held.key[:32]))
        assert (status, public) == (OK, ours.public_key().public_bytes_raw())
        assert not any(held.key[32:])
        assert (held.use()["modes"], held.use()["unwrap"]) == made[1:]
    for wrong, status in (
        ({"made": HMAC}, PARAM),
        ({"made": (OPCODES["pka"], 1 << CURVES[0].mode("ecdh"), False)}, PARAM),
        ({"made": made, "may": False}, KEY),
    ):
        assert host.call("x25519_generate_in_slot", 32, **wrong) == (status, bytes(32))
        assert host.slot(TARGET) == held
    host.fault = host_tile.Fault(4, (40,))
    assert host.call("x25519_generate_in_slot", 32, made=made) == (FAULT, bytes(32))


@pytest.mark.parametrize("length", [0, 1, 200])
def test_ed25519_in_slot(host, length):
    """Signatures that OpenSSL verifies; the nonce has served, and serves no more."""
    key, message = RNG.randbytes(32), RNG.randbytes(length)
    public = ed25519_public(key)
    given = {"slot": ED_NONCE, "key": key, "point": public, "message": message}
    points = set()
    for _ in range(2):
        status, signature = host.call("ed_sign_in_slot", 64, **given)
        assert status == OK
        ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        points.add(signature[:32])
        held = host.slot(TARGET)
        use = held.use()
        assert (use["opcode"], use["modes"], held.uses) == (OPCODES["pka"], 1 << ED_ONCE, 0)
        assert use["counted"] and not use["unwrap"]
    assert len(points) == 2
    for wrong, status in (
        ({"slot": -1}, PARAM),
        ({"may": False}, KEY),
        ({"slot": ED_PUBLIC}, KEY),
    ):
        assert host.call("ed_sign_in_slot", 64, **given | wrong) == (status, bytes(64))
    host.fault = host_tile.Fault(4, (40,))
    assert host.call("ed_sign_in_slot", 64, **given) == (FAULT, bytes(64))
    assert host.call("ed_sign_over_key", 64, **given) == (PARAM, bytes(64))


@of_curves
@pytest.mark.parametrize("in_slot", [False, True])
def test_signatures(host, curve, in_slot):
    key, public, other = curve.key()
    slot, size = curve.mode("sign") if in_slot else -1, curve.size
    digest = hashlib.new(curve.hash.name, b"signed").digest()
    where = {"curve": curve, "slot": slot, "key": key}
    status, signature = host.call("sign", 2 * size, digest=digest, **where)
    assert status == OK
    other.public_key().verify(encoded(signature), digest, curve.prehashed)
    wrong = bytes([digest[0] ^ 1]) + digest[1:]
    with pytest.raises(InvalidSignature):
        other.public_key().verify(encoded(signature), wrong, curve.prehashed)
    r, s = utils.decode_dss_signature(other.sign(digest, curve.prehashed))
    made = r.to_bytes(size, "big") + s.to_bytes(size, "big")
    for signed in (signature, made):
        given = {"curve": curve, "point": public, "digest": digest, "signature": signed}
        assert host.call("verify", 0, **given) == (OK, b"")
        for change in (
            {"digest": wrong},
            {"signature": signed[size:] + signed[:size]},
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


@of_curves
@pytest.mark.parametrize("name", ["sign", "generate", "verify"])
def test_a_fault_gives_nothing(host, curve, name):
    """Of the first job of a function."""
    key, public, _ = curve.key()
    host.fault = host_tile.Fault(4, (40,))
    size = {"sign": 2 * curve.size, "generate": 3 * curve.size + 1, "verify": 0}[name]
    assert host.call(name, size, curve=curve, key=key, point=public) == (FAULT, bytes(size))


@pytest.mark.parametrize("name", ["ed_sign", "ed_verify"])
def test_a_fault_in_ed25519_gives_nothing(host, name):
    key, public, _ = CURVES[0].key()
    host.fault = host_tile.Fault(4, (40,))
    size = 64 if name == "ed_sign" else 0
    assert host.call(name, size, key=key, point=public) == (FAULT, bytes(size))


SIGNED = bytes(range(1, 133))
"""No signature of anything."""


@of_curves
@pytest.mark.parametrize("result", [0, 1])
def test_a_verification_that_ended_early(host, curve, result, monkeypatch):
    """The engine says that it is right, by an upset: what it computed is not r."""
    _, public, _ = curve.key()
    given = {"curve": curve, "point": public, "signature": SIGNED[: 2 * curve.size]}
    computed = (result * SIGNED[: curve.size - 1] + b"\0").rjust(curve.room, b"\0")
    for tag, status in ((computed, FAULT), (SIGNED[: curve.size].rjust(curve.room, b"\0"), OK)):
        with monkeypatch.context() as patch:
            host.end_jobs(patch, curve.engine, curve.mode("verify"), OK, tag)
            assert host.call("verify", 0, **given) == (status, b"")


def test_a_verification_of_ed25519_that_ended_early(host, monkeypatch):
    public = ed25519_public(bytes(32))
    for tag, status in ((bytes(32), FAULT), (SIGNED[:31] + b"\0", FAULT), (SIGNED[:32], OK)):
        with monkeypatch.context() as patch:
            host.end_jobs(patch, "pka", ED_VERIFY, OK, tag)
            assert host.call("ed_verify", 0, point=public, signature=SIGNED[:64]) == (status, b"")


def test_a_nonce_that_does_not_serve_is_ended(host, monkeypatch):
    """If the message cannot be hashed: or it would serve later, for a signature that failed."""
    key = RNG.randbytes(32)
    given = {"slot": ED_NONCE, "key": key, "point": ed25519_public(key), "message": b"message"}
    with monkeypatch.context() as patch:
        host.end_jobs(patch, "sha2", SHA512, BUS_ERROR)
        assert host.call("ed_sign_in_slot", 64, **given)[0] not in (OK, FAULT)
    held = host.slot(TARGET)
    assert (held.use()["opcode"], held.use()["modes"]) == (OPCODES["pka"], 0)
    assert key not in bytes(held.key)
    assert host.call("ed_sign_in_slot", 64, **given)[0] == OK
