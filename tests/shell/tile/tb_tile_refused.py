"""What a burst was for that was refused: every reader or writer of a tile with nine lanes."""

import os
import random

import cocotb
from cocotb.triggers import Timer

LANES, PER_LANE = 9, int(os.environ["CRYPTILE_PER_LANE"])
WRITE = int(os.environ["CRYPTILE_WRITE"])
DATA, LIST, DESCRIPTOR, RECORD = range(4)
REQUEST = (("owner", 3), ("place", 3), ("address", 56), ("len", 4))
VIOLATION = (("valid", 1), ("owner", 3), ("write", 1), ("what", 2), ("index", 16), ("address", 56))


def packed(layout, values):
    """Pack fields as SystemVerilog does: the first one is in the highest bits."""
    number = 0
    for name, width in layout:
        number = number << width | values[name]
    return number


@cocotb.test()
async def purposes(dut):
    rng = random.Random(1)
    for who in [*range(1 + PER_LANE * LANES)] * 12:
        request = {name: rng.getrandbits(width) for name, width in REQUEST}
        indices = [rng.getrandbits(16) for _ in range(LANES)]
        refused = rng.randrange(2)
        dut.refused_i.value, dut.who_i.value = refused, who
        dut.req_i.value = packed(REQUEST, request)
        dut.index_i.value = sum(index << 16 * lane for lane, index in enumerate(indices))
        await Timer(1, "ns")
        lane, port = divmod(who - 1, PER_LANE)
        ring = RECORD if WRITE else DESCRIPTOR
        wanted = {
            "valid": refused,
            "owner": request["owner"],
            "write": WRITE,
            "what": ring if who == 0 else DATA if port == 0 else LIST,
            "index": indices[lane] if who else 0,
            "address": request["address"],
        }
        assert int(dut.violation_o.value) == packed(VIOLATION, wanted), (who, wanted)
        assert int(dut.place_o.value) == request["place"]
