"""Which lane of AES a queue's next job takes: the module alone, against a model of its rules."""

import random

import cocotb
from cocotb.triggers import ReadOnly, Timer

QUEUES, LANES, MOST = 8, 4, 8


def fields(number, width):
    """Cut a packed array up: element 0 is in the lowest bits."""
    return [number >> width * n & (1 << width) - 1 for n in range(QUEUES)]


class Places:
    """The jobs of each queue under way, all in one lane."""

    def __init__(self):
        self.lane, self.count = [0] * QUEUES, [0] * QUEUES

    def chosen(self, ready, serial):
        """Return lane of each queue's next job, and whether it can take the job."""
        taken = {self.lane[q] for q in range(QUEUES) if self.count[q]}
        idle = [n for n in range(LANES) if ready >> n & 1 and n not in taken]
        further = [n for n in idle if n]
        found = []
        for q in range(QUEUES):
            own = serial >> q & 1
            if self.count[q]:
                lane = self.lane[q]
            elif own:
                lane = (further or [0])[0] if idle else q % LANES
            else:
                lane = 0
            found.append((lane, bool(ready >> lane & 1 and (own or lane == 0))))
        return found


@cocotb.test()
async def choices(dut):
    """Lanes busy or not, jobs that begin and end: every choice is the model's."""
    rng, places = random.Random(1), Places()
    dut.clk_i.value = dut.rst_ni.value = 0
    for name in ("lane_ready", "serial", "begin", "begin_owner", "begin_lane", "end", "end_owner"):
        getattr(dut, f"{name}_i").value = 0
    await Timer(5, "ns")
    dut.rst_ni.value = 1
    begun, lanes = 0, set()
    for cycle in range(4000):
        ready = rng.getrandbits(LANES) | (rng.getrandbits(LANES) if cycle // 100 % 2 else 0)
        serial = rng.getrandbits(QUEUES)
        dut.lane_ready_i.value, dut.serial_i.value = ready, serial
        dut.begin_i.value = dut.end_i.value = 0
        await Timer(1, "ns")
        await ReadOnly()
        wanted = places.chosen(ready, serial)
        found = zip(
            fields(int(dut.lane_o.value), 2), fields(int(dut.ready_o.value), 1), strict=True
        )
        assert [(lane, bool(can)) for lane, can in found] == wanted, f"{ready:b} {serial:b}"
        await Timer(1, "ns")
        # Times in which queues fill their places, and times in which these empty.
        filling = cycle // 250 % 2 == 0
        able = [q for q in range(QUEUES) if wanted[q][1] and places.count[q] < MOST]
        ended = [q for q in range(QUEUES) if places.count[q]]
        if ended and rng.randrange(8) < (2 if filling else 7):
            queue = rng.choice(ended)
            dut.end_i.value, dut.end_owner_i.value = 1, queue
            places.count[queue] -= 1
        if able and rng.randrange(8) < (7 if filling else 1):
            queue = rng.choice(able)
            lane = wanted[queue][0]
            dut.begin_i.value, dut.begin_owner_i.value, dut.begin_lane_i.value = 1, queue, lane
            places.lane[queue] = lane
            places.count[queue] += 1
            begun += 1
            lanes.add(lane)
        await Timer(3, "ns")
        dut.clk_i.value = 1
        await Timer(5, "ns")
        dut.clk_i.value = 0
    assert begun > 1000 and lanes == set(range(LANES))
