"""A module that fits its file: what campaign and proof begin with, and refuse alike."""

from collections.abc import Set
from dataclasses import dataclass

from cryptile.errors import UsageError
from cryptile.modules import elaborate, netlist
from cryptile.modules.description import Description
from cryptile.modules.elaborate import Ports
from cryptile.modules.netlist import Built
from cryptile.netlist.gates import Netlist
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
    (net,) = found.inputs[reset.port]
    by_on, by_off = _held(found, net, level), _held(found, net, 1 - level)
    on, off = len(by_on - by_off), len(by_off - by_on)
    other = recognised and (reset.port, reset.active) != (recognised.port, recognised.active)
    if off > on or (other and not on):
        told = f": {recognised.port} is, active {recognised.active}" if recognised else ""
        raise UsageError(
            f"{what.path}: {reset.port} is no reset that is active {reset.active}: that gives "
            f"{on} flip-flops a value, and the other level {off}{told}"
        )


def _held(found: Netlist, net: int, value: int) -> Set[int]:
    """Return the flip-flops that have one value, whatever they had, while an input is held."""
    state: dict[int, int] = {}
    for _ in range(_SETTLED):
        values = known(found.gates, {**state, net: value})
        after = {flop.q: values[flop.d] for flop in found.flip_flops if flop.d in values}
        if after == state:
            break
        state = after
    return state.keys()
