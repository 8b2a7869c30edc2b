"""cocotb test of ``mutant_bench``: how it ends is said from outside."""

import os

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge

END = os.environ["CRYPTILE_END"]
if END == "import":
    raise ImportError("a bench that cannot be loaded")


@cocotb.test
async def counts(dut):
    dut.rst_ni.value, dut.strict_i.value = 0, END == "rtl"
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    await ClockCycles(dut.clk_i, 2)
    dut.rst_ni.value = 1
    await ClockCycles(dut.clk_i, 8)
    await FallingEdge(dut.clk_i)
    before = int(dut.count_o.value)
    await FallingEdge(dut.clk_i)
    if END == "dies":
        os._exit(1)
    if END == "error":
        _ = dut.no_such_signal
    assert END != "compared" or int(dut.count_o.value) == (before + 1) % 8
