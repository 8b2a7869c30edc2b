"""Firmware: its images, what they are given, and what they weigh."""

from cryptile.firmware.images import (
    CFLAGS,
    LIB,
    MARCH,
    MEMORIES,
    SIZED,
    SW,
    build,
    library_sources,
    optimisation,
)

__all__ = [
    "CFLAGS",
    "LIB",
    "MARCH",
    "MEMORIES",
    "SIZED",
    "SW",
    "build",
    "library_sources",
    "optimisation",
]
