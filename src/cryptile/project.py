"""Where things stand in a checkout."""

from pathlib import Path

from cryptile.errors import CryptileError

ROOT = Path(__file__).resolve().parents[2]
"""The checkout this package runs from (an editable installation)."""

BUILD = ROOT / "build"
"""Everything that is built or measured; safe to delete."""


def require_checkout() -> None:
    """Fail clearly when the package is not installed from a checkout, which holds the RTL."""
    if not (ROOT / "rtl").is_dir():
        raise CryptileError(
            f"{ROOT} holds no rtl/ folder: install with 'pip install -e .' from a Cryptile checkout"
        )
