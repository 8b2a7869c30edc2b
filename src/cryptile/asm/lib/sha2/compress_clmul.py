"""SHA-2 compression with the sigmas as carry-less products.

The upper and the lower half of the carry-less product of x and a sum of 2^(w - n) are the right and
the left shifts of the rotations of x by these n. So three rotations are two multiplications and
an exclusive-or, as few instructions as there are with the shift of a small sigma too, which wants
another factor for the upper half than for the lower. The factors take the registers of two words of
the message schedule in the rounds, and of half the state in the schedule.
"""

from collections.abc import Iterable, Sequence

from cryptile.asm.code import SP, Reg
from cryptile.asm.function import Function
from cryptile.asm.lib.sha2.compress import STATE, WINDOW, Compression
from cryptile.asm.lib.sha2.hashes import Hash

_ASIDE = 14
"""The first of the two words that the rounds have in the frame."""


class ClmulCompression(Compression):
    """Writes the body of the routine, where registers are as wide as words."""

    def __init__(self, hash_: Hash, function: Function) -> None:
        """Prepare to write into a function."""
        super().__init__(hash_, function)
        self.words = function.reserve(2 * self.size)
        self.half_state = function.reserve(4 * self.size)
        self.factors: dict[str, tuple[Reg, Reg]] = {
            "sum0": (WINDOW[14], WINDOW[14]),
            "sum1": (WINDOW[15], WINDOW[15]),
            "sig0": (STATE[0], STATE[1]),
            "sig1": (STATE[2], STATE[3]),
        }
        """Registers of the factors of the lower and the upper half."""

    def _rounds(self) -> None:
        self._put(WINDOW[_ASIDE:], self.words)
        for name in ("sum0", "sum1"):
            self.f.li(self._factor(getattr(self.hash, name)), dst=self.factors[name][0])
        super()._rounds()

    def _steps(self) -> None:
        self._get(WINDOW[_ASIDE:], self.words)
        self._put(STATE[:4], self.half_state)
        for name in ("sig0", "sig1"):
            *rotations, shift = getattr(self.hash, name)
            low, high = self.factors[name]
            self.f.li(self._factor(rotations), dst=low)
            self.f.li(self._factor((*rotations, shift)), dst=high)
        super()._steps()
        self._get(STATE[:4], self.half_state)

    def _factor(self, distances: Iterable[int]) -> int:
        return sum(1 << self.hash.bits - n for n in distances)

    def _put(self, regs: Sequence[Reg], at: int) -> None:
        for n, reg in enumerate(regs):
            self.f.store(reg, SP, at + n * self.size)

    def _get(self, regs: Sequence[Reg], at: int) -> None:
        for n, reg in enumerate(regs):
            self.f.load(SP, at + n * self.size, dst=reg)

    def _word(self, n: int, tmp: Reg) -> Reg:
        if n < _ASIDE:
            return super()._word(n, tmp)
        self.f.load(SP, self.words + (n - _ASIDE) * self.size, dst=tmp)
        return tmp

    def _product(self, name: str, x: Reg, tmp: Reg, extra: Reg) -> Reg:
        low, high = self.factors[name]
        self.f.emit("clmul", x, low, dst=tmp)
        self.f.emit("clmulh", x, high, dst=extra)
        self.f.xor(tmp, extra, dst=tmp)
        return tmp

    _sum = _product
    _sig = _product
