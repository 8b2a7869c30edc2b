"""Waveforms of faults in a module, beside the run without one."""

from pathlib import Path

import numpy as np

from cryptile.faults import waves
from cryptile.modules.campaign import Campaign

_BEFORE, _BEHIND = 8, 16
"""Cycles before the fault, and behind the first wrong output."""


def write(found: Campaign, failure: int, file: Path) -> None:
    """Write the waveform of one fault, from a little before it to a little behind what it did.

    Args:
        found: the campaign.
        failure: place of the fault in its results.
        file: where to; a folder that is there.
    """
    session = found.prepared.session
    cycle, site = int(found.cycle[failure]), int(found.site[failure])
    seen = int(found.results["seen"][failure])
    start = max(0, cycle - _BEFORE)
    end = min(len(session.inputs), seen + _BEHIND + 1)
    layout = session.machine.layout
    golden = np.concatenate(
        [session.inputs[start:end], session.states[start:end], session.outputs[start:end]], axis=1
    )
    states, outputs = session.trace(found.sites, site, cycle, end)
    faulty = golden.copy()
    width = session.inputs.shape[1]
    faulty[cycle - start :, width:] = np.concatenate([states, outputs], axis=1)
    shown = waves.signals(layout.inputs, session.machine.flops, layout.outputs)
    trace = np.stack([golden, faulty], axis=1)
    file.write_text(waves.vcd(session.machine.netlist.top, shown, trace, start))
