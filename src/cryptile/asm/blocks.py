"""Reading a message block by block, a register at a time, from any address."""

from collections.abc import Sequence
from dataclasses import dataclass

from cryptile.asm.code import SP, ZERO, Reg
from cryptile.asm.function import Function


@dataclass
class BlockReader:
    """Lets a loop over blocks load whole registers at ``source`` whatever the alignment is.

    An aligned message is read where it lies. Of any other one, each block is first copied byte by
    byte into the frame, so nothing beyond its ends is read. The loop moves ``source`` on by the
    size of a block and ends with :meth:`more`.

    Attributes:
        f: the routine.
        source: the address of the next block; on entry, of the message.
        end: becomes the address at which :meth:`more` must find a next block.
        tmp: clobbered by every method.
        link: clobbered by :meth:`enter` and :meth:`more` when they copy a block.
        data: clobbered likewise; a power of two of them.
        size: bytes in a block, a power of two.
    """

    f: Function
    source: Reg
    end: Reg
    tmp: Reg
    link: Reg
    data: Sequence[Reg]
    size: int

    def __post_init__(self) -> None:
        """Reserve the frame."""
        word = self.f.isa.word
        self._left_at, self._source_at = self.f.reserve(word), self.f.reserve(word)
        self._buffer_at = self.f.reserve(self.size)
        self._copy = self.f.new_label("copy")

    def enter(self, blocks: Reg) -> None:
        """Find the first of ``blocks`` > 0 blocks."""
        f, begin, bytewise = self.f, self.f.new_label("begin"), self.f.new_label("bytewise")
        f.emit("andi", self.source, imm=f.isa.word - 1, dst=self.tmp)
        f.branch("bnez", self.tmp, to=bytewise)
        f.store(ZERO, SP, self._left_at)
        f.slli(blocks, self.size.bit_length() - 1, dst=self.end)
        f.add(self.source, self.end, dst=self.end)
        f.branch("j", to=begin)
        f.label(bytewise)
        f.store(blocks, SP, self._left_at)
        f.store(self.source, SP, self._source_at)
        f.branch("jal", self.link, to=self._copy)
        f.label(begin)

    def more(self, loop: str) -> None:
        """Branch to ``loop`` if there is another block; else go on behind."""
        f, done = self.f, self.f.new_label("all_read")
        f.branch("bne", self.source, self.end, to=loop)
        f.load(SP, self._left_at, dst=self.tmp)
        f.branch("beqz", self.tmp, to=done)
        f.branch("jal", self.link, to=self._copy)
        f.branch("j", to=loop)
        f.label(done)

    def finish(self) -> None:
        """Emit, behind the routine's return, what copies a block."""
        f, source, data = self.f, self.source, self.data
        f.label(self._copy)
        f.load(SP, self._left_at, dst=self.tmp)
        f.load(SP, self._source_at, dst=source)
        f.addi(self.tmp, -1, dst=self.tmp)
        f.store(self.tmp, SP, self._left_at)
        for at in range(0, self.size, len(data)):
            for i, reg in enumerate(data):
                f.load(source, at + i, op="lbu", dst=reg)
            for i, reg in enumerate(data):
                f.store(reg, SP, self._buffer_at + at + i, op="sb")
        f.addi(source, self.size, dst=source)
        f.store(source, SP, self._source_at)
        f.addi(SP, self._buffer_at, dst=source)
        f.addi(source, self.size, dst=self.end)
        f.line(f"  jr      {self.link}")
