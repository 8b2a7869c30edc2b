"""No sum of several rows in RSA's programs loses a carry, whatever the inputs are."""

from dataclasses import replace

import pytest
from support import pka

from cryptile.pka.builder import Image
from cryptile.pka.isa import WIDTH512
from cryptile.pka.proof.carries import CarryError
from cryptile.pka.proof.programs import lost_none

IMAGE = pka.image(WIDTH512)

PARTS = sorted(IMAGE.entries, key=lambda name: IMAGE.entries[name])


@pytest.mark.parametrize("entry", PARTS)
def test_parts(entry):
    proven = lost_none(IMAGE, entry)
    if entry.startswith(("square", "times", "reduce", "prepare", "power")):
        assert proven


def test_all_parts():
    """Each instruction stands in one."""
    ends = [*(IMAGE.entries[name] for name in PARTS[1:]), len(IMAGE.code)]
    for name, end in zip(PARTS, ends, strict=True):
        first = IMAGE.entries[name]
        last = [n for n in range(first, end) if IMAGE.code[n].name in ("ret", "halt")]
        assert last == [end - 1] or IMAGE.code[end - 1].name == "call"


def sums_of(entry: str) -> list[int]:
    """Return the addresses of a part's sums and masks."""
    first = IMAGE.entries[entry]
    end = next(n for n in range(first, len(IMAGE.code)) if IMAGE.code[n].name == "ret")
    return [n for n in range(first, end) if IMAGE.code[n].name in ("addx", "subx", "and")]


def changed(entry: str, of: int, **values: object) -> Image:
    """Return the programs with one of a part's sums changed."""
    code = list(IMAGE.code)
    at = sums_of(entry)[of]
    code[at] = replace(code[at], **values)
    return replace(IMAGE, code=tuple(code))


def missed(entry: str) -> set[int]:
    """Return sums of a part of which a row that is zero, or no carry, is not found."""
    zero, none = IMAGE.names["Zero"], set()
    for of, at in enumerate(sums_of(entry)):
        for values in ({"b": zero}, {"a": zero}, {"imm": 0}):
            try:
                lost_none(changed(entry, of, **values), entry)
            except CarryError:
                break
        else:
            none.add(at)
    return none


def test_finds():
    assert len(missed("square2")) < len(sums_of("square2")) / 2
