"""The driver's public-key functions on the whole tile SoC; what it signs, others verify."""

import hmac

import programs
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils, x25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from cryptile import library
from cryptile.systems import tile

HAL_PARTS = ("console", "exit", "host", "mem", "soc_tile", "tile", "tile_jobs", "tile_pka")

# One worker builds and uses the model.
pytestmark = pytest.mark.xdist_group("tile-model")


def verify(curve, hash_, point, digest, signature):
    """Verify a signature, and that the verifier can refuse one."""
    key = ec.EllipticCurvePublicKey.from_encoded_point(curve, b"\x04" + point)
    how, half = ec.ECDSA(utils.Prehashed(hash_)), len(signature) // 2
    numbers = (int.from_bytes(part, "big") for part in (signature[:half], signature[half:]))
    key.verify(utils.encode_dss_signature(*numbers), digest, how)
    with pytest.raises(InvalidSignature):
        key.verify(utils.encode_dss_signature(1, 1), digest, how)


def built(name, parts=HAL_PARTS):
    flags = ["-march=rv64imac_zicsr", "-mabi=lp64"]
    others = sorted(programs.CORE.glob("*.c"))
    others.append(library.build("rv64im", flags=("-mcmodel=medany",)).archive)
    return programs.build(name, parts, flags, others=others)


@pytest.mark.soak
def test_psa_with_the_engines(tmp_path):
    """In cycles that are not enough for the library: its signature with P-384 takes more alone."""
    given, made = tmp_path / "in", tmp_path / "out"
    curves = ec.SECP256R1(), ec.SECP384R1()
    peers = [ec.generate_private_key(curve) for curve in curves]
    other = x25519.X25519PrivateKey.generate()
    points = [
        peer.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        for peer in peers
    ]
    theirs = b"".join(points) + other.public_key().public_bytes_raw()
    given.write_bytes(3 * theirs)
    parts = (*HAL_PARTS, "rbg", "tile_psa", "tile_random", "tile_rsa")
    options = {"input": given, "output": made, "max_cycles": 10_000_000}
    assert tile.run(tile.build(public_key=2), built("psa_engine", parts), **options).exit_code == 0
    data = made.read_bytes()

    def take(size):
        nonlocal data
        taken, data = data[:size], data[size:]
        return taken

    def signed_and_agreed():
        for curve, hash_, size in zip(
            curves, (hashes.SHA256(), hashes.SHA384()), (32, 48), strict=True
        ):
            point, digest = take(2 * size + 1), hashes.Hash(hash_)
            digest.update(b"a message")
            verify(curve, hash_, point[1:], digest.finalize(), take(2 * size))
        public, signature = take(32), take(64)
        ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, b"a message")
        for curve, peer, size in zip(curves, peers, (32, 48), strict=True):
            mine = ec.EllipticCurvePublicKey.from_encoded_point(curve, take(2 * size + 1))
            assert peer.exchange(ec.ECDH(), mine) == take(size)
        mine = x25519.X25519PublicKey.from_public_bytes(take(32))
        assert other.exchange(mine) == take(32)

    signed_and_agreed()
    signed_and_agreed()  # with keys in slots of the tile
    signed_and_agreed()  # and when it is sealed
    assert not data


@pytest.mark.soak
def test_public_key():
    program = built("public_key")
    result = tile.run(tile.build(public_key=2), program, max_cycles=30_000_000)
    assert result.exit_code == 0
    said = [bytes.fromhex(line) for line in result.console.split()]
    point, digest, *signatures = said[:4]
    assert len(set(signatures)) == 2
    for signature in signatures:
        verify(ec.SECP256R1(), hashes.SHA256(), point, digest, signature)
    public, *signatures = said[4:7]
    for signature in signatures:
        ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, b"slots")
    point, digest, signature, private, peer, code = said[7:13]
    verify(ec.SECP384R1(), hashes.SHA384(), point, digest, signature)
    key = ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP384R1())
    other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP384R1(), b"\x04" + peer)
    assert code == hmac.digest(key.exchange(ec.ECDH(), other), b"", "sha384")
    private, peer, code = said[13:]
    secret = x25519.X25519PrivateKey.from_private_bytes(private).exchange(
        x25519.X25519PublicKey.from_public_bytes(peer)
    )
    assert code == hmac.digest(secret, b"", "sha256")


@pytest.mark.soak
def test_p521(tmp_path):
    """On a tile with the engine whose keys have 80 bytes."""
    made, curve = tmp_path / "out", ec.SECP521R1()
    program = built("public_key_p521", (*HAL_PARTS, "rbg", "tile_random"))
    options = {"output": made, "max_cycles": 10_000_000}
    assert tile.run(tile.build(public_key=5), program, **options).exit_code == 0
    data, found = made.read_bytes(), []
    for size in (133, 66, 132, 66, 133, 133, 66):
        taken, data = data[:size], data[size:]
        found.append(taken)
    assert not data
    point, digest, signature, private, public, peer, secret = found
    verify(curve, hashes.SHA512(), point[1:], digest[2:], signature)
    key = ec.derive_private_key(int.from_bytes(private, "big"), curve)
    named = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    assert public == named
    other = ec.EllipticCurvePublicKey.from_encoded_point(curve, peer)
    assert key.exchange(ec.ECDH(), other) == secret
