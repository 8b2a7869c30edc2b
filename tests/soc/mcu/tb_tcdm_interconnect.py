"""Random traffic on the TCDM interconnect, against a model of one flat memory.

The bench plays masters and banks. It checks every answer, that a bank with requests always grants
exactly one, and that no master waits longer than the others need to have one turn each.
"""

import os
import random
from dataclasses import dataclass

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

BASE = 0x1000_0000
MASTERS = int(os.environ["MASTERS"])
BANKS = int(os.environ["BANKS"])
BANK_WORDS = int(os.environ["BANK_WORDS"])
SIZE = 4 * BANKS * BANK_WORDS
MASK = 0xFFFF_FFFF


@dataclass
class Request:
    addr: int
    read: bool
    be: int
    data: int
    waited: int = 0

    @property
    def in_range(self) -> bool:
        return BASE <= self.addr < BASE + SIZE

    @property
    def bank(self) -> int:
        return self.addr // 4 % BANKS


@dataclass
class Answer:
    """What a master must see in the cycle after a grant."""

    valid: bool = False
    err: bool = False
    data: int = 0


def pack(values, width: int) -> int:
    return sum(value << i * width for i, value in enumerate(values))


def part(handle, index: int, width: int) -> int:
    return int(handle.value) >> index * width & (1 << width) - 1


def merge(old: int, new: int, be: int) -> int:
    mask = sum(0xFF << 8 * i for i in range(4) if be >> i & 1)
    return old & ~mask | new & mask


class Bench:
    def __init__(self, dut, seed: int) -> None:
        self.dut = dut
        self.random = random.Random(seed)
        self.requests: list[Request | None] = [None] * MASTERS
        self.answers = [Answer() for _ in range(MASTERS)]
        self.memory: dict[int, int] = {}  # what the masters must see
        self.banks: dict[tuple[int, int], int] = {}  # what lies behind the bank ports
        self.bank_rdata = [0] * BANKS
        self.granted = 0

    async def start(self) -> None:
        cocotb.start_soon(Clock(self.dut.clk_i, 2, unit="ns").start())
        self.drive()
        self.dut.bank_rdata_i.value = 0
        self.dut.rst_ni.value = 0
        for _ in range(3):
            await RisingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1

    def drive(self) -> None:
        idle = Request(0, True, 0, 0)
        shown = [request or idle for request in self.requests]
        self.dut.req_i.value = pack((request is not None for request in self.requests), 1)
        self.dut.add_i.value = pack((r.addr for r in shown), 32)
        self.dut.wen_i.value = pack((r.read for r in shown), 1)
        self.dut.be_i.value = pack((r.be for r in shown), 4)
        self.dut.data_i.value = pack((r.data for r in shown), 32)
        self.dut.bank_rdata_i.value = pack(self.bank_rdata, 32)

    async def cycle(self) -> None:
        """One clock cycle: show the requests, check what comes out, keep what follows from it."""
        self.drive()
        await FallingEdge(self.dut.clk_i)
        self.check_answers()
        self.check_arbitration()
        self.serve_banks()
        self.take_grants()
        await RisingEdge(self.dut.clk_i)

    def check_answers(self) -> None:
        for i, answer in enumerate(self.answers):
            assert part(self.dut.r_valid_o, i, 1) == answer.valid
            assert part(self.dut.err_o, i, 1) == answer.err
            if answer.valid:
                assert part(self.dut.r_data_o, i, 32) == answer.data

    def grants(self) -> list[int]:
        return [i for i in range(MASTERS) if part(self.dut.gnt_o, i, 1)]

    def check_arbitration(self) -> None:
        grants = self.grants()
        assert all(self.requests[i] is not None for i in grants)
        for bank in range(BANKS):
            asking = [i for i, r in enumerate(self.requests) if r and r.in_range and r.bank == bank]
            assert len([i for i in asking if i in grants]) == min(1, len(asking))
        for i, request in enumerate(self.requests):
            if request and not request.in_range:
                assert i in grants

    def serve_banks(self) -> None:
        for bank in range(BANKS):
            if not part(self.dut.bank_req_o, bank, 1):
                continue
            row = part(self.dut.bank_addr_o, bank, (BANK_WORDS - 1).bit_length())
            old = self.banks.get((bank, row), 0)
            if part(self.dut.bank_we_o, bank, 1):
                new = part(self.dut.bank_wdata_o, bank, 32)
                self.banks[bank, row] = merge(old, new, part(self.dut.bank_be_o, bank, 4))
            else:
                self.bank_rdata[bank] = old

    def take_grants(self) -> None:
        grants = self.grants()
        for i, request in enumerate(self.requests):
            self.answers[i] = Answer()
            if request is None:
                continue
            if i not in grants:
                request.waited += 1
                assert request.waited < MASTERS, "a master waits longer than one turn of the others"
                continue
            self.granted += 1
            word = request.addr & ~3
            if not request.in_range:
                self.answers[i] = Answer(valid=request.read, err=True)
            elif request.read:
                self.answers[i] = Answer(valid=True, data=self.memory.get(word, 0))
            else:
                self.memory[word] = merge(self.memory.get(word, 0), request.data, request.be)
            self.requests[i] = None

    def random_request(self, words: int, bad: float) -> Request:
        rng = self.random
        if rng.random() < bad:
            addr = rng.choice([0, BASE - 4, BASE + SIZE, BASE + 2 * SIZE, BASE ^ 1 << 31, MASK - 3])
        else:
            first = rng.choice([0, SIZE // 4 - words])
            addr = BASE + 4 * (first + rng.randrange(words))
        return Request(addr, rng.random() < 0.6, rng.randrange(16), rng.getrandbits(32))

    async def traffic(self, cycles: int, load: float, words: int, bad: float) -> None:
        for _ in range(cycles):
            for i in range(MASTERS):
                if self.requests[i] is None and self.random.random() < load:
                    self.requests[i] = self.random_request(words, bad)
            await self.cycle()
        while any(self.requests):
            await self.cycle()
        await self.cycle()


@cocotb.test()
async def random_traffic(dut):
    bench = Bench(dut, seed=1)
    await bench.start()
    for load, words in [(0.2, 4 * BANKS), (0.7, 4 * BANKS), (1.0, 4 * BANKS), (1.0, 2), (0.9, 1)]:
        await bench.traffic(400, load, words, bad=0.05)
    assert bench.granted > 1000
    flat = {
        BASE + 4 * (row * BANKS + bank): value
        for (bank, row), value in bench.banks.items()
        if value
    }
    assert flat == {addr: value for addr, value in bench.memory.items() if value}


@cocotb.test()
async def masters_on_different_banks_do_not_wait(dut):
    bench = Bench(dut, seed=2)
    await bench.start()
    lanes = min(MASTERS, BANKS)
    for step in range(64):
        for i in range(lanes):
            word = step * BANKS + (i + step) % BANKS
            bench.requests[i] = Request(BASE + 4 * word % SIZE, step % 2 == 1, 15, step * 99 + i)
        before = bench.granted
        await bench.cycle()
        assert bench.granted - before == lanes


@cocotb.test()
async def contenders_take_turns(dut):
    bench = Bench(dut, seed=3)
    await bench.start()
    turns = []
    for _ in range(6 * MASTERS):
        for i in range(MASTERS):
            if bench.requests[i] is None:
                bench.requests[i] = Request(BASE + 4, True, 15, 0)
        await bench.cycle()
        turns += [i for i, request in enumerate(bench.requests) if request is None]
    assert turns == [i % MASTERS for i in range(turns[0], turns[0] + len(turns))]
    assert len(turns) == 6 * MASTERS
