"""The benchmark's picture: cycles over the number of blocks."""

from pathlib import Path

from matplotlib import pyplot
from matplotlib.colors import to_hex

from cryptile import picture
from cryptile.records import Record

PICTURED_ALG = "aes-128-ecb"
"""What the published work measured."""

_FAMILIES = {"engine": "Blues", "software": "Oranges"}
"""Colours of each way to the result."""

_MARKERS = "osD^v"


def draw(records: list[Record], published: list[Record], stem: Path, core: str) -> list[Path]:
    """Draw engine and software, ours and published, as PNG and SVG; return the two files."""
    figure, axes = pyplot.subplots(figsize=(9, 5), layout="constrained")
    ends = []
    shades: dict[str, int] = {}
    for (path, impl), points in sorted(_curves(records).items()):
        blocks, cycles = zip(*sorted(points), strict=True)
        shade = shades[path] = shades.get(path, -1) + 1
        color = to_hex(pyplot.get_cmap(_FAMILIES[path])(0.9 - 0.2 * shade))
        axes.plot(blocks, cycles, marker=_MARKERS[shade], color=color)
        ends.append((f"{path}: {impl}", (blocks[-1], cycles[-1]), color))
    for record in published:
        if record.metric == "cycles" and record.params.get("alg") == PICTURED_ALG:
            point = (record.params["blocks"], record.value)
            color = to_hex(pyplot.get_cmap(_FAMILIES[record.params["path"]])(0.9))
            axes.plot(*point, marker="X", markersize=10, color=color, zorder=3)
            axes.annotate(
                f"published {record.params['path']}, {record.params['source'].split(',')[0]}",
                point,
                xytext=(-8, 8),
                ha="right",
                textcoords="offset points",
                color=color,
                fontsize="small",
            )
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="blocks of 16 bytes",
        ylabel="cycles",
        title=f"{PICTURED_ALG} encryption beside {core}: engine and software",
    )
    axes.margins(y=0.1)
    axes.grid(visible=True, which="both", alpha=0.2)
    axes.spines[["top", "right"]].set_visible(False)
    picture.name_ends(axes, ends)
    return picture.save(figure, stem)


def _curves(records: list[Record]) -> dict[tuple[str, str], list[tuple[int, float]]]:
    curves: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for record in records:
        params = record.params
        if record.metric == "cycles" and params["alg"] == PICTURED_ALG:
            if params.get("wait") == "sleep":
                continue
            key = (params["path"], params["impl"])
            curves.setdefault(key, []).append((params["blocks"], record.value))
    return curves
