"""The plain driver that the queue of a process is compared with: what it says is right."""

import hashlib
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305

from cryptile.linux import kbuild, ring
from cryptile.linux.boot import boot
from cryptile.project import ROOT

SOURCE = ROOT / "sw/linux/bench/plain_cycles.c"
SIZES = (16, 64, 5000)
IV = bytes([5]).ljust(12, b"\0")
KEY = bytes([2] * 31 + [4])
EXPECTED = {
    "aes-128-gcm": lambda text: AESGCM(KEY[:16]).encrypt(IV, text, b""),
    "chacha20-poly1305": lambda text: ChaCha20Poly1305(KEY).encrypt(IV, text, b""),
    "sha256": lambda text: hashlib.sha256(text).digest(),
    "sha3-256": lambda text: hashlib.sha3_256(text).digest(),
}


def test_right_answers(tmp_path: Path) -> None:
    """Messages one behind the other, each told of by an interrupt; and what is refused."""
    program = ring.alone(SOURCE, tmp_path / "plain_cycles", kbuild.PLAIN)
    sizes = " ".join(f"{size} 0" for size in SIZES)
    script = "".join(
        f"plain_cycles plain {alg} {0 if alg.startswith('sha') else len(IV)} {sizes}\n"
        for alg in EXPECTED
    )
    ended = boot(
        f"{script}plain_cycles plain rot13 0 16 0\n"
        "plain_cycles plain sha256 0 65552 0; echo status $?\n"
        "rmmod cryptile_plain; dmesg",
        modules=[str(kbuild.plain())],
        files={"/bin/plain_cycles": program},
    )
    lines = ended.output.decode().splitlines()
    made = [bytes.fromhex(line) for line in lines[: len(EXPECTED) * len(SIZES)]]
    right = [of(bytes([1]) * size) for of in EXPECTED.values() for size in SIZES]
    assert made == right
    assert lines[len(made)] == "status 2"
    assert "no such algorithm" in ended.console
    assert "a message failed" in ended.console
    assert "Call Trace" not in ended.output.decode()
