"""AES-GCM by register accesses: messages, what forged ones give, lost beats, reads of nothing."""

import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from shell_model import AUTH_FAILED, OK, VALID, beats
from support.axi_model import Registers, offsets, reset

GCM, DEPTH = 3, 4
READY, ROOM, LAST, LOST = 0xFF, 0xFF00, 1 << 24, 1 << 31


class Window:
    """The engine's registers, and the window's: an access of a cycle, then at least one without."""

    def __init__(self, dut):
        self.dut, self.map = dut, offsets("window")
        self.shell = Registers(dut, "axis")
        dut.window_req_i.value = 0

    async def start(self):
        await reset(self.dut)
        await ClockCycles(self.dut.clk_i, 2)
        return self

    async def _access(self, name, value):
        dut = self.dut
        dut.window_addr_i.value = self.map[name]
        dut.window_we_i.value, dut.window_wdata_i.value = value is not None, value or 0
        dut.window_req_i.value = 1
        await RisingEdge(dut.clk_i)
        data = int(dut.window_rdata_o.value)
        dut.window_req_i.value = 0
        await RisingEdge(dut.clk_i)
        return data

    async def write(self, name, value):
        await self._access(name, value)

    async def read(self, name):
        return await self._access(name, None)

    async def send(self, data, last=False):
        if len(data) != 16 or last:
            await self.write("END", len(data) % 16 | last << 8)
        words = data.ljust(16, b"\0")
        for number in range(2):
            word = int.from_bytes(words[8 * number : 8 * number + 8], "little")
            await self.write(f"IN[{number}]", word)

    async def take(self, limit=500):
        """Wait for a beat and take it: its bytes, and whether it is a packet's last one."""
        for _ in range(limit):
            status = await self.read("STATUS")
            if status & READY:
                break
        else:
            raise AssertionError("no beat")
        words = [await self.read(f"OUT[{number}]") for number in range(2)]
        data = b"".join(word.to_bytes(8, "little") for word in words)
        return data[: status >> 16 & 31], bool(status & LAST)

    async def job(self, key, nonce, length, decrypt):
        await self.shell.write("JOB", GCM | decrypt << 4)
        await self.shell.write("MSG_LEN", length)
        words = [("KEY", key, 4), ("IV", nonce.ljust(16, b"\0"), 4)]
        for name, data, count in words:
            for number in range(count):
                word = int.from_bytes(data[4 * number : 4 * number + 4], "little")
                await self.shell.write(f"{name}[{number}]", word)
        await self.shell.write("START", 0)

    async def result(self):
        for _ in range(100):
            value = await self.shell.read("RESULT")
            if value & VALID:
                return value & 15
        raise AssertionError("no result")

    async def gcm(self, key, nonce, sections, length, decrypt):
        """Send sections, no more beats than there is room for, and return packet and status."""
        await self.job(key, nonce, length, decrypt)
        waiting, packet, ended = beats(*sections), [], False
        count, sent = len(waiting), 0
        while not ended:
            while sent < count and sent - len(packet) < DEPTH:
                await self.send(waiting[sent], last=sent + 1 == count)
                sent += 1
            data, ended = await self.take()
            packet.append(data)
        return b"".join(packet), await self.result()


async def begin(dut):
    return await Window(dut).start()


@cocotb.test()
async def messages(dut):
    window, rng = await begin(dut), random.Random(41)
    for length in (1, 15, 16, 17, 64, 100, 256, 1000):
        key, nonce, text = rng.randbytes(16), rng.randbytes(12), rng.randbytes(length)
        right = AESGCM(key).encrypt(nonce, text, b"")
        sealed = await window.gcm(key, nonce, [text], length, 0)
        assert sealed == (right, OK)
        opened = await window.gcm(key, nonce, [right[:-16], right[-16:]], length, 1)
        assert opened == (text, OK)
        forged = bytes([right[-16] ^ 1]) + right[-15:]
        opened = await window.gcm(key, nonce, [right[:-16], forged], length, 1)
        assert opened == (text, AUTH_FAILED)


@cocotb.test()
async def what_is_not_read_waits(dut):
    """The engine is held back, and goes on with the right bytes."""
    window, rng = await begin(dut), random.Random(42)
    key, nonce, text = rng.randbytes(16), rng.randbytes(12), rng.randbytes(32 * DEPTH)
    right = AESGCM(key).encrypt(nonce, text, b"")
    await window.job(key, nonce, len(text), 0)
    for number, part in enumerate(beats(text)):
        await window.send(part, last=number + 1 == 2 * DEPTH)
        await ClockCycles(dut.clk_i, 50)
    assert await window.read("STATUS") & (READY | LOST) == DEPTH
    assert await window.shell.read("RESULT") == 0
    assert [await window.take() for _ in range(2 * DEPTH)] == [
        (part, False) for part in beats(right[:-16])
    ]
    assert await window.take() == (right[-16:], True)
    assert await window.result() == OK


@cocotb.test()
async def nothing_waits_for_a_stream(dut):
    """Reads of no beat, and a beat without room; a clear ends what was begun."""
    window = await begin(dut)
    assert await window.read("STATUS") == DEPTH << 8
    assert [await window.read(f"OUT[{number}]") for number in range(2)] == [0, 0]
    assert await window.read("STATUS") == DEPTH << 8
    for number in range(DEPTH):
        await window.send(bytes([number]) * 16)
    assert await window.read("STATUS") & (ROOM | LOST) == 0
    await window.send(bytes(16), last=True)
    assert await window.read("STATUS") & (ROOM | LOST) == LOST
    # IN and END are written only.
    assert [await window.read(name) for name in ("IN[0]", "IN[1]", "END")] == [0, 0, 0]
    await window.write("IN[0]", 2**64 - 1)
    await window.write("CONTROL", 1)
    assert await window.read("CONTROL") == 1
    await window.send(bytes(16))
    assert await window.read("STATUS") == DEPTH << 8
    await window.write("CONTROL", 0)
    key, nonce, text = bytes(16), bytes(12), bytes(20)
    right = AESGCM(key).encrypt(nonce, text, b"")
    assert await window.gcm(key, nonce, [text], len(text), 0) == (right, OK)


@cocotb.test()
async def a_clear_wipes_beats_that_came(dut):
    window, text = await begin(dut), bytes(16)
    key, nonce = bytes(range(16)), bytes(12)
    await window.job(key, nonce, 16, 0)
    await window.send(text, last=True)
    await ClockCycles(dut.clk_i, 100)
    assert await window.read("STATUS") & READY == 2
    await window.shell.write("CONTROL", 1)
    await window.write("CONTROL", 1)
    assert [await window.read(f"OUT[{number}]") for number in range(2)] == [0, 0]
    assert await window.shell.read("STATUS") == 8, "quiet"
    await window.write("CONTROL", 0)
    await window.shell.write("CONTROL", 0)
    # The key is gone with the rest.
    await window.shell.write("JOB", GCM)
    await window.shell.write("MSG_LEN", 16)
    await window.shell.write("START", 0)
    await window.send(text, last=True)
    packet = [await window.take() for _ in range(2)]
    right = AESGCM(bytes(16)).encrypt(nonce, text, b"")
    assert packet == [(right[:16], False), (right[16:], True)]
