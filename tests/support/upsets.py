"""Finds the registers of protected engines, and upsets them."""

import cocotb

from support.job_port import Result


def registers(handle) -> list:
    """Find all registers of primitives below a handle: copies and codewords."""
    found = []
    for child in handle:
        name = child._name
        if name == "copy_q" or (name == "q_o" and handle._name == "u_codeword"):
            found.append(child)
        elif name.startswith(("u_", "gen_")):
            found += registers(child)
    return found


def flip(register, bit: int) -> None:
    """Upset a bit; right behind a clock edge, before anyone looks at what follows from it."""
    register.value = int(register.value) ^ 1 << bit


class TakesAll:
    """Makes a ``JobPort`` take all that comes: it is of the job whose ``done`` is next."""

    async def _receive_data(self, results: list[Result]) -> None:
        pass

    async def _receive_done(self, results: list[Result]) -> None:
        data = cocotb.start_soon(self._gather(results))
        self.current = 0
        for result in results:
            result.status = await self.take("done")
            result.done = self.cycle
            self.current += 1
        data.cancel()
        self.dut.dst_ready_i.value = 0

    async def _gather(self, results: list[Result]) -> None:
        while True:
            beat = await self.take("dst")
            results[self.current].beats.append(beat)
