"""A stream shell under test: its registers, its streams, and jobs given and awaited."""

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge, Timer
from support.axi_model import Registers, Sink, Source, reset

OK, AUTH_FAILED, BAD_PARAM, BAD_PACKET = 0, 1, 2, 5
VALID = 1 << 31
BUSY, WAITING, REFUSED, QUIET = 1, 2, 4, 8


class Shell:
    def __init__(self, dut):
        self.dut = dut
        self.registers = Registers(dut, "axis")
        self.source, self.sink = Source(dut), Sink(dut)
        self.read, self.write = self.registers.read, self.registers.write

    async def start(self, streams=True):
        self.dut.lock_i.value = 0
        self.dut.por_ni.value = 0
        await Timer(1, "ns")
        self.dut.por_ni.value = 1
        await reset(self.dut)
        if streams:
            cocotb.start_soon(self.source.run())
            cocotb.start_soon(self.sink.run())
        await ClockCycles(self.dut.clk_i, 2)
        return self

    async def job(
        self,
        *,
        mode=0,
        decrypt=0,
        key_len=0,
        key=b"",
        key2=b"",
        iv=b"",
        aad=0,
        length=0,
        save=0,
    ):
        """Write all registers of a job and start it."""
        key = key.ljust(32, b"\0") + key2
        await self.write("JOB", mode | decrypt << 4 | key_len << 8 | save << 12)
        await self.write("AAD_LEN", aad)
        await self.write("MSG_LEN", length)
        for name, data, words in (("IV", iv, 4), ("KEY", key, 16)):
            for number in range(words):
                word = int.from_bytes(data[4 * number : 4 * number + 4], "little")
                await self.write(f"{name}[{number}]", word)
        await self.write("START", 0)

    async def result(self, limit=5000):
        """Wait for a result and take it: (job, status)."""
        for _ in range(limit):
            value = await self.read("RESULT")
            if value & VALID:
                return value >> 8 & 0xFF, value & 15
        raise AssertionError("no result")

    async def packet(self, limit=5000):
        """Take the oldest packet of the output: its beats."""
        for _ in range(limit):
            if self.sink.packets:
                return self.sink.packets.pop(0)
            await RisingEdge(self.dut.clk_i)
        raise AssertionError("no packet")

    async def clear(self):
        await self.write("CONTROL", 1)
        for _ in range(500):
            if await self.read("STATUS") & QUIET and not self.source.beats:
                break
        else:
            raise AssertionError("a clear does not end")
        await self.write("CONTROL", 0)
        self.sink.packets.clear()
        self.sink.beats.clear()


def beats(*sections):
    return [part[at : at + 16] for part in sections for at in range(0, len(part), 16)]
