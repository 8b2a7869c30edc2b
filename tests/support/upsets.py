"""Finds the registers of protected engines, and upsets them."""

import random
from collections.abc import Callable
from typing import Any

import cocotb
from cocotb.triggers import ReadWrite, RisingEdge

from cryptile.jobs.port import FAULT_CORRECTED, FAULT_DETECTED
from support.job_port import Job, JobPort, Result


def registers(handle) -> list:
    """Find all registers of primitives below a handle: copies and codewords."""
    found = []
    for child in handle:
        name = child._name
        if name == "copy_q" or (name == "q_o" and handle._name == "u_codeword"):
            found.append(child)
        elif name.startswith(("u_", "gen_")):
            found += registers(child)
    return found


def flip(register, bit: int) -> None:
    """Upset a bit; right behind a clock edge, before anyone looks at what follows from it."""
    register.value = int(register.value) ^ 1 << bit


def bit_of(rng: random.Random, register) -> tuple[Any, int]:
    """Draw a bit of a register."""
    return register, rng.randrange(len(register))


def any_bit(rng: random.Random, found: list) -> Callable[[], tuple[Any, int]]:
    """Return what draws one of all bits of some registers, each as often as another."""
    places = [(register, bit) for register in found for bit in range(len(register))]
    return lambda: rng.choice(places)


async def hit(port: JobPort, cycles: int, register, bit: int) -> None:
    """Flip a bit some cycles later, before anyone looks at what that cycle's readies are."""
    for _ in range(cycles):
        await RisingEdge(port.dut.clk_i)
    await ReadWrite()
    flip(register, bit)


async def alarm(port: JobPort, results: list[Result], place: str, patience: int = 500) -> bool:
    """Wait for the end of a job that a fault was detected in, or of all; tell whether one was."""
    for _ in range(patience):
        await RisingEdge(port.dut.clk_i)
        if any(result.status == FAULT_DETECTED for result in results):
            return True
        if all(task.done() for task in port.tasks):
            return False
    raise AssertionError(f"hangs: {place}")


async def one_in_each_run(
    port: JobPort,
    rng: random.Random,
    *,
    runs: int,
    longest: int,
    jobs: Callable[[], list[Job]],
    place: Callable[[], tuple[Any, int]],
    corrects: bool,
    patience: int = 500,
) -> None:
    """Upset one flip-flop in each run of jobs: it does no harm, or ends its job and is reported.

    Args:
        port: of an engine that was reset.
        rng: what is drawn from.
        runs: how often; a tenth must be reported, or upsets would hit nothing.
        longest: cycles, at most, from the begin of a run to its upset.
        jobs: draws those of a run.
        place: draws a register and its bit.
        corrects: the engine goes on; otherwise a job may end, and the engine is cleared.
        patience: cycles behind an upset until the last job ends or one is reported.
    """
    flagged = 0
    for _ in range(runs):
        driven = jobs()
        results = port.begin(driven)
        register, bit = place()
        await hit(port, rng.randrange(1, longest), register, bit)
        if corrects:
            await port.finish(results)
            port.compare(driven, results, corrected=True)
            flagged += any(result.status == FAULT_CORRECTED for result in results)
            continue
        flagged += await alarm(port, results, f"{register._path}[{bit}]", patience)
        for wanted, result in zip(port.expected, results, strict=True):
            assert result.beats == wanted.beats[: len(result.beats)], register._path
            good = (-1, wanted.status, FAULT_CORRECTED, FAULT_DETECTED)
            assert result.status in good, (register._path, result)
            if result.status == FAULT_DETECTED:
                break
            assert result.beats == wanted.beats, register._path
        await port.clear()
        await RisingEdge(port.dut.clk_i)
    assert flagged > runs // 10, flagged


class TakesAll:
    """Makes a ``JobPort`` take all that comes: it is of the job whose ``done`` is next."""

    async def _receive_data(self, results: list[Result]) -> None:
        pass

    async def _receive_done(self, results: list[Result]) -> None:
        data = cocotb.start_soon(self._gather(results))
        self.current = 0
        for result in results:
            result.status = await self.take("done")
            result.done = self.cycle
            self.current += 1
        data.cancel()
        self.dut.dst_ready_i.value = 0

    async def _gather(self, results: list[Result]) -> None:
        while True:
            beat = await self.take("dst")
            results[self.current].beats.append(beat)
