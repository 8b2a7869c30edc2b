"""Charts of figures over the length of messages, as SVG that needs nothing else."""

import io
from collections.abc import Iterable

import matplotlib
from matplotlib import pyplot

from cryptile import picture
from cryptile.records import Record
from cryptile.report.content import SIZES, words

matplotlib.use("Agg")

_LEAST_SIZES = 3
_MOST_LINES = 8


def charts(records: Iterable[Record]) -> list[str]:
    """Return a chart for each metric and algorithm that was measured at three lengths or more."""
    kinds: dict[tuple[str, str, str, str], list[Record]] = {}
    for record in records:
        size = next((name for name in SIZES if name in record.params), None)
        if size is None:
            continue
        alg = str(record.params.get("alg", ""))
        kinds.setdefault((record.metric, record.unit, alg, size), []).append(record)
    drawn = []
    for (metric, unit, alg, size), found in kinds.items():
        lines = _lines(found, size)
        if lines and len(lines) <= _MOST_LINES:
            title = f"{alg}: {metric}".lstrip(": ").replace("_", " ")
            drawn.append(_chart(title, unit, size, lines))
    return drawn


def _lines(records: list[Record], size: str) -> dict[str, list[tuple[float, float]]]:
    """Return the points of each line, by what tells it from the others."""
    names = {name for record in records for name in record.params} - {size, "extrapolated"}
    first = records[0].params
    common = [
        name
        for name in names
        if all(record.params.get(name) == first.get(name) for record in records)
    ]
    found: dict[str, set[tuple[float, float]]] = {}
    for record in records:
        line = words(record.params, size, "extrapolated", *common)
        found.setdefault(line, set()).add((record.params[size], record.value))
    return {name: sorted(points) for name, points in found.items() if len(points) >= _LEAST_SIZES}


def _chart(title: str, unit: str, size: str, lines: dict[str, list[tuple[float, float]]]) -> str:
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": title}):
        figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
        for number, points in enumerate(lines.values()):
            axes.plot(*zip(*points, strict=True), marker="o", markersize=4, color=f"C{number}")
        axes.set(xscale="log", yscale="log", xlabel=size, ylabel=unit, title=title)
        axes.grid(visible=True, alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        picture.name_ends(
            axes,
            [(name, points[-1], f"C{at}") for at, (name, points) in enumerate(lines.items())],
        )
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
        pyplot.close(figure)
    svg = text.getvalue()
    return svg[svg.index("<svg") :]
