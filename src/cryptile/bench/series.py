"""What follows from the cycles of messages of several sizes."""

from collections.abc import Mapping


def slope(cycles: Mapping[int, float]) -> float:
    """Return the cycles of one more byte, block or whatever the sizes count.

    From the two longest messages.
    """
    *_, short, long = sorted(cycles)
    return (cycles[long] - cycles[short]) / (long - short)


def extrapolate(cycles: Mapping[int, float], size: int) -> float:
    """Return the cycles of a longer message."""
    longest = max(cycles)
    return cycles[longest] + (size - longest) * slope(cycles)
