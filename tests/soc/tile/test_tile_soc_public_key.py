"""The driver's public-key functions on the whole tile SoC; what it signs, others verify."""

import programs
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from cryptile import library
from cryptile.systems import tile

HAL_PARTS = ("console", "exit", "host", "mem", "soc_tile", "tile", "tile_jobs", "tile_pka")

# One worker builds and uses the model.
pytestmark = pytest.mark.xdist_group("tile-model")


@pytest.mark.soak
def test_public_key():
    flags = ["-march=rv64imac_zicsr", "-mabi=lp64"]
    others = sorted(programs.CORE.glob("*.c"))
    others.append(library.build("rv64im", flags=("-mcmodel=medany",)).archive)
    program = programs.build("public_key", HAL_PARTS, flags, others=others)
    result = tile.run(tile.build(public_key=1), program, max_cycles=20_000_000)
    assert result.exit_code == 0
    point, digest, *signatures = (bytes.fromhex(line) for line in result.console.split())
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + point)
    how = ec.ECDSA(utils.Prehashed(hashes.SHA256()))
    assert len(set(signatures)) == 2
    for signature in signatures:
        numbers = (int.from_bytes(part, "big") for part in (signature[:32], signature[32:]))
        key.verify(utils.encode_dss_signature(*numbers), digest, how)
        with pytest.raises(InvalidSignature):
            key.verify(utils.encode_dss_signature(1, 1), digest, how)
