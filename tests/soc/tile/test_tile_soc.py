"""Programs on the whole tile SoC."""

import random
import struct
from functools import cache
from pathlib import Path

import programs
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from cryptile import firmware, library
from cryptile.entropy import samples
from cryptile.entropy.samples import ROW, Stage
from cryptile.errors import CryptileError, UsageError
from cryptile.systems import monitors, tile

HAL_PARTS = (
    "console", "exit", "host", "mem", "rbg", "rbg_read", "soc_tile", "tile", "tile_jobs",
    "tile_prepare", "tile_random",
)  # fmt: skip

WITH_LIBRARY = ("random_bits", "psa_keys")

# One worker builds and uses the model.
pytestmark = pytest.mark.xdist_group("tile-model")


@cache
def model() -> Path:
    return tile.build()


@cache
def program(name: str) -> Path:
    others = sorted(programs.CORE.glob("*.c"))
    if name in WITH_LIBRARY:
        others.append(library.build("rv64im", flags=("-mcmodel=medany",)).archive)
    return programs.build(name, HAL_PARTS, ["-march=rv64imac_zicsr", "-mabi=lp64"], others=others)


def run(name: str, **options) -> monitors.Result:
    options.setdefault("max_cycles", 300_000)
    return tile.run(model(), program(name), **options)


def test_console_uart_and_exit_code():
    result = run("hello")
    assert (result.exit_code, result.console) == (42, "hello from CVA6\nand from its UART\n")


@pytest.mark.parametrize(
    ("name", "latency", "stalls"),
    [
        pytest.param(
            name,
            latency,
            stalls,
            marks=pytest.mark.soak if not latency and name != "memory" else (),
        )
        for name in ("memory", "interrupts", "bus_error", "jobs")
        for latency, stalls in ((tile.latency, 0), (60, 30), (0, 50))
    ],
)
def test_programs(name: str, latency: int, stalls: int):
    """The program ends with the number of the line whose check failed, or with 0."""
    result = run(name, latency=latency, stall_percent=stalls)
    assert result.exit_code == 0
    if name == "interrupts":
        assert result.sleep_cycles > 50


def test_who_may_read_the_counters():
    """The program ends with the number of the line whose check failed, or with 0."""
    assert run("counters").exit_code == 0


def test_random_bits():
    """From oscillators to a job of the tile, with the source's own start-up, and its failures."""
    result = run("random_bits", max_cycles=1_000_000)
    assert (result.exit_code, result.console) == (0, "random bits\n")


@pytest.mark.parametrize(
    ("stage", "count"),
    [(Stage.raw, 60), pytest.param(Stage.restart, ROW + 100, marks=pytest.mark.soak)],
)
def test_samples_of_the_source(stage: Stage, count: int, tmp_path: Path):
    """The driver reads, without a gap, what the source alone gives with the same oscillators."""
    made, beats = tmp_path / "out", struct.pack("<II", [*Stage].index(stage) + 1, count)
    options = {"output": made, "read_allowed": 1, "max_cycles": 1_000_000}
    assert run("rbg_samples", params=beats, **options).exit_code == 0
    alone = samples.collect(stage, count)
    assert struct.unpack(f"<{count}Q", made.read_bytes()) == alone.beats


@pytest.mark.soak
def test_keys_of_random_bits(tmp_path: Path):
    """PSA Crypto makes keys of what the generator gives; others' software agrees with them."""
    given, made = tmp_path / "in", tmp_path / "out"
    curve, other = ec.generate_private_key(ec.SECP256R1()), x25519.X25519PrivateKey.generate()
    point = curve.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    given.write_bytes(point + other.public_key().public_bytes_raw())
    assert run("psa_keys", input=given, output=made, max_cycles=12_000_000).exit_code == 0
    data = made.read_bytes()
    peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data[:65])
    assert curve.exchange(ec.ECDH(), peer) == data[65:97]
    shared = other.exchange(x25519.X25519PublicKey.from_public_bytes(data[97:129]))
    assert shared == data[129:] and len(shared) == 32


def test_unhandled_trap_ends_the_program():
    assert run("illegal").exit_code == 64 + 2


def test_bound_on_cycles():
    result = run("endless", max_cycles=5000)
    assert (result.exit_code, result.cycles) == (None, 5000)
    assert result.sleep_cycles > 4000


@pytest.mark.parametrize(
    ("latency", "stalls"),
    [
        (60, 30),
        # The same loads and stores; in test_tile_dcache.py memory's latency is 0 to 60 cycles.
        pytest.param(tile.latency, 0, marks=pytest.mark.soak),
        pytest.param(0, 50, marks=pytest.mark.soak),
    ],
)
def test_the_cache_sees_the_tile(latency: int, stalls: int):
    result = run("coherent", latency=latency, stall_percent=stalls, max_cycles=1_500_000)
    assert result.exit_code == 0
    cost = {name: int(value) for name, value in map(str.split, result.console.splitlines())}
    # Its code and the loads are in the caches: memory's stalls do not show.
    assert cost["beside"] <= 1.05 * cost["alone"]


def test_what_the_cache_does_not_see(tmp_path: Path):
    (tmp_path / "in").write_bytes(bytes(range(1, 9)))
    result = run("coherence", input=tmp_path / "in")
    assert result.exit_code == 0
    cost = {name: int(value) for name, value in map(str.split, result.console.splitlines())}
    # One cycle per set, and some around it.
    assert 256 <= cost["forget"] < 320
    assert cost["fence"] < 20
    assert cost["cached"] < cost["refill"] < cost["uncached"]
    # A descriptor in memory, fetched by the tile, costs less than one in registers.
    assert cost["publish64"] + 30 < cost["registers64"]


def test_firmware_seals_the_keys(tmp_path: Path):
    """A kernel uses wrapped keys, and reaches neither them nor the page of the slots."""
    (tmp_path / "in").write_bytes(random.Random(9).randbytes(16))
    assert run("sealed", input=tmp_path / "in").exit_code == 0


TEXT = random.Random(5).randbytes(2500)


def mailbox(folder: Path, **options) -> tuple[monitors.Result, bytes]:
    (folder / "in").write_bytes(TEXT)
    elf = None if "restore" in options else program("mailbox")
    options.setdefault("max_cycles", 300_000)
    result = tile.run(model(), elf, b"\xa5", folder / "in", folder / "out", **options)
    return result, (folder / "out").read_bytes()


def test_files_through_the_mailbox(tmp_path: Path):
    result, output = mailbox(tmp_path)
    assert (result.exit_code, result.bytes_in, result.bytes_out) == (0, 2500, 2500)
    assert output == bytes(byte ^ 0xA5 for byte in TEXT)


@pytest.mark.parametrize("save_at", [None, 600, 12345])
def test_saved_state_goes_on_as_if_nothing_had_been(tmp_path: Path, save_at: int | None):
    state = tmp_path / "state"
    whole, output = mailbox(tmp_path)
    saving, _ = mailbox(tmp_path, save=state, save_at=save_at)
    assert saving.saved
    # Only what is in use is kept of 256 MiB.
    assert state.stat().st_size < 1_000_000
    for _ in range(2):
        resumed, rest = mailbox(tmp_path, restore=state)
        assert (resumed.cycles, resumed.sleep_cycles) == (whole.cycles, whole.sleep_cycles)
        assert (resumed.bytes_in, resumed.bytes_out) == (2500, 2500)
        assert rest and output.endswith(rest)
        # The program sees that it was resumed by the result of its own command alone.
        assert resumed.exit_code == (1 if save_at is None else 0)


def test_a_damaged_state_is_refused(tmp_path: Path):
    (tmp_path / "state").write_bytes(bytes(1000))
    with pytest.raises(CryptileError, match="Can't deserialize"):
        mailbox(tmp_path, restore=tmp_path / "state")


def test_uart_input(tmp_path: Path):
    (tmp_path / "typed").write_bytes(b"halloween")
    result = run("echo", uart=tmp_path / "typed")
    assert (result.exit_code, result.console) == (0, "HALLOWEEN")


def test_more_data_is_loaded(tmp_path: Path):
    (tmp_path / "data").write_bytes(b"\x2a")
    assert run("loaded", data={0x8800_0003: tmp_path / "data"}).exit_code == 42


def test_bad_calls_are_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="latency"):
        tile.run(Path("x"), Path("y"), latency=256)
    with pytest.raises(UsageError, match="program or a saved state"):
        tile.run(Path("x"), None)
    with pytest.raises(UsageError, match="counted from 1"):
        tile.run(Path("x"), Path("y"), save_at=0)
    with pytest.raises(UsageError, match="64-bit RISC-V"):
        tile.run(Path("x"), firmware.build("size"))
