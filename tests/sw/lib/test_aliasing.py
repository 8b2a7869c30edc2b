"""Every generated routine that writes memory says which buffers may overlap."""

import re

from cryptile.asm import routines
from cryptile.asm.isa import Isa
from cryptile.asm.schedule import Tuning

EVERYTHING = ("rv32im_zkn", "rv32im_zbb_zbc", "rv32im_xcarry", "rv64im_zkn")
"""Instruction sets that together have all routines."""
WORDS = re.compile(r"disjoint|may be (?:the same|an operand|.in.)|overlap")
POINTER = re.compile(r"[*[]")


def test_headers_state_aliasing():
    seen = {"": 0}
    for isa in map(Isa.parse, EVERYTHING):
        for routine in routines.supported(isa):
            if routine.symbol in seen:
                continue
            lines = routine.generate(isa, Tuning()).splitlines()
            header = [line[1:].strip() for line in lines if line.startswith("#")]
            prototype = next(line for line in header if f" {routine.symbol}(" in line)
            parts = prototype.split("(", 1)[1].split(",")
            pointers = [part for part in parts if POINTER.search(part)]
            seen[routine.symbol] = len(pointers)
            if len(pointers) > 1 and not all("const" in pointer for pointer in pointers):
                doc = " ".join(header[header.index(prototype) + 1 :])
                assert WORDS.search(doc), routine.symbol
    assert sum(count > 1 for count in seen.values()) > 40
