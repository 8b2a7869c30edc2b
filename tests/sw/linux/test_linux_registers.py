"""The driver of an engine without DMA that queues are compared with: what it says is right."""

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from cryptile.bench.linux import measure
from cryptile.linux import kbuild, lean, ring, rtl

pytestmark = pytest.mark.soak

SIZES = (16, 17, 256, 5000)
KEY = bytes([2] * 16)
NONCE, BLOCK = bytes([5]).ljust(12, b"\0"), bytes([5]).ljust(16, b"\0")


def ctr(text: bytes) -> bytes:
    return Cipher(algorithms.AES(KEY), modes.CTR(BLOCK)).encryptor().update(text)


def test_right_answers() -> None:
    """Messages one behind the other on the RTL; what is refused; and the engine after that."""
    sizes = " ".join(f"{size} 0" for size in SIZES)
    gcm = f"plain_cycles registers aes-128-gcm 12 {sizes}"
    ended, _ = rtl.run(
        f"insmod /cryptile_registers.ko\n{gcm}\nplain_cycles registers aes-128-ctr 16 {sizes}\n"
        "for words in 'sha256 0' 'aes-128-gcm 8' 'aes-128-xts 16'; do\n"
        "plain_cycles registers $words 16 0; echo status $?; done\n"
        "plain_cycles registers aes-128-cbc 16 17 0; echo status $?\n"
        "plain_cycles registers aes-128-gcm 12 65552 0; echo status $?\n"
        f"plain_cycles registers aes-128-gcm 12 16 0\nrmmod cryptile_registers; dmesg",
        files={
            "/cryptile_registers.ko": kbuild.registers(lean.kernel()),
            "/bin/plain_cycles": ring.program(measure.FOLDER / "plain_cycles.c", kbuild.PLAIN),
        },
        register_io=True,
    )
    lines = ended.output.decode().splitlines()
    texts = [bytes([1]) * size for size in SIZES]
    sealed = [AESGCM(KEY).encrypt(NONCE, text, b"").hex() for text in texts]
    right = [*sealed, *(ctr(text).hex() for text in texts), *["status 2"] * 5, sealed[0]]
    assert lines[: len(right)] == right
    assert ended.console.count("no such algorithm") == 3
    assert ended.console.count("a message failed") == 2
    assert "Call Trace" not in ended.output.decode()
