"""What ``catalog/`` says: engines and algorithms, the ground floor that everything else reads."""

from cryptile.catalog.blobs import pack
from cryptile.catalog.load import algorithms, engines, firmware, mode, params, programs, statuses
from cryptile.catalog.schema import Algorithm, Engine, Family, Key, Kind, Lengths, Mode, Params

__all__ = [
    "Algorithm",
    "Engine",
    "Family",
    "Key",
    "Kind",
    "Lengths",
    "Mode",
    "Params",
    "algorithms",
    "engines",
    "firmware",
    "mode",
    "pack",
    "params",
    "programs",
    "statuses",
]
