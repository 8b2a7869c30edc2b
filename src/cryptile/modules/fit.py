"""A module that fits its file: what campaign and proof begin with, and refuse alike."""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from cryptile.errors import UsageError
from cryptile.modules import elaborate, netlist
from cryptile.modules.description import Description
from cryptile.modules.elaborate import Ports
from cryptile.modules.netlist import Built
from cryptile.netlist.gates import ZERO, Netlist
from cryptile.netlist.known import known

_SETTLED = 16
"""Clocks for which a reset is held at most to see what it holds: it may go through registers."""


@dataclass(frozen=True)
class Fitted:
    """The pins and the netlist of a module to which its file fits."""

    ports: Ports
    built: Built


def fitted(what: Description) -> Fitted:
    """Elaborate and synthesise a module.

    Raises:
        UsageError: it cannot be, or its file does not fit it.
    """
    ports = elaborate.ports(what.source)
    if ports.clock != what.module.clock:
        raise UsageError(f"{what.path}: the clock is {ports.clock}, not {what.module.clock}")
    reset = what.module.reset
    if reset and ports.inputs.get(reset.port) != 1:
        raise UsageError(f"{what.path}: there is no input {reset.port} of one bit to reset with")
    _check_outputs(what, ports)
    built = netlist.build(what.source, ports, what.module.keep)
    if not built.netlist.flip_flops:
        raise UsageError(f"{ports.clock}: synthesis left no flip-flop of {what.module.top}")
    _check_reset(what, ports, built.netlist)
    return Fitted(ports, built)


def _check_outputs(what: Description, ports: Ports) -> None:
    """Refuse names of no output, and outputs without a name: nobody would look at them."""
    outputs = what.outputs
    alarm = (outputs.alarm,) if outputs.alarm else ()
    alone = (*alarm, outputs.done) if outputs.done else alarm
    roles = (*outputs.compare, *outputs.report, *alarm, *outputs.ignore)
    for name in (*roles, *alone):
        if name not in ports.outputs:
            raise UsageError(
                f"{what.path}: there is no output {name}: there are {', '.join(ports.outputs)}"
            )
    for name in alone:
        if ports.outputs[name] != 1:
            raise UsageError(f"{what.path}: {name} has {ports.outputs[name]} bits, not one")
    if twice := [name for name in roles if roles.count(name) > 1]:
        raise UsageError(
            f"{what.path}: {twice[0]} is compared, an alarm, a report or ignored, one of them"
        )
    if left := [name for name in ports.outputs if name not in roles]:
        raise UsageError(
            f"{what.path}: nothing is said of the outputs {', '.join(left)}: "
            "name them under compare, alarm, report or ignore"
        )


def _check_reset(what: Description, ports: Ports, found: Netlist) -> None:
    """Refuse a reset of which the wrong level is said: the module would be reset all the time."""
    reset, recognised = what.module.reset, ports.reset
    if reset is None:
        return
    level = int(reset.active == "high")
    on, off = _resets(found, reset.port, level)
    if off > on:
        other = "low" if level else "high"
        raise UsageError(
            f"{what.path}: {reset.port} is a reset, but active {other}: that level gives {off} "
            f"flip-flops a value, and {reset.active} gives {on}"
        )
    is_it = recognised and (reset.port, reset.active) == (recognised.port, recognised.active)
    if recognised and not on and not is_it:
        raise UsageError(
            f"{what.path}: {reset.port} resets no flip-flop while it is {reset.active}: the reset "
            f"of most is {recognised.port}, active {recognised.active}"
        )


def _resets(found: Netlist, port: str, level: int) -> tuple[int, int]:
    """Return how many flip-flops only one level of an input gives a value, and only the other."""
    (net,) = found.inputs[port]
    every = {net: ZERO for nets in found.inputs.values() for net in nets}
    # A reset that loads other inputs gives a value only where those have one.
    for others in ({}, every):
        on, off = (_held(found, {**others, net: value}) for value in (level, 1 - level))
        if on != off:
            break
    return len(on - off), len(off - on)


def _held(found: Netlist, inputs: Mapping[int, int]) -> Set[int]:
    """Return the flip-flops that have one value, whatever they had, while inputs are held."""
    state: dict[int, int] = {}
    for _ in range(_SETTLED):
        values = known(found.gates, {**state, **inputs})
        after = {flop.q: values[flop.d] for flop in found.flip_flops if flop.d in values}
        if after == state:
            break
        state = after
    return state.keys()
