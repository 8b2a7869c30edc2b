"""Time of the processor: what a proof takes, whatever else the machine does meanwhile."""

import os


def seconds() -> float:
    """Return the time that this process, and what it called, has taken so far."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
