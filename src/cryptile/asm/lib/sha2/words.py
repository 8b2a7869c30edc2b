"""Words from big-endian bytes."""

from cryptile.asm.code import Code, Reg


def swap_fields(f: Code, word: Reg, width: int, mask: Reg, tmp: Reg) -> None:
    """Swap neighbouring fields of ``width`` bits; ``mask`` has ones in the lower of each two."""
    f.and_(word, mask, dst=tmp)
    f.srli(word, width, dst=word)
    f.and_(word, mask, dst=word)
    f.slli(tmp, width, dst=tmp)
    f.or_(word, tmp, dst=word)


def load_bytes(f: Code, base: Reg, at: int, size: int, dst: Reg, tmps: tuple[Reg, ...]) -> None:
    """Load a word of ``size`` bytes at any address by bytes, two of them ahead of their use."""
    f.load(base, at, op="lbu", dst=dst)
    f.load(base, at + 1, op="lbu", dst=tmps[0])
    for byte in range(1, size):
        if byte + 1 < size:
            f.load(base, at + byte + 1, op="lbu", dst=tmps[byte % 2])
        f.slli(dst, 8, dst=dst)
        f.or_(dst, tmps[(byte + 1) % 2], dst=dst)
