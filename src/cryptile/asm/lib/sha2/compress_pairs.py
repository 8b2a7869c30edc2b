"""SHA-512 compression on 32-bit registers.

A 64-bit word is a pair of registers. The eight words of the state stay in registers, the window of
the message schedule lies in the frame; its words there are (high, low), as in the message.
"""

from collections.abc import Sequence
from typing import NamedTuple

from cryptile.asm.code import RA, SP, A, Reg, S, T
from cryptile.asm.function import Function
from cryptile.asm.lib.sha2.hashes import SHA512
from cryptile.asm.lib.sha2.words import load_bytes, swap_fields


class Pair(NamedTuple):
    """The registers of a 64-bit word."""

    low: Reg
    high: Reg

    @property
    def swapped(self) -> "Pair":
        """The same word rotated by 32."""
        return Pair(self.high, self.low)


def _pairs(*regs: Reg) -> tuple[Pair, ...]:
    return tuple(Pair(*regs[n : n + 2]) for n in range(0, len(regs), 2))


_STATE = _pairs(*S, *A[4:])
_PARITY = _pairs(*T[:4])
"""a ^ b of the last round, and of this; they change places every round."""
_WORD, _CONSTANT = _pairs(T[4], T[5], A[0], A[1])
TMP, _W, _K = T[6], A[3], RA
_RECENT = (*_PARITY, _WORD, _CONSTANT)
"""For the message schedule: the word in work, the one after it, and the last two results."""
_SUM = Pair(_W, A[2])
_BLOCK = 128


class PairCompression:
    """Writes the body of the routine."""

    def __init__(self, function: Function) -> None:
        """Prepare to write into a function."""
        self.f = function
        self.isa = function.isa

    def write(self) -> None:
        """Write the whole body."""
        f = self.f
        state, source, end = (f.reserve(4) for _ in range(3))
        self.window = f.reserve(_BLOCK)
        block, bytewise, enter, steps, rounds, done = map(
            f.new_label, ("block", "bytewise", "enter", "steps", "rounds", "done")
        )
        f.branch("beqz", A[2], to=done)
        f.store(A[0], SP, state)
        f.slli(A[2], _BLOCK.bit_length() - 1, dst=A[2])
        f.add(A[1], A[2], dst=A[2])
        f.store(A[2], SP, end)
        for n, word in enumerate(_STATE):
            self._load(word, A[0], 8 * n)
        f.mv(A[1], dst=A[0])

        f.label(block)  # the address of the block is in a0
        f.emit("andi", A[0], imm=3, dst=A[1])
        f.addi(A[0], _BLOCK, dst=A[2])
        f.store(A[2], SP, source)
        f.addi(SP, self.window, dst=_W)
        f.branch("bnez", A[1], to=bytewise)
        self._copy_aligned()
        f.branch("j", to=enter)
        f.label(bytewise)
        load_bytes(f, A[0], 0, 4, T[0], T[1:3])
        self._copy_step((T[0],), bytewise)

        f.label(enter)
        f.emit("la", imm="cry_sha512_k", dst=_K)
        f.branch("j", to=f"{rounds}_first")

        f.label(steps)
        self._schedule()
        f.label(f"{rounds}_first")
        f.addi(SP, self.window, dst=_W)
        self._bitwise("xor", _STATE[1], _STATE[2], _PARITY[0])
        f.label(rounds)
        for n in range(8):
            self._round(n)
        f.addi(_W, _BLOCK // 2, dst=_W)
        f.addi(_K, _BLOCK // 2, dst=_K)
        f.addi(SP, self.window + _BLOCK, dst=TMP)
        f.branch("bne", _W, TMP, to=rounds)
        f.load(_K, 0, dst=TMP)  # behind the last constant: 0
        f.branch("bnez", TMP, to=steps)

        f.load(SP, state, dst=_K)
        f.load(SP, source, dst=A[0])
        f.load(SP, end, dst=A[1])
        for n, word in enumerate(_STATE):
            start = _RECENT[n % 3]
            self._load(start, _K, 8 * n)
            self._add(word, start)
            f.store(word.low, _K, 8 * n)
            f.store(word.high, _K, 8 * n + 4)
        f.branch("bne", A[0], A[1], to=block)
        f.label(done)
        f.ret()

    def _copy_aligned(self) -> None:
        f = self.f
        mask, tmp = A[1], _K
        loop = f.new_label("aligned")
        if not self.isa.rotates:
            f.li(0x00FF00FF, dst=mask)
        f.label(loop)
        words = T[:4]
        for n, word in enumerate(words):
            f.load(A[0], 4 * n, dst=word)
        for word in words:
            if self.isa.rotates:
                f.emit("rev8", word, dst=word)
                continue
            swap_fields(f, word, 8, mask, tmp)
            f.slli(word, 16, dst=tmp)
            f.srli(word, 16, dst=word)
            f.or_(word, tmp, dst=word)
        self._copy_step(words, loop)

    def _copy_step(self, words: tuple[Reg, ...], loop: str) -> None:
        """Append words to the window and go on to the end of the block in a2."""
        f = self.f
        for n, word in enumerate(words):
            f.store(word, _W, 4 * n)
        f.addi(A[0], 4 * len(words), dst=A[0])
        f.addi(_W, 4 * len(words), dst=_W)
        f.branch("bne", A[0], A[2], to=loop)

    def _round(self, n: int) -> None:
        """FIPS 180-4, section 6.4.2, step 3; h becomes the new a, d the new e."""
        self.f.step(f"round {n} of 16")
        a, b, _, d, e, f, g, h = (_STATE[(i - n) % 8] for i in range(8))
        last, this = _PARITY[n % 2], _PARITY[1 - n % 2]  # last: b ^ c
        self._load_window(_WORD, _W, 8 * n)
        self._load(_CONSTANT, _K, 8 * n)
        self._bitwise("xor", f, g, this)
        self._bitwise("and", this, e, this)
        self._bitwise("xor", this, g, this)
        for addend in (_WORD, _CONSTANT, this):
            self._add(h, addend)
        self._sum("sum1", e, this)
        self._add(h, this)
        self._add(d, h)
        self._sum("sum0", a, this)
        self._add(h, this)
        self._bitwise("xor", a, b, this)
        self._bitwise("and", last, this, last)
        self._bitwise("xor", last, b, last)
        self._add(h, last)

    def _schedule(self) -> None:
        """Replace the window by the next sixteen words, in place."""
        self.f.step("words of the schedule")
        words = _RECENT
        for n in range(-2, 1):
            self._load_word(words[n % 4], n)
        for n in range(16):
            word, following, before_last, _ = (words[(n + i) % 4] for i in range(4))
            self._load_word(_SUM, n + 9)
            self._load_word(following, n + 1)
            self._add(word, _SUM)
            self._sig("sig0", following, _SUM)
            self._add(word, _SUM)
            self._sig("sig1", before_last, _SUM)
            self._add(word, _SUM)
            self.f.store(word.high, SP, self.window + 8 * n)
            self.f.store(word.low, SP, self.window + 8 * n + 4)

    def _load_word(self, word: Pair, n: int) -> None:
        self._load_window(word, SP, self.window + 8 * (n % 16))

    def _load_window(self, word: Pair, base: Reg, at: int) -> None:
        self.f.load(base, at + 4, dst=word.low)
        self.f.load(base, at, dst=word.high)

    def _load(self, word: Pair, base: Reg, at: int) -> None:
        self.f.load(base, at, dst=word.low)
        self.f.load(base, at + 4, dst=word.high)

    def _bitwise(self, op: str, x: Pair, y: Pair, dst: Pair) -> None:
        self.f.emit(op, x.low, y.low, dst=dst.low)
        self.f.emit(op, x.high, y.high, dst=dst.high)

    def _add(self, x: Pair, y: Pair) -> None:
        f = self.f
        f.add(x.low, y.low, dst=x.low)
        f.emit("sltu", x.low, y.low, dst=TMP)
        f.add(x.high, y.high, dst=x.high)
        f.add(x.high, TMP, dst=x.high)

    def _sum(self, name: str, x: Pair, dst: Pair) -> None:
        """XOR of three rotations."""
        if "zknh" in self.isa:
            for half, source in ((dst.low, x), (dst.high, x.swapped)):
                self.f.emit(f"sha512{name}r", *source, dst=half)
            return
        rotations = getattr(SHA512, name)
        if self.isa.rotates:
            self._rotations(rotations, x, dst)
        else:
            self._shifts(x, rotations, (), dst.low)
            self._shifts(x.swapped, rotations, (), dst.high)

    def _sig(self, name: str, x: Pair, dst: Pair) -> None:
        """XOR of two rotations and a shift."""
        if "zknh" in self.isa:
            self.f.emit(f"sha512{name}l", *x, dst=dst.low)
            self.f.emit(f"sha512{name}h", *x.swapped, dst=dst.high)
            return
        *rotations, shift = getattr(SHA512, name)
        if self.isa.rotates:
            self._rotations(rotations, x, dst, shift)
        else:
            self._shifts(x, (*rotations, shift), (), dst.low)
            self._shifts(x.swapped, rotations, (shift,), dst.high)

    def _shifts(self, x: Pair, rotations: Sequence[int], shifts: Sequence[int], dst: Reg) -> None:
        """XOR the lower halves of rotations, and the lower half shifted by itself."""
        f = self.f
        terms = []
        for n in rotations:
            near, far = x if n < 32 else x.swapped
            terms += [("srli", near, n % 32), ("slli", far, 32 - n % 32)]
        terms += [("srli", x.low, n) for n in shifts]
        (op, source, amount), *rest = terms
        f.emit(op, source, imm=amount, dst=dst)
        for op, source, amount in rest:
            f.emit(op, source, imm=amount, dst=TMP)
            f.xor(dst, TMP, dst=dst)

    def _rotations(
        self, rotations: Sequence[int], x: Pair, dst: Pair, shift: int | None = None
    ) -> None:
        """XOR rotations, and a shift, by 32-bit rotations.

        Rotating each half by itself goes wrong in the bits that should have crossed over; where the
        halves agree that does not matter, so (low ^ high) << (32 - n) mends both.
        """
        f = self.f
        f.xor(*x, dst=TMP)
        if shift is not None:
            f.slli(TMP, 32 - shift, dst=dst.low)
        amounts = sorted((32 - n % 32 for n in rotations), reverse=True)
        f.slli(TMP, amounts[0] - amounts[1], dst=dst.high)
        for amount, following in zip(amounts[1:], [*amounts[2:], 0], strict=True):
            f.xor(dst.high, TMP, dst=dst.high)
            f.slli(dst.high, amount - following, dst=dst.high)
        low = [("rori", (x if n < 32 else x.swapped).low, n % 32) for n in rotations]
        high = [("rori", (x if n < 32 else x.swapped).high, n % 32) for n in rotations]
        if shift is None:
            op, source, amount = low.pop()
            f.emit(op, source, imm=amount, dst=dst.low)
        else:
            low.append(("rori", x.low, shift))
            high.append(("srli", x.high, shift))
        f.xor(dst.low, dst.high, dst=dst.low)
        for half, terms in ((dst.low, low), (dst.high, high)):
            for op, source, amount in terms:
                f.emit(op, source, imm=amount, dst=TMP)
                f.xor(half, TMP, dst=half)
