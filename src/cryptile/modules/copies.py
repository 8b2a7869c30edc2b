"""Which registers look like copies of one another, by their names alone."""

import re
from collections import defaultdict
from collections.abc import Mapping

_SERIES = (("a", "b", "c"), ("0", "1", "2"), ("1", "2", "3"), ("A", "B", "C"), ("x", "y", "z"))
_PIECE = re.compile(r"[A-Za-z]+|\d+|[^A-Za-z\d]+")
_WORD = re.compile(r"(copy|tmr|dmr|rep|replica|r|tr|red)", re.I)


def copies(registers: Mapping[str, int]) -> list[tuple[str, ...]]:
    """List registers of one width whose names differ in one piece: a, b and c, or 0, 1 and 2.

    A pair is taken if that piece stands beside a word such as copy or tmr; other registers that are
    numbered are rarely copies. What is found is a proposal: the proof shows if it is so.

    Args:
        registers: their names with their widths.
    """
    families: dict[tuple[str, str, int, int], dict[str, str]] = defaultdict(dict)
    for name, width in registers.items():
        pieces = _PIECE.findall(name)
        for place, piece in enumerate(pieces):
            if piece.isdigit() or len(piece) == 1:
                before, behind = "".join(pieces[:place]), "".join(pieces[place + 1 :])
                families[before, behind, width, len(pieces)][piece] = name
    found: list[tuple[str, ...]] = []
    taken: set[str] = set()
    for (before, _, _, _), members in families.items():
        for series in _SERIES:
            known = [piece for piece in series if piece in members]
            is_pair = len(known) == 2 and known == list(series[:2]) and _said(before)
            if known == list(series) == sorted(members) or (is_pair and len(members) == 2):
                names = tuple(members[piece] for piece in known)
                if taken.isdisjoint(names):
                    taken.update(names)
                    found.append(names)
    return found


def _said(before: str) -> bool:
    pieces = [piece for piece in _PIECE.findall(before) if piece.isalnum()]
    return bool(pieces) and _WORD.fullmatch(pieces[-1]) is not None
