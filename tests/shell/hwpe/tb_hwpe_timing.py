"""One job of the HWPE, recorded for the drawing of it."""

import os
from pathlib import Path

import cocotb
from cocotb.triggers import ClockCycles
from hwpe_model import BASE, REG, start
from support.waves import Channel, Recorder

NAMES = {offset: name for name, offset in REG.items()}
SOURCE, TARGET = BASE, BASE + 0x2000


def register(cycle):
    return NAMES[cycle["periph_add_i"] & 0xFFF].removesuffix("_PTR").replace("TRIGGER", "TRIG")


def access(cycle):
    """The first lane's address: where the block begins."""
    address = cycle["tcdm_add_o"] & 0xFFFF_FFFF
    if cycle["tcdm_wen_o"]:
        return f"src {address - SOURCE}"
    return f"dst {address - TARGET}"


CHANNELS = [
    Channel("periph_req_i", "periph_gnt_o", "periph_add_i", register),
    Channel("tcdm_req_o", "tcdm_gnt_i", "tcdm_add_o", access),
    Channel("tcdm_r_valid_i", "", "tcdm_r_data_i", "r"),
]


@cocotb.test()
async def one_job(dut):
    memory, core = await start(dut)
    data = memory.read(SOURCE, 32)
    recorder = Recorder(dut, CHANNELS, ["tcdm_wen_o", "evt_o"])
    recording = recorder.start()
    dut.periph_add_i.value = 0
    await core.job(SRC_PTR=SOURCE, DST_PTR=TARGET, LEN=32)
    await core.wait()
    await ClockCycles(dut.clk_i, 2)
    recording.cancel()
    assert memory.read(TARGET, 32) == data
    title = "A job of 32 bytes of the HWPE, the data mover as the engine; TCDM lanes as one"
    recorder.write(Path(os.environ["CRYPTILE_WAVES"]), title)
