"""Inputs that clear registers: behind a cycle in which one is high, they are zero.

That is shown for whatever the registers hold before, sound or not, and for all other inputs. So no
upset, nor any number of them, keeps what is to be wiped, but one that comes behind that cycle.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from cryptile.errors import UsageError
from cryptile.prove.forms import ZERO
from cryptile.prove.groups import Group, Kind


def check_names(
    clears: Mapping[str, re.Pattern[str]], inputs: Iterable[str], groups: Iterable[Group]
) -> None:
    """Look whether all is there that is declared.

    Raises:
        UsageError: there is no such input, or no such register.
    """
    known, scopes = set(inputs), [group.scope for group in groups]
    for name, pattern in clears.items():
        if name not in known:
            raise UsageError(f"{name!r} clears registers, but is no input")
        if not any(map(pattern.search, scopes)):
            raise UsageError(f"{name!r} clears {pattern.pattern!r}, but no register is named so")


def kept(
    groups: Iterable[Group],
    pattern: re.Pattern[str],
    behind: Mapping[int, int],
    possible: Callable[[int], bool],
) -> Iterator[Group]:
    """Yield the groups of a pattern of which a bit may be one.

    Args:
        groups: all groups of flip-flops.
        pattern: found in the names of the primitives that are cleared.
        behind: by flip-flop, its form a cycle later.
        possible: says whether a form may be one.
    """
    for group in groups:
        if pattern.search(group.scope):
            held = group.flops if group.kind is Kind.copies else group.flops[: group.width]
            if any(behind[flop] != ZERO and possible(behind[flop]) for flop in held):
                yield group
