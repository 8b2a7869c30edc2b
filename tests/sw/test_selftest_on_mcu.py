"""Firmware on the whole microcontroller: the self test, and files through the crypt program."""

import random
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

from cryptile import firmware
from cryptile.firmware import params as firmware_params
from cryptile.systems import mcu

MAX_CYCLES = 20_000_000
KEY = bytes(range(0x80, 0xA0))
IV = bytes.fromhex("00" * 8 + "ff" * 7 + "fe")


@cache
def crypt_on_mcu() -> tuple[Path, Path]:
    """The model and the program, looked up once: hashing their sources takes longer than a run."""
    return mcu.build(), firmware.build("crypt")


@pytest.mark.parametrize("variant", ["serial", "iterative", "pipelined"])
def test_selftest(variant: str) -> None:
    result = mcu.run(mcu.build(variant=variant), firmware.build("selftest"), max_cycles=MAX_CYCLES)
    lines = result.console.splitlines()
    assert lines[-1] == "selftest passed", result.console
    assert result.exit_code == 0
    assert sum(line.startswith("ok ") for line in lines) == 4 * 6 + 10


def test_selftest_with_stalls() -> None:
    """The memory holds every master back at random."""
    result = mcu.run(
        mcu.build(), firmware.build("selftest"), max_cycles=MAX_CYCLES, stall_percent=30
    )
    assert result.exit_code == 0, result.console


def test_selftest_on_ibex() -> None:
    result = mcu.run(
        mcu.build("ibex"), firmware.build("selftest", core="ibex"), max_cycles=MAX_CYCLES
    )
    assert result.exit_code == 0, result.console


def reference(mode: str, data: bytes, padding: str) -> bytes:
    """Encrypt with an independent implementation."""
    if padding == "pkcs7":
        padder = PKCS7(128).padder()
        data = padder.update(data) + padder.finalize()
    how = {"ecb": modes.ECB(), "cbc": modes.CBC(IV), "ctr": modes.CTR(IV)}[mode]
    encryptor = Cipher(algorithms.AES(KEY), how).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def crypt(
    folder: Path,
    data: bytes,
    *,
    mode: str,
    impl: str,
    direction: str,
    padding: str,
    chunk: int = 64,
) -> tuple[int | None, bytes]:
    """Run the crypt program and return its exit code and output."""
    source, target = folder / "in", folder / "out"
    source.write_bytes(data)
    target.unlink(missing_ok=True)
    blob = firmware_params.crypt(
        impl=impl, mode=mode, direction=direction, key=KEY, iv=IV, padding=padding, chunk=chunk
    )
    result = mcu.run(*crypt_on_mcu(), blob, source, target, max_cycles=MAX_CYCLES)
    return result.exit_code, target.read_bytes() if target.exists() else b""


IMPLS = list(firmware_params.IMPLEMENTATIONS)
MODES = [("ecb", "none"), ("ecb", "pkcs7"), ("cbc", "none"), ("cbc", "pkcs7"), ("ctr", "none")]
# Around a block, a chunk of 64 bytes, and the chunks that can be in flight.
LENGTHS = [0, 1, 15, 16, 63, 64, 65, 128, 129, 192, 256, 300]
# The software paths share the engine's program, and have tests of their own on the host.
FEW_LENGTHS = [0, 17, 64, 129]
CASES = [
    # What a length asks for is the same in ECB and CBC.
    *(
        ("engine-poll", mode, padding, FEW_LENGTHS if mode == "ecb" else LENGTHS)
        for mode, padding in MODES
    ),
    *((impl, "cbc", "pkcs7", FEW_LENGTHS) for impl in IMPLS if impl != "engine-poll"),
]


@pytest.mark.parametrize(("impl", "mode", "padding", "lengths"), CASES)
def test_crypt(tmp_path: Path, impl: str, mode: str, padding: str, lengths: list[int]) -> None:
    words = {"mode": mode, "impl": impl, "padding": padding}
    for length in lengths:
        if length % 16 and padding == "none" and mode != "ctr":
            code, _ = crypt(tmp_path, bytes(length), direction="encrypt", **words)
            assert code == firmware_params.EXIT_BAD_LENGTH
            continue
        plain = random.Random(length).randbytes(length)
        cipher = reference(mode, plain, padding)
        assert crypt(tmp_path, plain, direction="encrypt", **words) == (0, cipher), length
        assert crypt(tmp_path, cipher, direction="decrypt", **words) == (0, plain), length


@pytest.mark.parametrize("impl", ["table", "engine-poll"])
def test_crypt_bad_padding(tmp_path: Path, impl: str) -> None:
    words = {"mode": "cbc", "impl": impl, "direction": "decrypt", "padding": "pkcs7"}
    for length in [16, 64, 80, 128]:
        cipher = reference("cbc", bytes(length), "none")  # ends in zeros: no padding
        code, _ = crypt(tmp_path, cipher, **words)
        assert code == firmware_params.EXIT_BAD_PADDING, length
    for length in [0, 17, 64 + 1]:
        code, _ = crypt(tmp_path, bytes(length), **words)
        assert code == firmware_params.EXIT_BAD_LENGTH, length


def test_crypt_bad_blob(tmp_path: Path) -> None:
    good = firmware_params.crypt(
        impl="table", mode="ctr", direction="encrypt", key=KEY, iv=IV, chunk=64
    )
    wrong_chunk = firmware_params.crypt(
        impl="table", mode="ctr", direction="encrypt", key=KEY, iv=IV, chunk=40
    )
    for blob in [b"", good[:-1], b"X" + good[1:], wrong_chunk]:
        result = mcu.run(*crypt_on_mcu(), blob, max_cycles=MAX_CYCLES)
        assert result.exit_code == firmware_params.EXIT_BAD_BLOB


def test_two_jobs_overlap(tmp_path: Path) -> None:
    """The engine goes from one chunk to the next without waiting for the core."""
    source = tmp_path / "in"
    source.write_bytes(bytes(16 * 1024))
    blob = firmware_params.crypt(
        impl="engine-poll", mode="ctr", direction="encrypt", key=KEY, iv=IV, chunk=1024
    )
    result = mcu.run(*crypt_on_mcu(), blob, source, tmp_path / "out", max_cycles=MAX_CYCLES)
    assert result.exit_code == 0
    assert len(result.jobs) == 16
    events = [job.event for job in result.jobs]
    for earlier, later in zip(events, result.jobs[1:], strict=False):
        assert earlier is not None
        assert later.trigger < earlier
