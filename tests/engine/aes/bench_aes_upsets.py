"""cocotb test of an AES engine that detects upsets: AES-128 encryption in ECB and CTR."""

import random

import cocotb
from aes_port import CTR, ECB, Job, Port, Result, model
from cocotb.triggers import ReadWrite, RisingEdge
from support.engine_port import CONTEXT, FAULT_CORRECTED, FAULT_DETECTED, OK
from support.upsets import flip, registers

RUNS = 150
LONGEST = 60


class UpsetPort(Port):
    """Takes what comes, however much: it is of the job whose `done` comes next."""

    async def _receive_data(self, jobs: list[Job], results: list[Result]) -> None:
        pass

    async def _receive_done(self, results: list[Result]) -> None:
        data = cocotb.start_soon(self._gather(results))
        self.current = 0
        for result in results:
            result.status = await self.take("done")
            self.current += 1
        data.cancel()
        self.dut.dst_ready_i.value = 0

    async def _gather(self, results: list[Result]) -> None:
        while True:
            beat = await self.take("dst")
            result = results[self.current]
            size = (beat >> 3 & 0xFFFF).bit_count()
            chunk = (beat >> 19).to_bytes(16, "little")[:size]
            if beat & 3 == CONTEXT:
                result.context = chunk
            else:
                result.data += chunk


@cocotb.test()
async def one_upset(dut):
    """An upset of data ends one job, an upset of control none; the others are not touched."""
    rng = random.Random(1)
    port = UpsetPort(dut, 1, {"src": 0.2, "key": 0.4})
    await port.start()
    found = registers(dut.u_engine)
    core = dut.u_engine.gen_iterative.u_core
    detected = corrected = 0
    for _ in range(RUNS):
        jobs = [
            Job(rng.choice([ECB, CTR]), rng.randbytes(16), rng.randbytes(16 * rng.randrange(8)),
                rng.randbytes(16), ctx_save=rng.random() < 0.3)
            for _ in range(3)
        ]  # fmt: skip
        results = port.begin(jobs)
        for _ in range(rng.randrange(2, LONGEST)):
            await RisingEdge(dut.clk_i)
        await ReadWrite()
        idle = not int(core.busy_q.value)  # then the core asserts that it holds nothing
        register = rng.choice([item for item in found if not (idle and "u_core" in item._path)])
        flip(register, rng.randrange(len(register)))
        await port.finish(results, 2000)
        for job, result in zip(jobs, results, strict=True):
            expected = model(job)
            if result.status == FAULT_DETECTED:
                assert expected.data.startswith(result.data), register._path
                assert result.context in (None, expected.context), register._path
                continue
            assert (result.data, result.context) == (expected.data, expected.context), job
            assert result.status in (OK, FAULT_CORRECTED), (register._path, result.status)
        statuses = [result.status for result in results]
        assert statuses.count(FAULT_DETECTED) <= 1
        detected += FAULT_DETECTED in statuses
        corrected += FAULT_CORRECTED in statuses
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        engine = dut.u_engine
        assert not int(engine.key_q.value) and not int(engine.chain_q.value)
    assert detected > RUNS // 10 and corrected > RUNS // 10, (detected, corrected)
