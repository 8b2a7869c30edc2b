"""What software and the tile share, bit by bit: words in memory, registers (SystemRDL)."""

from cryptile.layout.read import Block, Field, Layout, blocks, memory

__all__ = ["Block", "Field", "Layout", "blocks", "memory"]
