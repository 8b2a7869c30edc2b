"""The DMA: descriptors, alignment, bursts, errors, aborts, and a bus that is full."""

import os
import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from support.axi_model import BASE, DECERR, SIZE, SLVERR, AxiMemory, Registers, Sink, Source, reset

WIDTH = int(os.environ["CRYPTILE_WIDTH"])
WORD = WIDTH // 8
STALLS = (0.0, 0.0, 0.3, 0.7)
SECTION, PACKET, STOP, IRQ = 1, 2, 4, 8
BUSY, DONE, ERROR, QUIET = 1, 2, 4, 8
DESCRIPTORS, DATA = BASE + 0x1C000, 0x18000
"""Where descriptors may stand, behind that where data may begin."""
FINISHED = 1 << 31


class Moved(Registers):
    """Registers that hold addresses as the bus has them."""

    def __init__(self, dut, memory):
        super().__init__(dut, "dma")
        self.memory = memory

    def bus(self, name, value):
        return value ^ self.memory.moved if name.endswith(("HEAD", "ERROR_AT")) else value

    async def write(self, name, value):
        await super().write(name, self.bus(name, value))

    async def read(self, name):
        return self.bus(name, await super().read(name))


class Bench:
    def __init__(self, dut):
        self.dut = dut
        self.memory = AxiMemory(dut, WIDTH)
        self.registers = Moved(dut, self.memory)
        self.source, self.sink = Source(dut), Sink(dut)
        self.table = DESCRIPTORS

    async def start(self):
        await reset(self.dut)
        for part in (self.memory, self.source, self.sink):
            cocotb.start_soon(part.run())
        await ClockCycles(self.dut.clk_i, 2)
        return self

    def stalls(self, rng):
        """Another pace, and another place of the whole memory."""
        self.memory.moved = rng.getrandbits(32) // SIZE * SIZE
        self.table = DESCRIPTORS + 32 * rng.randrange(0x180)
        for part in (self.memory, self.source, self.sink):
            part.stall = rng.choice(STALLS)
        self.memory.latency = rng.choice((1, 4, 20))

    def chain(self, at, items):
        """Write descriptors (address, length, flags) from ``at`` on; return their addresses."""
        places = [at + 32 * number for number in range(len(items))]
        for number, (address, length, flags) in enumerate(items):
            following = places[number + 1] if number + 1 < len(items) else 0
            flags |= STOP if number + 1 == len(items) else 0
            following ^= self.memory.moved if following else 0
            words = (following, address ^ self.memory.moved, length, flags, 0, 0xFFFF_FFFF)
            self.memory.load(places[number], b"".join(word.to_bytes(4, "little") for word in words))
        return places

    def status(self, place):
        """Status and bytes moved of a descriptor."""
        return (
            int.from_bytes(self.memory.read(place + 16, 4), "little"),
            int.from_bytes(self.memory.read(place + 20, 4), "little"),
        )

    async def wait(self, channel, limit=6000):
        for _ in range(limit):
            status = await self.registers.read(f"{channel}.STATUS")
            if not status & BUSY:
                return status
        raise AssertionError(f"{channel} does not end")


def pieces(rng, data, most=5):
    """Cut at random places; pieces may be empty."""
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(most)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def beats(*sections):
    return [part[at : at + 16] for part in sections for at in range(0, len(part), 16)]


@cocotb.test()
async def memory_to_stream(dut):
    """Gather: packets of sections of scattered pieces, each at any address."""
    bench = await Bench(dut).start()
    rng = random.Random(21)
    for _ in range(int(os.environ["CRYPTILE_JOBS"])):
        bench.stalls(rng)
        sections = [
            rng.randbytes(rng.choice((1, 5, 16, 40, 300))) for _ in range(rng.choice((1, 2, 3)))
        ]
        items, at = [], BASE + rng.randrange(DATA)
        for number, section in enumerate(sections):
            parts = pieces(rng, section)
            for index, part in enumerate(parts):
                flags = 0
                if index + 1 == len(parts):
                    flags = SECTION if number + 1 < len(sections) else PACKET
                bench.memory.load(at, part)
                items.append((at, len(part), flags))
                at += len(part) + rng.randrange(40)
        places = bench.chain(bench.table, items)
        bench.sink.packets.clear()
        await bench.registers.write("MM2S.HEAD", places[0])
        assert not await bench.wait("MM2S") & ERROR
        while not bench.sink.packets:
            await RisingEdge(dut.clk_i)
        if all(part for part in sections) and items[-1][1]:
            assert bench.sink.packets == [beats(*sections)]
        else:  # an empty last piece may end the packet with an empty beat
            assert [b for b in bench.sink.packets[0] if b] == beats(*sections)
        for place, item in zip(places, items, strict=True):
            assert bench.status(place) == (FINISHED, item[1])


@cocotb.test()
async def stream_to_memory(dut):
    """Scatter: a packet over pieces at any address; short and long packets."""
    bench = await Bench(dut).start()
    rng = random.Random(22)
    for _ in range(int(os.environ["CRYPTILE_JOBS"])):
        bench.stalls(rng)
        data = rng.randbytes(rng.choice((0, 1, 16, 33, 300, 700)))
        room = len(data) + rng.choice((-7, 0, 0, 0, 5, 50))
        room = max(room, 0)
        lengths = [len(part) for part in pieces(rng, bytes(room))]
        items, at = [], BASE + rng.randrange(DATA)
        for length in lengths:
            items.append((at, length, 0))
            at += length + rng.randrange(40)
        items[-1] = (*items[-1][:2], PACKET)
        places = bench.chain(bench.table, items)
        before = bytearray(bench.memory.bytes)
        bench.memory.forget()
        bench.source.send(data)
        await bench.registers.write("S2MM.HEAD", places[0])
        assert not await bench.wait("S2MM") & ERROR
        assert not bench.source.beats
        left = data
        for place, (address, length, flags) in zip(places, items, strict=True):
            part, left = left[:length], left[length:]
            before[address - BASE : address - BASE + len(part)] = part
            overflow = 3 if flags & PACKET and left else 0
            assert bench.status(place) == (FINISHED | overflow, len(part))
        first, last = bench.table - BASE, bench.table - BASE + 32 * len(items)
        assert bench.memory.bytes[:first] == before[:first]
        assert bench.memory.bytes[last:] == before[last:]


@cocotb.test()
async def both_ways_across_4k(dut):
    """A memory copy through a wire, from and to addresses around page boundaries."""
    bench = await Bench(dut).start()
    rng = random.Random(23)

    async def wire():
        while True:
            if bench.sink.packets:
                packet = bench.sink.packets.pop(0)
                bench.source.send(b"".join(packet))
            await RisingEdge(dut.clk_i)

    cocotb.start_soon(wire())
    for offset in (-17, -16, -1, 0, 3):
        bench.stalls(rng)
        data = rng.randbytes(500)
        src, dst = BASE + 8192 + offset - rng.randrange(300), BASE + 0x6000 + offset
        bench.memory.load(src, data)
        bench.memory.forget()
        there = bench.chain(bench.table, [(dst, len(data), PACKET | IRQ)])[0]
        here = bench.chain(bench.table + 64, [(src, len(data), PACKET)])[0]
        await bench.registers.write("S2MM.CONTROL", 2)
        await bench.registers.write("S2MM.HEAD", there)
        await bench.registers.write("MM2S.HEAD", here)
        while dut.irq_o.value == 0:
            await RisingEdge(dut.clk_i)
        assert bench.memory.read(dst, len(data)) == data
        assert await bench.registers.read("S2MM.STATUS") & DONE
        await bench.registers.write("S2MM.STATUS", DONE)
        assert dut.irq_o.value == 0
        assert not await bench.registers.read("S2MM.STATUS") & DONE
        await bench.wait("MM2S")
        assert len(bench.memory.reads) > 2 and len(bench.memory.writes) > 2
    # The longest transfers are bursts of 16 words.
    assert max(length for _, length in bench.memory.reads) == 16


@cocotb.test()
async def strobes(dut):
    """Of a register those bytes are written that have a strobe."""
    bench = await Bench(dut).start()
    for strobe in (*range(16), 15):
        dut.s_axil_wstrb_i.value = strobe
        await bench.registers.write("MM2S.CONTROL", 6)
        assert await bench.registers.read("MM2S.CONTROL") == (6 if strobe & 1 else 0)
        dut.s_axil_wstrb_i.value = 15
        await bench.registers.write("MM2S.CONTROL", 0)


@cocotb.test()
async def the_bus_is_full(dut):
    """Without stalls a word crosses the bus in every cycle, each way, whatever the latency."""
    bench = await Bench(dut).start()
    size = 8192
    seen = {}
    for latency in (1, 20):
        bench.memory.latency = latency
        bench.memory.forget()
        place = bench.chain(bench.table, [(BASE, size, PACKET)])[0]
        await bench.registers.write("MM2S.HEAD", place)
        await bench.wait("MM2S")
        words = size // WORD
        read = bench.memory.last_read - bench.memory.first_read
        bench.memory.forget()
        place = bench.chain(bench.table, [(BASE + 16384, size, PACKET)])[0]
        bench.source.send(bench.memory.read(BASE, size))
        await bench.registers.write("S2MM.HEAD", place)
        await bench.wait("S2MM")
        write = bench.memory.last_write - bench.memory.first_write
        seen[latency] = (read - words, write - words)
        assert bench.memory.read(BASE + 16384, size) == bench.memory.read(BASE, size)
    dut._log.info("cycles beyond one a word, with descriptor accesses: %s", seen)
    for latency, (read, write) in seen.items():
        assert 0 < read <= latency + 5 and 0 < write <= latency + 5, seen


@cocotb.test()
async def bus_errors(dut):
    bench = await Bench(dut).start()
    rng = random.Random(24)
    data_at, there = BASE + 1024, BASE + 4096
    for code, number in ((SLVERR, 1), (DECERR, 2)) * 2:
        bench.stalls(rng)
        # Reading data: nothing of the bad word leaves, and no descriptor after it is worked on.
        bench.memory.bad = {(data_at + 128) // 64: code}
        places = bench.chain(
            bench.table, [(data_at, 64, 0), (data_at + 70, 300, 0), (data_at, 10, PACKET)]
        )
        await bench.registers.write("MM2S.CONTROL", 4)
        await bench.registers.write("MM2S.HEAD", places[0])
        status = await bench.wait("MM2S")
        assert status & ERROR and status >> 4 & 15 == number and dut.irq_o.value == 1
        assert await bench.registers.read("MM2S.ERROR_AT") == places[1]
        assert bench.status(places[0]) == (FINISHED, 64)
        state, moved = bench.status(places[1])
        assert state == FINISHED | number and moved < 300 and 64 + moved >= 122 - WORD
        assert bench.status(places[2]) == (0, 0xFFFF_FFFF)
        await ClockCycles(dut.clk_i, 60)
        assert b"".join(bench.sink.beats) in bench.memory.read(data_at, 64) + bench.memory.read(
            data_at + 70, 58
        )
        bench.sink.beats.clear()
        await bench.registers.write("MM2S.STATUS", ERROR)
        assert dut.irq_o.value == 0
        # Writing data.
        bench.memory.bad = {(there + 128) // 64: code}
        places = bench.chain(bench.table, [(there, 600, 0), (there + 700, 100, PACKET)])
        bench.source.send(bytes(700))
        await bench.registers.write("S2MM.HEAD", places[0])
        status = await bench.wait("S2MM")
        assert status & ERROR and status >> 4 & 15 == number
        assert await bench.registers.read("S2MM.ERROR_AT") == places[0]
        assert bench.status(places[0])[0] == FINISHED | number
        assert bench.status(places[1]) == (0, 0xFFFF_FFFF)
        await abort(bench)
        await bench.registers.write("S2MM.STATUS", ERROR)
        # Reading and writing descriptors.
        for channel in ("MM2S", "S2MM"):
            bench.memory.bad = {bench.table // 64: code}
            await bench.registers.write(f"{channel}.HEAD", bench.table)
            status = await bench.wait(channel)
            assert status & ERROR and status >> 4 & 15 == number | 4
            assert await bench.registers.read(f"{channel}.ERROR_AT") == bench.table
            await bench.registers.write(f"{channel}.STATUS", ERROR)
        bench.memory.bad = {}
        outside = BASE + SIZE - 16  # its status is outside
        bench.memory.load(outside, bytes(12) + STOP.to_bytes(4, "little"))
        await bench.registers.write("MM2S.HEAD", BASE + SIZE - 32)
        await bench.wait("MM2S")
        await bench.registers.write("MM2S.STATUS", ERROR | DONE)


async def abort(bench):
    """Hold both channels until they are quiet, and let go."""
    channels = ("MM2S", "S2MM")
    for channel in channels:
        await bench.registers.write(f"{channel}.CONTROL", 1)
    for _ in range(2000):
        states = [await bench.registers.read(f"{channel}.STATUS") for channel in channels]
        if all(state & QUIET and not state & BUSY for state in states) and not bench.source.beats:
            break
    else:
        raise AssertionError("an abort does not end")
    for channel in channels:
        await bench.registers.write(f"{channel}.CONTROL", 0)
    bench.sink.packets.clear()
    bench.sink.beats.clear()


@cocotb.test()
async def aborts(dut):
    """At any time; what comes after is not touched by what was before."""
    bench = await Bench(dut).start()
    rng = random.Random(25)
    for number in range(24):
        bench.stalls(rng)
        one = bench.chain(bench.table, [(BASE + 3, 400, 0), (BASE + 1001, 900, PACKET)])[0]
        two = bench.chain(bench.table + 64, [(BASE + 8193, 333, 0), (BASE + 9001, 999, PACKET)])[0]
        bench.source.send(rng.randbytes(1100))
        await bench.registers.write("S2MM.HEAD", two)
        await bench.registers.write("MM2S.HEAD", one)
        await ClockCycles(dut.clk_i, 1 + 7 * number)
        bench.memory.forget()
        await abort(bench)
        allowed = {BASE + 8193 + i for i in range(333)} | {BASE + 9001 + i for i in range(999)}
        allowed |= {place + 16 + i for place in (one, one + 32, two, two + 32) for i in range(8)}
        assert bench.memory.written <= allowed
        data = rng.randbytes(77)
        bench.memory.load(BASE + 3, data)
        place = bench.chain(bench.table, [(BASE + 3, 77, PACKET)])[0]
        other = bench.chain(bench.table + 64, [(BASE + 8200, 50, PACKET)])[0]
        bench.source.send(data[:50])
        await bench.registers.write("MM2S.HEAD", place)
        await bench.registers.write("S2MM.HEAD", other)
        await bench.wait("MM2S")
        await bench.wait("S2MM")
        while not bench.sink.packets:
            await RisingEdge(dut.clk_i)
        assert bench.sink.packets == [beats(data)]
        assert bench.memory.read(BASE + 8200, 50) == data[:50]
        bench.sink.packets.clear()
