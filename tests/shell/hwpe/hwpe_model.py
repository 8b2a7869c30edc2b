"""What stands around an HWPE in tests: memory behind its TCDM ports, a core at its registers."""

import random
from collections.abc import Iterable
from pathlib import Path

from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge, Timer
from systemrdl import RDLCompiler

from cryptile import catalog

_MAP = catalog.system("mcu").map
BASE, REGISTERS = _MAP["tcdm"].base, _MAP["hwpe"].base
SIZE = 1 << 16
LANES = 4


def offsets() -> dict[str, int]:
    """Register offsets from the SystemRDL source."""
    compiler = RDLCompiler()
    compiler.compile_file(str(Path(__file__).parents[3] / "regs" / "hwpe.rdl"))
    return {reg.inst_name: reg.address_offset for reg in compiler.elaborate().top.registers()}


REG = offsets()
OK, BAD_PARAM, BUS_ERROR = 0, 2, 5
DRAIN = 1 << 16


class Lanes:
    """Holds every port to the TCDM rule: what is asked for stays as it is until it is granted."""

    def __init__(self):
        self.waiting = self.add = self.wen = self.be = self.data = 0

    def look(self, dut, gnt):
        """Compare with the cycle before. Call at every clock edge outside reset."""
        req, add, wen, be, data = (
            int(getattr(dut, f"tcdm_{name}_o").value)
            for name in ("req", "add", "wen", "be", "data")
        )
        assert req & self.waiting == self.waiting, f"lanes {self.waiting & ~req:04b} withdrawn"
        for lane in range(LANES):
            if self.waiting >> lane & 1:
                word, nibble = 0xFFFF_FFFF << 32 * lane, 0xF << 4 * lane
                assert not (add ^ self.add) & word, f"lane {lane}: address changed"
                assert not (wen ^ self.wen) >> lane & 1, f"lane {lane}: direction changed"
                assert not (be ^ self.be) & nibble, f"lane {lane}: byte enables changed"
                assert wen >> lane & 1 or not (data ^ self.data) & word, (
                    f"lane {lane}: data changed"
                )
        self.waiting, self.add, self.wen, self.be, self.data = req & ~gnt, add, wen, be, data

    def forget(self):
        """A reset may withdraw anything."""
        self.waiting = 0


class Memory:
    """TCDM: grants each port with a probability, answers a cycle later, remembers accesses."""

    def __init__(self, dut, seed=1):
        self.dut = dut
        self.bytes = bytearray(random.Random(seed).randbytes(SIZE))
        self.stall = [0.0] * LANES
        self.random = random.Random(seed)
        self.read_words: set[int] = set()
        self.written: set[int] = set()
        self.bad: set[int] = set()
        self.asked: set[int] = set()
        self.accesses = 0

    def forget(self):
        self.read_words.clear()
        self.written.clear()
        self.asked.clear()
        self.accesses = 0

    def load(self, address, data):
        self.bytes[address - BASE : address - BASE + len(data)] = data

    def read(self, address, length):
        return bytes(self.bytes[address - BASE : address - BASE + length])

    async def run(self):
        dut = self.dut
        gnt = 0
        lanes = Lanes()
        dut.tcdm_gnt_i.value = 0
        dut.tcdm_r_valid_i.value = 0
        dut.tcdm_err_i.value = 0
        dut.tcdm_r_data_i.value = 0
        while True:
            await RisingEdge(dut.clk_i)
            granted = 0
            if dut.rst_ni.value == 1:
                lanes.look(dut, gnt)
                granted = int(dut.tcdm_req_o.value) & gnt
            else:
                lanes.forget()
            valid = error = answer = 0
            if granted:
                addresses = int(dut.tcdm_add_o.value)
                wen = int(dut.tcdm_wen_o.value)
                enables = int(dut.tcdm_be_o.value)
                data = int(dut.tcdm_data_o.value)
                for lane in range(LANES):
                    if not granted >> lane & 1:
                        continue
                    self.accesses += 1
                    valid |= 1 << lane
                    address = addresses >> (32 * lane) & 0xFFFF_FFFF
                    assert address % 4 == 0
                    self.asked.add(address)
                    offset = address - BASE
                    if not 0 <= offset < SIZE or address in self.bad:
                        error |= 1 << lane
                    elif wen >> lane & 1:
                        self.read_words.add(address)
                        word = int.from_bytes(self.bytes[offset : offset + 4], "little")
                        answer |= word << (32 * lane)
                    else:
                        for byte in range(4):
                            if enables >> (4 * lane + byte) & 1:
                                self.bytes[offset + byte] = data >> (32 * lane + 8 * byte) & 0xFF
                                self.written.add(address + byte)
            gnt = sum((self.random.random() >= self.stall[i]) << i for i in range(LANES))
            dut.tcdm_gnt_i.value = gnt
            dut.tcdm_r_valid_i.value = valid
            dut.tcdm_err_i.value = error
            # What is not valid is noise: nobody may use it.
            noise = self.random.getrandbits(128)
            for lane in range(LANES):
                if valid >> lane & 1 and not error >> lane & 1:
                    noise &= ~(0xFFFF_FFFF << (32 * lane))
            dut.tcdm_r_data_i.value = noise | answer


class Core:
    """Drives the peripheral port and counts cycles and events."""

    def __init__(self, dut):
        self.dut = dut
        self.cycle = 0
        self.events: list[int] = []
        self.id = 0

    async def count(self):
        while True:
            await RisingEdge(self.dut.clk_i)
            self.cycle += 1
            if self.dut.rst_ni.value == 1 and self.dut.evt_o.value == 1:
                self.events.append(self.cycle)

    async def access(self, address, data=None):
        """One access; returns the answer. Leaves the port in the cycle of the answer."""
        dut = self.dut
        self.id = (self.id + 1) % 256
        dut.periph_req_i.value = 1
        dut.periph_add_i.value = REGISTERS + address
        dut.periph_wen_i.value = int(data is None)
        dut.periph_be_i.value = 0xF
        dut.periph_data_i.value = data or 0
        dut.periph_id_i.value = self.id
        while True:
            await RisingEdge(dut.clk_i)
            if dut.periph_gnt_o.value == 1:
                break
        dut.periph_req_i.value = 0
        await ReadOnly()
        assert dut.periph_r_valid_o.value == 1
        assert int(dut.periph_r_id_o.value) == self.id
        value = int(dut.periph_r_data_o.value)
        await Timer(1, "ns")
        return value

    async def read(self, name):
        return await self.access(REG[name])

    async def write(self, name, value):
        await self.access(REG[name], value)

    async def job(self, *, trigger=0, **registers):
        """Write job registers and TRIGGER in consecutive cycles; return the first write's cycle."""
        first = self.cycle + 1
        for name, value in registers.items():
            await self.write(name, value)
        await self.write("TRIGGER", trigger)
        return first

    async def wait(self, count=1, limit=20000):
        """Wait for ``count`` more events than were seen before; return the cycle of the last."""
        while len(self.events) < count:
            await RisingEdge(self.dut.clk_i)
            limit -= 1
            assert limit > 0, "the event did not come"
        last = self.events[count - 1]
        del self.events[:count]
        await Timer(1, "ns")
        return last

    async def result(self, context):
        return await self.read("RESULT") >> (8 * context) & 0xF


def ctrl(mode=0, decrypt=0, key_len=0, ctx_save=0):
    return mode | decrypt << 4 | key_len << 8 | ctx_save << 12


def words(address, length):
    """The words that hold the bytes."""
    if length == 0:
        return set()
    return set(range(address & ~3, address + length, 4))


def span(address, length):
    return set(range(address, address + length))


def unwritten(memory, before, keep: Iterable[int]):
    """Assert that every byte of memory outside ``keep`` is what it was."""
    after = bytearray(memory.bytes)
    for address in keep:
        after[address - BASE] = before[address - BASE]
    assert after == before, "bytes outside the destination were written"


async def reset(dut):
    dut.rst_ni.value = 0
    dut.periph_req_i.value = 0
    await Timer(35, "ns")
    await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)
    await Timer(1, "ns")


async def start(dut, seed=1):
    """Clock, reset, memory and core."""
    import cocotb

    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    memory, core = Memory(dut, seed), Core(dut)
    dut.periph_req_i.value = 0
    cocotb.start_soon(memory.run())
    await reset(dut)
    cocotb.start_soon(core.count())
    await RisingEdge(dut.clk_i)
    await Timer(1, "ns")
    return memory, core
