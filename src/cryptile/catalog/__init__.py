"""What ``catalog/`` says: engines and algorithms, the ground floor that everything else reads."""

from cryptile.catalog.blobs import pack
from cryptile.catalog.load import (
    NO_VARIANT,
    algorithms,
    design_file,
    designs,
    engines,
    firmware,
    mode,
    params,
    statuses,
    system,
)
from cryptile.catalog.schema import (
    Algorithm,
    Design,
    Engine,
    Faults,
    Key,
    Kind,
    Lengths,
    Level,
    Mode,
    Option,
    Proof,
    Synth,
    System,
)
from cryptile.catalog.variants import variant_name

__all__ = [
    "NO_VARIANT",
    "Algorithm",
    "Design",
    "Engine",
    "Faults",
    "Key",
    "Kind",
    "Lengths",
    "Level",
    "Mode",
    "Option",
    "Proof",
    "Synth",
    "System",
    "algorithms",
    "design_file",
    "designs",
    "engines",
    "firmware",
    "mode",
    "pack",
    "params",
    "statuses",
    "system",
    "variant_name",
]
