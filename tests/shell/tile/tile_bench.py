"""What stands around the tile in tests: AXI4 memory, registers, rings, descriptors."""

import dataclasses
import random
from collections import deque
from dataclasses import dataclass, field

import cocotb
from cocotb.triggers import ClockCycles, Lock, RisingEdge
from support.axi_model import Registers, reset
from support.tile_model import (
    COMPLETION,
    DESCRIPTOR,
    EXTENSION,
    NOP,
    SG_ENTRY,
    Descriptor,
    Memory,
    Tile,
)

OKAY, SLVERR, DECERR = 0, 2, 3
PAGE = 4096
READ, WRITE = 2, 4
ON_COMPLETION, ON_ERROR, ON_VIOLATION = 1, 2, 4
"""Events of a queue."""
ADDRESSES = ("src", "dst", "aad", "tag", "key", "context", "long_iv")
"""Fields of a job."""


class AxiMemory:
    """A subordinate that answers in order, with latency, random stalls and bad addresses."""

    def __init__(self, dut, seed=1):
        self.dut, self.random = dut, random.Random(seed)
        self.pages: dict[int, bytearray] = {}
        self.stall, self.latency = 0.0, 4
        self.bad: dict[int, int] = {}  # block of 64 bytes -> response
        self.reads: list[tuple[int, int, int]] = []  # address, bytes, cycle
        self.writes: list[tuple[int, int, int]] = []
        self.cycle = self.read_beats = self.write_beats = 0
        self.touched: set[int] = set()  # addresses of bytes that were written
        self.again: set[int] = set()  # more than once
        self.marks: list[tuple[int, int, int, int]] = []  # address, AxUSER, AxCACHE, AxPROT
        self.marked = hasattr(dut, "m_axi_aruser_o")
        self._driven: dict[str, int] = {}
        self._aw, self._answers, self._ar = deque(), deque(), deque()

    def page(self, number):
        if number not in self.pages:
            self.pages[number] = bytearray(random.Random(number).randbytes(PAGE))
        return self.pages[number]

    def read(self, address, length):
        found = b""
        while length:
            at = address % PAGE
            part = self.page(address // PAGE)[at : at + length]
            found, address, length = found + part, address + len(part), length - len(part)
        return bytes(found)

    def write(self, address, data):
        while data:
            at = address % PAGE
            part = data[: PAGE - at]
            self.page(address // PAGE)[at : at + len(part)] = part
            address, data = address + len(part), data[len(part) :]

    def open(self, queue=None):
        """Return how many bursts, of one queue or of all, were asked for and not answered."""
        users = [burst[-1] for burst in (*self._aw, *self._answers, *self._ar)]
        return sum(queue is None or user & 7 == queue for user in users)

    def forget(self):
        self.reads.clear()
        self.writes.clear()
        self.touched.clear()
        self.again.clear()
        self.marks.clear()
        self.read_beats = self.write_beats = 0

    def restart(self):
        """Forget all bursts that are under way: whoever asked for them is reset."""
        for bursts in (self._aw, self._answers, self._ar):
            bursts.clear()
        self._driven.clear()

    def _mark(self, channel, address):
        """Note how a burst is marked; return its AxUSER."""
        if not self.marked:
            return 0
        names = (f"m_axi_{channel}{name}_o" for name in ("user", "cache", "prot"))
        self.marks.append((address, *(int(getattr(self.dut, name).value) for name in names)))
        return self.marks[-1][1]

    def _go(self):
        return int(not self.stall or self.random.random() >= self.stall)

    def _drive(self, name, value):
        if self._driven.get(name) != value:
            self._driven[name] = value
            getattr(self.dut, f"m_axi_{name}_i").value = value

    async def run(self):
        dut = self.dut
        aw, answers, ar = self._aw, self._answers, self._ar
        ready = {"arready": 0, "awready": 0, "wready": 0, "rvalid": 0, "bvalid": 0}
        for name, value in ready.items():
            self._drive(name, value)
        edge = RisingEdge(dut.clk_i)
        arvalid, awvalid, wvalid = dut.m_axi_arvalid_o, dut.m_axi_awvalid_o, dut.m_axi_wvalid_o
        while True:
            await edge
            self.cycle += 1
            if ready["arready"] and arvalid.value == 1:
                address, beats = int(dut.m_axi_araddr_o.value), int(dut.m_axi_arlen_o.value) + 1
                ar.append([address, beats, self.cycle + self.latency, self._mark("ar", address)])
                self.reads.append((address, 16 * beats, self.cycle))
            if ready["awready"] and awvalid.value == 1:
                address, beats = int(dut.m_axi_awaddr_o.value), int(dut.m_axi_awlen_o.value) + 1
                aw.append([address, beats, OKAY, self._mark("aw", address)])
                self.writes.append((address, 16 * beats, self.cycle))
            if ready["wready"] and wvalid.value == 1:
                self._take(aw, answers)
            # An answer stays until it is taken: the tile waits while it answers for itself.
            ready["bvalid"] &= dut.m_axi_bready_o.value != 1
            ready["rvalid"] &= dut.m_axi_rready_o.value != 1
            if not ready["bvalid"] and answers and answers[0][1] <= self.cycle and self._go():
                self._drive("bresp", answers.popleft()[0])
                ready["bvalid"] = 1
            if not ready["rvalid"] and ar and ar[0][2] <= self.cycle and self._go():
                self._give(ar)
                ready["rvalid"] = 1
            ready["arready"], ready["awready"] = self._go(), self._go()
            ready["wready"] = int(bool(aw) and self._go())
            for name, value in ready.items():
                self._drive(name, value)

    def _take(self, aw, answers):
        dut, burst = self.dut, aw[0]
        strobe, address = int(dut.m_axi_wstrb_o.value), burst[0]
        code = self.bad.get(address // 64, OKAY)
        burst[2] = burst[2] or code
        if code == OKAY and strobe:
            data = int(dut.m_axi_wdata_o.value).to_bytes(16, "little")
            page, at = self.page(address // PAGE), address % PAGE
            lanes = [lane for lane in range(16) if strobe >> lane & 1]
            for lane in lanes:
                page[at + lane] = data[lane]
            written = {address + lane for lane in lanes}
            self.again |= self.touched & written
            self.touched |= written
        self.write_beats += 1
        burst[0] += 16
        burst[1] -= 1
        assert (burst[1] == 0) == (int(dut.m_axi_wlast_o.value) == 1)
        if burst[1] == 0:
            answers.append((burst[2], self.cycle + self.latency, burst[3]))
            aw.popleft()

    def _give(self, ar):
        address = ar[0][0]
        code = self.bad.get(address // 64, OKAY)
        data = self.page(address // PAGE)[address % PAGE :][:16] if code == OKAY else b"\xa5" * 16
        ar[0][0] += 16
        ar[0][1] -= 1
        self._drive("rlast", int(ar[0][1] == 0))
        self._drive("rdata", int.from_bytes(data, "little"))
        self._drive("rresp", code)
        self.read_beats += 1
        if ar[0][1] == 0:
            ar.popleft()


def entries(*spans):
    """An SG list of addresses and lengths."""
    return b"".join(
        SG_ENTRY.encode(address=at, length=length, last=number + 1 == len(spans))
        for number, (at, length) in enumerate(spans)
    )


@dataclass
class Job:
    """The fields of a descriptor."""

    opcode: int = NOP
    mode: int = 0
    decrypt: int = 0
    ctx_load: int = 0
    ctx_save: int = 0
    more: int = 0
    key_len: int = 0
    slot: int | None = None
    generation: int = 0
    token: int = 0
    kek_len: int = 0
    src_list: int = 0
    dst_list: int = 0
    aad_list: int = 0
    row: int = 0
    irq: int = 0
    fence: int = 0
    key_bytes: int = 0
    target: int | None = None
    iv_len: int = 0
    src: int = 0
    dst: int = 0
    length: int = 0
    aad_len: int = 0
    iv: bytes = bytes(16)
    aad: int = 0
    tag: int = 0
    tag_len: int = 0
    key: int | None = None
    context: int = 0
    long_iv: int = 0
    spoil: dict[int, int] = field(default_factory=dict)  # word -> bits to flip

    def named(self, queue):
        """The same job, with addresses as the queue wants them."""
        given = {name: at for name in ADDRESSES if (at := getattr(self, name))}
        return dataclasses.replace(self, **{name: queue.name(at) for name, at in given.items()})

    @property
    def extended(self):
        return self.key is not None or self.ctx_load or self.ctx_save or self.long_iv

    def entries(self):
        """What it is in the ring: one entry or two."""
        data = DESCRIPTOR.encode(
            opcode=self.opcode, mode=self.mode, decrypt=self.decrypt, ctx_load=self.ctx_load,
            ctx_save=self.ctx_save, more=self.more, key_len=self.key_len,
            key_slot=self.slot is not None, src_list=self.src_list, dst_list=self.dst_list,
            irq=self.irq, fence=self.fence, extension=bool(self.extended), slot=self.slot or 0,
            key_bytes=self.key_bytes, unwrap=self.target is not None, target=self.target or 0,
            iv_len=self.iv_len, generation=self.generation, token=self.token,
            kek_len=self.kek_len, aad_list=self.aad_list, row=self.row, src_addr=self.src,
            dst_addr=self.dst, msg_len=self.length, aad_len=self.aad_len,
            iv=int.from_bytes(self.iv, "little"), aad_addr=self.aad,
            tag_addr=self.tag, tag_len=self.tag_len,
        )  # fmt: skip
        if self.extended:
            data += EXTENSION.encode(
                key_addr=self.key or 0, context_addr=self.context, iv_addr=self.long_iv
            )
        number = int.from_bytes(data, "little")
        for word, bits in self.spoil.items():
            if 8 * word < len(data):  # else its extension is no more
                number ^= bits << 64 * word
        return number.to_bytes(len(data), "little")


@dataclass
class Result:
    """A completion record."""

    status: int
    index: int
    written: int
    sequence: int
    cycles: int


class Queue:
    """Software's side of a queue: a region of memory of its own, rings at its beginning."""

    REGION = 1 << 20
    PLACES = 0x8000_0000, 0xAA_AAAA_AA80_0000, 0x55_5555_5540_0000, 1 << 50
    """Where the regions of queues lie, so that their bursts move every bit of an address."""

    def __init__(self, bench, number, log2=4):
        self.bench, self.number, self.log2 = bench, number, log2
        self.base = self.PLACES[number % 4] + number * self.REGION
        self.ring = self.base
        self.completions = self.base + 64 * (1 << log2)
        self.heap = self.base + 0x4000
        self.producer = self.taken = 0
        self.free = self.heap
        self.windows: dict[int, tuple[int, int]] = {}  # first and last address
        self.relative = False

    def register(self, name):
        return f"QUEUE[{self.number}].{name}"

    async def write(self, name, value):
        await self.bench.registers.write(self.register(name), value)

    async def read(self, name):
        return await self.bench.registers.read(self.register(name))

    def name(self, address):
        """What jobs and lists of the queue call an address in one of its windows."""
        for number, (base, limit) in self.windows.items():
            if self.relative and base <= address <= limit:
                return number << 54 | address - base
        return address

    def place_of(self, name):
        """The address that jobs and lists call so."""
        number, offset = name >> 54, name & (1 << 54) - 1
        return self.windows[number][0] + offset if self.relative else name

    async def window(self, number, base, limit, flags=READ | WRITE):
        self.windows[number] = base, limit
        prefix = f"WINDOW[{number}]."
        await self.write(prefix + "FLAGS", 0)
        for name, value in (("BASE", base // PAGE), ("LIMIT", limit // PAGE)):
            await self.write(prefix + name + "_LO", value & 0xFFFF_FFFF)
            await self.write(prefix + name + "_HI", value >> 32)
        await self.write(prefix + "FLAGS", flags | 1)

    async def open(self, *, mask=0, coalesce=0, max_bytes=0, window=True, relative=None):
        self.producer = self.taken = 0
        self.bench.memory.write(self.completions, bytes(16 << self.log2))
        if window:
            await self.window(0, self.base, self.base + self.REGION - 1)
        if relative is not None:
            self.relative = relative
            await self.write("RELATIVE", relative)
        await self.write("KEY_MASK", mask)
        await self.write("COALESCE", coalesce)
        await self.write("MAX_BYTES", max_bytes)
        for name, value in (("RING", self.ring), ("COMPLETION", self.completions)):
            await self.write(name + "_LO", value & 0xFFFF_FFFF)
            await self.write(name + "_HI", value >> 32)
        await self.write("CONTROL", 1 | self.log2 << 8)
        return self

    def place(self, data, align=1, offset=0):
        """Put data somewhere in the region; return its address."""
        at = -(-self.free // align) * align + offset
        if at + len(data) > self.base + self.REGION:
            self.free = self.heap
            return self.place(data, align, offset)
        self.bench.memory.write(at, data)
        self.free = at + len(data) + 16
        return at

    def put(self, job):
        """Write a descriptor into the ring; return its index."""
        index, data = self.producer, job.entries()
        for start in range(0, len(data), 64):
            at = self.ring + 64 * (self.producer % (1 << self.log2))
            self.bench.memory.write(at, data[start : start + 64])
            self.producer = self.producer + 1 & 0xFFFF
        return index

    async def ring_bell(self):
        await self.bench.registers.write(f"PAGE[{self.number}].DOORBELL", self.producer)

    def poll(self):
        """Take the next record, if there is one."""
        at = self.completions + 16 * (self.taken % (1 << self.log2))
        record = COMPLETION.decode(self.bench.memory.read(at, 16))
        if record["sequence_number"] != self.taken + 1:
            return None
        self.taken += 1
        return Result(
            record["status"], record["index"], record["bytes"], self.taken, record["cycles"]
        )

    async def wait(self, number=1, limit=20000):
        """Wait for so many records."""
        found = []
        for _ in range(limit):
            while len(found) < number and (result := self.poll()):
                found.append(result)
            if len(found) == number:
                return found
            await RisingEdge(self.bench.dut.clk_i)
        raise AssertionError(f"queue {self.number}: {len(found)} of {number} jobs ended")

    async def run(self, *jobs):
        """Do jobs together; return their records in the order of the jobs."""
        indices = [self.put(job) for job in jobs]
        await self.ring_bell()
        found = {result.index: result for result in await self.wait(len(jobs))}
        return [found[index] for index in indices]

    async def idle(self, limit=3000):
        for _ in range(limit):
            status = await self.read("STATUS")
            if status & 1:
                return status
        raise AssertionError(f"queue {self.number} does not come to rest")


class SharedRegisters(Registers):
    """Registers that several tasks use at once."""

    def __init__(self, dut, name):
        super().__init__(dut, name)
        self._lock = Lock()

    async def write(self, name, value):
        async with self._lock:
            await super().write(name, value)

    async def read(self, name):
        async with self._lock:
            return await super().read(name)


class Bench:
    def __init__(self, dut, queues=4):
        self.dut = dut
        self.memory = AxiMemory(dut)
        self.registers = SharedRegisters(dut, "tile")
        self.queues = [Queue(self, number) for number in range(queues)]
        self.cycles = 0

    async def start(self):
        self.dut.tamper_i.value = 0
        if hasattr(self.dut, "rnd_valid_i"):
            self.dut.rnd_valid_i.value = 0
            self.dut.rnd_i.value = 0
            self.dut.rnd_forget_i.value = self.dut.rnd_alarm_i.value = 0
        await reset(self.dut)
        cocotb.start_soon(self.memory.run())
        await ClockCycles(self.dut.clk_i, 2)
        return self

    async def slot(self, number, use, key):
        """Write a key into a slot, with what it may be used for."""
        for name, value in use.writes(key):
            await self.registers.write(f"SLOT[{number}].{name}", value)

    def model(self, queue=None):
        """The tile in Python, on a copy of the memory: what a job must leave there. Its addresses
        are those of memory, or named as the queue wants them."""
        changed: dict[int, int] = {}

        def read(address, length):
            address = queue.place_of(address) if queue else address
            data = bytearray(self.memory.read(address, length))
            for at in range(length):
                if address + at in changed:
                    data[at] = changed[address + at]
            return bytes(data)

        def write(address, data):
            address = queue.place_of(address) if queue else address
            changed.update(zip(range(address, address + len(data)), data, strict=True))

        return Tile(Memory(read, write)), changed

    def expect(self, *jobs, queue=None):
        """Return status, bytes written and memory that jobs in this order must leave."""
        tile, changed = self.model(queue)
        verdicts = [tile.run(Descriptor.read(job.entries())) for job in jobs]
        return verdicts, changed

    def check(self, changed):
        """Memory holds what it must."""
        for address, value in changed.items():
            found = self.memory.read(address, 1)[0]
            assert found == value, f"at {address:#x}: {found:#x} instead of {value:#x}"
