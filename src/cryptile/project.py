"""Where things stand: the checkout that a command works on, and what it builds."""

import os
from pathlib import Path

from cryptile.errors import UsageError

_INSTALLED = Path(__file__).resolve().parents[2]


def is_checkout(folder: Path) -> bool:
    """Tell whether a folder is the top of a Cryptile checkout."""
    return (folder / "catalog" / "engines.yaml").is_file() and (folder / "rtl").is_dir()


def checkout_of(folder: Path) -> Path | None:
    """Return the top of the checkout that holds a folder, if one does."""
    return next((top for top in (folder, *folder.parents) if is_checkout(top)), None)


def _here() -> Path | None:
    try:
        return checkout_of(Path.cwd())
    except OSError:  # the folder one stands in was deleted, or may not be looked into
        return None


ROOT = _INSTALLED if is_checkout(_INSTALLED) else _here() or _INSTALLED
"""The checkout this package runs from; for a package from a wheel, the one that one stands in."""

BUILD = Path(os.environ.get("CRYPTILE_BUILD") or ROOT / "build").absolute()
"""Everything that is built or measured; safe to delete."""


def require_checkout() -> None:
    """Fail clearly when there is no checkout, which holds the RTL and the software.

    Raises:
        UsageError: the package was installed without one, and one stands in none.
    """
    if not is_checkout(ROOT):
        raise UsageError(
            "this cryptile was installed without the RTL and software that it works on: "
            "run it inside a Cryptile checkout"
        )


def other_checkout() -> Path | None:
    """Return the checkout that one stands in, if it is not the one that is worked on."""
    here = _here()
    return here if here != ROOT else None
