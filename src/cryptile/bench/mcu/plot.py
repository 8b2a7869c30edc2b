"""The benchmark's picture: cycles over the number of blocks."""

from pathlib import Path

from matplotlib import pyplot

from cryptile.bench import picture
from cryptile.records import Record

PICTURED_ALG = "aes-128-ecb"
"""What the published work measured."""


def draw(records: list[Record], published: list[Record], stem: Path, core: str) -> list[Path]:
    """Draw engine and software, ours and published, as PNG and SVG; return the two files."""
    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    for (impl, label), points in sorted(_curves(records).items()):
        blocks, cycles = zip(*sorted(points), strict=True)
        axes.plot(blocks, cycles, marker="o", label=f"{label}: {impl}")
    for record in published:
        if record.metric == "cycles" and record.params.get("alg") == PICTURED_ALG:
            source = record.params["source"].split(",")[0]
            axes.plot(
                record.params["blocks"],
                record.value,
                marker="x",
                linestyle="none",
                label=f"published {record.params['path']} ({source})",
            )
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="blocks of 16 bytes",
        ylabel="cycles",
        title=f"{PICTURED_ALG} encryption beside {core}: engine and software",
    )
    axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend()
    return picture.save(figure, stem)


def _curves(records: list[Record]) -> dict[tuple[str, str], list[tuple[int, float]]]:
    curves: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for record in records:
        params = record.params
        if record.metric == "cycles" and params["alg"] == PICTURED_ALG:
            if params.get("wait") == "sleep":
                continue
            key = (params["impl"], params["path"])
            curves.setdefault(key, []).append((params["blocks"], record.value))
    return curves
