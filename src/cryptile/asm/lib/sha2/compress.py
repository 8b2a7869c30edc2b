"""The SHA-2 compression function with the whole message schedule in registers.

8 registers hold the state, 16 a window of the message schedule, one the address of the round
constants; three are left to compute with. So a block costs no spill: every register has a fixed
role that only rotates, and the roles are back in place after 16 rounds. Sixteen rounds, and the
sixteen steps of the schedule in place, are the two halves of a loop.
"""

from cryptile.asm.code import RA, SP, A, Reg, S, T
from cryptile.asm.function import Function
from cryptile.asm.lib.sha2.hashes import Hash
from cryptile.asm.lib.sha2.words import load_bytes, swap_fields

STATE = S[:8]
WINDOW = (*T, *A[3:], *S[8:])
_K = RA
TEMPS = A[:3]
"""a ^ b of the last round, and two temporaries; the first two change places every round."""


class Compression:
    """Writes the body of the routine of one hash function for one instruction set."""

    def __init__(self, hash_: Hash, function: Function) -> None:
        """Prepare to write into a function."""
        self.hash = hash_
        self.f = function
        self.isa = function.isa
        self.size = hash_.bits // 8
        self.block = 16 * self.size
        self.narrow = hash_.bits < self.isa.xlen  # then upper halves of registers hold anything
        self.right = "srliw" if self.narrow else "srli"
        suffix = "w" if hash_.bits == 32 else "d"
        self.load, self.store = f"l{suffix}", f"s{suffix}"

    def write(self) -> None:
        """Write the whole body."""
        f = self.f
        state, source, end = (f.reserve(self.isa.word) for _ in range(3))
        bytewise, block, enter, steps, rounds, done = map(
            f.new_label, ("bytewise", "block", "enter", "steps", "rounds", "done")
        )
        f.branch("beqz", A[2], to=done)
        f.store(A[0], SP, state)
        f.slli(A[2], self.block.bit_length() - 1, dst=A[2])
        f.add(A[1], A[2], dst=A[2])
        f.store(A[2], SP, end)
        for n, reg in enumerate(STATE):
            f.load(A[0], n * self.size, op=self.load, dst=reg)
        f.mv(A[1], dst=A[0])
        f.branch("j", to=block)

        f.label(bytewise)
        self._load_bytewise(A[0])
        f.branch("j", to=enter)

        f.label(block)  # the address of the block is in a0
        f.emit("andi", A[0], imm=self.size - 1, dst=A[1])
        f.addi(A[0], self.block, dst=A[2])
        f.store(A[2], SP, source)
        f.branch("bnez", A[1], to=bytewise)
        self._load_aligned(A[0])
        f.label(enter)
        f.emit("la", imm=f"cry_{self.hash.name}_k", dst=_K)
        f.xor(STATE[1], STATE[2], dst=TEMPS[0])
        f.branch("j", to=rounds)

        f.label(steps)
        self._steps()
        f.label(rounds)
        self._rounds()
        f.load(_K, self.block, op=self.load, dst=TEMPS[1])  # behind the last constant: 0
        f.addi(_K, self.block, dst=_K)
        f.branch("bnez", TEMPS[1], to=steps)

        f.load(SP, state, dst=_K)
        f.load(SP, source, dst=A[0])
        f.load(SP, end, dst=A[1])
        for n in range(8):
            f.load(_K, n * self.size, op=self.load, dst=WINDOW[n])
        for n, reg in enumerate(STATE):
            f.add(reg, WINDOW[n], dst=reg)
            f.store(reg, _K, n * self.size, op=self.store)
        f.branch("bne", A[0], A[1], to=block)
        f.label(done)
        f.ret()

    def _load_aligned(self, source: Reg) -> None:
        """Load the block and make its words from big-endian bytes."""
        f = self.f
        tmp, mask8, mask16 = TEMPS
        for n, word in enumerate(WINDOW):
            f.load(source, n * self.size, op=self.load, dst=word)
        if self.isa.rotates:
            for word in WINDOW:
                f.emit("rev8", word, dst=word)
                if self.narrow:
                    f.srli(word, 32, dst=word)
            return
        f.li(0x00FF00FF, dst=mask8)
        if self.size == 8:
            f.li(0xFFFF, dst=mask16)
            for mask in (mask8, mask16):
                f.slli(mask, 32, dst=tmp)
                f.or_(mask, tmp, dst=mask)
        for word in WINDOW:
            swap_fields(f, word, 8, mask8, tmp)
            if self.size == 8:
                swap_fields(f, word, 16, mask16, tmp)
            half = self.hash.bits // 2
            f.slli(word, half, dst=tmp)
            f.emit(self.right, word, imm=half, dst=word)
            f.or_(word, tmp, dst=word)

    def _load_bytewise(self, source: Reg) -> None:
        """Load a block of any alignment, and not a byte beside it."""
        for n, word in enumerate(WINDOW):
            load_bytes(self.f, source, n * self.size, self.size, word, TEMPS[1:])

    def _rounds(self) -> None:
        for n in range(16):
            self._round(n)

    def _steps(self) -> None:
        for n in range(16):
            self._step(n)

    def _round(self, n: int) -> None:
        """FIPS 180-4, sections 6.2.2 and 6.4.2, step 3; h becomes the new a, d the new e."""
        f = self.f
        a, b, _, d, e, f_, g, h = (STATE[(i - n) % 8] for i in range(8))
        last, tmp = TEMPS[n % 2], TEMPS[1 - n % 2]  # last: b ^ c
        extra = TEMPS[2]
        f.step(f"round {n} of 16")
        f.load(_K, n * self.size, op=self.load, dst=extra)
        f.xor(f_, g, dst=tmp)
        f.and_(tmp, e, dst=tmp)
        f.xor(tmp, g, dst=tmp)
        f.add(h, extra, dst=h)
        word = self._word(n, extra)
        f.add(h, tmp, dst=h)
        f.add(h, word, dst=h)
        f.add(h, self._sum("sum1", e, tmp, extra), dst=h)
        f.add(d, h, dst=d)
        f.add(h, self._sum("sum0", a, tmp, extra), dst=h)
        # Majority from a ^ b, which the next round needs as its b ^ c.
        f.xor(a, b, dst=tmp)
        f.and_(last, tmp, dst=last)
        f.xor(last, b, dst=last)
        f.add(h, last, dst=h)

    def _word(self, n: int, tmp: Reg) -> Reg:
        """Return where a word of the message schedule is, if need be in a temporary."""
        return WINDOW[n]

    def _step(self, n: int) -> None:
        """Put the word that follows after 16 into its place."""
        f = self.f
        word = WINDOW[n]
        _, tmp, extra = TEMPS
        f.step(f"word {n} of the schedule")
        f.add(word, WINDOW[(n + 9) % 16], dst=word)
        f.add(word, self._sig("sig0", WINDOW[(n + 1) % 16], tmp, extra), dst=word)
        f.add(word, self._sig("sig1", WINDOW[(n + 14) % 16], tmp, extra), dst=word)

    def _sum(self, name: str, x: Reg, tmp: Reg, extra: Reg) -> Reg:
        """XOR of three rotations."""
        f, width = self.f, self.hash.bits
        r1, r2, r3 = getattr(self.hash, name)
        if "zknh" in self.isa:
            return self._instruction(name, x, tmp)
        if self.isa.rotates:
            self._rotate(x, r1, tmp)
            for r in (r2, r3):
                self._rotate(x, r, extra)
                f.xor(tmp, extra, dst=tmp)
            return tmp
        if self.narrow:
            self._twice(x, tmp, extra)
            self._shifts("srli", tmp, (r3 - r2, r2 - r1, r1), extra)
            return extra
        self._shifts("srli", x, (r3 - r2, r2 - r1, r1), tmp)
        self._shifts("slli", x, (r2 - r1, r3 - r2, width - r3), extra)
        f.xor(tmp, extra, dst=tmp)
        return tmp

    def _sig(self, name: str, x: Reg, tmp: Reg, extra: Reg) -> Reg:
        """XOR of two rotations and a shift."""
        f, width = self.f, self.hash.bits
        r1, r2, shift = getattr(self.hash, name)
        if "zknh" in self.isa:
            return self._instruction(name, x, tmp)
        if self.isa.rotates:
            self._rotate(x, r1, tmp)
            self._rotate(x, r2, extra)
            f.xor(tmp, extra, dst=tmp)
            f.emit(self.right, x, imm=shift, dst=extra)
        elif self.narrow:
            self._twice(x, tmp, extra)
            self._shifts("srli", tmp, (r2 - r1, r1), extra)
            f.emit(self.right, x, imm=shift, dst=tmp)
        else:
            low, middle, high = sorted((r1, r2, shift))
            self._shifts("srli", x, (high - middle, middle - low, low), tmp)
            self._shifts("slli", x, (r2 - r1, width - r2), extra)
        f.xor(tmp, extra, dst=tmp)
        return tmp

    def _instruction(self, name: str, x: Reg, dst: Reg) -> Reg:
        self.f.emit(f"{self.hash.name}{name}", x, dst=dst)
        return dst

    def _rotate(self, x: Reg, n: int, dst: Reg) -> None:
        self.f.emit("roriw" if self.narrow else "rori", x, imm=n, dst=dst)

    def _twice(self, x: Reg, dst: Reg, tmp: Reg) -> None:
        """Put a 32-bit word into both halves of a register: its rotations are then shifts."""
        f = self.f
        f.slli(x, 32, dst=dst)
        if "zba" in self.isa:
            f.emit("add.uw", x, dst, dst=dst)
        else:
            f.srli(dst, 32, dst=tmp)
            f.or_(dst, tmp, dst=dst)

    def _shifts(self, op: str, x: Reg, amounts: tuple[int, ...], dst: Reg) -> None:
        """Shift x by the sum of all amounts, by all but the first, ...: XOR of these."""
        f = self.f
        f.emit(op, x, imm=amounts[0], dst=dst)
        for amount in amounts[1:]:
            f.xor(dst, x, dst=dst)
            f.emit(op, dst, imm=amount, dst=dst)
