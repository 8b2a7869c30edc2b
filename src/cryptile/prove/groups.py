"""Which flip-flops protect one another, found by the names of the primitives of ``rtl/common``."""

import re
from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum

from cryptile.netlist.gates import Netlist
from cryptile.prove import code

_COPY = re.compile(
    r"(?P<scope>.*?)(?:gen_(?:correct|detect)\.)?gen_copy\[(?P<copy>\d)\]\.u_copy\.copy_q"
)
_CODEWORD = re.compile(r"(?P<scope>.*?)(?P<word>(?:gen_word\[\d+\]\.)?)u_codeword\.q_o")

_GRID = re.compile(r"(?P<scope>.*?)gen_grid\.data_q")
_WORDS = re.compile(r"(?P<scope>.*?)(?:state|block)_q")
_WORD_CHECKS, _NIBBLES = 4, 8  # parities of each word of 32 bits, and of nibbles over all words


class Kind(StrEnum):
    """How a group holds its value."""

    copies = "copies"
    secded = "SEC-DED"
    parity = "parity"
    grid = "grid of parities"
    words = "words beside parities"
    single = "unprotected"


@dataclass(frozen=True)
class Group:
    """Flip-flops that hold one value together.

    Attributes:
        kind: how.
        scope: hierarchical name of the primitive, with a dot behind it.
        flops: their outputs. Copies: one of each copy. Codes: data bits, then check bits.
        width: number of data bits.
        selects: nets that choose this word among several.
    """

    kind: Kind
    scope: str
    flops: tuple[int, ...]
    width: int
    selects: tuple[int, ...] = ()

    @property
    def corrects(self) -> bool:
        """Whether what one flip-flop of it held can be told from the others."""
        if self.kind is Kind.copies:
            return len(self.flops) == 3
        return self.kind in (Kind.secded, Kind.grid)

    def checks(self) -> list[tuple[int, list[int]]]:
        """List the check bits of a code by place, with the places of the data bits they sum."""
        rows = len(self.flops) - self.width
        if self.kind is Kind.secded:
            columns = code.columns(self.width)
            sums = [[i for i, column in enumerate(columns) if column >> r & 1] for r in range(rows)]
        elif self.kind in (Kind.grid, Kind.words):
            bits = range(self.width)
            words = (rows - (_NIBBLES if self.kind is Kind.grid else 0)) // _WORD_CHECKS
            sums = [
                [i for i in bits if i // 32 == word and i % _WORD_CHECKS == check]
                for word in range(words)
                for check in range(_WORD_CHECKS)
            ]
            if self.kind is Kind.grid:
                sums += [[i for i in bits if i % 32 // 4 == nibble] for nibble in range(_NIBBLES)]
        else:
            sums = [list(range(r, self.width, rows)) for r in range(rows)]
        return [(self.width + row, members) for row, members in enumerate(sums)]


def find(netlist: Netlist) -> list[Group]:
    """List all groups of a netlist; flip-flops in no primitive stand alone."""
    flops = {flop.q for flop in netlist.flip_flops}
    copies: dict[str, dict[int, tuple[int, ...]]] = defaultdict(dict)
    groups = []
    for name, nets in netlist.aliases.items():
        if match := _COPY.fullmatch(name):
            copies[match["scope"]][int(match["copy"])] = nets
        elif match := _GRID.fullmatch(name):
            scope = match["scope"]
            checks = [netlist.aliases[f"{scope}gen_grid.{part}_q"] for part in ("word", "nibble")]
            groups.append(Group(Kind.grid, scope, nets + checks[0] + checks[1], len(nets)))
        elif match := _WORDS.fullmatch(name):
            words = nets + netlist.aliases.get(f"{match['scope']}checks_q", ())
            if 8 * (len(words) - len(nets)) == len(nets) and flops.issuperset(words):
                groups.append(Group(Kind.words, match["scope"], words, len(nets)))
        elif match := _CODEWORD.fullmatch(name):
            group = _codeword(netlist, match["scope"], match["scope"] + match["word"], nets)
            # A flip-flop that is two bits of a codeword protects nothing: it stands alone.
            if group and flops.issuperset(nets) and len(set(nets)) == len(nets):
                groups.append(group)
    for scope, by_copy in copies.items():
        for bits in zip(*(by_copy[copy] for copy in sorted(by_copy)), strict=True):
            # A bit that is constant, or copies that were merged, are no flip-flops of their own.
            group_flops = tuple(dict.fromkeys(bit for bit in bits if bit in flops))
            if group_flops:
                groups.append(Group(Kind.copies, scope, group_flops, 1))
    taken = {flop for group in groups for flop in group.flops}
    groups += [
        Group(Kind.single, flop.name, (flop.q,), 1)
        for flop in netlist.flip_flops
        if flop.q not in taken
    ]
    return groups


def voters(netlist: Netlist) -> dict[int, int]:
    """Return the first copy of each voted net."""
    first: dict[int, int] = {}
    for name, nets in netlist.aliases.items():
        if name.endswith("gen_correct.voted"):
            copy = f"{name.removesuffix('voted')}gen_copy[0].u_copy.copy_q"
            first |= zip(nets, netlist.aliases[copy], strict=True)
    return first


def _codeword(netlist: Netlist, scope: str, name: str, nets: tuple[int, ...]) -> Group | None:
    if f"{scope}u_enc.gen_correct.u_enc.codeword_o" in netlist.aliases:
        kind, width = Kind.secded, code.data_width(len(nets))
    elif f"{scope}u_enc.gen_detect.parity" in netlist.aliases:
        kind, width = (
            Kind.parity,
            len(nets) - len(netlist.aliases[f"{scope}u_enc.gen_detect.parity"]),
        )
    else:
        return None
    selects = netlist.aliases.get(f"{scope}head", ()) if name != scope else ()
    return Group(kind, name, nets, width, selects)
