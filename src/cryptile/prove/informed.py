"""Which registers of an engine hold something of its key or of its data, as long as no upset comes.

From the inputs on, cycle by cycle, in all sound states: a register is informed if what it is loaded
with depends on a bit of the key, of the data of ``src``, or of an informed register. Checks that
hold in every sound state depend on nothing, so an alarm informs of nothing.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptile.prove.upset import Proof

_DATA_BITS = 128
"""The highest bits of a beat of ``src``, ``data`` of ``beat_t`` (``cry_engine_pkg``)."""


def informed(proof: "Proof") -> set[int]:
    """Return the flip-flops that may hold something of the key or of the data."""
    proof.enter_sound_state()
    good, forms = proof.good, proof.forms
    key, src = (proof.netlist.inputs.get(name, ()) for name in ("key_i", "src_i"))
    told = _variables(good[net] for net in (*key, *src[-_DATA_BITS:]))
    coming = {flop: good[data] for flop, data in proof.next.items()}
    made = forms.made_of()
    while True:
        reached = told
        for bit, parts in made:
            if parts & reached:
                reached |= 1 << bit
        found = {flop for flop, form in coming.items() if form & reached}
        more = told | _variables(good[flop] for flop in found)
        if more == told:
            return found
        told = more


def stays(kept: Sequence[str], believed: Sequence[str]) -> str:
    """Name registers that stay, and those of them of which it is believed that this is no harm."""
    harmless = "without an upset nothing of the key or of the data reaches any of these"
    but = f" but {', '.join(believed)}" if believed else ""
    return f"{', '.join(kept)}; {harmless}{but}"


def _variables(forms: Iterable[int]) -> int:
    """Return the bits of some sums, but for the constant."""
    return reduce(or_, forms, 0) & ~1
