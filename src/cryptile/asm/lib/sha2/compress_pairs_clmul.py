"""SHA-512 compression on 32-bit registers with the sigmas as carry-less products.

The lower half of a pair of registers, rotated by several n < 32, is the upper half of the product
of ``low`` with the sum of 2^(32 - n), plus the lower half of that of ``high`` with the same factor.
For more than 32, the halves change places. A factor is one ``lui``.
"""

from collections.abc import Sequence

from cryptile.asm.code import Reg
from cryptile.asm.lib.sha2.compress_pairs import TMP, Pair, PairCompression
from cryptile.asm.lib.sha2.hashes import SHA512


class ClmulPairCompression(PairCompression):
    """Writes the body of the routine."""

    def _sum(self, name: str, x: Pair, dst: Pair) -> None:
        near, far = _split(getattr(SHA512, name))
        if len(near) > len(far):
            self._products(near, near, x, dst)
            self._add_rotations(far, x.swapped, dst)
        else:
            self._products(far, far, x.swapped, dst)
            self._add_rotations(near, x, dst)

    def _sig(self, name: str, x: Pair, dst: Pair) -> None:
        *rotations, shift = getattr(SHA512, name)
        near, far = _split(rotations)
        self._products([*near, shift], near, x, dst)
        self._add_rotations(far, x.swapped, dst)

    def _products(
        self, distances: Sequence[int], carried: Sequence[int], x: Pair, dst: Pair
    ) -> None:
        """Rotate by ``distances``, but shift by those that are not in ``carried``."""
        f = self.f
        self._factor(distances)
        f.emit("clmulh", x.low, TMP, dst=dst.low)
        f.emit("clmul", x.high, TMP, dst=dst.high)
        f.xor(dst.low, dst.high, dst=dst.low)
        f.emit("clmulh", x.high, TMP, dst=dst.high)
        if len(carried) == 1:
            f.slli(x.low, 32 - carried[0], dst=TMP)
        else:
            if carried != distances:
                self._factor(carried)
            f.emit("clmul", x.low, TMP, dst=TMP)
        f.xor(dst.high, TMP, dst=dst.high)

    def _factor(self, distances: Sequence[int]) -> None:
        self.f.emit("lui", imm=sum(1 << 32 - n for n in distances) >> 12, dst=TMP)

    def _add_rotations(self, distances: Sequence[int], x: Pair, dst: Pair) -> None:
        for n in distances:
            for near, far, half in ((*x, dst.low), (*x.swapped, dst.high)):
                self._add_term("srli", near, n, half)
                self._add_term("slli", far, 32 - n, half)

    def _add_term(self, op: str, x: Reg, amount: int, half: Reg) -> None:
        self.f.emit(op, x, imm=amount, dst=TMP)
        self.f.xor(half, TMP, dst=half)


def _split(rotations: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the distances below 32, and what those above are more than 32."""
    return [n for n in rotations if n < 32], [n - 32 for n in rotations if n >= 32]
