"""PSA Crypto with the tile's public-key engines, natively, on the tile in Python; others' software
verifies what is signed, and agrees on the same secrets."""

import ctypes
import hashlib
from ctypes import byref, c_size_t, c_uint32

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils, x25519
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from support import host_tile
from support.drawing_tile import DrawingHost, encoded, point
from support.host_tile import SLOTS, Fault
from support.key_slots import LONG_BYTES, KeySlots
from support.tile_model import OPCODES

from cryptile.jobs.pka import X25519
from cryptile.jobs.port import NO_RANDOM
from cryptile.library_sources import LIB

OK, NOT_PERMITTED, NOT_SUPPORTED, INVALID_ARGUMENT = 0, -133, -134, -135
MEMORY, SIGNATURE, CORRUPTION = -141, -149, -151
PAIR, R1, MONTGOMERY, EDWARDS, RSA_PUBLIC = 0x7100, 0x12, 0x41, 0x42, 0x4001
EXPORT, COPY, SIGN, DERIVES = 1, 2, 0x3C00, 0x4000
IN_TILE, PERSISTENT = 0x100, 1
HELD, NONCES = (1, 3), 4
"""Slots of the tile for opaque keys, and for nonces."""
ECDSA, FIXED_ECDSA, EDDSA, ECDH = 0x06000600, 0x06000700, 0x06000800, 0x09020000
HKDF_OF_ECDH = ECDH | 0x08000109
PKCS1, PSS = 0x06000200, 0x06000300
HASHES = {
    0x08: hashes.SHA224(),
    0x09: hashes.SHA256(),
    0x0A: hashes.SHA384(),
    0x0B: hashes.SHA512(),
}
CURVES = {256: ec.SECP256R1(), 384: ec.SECP384R1(), 521: ec.SECP521R1()}
ENGINES = {name: 1 << OPCODES[name] for name in ("sha2", "pka", "pka384", "pka521", "pka_rsa")}
OF_BITS = {256: "pka", 384: "pka384", 521: "pka521"}
"""Engines by the curve's bits."""
RAW = serialization.Encoding.Raw, serialization.PublicFormat.Raw
MESSAGE = b"a message"


class Attributes(ctypes.Structure):
    """psa_key_attributes_t."""

    _fields_ = [
        ("type", ctypes.c_uint16),
        ("usage", c_uint32),
        ("alg", c_uint32),
        ("bits", c_size_t),
        ("lifetime", c_uint32),
    ]


class Psa(DrawingHost):
    """PSA Crypto, and the tile that works for it."""

    def __init__(self) -> None:
        parts = [folder.name for folder in LIB.iterdir() if folder.is_dir()]
        super().__init__(host_tile.build(["psa"], tuple(parts)))
        self.engines = sum(ENGINES.values())
        assert self.main()[0] == OK
        self.count = 0
        self._source = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, c_size_t)(self._random)
        self.lib.cryptile_psa_set_random(self._source)

    def _random(self, out: int, length: int) -> bool:
        self.count += 1
        ctypes.memmove(out, hashlib.shake_256(bytes([self.count])).digest(length), length)
        return True

    def asked(self) -> set[int]:
        """Return which engines have had jobs since the last time."""
        found = {job.opcode for job in self.jobs}
        self.jobs.clear()
        return found

    def add(self, kind: int, usage: int, alg: int, data: bytes) -> int:
        attributes, key = Attributes(kind, usage, alg, 0), c_uint32()
        assert (
            self.lib.psa_import_key(byref(attributes), data, c_size_t(len(data)), byref(key)) == OK
        )
        return key.value

    def generate(self, kind: int, usage: int, alg: int, bits: int, life: int) -> tuple[int, int]:
        attributes, key = Attributes(kind, usage, alg, bits, life), c_uint32(9)
        status = self.lib.psa_generate_key(byref(attributes), byref(key))
        assert (status == OK) == (key.value != 0)
        return status, key.value

    def make(self, kind: int, usage: int, alg: int, bits: int, life: int = 0) -> int:
        status, key = self.generate(kind, usage, alg, bits, life)
        assert status == OK
        return key

    @property
    def slots(self) -> KeySlots:
        return self._slots

    def modes(self, slot: int) -> int:
        """Return what the key in a slot of the tile may do."""
        return self._slots.slots[slot].use()["modes"]

    def key(self, slot: int) -> bytes:
        """Return the key in a slot of the tile."""
        return bytes(self._slots.slots[slot].key)

    def fresh_slots(self) -> None:
        """Be a tile of which no slot has a key, and that is not sealed."""
        self._slots = KeySlots(SLOTS, LONG_BYTES)
        self.hold(HELD, NONCES)

    def hold(self, slots: tuple[int, ...], nonces: int) -> None:
        """Give slots of the tile to opaque keys."""
        self.lib.cry_tile_psa_hold(c_uint32(sum(1 << slot for slot in slots)), nonces)

    def out(self, name: str, *given: int | bytes) -> tuple[int, bytes]:
        """Call a function that gives bytes; of one that fails none are there."""
        out, length = ctypes.create_string_buffer(b"\xa5" * 600, 600), c_size_t(7)
        words: list[object] = []
        for item in given:
            words += [item, c_size_t(len(item))] if isinstance(item, bytes) else [c_uint32(item)]
        status = getattr(self.lib, name)(*words, out, c_size_t(600), byref(length))
        assert (status == OK) == (length.value != 0)
        return status, out.raw[: length.value]

    def verify(self, name: str, key: int, alg: int, data: bytes, signature: bytes) -> int:
        sizes = c_size_t(len(data)), c_size_t(len(signature))
        status: int = getattr(self.lib, name)(key, alg, data, sizes[0], signature, sizes[1])
        return status


@pytest.fixture(scope="module")
def built() -> Psa:
    return Psa()


@pytest.fixture
def psa(built):
    built.engines = sum(ENGINES.values())
    built.asked()
    first = built.make(0x1001, 0, 0, 8)
    assert built.lib.psa_destroy_key(first) == OK
    yield built
    built.engines = sum(ENGINES.values())
    for key in range(first, first + 60):
        built.lib.psa_destroy_key(key)
    assert built.fault is None


@pytest.mark.parametrize("low", HASHES)
@pytest.mark.parametrize("bits", CURVES)
def test_signatures(psa, bits, low):
    """Also of hashes shorter and longer than the curve's numbers."""
    alg = ECDSA | low
    key = psa.make(PAIR | R1, SIGN, alg, bits)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(
        CURVES[bits], psa.out("psa_export_public_key", key)[1]
    )
    engine = {OPCODES[OF_BITS[bits]]}
    assert psa.asked() == engine
    signatures = [psa.out("psa_sign_message", key, alg, MESSAGE) for _ in range(2)]
    assert psa.asked() == engine
    assert signatures[0] != signatures[1]
    for status, signature in signatures:
        assert status == OK
        theirs.verify(encoded(signature), MESSAGE, ec.ECDSA(HASHES[low]))
        assert psa.verify("psa_verify_message", key, alg, MESSAGE, signature) == OK
        assert psa.verify("psa_verify_message", key, alg, MESSAGE[:-1], signature) == SIGNATURE
        wrong = signature[:-1] + bytes([signature[-1] ^ 1])
        assert psa.verify("psa_verify_message", key, alg, MESSAGE, wrong) == SIGNATURE
    assert psa.asked() == engine
    key = psa.make(PAIR | R1, SIGN, FIXED_ECDSA | low, bits)
    psa.asked()
    fixed = {psa.out("psa_sign_message", key, FIXED_ECDSA | low, MESSAGE) for _ in range(2)}
    assert len(fixed) == 1
    assert not psa.asked()


@pytest.mark.parametrize("bits", CURVES)
def test_agreements(psa, bits):
    theirs = ec.generate_private_key(CURVES[bits])
    key = psa.make(PAIR | R1, DERIVES, ECDH, bits)
    mine = ec.EllipticCurvePublicKey.from_encoded_point(
        CURVES[bits], psa.out("psa_export_public_key", key)[1]
    )
    peer, wanted = point(theirs.public_key()), theirs.exchange(ec.ECDH(), mine)
    assert psa.out("psa_raw_key_agreement", ECDH, key, peer) == (OK, wanted)
    wrong = peer[:-1] + bytes([peer[-1] ^ 1])
    assert psa.out("psa_raw_key_agreement", ECDH, key, wrong)[0] == INVALID_ARGUMENT


def test_x25519(psa):
    theirs = x25519.X25519PrivateKey.generate()
    key = psa.make(PAIR | MONTGOMERY, DERIVES, ECDH, 255)
    mine = x25519.X25519PublicKey.from_public_bytes(psa.out("psa_export_public_key", key)[1])
    peer = theirs.public_key().public_bytes(*RAW)
    assert psa.out("psa_raw_key_agreement", ECDH, key, peer) == (OK, theirs.exchange(mine))
    assert psa.out("psa_raw_key_agreement", ECDH, key, bytes(32))[0] == INVALID_ARGUMENT
    assert psa.asked() == {OPCODES["pka"]}


@pytest.mark.parametrize("message", [b"", MESSAGE, bytes(200)])
def test_ed25519(psa, message):
    seed = hashlib.sha256(message).digest()
    theirs = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
    key = psa.add(PAIR | EDWARDS, SIGN, EDDSA, seed)
    public = theirs.public_key().public_bytes(*RAW)
    assert psa.out("psa_export_public_key", key) == (OK, public)
    status, signature = psa.out("psa_sign_message", key, EDDSA, message)
    assert (status, signature) == (OK, theirs.sign(message))
    assert psa.verify("psa_verify_message", key, EDDSA, message, signature) == OK
    assert psa.verify("psa_verify_message", key, EDDSA, message + b"x", signature) == SIGNATURE
    assert psa.asked() == {OPCODES["pka"], OPCODES["sha2"]}


@pytest.mark.parametrize("scheme", [PKCS1, PSS])
@pytest.mark.parametrize("bits", [2048, 2056, 3071, 3072, 4096])
def test_rsa(psa, bits, scheme):
    """Moduli that the engine does not take are the library's."""
    theirs = rsa.generate_private_key(65537, bits)
    der = theirs.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.PKCS1
    )
    key, digest = psa.add(RSA_PUBLIC, SIGN, scheme | 9, der), hashlib.sha256(MESSAGE).digest()
    sha = hashes.SHA256()
    chosen = padding.PKCS1v15() if scheme == PKCS1 else padding.PSS(padding.MGF1(sha), 32)
    signature = theirs.sign(digest, chosen, utils.Prehashed(sha))
    assert psa.verify("psa_verify_hash", key, scheme | 9, digest, signature) == OK
    assert psa.verify("psa_verify_hash", key, scheme | 9, bytes(32), signature) == SIGNATURE
    for wrong in (bytes(len(signature)), b"\xff" * len(signature), signature[:-1]):
        assert psa.verify("psa_verify_hash", key, scheme | 9, digest, wrong) == SIGNATURE
    assert psa.asked() == ({OPCODES["pka_rsa"]} if bits in (2048, 3072, 4096) else set())


@pytest.mark.parametrize("left_out", ENGINES)
def test_what_is_not_built_is_the_library_s(psa, left_out):
    psa.engines -= ENGINES[left_out]
    for bits, curve in CURVES.items():
        key = psa.make(PAIR | R1, SIGN, ECDSA | 9, bits)
        signature = psa.out("psa_sign_message", key, ECDSA | 9, MESSAGE)[1]
        public = psa.out("psa_export_public_key", key)[1]
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(curve, public)
        theirs.verify(encoded(signature), MESSAGE, ec.ECDSA(hashes.SHA256()))
        with pytest.raises(InvalidSignature):
            theirs.verify(encoded(signature), b"another", ec.ECDSA(hashes.SHA256()))
    seed = bytes(range(32))
    key = psa.add(PAIR | EDWARDS, SIGN, EDDSA, seed)
    wanted = ed25519.Ed25519PrivateKey.from_private_bytes(seed).sign(MESSAGE)
    assert psa.out("psa_sign_message", key, EDDSA, MESSAGE) == (OK, wanted)
    assert OPCODES[left_out] not in psa.asked()


def test_a_job_that_fails_is_not_done_by_the_library(psa):
    """It would go on where the hardware says that something is wrong."""
    key = psa.make(PAIR | R1, SIGN, ECDSA | 9, 256)
    peer = psa.make(PAIR | R1, DERIVES, ECDH, 256)
    public = psa.out("psa_export_public_key", peer)[1]
    for name, *given in (
        ("psa_sign_message", key, ECDSA | 9, MESSAGE),
        ("psa_export_public_key", key),
        ("psa_raw_key_agreement", ECDH, peer, public),
    ):
        psa.fault = Fault(NO_RANDOM, (0,))
        assert psa.out(name, *given) == (CORRUPTION, b"")
        assert psa.out(name, *given)[0] == OK


@pytest.fixture
def sealed(psa, request):
    """The tile's slots, written by registers or not any more."""
    psa.fresh_slots()
    if request.param:
        psa.lib.cry_tile_seal()
    return psa


both = pytest.mark.parametrize("sealed", [False, True], indirect=True)


@both
@pytest.mark.parametrize("bits", CURVES)
def test_an_opaque_key_signs_and_does_nothing_else(sealed, bits):
    psa, curve = sealed, CURVES[bits]
    key = psa.make(PAIR | R1, SIGN | EXPORT | COPY | DERIVES, ECDSA | 9, bits, IN_TILE)
    public = psa.out("psa_export_public_key", key)[1]
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(curve, public)
    size = {256: 32, 384: 48, 521: 80}[bits]
    private = int.from_bytes(psa.key(HELD[0])[:size], "big")
    assert ec.derive_private_key(private, curve).public_key() == theirs
    assert bin(psa.modes(HELD[0])).count("1") == 1
    assert not any(psa.key(HELD[1]))
    name = OF_BITS[bits]
    assert psa.asked() == {OPCODES[name]}
    signatures = [psa.out("psa_sign_message", key, ECDSA | 9, MESSAGE) for _ in range(2)]
    assert signatures[0] != signatures[1]
    for status, signature in signatures:
        assert status == OK
        theirs.verify(encoded(signature), MESSAGE, ec.ECDSA(hashes.SHA256()))
        assert psa.verify("psa_verify_message", key, ECDSA | 9, MESSAGE, signature) == OK
        assert psa.verify("psa_verify_message", key, ECDSA | 9, b"x", signature) == SIGNATURE
    assert psa.asked() == {OPCODES[name]}
    assert psa.out("psa_sign_message", key, FIXED_ECDSA | 9, MESSAGE) == (NOT_PERMITTED, b"")
    assert psa.out("psa_sign_message", key, ECDSA | 8, MESSAGE) == (NOT_PERMITTED, b"")
    assert psa.out("psa_raw_key_agreement", ECDH, key, public) == (NOT_PERMITTED, b"")
    assert psa.out("psa_export_key", key) == (NOT_SUPPORTED, b"")
    copy, wanted = c_uint32(9), Attributes(PAIR | R1, SIGN, ECDSA | 9, bits)
    assert psa.lib.psa_copy_key(key, byref(wanted), byref(copy)) == NOT_SUPPORTED
    assert copy.value == 0
    found = Attributes()
    assert psa.lib.psa_get_key_attributes(key, byref(found)) == OK
    assert (found.type, found.bits, found.lifetime) == (PAIR | R1, bits, IN_TILE)
    assert not psa.asked()


@both
@pytest.mark.parametrize("bits", CURVES)
def test_an_opaque_key_agrees_on_secrets(sealed, bits):
    psa, theirs = sealed, ec.generate_private_key(CURVES[bits])
    key = psa.make(PAIR | R1, DERIVES, ECDH, bits, IN_TILE)
    mine = ec.EllipticCurvePublicKey.from_encoded_point(
        CURVES[bits], psa.out("psa_export_public_key", key)[1]
    )
    peer, wanted = point(theirs.public_key()), theirs.exchange(ec.ECDH(), mine)
    assert psa.out("psa_raw_key_agreement", ECDH, key, peer) == (OK, wanted)
    wrong = peer[:-1] + bytes([peer[-1] ^ 1])
    for bad in (wrong, peer[:-1], b"\x05" + peer[1:], b""):
        assert psa.out("psa_raw_key_agreement", ECDH, key, bad) == (INVALID_ARGUMENT, b"")
    assert psa.out("psa_export_key", key) == (NOT_PERMITTED, b"")
    assert psa.out("psa_sign_message", key, ECDSA | 9, MESSAGE) == (NOT_PERMITTED, b"")


@both
def test_an_opaque_key_of_x25519_agrees_and_does_nothing_else(sealed):
    psa, theirs = sealed, x25519.X25519PrivateKey.generate()
    key = psa.make(PAIR | MONTGOMERY, DERIVES | EXPORT | COPY, ECDH, 255, IN_TILE)
    status, public = psa.out("psa_export_public_key", key)
    mine = x25519.X25519PrivateKey.from_private_bytes(psa.key(HELD[0])[:32])
    assert (status, public) == (OK, mine.public_key().public_bytes(*RAW))
    assert psa.modes(HELD[0]) == 1 << X25519
    peer, wanted = theirs.public_key().public_bytes(*RAW), theirs.exchange(mine.public_key())
    assert psa.out("psa_raw_key_agreement", ECDH, key, peer) == (OK, wanted)
    for bad in (bytes(32), b"\1" + bytes(31), peer[:-1], b"\4" + bytes(64), b""):
        assert psa.out("psa_raw_key_agreement", ECDH, key, bad) == (INVALID_ARGUMENT, b"")
    assert psa.asked() == {OPCODES["pka"]}
    assert psa.out("psa_export_key", key) == (NOT_SUPPORTED, b"")
    copy, other = c_uint32(9), Attributes(PAIR | MONTGOMERY, DERIVES, ECDH, 255)
    assert psa.lib.psa_copy_key(key, byref(other), byref(copy)) == NOT_SUPPORTED
    assert psa.out("psa_sign_message", key, EDDSA, MESSAGE) == (NOT_PERMITTED, b"")
    assert not psa.asked()


@both
def test_an_opaque_key_of_x25519_makes_secrets_for_derivations(sealed):
    psa, theirs = sealed, x25519.X25519PrivateKey.generate()
    key = psa.make(PAIR | MONTGOMERY, DERIVES, ECDH, 255, IN_TILE)
    mine = x25519.X25519PublicKey.from_public_bytes(psa.out("psa_export_public_key", key)[1])
    peer, lib = theirs.public_key().public_bytes(*RAW), psa.lib
    op, out = ctypes.create_string_buffer(4096), ctypes.create_string_buffer(32)
    assert lib.psa_key_derivation_setup(op, HKDF_OF_ECDH) == OK
    assert lib.psa_key_derivation_key_agreement(op, 0x0101, key, peer, c_size_t(32)) == OK
    assert lib.psa_key_derivation_input_bytes(op, 0x0203, b"", c_size_t(0)) == OK
    assert lib.psa_key_derivation_output_bytes(op, out, c_size_t(32)) == OK
    assert lib.psa_key_derivation_abort(op) == OK
    assert out.raw == HKDF(hashes.SHA256(), 32, None, b"").derive(theirs.exchange(mine))


@pytest.mark.parametrize("sealed", [False], indirect=True)
@pytest.mark.parametrize(("usage", "alg"), [(0, ECDH), (EXPORT, ECDH), (DERIVES, 0)])
def test_an_opaque_key_of_x25519_that_may_not_agree_does_nothing(sealed, usage, alg):
    """Neither to jobs that go past the PSA layer."""
    key = sealed.make(PAIR | MONTGOMERY, usage, alg, 255, IN_TILE)
    assert sealed.modes(HELD[0]) == 0
    assert sealed.out("psa_export_public_key", key)[0] == OK
    assert sealed.out("psa_raw_key_agreement", ECDH, key, bytes(32)) == (NOT_PERMITTED, b"")


@both
@pytest.mark.parametrize("message", [b"", MESSAGE, bytes(200)])
def test_an_opaque_key_of_ed25519_signs(sealed, message):
    key = sealed.make(PAIR | EDWARDS, SIGN, EDDSA, 255, IN_TILE)
    public = sealed.out("psa_export_public_key", key)[1]
    theirs = ed25519.Ed25519PublicKey.from_public_bytes(public)
    signatures = [sealed.out("psa_sign_message", key, EDDSA, message) for _ in range(2)]
    assert signatures[0] != signatures[1]
    for status, signature in signatures:
        assert status == OK
        theirs.verify(signature, message)
        assert sealed.verify("psa_verify_message", key, EDDSA, message, signature) == OK


@both
def test_the_slot_of_nonces_forgets_a_key_that_is_destroyed(sealed):
    psa, seal = sealed, sealed.slots.sealed
    key = psa.make(PAIR | EDWARDS, SIGN, EDDSA, 255, IN_TILE)
    secret = psa.key(HELD[0])[:32]
    assert psa.out("psa_sign_message", key, EDDSA, MESSAGE)[0] == OK
    assert secret in psa.key(NONCES)
    if seal:
        psa.fault = Fault(NO_RANDOM, (0,))
        assert psa.lib.psa_destroy_key(key) == CORRUPTION
        assert psa.out("psa_sign_message", key, EDDSA, MESSAGE)[0] == OK
    assert psa.lib.psa_destroy_key(key) == OK
    for slot in (HELD[0], NONCES):
        assert secret not in psa.key(slot)
        assert bool(psa.slots.slots[slot].use()["valid"]) == seal
    assert psa.modes(NONCES) == 0


@pytest.mark.parametrize("sealed", [False], indirect=True)
def test_without_a_slot_for_nonces_there_is_no_ed25519(sealed):
    sealed.hold(HELD, 255)
    assert sealed.generate(PAIR | EDWARDS, SIGN, EDDSA, 255, IN_TILE) == (NOT_SUPPORTED, 0)
    sealed.make(PAIR | R1, SIGN, ECDSA | 9, 256, IN_TILE)


@both
def test_keys_keep_their_slots(sealed):
    """Also when slots are given once more, others, or that of the nonces among them."""
    psa = sealed
    psa.hold((1, 2), 2)
    signer = psa.make(PAIR | EDWARDS, SIGN, EDDSA, 255, IN_TILE)
    assert psa.generate(PAIR | R1, SIGN, ECDSA | 9, 256, IN_TILE) == (MEMORY, 0)
    psa.hold((1, 3), 2)
    other = psa.make(PAIR | R1, SIGN, ECDSA | 9, 256, IN_TILE)
    psa.hold((), 2)
    for key, alg in ((signer, EDDSA), (other, ECDSA | 9)):
        status, signature = psa.out("psa_sign_message", key, alg, MESSAGE)
        assert status == OK
        assert psa.verify("psa_verify_message", key, alg, MESSAGE, signature) == OK


@pytest.mark.parametrize("sealed", [False], indirect=True)
def test_a_tile_without_its_engines_does_nothing_with_opaque_keys(sealed):
    psa = sealed
    key = psa.make(PAIR | R1, SIGN, ECDSA | 9, 256, IN_TILE)
    psa.lib.cry_tile_psa_engine(None, None)
    assert psa.out("psa_sign_message", key, ECDSA | 9, MESSAGE) == (NOT_SUPPORTED, b"")
    assert psa.main()[0] == OK
    assert psa.out("psa_sign_message", key, ECDSA | 9, MESSAGE)[0] == OK


@both
@pytest.mark.parametrize(
    ("kind", "alg", "bits"),
    [
        *((PAIR | R1, ECDSA | 9, 256), (PAIR | R1, ECDH, 384)),
        *((PAIR | MONTGOMERY, ECDH, 255), (PAIR | EDWARDS, EDDSA, 255)),
    ],
)
def test_a_slot_serves_again_when_its_key_is_destroyed(sealed, kind, alg, bits):
    """By then nobody has the key, and what is in its place does nothing."""
    psa, usage, seal = sealed, SIGN | DERIVES, sealed.slots.sealed
    made = [psa.make(kind, usage, alg, bits, IN_TILE) for _ in HELD]
    publics = {psa.out("psa_export_public_key", key)[1] for key in made}
    assert psa.generate(kind, usage, alg, bits, IN_TILE) == (MEMORY, 0)
    before, modes = psa.key(HELD[0]), psa.modes(HELD[0])
    assert psa.lib.psa_destroy_key(made[0]) == OK
    assert psa.key(HELD[0]) != before
    assert psa.modes(HELD[0]) != modes
    assert bool(psa.slots.slots[HELD[0]].use()["valid"]) == seal
    assert psa.out("psa_export_public_key", made[0])[0] != OK
    again = psa.make(kind, usage, alg, bits, IN_TILE)
    publics.add(psa.out("psa_export_public_key", again)[1])
    assert len(publics) == 3
    assert psa.lib.psa_destroy_key(made[1]) == OK
    assert psa.lib.psa_destroy_key(again) == OK


@pytest.mark.parametrize("sealed", [True], indirect=True)
def test_an_opaque_key_stays_if_it_cannot_be_destroyed(sealed):
    psa = sealed
    psa.fault = Fault(NO_RANDOM, (0,))
    assert psa.generate(PAIR | R1, SIGN, ECDSA | 9, 256, IN_TILE) == (CORRUPTION, 0)
    keys = [psa.make(PAIR | R1, SIGN, ECDSA | 9, 256, IN_TILE) for _ in HELD]
    psa.fault = Fault(NO_RANDOM, (0,))
    assert psa.lib.psa_destroy_key(keys[0]) == CORRUPTION
    assert psa.out("psa_sign_message", keys[0], ECDSA | 9, MESSAGE)[0] == OK
    assert psa.generate(PAIR | R1, SIGN, ECDSA | 9, 256, IN_TILE) == (MEMORY, 0)
    assert psa.lib.psa_destroy_key(keys[0]) == OK
    psa.make(PAIR | R1, SIGN, ECDSA | 9, 256, IN_TILE)


@pytest.mark.parametrize("sealed", [False], indirect=True)
def test_a_slot_that_has_another_key_meanwhile_serves_nobody(sealed):
    """Its generation is another one: the handle means the key that was made."""
    key = sealed.make(PAIR | R1, SIGN, ECDSA | 9, 256, IN_TILE)
    slot = sealed.slots.slots[HELD[0]]
    slot.put(bytes(range(32)), (slot.attributes, slot.policy, slot.uses))
    assert sealed.out("psa_sign_message", key, ECDSA | 9, MESSAGE) == (INVALID_ARGUMENT, b"")


@pytest.mark.parametrize("sealed", [False], indirect=True)
def test_what_the_tile_does_not_hold(sealed):
    for kind, usage, alg, bits, life, wanted in (
        (0x2400, 0x300, 0x04C01000, 128, IN_TILE, NOT_SUPPORTED),
        (PAIR | R1, SIGN, ECDSA | 9, 256, IN_TILE | PERSISTENT, NOT_SUPPORTED),
        (PAIR | R1, SIGN, ECDSA | 9, 255, IN_TILE, INVALID_ARGUMENT),
        (PAIR | R1, 1 << 31, ECDSA | 9, 256, IN_TILE, INVALID_ARGUMENT),
        (0x4100 | R1, SIGN, ECDSA | 9, 256, IN_TILE, INVALID_ARGUMENT),
    ):
        assert sealed.generate(kind, usage, alg, bits, life) == (wanted, 0), (hex(kind), bits)
    for engine, kind, bits in (
        ("pka", R1, 256),
        ("pka384", R1, 384),
        ("pka521", R1, 521),
        ("pka", MONTGOMERY, 255),
    ):
        sealed.engines = sum(ENGINES.values()) - ENGINES[engine]
        assert sealed.generate(PAIR | kind, SIGN, ECDSA | 9, bits, IN_TILE) == (NOT_SUPPORTED, 0)
