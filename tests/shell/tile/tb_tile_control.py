"""The tile's map of registers: which page is whose, at either distance of the user pages."""

import os
import random

import cocotb
from cocotb.triggers import RisingEdge
from support.axi_model import Registers, reset

QUEUES, PAGE, USER = 4, 0x1000, 0x1_0000
STRIDE = int(os.environ["CRYPTILE_PAGE_STRIDE"])


class Map(Registers):
    """Registers by address, and which part each access has reached."""

    def __init__(self, dut):
        super().__init__(dut, "tile")
        self.map = {at: at for at in range(1 << 20)}
        self.hits: list[tuple[str, int, int]] = []
        self.rng, self.values = random.Random(1), {}
        cocotb.start_soon(self._watch())

    async def _watch(self):
        dut = self.dut
        while True:
            await RisingEdge(dut.clk_i)
            for part in ("queue", "page"):
                enables = int(getattr(dut, f"{part}_we_o").value)
                for queue in range(QUEUES):
                    if enables >> queue & 1:
                        assert part == "page" or int(dut.queue_o.value) == queue
                        self.hits.append((part, queue, 4 * int(dut.addr_o.value)))
            if int(dut.slot_we_o.value):
                self.hits.append(("slot", 0, 4 * int(dut.addr_o.value)))

    async def reached(self, address):
        """Return what a write to an address reaches, and what a read of it comes from."""
        self.hits.clear()
        self.give()
        for strobes in (self.rng.randrange(15), 15):
            self.dut.s_axil_wstrb_i.value = strobes
            await self.write(address, self.rng.getrandbits(32))
            assert strobes == 15 or not self.hits, "only whole words"
        (hit,) = self.hits or [None]
        found = await self.read(address)
        return hit, next((part for part in self.values if self.values[part] == found), found)

    def give(self):
        """Let each part give another value."""
        values, words = self.values, {"queue": QUEUES, "page": QUEUES, "slot": 1}
        for part, number in words.items():
            for word in range(number):
                values[part, word] = self.rng.getrandbits(32) | 1
            port = getattr(self.dut, f"{part}_rdata_i")
            port.value = sum(values[part, word] << 32 * word for word in range(number))


@cocotb.test()
async def pages(dut):
    """Each register of a page is reached at its address, and at no other."""
    for name in ("corrected", "detected", "tamper"):
        getattr(dut, f"{name}_i").value = 0
    await reset(dut)
    regs = Map(dut)
    assert await regs.read(0x0C) >> 19 & 31 == STRIDE.bit_length() - 1
    for queue in range(QUEUES):
        for at in (0, 0x20, 0x80, 0xF0):
            hit, value = await regs.reached(0x8000 + queue * PAGE + at)
            assert (hit, value) == (("queue", queue, at), ("queue", queue))
        for at in (0, 4, 16):
            hit, value = await regs.reached(USER + queue * STRIDE + at)
            assert (hit, value) == (("page", queue, at), ("page", queue))
    nowhere = [USER + queue * STRIDE + at for queue in range(QUEUES) for at in (0x20, PAGE - 4)]
    nowhere += [0x8000 + queue * PAGE + at for queue in range(QUEUES) for at in (0x100, PAGE - 4)]
    nowhere += [USER + queue * STRIDE for queue in (QUEUES, 7, 8)] + [0xA_0000, 0xF_FFFC]
    if STRIDE > PAGE:
        nowhere += [USER + at for at in (PAGE, 7 * PAGE, 8 * PAGE, 15 * PAGE)]
    for address in nowhere:
        assert await regs.reached(address) == (None, 0), hex(address)
    assert (await regs.reached(0x1000 + 3 * 0x80 + 0x40)) == (("slot", 0, 0x1C0), ("slot", 0))
