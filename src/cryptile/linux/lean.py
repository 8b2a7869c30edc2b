"""The lean kernel of the cycle-true system."""

from pathlib import Path

from cryptile.linux import packages, source
from cryptile.project import ROOT

CONFIG = ROOT / "sw/linux/rtl/kernel.config"
"""What is merged on ``tinyconfig``."""

_BUILD_SECONDS = 270


def kernel() -> Path:
    """Return the folder that modules are built against; see ``source.built``."""
    (package,) = packages.unpacked_set("source")
    what = "the lean kernel of the cycle-true system"
    return source.built(package, [CONFIG], what, _BUILD_SECONDS)
