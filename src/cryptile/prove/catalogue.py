"""What ``cryptile prove`` knows by name."""

from cryptile.faults import designs
from cryptile.prove.level import Level

_TABLES = ("fault_designs.yaml", "proof_designs.yaml")


def load(name: str, variant: str | None, level: str) -> designs.Design:
    """Return a design by name, or from a design file; errors as of ``designs.load``."""
    return designs.load(name, variant, level, _TABLES)


def levels(name: str) -> list[str]:
    """Return the levels of a design that is known by name; all of them for a design file."""
    entry = designs.names(*_TABLES).get(name)
    return [level for level in Level if entry is None or level in entry["protect"]]


def protected() -> list[tuple[str, str, str]]:
    """List every protected design: its name, variant and level."""
    return [
        (name, variant, level)
        for name, entry in designs.names(*_TABLES).items()
        for variant in entry["variants"]
        for level in levels(name)
    ]
