"""RISC-V instruction sets, parsed from names such as ``rv32im_zbb``."""

from dataclasses import dataclass

from cryptile.errors import UsageError

_IMPLIED = {
    "zk": {"zkn", "zkr", "zkt"},
    "zkn": {"zbkb", "zbkc", "zbkx", "zkne", "zknd", "zknh"},
    "g": {"m"},
}
_KNOWN = {
    *"imacg", "zicsr", "zifencei", "zba", "zbb", "zbc", "zbs", "zbkb", "zbkc", "zbkx",
    "zkn", "zknd", "zkne", "zknh", "xcarry",
}  # fmt: skip
_LINKABLE = "imac"


@dataclass(frozen=True)
class Isa:
    """An instruction set: register width in bits and the extensions there are."""

    name: str
    xlen: int
    extensions: frozenset[str]

    @classmethod
    def parse(cls, name: str) -> "Isa":
        """Parse a ``-march`` style name.

        Raises:
            UsageError: the base or an extension is not known.
        """
        head, *tail = name.lower().split("_")
        if head[:4] not in ("rv32", "rv64") or head[4:5] not in ("i", "g"):
            raise UsageError(f"unknown instruction set {name!r}: begin with rv32i or rv64i")
        found: set[str] = set()
        pending = [*head[4:], *tail]
        while pending:
            extension = pending.pop()
            if extension not in _KNOWN:
                raise UsageError(f"instruction set {name!r}: unknown extension {extension!r}")
            found.add(extension)
            pending += _IMPLIED.get(extension, set()) - found
        return cls(name, int(head[2:4]), frozenset(found))

    def __contains__(self, extension: str) -> bool:
        """Tell whether an extension is there."""
        return extension in self.extensions

    @property
    def word(self) -> int:
        """Bytes in a register."""
        return self.xlen // 8

    @property
    def rotates(self) -> bool:
        """Whether there are rotates and ``andn``, ``orn``, ``xnor``, ``rev8`` (Zbb or Zbkb)."""
        return not self.extensions.isdisjoint({"zbb", "zbkb"})

    @property
    def carryless(self) -> bool:
        """Whether there are ``clmul`` and ``clmulh`` (Zbc or Zbkc)."""
        return not self.extensions.isdisjoint({"zbc", "zbkc"})

    @property
    def abi(self) -> str:
        """The integer calling convention, as the compiler names it."""
        return "ilp32" if self.xlen == 32 else "lp64"

    @property
    def march(self) -> str:
        """The name for the compiler and the assembler."""
        letters = "i" + "".join(x for x in "mac" if x in self)
        longer = sorted(x for x in self.extensions if len(x) > 1 and x not in ("zkn", "xcarry"))
        return "_".join([f"rv{self.xlen}{letters}", *longer])

    @property
    def link_march(self) -> str:
        """The base set, for which the compiler's own libraries exist."""
        return f"rv{self.xlen}" + "".join(x for x in _LINKABLE if x == "i" or x in self)
