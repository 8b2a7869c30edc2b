"""Messages by stores and loads of registers alone, on the whole tile SoC.

The model is that of ``cryptile bench linux``, which needs it anyway.
"""

import random
import struct
from pathlib import Path

import programs
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from cryptile.systems import tile

HAL_PARTS = ("console", "exit", "host", "mem", "soc_tile", "window_engine")
OK, WRONG_TAG = 0, -10

# One worker builds and uses the model.
pytestmark = [pytest.mark.soak, pytest.mark.xdist_group("tile-model")]


def test_messages(tmp_path: Path):
    """Sealed, opened, and with a wrong tag; the program checks what no message needs itself."""
    rng, given, expected = random.Random(51), [], []
    for length in (0, 1, 15, 16, 17, 64, 255, 256, 257, 1000, 4096):
        key, nonce, text = rng.randbytes(16), rng.randbytes(12), rng.randbytes(length)
        sealed = AESGCM(key).encrypt(nonce, text, b"")
        forged = sealed[:-1] + bytes([sealed[-1] ^ 0x80])
        for decrypt, data in ((0, text), (1, sealed), (1, forged)):
            given.append(struct.pack("<II16s16s", length, decrypt, nonce, key) + data)
        expected += [(OK, sealed), (OK, text + sealed[-16:]), (WRONG_TAG, text + forged[-16:])]
    (tmp_path / "in").write_bytes(b"".join(given))
    program = programs.build("register_io", HAL_PARTS, ["-march=rv64imac_zicsr", "-mabi=lp64"])
    model = tile.build("cva6-fpu", register_io=1, long_runs=True)
    result = tile.run(
        model, program, input=tmp_path / "in", output=tmp_path / "out", max_cycles=5_000_000
    )
    assert result.exit_code == 0
    right = b"".join(struct.pack("<i", status) + data for status, data in expected)
    assert (tmp_path / "out").read_bytes() == right
