"""cocotb test of ``cry_entropy``: words, alarms and restarts, read-out, switches, wiping, times."""

import os
from itertools import islice

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, First, RisingEdge, Timer
from cocotb.utils import get_sim_time
from health_model import FAILS, health
from rings import Rings
from source_model import combine, words
from sources import BROKEN, sound

NAMES = ("Lanes", "Period", "Window", "Blocks", "RestartSamples", "SettleCycles", "PauseCycles")
LANES, PERIOD, WINDOW, BLOCKS, ROW, SETTLE, PAUSE = (int(os.environ[name]) for name in NAMES)
RCT, CUTOFF = (int(os.environ[name]) for name in ("RctCutoff", "Cutoff"))
LAGS = 4
LONG = int(os.environ.get("CRYPTILE_LONG", "0"))
UPSETS = bool(os.environ.get("CRYPTILE_UPSET"))
NS = 10
TEST = 917  # cycles of the known-answer test before it has passed
COMPUTES = 214  # cycles from a block's last sample to the next block's first one
NONE, RAW, RESTART, TESTED, CONDITIONED = range(5)
OFF, SETTLING, STARTUP, RUN, READ, PAUSED, ALARM = range(7)
KNOWN = 16
"""Of the tests that failed: the conditioner's known-answer test."""
HELD = (
    "u_tests.records_q",
    "u_tests.sample_q",
    "u_conditioner.late_q",
    "u_conditioner.u_core.block_q",
    "beat_q",
    "ent_word_o",
    "read_data_o",
)


class Source:
    """Oscillators: each sample that is taken is the next one of those that are to come."""

    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        self.coming = np.zeros((LANES, 0), np.bool_)
        self.taken = []
        cocotb.start_soon(self._run())

    def follow(self, samples):
        """Have these samples taken from the next one on, and sound ones behind them."""
        self.coming, self.taken = samples, []

    async def _run(self):
        while True:
            if not self.coming.shape[1]:
                self.coming = sound(self.rng, LANES, 4 * WINDOW)
            word, self.coming = self.coming[:, 0], self.coming[:, 1:]
            self.dut.osc_i.value = int((1 << np.arange(LANES)) @ word)
            await RisingEdge(self.dut.u_sampler.valid_o)
            self.taken.append(word)
            await FallingEdge(self.dut.clk_i)

    def all(self):
        return np.array(self.taken).T


async def after(dut, cycles):
    """Wait so many cycles, and until outputs have settled."""
    await ClockCycles(dut.clk_i, cycles)
    await FallingEdge(dut.clk_i)


async def begin(dut, rng):
    dut.ent_begin_i.value = 0
    for name in ("enable", "restart", "read", "read_allowed", "ent_ready", "read_ready", "osc"):
        getattr(dut, f"{name}_i").value = 0
    dut.rst_ni.value = 0
    cocotb.start_soon(Clock(dut.clk_i, NS, unit="ns").start())
    await after(dut, 3)
    assert int(dut.ent_fail_o.value) and not int(dut.osc_enable_o.value)
    dut.rst_ni.value = 1
    return Source(dut, rng)


async def until(dut, state, cycles):
    """Wait for a state, as many cycles at most."""
    for _ in range(cycles):
        if int(dut.state_o.value) == state:
            return
        await FallingEdge(dut.clk_i)
    raise AssertionError(f"state {int(dut.state_o.value)}, not {state}, behind {cycles} cycles")


async def take(dut, port, count, slow=0.0, rng=None):
    """Return ``count`` beats of a port, from a receiver that is slow with a chance."""
    beats, valid = [], getattr(dut, f"{port}_valid_o")
    ready = getattr(dut, f"{port}_ready_i")
    data = dut.ent_word_o if port == "ent" else dut.read_data_o
    patience = NS * PERIOD * (2 * WINDOW + 32 * BLOCKS)
    while len(beats) < count:
        if not int(valid.value):
            await First(RisingEdge(valid), Timer(patience, unit="ns"))
            await FallingEdge(dut.clk_i)
            assert int(valid.value), f"no beat behind {len(beats)}"
        if rng is not None and rng.random() < slow:
            await after(dut, int(rng.integers(1, 200)))
        beats.append((int(data.value), int(dut.read_first_o.value)))
        ready.value = 1
        await FallingEdge(dut.clk_i)
        ready.value = 0
    return beats


async def gone(dut):
    """All that depends on samples is zero soon."""
    assert not int(dut.ent_valid_o.value) and not int(dut.read_valid_o.value)
    await after(dut, LANES + 2)
    for path in HELD:
        handle = dut
        for part in path.split("."):
            handle = getattr(handle, part)
        assert not int(handle.value), path


async def output(dut, source, samples, count, late=0):
    """From a standstill: so many words come, those of the samples behind the start-up window.

    Each is taken so many cycles late. Of samples that come faster than the core computes some are
    lost: then it is not known which ones make a word.
    """
    source.follow(samples)
    got = []
    for _ in range(count):
        got += [beat for beat, _ in await take(dut, "ent", 1)]
        await after(dut, late)
    behind = source.all()[:, WINDOW:]
    assert PERIOD <= COMPUTES or got == list(islice(words(behind, BLOCKS), count))


@cocotb.test
async def words_of_samples(dut):
    """Words are the conditioned samples behind the tests; slow receivers lose samples, no words."""
    rng = np.random.default_rng(1)
    source = await begin(dut, rng)
    dut.enable_i.value = 1
    await output(dut, source, sound(rng, LANES, 2 * WINDOW), 6)
    assert len({beat for beat, _ in await take(dut, "ent", 6, 0.9, rng)}) == 6
    await after(dut, 40 * BLOCKS * PERIOD)
    assert len({beat for beat, _ in await take(dut, "ent", 4)}) == 4
    dut.enable_i.value = 0
    await FallingEdge(dut.clk_i)
    assert int(dut.state_o.value) == OFF and int(dut.ent_fail_o.value)
    await gone(dut)
    dut.enable_i.value = 1
    # The sample that comes between two words waits.
    await output(dut, source, sound(rng, LANES, 4 * WINDOW), 6, 100)


def first_failure(samples):
    """Return with which sample a test fails first, the tests that do as bits, and of which lane."""
    said = health(samples, window=WINDOW, rct=RCT, cutoff=CUTOFF, lags=LAGS)
    index = min(int(part.any(0).argmax()) for part in said.values() if part.any())
    failing = {name: np.append(said[name][:, index], False) for name in FAILS}
    lane = min(int(part.argmax()) for part in failing.values() if part.any())
    bits = sum(1 << n for n, name in enumerate(FAILS) if failing[name][lane])
    return index, bits, lane


@cocotb.test
async def alarm(dut):
    """A source that breaks, before it runs or later: an alarm in two windows, until a restart."""
    rng = np.random.default_rng(2)
    source = await begin(dut, rng)
    dut.enable_i.value = 1
    for number, kind in enumerate(BROKEN):
        running = number % 2
        tested = np.zeros((LANES, 0), np.bool_)
        if running:
            await until(dut, RUN, 2 * WINDOW * PERIOD)
            await take(dut, "ent", 1)
            tested = source.all()  # from the restart on
        else:
            dut.enable_i.value = 0
            await until(dut, OFF, 2)
            dut.enable_i.value = 1
        source.follow(BROKEN[kind](rng, LANES, 2 * WINDOW))
        await First(RisingEdge(dut.alarm_o), Timer(NS * 2 * WINDOW * PERIOD, unit="ns"))
        await FallingEdge(dut.clk_i)
        assert int(dut.alarm_o.value), kind
        assert len(source.taken) <= (2 if running else 1) * WINDOW
        fails, lane = int(dut.alarm_fails_o.value), int(dut.alarm_lane_o.value)
        tested = np.hstack([tested, source.all()])
        assert first_failure(tested) == (tested.shape[1] - 1, fails, lane), kind
        assert not int(dut.osc_enable_o.value) and int(dut.ent_fail_o.value)
        await gone(dut)
        dut.enable_i.value = number % 2
        dut.read_allowed_i.value, dut.read_i.value = 1, RAW
        await after(dut, PAUSE + SETTLE + 4 * PERIOD)
        assert int(dut.state_o.value) == ALARM
        assert (int(dut.alarm_fails_o.value), int(dut.alarm_lane_o.value)) == (fails, lane)
        dut.enable_i.value, dut.restart_i.value = 1, 1
        dut.read_allowed_i.value, dut.read_i.value = 0, NONE
        await FallingEdge(dut.clk_i)
        dut.restart_i.value = 0
        assert not int(dut.alarm_o.value) and not int(dut.alarm_fails_o.value)
        await output(dut, source, sound(rng, LANES, 3 * WINDOW), 2)


@cocotb.test
async def on_demand(dut):
    """A restart, at any time but off, has the tests done anew; nothing of before is used."""
    rng = np.random.default_rng(12)
    source = await begin(dut, rng)

    async def restart():
        dut.restart_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.restart_i.value = 0

    await restart()
    await after(dut, 3)
    assert int(dut.state_o.value) == OFF
    dut.enable_i.value = 1
    for state in (SETTLING, STARTUP, RUN, PAUSED, READ):
        if state == PAUSED:
            await restart()
        if state == READ:
            dut.read_allowed_i.value, dut.read_i.value = 1, RAW
        await until(dut, state, PAUSE + SETTLE + 2 * WINDOW * PERIOD)
        if state == RUN:
            await until_word(dut)
        if state == READ:
            await take(dut, "read", 2)
        await restart()
        assert int(dut.ent_fail_o.value) and not int(dut.osc_enable_o.value)
        assert int(dut.state_o.value) == PAUSED
        source.follow(sound(rng, LANES, 2 * WINDOW))
        for following, cycles in ((SETTLING, PAUSE), (READ if state == READ else STARTUP, SETTLE)):
            await after(dut, cycles)
            assert int(dut.state_o.value) == following
    assert await take(dut, "read", 1) == [(int((1 << np.arange(LANES)) @ source.all()[:, 0]), 1)]
    dut.read_i.value = NONE
    await FallingEdge(dut.clk_i)
    await restart()
    await output(dut, source, sound(rng, LANES, 3 * WINDOW), 2)


async def until_word(dut):
    """Wait until a word is there, which nobody takes."""
    for _ in range(32 * BLOCKS * PERIOD):
        if int(dut.ent_valid_o.value):
            return
        await FallingEdge(dut.clk_i)
    raise AssertionError("no word")


@cocotb.test
async def raw(dut):
    """Samples from the first one on, contiguous; if one is not read the stream ends and says so."""
    rng = np.random.default_rng(3)
    source = await begin(dut, rng)
    dut.enable_i.value, dut.read_allowed_i.value, dut.read_i.value = 1, 1, RAW
    broken = BROKEN["stuck"](rng, LANES, 3 * WINDOW)
    source.follow(broken)  # no test runs
    beats = await take(dut, "read", LONG or 2 * WINDOW)
    bits = 1 << np.arange(LANES)
    assert [beat for beat, _ in beats] == list(bits @ source.all()[:, : len(beats)])
    assert [first for _, first in beats] == [1] + [0] * (len(beats) - 1)
    assert not int(dut.read_lost_o.value) and int(dut.ent_fail_o.value)
    await after(dut, 3 * PERIOD)
    assert int(dut.read_lost_o.value)
    (last,) = await take(dut, "read", 1)
    assert last[0] == int(bits @ source.all()[:, len(beats)])
    await after(dut, 3 * PERIOD)
    assert not int(dut.read_valid_o.value)
    dut.read_i.value = NONE
    await FallingEdge(dut.clk_i)
    assert int(dut.state_o.value) == PAUSED and not int(dut.read_lost_o.value)
    await gone(dut)
    await output(dut, source, sound(rng, LANES, 2 * WINDOW), 2)


@cocotb.test
async def restarts(dut):
    """Rows of samples, in front of each of which the oscillators stood still."""
    rng = np.random.default_rng(4)
    source = await begin(dut, rng)
    dut.enable_i.value, dut.read_allowed_i.value, dut.read_i.value = 1, 1, RESTART
    source.follow(np.zeros((LANES, 0), np.bool_))
    stops = []

    async def watch():
        while True:
            await FallingEdge(dut.osc_enable_o)
            stopped = get_sim_time("ns")
            await RisingEdge(dut.osc_enable_o)
            stops.append((get_sim_time("ns") - stopped) / NS)

    watcher = cocotb.start_soon(watch())
    rows = LONG or 5
    beats = await take(dut, "read", rows * ROW)
    watcher.cancel()
    bits = 1 << np.arange(LANES)
    assert [beat for beat, _ in beats] == list(bits @ source.all())
    firsts = [index for index, (_, first) in enumerate(beats) if first]
    assert firsts == list(range(0, rows * ROW, ROW))
    assert stops == [PAUSE] * (rows - 1)


@cocotb.test
async def stages(dut):
    """Tested and conditioned: what is read goes nowhere else, and nothing passes a switch."""
    rng = np.random.default_rng(5)
    source = await begin(dut, rng)
    dut.enable_i.value, dut.read_allowed_i.value, dut.read_i.value = 1, 1, TESTED
    source.follow(sound(rng, LANES, 3 * WINDOW))
    beats = [beat for beat, _ in await take(dut, "read", 2 * WINDOW)]
    assert beats == list(combine(source.all()[:, WINDOW:])[: len(beats)])
    dut.read_i.value = CONDITIONED
    source.follow(sound(rng, LANES, 3 * WINDOW))
    await FallingEdge(dut.clk_i)
    await gone(dut)
    dut.ent_ready_i.value = 1
    beats = [beat for beat, _ in await take(dut, "read", 4)]
    assert beats == list(islice(words(source.all()[:, WINDOW:], BLOCKS), 4))
    dut.ent_ready_i.value = 0
    await RisingEdge(dut.read_valid_o)
    await FallingEdge(dut.clk_i)
    dut.read_allowed_i.value = 0  # in the midst of a beat
    await FallingEdge(dut.clk_i)
    await gone(dut)
    await output(dut, source, sound(rng, LANES, 2 * WINDOW), 2)
    await RisingEdge(dut.ent_valid_o)
    await FallingEdge(dut.clk_i)
    dut.read_allowed_i.value = 1
    await FallingEdge(dut.clk_i)
    await gone(dut)
    # A failure is found when tested samples are read, too.
    dut.read_i.value = TESTED
    dut.read_ready_i.value = 1
    source.follow(BROKEN["stuck"](rng, LANES, 2 * WINDOW))
    await First(RisingEdge(dut.alarm_o), Timer(NS * 2 * WINDOW * PERIOD, unit="ns"))
    await FallingEdge(dut.clk_i)
    assert int(dut.alarm_o.value)
    await gone(dut)


@cocotb.test
async def resets(dut):
    """A reset, or off, at any time: nothing is left, and it begins anew."""
    rng = np.random.default_rng(6)
    source = await begin(dut, rng)
    for number in range(4):
        dut.enable_i.value = 1
        await after(dut, int(rng.integers(1, 2 * WINDOW * PERIOD)))
        if number % 2:
            dut.rst_ni.value = 0
        dut.enable_i.value = 0
        await FallingEdge(dut.clk_i)
        assert int(dut.state_o.value) == OFF
        await gone(dut)
        dut.rst_ni.value = 1
    dut.enable_i.value = 1
    await output(dut, source, sound(rng, LANES, 2 * WINDOW), 2)


@cocotb.test
async def times(dut):
    """Cycles from off to a seed of six words, and to four more, from rings as they are modelled.

    They are what ``cryptile random cutoffs`` says, where that is given.
    """
    rng = np.random.default_rng(7)
    source = await begin(dut, rng)
    interval = PERIOD * NS * 1e-9
    source.follow(Rings(lanes=LANES).samples(rng, 8 * WINDOW, interval))
    dut.enable_i.value = 1
    begun = get_sim_time("ns")
    await take(dut, "ent", 6)
    seeded = get_sim_time("ns")
    await take(dut, "ent", 4)
    reseeded = get_sim_time("ns")
    start, again = round((seeded - begun) / NS), round((reseeded - seeded) / NS)
    dut._log.info("start-up and seed %d cycles, reseed %d", start, again)
    message = BLOCKS * 16 * PERIOD
    assert start <= SETTLE + WINDOW * PERIOD + 3 * message + 300
    assert again <= 2 * message + 300
    for name, cycles in (("START", start), ("RESEED", again)):
        assert int(os.environ.get(f"CRYPTILE_{name}", cycles)) == cycles


@cocotb.test
async def known_answer(dut):
    """The conditioner passes its test while the oscillators settle, and an upset fails it.

    That is an alarm as others are, but where samples are read that are not conditioned.
    """
    rng = np.random.default_rng(8)
    await begin(dut, rng)
    dut.enable_i.value = 1
    await until(dut, SETTLING, 2)
    for cycle in range(SETTLE):
        assert int(dut.state_o.value) == SETTLING
        assert int(dut.u_conditioner.passed_o.value) == (cycle >= TEST), cycle
        assert not int(dut.ent_valid_o.value) and not int(dut.ent_word_o.value)
        await FallingEdge(dut.clk_i)
    assert int(dut.state_o.value) == STARTUP
    if not UPSETS:
        return
    conditioner = dut.u_conditioner
    counts = TEST - COMPUTES - 4  # cycles until the last byte is in
    held = (
        (conditioner.u_core.block_q, TEST - 4),
        (conditioner.place_q, counts),
        (conditioner.block_q, counts),
    )
    for number in range(24):
        raw = number % 4 == 3
        dut.read_i.value, dut.read_allowed_i.value = RAW, raw
        dut.enable_i.value = 0
        await until(dut, OFF, 2)
        dut.enable_i.value = 1
        await until(dut, SETTLING, 2)
        register, cycles = held[number % 3]
        await after(dut, int(rng.integers(2, cycles)))
        register.value = int(register.value) ^ 1 << int(rng.integers(len(register)))
        await FallingEdge(dut.clk_i)
        await until(dut, READ if raw else ALARM, SETTLE)
        if raw:
            continue
        assert (int(dut.alarm_fails_o.value), int(dut.alarm_lane_o.value)) == (KNOWN, 0)
        assert int(dut.ent_fail_o.value) and not int(dut.osc_enable_o.value)
        await gone(dut)
        dut.enable_i.value = 0
        await after(dut, 2)
        assert int(dut.state_o.value) == ALARM
        dut.enable_i.value, dut.restart_i.value = 1, 1
        await FallingEdge(dut.clk_i)
        dut.restart_i.value = 0
        assert not int(dut.alarm_fails_o.value)
        await until(dut, STARTUP, PAUSE + SETTLE + 2)
