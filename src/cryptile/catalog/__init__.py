"""What ``catalog/`` says: engines and algorithms, the ground floor that everything else reads."""

from cryptile.catalog.blobs import pack
from cryptile.catalog.load import algorithms, engines, firmware, mode, params, statuses
from cryptile.catalog.schema import Algorithm, Key, Kind, Lengths, Mode

__all__ = [
    "Algorithm",
    "Key",
    "Kind",
    "Lengths",
    "Mode",
    "algorithms",
    "engines",
    "firmware",
    "mode",
    "pack",
    "params",
    "statuses",
]
