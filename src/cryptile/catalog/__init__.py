"""What ``catalog/`` says: engines and algorithms, the ground floor that everything else reads."""

from cryptile.catalog.load import algorithms, engines, mode
from cryptile.catalog.schema import Algorithm, Engine, Family, Key, Kind, Lengths, Mode

__all__ = [
    "Algorithm",
    "Engine",
    "Family",
    "Key",
    "Kind",
    "Lengths",
    "Mode",
    "algorithms",
    "engines",
    "mode",
]
