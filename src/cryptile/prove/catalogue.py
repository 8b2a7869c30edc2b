"""What ``cryptile prove`` knows by name."""

from cryptile.designs import load as designs
from cryptile.errors import UsageError
from cryptile.prove.level import Level

_TABLES = ("fault_designs.yaml", "proof_designs.yaml")


def load(name: str, variant: str | None, level: str) -> designs.Design:
    """Return a design by name, or from a design file; errors as of ``designs.load``."""
    return designs.load(name, variant, level, _TABLES)


def levels(name: str) -> list[str]:
    """List the levels of a design that can be proven.

    Raises:
        UsageError: there is no such design, or it is not protected.
    """
    protections = designs.protections(name, _TABLES)
    found: list[str] = [level for level in Level if level in protections]
    if not found:
        raise UsageError(f"{name} is not protected: there is nothing to prove")
    return found


def protected() -> list[tuple[str, str, str]]:
    """List every protected design: its name, variant and level."""
    return [
        (name, variant, level)
        for name, entry in designs.names(*_TABLES).items()
        for variant in entry["variants"]
        for level in levels(name)
    ]
