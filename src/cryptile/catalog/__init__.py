"""What ``catalog/`` says: engines and algorithms, the ground floor that everything else reads."""

from cryptile.catalog.blobs import pack
from cryptile.catalog.load import (
    algorithms,
    design_file,
    designs,
    engines,
    firmware,
    mode,
    params,
    statuses,
)
from cryptile.catalog.schema import (
    Algorithm,
    Design,
    Faults,
    Key,
    Kind,
    Lengths,
    Level,
    Mode,
    Proof,
    Synth,
)
from cryptile.catalog.variants import variant_name

__all__ = [
    "Algorithm",
    "Design",
    "Faults",
    "Key",
    "Kind",
    "Lengths",
    "Level",
    "Mode",
    "Proof",
    "Synth",
    "algorithms",
    "design_file",
    "designs",
    "engines",
    "firmware",
    "mode",
    "pack",
    "params",
    "statuses",
    "variant_name",
]
