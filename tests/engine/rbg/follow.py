"""Follows a ``cry_rbg``: gives it samples, and says what its DRBG must make of them.

It sees when a sample is taken, when a seed is asked for, and the commands of the DRBG. Which
samples make which word, and what the DRBG gives, it has of the models of both alone.
"""

import sys
from collections import deque
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
from cocotb.triggers import RisingEdge

sys.path += [str(Path(__file__).parents[1] / name) for name in ("entropy", "drbg")]
from drbg_oracle import Drbg
from drbg_port import GENERATE, INSTANTIATE, OK, RESEED, TEST
from source_model import words
from sources import sound


class Follower:
    """Drives the oscillators of ``rbg``, whose port is ``osc``."""

    def __init__(self, rbg, osc, clock, *, lanes: int, window: int, blocks: int, seed: int = 1):
        self.rbg, self.osc, self.clock = rbg, osc, clock
        self.lanes, self.window, self.blocks = lanes, window, blocks
        self.rng = np.random.default_rng(seed)
        self.kind: Callable[..., np.ndarray] = sound
        self.usable: list[np.ndarray] = []  # samples behind the start-up and the last request
        self.drbg: Drbg | None = None
        self.seeds = self.reseeds = 0
        self.due: deque[bytes] = deque()  # blocks that the DRBG must give
        self.given: list[bytes] = []
        self.fresh = 0  # first block of the last seed

    def ring(self, kind: Callable[..., np.ndarray]) -> None:
        """Have the oscillators behave so from the next sample on."""
        self.kind, self.coming = kind, iter(())

    async def run(self) -> None:
        rbg, random = self.rbg, self.rbg.u_random
        source, sampler = rbg.u_entropy, rbg.u_entropy.u_sampler
        self.coming, behind, command, later = iter(()), 0, TEST, 0
        sample = self._next()
        while True:
            await RisingEdge(self.clock)
            if not int(source.osc_enable_o.value):
                behind = 0
                self.usable.clear()
            elif int(sampler.valid_o.value):
                behind += 1
                if behind > self.window:
                    self.usable.append(sample)
                sample = self._next()
            if int(random.ent_begin_o.value):
                self.usable.clear()
            if int(random.stop_i.value) or int(random.restart_i.value):
                self.drbg = None
                self.due.clear()
            if int(random.cmd_valid.value) and int(random.cmd_ready.value):
                command = int(random.cmd.value)
                if command >> 35 == GENERATE:
                    size, later = command & 0x1FFFF, 0
                    assert self.drbg and not self.due
                    if int(random.ent_begin_o.value):
                        later = size  # a reseed is due first
                    else:
                        self._generate(size)
            if int(random.out_valid.value):
                if later:
                    self._reseed()
                    self._generate(later)
                    later = 0
                block = int(random.out_data.value).to_bytes(16, "little")
                assert block == self.due.popleft(), "not the block of the model"
                self.given.append(block)
            if int(random.done_valid.value) and int(random.done_ready.value):
                self._ended(command >> 35, int(random.done_status.value))

    def _next(self) -> np.ndarray:
        column = next(self.coming, None)
        if column is None:
            self.coming = iter(self.kind(self.rng, self.lanes, 4 * self.window).T)
            column = next(self.coming)
        self.osc.value = int((1 << np.arange(self.lanes)) @ column)
        return column

    def _ended(self, op: int, status: int) -> None:
        if status != OK or op == TEST:
            self.drbg = None
        elif op == INSTANTIATE:
            self.drbg = Drbg(True, self._seed(6))
            self.seeds += 1
        elif op == RESEED:
            self._reseed()

    def _generate(self, size: int) -> None:
        data = self.drbg.generate(size)
        self.due.extend(data[at : at + 16] for at in range(0, size, 16))

    def _reseed(self) -> None:
        self.drbg.reseed(self._seed(4))
        self.reseeds += 1

    def _seed(self, count: int) -> bytes:
        numbers = list(islice(words(np.array(self.usable).T, self.blocks), count))
        assert len(numbers) == count, "a seed of too few samples"
        self.fresh = len(self.given)
        return b"".join(number.to_bytes(8, "little") for number in numbers)

    def check(self, got: list[bytes], first: int = 0) -> None:
        """Blocks that a client got are the DRBG's, in its order, none twice, and none before the
        ``first``.
        """
        place = {block: number for number, block in enumerate(self.given)}
        assert len(place) == len(self.given)
        places = [place[block] for block in got]
        assert places == sorted(set(places))
        assert all(number >= first for number in places), "a block of before"
