"""Drives ``cry_pka`` and the bench of its core: rows, programs, random bits, ends, wiping."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, Timer, with_timeout
from cocotb.utils import get_sim_time
from support import pka

MACHINE = pka.MACHINES[os.environ["CRYPTILE_MACHINE"]]
"""The one that is simulated."""

OK, REFUSED, RANDOM, FAULT, PARAM = range(5)
WIPE_CYCLES = 256
END = 2
"""Cycles from a program's end to ``done_valid_o``, with that of the start."""

INPUTS = ("clear", "start_valid", "rnd_valid", "rnd_data", "done_ready")


@dataclass
class End:
    """How a job ended."""

    status: int
    cycles: int
    """From acceptance of the start to the end, without the two cycles around the program."""

    issues: list[tuple[int, int]] = field(default_factory=list)
    """Cycle and address of each instruction."""

    writes: list[tuple[int, int, int]] = field(default_factory=list)
    """Cycle, row and value of each write."""


class Port:
    """``prefix`` begins the names of the signals that write rows; ``ram`` has the first copy."""

    def __init__(self, dut, prefix: str):
        self.dut, self.prefix = dut, prefix
        core, mul = dut.u_core, dut.u_core.gen_mul.u_mul
        sums = (
            (mul.u_sum.total_q, mul.u_sum.limbs_q, mul.u_rest.rest_q)
            if MACHINE.impl == "fast"
            else (
                *(mul.u_column.column_q, mul.u_column.ahead_q),
                *(mul.u_limbs.limbs_q, mul.u_limbs.carry_q),
            )
        )
        held = ()
        if MACHINE.rich:
            of = core.gen_held.u_held
            held = (of.held_q, of.cofactor_q, of.odd_q, of.taken_q)
        elif MACHINE.steps:
            of = core.gen_steps.u_steps
            held = (of.odd_q, of.less_q, of.parity_q)
        self.registers = [
            *held,
            *(core.written_q, core.digit_q, core.negative_q, core.carry_q),
            *([core.gen_modulus.modulus_q] if MACHINE.moduli else []),
            *(mul.a_q, mul.b_q, mul.triple_q, mul.u_select.a_q, mul.u_select.b_q, *sums),
        ]
        self.rams = [dut.gen_rows[i].u_ram for i in range(2)]

    def _set(self, name: str, value: int) -> None:
        getattr(self.dut, f"{name}_i").value = value

    def get(self, name: str) -> int:
        return int(getattr(self.dut, f"{name}_o").value)

    async def cycle(self, count: int = 1) -> None:
        for _ in range(count):
            await RisingEdge(self.dut.clk_i)
        await Timer(1, "ns")

    async def start(self) -> None:
        for name in (*INPUTS, f"{self.prefix}_valid"):
            self._set(name, 0)
        self.dut.rst_ni.value = 0
        cocotb.start_soon(Clock(self.dut.clk_i, 10, unit="ns").start())
        await self.cycle(2)
        self.dut.rst_ni.value = 1
        await self.wiped()

    async def reset(self) -> None:
        self.dut.rst_ni.value = 0
        await self.cycle()
        self.dut.rst_ni.value = 1
        await self.wiped()

    async def clear(self) -> None:
        self._set("clear", 1)
        await self.cycle()
        self._set("clear", 0)
        await self.wiped()

    async def wiped(self) -> None:
        """Wait for the engine to be ready again: for 256 cycles it is not."""
        for _ in range(WIPE_CYCLES):
            assert not self.get("start_ready") and not self.get(f"{self.prefix}_ready")
            assert not self.get("done_valid") and not self.get("rnd_ready")
            await self.cycle()
        assert self.get("start_ready") and self.get(f"{self.prefix}_ready")

    async def write(self, row: int, value: int) -> None:
        self._set(f"{self.prefix}_valid", 1)
        self._set("in_row" if self.prefix == "in" else "row_addr", row)
        self._set(f"{self.prefix}_data", value)
        await self.cycle()
        self._set(f"{self.prefix}_valid", 0)

    async def begin(self) -> None:
        self._set("start_valid", 1)
        await self.cycle()
        self._set("start_valid", 0)

    async def run(
        self, random: Iterator[int], limit: int = 1_200_000, trace: bool = False, stall: int = 0
    ) -> End:
        """Start what is asked for and wait for its end; each random row comes ``stall`` late.

        When there is none any more the port is silent.
        """
        dut = self.dut
        await self.begin()
        end, word, late = End(-1, 0), next(random, None), stall
        for now in range(limit):
            await FallingEdge(dut.clk_i)
            if dut.done_valid_o.value:
                end.status, end.cycles = self.get("done_status"), now - END + 1
                self._set("rnd_valid", 0)
                return end
            if trace and dut.issue_o.value:
                end.issues.append((now, int(dut.pc_o.value)))
            if dut.rnd_ready_o.value:
                late -= 1
                if word is not None and late < 0:
                    self._set("rnd_valid", 1)
                    self._set("rnd_data", word)
                    word, late = next(random, None), stall
                    await Timer(1, "ns")
                    self._traced(end, now, trace)
                    await RisingEdge(dut.clk_i)
                    await Timer(1, "ns")
                    self._set("rnd_valid", 0)
                    continue
            self._traced(end, now, trace)
            if word is None and not trace and not dut.rnd_valid_i.value:
                began = get_sim_time("ns")  # nothing is to be done before the end
                await with_timeout(RisingEdge(dut.done_valid_o), 10 * limit, "ns")
                end.cycles = now - END + 1 + round((get_sim_time("ns") - began + 5) / 10)
                end.status = self.get("done_status")
                return end
        raise AssertionError("the program did not end")

    def _traced(self, end: End, now: int, trace: bool) -> None:
        if trace and self.dut.we_o.value:
            row, value = int(self.dut.waddr_o.value), int(self.dut.wdata_o.value)
            end.writes.append((now, row, value))

    async def next_row(self) -> None:
        """Take a row of the result that is not the last one; the next comes."""
        assert not self.get("done_last")
        self._set("done_ready", 1)
        await self.cycle()
        self._set("done_ready", 0)
        assert not self.get("done_valid") and not self.get("result")
        await self.cycle()
        assert self.get("done_valid")

    async def take(self) -> None:
        """Take the end; what then is left is nothing."""
        await self.cycle()
        assert self.get("done_last")
        self._set("done_ready", 1)
        await self.cycle()
        self._set("done_ready", 0)
        await self.wiped()

    def rows(self) -> int:
        """Return the rows of data as one number."""
        value = 0
        for ram in self.rams:
            for row in range(MACHINE.data):
                value = value << 512 | int(ram.mem[row].value)
        return value

    def left(self) -> int:
        """Return all data that the engine holds, as one number."""
        value = self.rows()
        for register in (*self.registers, *(ram.rdata_q for ram in self.rams)):
            value = value << 512 | int(register.value)
        return value
