"""One job behind AXI4-Stream, recorded for the drawing of it."""

import os
from pathlib import Path

import cocotb
from cocotb.triggers import ClockCycles
from shell_model import OK, Shell, beats
from support.waves import Channel, Recorder

CHANNELS = [
    Channel("s_axil_awvalid_i", "s_axil_awready_o", "s_axil_awaddr_i", "START"),
    Channel("s_axis_tvalid_i", "s_axis_tready_o", "s_axis_tdata_i", "in"),
    Channel("m_axis_tvalid_o", "m_axis_tready_i", "m_axis_tdata_o", "out"),
]
DATA = bytes(range(40))


@cocotb.test()
async def one_job(dut):
    dut.fault_corrected_i.value = dut.fault_detected_i.value = 0
    shell = await Shell(dut).start()
    await shell.write("IRQ_ENABLE", 1)
    await shell.write("JOB", 0)
    await shell.write("AAD_LEN", 0)
    await shell.write("MSG_LEN", len(DATA))
    recorder = Recorder(dut, CHANNELS, ["s_axis_tlast_i", "m_axis_tlast_o", "irq_o"])
    recording = recorder.start()
    shell.source.send(DATA)
    await shell.write("START", 0)
    assert await shell.packet() == beats(DATA)
    await ClockCycles(dut.clk_i, 3)
    recording.cancel()
    assert await shell.result() == (0, OK)
    title = "A job of 40 bytes behind AXI4-Stream, the data mover as the engine"
    recorder.write(Path(os.environ["CRYPTILE_WAVES"]), title)
