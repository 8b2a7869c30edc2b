"""The engine port of ``cry_pka_engine``, with what is left in its memories behind a job."""

from typing import ClassVar, Self

import cocotb
from cocotb.triggers import RisingEdge, Timer
from pka_port import WIPE_CYCLES
from pka_port import Port as Inside
from support.engine_port import give_random
from support.job_port import JobPort, Result


class EnginePort(JobPort):
    """Runs jobs of the engine and looks at what it holds."""

    LIMIT: ClassVar[int]
    """Cycles that its jobs may take."""

    @classmethod
    async def started(cls, dut, seed: int, feed: bool = True) -> Self:
        """Return the port behind a reset, with random words if they are to be fed."""
        port = cls(dut, seed)
        port.timeout = cls.LIMIT
        await port.start()
        if feed:
            cocotb.start_soon(give_random(dut))
        return port

    @property
    def engine(self):
        return self.dut.u_engine

    def left(self) -> int:
        return Inside(self.engine.u_pka, "row").left() | int(self.engine.first_q.value)

    async def wiped(self) -> None:
        """Wait for the wipe: nothing is left, and a job is accepted."""
        for _ in range(WIPE_CYCLES + 2):
            await RisingEdge(self.dut.clk_i)
        await Timer(1, "ns")
        assert self.left() == 0 and int(self.dut.job_ready_o.value)

    async def aborts(self, said: object, beats: int, stop: int, *, reset: bool) -> None:
        """Abort a job of so many beats behind ``stop`` cycles: no end comes, and all is wiped."""
        self.begin([said], [Result.of(beats)])
        for _ in range(stop):
            await RisingEdge(self.dut.clk_i)
        await (self.reset() if reset else self.clear())
        await RisingEdge(self.dut.clk_i)
        assert not int(self.dut.dst_valid_o.value) and not int(self.dut.done_valid_o.value)
        await self.wiped()
