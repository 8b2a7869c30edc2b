"""The questions: which extension, for which algorithms, against which base."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """One extension.

    Attributes:
        extension: the word for tables and records.
        text: what it has, for people.
        base: the instruction set without it.
        isa: the instruction set with it.
        families: families of the software benchmark that may gain.
    """

    extension: str
    text: str
    base: str
    isa: str
    families: tuple[str, ...]


QUESTIONS = (
    Question("zba", "shift and add (address of a table entry)", "rv32im", "rv32im_zba",
             ("aes",)),
    Question("rotate", "rotates and negated logic (Zbb)", "rv32im", "rv32im_zbb",
             ("aes", "chacha20", "sha-2", "keccak", "ascon")),
    Question("permute", "Zbb and bit and nibble permutations (Zbkb, Zbkx)", "rv32im",
             "rv32im_zba_zbb_zbkb_zbkx", ("aes", "keccak", "ascon")),
    Question("scalar-crypto", "AES and SHA-2 instructions (Zkn)", "rv32im", "rv32im_zkn",
             ("aes", "sha-2")),
    Question("carry-less", "carry-less multiply (Zbc)", "rv32im", "rv32im_zbb_zbc", ("ghash",)),
    Question("carry-flag", "add with carry (modelled as a custom instruction)", "rv32im",
             "rv32im_xcarry", ("bigint",)),
    Question("rotate-64", "rotates and negated logic on 64 bits (Zbb)", "rv64im",
             "rv64im_zba_zbb", ("aes", "chacha20", "sha-2", "keccak", "ascon")),
    Question("scalar-crypto-64", "AES and SHA-2 instructions on 64 bits (Zkn)", "rv64im",
             "rv64im_zkn", ("aes", "sha-2")),
)  # fmt: skip
"""All questions."""
