"""The control side of the tile with lanes that are played here."""

from collections import deque

import cocotb
from cocotb.triggers import RisingEdge
from support.tile_model import AES, GCM, OK
from tile_bench import Bench, Job

TAG_BITS = 60
"""Of a ``job_tag_t``; its owner and index stand at the top."""


def number(key):
    """The number that a port has for bytes."""
    return int.from_bytes(key, "little")


class Lane:
    """Takes jobs and ends them, in order, when it is told to or after a time."""

    def __init__(self):
        self.ready, self.delay, self.status = 1, 3, OK
        self.jobs: list[tuple[int, int]] = []  # tag, key
        self.iv = b""  # of the last one
        self.taken: dict[tuple[int, int], int] = {}  # owner, index -> lane_job_t
        self.waiting: deque[tuple[int, int, int]] = deque()  # tag, cycle, status

    @staticmethod
    def owner(tag):
        return tag >> TAG_BITS - 3

    @staticmethod
    def index(tag):
        return tag >> TAG_BITS - 19 & 0xFFFF


class Control(Bench):
    """The bench with its lanes."""

    def __init__(self, dut):
        super().__init__(dut)
        self.lanes = [Lane() for _ in range(len(dut.lane_ready_i))]

    async def start(self):
        for name in (
            "done_valid",
            "done_tag",
            "done_status",
            "done_bytes",
            "unwrap_valid",
            "made_valid",
            "read_violation",
            "write_violation",
            "lane_full",
        ):
            getattr(self.dut, f"{name}_i").value = 0
        self.dut.lane_ready_i.value = 0
        await super().start()
        cocotb.start_soon(self._play())
        return self

    async def _play(self):
        dut, valid, ready = self.dut, 0, 0
        while True:
            await RisingEdge(dut.clk_i)
            given, taken = int(dut.lane_valid_o.value), int(dut.done_ready_o.value)
            tags = status = 0
            for number, lane in enumerate(self.lanes):
                bit = 1 << number
                if valid & taken & bit:
                    lane.waiting.popleft()
                    valid &= ~bit
                if given & ready & bit:
                    tag = int(dut.lane_tag_o.value)
                    lane.jobs.append((tag, int(dut.lane_key_o.value)))
                    lane.taken[Lane.owner(tag), Lane.index(tag)] = int(dut.lane_job_o.value)
                    lane.iv = int(dut.lane_iv_o.value).to_bytes(16, "little")
                    lane.waiting.append((tag, self.memory.cycle + lane.delay, lane.status))
                if lane.waiting and lane.waiting[0][1] <= self.memory.cycle:
                    valid |= bit
                if lane.waiting:
                    tags |= lane.waiting[0][0] << TAG_BITS * number
                    status |= lane.waiting[0][2] << 8 * number
            ready = sum(lane.ready << number for number, lane in enumerate(self.lanes))
            dut.lane_ready_i.value, dut.done_valid_i.value = ready, valid
            dut.done_tag_i.value, dut.done_status_i.value = tags, status


class Unwrapping:
    """Jobs of one queue that unwrap keys, whose beats are played here."""

    def __init__(self, bench, queue):
        self.bench, self.queue, self.lane = bench, queue, bench.lanes[AES - 1]
        self.before_end = None  # what happens while a job runs

    async def beat(self, aad, beat, data):
        dut = self.bench.dut
        dut.unwrap_aad_i.value, dut.unwrap_beat_i.value = aad, beat
        dut.unwrap_data_i.value = number(data)
        dut.unwrap_valid_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.unwrap_valid_i.value = 0

    async def run(self, target, aad, key, status=OK, source=0):
        """Return the record."""
        self.queue.put(
            Job(AES, GCM, decrypt=1, slot=source, target=target, aad_len=16, length=len(key))
        )
        return await self._record(aad, key, status)

    async def token(self, aad, key, job, status=OK):
        """Return the record of a job with a wrapped key."""
        self.queue.put(job)
        return await self._record(aad, key, status)

    async def _record(self, aad, key, status):
        play = cocotb.start_soon(self.play(aad, key, status))
        await self.queue.ring_bell()
        (result,) = await self.queue.wait(1)
        await play
        return result

    async def play(self, aad, key, status=OK):
        """Give the beats of a key when the lane has its job."""
        self.lane.delay, self.lane.status = 120, status
        before = len(self.lane.jobs)
        for _ in range(60):
            await RisingEdge(self.bench.dut.clk_i)
            if len(self.lane.jobs) > before:
                await self.beat(1, 0, aad)
                for at in range(0, len(key), 16):
                    await self.beat(0, at // 16, key[at : at + 16])
                if self.before_end:
                    await self.before_end
                    self.before_end = None
                break
        self.lane.delay, self.lane.status = 3, OK

    async def key(self, slot, opcode=AES, **job):
        """The key of a slot, if the queue may use it."""
        (result,) = await self.queue.run(Job(opcode, slot=slot, **job))
        return self.bench.lanes[opcode - 1].jobs[-1][1] if result.status == OK else None
