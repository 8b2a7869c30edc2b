"""The levels of protection: what is promised for a single upset."""

from enum import StrEnum


class Level(StrEnum):
    """What a proof shows; docs/protection.md has the promises in full."""

    correct = "correct"
    detect = "detect"
    tmr = "tmr"
