"""One job of the tile, from the doorbell to the interrupt, recorded for the drawing of it."""

import os
from pathlib import Path

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from support.tile_model import COPY, OK
from support.waves import Channel, Recorder
from tile_bench import ON_COMPLETION, Bench, Job

LENGTH = 64


@cocotb.test()
async def one_job(dut):
    bench = await Bench(dut, queues=1).start()
    (queue,) = bench.queues
    await queue.open()
    await queue.write("IRQ_ENABLE_SET", ON_COMPLETION)
    data = bytes(range(LENGTH))
    source, target = queue.place(data, 64), queue.place(bytes(LENGTH), 64)
    places = {
        queue.ring: "desc",
        source: "src",
        target: "dst",
        queue.completions: "done",
    }

    def place(channel):
        return lambda cycle: places.get(cycle[f"m_axi_{channel}addr_o"], "?")

    channels = [
        Channel("s_axil_awvalid_i", "s_axil_awready_o", "s_axil_awaddr_i", "BELL"),
        Channel("m_axi_arvalid_o", "m_axi_arready_i", "m_axi_araddr_o", place("ar")),
        Channel("m_axi_rvalid_i", "m_axi_rready_o", "m_axi_rdata_i", "r"),
        Channel("m_axi_awvalid_o", "m_axi_awready_i", "m_axi_awaddr_o", place("aw")),
        Channel("m_axi_wvalid_o", "m_axi_wready_i", "m_axi_wdata_o", "w"),
        Channel("m_axi_bvalid_i", "m_axi_bready_o", "m_axi_bresp_i", "b"),
    ]
    queue.put(Job(COPY, src=source, dst=target, length=LENGTH, irq=1))
    recorder = Recorder(dut, channels, ["irq_o"])
    recording = recorder.start()
    await queue.ring_bell()
    for _ in range(300):
        if dut.irq_o.value != 0:
            break
        await RisingEdge(dut.clk_i)
    assert dut.irq_o.value != 0, "no interrupt"
    await ClockCycles(dut.clk_i, 2)
    recording.cancel()
    (result,) = await queue.wait()
    assert result.status == OK and bench.memory.read(target, LENGTH) == data
    title = "A job of 64 bytes of the tile, by its data mover; memory answers after 4 cycles"
    recorder.write(Path(os.environ["CRYPTILE_WAVES"]), title)
