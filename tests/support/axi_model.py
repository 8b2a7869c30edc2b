"""What stands around DMA and stream shell in tests: AXI4 memory, register access, streams."""

import random
from collections import deque

from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer

from cryptile.regs import offsets

BASE = 0x8000_0000
SIZE = 1 << 17
OKAY, SLVERR, DECERR = 0, 2, 3


class AxiMemory:
    """A subordinate with latency, random stalls, interleaving of identifiers, and bad addresses."""

    def __init__(self, dut, width, seed=1):
        self.dut, self.width = dut, width
        self.word = width // 8
        self.random = random.Random(seed)
        self.bytes = bytearray(random.Random(seed).randbytes(SIZE))
        self.stall = 0.0
        self.latency = 4
        # Upper bits in which the addresses on the bus differ from those that are meant.
        self.moved = 0
        self.bad: dict[int, int] = {}  # block of 64 bytes -> response
        self.reads: list[tuple[int, int]] = []
        self.writes: list[tuple[int, int]] = []
        self.written: set[int] = set()
        self.first_read = self.last_read = self.read_words = 0
        self.first_write = self.last_write = self.write_words = 0
        self.cycle = 0

    def load(self, address, data):
        self.bytes[address - BASE : address - BASE + len(data)] = data

    def read(self, address, length):
        return bytes(self.bytes[address - BASE : address - BASE + length])

    def forget(self):
        self.reads.clear()
        self.writes.clear()
        self.written.clear()
        self.first_read = self.last_read = self.read_words = 0
        self.first_write = self.last_write = self.write_words = 0

    def response(self, address):
        if not BASE <= address < BASE + SIZE:
            return DECERR
        return self.bad.get(address // 64, OKAY)

    def _go(self):
        return int(self.random.random() >= self.stall)

    async def run(self):
        dut, word = self.dut, self.word
        aw, pending_b = deque(), deque()
        ar: list[list[int]] = []
        arready = awready = wready = rvalid = bvalid = 0
        rlast = 0
        for name in ("arready", "awready", "wready", "rvalid", "bvalid"):
            getattr(dut, f"m_axi_{name}_i").value = 0
        while True:
            await RisingEdge(dut.clk_i)
            self.cycle += 1
            if arready and dut.m_axi_arvalid_o.value == 1:
                address = int(dut.m_axi_araddr_o.value) ^ self.moved
                length = int(dut.m_axi_arlen_o.value) + 1
                ar.append([int(dut.m_axi_arid_o.value), address, length, self.cycle + self.latency])
                self.reads.append((address, length))
            if awready and dut.m_axi_awvalid_o.value == 1:
                address = int(dut.m_axi_awaddr_o.value) ^ self.moved
                length = int(dut.m_axi_awlen_o.value) + 1
                aw.append([int(dut.m_axi_awid_o.value), address, length, OKAY])
                self.writes.append((address, length))
            if wready and dut.m_axi_wvalid_o.value == 1:
                burst = aw[0]
                strobe, data = int(dut.m_axi_wstrb_o.value), int(dut.m_axi_wdata_o.value)
                code = self.response(burst[1])
                burst[3] = burst[3] or code
                if code == OKAY:
                    for lane in range(word):
                        if strobe >> lane & 1:
                            self.bytes[burst[1] - BASE + lane] = data >> 8 * lane & 0xFF
                            self.written.add(burst[1] + lane)
                self.first_write = self.first_write or self.cycle
                self.last_write = self.cycle
                self.write_words += 1
                burst[1] += word
                burst[2] -= 1
                if burst[2] == 0:
                    pending_b.append((burst[0], burst[3], self.cycle + self.latency))
                    aw.popleft()
            if bvalid:
                bvalid = 0
            if rvalid:
                rvalid = 0
            if not bvalid and pending_b and pending_b[0][2] <= self.cycle and self._go():
                identifier, code, _ = pending_b.popleft()
                dut.m_axi_bid_i.value, dut.m_axi_bresp_i.value, bvalid = identifier, code, 1
            # Any identifier may answer, but each in the order of its reads.
            ready = [item for item in ar if item[3] <= self.cycle]
            if ready and not rvalid and self._go():
                choice = self.random.choice(ready)
                item = next(other for other in ar if other[0] == choice[0])
                if item[3] <= self.cycle:
                    code = self.response(item[1])
                    at = item[1] - BASE
                    data = self.bytes[at : at + word] if code == OKAY else b"\xa5" * word
                    item[2] -= 1
                    item[1] += word
                    rlast = int(item[2] == 0)
                    if rlast:
                        ar.remove(item)
                    dut.m_axi_rid_i.value = item[0]
                    dut.m_axi_rdata_i.value = int.from_bytes(data, "little")
                    dut.m_axi_rresp_i.value, dut.m_axi_rlast_i.value, rvalid = code, rlast, 1
                    self.first_read = self.first_read or self.cycle
                    self.last_read = self.cycle
                    self.read_words += 1
            arready, awready = self._go(), self._go()
            # A word is taken only when its address is there.
            wready = int(bool(aw) and (len(aw) > 1 or aw[0][2] > 0) and self._go())
            dut.m_axi_arready_i.value, dut.m_axi_awready_i.value = arready, awready
            dut.m_axi_wready_i.value = wready
            dut.m_axi_rvalid_i.value, dut.m_axi_bvalid_i.value = rvalid, bvalid


class Registers:
    """AXI4-Lite accesses, one after the other."""

    def __init__(self, dut, name):
        self.dut, self.map = dut, offsets(name)
        for port in ("awvalid", "wvalid", "arvalid", "bready", "rready"):
            getattr(dut, f"s_axil_{port}_i").value = 0
        dut.s_axil_wstrb_i.value = 15

    async def write(self, name, value):
        dut = self.dut
        dut.s_axil_awaddr_i.value, dut.s_axil_wdata_i.value = self.map[name], value
        dut.s_axil_awvalid_i.value = dut.s_axil_wvalid_i.value = 1
        dut.s_axil_bready_i.value = 1
        await self._until("awready")
        dut.s_axil_awvalid_i.value = dut.s_axil_wvalid_i.value = 0
        await self._until("bvalid")
        assert dut.s_axil_bresp_o.value == 0

    async def read(self, name):
        dut = self.dut
        dut.s_axil_araddr_i.value = self.map[name]
        dut.s_axil_arvalid_i.value = dut.s_axil_rready_i.value = 1
        await self._until("arready")
        dut.s_axil_arvalid_i.value = 0
        await self._until("rvalid")
        assert dut.s_axil_rresp_o.value == 0
        return int(dut.s_axil_rdata_o.value)

    async def _until(self, port):
        while True:
            await RisingEdge(self.dut.clk_i)
            if getattr(self.dut, f"s_axil_{port}_o").value == 1:
                return


class Source:
    """Drives an AXI4-Stream with packets given as lists of sections."""

    def __init__(self, dut, seed=2):
        self.dut, self.random, self.stall = dut, random.Random(seed), 0.0
        self.beats = deque()

    def send(self, *sections, close=True):
        """Queue a packet; each section begins a beat of its own."""
        beats = []
        for section in sections:
            for at in range(0, len(section), 16):
                part = section[at : at + 16]
                beats.append([int.from_bytes(part, "little"), (1 << len(part)) - 1, 0])
        if not beats:
            beats.append([0, 0, 0])
        beats[-1][2] = int(close)
        self.beats.extend(beats)

    async def run(self):
        dut, valid = self.dut, 0
        dut.s_axis_tvalid_i.value = 0
        while True:
            await RisingEdge(dut.clk_i)
            if valid and dut.s_axis_tready_o.value == 1:
                self.beats.popleft()
                valid = 0
            if not valid and self.beats and self.random.random() >= self.stall:
                dut.s_axis_tdata_i.value, dut.s_axis_tkeep_i.value, dut.s_axis_tlast_i.value = (
                    self.beats[0]
                )
                valid = 1
            dut.s_axis_tvalid_i.value = valid


class Sink:
    """Collects the packets of an AXI4-Stream: each a list of (data, kept bytes) beats."""

    def __init__(self, dut, seed=3):
        self.dut, self.random, self.stall = dut, random.Random(seed), 0.0
        self.packets: list[list[bytes]] = []
        self.beats: list[bytes] = []
        self.hold = False

    async def run(self):
        dut, ready = self.dut, 0
        dut.m_axis_tready_i.value = 0
        while True:
            await RisingEdge(dut.clk_i)
            if ready and dut.m_axis_tvalid_o.value == 1:
                keep, data = int(dut.m_axis_tkeep_o.value), int(dut.m_axis_tdata_o.value)
                assert keep & (keep + 1) == 0
                assert data >> 8 * keep.bit_count() == 0, "bytes that are not kept are 0"
                self.beats.append(data.to_bytes(16, "little")[: keep.bit_count()])
                if dut.m_axis_tlast_o.value == 1:
                    self.packets.append(self.beats)
                    self.beats = []
            ready = int(not self.hold and self.random.random() >= self.stall)
            dut.m_axis_tready_i.value = ready


async def reset(dut):
    dut.rst_ni.value = 1
    await Timer(1, "ns")
    dut.rst_ni.value = 0
    Clock(dut.clk_i, 10, "ns").start()
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)
