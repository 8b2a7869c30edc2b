"""The engine with its DMA: RFC 8439's stream from memory to memory, at any alignment."""

import random

import cocotb
from cocotb.triggers import ClockCycles, Timer
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from shell_model import OK, Shell
from support.axi_model import BASE, AxiMemory, Registers, reset

PACKET, STOP = 2, 4
FINISHED = 1 << 31
BUSY, ERROR = 1, 4


class Port:
    """One of the two register ports, under the names of a block that has one only."""

    def __init__(self, dut, word):
        self._dut, self._word = dut, word

    def __getattr__(self, name):
        return getattr(self._dut, name.replace("s_axil_", f"s_axil_{self._word}_"))


class Engine(Shell):
    """The engine's shell behind its port; its streams are inside."""

    def __init__(self, dut):
        self.registers = Registers(Port(dut, "engine"), "axis")
        self.read, self.write = self.registers.read, self.registers.write


@cocotb.test()
async def memory_to_memory(dut):
    memory, dma, engine = AxiMemory(dut, 128), Registers(Port(dut, "dma"), "dma"), Engine(dut)
    dut.lock_i.value = dut.por_ni.value = 0
    await Timer(1, "ns")
    dut.por_ni.value = 1
    await reset(dut)
    cocotb.start_soon(memory.run())
    await ClockCycles(dut.clk_i, 2)
    rng = random.Random(41)
    for number in range(4):
        size = rng.choice((1, 16, 100, 257))
        key, iv, message = rng.randbytes(32), rng.randbytes(16), rng.randbytes(size)
        iv = bytes([1, 0, 0, 0]) + iv[4:]
        source, target = BASE + rng.randrange(4096), BASE + 0x4000 + rng.randrange(4096)
        memory.load(source, message)
        for place, at in ((BASE + 0x8000, source), (BASE + 0x8020, target)):
            words = (0, at, size, PACKET | STOP, 0, 0)
            memory.load(place, b"".join(word.to_bytes(4, "little") for word in words))
        memory.stall = rng.choice((0.0, 0.4))
        await engine.job(key_len=2, key=key, iv=iv, length=size)
        await dma.write("S2MM.HEAD", BASE + 0x8020)
        await dma.write("MM2S.HEAD", BASE + 0x8000)
        assert await engine.result() == (number, OK)
        for channel in ("MM2S", "S2MM"):
            while (status := await dma.read(f"{channel}.STATUS")) & BUSY:
                pass
            assert not status & ERROR
        expected = Cipher(algorithms.ChaCha20(key, iv), None).encryptor().update(message)
        assert memory.read(target, size) == expected
