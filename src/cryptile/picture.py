"""Writes the pictures of suites, and the names of lines at their ends."""

from collections.abc import Iterable
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

matplotlib.use("Agg")

_LEAST_GAP = 0.045
"""Of the height, between two names."""


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


def name_ends(axes: Axes, ends: Iterable[tuple[str, tuple[float, float], str]]) -> None:
    """Write names right of the axes, each at the height of its line's end, apart from one another.

    Args:
        axes: with all that is drawn, as the heights follow from the limits.
        ends: of each line its name, its last point in data coordinates, and its colour.

    """
    axes.autoscale_view()
    places = sorted(
        (
            float(axes.transAxes.inverted().transform(axes.transData.transform(point))[1]),
            name,
            color,
        )
        for name, point, color in ends
    )
    last = -1.0
    for height, name, color in places:
        last = max(height, last + _LEAST_GAP)
        axes.annotate(
            name, (1.01, last), xycoords="axes fraction", color=color, va="center", fontsize="small"
        )
