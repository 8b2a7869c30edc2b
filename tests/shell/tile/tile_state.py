"""All that a model stores, and what of secrets is in it."""

import itertools

from cocotb.handle import HierarchyObject

STORES = ("mem", "q_o")
PART, STEP = 5, 4
"""Bytes of a secret that are looked for at once: fewer would be found by chance. Of every eight
bytes in a row one such part is whole."""


def blocks(handle, name):
    """The blocks of a loop that makes some of this name: cocotb finds each, and not all of them."""
    found = handle[name]
    if all(child._name != name for child in found):
        return [found]
    each = (handle[f"{name}[{number}]"] for number in itertools.count())
    return list(itertools.takewhile(lambda block: isinstance(block, HierarchyObject), each))


def stores(handle):
    """The registers and the words of memories below a module."""
    for child in list(handle):
        name = child._name
        if name == "mem":
            yield from (child[row] for row in range(len(child)))
        elif name in STORES or name.endswith("_q"):
            yield child
        elif name.startswith("u_") or "[" in name:
            yield from stores(child)
        elif name.startswith("gen_"):
            for block in blocks(handle, name):
                yield from stores(block)


def parts(secret):
    """Parts of a secret as bits of a number, its first byte the lowest, and as the highest."""
    for at in range(0, len(secret) - PART + 1, STEP):
        for order in ("little", "big"):
            part = int.from_bytes(secret[at : at + PART], order)
            yield f"{part:0{8 * PART}b}"


class State:
    """The registers and memories of a model, found once."""

    def __init__(self, dut):
        self.stores = list(stores(dut))

    def holding(self, *secrets):
        """The places in which a part of a secret stands, at any bit."""
        wanted = {part for secret in secrets for part in parts(secret)}
        assert "0" * 8 * PART not in wanted, "no secret: what was wiped holds it"
        values = [str(store.value) for store in self.stores]
        # First in all at once: mostly there is nothing.
        every = " ".join(values)
        found = [part for part in wanted if part in every]
        return [
            store._path
            for store, value in zip(self.stores, values, strict=True)
            if any(part in value for part in found)
        ]

    def holds_nothing_of(self, *secrets):
        """Fail, and say where, if a part of a secret stands anywhere."""
        places = self.holding(*secrets)
        assert not places, places
