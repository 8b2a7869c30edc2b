"""Drives ``cry_drbg``: commands, streams of words with stalls, and the end."""

import random
from dataclasses import dataclass

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge, Timer

INSTANTIATE, RESEED, GENERATE, UNINSTANTIATE, TEST = range(5)
OK, BAD_PARAM, NOT_SEEDED, ENTROPY, TEST_FAILED = range(5)


@dataclass
class Command:
    op: int
    df: bool = False
    predict: bool = False
    add: bytes = b""
    size: int = 0

    @property
    def bits(self) -> int:
        value = self.op << 1 | self.df
        return ((value << 1 | self.predict) << 16 | len(self.add)) << 17 | self.size


@dataclass
class Answer:
    status: int
    data: bytes
    cycles: int
    beats: list[int]  # cycles in which beats were taken
    entropy: int  # words of entropy taken


class Port:
    def __init__(self, dut, seed: int = 0, stall: float = 0.0):
        self.dut, self.rng, self.stall, self.cycle = dut, random.Random(seed), stall, 0

    async def start(self) -> None:
        dut = self.dut
        for name in ("clear", "cmd_valid", "cmd", "done_ready", "ent_valid", "ent_word"):
            getattr(dut, f"{name}_i").value = 0
        for name in ("ent_fail", "add_valid", "add_word", "out_ready"):
            getattr(dut, f"{name}_i").value = 0
        dut.rst_ni.value = 0
        cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
        await ClockCycles(dut.clk_i, 2)
        await Timer(1, "ns")
        dut.rst_ni.value = 1

    async def clear(self) -> None:
        self.dut.clear_i.value = 1
        await RisingEdge(self.dut.clk_i)
        await Timer(1, "ns")
        self.dut.clear_i.value = 0

    async def call(
        self, command: Command, entropy: bytes = b"", fail: bool = False, stop: int | None = None
    ) -> Answer | None:
        """Run a command; None if it was left alone ``stop`` cycles after it was accepted.

        Behind the words of ``entropy`` the source is silent, or says with ``fail`` that it failed.
        """
        dut, go = self.dut, lambda: self.rng.random() >= self.stall
        words = [entropy[i : i + 8] for i in range(0, len(entropy), 8)]
        adds = [command.add[i : i + 8] for i in range(0, len(command.add), 8)]
        if adds:  # what follows the end is not looked at
            adds[-1] += self.rng.randbytes(8 - len(adds[-1]))
        data, beats, taken, started, held = b"", [], 0, None, [False] * 3
        for cycle in range(200_000):
            dut.cmd_valid_i.value = started is None
            dut.cmd_i.value = command.bits if started is None else self.rng.getrandbits(38)
            held[0] = bool(words) and (held[0] or go())
            held[1] = bool(adds) and (held[1] or go())
            dut.ent_valid_i.value, dut.add_valid_i.value = held[0], held[1]
            dut.ent_word_i.value = int.from_bytes(words[0], "little") if held[0] else 0
            dut.add_word_i.value = int.from_bytes(adds[0], "little") if held[1] else 0
            dut.ent_fail_i.value = fail and not words
            dut.out_ready_i.value = ready = go()
            dut.done_ready_i.value = done_ready = go()
            await ReadOnly()
            accepted = started is None and int(dut.cmd_ready_o.value)
            if held[0] and int(dut.ent_ready_o.value):
                assert started is not None
                words.pop(0)
                taken, held[0] = taken + 1, False
            if held[1] and int(dut.add_ready_o.value):
                adds.pop(0)
                held[1] = False
            if ready and int(dut.out_valid_o.value):
                assert started is not None
                keep = int(dut.out_keep_o.value)
                count = keep.bit_length()
                assert keep == (1 << count) - 1
                beat = int(dut.out_data_o.value).to_bytes(16, "little")
                assert beat[count:] == bytes(16 - count)
                data += beat[:count]
                assert int(dut.out_last_o.value) == (len(data) == command.size)
                beats.append(cycle)
            done = done_ready and int(dut.done_valid_o.value)
            status = int(dut.done_status_o.value)
            await RisingEdge(dut.clk_i)
            await Timer(1, "ns")
            if accepted:
                started = cycle
            if done:
                assert started is not None
                if status in (OK,):
                    assert not words and not adds
                self._rest()
                return Answer(status, data, cycle - started, beats, taken)
            if stop is not None and started is not None and cycle - started >= stop:
                self._rest()
                return None
        raise AssertionError("the command did not end")

    def _rest(self) -> None:
        for name in ("cmd_valid", "ent_valid", "add_valid", "out_ready", "done_ready", "ent_fail"):
            getattr(self.dut, f"{name}_i").value = 0


def secrets(dut) -> int:
    """Return all that is secret in the core, as one number."""
    core, value = dut.u_core, 0
    for name in ("key_q", "v_q", "t0_q", "t1_q", "t2_q", "y_q"):
        value = value << 256 | int(getattr(core, name).value)
    for name in ("u_state", "u_window"):
        value = value << 256 | int(getattr(core.u_aes, name).gen_none.u_flop.q_o.value)
    return value
