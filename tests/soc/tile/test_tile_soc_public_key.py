"""The driver's public-key functions on the whole tile SoC; what it signs, others verify."""

import hmac

import programs
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

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


@pytest.mark.soak
def test_public_key():
    flags = ["-march=rv64imac_zicsr", "-mabi=lp64"]
    others = sorted(programs.CORE.glob("*.c"))
    others.append(library.build("rv64im", flags=("-mcmodel=medany",)).archive)
    program = programs.build("public_key", HAL_PARTS, flags, others=others)
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
    point, digest, signature, private, peer, code = said[7:]
    verify(ec.SECP384R1(), hashes.SHA384(), point, digest, signature)
    key = ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP384R1())
    other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP384R1(), b"\x04" + peer)
    assert code == hmac.digest(key.exchange(ec.ECDH(), other), b"", "sha384")
