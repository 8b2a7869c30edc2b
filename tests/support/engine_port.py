"""Drives the five channels of an engine port in cocotb, with random stalls."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Combine, First, ReadOnly, RisingEdge, Timer, ValueChange
from cocotb.utils import get_sim_time

PERIOD = 10
"""Nanoseconds of a clock cycle."""


class EnginePort:
    """The five channels of one engine; `stalls` maps a channel to the share of idle cycles.

    Where nothing is drawn at random from cycle to cycle, what waits for the engine sleeps until the
    engine's signal changes: a cycle in which nothing moves costs no Python.
    """

    def __init__(self, dut, seed: int = 0, stalls: dict[str, float] | None = None):
        self.dut = dut
        self.random = random.Random(seed)
        self.stalls = stalls or {}
        self.tasks: list = []
        self.handshakes: dict[str, list[int]] = {}
        self.timeout = 200_000
        """Cycles in which jobs that were begun must end."""

    async def start(self) -> None:
        """Start the clock and reset the engine."""
        dut = self.dut
        cocotb.start_soon(Clock(dut.clk_i, PERIOD, unit="ns").start())
        self._idle()
        dut.clear_i.value = 0
        for name in ("fault_inject_i", "rnd_valid_i", "rnd_i"):
            if hasattr(dut, name):
                getattr(dut, name).value = 0
        await self.reset()

    async def reset(self) -> None:
        self.dut.rst_ni.value = 0
        self.abandon()
        await RisingEdge(self.dut.clk_i)
        await RisingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1
        await RisingEdge(self.dut.clk_i)

    async def clear(self) -> None:
        """Abort whatever runs."""
        self.dut.clear_i.value = 1
        self.abandon()
        await RisingEdge(self.dut.clk_i)
        self.dut.clear_i.value = 0

    def abandon(self) -> None:
        """Stop driving; valids and readies fall."""
        for task in self.tasks:
            task.cancel()
        self.tasks = []
        self._idle()

    async def finish(self, results: object, timeout: int | None = None) -> None:
        """Wait until all that was begun is done and all channels are quiet."""
        timeout = timeout or self.timeout
        done = Combine(*(task.complete for task in self.tasks))
        await First(done, Timer(timeout * PERIOD, "ns"))
        assert all(task.done() for task in self.tasks), f"no end in {timeout} cycles: {results}"
        await RisingEdge(self.dut.clk_i)

    def _idle(self) -> None:
        for name in ("job_valid_i", "key_valid_i", "src_valid_i", "dst_ready_i", "done_ready_i"):
            getattr(self.dut, name).value = 0

    @property
    def cycle(self) -> int:
        """Number of the clock cycle, from any beginning."""
        return int(get_sim_time("ns")) // PERIOD

    def stalled(self, channel: str) -> bool:
        share = self.stalls.get(channel, 0.0)
        return share > 0 and self.random.random() < share

    async def send(self, channel: str, values: list[int]) -> None:
        valid = getattr(self.dut, f"{channel}_valid_i")
        ready = getattr(self.dut, f"{channel}_ready_o")
        payload = getattr(self.dut, f"{channel}_i")
        for value in values:
            while self.stalled(channel):
                await RisingEdge(self.dut.clk_i)
            valid.value = 1
            payload.value = value
            await settled_high(ready)
            await RisingEdge(self.dut.clk_i)
            self.handshakes[channel].append(self.cycle)
            valid.value = 0
            # Garbage between beats shows what is read without being valid.
            payload.value = self.random.getrandbits(len(payload))

    async def take(self, channel: str) -> int:
        """Take one beat; check that it is stable from valid to handshake."""
        valid = getattr(self.dut, f"{channel}_valid_o")
        ready = getattr(self.dut, f"{channel}_ready_i")
        payload = getattr(self.dut, "dst_o" if channel == "dst" else "done_status_o")
        seen = None
        while True:
            wanted = not self.stalled(channel)
            ready.value = wanted
            if self.stalls.get(channel, 0.0) > 0:
                await ReadOnly()
            else:
                await settled_high(valid)
            here = int(valid.value)
            value = int(payload.value) if here else None
            assert seen is None or value == seen, f"{channel} changed before its handshake"
            seen = value
            await RisingEdge(self.dut.clk_i)
            if here and wanted:
                ready.value = 0
                return value


async def give_random(dut, word: bytes = b"") -> None:
    """Give random bits whenever they are taken: others each time, or a word over and over."""
    rng = random.Random(0)
    dut.rnd_valid_i.value = 1
    while True:
        value = int.from_bytes(word, "little") if word else rng.getrandbits(len(dut.rnd_i))
        dut.rnd_i.value = value
        await settled_high(dut.rnd_ready_o)
        await RisingEdge(dut.clk_i)


async def settled_high(signal) -> None:
    """Wait for the first cycle, this one included, in which a signal of the engine is high."""
    await ReadOnly()
    while not int(signal.value):
        await ValueChange(signal)
        await ReadOnly()
