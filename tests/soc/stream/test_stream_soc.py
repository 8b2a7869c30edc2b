"""Programs on the whole stream SoC: files through DMA and engine, errors, and pinned cycles."""

import random
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from cryptile import firmware
from cryptile.errors import UsageError
from cryptile.firmware import params as firmware_params
from cryptile.systems import stream

AUTH, SUPPORT, BUS = 10, 9, 7

# One worker builds and uses the model.
pytestmark = pytest.mark.xdist_group("stream-model")


@cache
def model() -> Path:
    return stream.build("chacha20poly1305", "opt", protect="correct")


def crypt(tmp_path: Path, data: bytes, **options):
    """Run the crypt program; return its result and what it wrote."""
    run = {name: options.pop(name) for name in ("stall_percent", "latency") if name in options}
    (tmp_path / "in").write_bytes(data)
    result = stream.run(
        model(),
        firmware.build("crypt_stream"),
        firmware_params.crypt_stream(**options),
        tmp_path / "in",
        tmp_path / "out",
        max_cycles=2_000_000,
        **run,
    )
    return result, (tmp_path / "out").read_bytes()


@pytest.mark.parametrize("length", [0, 1, 16, 63, 64, 65, 1000, 5000])
@pytest.mark.parametrize("sleep", [False, True])
def test_files(tmp_path: Path, length: int, sleep: bool):
    rng = random.Random(length)
    key, nonce, aad = rng.randbytes(32), rng.randbytes(12), rng.randbytes(rng.randrange(64))
    text = rng.randbytes(length)
    shifts = (rng.randrange(64), rng.randrange(64)) if sleep else (0, 0)
    options = {"key": key, "iv": nonce, "sleep": sleep, "shifts": shifts}
    options |= {"stall_percent": 30 if sleep else 0, "latency": rng.choice((0, 8, 40))}
    aead = {**options, "alg": "chacha20-poly1305", "aad": aad}
    sealed = ChaCha20Poly1305(key).encrypt(nonce, text, aad)
    start = (7).to_bytes(4, "little") + nonce

    result, output = crypt(tmp_path, text, direction="encrypt", **aead)
    assert (result.exit_code, output) == (0, sealed)
    result, output = crypt(tmp_path, sealed, direction="decrypt", **aead)
    assert (result.exit_code, output) == (0, text)

    wrong = bytearray(sealed)
    wrong[rng.randrange(len(wrong))] ^= 1 << rng.randrange(8)
    result, output = crypt(tmp_path, bytes(wrong), direction="decrypt", **aead)
    assert (result.exit_code, output) == (AUTH, b"")

    result, output = crypt(
        tmp_path, text, **{**options, "alg": "chacha20", "direction": "encrypt", "iv": start}
    )
    cipher = Cipher(algorithms.ChaCha20(key, start), None)
    assert (result.exit_code, output) == (0, cipher.encryptor().update(text))


def test_counter_that_would_wrap_is_refused(tmp_path: Path):
    result, output = crypt(
        tmp_path,
        bytes(129),
        alg="chacha20",
        direction="encrypt",
        key=bytes(32),
        iv=b"\xfe\xff\xff\xff" + bytes(12),
    )
    assert (result.exit_code, output) == (SUPPORT, b"")


def test_cut_message_is_refused(tmp_path: Path):
    result, output = crypt(
        tmp_path,
        bytes(15),
        alg="chacha20-poly1305",
        direction="decrypt",
        key=bytes(32),
        iv=bytes(12),
    )
    assert (result.exit_code, output) == (AUTH, b"")


@pytest.mark.parametrize("stall_percent", [0, 40])
def test_driver_recovers(stall_percent: int):
    """Bad addresses, timeouts and refusals; after each a good job."""
    result = stream.run(
        model(),
        firmware.build("selftest_stream"),
        stall_percent=stall_percent,
        max_cycles=2_000_000,
    )
    assert (result.exit_code, result.console) == (0, "")


SIZES = (64, 4096, 65536)
CYCLES = {
    "chacha20": (407, 1047, 10647),
    "chacha20-poly1305": (464, 1104, 10704),
}
"""Cycles of the whole call, by size, polling; the memory's latency is 8 cycles."""


def test_cycles():
    blob = firmware_params.bench_stream(ways=["poll"], algs=list(CYCLES), sizes=SIZES)
    result = stream.run(model(), firmware.build("bench_stream"), blob, max_cycles=1_000_000)
    assert result.exit_code == 0, result.console
    seen: dict[str, list[int]] = {}
    for line in result.console.splitlines():
        words = line.split()
        seen.setdefault(words[3].removeprefix("alg="), []).append(int(words[-1]))
    assert {alg: tuple(cycles) for alg, cycles in seen.items()} == CYCLES
    # The stream itself: ten cycles for 64 bytes, and the bus could do more.
    for packet in result.packets[2::3]:
        assert packet.beats_in == 4096
        assert packet.last_in - packet.first_in <= 10 * 1024


def test_runs_are_exact():
    blob = firmware_params.bench_stream(ways=["sleep"], algs=["chacha20"], sizes=[256])
    runs = [stream.run(model(), firmware.build("bench_stream"), blob) for _ in range(2)]
    assert runs[0] == runs[1] and runs[0].exit_code == 0


def test_unknown_configurations_are_refused():
    with pytest.raises(UsageError, match="no engine named des"):
        stream.build("des")
    with pytest.raises(UsageError, match="no variant named quick"):
        stream.build("aes", "quick")
    with pytest.raises(UsageError, match="aes pipelined has no protect correct; known: none, tmr"):
        stream.build("aes", "pipelined", protect="correct")
    with pytest.raises(UsageError, match="no width named 32; known: 64, 128"):
        stream.build(width=32)
    with pytest.raises(UsageError, match="latency"):
        stream.run(Path("x"), Path("y"), latency=256)
