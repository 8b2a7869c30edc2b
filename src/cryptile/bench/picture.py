"""Writes the pictures of suites."""

from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

matplotlib.use("Agg")


def save(figure: Figure, stem: Path) -> list[Path]:
    """Write a figure as PNG and SVG, and close it; return the two files."""
    from matplotlib import pyplot

    stem.parent.mkdir(parents=True, exist_ok=True)
    files = [stem.with_name(stem.name + suffix) for suffix in (".png", ".svg")]
    for file in files:
        # No date inside, so that the same cycles give the same file.
        figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
    pyplot.close(figure)
    return files
