"""All calls."""

import re

from cryptile import library
from support.overlap.aeads import aeads
from support.overlap.calls import Call
from support.overlap.ciphers import ciphers, streams
from support.overlap.curves import curves
from support.overlap.hashes import hashes
from support.overlap.keys import on_keys
from support.overlap.psa import psa

_PROTOTYPE = re.compile(r"^(?!static|typedef)\w[\w ]*?[ *\n](\w+)\(([^;{]*)\);", re.M)
_BYTES = re.compile(r"(const )?(?:uint8_t|void)\b.*[*[]", re.S)
_EMPTY = {"psa_aead_verify"}
"""Those whose output has no bytes: here an AEAD holds no message back."""


def with_both() -> set[str]:
    """Return the names of all functions that read bytes of the caller's, and write some."""
    found = set()
    for header in library.INCLUDE.rglob("*.h"):
        for name, arguments in _PROTOTYPE.findall(re.sub(r"//.*", "", header.read_text())):
            places = [_BYTES.match(argument.strip()) for argument in arguments.split(",")]
            if len({place[1] for place in places if place}) == 2:
                found.add(name)
    return found - _EMPTY


def all_calls(impls: list[str]) -> list[Call]:
    """Return the table."""
    return [
        *ciphers(impls),
        *streams(),
        *aeads(),
        *on_keys(impls),
        *hashes(),
        *curves(),
        *psa(),
    ]
