"""The driver of the random bit generator, built natively, on the generator's RTL.

An access takes as long as on the tile SoC, whose own test of the driver is
``tests/soc/tile/test_tile_soc.py``.
"""

import ctypes
from collections.abc import Callable
from ctypes import c_bool, c_size_t, c_uint, c_uint8, c_uint32, c_uint64, c_void_p
from functools import cache
from pathlib import Path

import pytest
from support.mutated import mutated

from cryptile.entropy import samples
from cryptile.entropy.samples import ROW, Stage
from cryptile.project import ROOT
from cryptile.toolchain import rtl, tools
from cryptile.toolchain.cache import build as cached
from cryptile.toolchain.cache import digest

HERE = Path(__file__).parent / "rbg"
RINGS = ROOT / "soc/tile/sim"
DRIVER = [ROOT / f"sw/hal/{name}.c" for name in ("rbg", "rbg_read", "tile_random")]
OK, PARAM, STATE, BUSY, TIMEOUT, FAULT, SUPPORT = 0, -1, -2, -5, -6, -8, -9
OFF, RUNNING, ALARM = 0, 3, 6
REPETITION, LANE = 1, 5
LIMIT = 1_000_000
"""``RbgStartLimit``."""
RUN_OF_EQUAL = 100 * 256
"""Cycles of 100 samples: 81 equal ones in a row are an alarm."""
STAGES = {Stage.raw: 1, Stage.restart: 2, Stage.tested: 3, Stage.conditioned: 4}

WRONG = ("cry_drbg_pkg.sv", "3cd09a12_7be907eb", "3cd09a12_7be907ea")
"""An answer that the DRBG's test does not find."""

# One worker builds the model.
pytestmark = pytest.mark.xdist_group("rbg-driver")


class State(ctypes.Structure):
    """``rbg_state_t``."""

    _fields_ = [
        ("source", c_uint),
        *((name, c_bool) for name in ("alarm", "drbg_alarm", "stopped", "seeded")),
        ("lane", c_uint8),
        ("failed", c_uint8),
    ]


@cache
def library(change: tuple[str, str, str] | None = None) -> ctypes.CDLL:
    """Build the driver with the generator, in whose RTL a text is changed, and load it."""
    files = rtl.resolve("cryptile:engine:rbg")
    glue = [HERE / "native_rbg.cpp", RINGS / "oscillators.cpp"]
    code = [*DRIVER, HERE / "native_tile.c"]
    how = [
        "--cc", "--top-module", "cry_rbg", "-Wno-fatal", "-O3", "--x-assign", "fast",
        "--x-initial", "fast", "--no-assert", "-GBulk=1", "-CFLAGS", "-fPIC",
    ]  # fmt: skip
    includes = [f"-I{HERE}", f"-I{RINGS}", *(
        f"-I{ROOT / 'sw' / name}" for name in ("hal", "include", "lib", "driver/core")
    )]  # fmt: skip
    flags = ["-fPIC", "-O1", "-g", "-Wall", "-Wextra", *includes]

    def make(folder: Path) -> None:
        tools.run(
            [
                "verilator",
                *how,
                "-Mdir",
                folder,
                *(f"+incdir+{path}" for path in files.include_dirs),
                *mutated(files.files, change, folder),
            ]
        )
        tools.run(
            [
                "make",
                "-C",
                folder,
                "-f",
                "Vcry_rbg.mk",
                tools.ONE_FILE,
                "OPT_FAST=-O1",
                "OPT_SLOW=-O0",
            ]
        )
        runtime = tools.package_dir("verilator") / "include"
        registers = ["-include", HERE / "native_rbg.h"]
        tools.run(["gcc", "-std=c11", "-Werror", *registers, *flags, "-c", *code], cwd=folder)
        tools.run(
            ["g++", "-std=c++17", "-shared", *flags, f"-I{folder}", "-isystem", runtime,
             "-isystem", runtime / "vltstd", *glue, *(f"{path.stem}.o" for path in code),
             "Vcry_rbg__ALL.a", "libverilated.a", "-pthread", "-latomic", "-o", "rbg.so"],
            cwd=folder,
        )  # fmt: skip

    headers = [*sorted((ROOT / "sw").rglob("*.h")), RINGS / "oscillators.h", HERE / "native_rbg.h"]
    key = digest(
        [*files.inputs, *glue, *code, *headers], how, flags, change, tools.version("verilator")
    )
    loaded = ctypes.CDLL(str(cached("native-rbg", key, make) / "rbg.so"))
    loaded.cry_rbg_state.restype = State
    loaded.cry_tile_random_source.restype = c_bool
    loaded.rbg_now.restype = c_uint64
    loaded.rbg_load.argtypes = [c_size_t]
    loaded.rbg_store.argtypes = [c_size_t, c_uint32]
    loaded.cry_rbg_reseed.argtypes = [c_uint32]
    loaded.cry_rbg_read.argtypes = [c_uint, c_void_p, c_size_t, c_uint32]
    loaded.cry_tile_random.argtypes = [c_void_p, c_void_p, c_size_t, c_uint32]
    loaded.cry_tile_random_source.argtypes = [c_void_p, c_size_t]
    loaded.native_rbg_reset.argtypes = [c_uint64]
    loaded.cry_tile_random_use.argtypes = [c_void_p]
    return loaded


def off(lib: ctypes.CDLL) -> ctypes.CDLL:
    """Reset a generator: it is off."""
    lib.native_rbg_reset(1)
    lib.native_rbg_allow_read(False)
    for name in ("native_tile_jobs", "native_tile_alarm_in"):
        c_uint.in_dll(lib, name).value = 0
    lib.cry_tile_random_use(RING)
    return lib


@pytest.fixture
def rbg() -> ctypes.CDLL:
    return off(library())


@pytest.fixture
def running(rbg: ctypes.CDLL) -> ctypes.CDLL:
    """One that is seeded."""
    assert rbg.cry_rbg_start(LIMIT) == OK
    return rbg


RING = ctypes.create_string_buffer(256)


def ask(rbg: ctypes.CDLL, length: int) -> tuple[int, bytes]:
    """Ask for bytes; return the status and what is in the buffer then."""
    out = (c_uint8 * (length + 1))(*[0xA5] * (length + 1))
    status = rbg.cry_tile_random(RING, out, length, 300_000)
    assert out[length] == 0xA5
    return status, bytes(out)[:length]


def is_alarm(rbg: ctypes.CDLL) -> bool:
    state = rbg.cry_rbg_state()
    told = (state.source, state.lane, state.failed)
    return state.alarm and state.stopped and not state.seeded and told == (ALARM, LANE, REPETITION)


def time_of(rbg: ctypes.CDLL, call: Callable[[], int], status: int) -> int:
    before = rbg.rbg_now()
    assert call() == status
    return rbg.rbg_now() - before


def test_off(rbg: ctypes.CDLL):
    assert rbg.cry_rbg_state().source == OFF
    assert rbg.cry_rbg_check() == rbg.cry_rbg_reseed(LIMIT) == STATE
    assert ask(rbg, 40) == (STATE, bytes(40))


def test_start_and_random_bytes(rbg: ctypes.CDLL):
    """A time-out leaves it on; the start takes what the README of the source says, and the DRBG."""
    assert time_of(rbg, lambda: rbg.cry_rbg_start(2000), TIMEOUT) < 2200
    assert ask(rbg, 40) == (BUSY, bytes(40)) and rbg.cry_rbg_reseed(LIMIT) == BUSY
    assert rbg.cry_rbg_start(LIMIT) == OK
    assert 312_576 < rbg.rbg_now() < 316_000
    state = rbg.cry_rbg_state()
    assert (state.source, state.seeded, state.stopped, state.alarm) == (RUNNING, True, False, False)
    assert (state.lane, state.failed, state.drbg_alarm) == (0, 0, False)
    given = [ask(rbg, 100) for _ in range(3)]
    assert {status for status, _ in given} == {OK} and len({data for _, data in given}) == 3
    assert ask(rbg, 0) == (OK, b"")
    # Jobs of at most 64 KiB.
    c_uint.in_dll(rbg, "native_tile_jobs").value = 0
    status, data = ask(rbg, 150_000)
    assert status == OK and c_uint.in_dll(rbg, "native_tile_jobs").value == 3
    assert all(any(data[at : at + 16]) for at in range(0, 149_984, 16))
    assert rbg.cry_tile_random(RING, None, 1, 1000) == PARAM
    assert rbg.cry_tile_random(None, ctypes.create_string_buffer(1), 1, 1000) == PARAM
    rbg.cry_rbg_stop()
    assert ask(rbg, 40) == (STATE, bytes(40)) and not rbg.cry_rbg_state().seeded


def off_and_on(rbg: ctypes.CDLL) -> int:
    rbg.cry_rbg_stop()
    return rbg.cry_rbg_start(LIMIT)


def read_and_on(rbg: ctypes.CDLL) -> int:
    rbg.native_rbg_allow_read(True)
    assert read(rbg, 1, 5)[0] == OK
    return rbg.cry_rbg_start(LIMIT)


def broken_and_mended(rbg: ctypes.CDLL) -> int:
    rbg.native_rbg_fail(1 << LANE)
    while rbg.cry_rbg_check() == OK:
        pass
    rbg.native_rbg_fail(0)
    return rbg.cry_rbg_restart(LIMIT)


SEED = 32_768
"""Cycles of four words, which are the DRBG's for a new seed."""

NEW_SEEDS: dict[str, tuple[Callable[[ctypes.CDLL], int], int]] = {
    "reseed": (lambda rbg: rbg.cry_rbg_reseed(LIMIT), SEED),
    "restart": (lambda rbg: rbg.cry_rbg_restart(LIMIT), 312_576),
    "off": (off_and_on, 312_576),
    "read-out": (read_and_on, 312_576),
    "alarm": (broken_and_mended, 312_576),
}


@pytest.mark.parametrize("way", NEW_SEEDS)
def test_new_seed(way: str, running: ctypes.CDLL):
    """Behind a return of OK nothing is given that the old seed has made, or would have made."""
    rbg, (call, cycles) = running, NEW_SEEDS[way]
    old = ask(rbg, 1600)[1]
    off(rbg)
    assert rbg.cry_rbg_start(LIMIT) == OK
    assert time_of(rbg, lambda: call(rbg), OK) > cycles - 256
    status, new = ask(rbg, 1600)
    assert status == OK
    assert not {old[at : at + 16] for at in range(0, 1600, 16)} & {
        new[at : at + 16] for at in range(0, 1600, 16)
    }


def test_reseed_takes_so_long(running: ctypes.CDLL):
    """There is nothing meanwhile; a long request may be under way when it is asked for."""
    assert ask(running, 48)[0] == OK
    assert time_of(running, lambda: running.cry_rbg_reseed(LIMIT), OK) < SEED + 2000
    assert time_of(running, lambda: running.cry_rbg_reseed(1000), TIMEOUT) < 1200
    assert running.cry_rbg_check() == BUSY and ask(running, 16) == (BUSY, bytes(16))
    assert running.cry_rbg_start(SEED + 2000) == OK and ask(running, 16)[0] == OK


def test_alarm_of_the_drbg():
    """Its test fails: so it is told, also while off, whatever is done but a restart."""
    rbg = off(library(WRONG))
    assert rbg.cry_rbg_start(LIMIT) == FAULT
    for source, call in (
        (None, lambda: rbg.cry_rbg_reseed(LIMIT)),
        (OFF, lambda: rbg.cry_rbg_stop() or rbg.cry_rbg_check()),
        (None, lambda: rbg.cry_rbg_start(LIMIT)),
        (None, lambda: rbg.cry_rbg_restart(LIMIT)),
    ):
        assert call() == FAULT and ask(rbg, 40) == (FAULT, bytes(40))
        state = rbg.cry_rbg_state()
        assert (state.alarm, state.drbg_alarm, state.seeded) == (False, True, False)
        assert source is None or state.source == source
    # Samples for validation can be had all the same.
    rbg.native_rbg_allow_read(True)
    assert read(rbg, 1, 3)[0] == OK and rbg.cry_rbg_check() == FAULT


def test_alarm_at_the_start(rbg: ctypes.CDLL):
    rbg.native_rbg_fail(1 << LANE)
    assert rbg.cry_rbg_start(RUN_OF_EQUAL) == FAULT and is_alarm(rbg)
    assert ask(rbg, 40) == (FAULT, bytes(40)) and rbg.cry_rbg_reseed(LIMIT) == FAULT
    # It was mended, and nothing but a restart forgets.
    rbg.native_rbg_fail(0)
    rbg.cry_rbg_stop()
    assert rbg.cry_rbg_start(LIMIT) == FAULT and is_alarm(rbg)
    assert rbg.cry_rbg_restart(LIMIT) == OK and rbg.cry_rbg_check() == OK
    assert ask(rbg, 40)[0] == OK


def test_alarm_in_work(running: ctypes.CDLL):
    rbg, before = running, running.rbg_now()
    rbg.native_rbg_fail(1 << LANE)
    while rbg.cry_rbg_check() == OK:
        assert rbg.rbg_now() - before < RUN_OF_EQUAL
    assert is_alarm(rbg) and ask(rbg, 16) == (FAULT, bytes(16))
    out = ctypes.create_string_buffer(b"\xa5" * 16, 16)
    assert not rbg.cry_tile_random_source(out, 16) and out.raw == bytes(16)
    assert rbg.cry_rbg_restart(RUN_OF_EQUAL) == FAULT and is_alarm(rbg)
    assert rbg.cry_rbg_read(1, ctypes.create_string_buffer(8), 1, 1000) == FAULT and is_alarm(rbg)


def test_alarm_during_a_job(running: ctypes.CDLL):
    """What came before the alarm is not given either, when a job ends behind it."""
    running.native_rbg_fail(1 << LANE)
    c_uint.in_dll(running, "native_tile_alarm_in").value = 1
    assert ask(running, 40) == (FAULT, bytes(40)) and is_alarm(running)
    assert c_uint.in_dll(running, "native_tile_jobs").value == 1


def test_source_of_psa(running: ctypes.CDLL):
    out = ctypes.create_string_buffer(b"\xa5" * 40, 40)
    assert running.cry_tile_random_source(out, 40) and out.raw != b"\xa5" * 40
    running.cry_tile_random_use(None)
    assert not running.cry_tile_random_source(out, 40) and out.raw == bytes(40)


def read(rbg: ctypes.CDLL, stage: int, count: int, limit: int = LIMIT) -> tuple[int, list[int]]:
    beats = (c_uint64 * count)(*[1 << 63] * count)
    return rbg.cry_rbg_read(stage, beats, count, limit), list(beats)


@pytest.mark.parametrize(
    ("stage", "count"),
    [(Stage.raw, 300), (Stage.restart, ROW + 100), (Stage.tested, 60), (Stage.conditioned, 6)],
)
def test_samples(stage: Stage, count: int, rbg: ctypes.CDLL):
    """They are what the source alone gives with the same oscillators, without a gap."""
    rbg.native_rbg_allow_read(True)
    alone = samples.collect(stage, count * (8 if stage is Stage.conditioned else 1))
    assert read(rbg, STAGES[stage], count) == (OK, list(alone.beats))
    # It is off behind it, and tested and seeded anew before there are random bits.
    assert rbg.cry_rbg_check() == STATE
    assert rbg.cry_rbg_start(0) == TIMEOUT and not rbg.cry_rbg_state().seeded


def test_read_out_ends_random_bits_alone(running: ctypes.CDLL):
    running.native_rbg_allow_read(True)
    assert read(running, 1, 5)[0] == OK
    assert ask(running, 16) == (STATE, bytes(16))
    assert running.cry_rbg_start(LIMIT) == OK and ask(running, 16)[0] == OK


@pytest.mark.parametrize("stage", STAGES.values())
def test_while_another_reads_out(stage: int, rbg: ctypes.CDLL):
    """In every state of the source: rows have pauses, and the tests a start."""
    rbg.native_rbg_allow_read(True)
    rbg.rbg_store(0, 1 | stage << 4)
    sources = set()
    while rbg.rbg_now() < 300_000:
        assert rbg.cry_rbg_check() == rbg.cry_rbg_reseed(LIMIT) == STATE
        sources.add(rbg.cry_rbg_state().source)
        if stage == STAGES[Stage.restart]:
            rbg.rbg_load(0x10)
    assert len(sources) == (3 if stage in (2, 3, 4) else 2)


@pytest.mark.parametrize("stage", STAGES.values())
def test_read_out_is_not_permitted(stage: int, rbg: ctypes.CDLL):
    assert read(rbg, stage, 3) == (SUPPORT, [0] * 3)
    assert rbg.cry_rbg_check() == STATE


def test_read_out_errors(rbg: ctypes.CDLL):
    rbg.native_rbg_allow_read(True)
    for stage in (0, 5, 7):
        assert read(rbg, stage, 3) == (PARAM, [1 << 63] * 3)
    assert rbg.cry_rbg_read(1, None, 3, 1000) == PARAM
    assert read(rbg, 3, 3, 5000) == (TIMEOUT, [0] * 3)
    # A core that is held up for as long as a sample takes.
    ctypes.c_int.in_dll(rbg, "native_rbg_access").value = 300
    assert read(rbg, 1, 3) == (STATE, [0] * 3) and rbg.cry_rbg_state().source == OFF
    ctypes.c_int.in_dll(rbg, "native_rbg_access").value = 5
    rbg.native_rbg_fail(1 << LANE)
    assert read(rbg, 3, 3) == (FAULT, [0] * 3) and is_alarm(rbg)
