"""The simulated systems-on-chip of ``catalog/systems``: building their models, running programs."""

from cryptile.systems.system import System

mcu = System("mcu")
"""The microcontroller with an engine beside its core."""

stream = System("stream")
"""An engine on AXI4-Stream behind DMA."""

tile = System("tile")
"""CVA6 with the crypto tile."""

SYSTEMS = {system.name: system for system in (mcu, stream, tile)}
"""All of them by name."""
